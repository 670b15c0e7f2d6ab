package checkpoint

import (
	"slices"

	"github.com/modu-ai/moai/internal/repo"
)

// retree gives a tree with some paths changed, reading only the directories on the way to them.
func retree(w *repo.ObjectWriter, read treeReader, size int, tree repo.Hash, e *edits) (repo.Hash, error) {
	h, _, err := retreeDir(w, read, size, tree, e, true)
	return h, err
}

func retreeDir(w *repo.ObjectWriter, read treeReader, size int, tree repo.Hash, e *edits, root bool) (repo.Hash, bool, error) {
	var old []repo.TreeEntry
	if !tree.IsZero() {
		var err error
		if old, err = read(tree); err != nil {
			return tree, false, err
		}
	}
	// Without room: what is appended must not write into the tree that was read.
	out := old[:0:0]
	// What an edit names is dropped here and added again below, with what it is now.
	subs := map[string]repo.Hash{}
	for _, t := range old {
		if e.subs[t.Name] == nil {
			out = append(out, t)
		} else if t.Mode == repo.ModeDir {
			subs[t.Name] = t.Hash
		}
	}
	for name, sub := range e.subs {
		// A file takes the whole name, whatever was below it.
		if sub.side != nil && sub.side.Mode != 0 {
			out = append(out, repo.TreeEntry{Mode: sub.side.Mode, Name: name, Hash: sub.side.Hash})
			continue
		}
		h, some, err := retreeDir(w, read, size, subs[name], sub, false)
		if err != nil {
			return h, false, err
		}
		if some {
			out = append(out, repo.TreeEntry{Mode: repo.ModeDir, Name: name, Hash: h})
		}
	}
	// As everywhere in git, an empty directory is no directory.
	if len(out) == 0 && !root {
		return repo.Hash{}, false, nil
	}
	slices.SortFunc(out, repo.CompareTree)
	h, err := w.Add(repo.KindTree, repo.AppendTree(size, nil, out))
	return h, len(out) > 0, err
}
