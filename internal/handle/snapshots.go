package handle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/stack"
	"github.com/modu-ai/moai/internal/term"
)

// shot is a snapshot that was taken, and where: a way back that is tried in another
// repository finds nothing.
type shot struct {
	*checkpoint.Checkpoint
	root string // its work tree
	away string // its work tree, if the session is not in it
	anew string // what makes that work tree again, if the call deletes it

	keeps string // what it keeps before a question about what destroys nothing here

	stands     string   // the folder of the session in the work tree
	index      bool     // the call changes what is staged
	refs       bool     // the call moves references: a snapshot that is used again may hold some of another call
	drops      bool     // the call deletes references here, and does nothing else
	follows    bool     // the call pulls where nothing waits, no commit and no change: HEAD goes forward, whatever way it is told to
	stays      bool     // the call leaves HEAD where it is, and makes the files as it has them
	brings     []string // what Git ignores, where the call does no more than to bring commits that may be written over it
	moved      bool     // the call moves submodules
	toldBranch bool     // the user knows why it has no branch

	names   []string // what the call takes, where it names all of it
	restage bool     // and it changes what is staged
	spared  bool     // the call takes nothing that HEAD does not have

	void  bool // it holds nothing of what the call destroys
	mends bool // files of a linked work tree go, whose index stays: Git has to be told where it is

	shifted       []string // repositories inside that the call gives another name
	mayEmpty      []string // submodules that it may empty
	gone, emptied []string // repositories inside that the call deletes with their history, and submodules that it empties
	apart         []string // of these, linked work trees that another snapshot brings back
}

// roll collects snapshots while they are taken, so that those which are there are known when the time is over before the last.
type roll struct {
	mu     sync.Mutex
	list   []shot
	inside []shot // in repositories inside, where the one around them is not there (yet)
	err    error
}

// enough reports a repository that was saved with the one around it, and that nothing was saved that a way back could be printed for.
func (l *roll) enough(dir string) (held bool) {
	l.do(func() {
		held = len(l.list) == 0 || slices.ContainsFunc(l.list, func(s shot) bool {
			return slices.ContainsFunc(s.Inside, func(in checkpoint.Inner) bool { return filepath.Join(s.root, filepath.FromSlash(in.Path)) == dir })
		})
	})
	return held
}

// add takes in a snapshot, if there is one, or why there is none. Folders outside Git may have one together: it is told once.
func (l *roll) add(taken shot, err error) {
	l.do(func() {
		l.err = errors.Join(l.err, err)
		same := func(s shot) bool { return s.root == taken.root && s.Name == taken.Name }
		if err == nil && taken.Checkpoint != nil && !slices.ContainsFunc(l.list, same) {
			l.list = append(l.list, taken)
		}
	})
}

func (l *roll) do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

// foresee notes of a snapshot what the line takes along, and what a way back to it has to say for that.
func (h *Handlers) foresee(s *shot, r *repo.Repo, in *risk.Input, v *risk.Verdict) {
	cp := s.Checkpoint
	s.gone, s.emptied = goesAlong(r, cp, in, v)
	s.mayEmpty = mayEmpty(r, cp, v)
	s.shifted = shifted(r, cp, in, v, s.gone)
	s.void = holdsNothing(r, cp, v) || len(s.gone) > 0 && onlyRepositories(r, cp, v) || goneTrees(v)[r.WorkTree] && ground.IsRepository(r.WorkTree)
	s.names, s.restage = wayNames(r, s, in, v)
	s.spared = spares(r, s, in, v)
	s.stays = stays(r, v)
	if bare := *cp; follows(r, v) {
		bare.Vaulted = nil
		if s.follows = bare.Clean(); s.follows {
			s.brings = cp.Vaulted
		}
	}
	s.mends = slices.ContainsFunc(s.emptied, func(p string) bool { return linkedTo(r, p) })
	if s.away != "" && (goneTrees(v)[r.WorkTree] || goesWhole(r, v)) {
		s.anew = anew(r, cp, orText(in.Dir, in.Root))
	}
}

