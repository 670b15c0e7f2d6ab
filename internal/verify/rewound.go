package verify

import (
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// Git can put old code in the place of new: a file of another commit (git checkout HEAD~1 -- a.go), or a branch that goes back (git reset --hard
// HEAD~1). What HEAD had is nobody's work; what comes from elsewhere takes something away on which people rely, such as the mend of a hole.

// Other reports a file, absolute, that holds neither what the commit before a command has nor what the one at the session's start has, nor is
// clean by the commit of now: a switch of branches or a pull has not brought it.
func (p *Picture) Other(r *repo.Repo, s *State, before *Picture, path string) bool {
	in, local := Shown([]string{p.Tree}, path)
	if _, shown := p.Files[in]; !local || !shown {
		return false
	}
	for _, commit := range []string{before.Head, s.Head} {
		if blob, known := (folders{}).blob(r, commit, in); known && (&content{blob: blob}).in(r, path) {
			return false
		}
	}
	return true
}

// Rewound lists the files, absolute, that hold something else, or are gone, since a command took the branch back to a commit before the last one
// that is older than the session. Commits that the session made are its own to take back.
func (p *Picture) Rewound(r *repo.Repo, before *Picture, began time.Time) (files []string) {
	if p.Tree != before.Tree || p.Branch == "" || p.Branch != before.Branch || p.Head == before.Head || p.Partial {
		return nil
	}
	from, ok := older(r, before.Head, began)
	to, known := repo.ParseHash(p.Head)
	if !ok || !known || from == to || !ancestor(r, to, from) {
		return nil
	}
	seen, was, is := folders{}, commitTree(r, from.String()), commitTree(r, p.Head)
	for path := range written(r, seen, was, is, "") {
		if _, shown := p.Files[path]; !shown && exists(r.Path(path)) && len(files) < maxChanges {
			files = append(files, r.Path(path))
		}
	}
	for path := range missing(r, seen, was, is, "") {
		if _, shown := before.Files[path]; !shown && !exists(r.Path(path)) && len(files) < maxChanges {
			files = append(files, r.Path(path))
		}
	}
	return files
}

// older is the commit itself, or the next one before it, by first parents, that was not made since.
func older(r *repo.Repo, head string, since time.Time) (repo.Hash, bool) {
	at, ok := repo.ParseHash(head)
	for range maxCommits {
		c, err := r.Commit(at)
		if !ok || err != nil {
			return at, false
		}
		if since.IsZero() || c.Time.Before(since.Truncate(time.Second)) {
			return at, true
		}
		if ok = len(c.Parents) > 0; ok {
			at = c.Parents[0]
		}
	}
	return at, false
}

// ancestor reports that one commit leads back to another. Commits older than that are not followed: of a pull, none is.
func ancestor(r *repo.Repo, old, from repo.Hash) bool {
	goal, err := r.Commit(old)
	if err != nil {
		return false
	}
	known, next := map[repo.Hash]bool{from: true}, []repo.Hash{from}
	for len(next) > 0 && len(known) < maxCommits {
		at := next[0]
		if next = next[1:]; at == old {
			return true
		}
		c, err := r.Commit(at)
		if err != nil || c.Time.Before(goal.Time) {
			continue
		}
		for _, parent := range c.Parents {
			if !known[parent] {
				known[parent] = true
				next = append(next, parent)
			}
		}
	}
	return false
}
