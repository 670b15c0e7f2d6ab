package handle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// inDanger tells which of the files that a snapshot leaves out a call would destroy:
// those at and below its targets; without targets, untracked ones where it cleans, and
// tracked ones where it writes the work tree anew.
func inDanger(r *repo.Repo, v *risk.Verdict) func(checkpoint.Skip) bool {
	var below []string
	var cleans [][]string // what each call of git clean leaves alone that goes over all
	some := false         // the call may take untracked files without naming them; calls of Git without targets do not
	tracked, untracked := false, false
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Action == risk.Allow || hit.OnlyReads() {
			continue
		}
		if hit.Rule.Operation == "clean" {
			if named := within(r, hit.Named); len(named) > 0 && len(named) == len(hit.Named) {
				below = append(below, named...) // it goes over nothing else
			} else {
				cleans = append(cleans, hit.Spared)
			}
		} else if len(hit.Targets) == 0 {
			some = some || hit.Rule.Pins == 0
			tracked, untracked = true, untracked || v.Adds && !hit.Rule.Adds && !hit.Rule.Aside // Git keeps what is there where it only brings commits, and the stash has what it took
		}
		for _, t := range hit.Targets {
			if mayBring(hit, &t) {
				continue // Git itself writes over nothing else
			}
			if t.Pattern != "" {
				t.Path, some = t.Pattern, true
			}
			if rel, err := filepath.Rel(r.WorkTree, t.Path); err == nil && (filepath.IsLocal(rel) || strings.HasPrefix(rel, "..")) {
				below = append(below, filepath.ToSlash(rel))
			} else {
				some = true
			}
		}
	}
	to := newReach(below)
	return func(k checkpoint.Skip) bool {
		if k.Path == "/" && !k.Broken { // some untracked files were left out, and it is not known which
			return untracked || some || len(cleans) > 0 || !trackedFiles(r, below)
		}
		cleaned := slices.ContainsFunc(cleans, func(names []string) bool { return !sparedBy(names, k.Path) })
		listed := !k.Unlisted && (k.Tracked && tracked || !k.Tracked && (untracked || cleaned))
		return k.Broken || listed || to.takes(k.Path)
	}
}

// sparedBy reports a file that one of some plain patterns of Git's keeps out: one with a slash in it begins at the top of the work tree.
func sparedBy(names []string, file string) bool {
	parts := strings.Split(strings.TrimSuffix(file, "/"), "/")
	return slices.ContainsFunc(names, func(name string) bool {
		name = strings.TrimSuffix(name, "/")
		if top := strings.TrimPrefix(name, "/"); strings.Contains(name, "/") {
			return strings.HasPrefix(file+"/", top+"/")
		}
		return slices.Contains(parts, name)
	})
}

// trackedFiles reports that paths of the work tree are files that the index has, so that nothing untracked is below them.
func trackedFiles(r *repo.Repo, list []string) bool {
	if len(list) == 0 {
		return true
	}
	ix, err := r.IndexAbout(nil, list...)
	return err == nil && !slices.ContainsFunc(list, func(p string) bool {
		_, tracked := ix.Find(p)
		info, err := os.Lstat(r.Path(p))
		return !tracked || err == nil && info.IsDir()
	})
}

// onlyRepositories reports a snapshot in which nothing differs but repositories inside that Git does not know, of which it has no more than the commits
// they stand on.
func onlyRepositories(r *repo.Repo, cp *checkpoint.Checkpoint, v *risk.Verdict) bool {
	own := slices.DeleteFunc(slices.Clone(cp.Nested), func(dir string) bool {
		side, err := cp.StagedAt(r, dir)
		return err != nil || side.Mode != 0
	})
	beside := slices.ContainsFunc(cp.Inside, func(in checkpoint.Inner) bool { return !slices.Contains(own, in.Path) })
	return len(own) > 0 && len(own) == cp.Stats.Files() && !cp.Staged && !beside && v.Pins&^rule.PinNone == 0 && len(cp.Vaulted)+len(cp.Folders.Empty) == 0
}

// holdsNothing reports that all that a call destroys is what the snapshot leaves out, so that a way back would be a false promise.
func holdsNothing(r *repo.Repo, cp *checkpoint.Checkpoint, v *risk.Verdict) bool {
	if len(cp.Lost) == 0 || v.Pins&^rule.PinNone != 0 {
		return false
	}
	beside := slices.Concat(cp.Vaulted, cp.Folders.Empty)
	for _, in := range cp.Inside {
		beside = append(beside, in.Path)
	}
	lost, held := map[string]bool{}, newFolders(beside)
	for _, k := range cp.Lost {
		lost[k.Path] = true
		if k.Unlisted { // all that is in it
			lost[strings.TrimSuffix(k.Path, "/")] = true
		}
	}
	// holds reports that the snapshot brings something back of what is at or below a path.
	holds := func(p string) bool { return !lost[p] && (checkpoint.Has(r, cp, p) || held.anyIn(p)) }
	for i := range v.Hits {
		hit := &v.Hits[i]
		if hit.Action == risk.Allow || hit.OnlyReads() {
			continue
		}
		for _, t := range hit.Targets {
			rel, err := filepath.Rel(r.WorkTree, filepath.Join(ground.Follow(filepath.Dir(t.Path)), filepath.Base(t.Path)))
			if err != nil || t.Pattern != "" || t.Class&rule.Unknown != 0 || holds(filepath.ToSlash(rel)) {
				return false
			}
		}
		if len(hit.Targets) == 0 && (cp.Stats.Files() > 0 || cp.Staged || len(cp.Vaulted)+len(cp.Folders.Empty)+len(cp.Inside) > 0) {
			return false
		}
	}
	return true
}

// unsaved answers a call that would destroy what the snapshot before it does not hold.
func (h *Handlers) unsaved(in *risk.Input, v *risk.Verdict, lost []checkpoint.Skip) hook.Answer {
	return h.irrevocable(in, v, "The snapshot taken first does not hold "+skipped(lost)+", so moai could not bring it back.")
}