// ignoredBeside are the paths in danger in a work tree beside the project that Git ignores there: the rules have looked at the project alone.
func ignoredBeside(r *repo.Repo, in *risk.Input, v *risk.Verdict) (list []string) {
	root := ground.Follow(in.Root)
	if rel, err := filepath.Rel(root, r.WorkTree); err == nil && filepath.IsLocal(rel) {
		return nil
	}
	for _, p := range within(r, v.Targets) {
		fi, err := os.Lstat(r.Path(p))
		if err != nil || p == "." {
			continue
		}
		if _, _, ignored := r.IgnoredBy(p, fi.IsDir()); ignored {
			list = append(list, p)
		}
	}
	return list
}

// snapshots saves the repository around each folder, once each. Those inside of one that could not be saved come apart. Nothing is in danger
// in those that are only touched: they are saved as far as nobody else is.
func (h *Handlers) snapshots(ctx context.Context, e *hook.Event, in *risk.Input, v *risk.Verdict, dirs, touched []string) (list, inside []shot, err error) {
	limit := h.Config.Duration("checkpoint.timeout")
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-spare)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// Beside this goroutine: a disk that hangs must not hold the answer up.
	var r roll
	fail := func(err error) { r.do(func() { r.err = errors.Join(r.err, err) }) }
	done := make(chan struct{})
	go func() {
		stack.Grow()
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				fail(fmt.Errorf("panic: %v", p))
			}
		}()
		var seen []string
		most := maxRepositories
		if pulls(v) {
			most = maxPulled
		}
		for i, dir := range slices.Concat(dirs, touched) {
			spare := i >= len(dirs)
			r0, err := repo.Open(dir)
			if err != nil {
				if !spare {
					r.add(h.saveOutside(ctx, e, in, v, dir, err))
				}
				continue
			}
			if slices.Contains(seen, r0.GitDir) || spare && (len(seen) == most || r.enough(r0.WorkTree)) {
				continue
			}
			if seen = append(seen, r0.GitDir); len(seen) > most {
				fail(fmt.Errorf("more than %d repositories are in danger at once", most))
				break
			}
			away := willBeAway(in, v, r0)
			if pulls(v) {
				r.add(h.beforeUnseen(ctx, e, in, v, r0, shot{root: r0.WorkTree, away: away, stands: stands(in, r0)}))
				continue
			}
			secrets, hidden, sure, complete := h.doomed(ctx, r0, in, v)
			secrets = append(secrets, ignoredBeside(r0, in, v)...)
			if onlyBrings(v) && len(secrets)+len(v.Vault) == 0 {
				continue // before anything is compared with what Git has
			}
			drops := onlyDrops(r0, v)
			danger, finds := inDanger(r0, v), searched(in, v)
			moved, unpinned := pins(r0, v, command(in))
			submodules := recurses(r0, v) || hasOperation(v, "submodule")
			cp, err := checkpoint.Create(ctx, r0, checkpoint.CreateOptions{
				Operation: operation(v), Command: command(in), Session: e.SessionID, Spare: idle(v),
				Program: program(v, h.rules()), Mask: h.rules().Mask,
				Branch: branched(h.Config, h.rules(), operations(v)), Sensitive: Sensitive(h.rules(), r0.WorkTree),
				Ignored: append(slices.DeleteFunc(within(r0, v.Vault), func(p string) bool { return p == "." || ground.HasGitFile(r0.Path(p)) }), secrets...), VaultDir: filepath.Join(h.StateDir, "vault"), StateDir: h.StateDir, Now: h.now(),
				PinRefs: moved, Sections: sections(h.rules(), v), Settings: h.rules().Settings, Keep: Retention(h.Config), InDanger: func(k checkpoint.Skip) bool { return !drops && sure(k.Path) && danger(k) },
				Submodules: func(p string) bool {
					_, emptied := goesAlong(r0, &checkpoint.Checkpoint{Repositories: []string{p}}, in, v)
					return submodules || len(emptied) > 0
				},
				Searched: func(p string) bool { return finds(r0.Path(p)) },
				Hidden:   hidden,
				Made: func(one checkpoint.Inner) {
					early := shot{Checkpoint: &checkpoint.Checkpoint{Inside: []checkpoint.Inner{one}, Repositories: []string{one.Path}}, root: r0.WorkTree, away: away, moved: submodules, stands: stands(in, r0)}
					early.gone, early.emptied = goesAlong(r0, early.Checkpoint, in, v)
					r.do(func() { r.inside = append(r.inside, early) })
				},
			})
			if err = errors.Join(unpinned, err); err != nil {
				if !spare && (unpinned != nil || !errors.Is(err, checkpoint.ErrNothing)) {
					fail(err)
				}
				continue
			}
			cp.Lost = append(cp.Lost, cp.Lacks(r0, within(r0, v.Targets))...)
			cp.Repositories = slices.Compact(slices.Sorted(slices.Values(append(cp.Repositories, hidden...))))
			taken := shot{Checkpoint: cp, root: r0.WorkTree, away: away, refs: len(moved)+len(cp.Settings) > 0, moved: submodules, stands: stands(in, r0), index: v.Pins&rule.PinIndex != 0, drops: drops}
			h.foresee(&taken, r0, in, v)
			if !complete {
				cp.Warnings = append(cp.Warnings, "not every ignored file that may go was looked at: moai checkpoint show names those in the vault")
			}
			r.do(func() {
				r.list = append(r.list, taken)
				// Its message names those inside, and so does what the user is told of it.
				r.inside = slices.DeleteFunc(r.inside, func(early shot) bool { return early.away == away && slices.Contains(cp.Inside, early.Inside[0]) })
			})
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
		fail(ctx.Err())
	}
	r.do(func() { list, inside, err = slices.Clone(r.list), slices.Clone(r.inside), r.err })
	setApart(list)
	return list, inside, err
}

