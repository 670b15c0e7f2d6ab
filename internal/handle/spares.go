package handle

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// spares reports a call that takes nothing which only the snapshot holds, whatever else is changed in the work tree: all that it is about is as HEAD has it, or
// it moves HEAD to where that is. The snapshot is there all the same, and no news.
func spares(r *repo.Repo, cp *shot, in *risk.Input, v *risk.Verdict) bool {
	if staysPut(r, v) || keptElsewhere(r, in, v) {
		return true
	}
	still := *v
	still.Pins &^= rule.PinIndex // AsCommitted looks at the index, too
	if cp.Underway != nil || cp.Head.IsZero() || len(cp.Skipped)+len(cp.Inside)+len(cp.Settings) > 0 || !onlyCommitted(&still, cp) {
		return false
	}
	beside := newFolders(slices.Concat(cp.Vaulted, cp.Folders.Empty))
	if cleansAll(v) {
		return cp.Stats.Untracked == 0 && len(beside) == 0 && len(cp.Repositories) == 0
	}
	paths, _, told := touches(r, in, v)
	return told && len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool {
		same, err := cp.AsCommitted(r, p)
		return err != nil || !same || beside.anyIn(p) || newFolders(cp.Repositories).anyIn(p)
	})
}

// cleansAll reports a git clean that names no path, and nothing beside it.
func cleansAll(v *risk.Verdict) bool {
	return len(v.Changed) == 0 && !v.Untold && !slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Action != risk.Checkpoint || hit.Rule.Operation != "clean" || len(hit.Targets)+len(hit.Named) > 0
	})
}

// maxSpared bounds the commits that are looked at for the one that is merged.
const maxSpared = 256

// staysPut reports a merge of a commit that HEAD has, or a rebase onto HEAD itself.
func staysPut(r *repo.Repo, v *risk.Verdict) bool {
	return v.Action == risk.Checkpoint && len(v.Touched) == 0 && !slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		w, rebase := wordsOf(strings.ReplaceAll(hit.Text, "~", "^")), hit.Rule.Operation == "rebase"
		if !rebase && hit.Rule.Operation != "merge" || len(hit.Targets)+len(hit.Via) > 0 || !w.plain || len(w.names) != 1 || len(strings.Fields(hit.Text)) != 3 {
			return true
		}
		if w.names[0] == "FETCH_HEAD" { // has several
			return true
		}
		head, err := r.Head()
		name, back, _ := strings.Cut(w.names[0], "^") // whatever stands behind leads further back
		h, bad := r.Resolve(name)
		if err != nil || bad != nil || head.Unborn || rebase && (back != "" || h != head.Hash) {
			return true
		}
		left, more, err := r.Unreached(h, []repo.Hash{head.Hash}, maxSpared)
		return err != nil || more || len(left) > 0
	})
}

// tracking are the settings of a branch that Git itself makes when it is pushed.
var tracking = [...]string{"remote", "merge"}

// keptElsewhere reports a line that only deletes local branches, and all of whose commits HEAD or a remote-tracking branch has as well.
func keptElsewhere(r *repo.Repo, in *risk.Input, v *risk.Verdict) bool {
	if v.Action != risk.Checkpoint || len(v.Hits) != 1 || len(v.Hits[0].Targets) > 0 || v.Hits[0].Text != strings.TrimSpace(in.Command) {
		return false
	}
	w := wordsOf(v.Hits[0].Text)
	if pins := v.Hits[0].Rule.Pins; !v.Hits[0].Rule.Drops || pins&rule.PinHeads == 0 || pins&rule.PinNamed == 0 || !w.plain || len(w.names) == 0 || len(w.names) > maxPins {
		return false
	}
	head, err := r.Head()
	remote, bad := r.Refs("refs/remotes/")
	if err != nil || bad != nil || head.Unborn || len(remote) > maxPins {
		return false
	}
	others := []repo.Hash{head.Hash}
	for _, ref := range remote {
		others = append(others, ref.Hash)
	}
	kept, err := r.Settings()
	return err == nil && !slices.ContainsFunc(w.names, func(name string) bool {
		if slices.ContainsFunc(kept, func(s repo.Setting) bool { return s.Of() == "branch."+name && !slices.Contains(tracking[:], s.Key) }) {
			return true // a person wrote this setting, such as a description
		}
		h, err := r.Resolve("refs/heads/" + name) // none for those of a remote
		if err != nil {
			return true
		}
		left, more, err := r.Unreached(h, others, maxSpared)
		return err != nil || more || len(left) > 0
	})
}
