package cli

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/undo"
)

// copiesPlan is what an undo does to files that Git ignores: no snapshot has them, and the vault has copies of those with credentials.
type copiesPlan struct {
	from   map[string]repo.Hash // the snapshots with the copies of each
	back   []string             // that come back from there
	gone   []string             // that go: the session has made them, or an undo had brought them back
	kept   []undo.Kept
	marks  checkpoint.Copies // what there is now at those that go
	inside []innerCopies     // what of that is copied in repositories inside
	first  []string          // of gone, those that are gone already, since the plan put files in their place
	made   map[string]bool   // what the session has made where there was nothing; folders end with a slash
}

func (g *copiesPlan) empty() bool { return len(g.back)+len(g.gone) == 0 }

// tells reports a file of which a plan says what becomes of it.
func (g *copiesPlan) tells(path string) bool {
	return slices.Contains(g.back, path) || slices.Contains(g.gone, path) || slices.ContainsFunc(g.kept, func(k undo.Kept) bool { return k.Path == path })
}

// copiesThen are the copies of ignored files as they were before the turns, and the snapshots that have them.
func (e *env) copiesThen(u *undoing, ch *change) (want checkpoint.Copies, from map[string]repo.Hash) {
	copies := func(h repo.Hash) checkpoint.Copies { return checkpoint.CopiesOf(u.r, e.vaultDir(), h) }
	want, from = copies(ch.vault), map[string]repo.Hash{}
	for path := range want {
		from[path] = ch.vault
	}
	if !ch.mirrors && ch.only == "" {
		found(u, ch, from, want, copies)
		beforeCommands(ch, from, want, copies)
	}
	return want, from
}

// returning reports files of the work tree whose content comes back from the vault under the name that it had, so that they hold nothing
// that would be lost with them; and copied the names to which files come back.
func returning(u *undoing, want checkpoint.Copies) (elsewhere, copied func(path string) bool) {
	back, paths := map[string]bool{}, map[string]bool{}
	for path, mark := range want {
		if checkpoint.CopyNow(u.r, path) == "" && !u.inLost(path) {
			back[content(mark)], paths[path] = true, true
		}
	}
	elsewhere = func(path string) bool { return len(back) > 0 && back[content(checkpoint.CopyNow(u.r, path))] }
	return elsewhere, func(path string) bool { return paths[path] }
}

// content is what a mark says of a file but for its permissions.
func content(mark string) string {
	sum, _, _ := strings.Cut(mark, " ")
	return sum
}

