package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// settle tells the turns that a plan takes back from those of which something stays that is somebody else's as well: these are not undone, so that
// the list and --force reach them. What is said is about the oldest of which something is taken back.
func (ch *change) settle(plan *undo.Plan) {
	ch.whole, ch.stuck = nil, nil
	if ch.mirrors || len(ch.turns) != len(ch.keys) || len(plan.Spans) != len(ch.turns) {
		return
	}
	for i := range ch.turns {
		t := &ch.turns[i]
		if !plan.Stuck(i) {
			ch.whole = append(ch.whole, ch.keys[i])
		} else {
			ch.stuck = append(ch.stuck, t.Number)
		}
		if ch.only == "" && (plan.Spans[i].Took || !plan.Stuck(i)) {
			ch.what = t.Label()
		}
	}
}

// dropped is what a plan with --force takes along that is not the session's: what stays without it, and lines of others.
func dropped(r *repo.Repo, now *checkpoint.Checkpoint, ch *change, o undo.Options, plan *undo.Plan) (list []undo.Kept, err error) {
	o.Force = false
	without, err := undo.Make(r, now, ch.spans, o)
	if err != nil {
		return nil, err
	}
	named, merged := map[string]bool{}, map[string]checkpoint.Side{}
	for _, k := range plan.Kept {
		named[k.Path] = true
	}
	for _, k := range without.Kept {
		if (k.Forced || k.Unsure) && !named[k.Path] {
			named[k.Path], list = true, append(list, k)
		}
	}
	for _, f := range without.Blend.Files {
		merged[f.Path] = f.New
	}
	for _, f := range plan.Blend.Files {
		if side, is := merged[f.Path]; is && side != f.New && !named[f.Path] {
			list = append(list, undo.Kept{Path: f.Path, Why: "somebody else has changed other lines of it", Forced: true})
		}
	}
	return list, nil
}

// showDrops names what --force takes along, before anything is written.
func (e *env) showDrops(list []undo.Kept) {
	for i, k := range list {
		if i == shownUndone {
			fmt.Fprintf(e.err, "moai: --force drops what is not the session's: %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(e.err, "moai: --force drops what is not the session's: %s (%s)\n", term.Name(k.Path), term.Text(k.Why))
	}
}

// forced is the line that takes back the newest n turns with what others changed.
func (u *undoing) forced(n int) string {
	words := []string{"moai", "undo"}
	if n > 1 {
		words = append(words, strconv.Itoa(n))
	}
	if u.session != "" {
		words = append(words, "--session", u.session)
	}
	return argv.Quote(append(words, "--force")...)
}

// turnNumbers names turns.
func turnNumbers(list []int) string {
	var texts []string
	for _, n := range slices.Sorted(slices.Values(list)) {
		texts = append(texts, strconv.Itoa(n))
	}
	if len(texts) == 1 {
		return "turn " + texts[0]
	}
	return "turns " + strings.Join(texts, ", ")
}

// furtherBack says how the turns before those are meant of which nothing can be taken back.
func (e *env) furtherBack(u *undoing, ch *change) {
	n := len(ch.turns) + 1
	own := slices.DeleteFunc(slices.Clone(u.line.Turns), func(t undo.Turn) bool { return t.Undone || t.Session != ch.session })
	if !ch.again && ch.only == "" && len(own) >= n && !own[n-1].From.IsZero() {
		fmt.Fprintf(e.err, "moai: hint: moai undo %d is about %q as well\n", n, term.Text(own[n-1].Label()))
	}
}
