package repo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// maxWorktrees bounds the linked work trees that are looked at.
const maxWorktrees = 1000

// CheckedOutElsewhere finds another work tree of the repository that stands on a branch, or that will go back to it when what is
// under way there ends: a rebase or a bisect, whose name is given then. Git refuses to put a second HEAD there, and to move the
// branch under the first one: its files would show the difference as changes of the user's. A work tree whose folder is gone
// counts until `git worktree prune`, as in git. Those named in but are about to leave.
func (r *Repo) CheckedOutElsewhere(branch string, but ...string) (workTree, operation string, found bool) {
	r.others(func(t *LinkedTree) bool {
		switch {
		case t.bare, slices.Contains(but, t.Name):
		case branch == t.Head.Branch:
			workTree, found = t.Dir, true
		case branch == t.Head.Onto:
			workTree, operation, found = t.Dir, t.Head.Operation, true
		}
		return !found
	})
	return workTree, operation, found
}

// Beside lists the other work trees of the repository, the main one among them, also where that is bare: it has no files, but a HEAD.
func (r *Repo) Beside() (list []LinkedTree) {
	r.others(func(t *LinkedTree) bool {
		list = append(list, *t)
		return true
	})
	return list
}

// others goes through the other work trees of the repository until it is told not to go on.
func (r *Repo) others(more func(t *LinkedTree) bool) {
	names := []string{""}
	list, _ := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	for _, d := range list[:min(len(list), maxWorktrees)] {
		names = append(names, d.Name())
	}
	for _, name := range names {
		dir := r.CommonDir
		if name != "" {
			dir = filepath.Join(r.CommonDir, "worktrees", name)
		}
		if dir == r.GitDir {
			continue
		}
		at := &Repo{GitDir: dir, CommonDir: r.CommonDir, hashSize: r.hashSize}
		h, err := at.Head()
		if err != nil {
			continue // half a work tree, which git passes over, too
		}
		if !more(&LinkedTree{Name: name, Dir: at.place(), Head: h, At: at, bare: name == "" && r.local.Bool("core.bare", false)}) {
			return
		}
	}
}

// MovedBeneath says whether a branch that other work trees stand on was put elsewhere from outside of them: by their own logs each of
// them came to stand on the commit. Who moves it back there changes nothing of what they think they have checked out.
func (r *Repo) MovedBeneath(branch string, from Hash) bool {
	found, all := false, true
	r.others(func(t *LinkedTree) bool {
		if h := &t.Head; !t.bare && (h.Branch == branch || h.Onto == branch) {
			stood, ok := t.At.lastStood()
			found, all = true, ok && stood.on == from && h.Branch == branch && h.Operation == ""
		}
		return all
	})
	return found && all
}

// Stays says whether no checkout and no commit was made in a work tree since a moment at which it stood on a commit. Its files are those of
// that commit then, wherever its HEAD points by now: a branch may have been renamed, or its HEAD set from outside.
func (t *LinkedTree) Stays(on Hash, since time.Time) bool {
	if t.bare {
		return true // without files
	}
	if t.Head.Operation != "" {
		return false
	}
	stood, ok := t.At.lastStood()
	if ok && stood.ours && stood.from == on {
		return true // what moai did is taken back
	}
	return ok && stood.on == on && (stood.beside || !stood.logged.After(since))
}

// standing is what the log of a HEAD says last.
type standing struct {
	from, on Hash
	logged   time.Time // when the log was written
	beside   bool      // not by a checkout or a commit: a rename of the branch, a HEAD that was set by hand, moai
	ours     bool      // moai's own
}

// renamed begins what git writes into the log of each HEAD whose branch gets another name.
const renamed = "Branch: renamed "

// lastStood is the commit that the files came to be of with the last move of HEAD that its log knows of.
func (r *Repo) lastStood() (s standing, ok bool) {
	f, fi, err := disk.OpenPlain(filepath.Join(r.GitDir, "logs", "HEAD"))
	if err != nil {
		return s, false
	}
	defer f.Close()
	tail := make([]byte, min(fi.Size(), maxLogLine))
	if _, err := f.ReadAt(tail, fi.Size()-int64(len(tail))); err != nil {
		return s, false
	}
	text, ended := strings.CutSuffix(string(tail), "\n")
	at := strings.LastIndexByte(text, '\n')
	if !ended || at < 0 && int64(len(tail)) < fi.Size() {
		return s, false // half a line
	}
	words := strings.SplitN(text[at+1:], " ", 3)
	if len(words) < 3 {
		return s, false
	}
	_, why, _ := strings.Cut(words[2], "\t")
	s.logged, s.ours = fi.ModTime(), strings.HasPrefix(words[2], logAuthor)
	s.beside = s.ours || why == "" || strings.HasPrefix(why, renamed)
	s.from, _ = ParseHash(words[0])
	if s.on, ok = ParseHash(words[1]); why == "" {
		s.on = s.from // symbolic-ref and update-ref give no reason, and leave the files as they were
	}
	return s, ok
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
