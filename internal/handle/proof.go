package handle

import (
	"context"
	"fmt"
	"strings"
	"time"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/monitor"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// mostCommits bounds how far back the commits of a port are counted.
const mostCommits = 10_000

// Proof is what came of a port so far: what was done for it, and whether tests and verifiers have covered that.
func (h *Handlers) Proof(ctx context.Context, root string, r *port.Room, p *port.Port, now time.Time) *port.Proof {
	work := r.Work(p.ID)
	spent, turns := work.Time(now, func(id string) int {
		if s := session.Read(h.StateDir, id); s != nil {
			return s.Turn.Number
		}
		return 0
	})
	proof := &port.Proof{Seconds: int(spent.Seconds()), Turns: turns, Commits: commitsOf(root, work.Stints), Saved: h.savedFor(root, p.ID)}
	for _, s := range work.Stints {
		if of := session.Read(h.StateDir, s.Session); of != nil {
			proof.Tokens += monitor.Spent(of.Talk, monitor.Span{From: s.At, Until: s.Until})
		}
	}
	changed, unlooked, last := h.changedIn(ctx, root, work.Stints)
	proof.Changed = len(changed)
	missing := func(format string, a ...any) { proof.Missing = append(proof.Missing, fmt.Sprintf(format, a...)) }
	if len(changed) == 0 {
		missing("no change of it is known")
	}
	if !last.IsZero() && !h.green(ctx, root, last) {
		missing("no tests have passed since the last change")
	}
	if n := len(unlooked); n > 0 {
		missing("nobody has looked at %s", term.Clip(strings.Join(unlooked, ", "), 200))
	}
	board, _ := r.Board(now)
	var open []string
	for _, s := range board.Children(p.ID) {
		if !s.Over() {
			open = append(open, s.ID)
		}
	}
	if len(open) > 0 {
		missing("not over: %s", term.Clip(strings.Join(open, ", "), 200))
	}
	proof.Verified = len(proof.Missing) == 0
	return proof
}

// changedIn are the files that sessions changed while they ran a port, those of them that somebody else has to look at and nobody
// has, and when code was changed last.
func (h *Handlers) changedIn(ctx context.Context, root string, stints []port.Stint) (changed map[string]bool, unlooked []string, last time.Time) {
	changed = map[string]bool{}
	for i := range stints {
		st := &stints[i]
		v := verify.Read(h.StateDir, st.Session)
		if v == nil || h.Tables.Verify.Agents == nil {
			continue
		}
		counts := h.WorkOf(ctx, root, v)
		for f := range v.All() {
			rel, does := counts(f)
			if !does || f.At.Before(st.At) || !st.Until.IsZero() && f.At.After(st.Until) || changed[rel] {
				continue
			}
			changed[rel] = true
			kind := h.Tables.Verify.Kind(f, rel)
			if kind == nil || kind.Needs == "" {
				continue
			}
			if !f.Looked(kind.Needs) {
				unlooked = append(unlooked, rel)
			}
			if f.At.After(last) {
				last = f.At
			}
		}
	}
	return changed, unlooked, last
}

// green reports that all tests have passed on what a port changed: on the files as they are now, or later than its last change. A run of some of them
// says nothing about the others, and one that failed since takes it back.
func (h *Handlers) green(ctx context.Context, root string, since time.Time) bool {
	r, err := repo.Open(root)
	if err != nil || r.Bare() {
		return false
	}
	if found := receipt.Find(h.StateDir, r.WorkTree, receipt.Test, h.filesOf(ctx, r)); found != nil && found.Outcome != receipt.Failure {
		return found.Green()
	}
	for _, one := range receipt.List(h.StateDir, r.WorkTree) { // the newest first
		if one.Kind != receipt.Test || one.Outcome == receipt.Failure {
			continue
		}
		if one.At.Before(since) || one.Red() {
			return false
		}
		if one.Green() {
			return true
		}
	}
	return false
}

// commitsOf counts the commits since a port began.
func commitsOf(root string, stints []port.Stint) int {
	if len(stints) == 0 || stints[0].Head == "" {
		return 0
	}
	r, err := repo.Open(root)
	if err != nil {
		return 0
	}
	base, ok := repo.ParseHash(stints[0].Head)
	if !ok {
		return 0
	}
	n, _ := r.CommitsSince(base, mostCommits)
	return n
}

// savedFor counts the snapshots that were taken for a port.
func (h *Handlers) savedFor(root, id string) (n int) {
	q := journal.Query{Types: []string{types.CheckpointCreated{}.Entry().Name}, Port: id}
	_, _ = q.Run(state.JournalPath(h.StateDir, root), func(*journal.Event) error { n++; return nil })
	return n
}
