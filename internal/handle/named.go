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
	if len(cp.gone)+len(cp.emptied)+len(cp.shifted)+len(cp.Inside) > 0 || cp.anew != "" || cp.refs || cp.drops || v.Untold {
		return nil, false
	}
	var targets []risk.Target
	index = cp.index
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
			return nil, false
		default:
			targets = append(targets, hit.Targets...)
		}
	}
	facts := ground.New(r.WorkTree, nil)
	for _, t := range slices.Concat(targets, v.Changed) {
		for _, full := range standsFor(facts, &t) {
			rel, err := filepath.Rel(r.WorkTree, filepath.Join(ground.Follow(filepath.Dir(full)), filepath.Base(full)))
			if rel = filepath.ToSlash(rel); rel == "." {
				return nil, false
			}
			_, gone := os.Lstat(full)
			if err != nil || !filepath.IsLocal(rel) || gone != nil || !heldAt(r, cp, rel) || slices.Contains(names, rel) {
				continue // of another repository, not there yet, or nothing that comes back
			}
			if names = append(names, rel); len(names) > maxWayNames {
				return nil, false
			}
		}
	}
	return names, index
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
