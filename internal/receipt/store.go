package receipt

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// Keep is how long a receipt counts. What a test needs besides the files (libraries, services, the day) changes meanwhile.
const Keep = 14 * 24 * time.Hour

// Folder is where receipts lie, in the state folder of moai, a folder for each work tree; what is older than Keep may be removed.
const Folder = "receipts"

// Of is where the receipts of a work tree lie.
func Of(stateDir, workTree string) string {
	return filepath.Join(stateDir, Folder, state.ProjectKey(workTree))
}

func path(stateDir, workTree string, k Kind, tree string) string {
	return filepath.Join(Of(stateDir, workTree), string(k)+"-"+tree+".json")
}

// Find is the receipt of files, nil where there is none.
func Find(stateDir, workTree string, k Kind, tree string) *Receipt {
	if tree == "" {
		return nil
	}
	r := &Receipt{}
	if !state.Read(path(stateDir, workTree, k, tree), Keep, r) || r.Tree != tree {
		return nil
	}
	return r
}

// Put keeps a receipt, unless the one that is there says more.
func Put(stateDir, workTree string, r *Receipt) error {
	if r.Tree == "" {
		return nil
	}
	err := state.Update(path(stateDir, workTree, r.Kind, r.Tree), Keep, func(old *Receipt) bool {
		if old.Tree != "" && !old.yields(r) {
			return false
		}
		*old = *r
		return true
	})
	if err != nil {
		return fmt.Errorf("keep receipt: %w", err)
	}
	return nil
}

// maxListed bounds how many receipts of a work tree are read at once.
const maxListed = 500

// List are the receipts of a work tree, the newest first.
func List(stateDir, workTree string) (list []*Receipt) {
	dir := Of(stateDir, workTree)
	files := state.Files(dir)
	for _, e := range files[:min(len(files), maxListed)] {
		r := &Receipt{}
		if state.Read(filepath.Join(dir, e.Name()), Keep, r) && r.Tree != "" {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *Receipt) int { return b.At.Compare(a.At) })
	return list
}
