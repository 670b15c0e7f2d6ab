package repo

import (
	"context"
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
	var stop atomic.Bool
	list, err := r.staged(ix, &stop)
	if err != nil {
		return false, err
	}
	var cmp *scan
	compared := 0
	for i := range list {
		p := &list[i]
		if p.entry < 0 || p.newMode == ModeGitlink || p.newMode == ModeDir || !below(p.path, paths) {
			continue
		}
		if cmp == nil {
			cmp = r.newComparison(ctx, ix, StatusOptions{Work: account, Wary: true})
		}
		if p.newHash == cmp.emptyBlob {
			continue
		}
		if compared++; compared > maxStagedOnly || !account.Take(costFile+work.Path(p.path)) {
			return true, nil
		}
		if only, err := cmp.stagedOnly(p, gone); only || err != nil {
			return only, err
		}
	}
	return false, nil
}

// stagedOnly compares one staged file with what is on disk.
func (s *scan) stagedOnly(p *pair, gone bool) (bool, error) {
	root, err := openRoot(s.r.WorkTree)
	if err != nil {
		return true, err
	}
	defer root.Close()
	var st disk.Stat
	if root.lstatName(p.path, &st) != opened {
		return true, nil // the index has the only copy
	}
	if gone {
		return false, nil
	}
	w := worker{scan: s}
	w.compare(p.entry, &st)
	return len(w.changed) > 0 || len(w.unreadable) > 0, nil
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