// setApart leaves work trees inside of others to the snapshot of their own that makes them again: to do so twice would fail.
func setApart(list []shot) {
	for i := range list {
		one := &list[i]
		for _, p := range one.emptied {
			dir := filepath.Join(one.root, filepath.FromSlash(p))
			if slices.ContainsFunc(list, func(s shot) bool { return s.root == dir && s.anew != "" }) {
				one.apart = append(one.apart, p)
			}
		}
		one.mends = one.mends && len(one.apart) < len(one.emptied)
	}
}

// elsewhere is the work tree of a repository that the session is not in, else "".
func elsewhere(in *risk.Input, r *repo.Repo) string {
	if here, err := repo.Open(ground.Existing(orText(in.Dir, in.Root))); err == nil && here.WorkTree == r.WorkTree {
		return ""
	}
	return r.WorkTree
}

// willBeAway is elsewhere once the call has run: a session that stands in a work tree which goes will stand nowhere.
func willBeAway(in *risk.Input, v *risk.Verdict, r *repo.Repo) string {
	away := elsewhere(in, r)
	if away == "" && ground.HasGitFile(r.WorkTree) && (goneTrees(v)[r.WorkTree] || goesWhole(r, v)) {
		return r.WorkTree
	}
	return away
}

// from is a path of the work tree as it is named where the user stands.
func (cp *shot) from(path string) string {
	if cp.stands == "" || cp.away != "" {
		return path
	}
	rel, err := filepath.Rel(cp.stands, filepath.FromSlash(path))
	if err != nil {
		return path
	}
	return rel
}

// stands is the folder of the session, relative to the work tree that it is in.
func stands(in *risk.Input, r *repo.Repo) string {
	rel, err := filepath.Rel(r.WorkTree, ground.Follow(orText(in.Dir, in.Root)))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return rel
}

// there goes to the repository of a snapshot, where the session is elsewhere.
func (cp *shot) there() string {
	if cp.away == "" {
		return ""
	}
	return cp.anew + "cd " + argv.Quote(cp.away) + " && "
}

// insides tells the ways back to what was saved in repositories inside.
func (cp *shot) insides() string {
	if cp.drops { // nothing in them changes
		return ""
	}
	var b strings.Builder
	for _, in := range cp.Inside {
		if slices.Contains(cp.apart, in.Path) {
			continue
		}
		if back := insideBack(cp, in); back != "" {
			fmt.Fprintf(&b, "\n  bring back %s, a repository of its own: %s", term.Name(in.Path), cp.there()+back)
		}
	}
	return b.String()
}
