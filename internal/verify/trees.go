package verify

import (
	"iter"
	"path"

	"github.com/modu-ai/moai/internal/repo"
)

func commitTree(r *repo.Repo, commit string) (h repo.Hash) {
	if at, ok := repo.ParseHash(commit); ok {
		if c, err := r.Commit(at); err == nil {
			return c.Tree
		}
	}
	return h
}

// missing are the files below one folder of Git's that another one has not.
func missing(r *repo.Repo, known folders, from, to repo.Hash, dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		was, err := known.tree(r, from)
		now, other := known.tree(r, to)
		if from == to || err != nil || other != nil && !to.IsZero() {
			return
		}
		here := byName(now)
		for _, e := range was {
			is, there := here[e.Name]
			switch path := path.Join(dir, e.Name); {
			case e.Mode == repo.ModeDir:
				var below repo.Hash
				if there && is.Mode == repo.ModeDir {
					below = is.Hash
				}
				for one := range missing(r, known, e.Hash, below, path) {
					if !yield(one) {
						return
					}
				}
			case !there && e.Mode != repo.ModeGitlink:
				if !yield(path) {
					return
				}
			}
		}
	}
}

// put is a file of Git's that held something else before, or was not there.
type put struct {
	repo.TreeEntry
	had bool
}

// written are the files below one folder of Git's that hold something else in an earlier one, or are not in it.
func written(r *repo.Repo, seen folders, from, to repo.Hash, dir string) iter.Seq2[string, put] {
	return func(yield func(path string, one put) bool) {
		now, err := seen.tree(r, to)
		was, other := seen.tree(r, from)
		if from == to || err != nil || other != nil && !from.IsZero() {
			return
		}
		before := byName(was)
		for _, e := range now {
			old, there := before[e.Name]
			switch path := path.Join(dir, e.Name); {
			case there && old.Hash == e.Hash && old.Mode == e.Mode, e.Mode == repo.ModeGitlink:
			case e.Mode == repo.ModeDir:
				var below repo.Hash
				if there && old.Mode == repo.ModeDir {
					below = old.Hash
				}
				for path, one := range written(r, seen, below, e.Hash, path) {
					if !yield(path, one) {
						return
					}
				}
			case there && old.Hash == e.Hash && old.Mode^e.Mode == 0o111: // the mode alone
			case !yield(path, put{e, there && old.Mode != repo.ModeDir}):
				return
			}
		}
	}
}

func byName(list []repo.TreeEntry) map[string]repo.TreeEntry {
	names := make(map[string]repo.TreeEntry, len(list))
	for _, e := range list {
		names[e.Name] = e
	}
	return names
}
