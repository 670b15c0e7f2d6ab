package handle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/walk"
)

// A commit that nobody here has seen may have a file where Git ignores one, which it writes over without a word. That is an everyday
// call: what it may take is copied once, and asked for again only where it is not what it was.

// unseenLevels is how deep it is looked for: f, a/f and a/b/f. Deeper down in folders that Git knows lies what programs write, and the walk would cost
// every pull. A folder that Git ignores is looked into as a whole, since a file that comes in its place takes all of it.
const unseenLevels = 3

// unseenFolders of those at the last level are asked whether Git ignores them.
const unseenFolders = 2000

// unseen lists, relative to the work tree, the files that Git ignores and no build makes again; credentials come first, and what lies deep last.
func (h *Handlers) unseen(ctx context.Context, r *repo.Repo) []string {
	rules := h.Tables.Risks
	if rules == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, doomedTime)
	defer cancel()
	tracked := func(string) bool { return false }
	if ix, err := r.Index(); err == nil {
		tracked = func(p string) bool { _, found := ix.Find(p); return found }
	}
	ignored := ground.New(r.WorkTree, nil).Ignored // under the lock: it is for one at a time
	var mu sync.Mutex
	var list, deeper []string
	remade := h.remade(r)
	found := func(f walk.File) {
		mu.Lock()
		defer mu.Unlock()
		mine := f.Path == ".moai/.gitignore" || strings.HasPrefix(f.Path, ".moai/checkpoints.log") // moai makes them again
		if mine || tracked(f.Path) || remade(f.Path) && !rules.Sensitive(f.Path) || !ignored(filepath.Join(r.WorkTree, filepath.FromSlash(f.Path))) {
			return
		}
		list = append(list, f.Path)
	}
	options := walk.Options{Skip: remade, Links: true, Files: doomedFiles, Depth: unseenLevels, Deeper: func(dir string) {
		mu.Lock()
		defer mu.Unlock()
		deeper = append(deeper, strings.TrimSuffix(dir, "/"))
	}}
	// What a walk that ends early has not seen stays uncopied.
	_, _ = walk.Files(ctx, r.WorkTree, options, found)
	slices.Sort(deeper)
	for _, dir := range deeper[:min(len(deeper), unseenFolders)] {
		left := checkpoint.VaultFiles - len(list) // no more is copied
		if left <= 0 || ctx.Err() != nil {
			break
		}
		if ignored(filepath.Join(r.WorkTree, filepath.FromSlash(dir))) {
			_, _ = walk.Files(ctx, r.WorkTree, walk.Options{Below: dir, Skip: remade, Links: true, Files: left}, found)
		}
	}
	rank := func(p string) int {
		switch {
		case rules.Sensitive(p):
			return 0
		case !deep(p):
			return 1
		}
		return 2
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b)) })
	return list
}

// deep reports a path below the levels that are looked at everywhere.
func deep(p string) bool { return strings.Count(p, "/") >= unseenLevels }

// toldBefore reports whether the user of a session knows of a checkpoint.
func (m *memory) toldBefore(name string) bool { return slices.Contains(m.Checkpoints, name) }

// mayCome tells in one line what is kept before commits come that nobody here has seen, and the way back: no more than
// that, since somebody who misses a file an hour later wants the commits to stay.
func mayCome(cp *shot) string {
	text := fmt.Sprintf("moai: this may write over what Git ignores; kept: %s", listed(cp.Vaulted, 3))
	if left := cp.uncopied(); len(left) > 0 {
		text += "; not kept: " + skipped(left)
	}
	return text + "; bring it back: " + cp.there() + checkpoint.Way{ID: cp.Brief(), Vault: true}.String()
}

// uncopied lists what the checkpoint does not hold of the files that such commits may write over. Of what lies deep, which is rarely lost so, nothing
// is said.
func (cp *shot) uncopied() (left []checkpoint.Skip) {
	for _, k := range cp.Skipped {
		if p := strings.TrimSuffix(k.Path, "/"); slices.Contains(cp.brings, p) && !deep(p) {
			left = append(left, k)
		}
	}
	return left
}

// lacks reports a checkpoint of which its user has to know that something does not come back by it.
func (cp *shot) lacks() bool {
	if len(cp.brings) > 0 {
		return len(cp.uncopied()) > 0
	}
	return len(cp.Skipped)+len(cp.Warnings)+len(cp.shifted)+len(cp.SettingsLeft) > 0 || cp.void
}

// pulls reports a call of which no part does more than to let Git bring such commits.
func pulls(v *risk.Verdict) bool {
	return onlyBrings(v) && !slices.ContainsFunc(v.Hits, func(hit risk.Hit) bool {
		return hit.Action != risk.Allow && !hit.Rule.Programs.Has("git")
	})
}

// beforeUnseen keeps what Git ignores before such commits come. There is no checkpoint where there is nothing to keep.
func (h *Handlers) beforeUnseen(ctx context.Context, e *hook.Event, in *risk.Input, v *risk.Verdict, r *repo.Repo, taken shot) (_ shot, err error) {
	taken.brings = slices.Concat(h.unseen(ctx, r), within(r, v.Vault))
	if len(taken.brings) == 0 {
		return taken, nil
	}
	vault := filepath.Join(h.StateDir, "vault")
	if taken.Checkpoint = checkpoint.Copied(r, vault, taken.brings, h.now()); taken.Checkpoint != nil {
		return taken, nil
	}
	taken.Checkpoint, err = checkpoint.Create(ctx, r, checkpoint.CreateOptions{
		Operation: operation(v), Command: command(in), Session: e.SessionID, Spare: idle(v), Program: program(v, h.rules()), Mask: h.rules().Mask,
		Branch: branched(h.Config, h.rules(), operations(v)), Sensitive: Sensitive(h.rules(), r.WorkTree),
		Ignored: taken.brings, VaultDir: vault, StateDir: h.StateDir, Now: h.now(), Settings: h.rules().Settings, Keep: Retention(h.Config),
	})
	if errors.Is(err, checkpoint.ErrNothing) {
		return taken, nil
	}
	return taken, err
}
