package checkpoint

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// stateMove is how what git keeps of an operation under way becomes what it was.
type stateMove struct {
	was, now *opState
	blocked  string // why it cannot
}

// oldHeads are what checkpoints of older versions have of an operation, as pins.
var oldHeads = [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"}

func isState(p Pin) bool { return slices.Contains(oldHeads[:], p.Ref) }

// stored is what a checkpoint holds of an operation.
func (c *Checkpoint) stored(r *repo.Repo) (*opState, error) {
	s := &opState{files: map[string]Side{}, text: map[string][]byte{}, waits: c.Underway != nil}
	if c.state.IsZero() {
		c.storedByPins(r, s)
		if c.Underway != nil {
			return s, errors.New("the checkpoint could not keep it")
		}
		return s, nil
	}
	below, err := lookup(r.Tree, c.state, stateFolder)
	if err != nil {
		return s, err
	}
	left := 4 * maxStateFiles
	err = filesWithin(r, below.Hash, "", 0, &left, func(name string, side Side) {
		// A stranger may have made the commit, and git trusts every file in its own folder: only names that git itself writes are taken.
		if _, known := repo.State(name); known && (side.Mode == repo.ModeFile || side.Mode == repo.ModeExec) {
			s.files[name] = side
		} else {
			s.skip(name, "its name is not safe to write")
		}
	})
	if err == nil && len(s.skipped) > 0 {
		err = fmt.Errorf("the checkpoint holds %q of it, which is not safe to write", s.skipped[0].Path)
	}
	return s, err
}

// storedByPins reads what checkpoints of older versions hold: the heads, and texts that go with them.
func (c *Checkpoint) storedByPins(r *repo.Repo, s *opState) {
	for _, pin := range c.Pins {
		if isState(pin) {
			s.text[pin.Ref] = append(s.text[pin.Ref], pin.Hash.String()+"\n"...)
			s.waits = true
		}
	}
	for name, text := range c.texts {
		if n, known := repo.State(name); known && s.waits && !n.Waits && !strings.Contains(name, "/") {
			s.text[name] = []byte(text)
		}
	}
	for name, b := range s.text {
		s.files[name] = Side{repo.ModeFile, repo.HashObject(r.HashSize(), repo.KindBlob, b)}
	}
}

// stateMove compares what is under way now with what was; nil where nothing is to be done.
func (p *Plan) stateMove(r *repo.Repo) *stateMove {
	if len(p.Paths) > 0 {
		return nil
	}
	was, err := p.Checkpoint.stored(r)
	now := readState(r, r.NewWriter(repo.WriteOptions{DryRun: true}))
	m := &stateMove{was: was, now: now}
	switch {
	case !was.waits && !now.waits, err == nil && was.same(now):
		return nil
	case err != nil:
		m.blocked = err.Error()
	case p.Checkpoint.Worktree != Worktree(r):
		m.blocked = "it belongs to another work tree"
	case len(now.skipped) > 0:
		m.blocked = "what is under way now cannot be saved first: " + now.skipped[0].Path + ": " + now.skipped[0].Why
	}
	return m
}

// begun plans how what was under way goes on, or what is under way now ends: both only where HEAD stands, or comes back to, where
// it stood. What is under way now is in the checkpoint that is taken first, as a whole.
func (p *Plan) begun(r *repo.Repo, head *repo.Head, m *stateMove) {
	if m == nil {
		return
	}
	// HEAD's own move is planned by now, or that of its branch.
	back := head.Hash == p.Checkpoint.Head
	for _, move := range p.Refs {
		if move.Ref == "HEAD" || move.Ref == "refs/heads/"+head.Branch {
			back = move.To == p.Checkpoint.Head
		}
	}
	blocked := slices.ContainsFunc(p.refBlocked, func(k Skip) bool { return k.Path == "HEAD" })
	switch {
	case blocked:
		return
	case !back && !m.was.waits:
		return // it has begun elsewhere, and goes on there
	case !back:
		m.blocked = "HEAD has moved on since it was under way"
	}
	if m.blocked != "" {
		p.refBlocked = append(p.refBlocked, Skip{Path: m.path(), Why: m.blocked})
		return
	}
	p.state = m
	if m.was.waits {
		p.Resumes = p.Checkpoint.Underway
		if p.Resumes == nil {
			p.Resumes = &Underway{}
		}
	}
	if m.now.waits {
		p.Ends = underway(r, head)
	}
	p.brought(r)
}

// path is the file by which git sees what is under way.
func (m *stateMove) path() string {
	for _, s := range [...]*opState{m.was, m.now} {
		for _, n := range slices.Backward(repo.StateNames[:]) {
			if n.Waits && len(s.below(n)) > 0 {
				return ".git/" + strings.TrimSuffix(n.Name, "/")
			}
		}
	}
	return ".git"
}

// below are the files of one name.
func (s *opState) below(n repo.StateName) map[string]Side {
	out := map[string]Side{}
	for name, side := range s.files {
		if is, _ := repo.State(name); is == n {
			out[name] = side
		}
	}
	return out
}

// brought notes the trees from which a command that ends has put files into the working tree: they go with it, as an abort takes
// them along.
func (p *Plan) brought(r *repo.Repo) {
	for _, name := range [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"} {
		if p.state.now.files[name] == p.state.was.files[name] {
			continue
		}
		b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(r.GitDir, name), disk.NoFollow, maxNaming)
		if err != nil {
			continue
		}
		for i, word := range strings.Fields(string(b)) {
			h, ok := repo.ParseHash(word)
			if !ok || i >= maxHeads {
				break
			}
			c, err := r.Commit(h)
			// What a revert brings back is what the commit had deleted.
			if err == nil && name == "REVERT_HEAD" && len(c.Parents) > 0 {
				c, err = r.Commit(c.Parents[0])
			}
			if err == nil {
				p.left = append(p.left, c.Tree)
			}
		}
	}
}

