package handle

import (
	"context"
	"errors"
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// Of what a script destroys in the project nothing is said, since the turn's snapshot brings it back. Where there is none, or where it does not hold that,
// the script is judged as if it stood on the line.

// scripts is the verdict on what the files that a call runs destroy in the project; nil where that is nothing. Who says nothing of it does not spend
// exceptions: those for one call do not count then.
func (h *Handlers) scripts(e *hook.Event, spends bool) (in *risk.Input, v *risk.Verdict) {
	p := h.pending.Load()
	if p == nil || p.event != e || !p.verdict.Runs || h.DryRun {
		return nil, nil
	}
	if in = h.riskInput(e); in == nil { // looked at anew: the call's own judgement has used up what it could look at
		return nil, nil
	}
	places := h.places(in.Root)
	in.Unkept, in.Used = true, func(*rule.Allowed) bool { return true }
	if spends {
		in.Used = h.lent(places.Spent())
	}
	found := h.judge(h.rules(), in)
	if spends {
		if err := places.Spend(&found); err != nil {
			h.Log.Warn("exception not marked as used", "err", err)
		}
	}
	if found.Action < risk.Checkpoint {
		return nil, nil
	}
	return in, &found
}

// unkept answers a call of which the timeline has no snapshot, and why there is none where that is known. One is taken as for the same words on the line;
// where time was too short for the first, it is for that one, too.
func (h *Handlers) unkept(ctx context.Context, e *hook.Event, why error) (a hook.Answer) {
	in, v := h.scripts(e, true)
	if v == nil {
		return a
	}
	a = h.says(e, in, v)
	if errors.Is(why, context.DeadlineExceeded) && v.Action == risk.Checkpoint {
		a.Merge(h.unprotected(in, v, why))
	} else {
		a.Merge(h.save(ctx, e, in, v))
	}
	h.noteVerdict(e, in, v, a.Decision, true)
	return a
}

// leftOut answers a call whose scripts destroy what the snapshot before it does not hold, or the copies of what goes along.
func (h *Handlers) leftOut(e *hook.Event, r *repo.Repo, st *checkpoint.Step, along *behind) (a hook.Answer) {
	cp, err := checkpoint.SnapshotAt(r, st.Snapshot)
	if err != nil {
		return a
	}
	uncopied := append(h.missing(r, along.files, st), along.left...)
	if along.sure != nil {
		uncopied = slices.DeleteFunc(uncopied, func(k checkpoint.Skip) bool { return !along.sure(k.Path) })
	}
	if len(cp.Skipped)+len(uncopied) == 0 {
		return a
	}
	in, v := h.scripts(e, true)
	if v == nil {
		return a
	}
	danger := inDanger(r, v)
	lost := slices.DeleteFunc(slices.Clone(cp.Skipped), func(k checkpoint.Skip) bool { return !danger(k) })
	lost = append(lost, uncopied...)
	if len(lost) == 0 {
		return a
	}
	a = h.says(e, in, v)
	a.Merge(h.unsaved(in, v, lost))
	h.noteVerdict(e, in, v, a.Decision, true)
	return a
}

// tellUnkept says once a session that nothing is saved for an undo in a work tree: to people, and to the model, which may keep a copy itself.
func (h *Handlers) tellUnkept(e *hook.Event, tree string, why error) (a hook.Answer) {
	if h.DryRun || e.SessionID == "" {
		return a
	}
	first := false
	h.remember(e.SessionID, root(e), func(m *memory) bool {
		if first = !slices.Contains(m.Unkept, tree); first {
			m.Unkept = append(m.Unkept, tree)
			m.Unkept = m.Unkept[max(0, len(m.Unkept)-keepUnheld):]
		}
		return first
	})
	if !first {
		return a
	}
	text := "nothing can be saved for moai undo here (" + h.whyNone(why) + ")"
	a.System = "moai: " + text + ": what commands and scripts destroy is asked about first; next: moai doctor"
	a.Context = []string{text + ": what you destroy here, nobody brings back; keep a copy first"}
	return a
}
