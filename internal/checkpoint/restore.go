package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// RestoreResult says what a restore did.
type RestoreResult struct {
	Safety  *Checkpoint // taken first; it holds what was overwritten
	Written []string
	Deleted []string
	// Permissions are of files whose content was right.
	Permissions []PermissionChange
	Folders     []FolderChange // made again, or with the mode they had
	Aside       []string       // files that were too large to be saved first, by their new names
	Kept        []string
	Failed      []Skip // not restored, with the reason
	Vault       []string
	Index       bool
	Patterns    bool // of the sparse checkout
	Refs        []RefMove
	Settings    []string // sections of the repository's settings
	State       bool     // what was under way is as it was
}

// Restore carries out a plan. First a checkpoint of the working tree as it is now is taken, and what is done is decided anew
// against that checkpoint: a file that changed since the plan was made is in it, and one that changes later is left alone and
// reported. Files are written to a temporary name and renamed; a restore that was killed is finished by running it again.
func Restore(ctx context.Context, r *repo.Repo, p *Plan) (*RestoreResult, error) {
	res := &RestoreResult{}
	locked := []string{"refs/stash"}
	for _, pin := range p.Checkpoint.Pins {
		locked = append(locked, pin.Ref)
	}
	r.GiveUpLocks(locked...) // also where nothing is left to do
	for _, s := range p.stale {
		if abandoned(path.Base(s)) {
			_ = os.Remove(r.Path(s))
		}
	}
	if p.Empty() && (p.Options.safety == nil || p.Options.safety.Tree == p.tree) { // else that has files which Git ignores
		res.Kept, res.Failed = p.Keep, p.Blocked
		return res, nil
	}
	// Before the first byte is touched. Where this fails, nothing has happened.
	o := p.safety()
	o.brings = p.brings()
	safety := p.Options.safety
	if safety == nil || len(p.also)+len(p.overwritten) > 0 {
		var err error
		if safety, err = Create(ctx, r, *o); err != nil {
			return nil, fmt.Errorf("restore: nothing was changed: %w", err)
		}
	}
	res.Safety = safety
	if !p.Options.Missing && !p.Options.Vault && (safety.Tree != p.tree || len(p.also) > 0) {
		// The tree as it was saved is what counts now. Skipped files of the safety checkpoint stand for those of the plan.
		s := &snapshot{r: r, w: r.NewWriter(repo.WriteOptions{DryRun: true}), opts: p.safety(), tree: safety.Tree, skipped: safety.Skipped, fileMode: fileMode(r)}
		if err := p.files(r, s); err != nil {
			return res, fmt.Errorf("restore: %w", err)
		}
		p.makeRoom()
	}
	if p.Options.safety != nil && !p.Options.Vault {
		if err := p.passedOver(r, safety); err != nil {
			return res, fmt.Errorf("restore: %w", err)
		}
	}
	// From here on no path can lead out of the work tree, whatever links appear in it while files are written.
	root, err := os.OpenRoot(r.WorkTree)
	if err != nil {
		return res, fmt.Errorf("restore: %w", err)
	}
	defer root.Close()
	w := &restorer{r: r, root: root, res: res, of: p.Checkpoint, fileMode: fileMode(r), links: r.Config().Bool("core.symlinks", filepath.Separator == '/')}
	res.Kept, res.Failed = p.Keep, slices.Clone(p.Blocked)
	// First: a file may stand where a directory is needed.
	w.deleteAll(p.Delete)
	for _, c := range p.Write {
		// Between files, never within one: what is written is complete.
		if err := ctx.Err(); err != nil {
			return res, fmt.Errorf("restore: stopped early, run it again to finish: %w", err)
		}
		if err := w.write(c); err != nil {
			res.Failed = append(res.Failed, Skip{Path: c.Path, Why: why(err)})
		} else {
			res.Written = append(res.Written, c.Path)
		}
	}
	w.chmodAll(p.Permissions)
	// After the files: an index that is ahead of them would show everything as changed if this process were killed.
	if p.Index {
		if err := writeIndex(r, p.Checkpoint, p.unmarked); err != nil {
			return res, fmt.Errorf("restore: the files are back, the index is not: %w", err)
		}
		res.Index = true
	}
	if p.Patterns {
		if err := r.SetSparse(p.Checkpoint.Marks.Sparse); err != nil {
			return res, fmt.Errorf("restore: the files are back, what the sparse checkout leaves out is not: %w", err)
		}
		res.Patterns = true
	}
	if err := w.refs(p.kept(res)); err != nil {
		return res, fmt.Errorf("restore: the files are back, not all references are: %w", err)
	}
	if err := w.settings(p); err != nil {
		return res, fmt.Errorf("restore: files and references are back, not all settings are: %w", err)
	}
	if err := w.resume(p.state); err != nil {
		return res, fmt.Errorf("restore: files and references are back, what was under way is not: %w", err)
	}
	if len(p.Vault) > 0 {
		if err := w.vault(p); err != nil {
			return res, fmt.Errorf("restore: the files are back, not all ignored ones are: %w", err)
		}
	}
	w.unbring(p)
	w.folders(p.Folders) // last: nothing can be written into one that is closed again
	return res, nil
}

