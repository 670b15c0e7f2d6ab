package handle

import (
	"cmp"
	"context"
	"iter"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/ground"
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
	doomedDepth = 2048 // a path that is deeper cannot be opened
)

// doomed lists, relative to the work tree, the ignored files, and empty folders with a slash, that go with the folders that a call deletes: "rm -rf config" takes
// config/.env along, and "git clean -x" is about ignored files. No snapshot holds them, since Git ignores them. Of what a build makes
// again only credentials are listed, as far as people keep them there. repos are repositories in those folders, of which no status says a word where they
// are ignored or lie among tracked files. sure tells those apart that only may go: what of them is too much is named, and not asked about. complete is false when time or number ran out.
func (h *Handlers) doomed(ctx context.Context, r *repo.Repo, in *risk.Input, v *risk.Verdict) (paths, repos []string, sure func(string) bool, complete bool) {
	rules := h.Tables.Risks
	all, goes, over := cleansIgnored(v) || goesWhole(r, v), alsoAs(in, pickers(v), (*risk.Target).Picks), alsoAs(in, writes(v), (*risk.Target).Fits)
	picked := func(p string) bool { return goes(p) || over(p) }
	folders, whole := emptied(r, v)
	unfilled := unfilledSubmodules(r, in, v)
	folders = append(folders, unfilled...)
	cleared := func(p string) bool {
		return slices.ContainsFunc(unfilled, func(dir string) bool { return strings.HasPrefix(p, dir+"/") })
	}
	if rules == nil || len(folders)+len(whole) == 0 {
		return nil, nil, func(string) bool { return true }, true
	}
	ctx, cancel := context.WithTimeout(ctx, doomedTime)
	defer cancel()
	facts := ground.New(r.WorkTree, nil)
	ignored := facts.Ignored // under the lock: it is for one at a time
	complete = true
	var mu sync.Mutex
	sizes := map[string]int64{}
	var made []string // folders that a build makes again
	tracked := func(string) bool { return false }
	if onlyBrings(v) { // all of the tree is looked at: what Git has needs no look at its rules
		if ix, err := r.Index(); err == nil {
			tracked = func(p string) bool { _, found := ix.Find(p); return found }
		}
	}
	remade := h.remade(r)
	found := func(p string, size int64) {
		full := filepath.Join(r.WorkTree, filepath.FromSlash(p))
		_, known := sizes[p]
		switch {
		case known, tracked(p), !all && !rules.Sensitive(p) && !picked(full) && !cleared(p): // another one, or Git has it
		case remade(p) && !rules.Sensitive(p) || !ignored(full):
		case len(sizes) == doomedFiles:
			complete = false
		default:
			sizes[p] = size
		}
	}
	options := walk.Options{
		Depth: doomedDepth,
		Skip:  remade,
		Skipped: func(dir string) {
			mu.Lock()
			defer mu.Unlock()
			made = append(made, dir)
		},
		Size:  func(string) bool { return true },
		Links: true,
		Empty: func(dir string) {
			mu.Lock()
			defer mu.Unlock()
			found(dir, 0)
		},
		Git: func(dir string) {
			mu.Lock()
			defer mu.Unlock()
			if dir != "" && len(repos) < maxInside {
				repos = append(repos, strings.TrimSuffix(dir, "/"))
			}
		},
	}
	for i, dir := range slices.Concat(folders, whole) {
		if options.Below = dir; remade(dir) {
			made = append(made, dir)
			continue
		}
		if i >= len(folders) { // the vault is asked for those as a whole
			options.Only, options.Empty = func(name string) bool { return name == ".git" }, nil // work trees among it are repositories
		}
		stats, err := walk.Files(ctx, r.WorkTree, options, func(f walk.File) {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case path.Base(f.Path) == ".git": // of a submodule, or of a linked work tree
				if dir := path.Dir(f.Path); dir != "." && len(repos) < maxInside {
					repos = append(repos, dir)
				}
			case moaisOwn(f.Path): // moai makes them again
			default:
				found(f.Path, f.Size)
			}
		})
		complete = complete && err == nil && !stats.Cut
	}
	slices.Sort(made)
	made = slices.Compact(made)
	for p, size := range treasures(ctx, r.WorkTree, rules, made, ground.MaxTreasures) {
		found(p, size)
	}
	for _, dir := range made {
		rel := func(p string) string {
			return filepath.ToSlash(strings.TrimPrefix(p[len(r.WorkTree):], string(filepath.Separator)))
		}
		for _, p := range facts.Inner(r.Path(dir), maxInside-len(repos), func(p string) bool { return rules.Enters(rel(p)) }, takesAlong(in, v)) {
			repos = append(repos, rel(p))
		}
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
	slices.Sort(repos)
	certain := alsoAs(in, pickers(v), func(t *risk.Target, p string) bool { return t.Sure() && t.Picks(p) })
	sure = func(p string) bool {
		_, found := sizes[p]
		full := filepath.Join(r.WorkTree, filepath.FromSlash(p))
		return all || !found || rules.Sensitive(p) || certain(full) || over(full) || cleared(p)
	}
	return paths, slices.Compact(repos), sure, complete
}

