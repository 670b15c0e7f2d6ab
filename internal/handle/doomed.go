package handle

import (
	"cmp"
	"context"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/walk"
)

// Bounds of the search for ignored files that a command would take along. The vault has bounds of
// its own for what is copied, and names what is beyond them.
const (
	doomedTime  = 200 * time.Millisecond
	doomedFiles = 20_000
)

// doomed lists, relative to the work tree, the ignored credential files that go
// with the folders that a call deletes: "rm -rf config" takes config/.env along.
// "git clean -x" is about ignored files, so there it lists all of them. No snapshot
// holds them, since Git ignores them. What a build makes again is not looked through. complete is false when time or
// number ran out.
func (h *Handlers) doomed(ctx context.Context, r *repo.Repo, v *risk.Verdict) (paths []string, complete bool) {
	rules := h.Tables.Risks
	folders := emptied(r, v)
	if rules == nil || len(folders) == 0 {
		return nil, true
	}
	ctx, cancel := context.WithTimeout(ctx, doomedTime)
	defer cancel()
	ignored := Facts(r.WorkTree, nil).Ignored // under the lock: it is for one at a time
	complete = true
	only := rules.Sensitive
	if slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool { return hit.Rule.Operation == "clean" && hit.Rule.Action == risk.Ask }) {
		only = nil
	}
	var mu sync.Mutex
	sizes := map[string]int64{}
	for _, dir := range folders {
		stats, err := walk.Files(ctx, r.WorkTree, walk.Options{
			Below: dir,
			Skip:  rules.Rebuilt,
			Only:  only,
			Size:  func(string) bool { return true },
		}, func(f walk.File) {
			mu.Lock()
			defer mu.Unlock()
			_, known := sizes[f.Path]
			switch {
			case f.Path == ".moai/.gitignore" || strings.HasPrefix(f.Path, ".moai/checkpoints.log"): // moai makes them again
			case known || !ignored(filepath.Join(r.WorkTree, filepath.FromSlash(f.Path))):
			case len(sizes) == doomedFiles:
				complete = false
			default:
				sizes[f.Path] = f.Size
			}
		})
		complete = complete && err == nil && !stats.Cut
	}
	// Where the vault cannot take all, it takes credentials first, which are also what a message names, and then
	// small files: what people write is small, what programs write is big and can be made again.
	for p, size := range sizes {
		paths = append(paths, p)
		if rules.Sensitive(p) {
			sizes[p] = size - math.MaxInt32 // the vault takes no file of that size
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(sizes[a], sizes[b]), cmp.Compare(a, b)) })
	return paths, complete
}

// emptied lists the folders, relative to the work tree ("" is all of it), that a
// call deletes with what is in them, as far as they are inside it.
func emptied(r *repo.Repo, v *risk.Verdict) []string {
	var list []string
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Action == risk.Allow {
			continue
		}
		if hit.Rule.Operation == "clean" {
			return []string{""}
		}
		effect := hit.Rule.When.Effect
		if effect&(rule.Delete|rule.DeleteTree|rule.Move) == 0 {
			continue
		}
		for _, t := range hit.Targets {
			dir := t.Path
			if i := strings.IndexAny(t.Pattern, "*?["); i >= 0 {
				dir = filepath.Dir(t.Pattern[:i] + "x") // what it picks is somewhere below
			} else if effect&(rule.DeleteTree|rule.Move) == 0 && t.Class&rule.Unknown == 0 {
				continue // one file, and not the one that is meant
			}
			rel, err := filepath.Rel(r.WorkTree, dir)
			if info, bad := os.Lstat(dir); err != nil || bad != nil || !info.IsDir() || !filepath.IsLocal(rel) {
				continue
			}
			if rel = path.Clean(filepath.ToSlash(rel)); rel == "." {
				return []string{""}
			}
			if !t.Ignored { // the vault is asked for those as a whole
				list = append(list, rel)
			}
		}
	}
	return list
}