// kept are the references to be moved: where a file did not come back, entries of the stash stay, which may be the last to have it.
func (p *Plan) kept(res *RestoreResult) []RefMove {
	if len(res.Failed) == 0 {
		return p.Refs
	}
	return slices.DeleteFunc(slices.Clone(p.Refs), func(m RefMove) bool {
		stays := m.goes() != 0 && strings.HasPrefix(m.Ref, "stash@{")
		if stays {
			res.Failed = append(res.Failed, Skip{Path: m.Ref, Why: "it stays, since not all files came back"})
		}
		return stays
	})
}

// restorer writes below the work tree. Every path goes through os.Root, which never leaves it, whatever links are put in the way.
type restorer struct {
	r     *repo.Repo
	root  *os.Root
	res   *RestoreResult
	links bool
	of    *Checkpoint

	fileMode bool
	made     []string // folders
}

var errMoved = errors.New("it has changed since it was saved; run the restore again")

// deleteAll removes files that were saved, then directories that this has emptied, deepest first.
func (w *restorer) deleteAll(list []Change) {
	dirs := map[string]bool{}
	for _, c := range list {
		err := w.unchanged(c)
		if err == nil {
			err = w.root.Remove(filepath.FromSlash(c.Path))
		}
		// Gone already is what was wanted.
		if err != nil && !disk.Absent(err) {
			w.res.Failed = append(w.res.Failed, Skip{Path: c.Path, Why: why(err)})
			continue
		}
		w.res.Deleted = append(w.res.Deleted, c.Path)
		for _, d := range parents(c.Path) {
			dirs[d] = true
		}
	}
	w.removeEmpty(slices.Collect(maps.Keys(dirs)))
}

// removeEmpty removes those of the folders in which nothing is, the deepest first.
func (w *restorer) removeEmpty(order []string) {
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	for _, d := range slices.Compact(order) {
		if !w.of.Folders.empty(d) { // such a one was there, with nothing in it
			_ = w.root.Remove(filepath.FromSlash(d)) // refused while something is in it
		}
	}
}

// unchanged makes sure that what stands at a path is what the safety checkpoint holds.
func (w *restorer) unchanged(c Change) error {
	fi, err := w.root.Lstat(filepath.FromSlash(c.Path))
	if err != nil {
		if c.Old.Mode == 0 || disk.Absent(err) {
			return nil
		}
		return err
	}
	// There was nothing when the safety checkpoint was taken, so what is there now is in none.
	if c.Old.Mode == 0 {
		if fi.IsDir() {
			return nil // an empty one is removed, any other refuses
		}
		return errMoved
	}
	now, err := onDisk(w.r, c.Path, fi)
	if err != nil {
		return err
	}
	// Content alone: a mode that has changed costs nobody anything.
	if now.Hash != c.Old.Hash {
		return errMoved
	}
	return nil
}

// write puts one file or link in place.
func (w *restorer) write(c Change) error {
	// Asked again for each file, since the work tree is in use while this runs.
	if !c.Aside {
		if err := w.unchanged(c); err != nil {
			return err
		}
	}
	name := filepath.FromSlash(c.Path)
	if err := w.makeParents(c.Path); err != nil {
		return err
	}
	fi, err := w.root.Lstat(name)
	// Empty by now, unless something came in that no checkpoint holds; then removing it fails, as it should.
	if err == nil && fi.IsDir() {
		if err := w.root.Remove(name); err != nil {
			return errors.New("a directory with other files is in the way")
		}
	}
	tmp := w.temp(name)
	err = w.content(c, tmp, fi)
	if err == nil && c.Aside {
		err = w.aside(c.Path)
	}
	if err == nil {
		err = w.root.Rename(tmp, name)
	}
	if err != nil {
		_ = w.root.Remove(tmp)
	}
	return err
}

