package handle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// maxWayNames is how many paths a printed way back names: more make a line that nobody reads.
const maxWayNames = 8

// wayNames lists the paths, relative to the work tree, that a line changes or takes away, where it says all of them: a way back that names them brings
// back those alone, also when somebody follows it days later. It is empty where a part of the call is not told by that. index says that what is staged has to come back, too.
func wayNames(r *repo.Repo, cp *shot, in *risk.Input, v *risk.Verdict) (names []string, index bool) {
	if len(cp.gone)+len(cp.emptied)+len(cp.shifted)+len(cp.Inside) > 0 || cp.anew != "" || cp.refs || cp.drops {
		return nil, false
	}
	paths, index, told := touches(r, in, v)
	if !told || len(paths) > maxWayNames {
		return nil, false
	}
	for _, rel := range paths {
		if _, err := os.Lstat(r.Path(rel)); err == nil && heldAt(r, cp, rel) {
			names = append(names, rel) // else it is not there yet, or nothing of it comes back
		}
	}
	return names, index && cp.index
}

// touches lists the paths of a work tree that a line changes or takes away, and whether it tells them all. index says that it changes what is staged as well.
func touches(r *repo.Repo, in *risk.Input, v *risk.Verdict) (paths []string, index, told bool) {
	var targets []risk.Target
	index = true
	for i := range v.Hits {
		hit := &v.Hits[i]
		switch {
		case hit.Action == risk.Allow || hit.Away || hit.OnlyReads():
		case len(hit.Named) > 0:
			for _, p := range hit.Named {
				targets = append(targets, risk.Target{Path: p})
			}
			if !hit.Staging && hit.Text == strings.TrimSpace(in.Command) {
				index = false
			}
		case hit.Rule.When.Effect == 0 || len(hit.Targets) == 0 || slices.ContainsFunc(hit.Targets, func(t risk.Target) bool { return t.Found() || t.Class&rule.Unknown != 0 }):
			return nil, false, false
		default:
			targets = append(targets, hit.Targets...)
		}
	}
	facts := ground.New(r.WorkTree, nil)
	for _, t := range slices.Concat(targets, v.Changed) {
		for _, full := range standsFor(facts, &t) {
			if at := filepath.Clean(filepath.FromSlash(in.Dir)); full == at || strings.HasPrefix(at, full+string(filepath.Separator)) {
				full = ground.Follow(full) // where a line works, links lead to the folder itself
			}
			rel, err := filepath.Rel(r.WorkTree, filepath.Join(ground.Follow(filepath.Dir(full)), filepath.Base(full)))
			if rel = filepath.ToSlash(rel); rel == "." {
				return nil, false, false
			}
			if err == nil && filepath.IsLocal(rel) && !slices.Contains(paths, rel) { // else it is of another repository
				paths = append(paths, rel)
			}
		}
	}
	return paths, index, !v.Untold
}

// standsFor lists what a target stands for: itself, the link that leads to it, what a pattern picks. Where that is too much to be named, it is the folder.
func standsFor(facts *ground.Facts, t *risk.Target) []string {
	if t.Pattern == "" {
		return slices.DeleteFunc([]string{t.Path, t.Through}, func(p string) bool { return !filepath.IsAbs(p) })
	}
	dir := filepath.Dir(t.Pattern[:strings.IndexAny(t.Pattern+"*", "*?[")] + "x")
	found, known := facts.Names(t.Pattern)
	if !known || len(found) > maxWayNames {
		return []string{dir}
	}
	slices.Sort(found)
	for i := range found {
		found[i] = filepath.Join(dir, found[i])
	}
	return found
}

// heldAt reports that a snapshot brings back something at or below a path.
func heldAt(r *repo.Repo, cp *shot, p string) bool {
	return checkpoint.Has(r, cp.Checkpoint, p) || newFolders(slices.Concat(cp.Vaulted, cp.Folders.Empty)).anyIn(p)
}

// asNamed are paths of the work tree as they are named where the user stands.
func (cp *shot) asNamed(paths []string) []string {
	words := make([]string, len(paths))
	for i, p := range paths {
		words[i] = cp.from(p)
	}
	return words
}