// maxHeads bounds the commits of one merge that are looked into.
const maxHeads = 64

// resume makes what is under way what it was. What says that something waits goes first and comes last, so that git never sees half
// of an operation; a restore that was killed is finished by running it again.
func (w *restorer) resume(m *stateMove) error {
	if m == nil {
		return nil
	}
	now := readState(w.r, w.r.NewWriter(repo.WriteOptions{DryRun: true}))
	if !maps.Equal(now.files, m.now.files) || len(now.skipped) > 0 {
		return errors.New("what is under way has changed since it was saved; run the restore again")
	}
	root, err := os.OpenRoot(w.r.GitDir)
	if err != nil {
		return err
	}
	defer root.Close()
	var errs []error
	for _, n := range slices.Backward(repo.StateNames[:]) {
		if len(m.was.below(n)) == 0 && len(now.below(n)) > 0 && (m.was.whole() || !n.Stays) {
			errs = append(errs, removeState(root, strings.TrimSuffix(n.Name, "/")))
		}
	}
	for _, n := range repo.StateNames {
		list := m.was.below(n)
		if len(list) == 0 || maps.Equal(list, now.below(n)) {
			continue
		}
		if strings.HasSuffix(n.Name, "/") {
			errs = append(errs, w.stateFolder(root, strings.TrimSuffix(n.Name, "/"), list, m.was))
			continue
		}
		b, err := m.was.content(w.r, n.Name)
		if err == nil {
			err = w.r.WriteState(n.Name, b)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	w.res.State = true
	return nil
}

// content is that of one file.
func (s *opState) content(r *repo.Repo, name string) ([]byte, error) {
	if b, ok := s.text[name]; ok {
		return b, nil
	}
	k, b, err := r.Object(s.files[name].Hash)
	if err == nil && (k != repo.KindBlob || len(b) > maxStateFile) {
		err = errors.New("it is no file, or too big")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// removeState takes a file or folder away at once: a folder that goes file by file would be half an operation.
func removeState(root *os.Root, name string) error {
	aside := stateTemp()
	if err := root.Rename(filepath.FromSlash(name), aside); err != nil {
		return err
	}
	return root.RemoveAll(aside)
}

// stateTemp is a name in the Git folder that only a killed process leaves there; `moai checkpoint prune` sweeps it up.
func stateTemp() string {
	return repo.LockTemp + "state-" + strconv.FormatUint(rand.Uint64(), 36)
}

// stateFolder writes a folder beside the one that is there and puts it in its place.
func (w *restorer) stateFolder(root *os.Root, name string, list map[string]Side, was *opState) (err error) {
	tmp := stateTemp()
	defer func() {
		if err != nil {
			_ = root.RemoveAll(tmp)
		}
	}()
	for file, side := range list {
		b, err := was.content(w.r, file)
		if err != nil {
			return err
		}
		to := filepath.Join(tmp, filepath.FromSlash(strings.TrimPrefix(file, name)))
		if err := root.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		perm := os.FileMode(0o666)
		if side.Mode == repo.ModeExec {
			perm = 0o777
		}
		f, err := root.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
		if err != nil {
			return err
		}
		_, err = f.Write(b)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	if _, err := root.Lstat(filepath.FromSlash(name)); err == nil {
		if err := removeState(root, name); err != nil {
			return err
		}
	}
	return root.Rename(tmp, filepath.FromSlash(name))
}
