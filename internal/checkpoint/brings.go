package checkpoint

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// Brings is what a restore makes where nothing was. The checkpoint that is taken before it holds what was there, and of nothing there is
// nothing to hold: so it names these, and when it is restored they go again, as far as they are still what came.
type Brings struct {
	Refs    []Pin    // references and stash entries
	Files   []string // from the vault
	Folders []string // empty ones
}

func (b *Brings) equal(c *Brings) bool {
	return slices.Equal(b.Refs, c.Refs) && slices.Equal(b.Files, c.Files) && slices.Equal(b.Folders, c.Folders)
}

// brings lists what a plan makes anew.
func (p *Plan) brings() (b Brings) {
	for _, m := range p.Refs {
		if m.other != nil {
			continue // no reference that could be deleted
		}
		if m.From.IsZero() && m.Ref != "HEAD" {
			b.Refs = append(b.Refs, Pin{m.Ref, m.To})
		}
	}
	for _, f := range p.Vault {
		if !slices.Contains(p.overwritten, f) {
			b.Files = append(b.Files, f)
		}
	}
	for _, c := range p.Folders {
		if c.Make {
			b.Folders = append(b.Folders, c.Path)
		}
	}
	return b
}

// goes is 1 for a reference that is deleted, else 0.
func (m RefMove) goes() int {
	if m.To.IsZero() && m.Ref != "HEAD" {
		return 1
	}
	return 0
}

// unbringRefs finds the references that the restore which is taken back has made. What has moved since is somebody's work.
func (p *Plan) unbringRefs(r *repo.Repo, head *repo.Head, have map[repo.Hash]bool) {
	if len(p.Paths) > 0 {
		return
	}
	stays := "refs/heads/" + head.Branch
	if slices.ContainsFunc(p.Refs, func(m RefMove) bool { return m.Ref == "HEAD" }) {
		stays = "refs/heads/" + p.Checkpoint.On
	}
	for _, pin := range p.Checkpoint.Brings.Refs {
		entry := strings.HasPrefix(pin.Ref, "stash@{")
		switch now, err := r.Resolve(pin.Ref); {
		case entry && !have[pin.Hash]:
		case !entry && (err != nil || !strings.HasPrefix(pin.Ref, "refs/") || strings.HasPrefix(pin.Ref, Hidden)):
		case !entry && now != pin.Hash:
			p.refBlocked = append(p.refBlocked, Skip{Path: pin.Ref, Why: "it came with the restore and has moved since; it stays"})
		case pin.Ref == stays && !p.Checkpoint.unborn():
			p.refBlocked = append(p.refBlocked, Skip{Path: pin.Ref, Why: "it came with the restore and is checked out; it stays"})
		case p.elsewhere(r, pin.Ref) != "":
			p.refBlocked = append(p.refBlocked, Skip{Path: pin.Ref, Why: "it is " + p.elsewhere(r, pin.Ref)})
		default:
			p.Refs = append(p.Refs, RefMove{Ref: pin.Ref, From: pin.Hash})
		}
	}
}

// unborn reports that HEAD stood on a branch without a commit.
func (c *Checkpoint) unborn() bool { return c.On != "" && c.Head.IsZero() }

// unbringFiles finds what came out of the vault and is still that. The vault of the safety checkpoint takes it first.
func (p *Plan) unbringFiles(r *repo.Repo, s *snapshot) {
	if len(p.Checkpoint.Brings.Files) == 0 {
		return
	}
	from, ok := p.undoes(r)
	if !ok {
		return
	}
	list, err := readVault(filepath.Join(vaultHome(r, p.Options.VaultDir), from.String()))
	if err != nil {
		return // pruning has removed the list since then, so it is unknown which files the restore brought
	}
	for _, f := range list {
		if !slices.Contains(p.Checkpoint.Brings.Files, f.Path) || !within(f.Path, p.Paths) || !safePath(f.Path) {
			continue
		}
		fi, err := lstat(r, f.Path)
		if err != nil || fi.IsDir() || fileSum(r.Path(f.Path), fi) != f.Sum+f.Link {
			continue
		}
		if now, err := lookup(s.readTree, s.tree, f.Path); err != nil || now.Mode != 0 {
			continue // it is no longer ignored, and so a file like others
		}
		p.unvault = append(p.unvault, f)
		p.overwritten = append(p.overwritten, f.Path)
	}
}

