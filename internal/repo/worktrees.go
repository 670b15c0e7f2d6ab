package repo

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// maxWorktrees bounds the linked work trees that are looked at.
const maxWorktrees = 1000

// CheckedOutElsewhere finds another work tree of the repository that stands on a branch, or that will go back to it when what is
// under way there ends: a rebase or a bisect, whose name is given then. Git refuses to put a second HEAD there, and to move the
// branch under the first one: its files would show the difference as changes of the user's. A work tree whose folder is gone
// counts until `git worktree prune`, as in git.
func (r *Repo) CheckedOutElsewhere(branch string) (workTree, operation string, found bool) {
	r.others(func(other *Repo, h *Head) bool {
		switch branch {
		case h.Branch:
			workTree, found = other.place(), true
		case h.Onto:
			workTree, operation, found = other.place(), h.Operation, true
		}
		return !found
	})
	return workTree, operation, found
}

// others goes through the other work trees of the repository until it is told not to go on.
func (r *Repo) others(more func(other *Repo, h *Head) bool) {
	dirs := []string{r.CommonDir}
	list, _ := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	for _, d := range list[:min(len(list), maxWorktrees)] {
		dirs = append(dirs, filepath.Join(r.CommonDir, "worktrees", d.Name()))
	}
	for _, dir := range dirs {
		// The main one of a bare repository has no files that could stay behind.
		if dir == r.GitDir || dir == r.CommonDir && r.local.Bool("core.bare", false) {
			continue
		}
		other := &Repo{GitDir: dir, CommonDir: r.CommonDir, hashSize: r.hashSize}
		if h, err := other.Head(); err == nil && !more(other, &h) { // else half a work tree, which git passes over, too
			return
		}
	}
}

// MovedBeneath says whether a branch that other work trees stand on was put elsewhere from outside of them: by their own logs each of
// them came to stand on the commit. Who moves it back there changes nothing of what they think they have checked out.
func (r *Repo) MovedBeneath(branch string, from Hash) bool {
	found, all := false, true
	r.others(func(other *Repo, h *Head) bool {
		if h.Branch == branch || h.Onto == branch {
			stood, ok := other.lastStood()
			found, all = true, ok && stood == from && h.Branch == branch && h.Operation == ""
		}
		return all
	})
	return found && all
}

// lastStood is the commit on which HEAD stood after the last move that its log knows of.
func (r *Repo) lastStood() (Hash, bool) {
	f, fi, err := disk.OpenPlain(filepath.Join(r.GitDir, "logs", "HEAD"))
	if err != nil {
		return Hash{}, false
	}
	defer f.Close()
	tail := make([]byte, min(fi.Size(), maxLogLine))
	if _, err := f.ReadAt(tail, fi.Size()-int64(len(tail))); err != nil {
		return Hash{}, false
	}
	text, ended := strings.CutSuffix(string(tail), "\n")
	at := strings.LastIndexByte(text, '\n')
	if !ended || at < 0 && int64(len(tail)) < fi.Size() {
		return Hash{}, false // half a line
	}
	words := strings.SplitN(text[at+1:], " ", 3)
	if len(words) < 3 {
		return Hash{}, false
	}
	return ParseHash(words[1])
}

// maxLogLine bounds what is read of the last line of a reflog.
const maxLogLine = 64 << 10

// NewerTree finds the work tree that stands on a branch if it was made after a moment, and nothing was done in it since that moved HEAD. A
// file that Git writes once, when it makes a work tree, says when that was.
func (r *Repo) NewerTree(branch string, than time.Time) (other *Repo, workTree string, ok bool) {
	place, operation, found := r.CheckedOutElsewhere(branch)
	if !found || operation != "" {
		return nil, "", false
	}
	other, err := Open(place)
	if err != nil || other.CommonDir != r.CommonDir || other.GitDir == r.CommonDir {
		return nil, "", false
	}
	if h, err := other.Head(); err != nil || h.Branch != branch || h.Operation != "" || !other.unmoved(h.Hash) {
		return nil, "", false
	}
	info, err := os.Lstat(filepath.Join(other.GitDir, "commondir"))
	if err != nil || !info.ModTime().After(than) {
		return nil, "", false
	}
	return other, place, true
}

// unmoved says whether HEAD has stood on one commit since its log begins.
func (r *Repo) unmoved(on Hash) bool {
	b, err := readSmall(filepath.Join(r.GitDir, "logs", "HEAD"))
	const enough = 4096 // git worktree add writes two lines
	if err != nil || len(b) == 0 || len(b) > enough {
		return false
	}
	for line := range strings.Lines(string(b)) {
		if words := strings.Fields(line); len(words) < 2 || words[1] != on.String() {
			return false
		}
	}
	return true
}

// place is the folder of a work tree, as far as its Git directory tells.
func (r *Repo) place() string {
	if r.GitDir == r.CommonDir {
		return strings.TrimSuffix(r.CommonDir, string(filepath.Separator)+".git")
	}
	at := filepath.FromSlash(r.stateLine("gitdir"))
	if !filepath.IsAbs(at) { // extensions.relativeWorktrees
		at = filepath.Join(r.GitDir, at)
	}
	return filepath.Dir(at)
}

// TreeOf is the folder of the work tree of that name, "" for the main one; "" where it is not this repository's, or not there.
func (r *Repo) TreeOf(name string) string {
	dir := r.CommonDir
	if name != "" {
		if dir = filepath.Join(r.CommonDir, "worktrees", name); filepath.Base(dir) != name {
			return ""
		}
	}
	if dir == r.GitDir {
		return r.WorkTree
	}
	if name == "" {
		return r.Main()
	}
	place := (&Repo{GitDir: dir, CommonDir: r.CommonDir}).place()
	// What a folder of settings says is not enough: another repository's work tree has its own copies.
	if other, err := Open(place); err != nil || other.GitDir != dir {
		return ""
	}
	return place
}

// Main is the folder of the main work tree, "" where the repository has none: a bare one, or one that is a submodule's.
func (r *Repo) Main() string {
	if filepath.Base(r.CommonDir) != ".git" || r.local.Bool("core.bare", false) {
		return ""
	}
	return filepath.Dir(r.CommonDir)
}

// Others lists the folders of the repository's other work trees that are there, the main one first, at most limit of them.
func (r *Repo) Others(limit int) []string {
	var places []string
	add := func(dir string) {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && len(places) < limit && !disk.Same(dir, r.WorkTree) {
			places = append(places, dir)
		}
	}
	if main := r.Main(); main != "" {
		add(main)
	}
	list, _ := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	for _, d := range list[:min(len(list), maxWorktrees)] {
		other := &Repo{GitDir: filepath.Join(r.CommonDir, "worktrees", d.Name()), CommonDir: r.CommonDir, hashSize: r.hashSize}
		if at := other.stateLine("gitdir"); at != "" {
			add(other.place())
		}
		if len(places) == limit {
			break
		}
	}
	return places
}
