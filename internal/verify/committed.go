package verify

import (
	"cmp"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// maxCommits is how many commits one command is followed through.
const maxCommits = 2000

// Committed lists the files, absolute, that a command changed and committed at once, which no status shows: those that the
// commits of now and then do not share, where all that HEAD moved by are commits made since. What a pull, a merge or another
// branch brings is nobody's work here.
func (p *Picture) Committed(r *repo.Repo, before *Picture) (files []string) {
	if p.Head == before.Head || p.Head == "" || before.Head == "" || p.Tree != before.Tree {
		return nil
	}
	since := before.At.Truncate(time.Second) // as commits have it
	if !made(r, p.Head, before.Head, since) {
		return nil
	}
	seen, whole := folders{}, !before.Partial && before.Rest == 0
	for path, one := range written(r, seen, commitTree(r, before.Head), commitTree(r, p.Head), "") {
		if _, shown := p.Files[path]; shown || len(files) == maxChanges {
			continue
		}
		was, shown := before.Files[path]
		if shown && stamp(r.Path(path), was.Sum != "").same(was) {
			continue // changed before, and committed now
		}
		// A new file that a whole picture did not show is written by the command, or Git ignored it: the command brings it into the repository.
		if one.had || shown || whole || !before.untouched(r.Path(path)) {
			files = append(files, filepath.Join(p.Tree, filepath.FromSlash(path)))
		}
	}
	return append(files, p.removed(r, before)...)
}

// removed lists the files that are gone from the disk and from the commits made since.
func (p *Picture) removed(r *repo.Repo, before *Picture) (files []string) {
	for path := range missing(r, folders{}, commitTree(r, before.Head), commitTree(r, p.Head), "") {
		_, shown := before.Files[path] // changed or taken away before
		if full := r.Path(path); !shown && (!exists(full) || byLink(full)) && len(files) < maxChanges {
			files = append(files, full)
		}
	}
	return files
}

// HadAtStart reports a file, absolute, that is gone and that a commit from before the session has.
func (p *Picture) HadAtStart(r *repo.Repo, s *State, before *Picture, path string) bool {
	in, local := Shown([]string{p.Tree}, path)
	if !local || exists(path) {
		return false
	}
	_, had := folders{}.blob(r, cmp.Or(s.Head, before.Head), in)
	return had
}

// Back reports a file, absolute, that differs from the picture before, and holds what a commit has that the session has not made: its
// changes were set aside or taken back, or another branch was checked out. began is when the session did: a commit of its first call is its own.
func (p *Picture) Back(r *repo.Repo, s *State, began time.Time, path string) bool {
	in, local := Shown([]string{p.Tree}, path)
	if _, shown := p.Files[in]; !local || shown || p.Head == "" || !exists(path) {
		return false
	}
	if s.Head == "" { // it has changed nothing yet
		return true
	}
	if at, ok := repo.ParseHash(p.Head); ok {
		if c, err := r.Commit(at); err == nil && c.Time.Before(began.Truncate(time.Second)) {
			return true
		}
	}
	was, there := folders{}.blob(r, s.Head, in)
	now, is := folders{}.blob(r, p.Head, in)
	return there && is && was == now
}

// coarse is how far the clock of files may be behind that of programs: kernels stamp files by their ticks.
const coarse = 20 * time.Millisecond

// made reports that commits with one parent each, made since then, lead from one to the other. The last one may have taken
// the place of the other (git commit --amend).
func made(r *repo.Repo, head, from string, since time.Time) bool {
	old, ok := repo.ParseHash(from)
	if !ok {
		return false
	}
	base, err := r.Commit(old)
	if err != nil {
		return false
	}
	at, ok := repo.ParseHash(head)
	for range maxCommits {
		if !ok {
			return false
		}
		c, err := r.Commit(at)
		if err != nil || len(c.Parents) != 1 || c.Time.Before(since) {
			return false
		}
		at = c.Parents[0]
		if at == old || len(base.Parents) == 1 && at == base.Parents[0] {
			return true
		}
	}
	return false
}