// aside gives what is at a path another name beside it. Nothing is written over: the name of the safety checkpoint is in no other.
func (w *restorer) aside(path string) error {
	to := path + "." + w.res.Safety.Short()
	if _, err := w.root.Lstat(filepath.FromSlash(to)); !disk.Absent(err) {
		return errors.New("it is too large to save first, and " + to + " is there already")
	}
	err := w.root.Rename(filepath.FromSlash(path), filepath.FromSlash(to))
	if err == nil {
		w.res.Aside = append(w.res.Aside, to)
	}
	if disk.Absent(err) {
		return nil // gone meanwhile
	}
	return err
}

// tempPrefix marks files that a restore has not renamed yet. Snapshots leave them out and the next restore removes them.
const tempPrefix = ".moai-restore-"

// temp is a name next to the one that is to be written, so that the rename stays on one file system.
func (w *restorer) temp(name string) string {
	return filepath.Join(filepath.Dir(name), tempPrefix+strconv.Itoa(os.Getpid())+"-"+strconv.FormatInt(restoreSeq.Add(1), 36))
}

// restoredBy is the process that a temporary name belongs to. A user's own file may begin in the same way: it is a file like others.
func restoredBy(name string) (pid int, ok bool) {
	rest, ok := strings.CutPrefix(name, tempPrefix)
	num, seq, both := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(num)
	_, bad := strconv.ParseUint(seq, 36, 63)
	return pid, ok && both && err == nil && pid > 0 && bad == nil
}

// abandoned says whether the process that a temporary name belongs to is gone. Another restore may be at work in the same tree.
func abandoned(name string) bool {
	pid, ok := restoredBy(name)
	if !ok {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	// Signal 0 only asks. Where there are no signals, to have found the process is enough.
	err = p.Signal(syscall.Signal(0))
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}

// restoreSeq makes temporary names of one process differ.
var restoreSeq atomic.Int64

// makeParents makes the directories above a path. A link among them would lead elsewhere, so it is refused; what was in the way
// and saved is gone by now.
func (w *restorer) makeParents(p string) error {
	for _, d := range parents(p) {
		fi, err := w.root.Lstat(filepath.FromSlash(d))
		switch {
		case disk.Absent(err):
			perm := fs.FileMode(0o777)
			if mode, known := w.of.Folders.mode(d); known {
				perm = mode&0o077 | 0o700 // never wider than it was, and open to us until all is written
			}
			if err := w.root.Mkdir(filepath.FromSlash(d), perm); err == nil {
				w.made = append(w.made, d)
			} else if !errors.Is(err, fs.ErrExist) {
				return err
			}
		case err != nil:
			return err
		case !fi.IsDir():
			return fmt.Errorf("%s is not a directory", d)
		}
	}
	return nil
}

// maxLink is longer than the target of any link: the system takes no longer one.
const maxLink = 64 << 10

// content writes what the checkpoint holds under a temporary name. Permissions of a file that is there are kept apart from the
// executable bits: a private file stays private.
func (w *restorer) content(c Change, tmp string, was os.FileInfo) error {
	s := c.New
	// Without symbolic links (Windows) the target becomes the content of a file, as git does it.
	if s.Mode == repo.ModeLink && (w.links || w.real(c.Path)) {
		rc, _, err := w.r.OpenBlob(s.Hash)
		if err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(rc, maxLink+1))
		if err = errors.Join(err, rc.Close()); err != nil {
			return err
		}
		if err := w.root.Symlink(filepath.FromSlash(string(b)), tmp); err == nil || w.links {
			return err
		}
	}
	rc, size, err := w.r.OpenBlob(s.Hash)
	if err != nil {
		return err
	}
	defer rc.Close()
	perm := os.FileMode(0o666)
	if s.Mode == repo.ModeExec {
		perm = 0o777
	}
	f, err := w.root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	// The checkpoint knows the permissions of private files; those of others are the user's default, or what is there.
	if perm, ok := w.of.perm(c.Path, s, w.fileMode); ok && hasPermissions {
		err = f.Chmod(perm) // before anything is in it
		was = nil
	}
	n, e := io.Copy(f, rc)
	err = errors.Join(err, e)
	// An object that is shorter than it says must not take the place of a file.
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	if err == nil && was != nil && was.Mode().IsRegular() {
		keep := was.Mode().Perm() &^ 0o111
		if s.Mode == repo.ModeExec {
			// Whoever may read the file may run it.
			keep |= keep >> 2 & 0o111
		}
		if fi, e := f.Stat(); e == nil && fi.Mode().Perm() != keep {
			err = f.Chmod(keep)
		}
	}
	return errors.Join(err, f.Close())
}