// undoes is the checkpoint whose restore is taken back.
func (p *Plan) undoes(r *repo.Repo) (repo.Hash, bool) {
	if !p.Checkpoint.putAside() {
		return repo.Hash{}, false
	}
	short := strings.TrimPrefix(p.Checkpoint.Command, restoreWords)
	h, err := r.Resolve(hiddenRefs + short)
	return h, err == nil && !strings.Contains(short, "/")
}

// unbringFolders finds the empty folders that came and are still empty.
func (p *Plan) unbringFolders(r *repo.Repo) {
	came := p.Checkpoint.Brings.Folders
	for _, path := range came {
		if !within(path, p.Paths) || !safePath(path) {
			continue
		}
		// A link is no folder, and is not followed.
		if fi, err := lstat(r, path); err != nil || !fi.IsDir() {
			continue
		}
		list, err := os.ReadDir(r.Path(path))
		if err == nil && !slices.ContainsFunc(list, func(d fs.DirEntry) bool { return !slices.Contains(came, path+"/"+d.Name()) }) {
			p.Folders = append(p.Folders, FolderChange{Path: path, Remove: true})
		}
	}
}

// unbring deletes what came out of the vault, and empty folders, with the folders above that are empty then.
func (w *restorer) unbring(p *Plan) {
	var emptied []string
	saved, _ := readVault(filepath.Join(vaultHome(w.r, p.Options.VaultDir), w.res.Safety.Commit.String()))
	for _, f := range p.unvault {
		name := filepath.FromSlash(f.Path)
		fi, err := w.root.Lstat(name)
		held := slices.ContainsFunc(saved, func(s vaultFile) bool { return s.Path == f.Path && s.Sum+s.Link == f.Sum+f.Link })
		switch {
		case disk.Absent(err):
			continue
		case err == nil && (!held || fileSum(w.r.Path(f.Path), fi) != f.Sum+f.Link):
			err = errMoved
		case err == nil:
			err = w.root.Remove(name)
		}
		if err != nil {
			w.res.Failed = append(w.res.Failed, Skip{Path: f.Path, Why: why(err)})
			continue
		}
		w.res.Deleted = append(w.res.Deleted, f.Path)
		emptied = append(emptied, parents(f.Path)...)
	}
	for _, c := range slices.Backward(p.Folders) {
		if c.Remove && w.root.Remove(filepath.FromSlash(c.Path)) == nil { // refused while something is in it
			w.res.Folders = append(w.res.Folders, c)
			emptied = append(emptied, parents(c.Path)...)
		}
	}
	w.removeEmpty(emptied)
}

// unstash takes an entry out of the stash, as `git stash drop` does.
func unstash(r *repo.Repo, h repo.Hash) error {
	now, err := r.Resolve("refs/stash")
	if err != nil {
		return err
	}
	last := false
	err = r.RewriteLog("refs/stash", now, func(log []byte) (out []byte, top repo.Hash) {
		out, top, last = lessEntry(log, h)
		return out, top
	})
	if err == nil && last {
		_, err = r.DeleteRefs([]repo.RefValue{{Name: "refs/stash", Hash: now}}, repo.PackedWait)
	}
	return err
}

// lessEntry is the log of the stash without the newest entry of a commit, and the entry that is on top then; last says that none is left.
func lessEntry(log []byte, h repo.Hash) (out []byte, top repo.Hash, last bool) {
	lines := slices.Collect(strings.Lines(string(log)))
	at := -1
	for i, line := range lines {
		if f := strings.SplitN(line, " ", 3); len(f) == 3 && f[1] == h.String() {
			at = i
		}
	}
	if at < 0 {
		return nil, repo.Hash{}, false
	}
	if len(lines) == 1 {
		return nil, repo.Hash{}, true
	}
	if at+1 < len(lines) { // each line begins with what the one before it says
		old, _, _ := strings.Cut(lines[at], " ")
		_, rest, _ := strings.Cut(lines[at+1], " ")
		lines[at+1] = old + " " + rest
	}
	lines = slices.Delete(lines, at, at+1)
	f := strings.SplitN(lines[len(lines)-1], " ", 3)
	top, ok := repo.ParseHash(f[min(1, len(f)-1)])
	if !ok {
		return nil, repo.Hash{}, false
	}
	return []byte(strings.Join(lines, "")), top, false
}