// fromVault plans what becomes of ignored files: those come back that the session has changed or deleted, and that are still as it left them.
func (e *env) fromVault(u *undoing, ch *change, plan *undo.Plan, paths []string) *copiesPlan {
	copies := func(h repo.Hash) checkpoint.Copies { return checkpoint.CopiesOf(u.r, e.vaultDir(), h) }
	g := &copiesPlan{marks: checkpoint.Copies{}}
	want, end := checkpoint.Copies(nil), copies(ch.copies)
	want, g.from = e.copiesThen(u, ch)
	left := end // an undo, which a redo takes back, has left all that differs
	if !ch.mirrors {
		left = e.leftOf(u, ch, copies)
	}
	g.made = ch.made()
	between := partedBy(ch, copies)
	elsewhere, _ := returning(u, want)
	for _, path := range slices.Sorted(maps.Keys(union(want, end))) {
		is, was, then := checkpoint.CopyNow(u.r, path), want[path], end[path]
		if is == checkpoint.CopyFolder && was != "" { // whether that goes is asked when it is known what does
			is = ""
		}
		did, mine := left[path]
		if ch.mirrors { // what an undo took away has no mark
			did, mine = then, true
		}
		mine = mine && did != was
		switch {
		case is == was || !within(path, paths) || u.inLost(path) || inSnapshots(plan, path):
		case was == "" && (ch.mirrors && is == then || g.made[path] && (mine && is == did || u.force) || mine && is == did && elsewhere(path)):
			g.gone, g.marks[path] = append(g.gone, path), is
		case was == "" && g.made[path]:
			g.kept = append(g.kept, undo.Kept{Path: path, Why: "somebody else has changed it since", Forced: true})
		case was == "":
			if mine {
				g.kept = append(g.kept, undo.Kept{Path: path, Why: "it was not there before, and Git ignores it"})
			}
		case !between[path].IsZero() && !u.force && (is == "" || mine && is == did):
			g.from[path], g.back = between[path], append(g.back, path)
			g.kept = append(g.kept, undo.Kept{Path: path, Why: "it goes back to what somebody else left between two commands of the agent, and no further", Forced: true})
		case is == "" && (!ch.mirrors || mine && then == ""), u.force, mine && is == did:
			g.back = append(g.back, path)
		case mine:
			g.kept = append(g.kept, undo.Kept{Path: path, Why: "somebody else has changed it since", Forced: true})
		case then != was:
			g.kept = append(g.kept, undo.Kept{Path: path, Why: "nobody knows who changed it", Unsure: true})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(g.made)) {
		_, known := end[path]
		if fi, err := os.Lstat(u.r.Path(path)); !ch.mirrors && !known && want[path] == "" && err == nil && !fi.IsDir() && within(path, paths) && !inSnapshots(plan, path) {
			g.kept = append(g.kept, undo.Kept{Path: path, Why: "it was not there before, and there is no copy of it: delete it if nobody needs it"})
		}
	}
	g.roomFor(u.r, plan)
	e.copiesInside(u, ch, g, paths)
	e.emptyBack(u, ch, plan, paths)
	return g
}

// emptyBack plans that folders come back which Git ignores, in which nothing was before the turns, and that are gone.
func (e *env) emptyBack(u *undoing, ch *change, plan *undo.Plan, paths []string) {
	if ch.mirrors {
		return
	}
	var from []repo.Hash
	for i := range ch.turns {
		for _, c := range ch.turns[i].Commands {
			if ch.only == "" || c.Key == ch.only {
				from = append(from, c.Were)
			}
		}
		if ch.only == "" {
			from = append(from, ch.turns[i].Found...)
		}
	}
	for _, h := range from {
		for _, d := range checkpoint.EmptyOf(u.r, e.vaultDir(), h) {
			if _, err := os.Lstat(u.r.Path(d)); errors.Is(err, fs.ErrNotExist) && within(d, paths) && !u.inLost(d) && !slices.Contains(plan.Blend.Empty, d) {
				plan.Blend.Empty = append(plan.Blend.Empty, d)
			}
		}
	}
}

// inSnapshots reports a file that the plan speaks of: Git ignores its name, and tracks it all the same.
func inSnapshots(plan *undo.Plan, path string) bool {
	return slices.ContainsFunc(plan.Paths, func(p undo.Path) bool { return p.Path == path })
}

// found adds what was copied before a call only: the first that has a path found it as it was. What the guard copied counts also where the
// timeline got no step for that call.
func found(u *undoing, ch *change, from map[string]repo.Hash, want checkpoint.Copies, copies func(repo.Hash) checkpoint.Copies) {
	type source struct {
		at    time.Time
		h     repo.Hash
		guard bool // of the guard alone: it may hold what the turns made before
	}
	made := ch.made()
	var list []source
	for i := range slices.Backward(ch.turns) {
		for _, h := range ch.turns[i].Found {
			if c, err := checkpoint.SnapshotAt(u.r, h); err == nil {
				list = append(list, source{at: c.Time, h: h})
			}
		}
	}
	for _, c := range slices.Backward(savedSince(u.r, ch.session, ch.began())) {
		known := slices.ContainsFunc(list, func(s source) bool { return s.h == c.Commit })
		if ended := ch.turns[0].Ended; len(c.Vaulted) > 0 && !known && (ended.IsZero() || !c.Time.After(ended)) {
			list = append(list, source{c.Time, c.Commit, true})
		}
	}
	slices.SortStableFunc(list, func(a, b source) int { return a.at.Compare(b.at) })
	for _, s := range list {
		for path, mark := range copies(s.h) {
			if _, known := want[path]; !known && !(s.guard && made[path]) {
				want[path], from[path] = mark, s.h
			}
		}
	}
}

// beforeCommands has files come back as the first command that changed them found them: what somebody changed in them until then is his.
func beforeCommands(ch *change, from map[string]repo.Hash, want checkpoint.Copies, copies func(repo.Hash) checkpoint.Copies) {
	seen := map[string]bool{}
	for i := range slices.Backward(ch.turns) {
		t := &ch.turns[i]
		for _, c := range slices.Backward(t.Commands) {
			if c.Were == c.Vault {
				continue
			}
			before, after := copies(c.Were), copies(c.Vault)
			for path, mark := range before {
				if seen[path] || after[path] == mark {
					continue
				}
				seen[path] = true
				ours := func(one undo.Edit) bool { return one.Path == path && one.Session == t.Session && one.At.Before(c.At) }
				if !slices.ContainsFunc(ch.edits, ours) {
					want[path], from[path] = mark, c.Were
				}
			}
		}
	}
}

// partedBy are the files that somebody else changed behind one command of the turns and before another, with the snapshots that have copies of
// what he left.
func partedBy(ch *change, copies func(repo.Hash) checkpoint.Copies) map[string]repo.Hash {
	out := map[string]repo.Hash{}
	if ch.mirrors || ch.only != "" {
		return out
	}
	type mark struct {
		sum string
		at  time.Time
	}
	left := map[string]mark{} // by the last command that changed it
	for i := range slices.Backward(ch.turns) {
		for _, c := range slices.Backward(ch.turns[i].Commands) {
			if c.Were == c.Vault {
				continue
			}
			before, after := copies(c.Were), copies(c.Vault)
			for path := range union(before, after) {
				if before[path] == after[path] {
					continue
				}
				was, did := left[path]
				own := func(one undo.Edit) bool { return one.Path == path && one.At.After(was.at) && one.At.Before(c.At) }
				if did && before[path] != "" && before[path] != was.sum && !slices.ContainsFunc(ch.edits, own) {
					out[path] = c.Were
				}
				left[path] = mark{after[path], c.At}
			}
		}
	}
	return out
}

// union are the paths of both.
func union(a, b checkpoint.Copies) checkpoint.Copies {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// made are the ignored files that calls of the turns made where there was nothing.
func (ch *change) made() map[string]bool {
	out := map[string]bool{}
	for i := range ch.turns {
		for _, c := range ch.turns[i].Commands {
			if ch.only != "" && c.Key != ch.only {
				continue
			}
			for _, p := range c.Made {
				out[p] = true
			}
		}
	}
	return out
}

// leftOf says how the turns left the ignored files that they changed, by a command or a tool.
func (e *env) leftOf(u *undoing, ch *change, copies func(repo.Hash) checkpoint.Copies) checkpoint.Copies {
	out := checkpoint.Copies{}
	end := copies(ch.copies)
	for i := range slices.Backward(ch.turns) {
		t := &ch.turns[i]
		for _, c := range slices.Backward(t.Commands) {
			if c.Were == c.Vault || ch.only != "" && c.Key != ch.only {
				continue
			}
			before, after := copies(c.Were), copies(c.Vault)
			for path := range before {
				if before[path] != after[path] {
					out[path] = after[path]
				}
			}
			for path := range after {
				if before[path] != after[path] {
					out[path] = after[path]
				}
			}
		}
	}
	if ch.only != "" || len(ch.turns) == 0 {
		return out
	}
	for _, edit := range ch.edits {
		mine := slices.ContainsFunc(ch.turns, func(t undo.Turn) bool { return t.Session == edit.Session && t.Number == edit.Turn })
		if mine && edit.Sum != "" && strings.HasPrefix(end[edit.Path], edit.Sum) {
			out[edit.Path] = end[edit.Path]
		}
	}
	return out
}

// within reports a path that is among those that were asked for, or below one; all are where none was.
func within(path string, list []string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(p string) bool {
		return p == "." || path == p || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/")
	})
}

// vaultBack brings ignored files back, and takes away those that a redo deletes again.
func (e *env) vaultBack(u *undoing, ch *change, g *copiesPlan) (failed []checkpoint.Skip) {
	for _, path := range g.gone {
		if slices.Contains(g.first, path) {
			continue
		}
		err := e.dropCopied(u.r, path, g.marks[path])
		if err != nil {
			failed = append(failed, checkpoint.Skip{Path: path, Why: err.Error()})
		}
	}
	removeEmpty(u.r, g.emptied(e.stands(u.r)))
	failed = append(failed, e.innerBack(u, ch, g)...)
	own := slices.DeleteFunc(slices.Clone(g.back), func(path string) bool { return g.from[path].IsZero() })
	if len(own) == 0 {
		return failed
	}
	fail := func(err error) []checkpoint.Skip {
		for _, path := range own {
			failed = append(failed, checkpoint.Skip{Path: path, Why: err.Error()})
		}
		return failed
	}
	now, err := checkpoint.SnapshotAt(u.r, ch.now.Snapshot)
	if err != nil {
		return fail(err)
	}
	o := e.restoring(u.r, ch.session)
	o.VaultDir = e.vaultDir()
	for rest := own; len(rest) > 0; {
		from := g.from[rest[0]]
		other := func(path string) bool { return g.from[path] != from }
		c, err := checkpoint.SnapshotAt(u.r, from)
		if err != nil {
			return fail(err)
		}
		res, err := checkpoint.Refill(u.ctx, u.r, now, c, slices.DeleteFunc(slices.Clone(rest), other), o)
		if err != nil {
			return fail(err)
		}
		failed = append(failed, res.Failed...)
		rest = slices.DeleteFunc(slices.Clone(rest), func(path string) bool { return !other(path) })
	}
	return failed
}

// emptied are the folders that the session has made for files that go; the user may stand in one, and that stays.
func (g *copiesPlan) emptied(stands string) (out []string) {
	for dir := range g.made {
		if strings.HasSuffix(dir, "/") && !strings.HasPrefix(stands+"/", dir) && slices.ContainsFunc(g.gone, func(p string) bool { return strings.HasPrefix(p, dir) }) {
			out = append(out, strings.TrimSuffix(dir, "/"))
		}
	}
	return out
}

// dropCopied deletes a file of which the vault has a copy, where it is still that.
func (e *env) dropCopied(r *repo.Repo, path, mark string) error {
	root, err := os.OpenRoot(r.WorkTree)
	if err != nil {
		return err
	}
	defer root.Close()
	if checkpoint.CopyNow(r, path) != mark {
		return nof("somebody has changed it meanwhile")
	}
	return root.Remove(filepath.FromSlash(path))
}
