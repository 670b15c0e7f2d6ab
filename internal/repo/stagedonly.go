package repo

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// maxStagedOnly bounds the staged files that are compared with their files. More of them are worth a snapshot whatever is in them.
const maxStagedOnly = 1000

// StagedOnly reports that the index holds content which neither HEAD nor the file has: once it is taken out of the index, only a
// blob without a name is left of it. With gone, only content whose file is no longer there counts. Only what is at or below paths counts, relative to the work tree and slashed; without paths,
// all does. What has to be read is charged to account; past it the answer is yes.
func (r *Repo) StagedOnly(ctx context.Context, ix *Index, paths []string, gone bool, account *work.Account) (bool, error) {
	if gone && r.allThere(ix, paths, account) {
		return false, nil
	}
	var stop atomic.Bool
	list, err := r.staged(ix, &stop, func(n int) bool { return account.Take(n * work.Name) })
	if err != nil {
		return false, err
	}
	var cmp *scan
	emptyBlob := hashBlob(nil, ix.hashSize)
	compared := 0
	for i := range list {
		p := &list[i]
		if p.entry < 0 || p.newMode == ModeGitlink || p.newMode == ModeDir || !below(p.path, paths) {
			continue
		}
		if p.newHash == emptyBlob {
			continue
		}
		if compared++; compared > maxStagedOnly || !account.Take(costFile+work.Path(p.path)) {
			return true, nil
		}
		st, there, err := r.lookStaged(p)
		if err != nil || !there {
			return true, err // the index has the only copy
		}
		if gone {
			continue
		}
		if cmp == nil {
			cmp = r.newComparison(ctx, ix, StatusOptions{Work: account, Wary: true})
		}
		w := worker{scan: cmp}
		if w.compare(p.entry, &st); len(w.changed) > 0 || len(w.unreadable) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// StagedAny reports that a path which is says is staged: the index has it otherwise than HEAD, or has it no more.
func (r *Repo) StagedAny(ix *Index, is func(path string) bool, account *work.Account) (bool, error) {
	var stop atomic.Bool
	list, err := r.staged(ix, &stop, func(n int) bool { return account.Take(n * work.Name) })
	return slices.ContainsFunc(list, func(p pair) bool { return is(p.path) }), err
}

// allThere says whether each of some paths is a file and none was a folder before, so that no file below them can be gone. It is
// what most lines name, and saves the look at what HEAD holds.
func (r *Repo) allThere(ix *Index, paths []string, account *work.Account) bool {
	if len(paths) == 0 {
		return false
	}
	root, err := openRoot(r.WorkTree)
	if err != nil {
		return false
	}
	defer root.Close()
	for _, p := range paths {
		var st disk.Stat
		if !account.Take(work.Path(p)) || root.lstatName(p, &st) != opened || st.IsDir() {
			return false
		}
		if at, _ := ix.Find(p + "/"); at < ix.Len() && strings.HasPrefix(ix.Path(at), p+"/") {
			return false
		}
	}
	return true
}

// lookStaged looks for the file of what is staged.
func (r *Repo) lookStaged(p *pair) (st disk.Stat, there bool, err error) {
	root, err := openRoot(r.WorkTree)
	if err != nil {
		return st, false, err
	}
	defer root.Close()
	return st, root.lstatName(p.path, &st) == opened, nil
}

// below says whether path is at or below one of paths; without any it is.
func below(path string, paths []string) bool {
	if len(paths) == 0 {
		return true
	}
	for _, p := range paths {
		if p == "." || path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}