// remade reports a path, relative to the work tree, that a build or a package manager makes again.
func (h *Handlers) remade(r *repo.Repo) func(p string) bool {
	rules := h.Tables.Risks
	there := func(p string) bool {
		_, err := os.Lstat(r.Path(p))
		return err == nil
	}
	return func(p string) bool { return rules.Rebuilt(p) || rules.Refilled(p, there) }
}

// moaisOwn reports a file that moai keeps in a repository, or in one inside it.
func moaisOwn(p string) bool {
	dir, name := path.Split(p)
	return path.Base(dir) == ".moai" && (name == ".gitignore" || strings.HasPrefix(name, "checkpoints.log"))
}

// treasures finds the credentials in folders that a build makes again, as far as somebody may keep them there, among so many names at most.
func treasures(ctx context.Context, root string, rules *risk.Set, made []string, most int) iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		rel := func(p string) string {
			return filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(p, root), string(filepath.Separator)))
		}
		take := func(int) bool { return ctx.Err() == nil }
		for _, dir := range made {
			seen := 0
			count := func(p string) bool { seen++; return rules.Hoard(rel(p)) }
			is := func(p string) bool { seen++; return rules.Treasure(rel(p)) || rules.Laid(rel(p), dir) }
			for _, p := range ground.Treasures(filepath.Join(root, filepath.FromSlash(dir)), most, count, is, take) {
				size := int64(0)
				if info, err := os.Lstat(p); err == nil {
					size = info.Size()
				}
				if !yield(rel(p), size) {
					return
				}
			}
			if most -= seen; most <= 0 {
				return
			}
		}
	}
}

// maxInside bounds the repositories that are listed of folders that go.
const maxInside = 100

// emptied lists the folders, relative to the work tree ("" is all of it), that a
// call deletes with what is in them, as far as they are inside it. whole are those that Git ignores as they are.
func emptied(r *repo.Repo, v *risk.Verdict) (list, whole []string) {
	if v.Unignores && cleansIgnored(v) || goesWhole(r, v) {
		return []string{""}, nil
	}
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Action == risk.Allow {
			continue
		}
		if hit.Rule.Operation == "clean" || hit.Rule.Operation == "stash-all" {
			if cleansIgnored(v) {
				return []string{""}, nil
			}
			continue
		}
		effect := hit.Rule.When.Effect
		if effect != 0 && effect&(rule.Delete|rule.DeleteTree|rule.Move|rule.Write) == 0 {
			continue
		}
		for _, t := range hit.Targets {
			dir := t.Path
			if i := strings.IndexAny(t.Pattern, "*?["); i >= 0 {
				dir = filepath.Dir(t.Pattern[:i] + "x") // what it picks is somewhere below
			} else if !t.Found() && (effect&(rule.DeleteTree|rule.Move) == 0 && t.Class&rule.Unknown == 0 || effect&(rule.Delete|rule.DeleteTree|rule.Move) == 0) {
				continue // one file, and not the one that is meant
			}
			if t.Found() && !filepath.IsAbs(dir) {
				dir = r.WorkTree
			} else if t.Pattern != "" || t.Found() {
				dir = ground.Follow(dir) // what goes is in the folder, also where the session knows it by a link
			}
			rel, err := filepath.Rel(r.WorkTree, dir)
			if info, bad := os.Lstat(dir); err != nil || bad != nil || !info.IsDir() || !filepath.IsLocal(rel) {
				continue
			}
			if rel = path.Clean(filepath.ToSlash(rel)); rel == "." {
				return []string{""}, nil
			}
			if t.Ignored {
				whole = append(whole, rel)
			} else {
				list = append(list, rel)
			}
		}
	}
	return list, whole
}

// cleansIgnored reports a `git clean` with -x, or a `git stash -a`; any other leaves alone what is ignored, but for what is not ignored any more when it
// runs. The same holds for what is handed to Git first and thrown away behind.
func cleansIgnored(v *risk.Verdict) bool {
	if v.Unignores && (v.Adds || hasOperation(v, "clean")) {
		return true
	}
	return slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Rule.Operation == "clean" && hit.Rule.Action == risk.Ask || hit.Rule.Operation == "stash-all"
	})
}

// goesWhole reports a linked work tree that Git deletes.
func goesWhole(r *repo.Repo, v *risk.Verdict) bool {
	return slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Rule.Operation == "worktree" && slices.ContainsFunc(hit.Targets, func(t risk.Target) bool { return t.Path == r.WorkTree })
	})
}

// pickers lists the targets that say which files go.
func pickers(v *risk.Verdict) (list []*risk.Target) {
	list = deletes(v)
	for i := range v.Hits {
		for j := range v.Hits[i].Targets {
			if t := &v.Hits[i].Targets[j]; t.Found() && v.Hits[i].Action != risk.Allow && !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	return list
}

// writes lists the patterns of files that a call writes over.
func writes(v *risk.Verdict) (list []*risk.Target) {
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Rule.When.Effect&rule.Write == 0 || hit.Action == risk.Allow {
			continue
		}
		for j := range hit.Targets {
			if t := &hit.Targets[j]; !t.Found() && t.Pattern != "" {
				list = append(list, t)
			}
		}
	}
	return list
}