// real says of a link, where core.symlinks is off, that it was one on disk: the checkpoint names those that the index has, too, and
// of others a plain file would be none.
func (w *restorer) real(path string) bool {
	if slices.Contains(w.of.Links, path) {
		return true
	}
	was, err := lookup(w.r.Tree, w.of.Index, path)
	return err == nil && !w.of.Index.IsZero() && was.Mode != repo.ModeLink
}

// refs moves pinned references back: HEAD last, and the stash is rebuilt oldest first.
func (w *restorer) refs(moves []RefMove) error {
	var errs []error
	order := make([]RefMove, 0, len(moves))
	for _, m := range moves {
		if m.other == nil {
			order = append(order, m)
		} else if err := m.other.MoveHead(m.from, m.to); err != nil { // before its branch moves
			return err
		} else {
			w.res.Refs = append(w.res.Refs, m)
		}
	}
	slices.Reverse(order)
	if i := slices.IndexFunc(order, func(m RefMove) bool { return m.Ref == "HEAD" }); i >= 0 {
		head := order[i] // its branch may have to come back first
		order = append(slices.Delete(order, i, i+1), head)
	}
	// What stands for another reference comes behind it.
	slices.SortStableFunc(order, func(a, b RefMove) int { return len(w.of.Symbolic[a.Ref]) - len(w.of.Symbolic[b.Ref]) })
	var symbolic, blocked []RefMove
	// What goes does so when HEAD stands elsewhere.
	slices.SortStableFunc(order, func(a, b RefMove) int { return cmp.Compare(a.goes(), b.goes()) })
	for _, m := range order {
		err := w.ref(m)
		switch {
		case errors.Is(err, repo.ErrSymbolic) && m.goes() == 0:
			symbolic = append(symbolic, m)
		case errors.Is(err, repo.ErrRefConflict): // one that goes may be in the way: feat/x of feat
			blocked = append(blocked, m)
		case err != nil:
			errs = append(errs, err)
		default:
			w.res.Refs = append(w.res.Refs, m)
		}
	}
	for _, m := range blocked {
		if err := w.ref(m); err != nil {
			errs = append(errs, err)
			continue
		}
		w.res.Refs = append(w.res.Refs, m)
	}
	// What stands for another reference is back with that one, or was made so meanwhile.
	for _, m := range symbolic {
		if now, err := w.r.Resolve(m.Ref); err == nil && now == m.To {
			continue
		}
		if err := w.r.UnlinkRef(m.Ref, m.To); err != nil {
			errs = append(errs, err)
			continue
		}
		w.res.Refs = append(w.res.Refs, m)
	}
	if slices.ContainsFunc(w.res.Refs, func(m RefMove) bool { return m.goes() == 0 && strings.HasPrefix(m.Ref, "stash@{") }) {
		errs = append(errs, reorder(w.r, w.of.Pins))
	}
	return errors.Join(errs...)
}

// ref moves one reference.
func (w *restorer) ref(m RefMove) error {
	switch {
	case m.goes() == 1 && strings.HasPrefix(m.Ref, "stash@{"):
		return unstash(w.r, m.From)
	case m.goes() == 1:
		if standsFor(m.Ref, w.r.Symbolic(m.Ref)) { // a restore has made it so
			if err := w.r.UnlinkRef(m.Ref, m.From); err != nil {
				return err
			}
		}
		_, err := w.r.DeleteRefs([]repo.RefValue{{Name: m.Ref, Hash: m.From}}, repo.PackedWait)
		return err
	case strings.HasPrefix(m.Ref, "stash@{"):
		return restash(w.r, m.To)
	case m.Ref == "HEAD":
		return w.r.MoveHead(m.from, m.to)
	case m.From.IsZero() && w.of.Symbolic[m.Ref] != "":
		return w.r.LinkRef(m.Ref, w.of.Symbolic[m.Ref], m.To)
	}
	return w.r.UpdateRef(m.Ref, m.From, m.To)
}

func fileMode(r *repo.Repo) bool {
	return r.Config().Bool("core.filemode", filepath.Separator == '/')
}
