package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/term"
)

// actionText is an action in its colour.
func actionText(s term.Style, a risk.Action) string {
	switch a {
	case risk.Deny:
		return s.Red(a.String())
	case risk.Ask:
		return s.Yellow(a.String())
	case risk.Checkpoint:
		return s.Cyan(a.String())
	}
	return s.Green(a.String())
}

// quietText says of a snapshot that an agent's user hears nothing of it.
func quietText(v *risk.Verdict) string {
	if v.Quiet() {
		return ", taken without a word"
	}
	return ""
}

// printVerdict shows a verdict with the span underlined, for people.
func (e *env) printVerdict(in *risk.Input, v *risk.Verdict, explain bool) {
	s := e.style()
	fmt.Fprintln(e.out, actionText(s, v.Action)+quietText(v))
	if v.Warned != risk.Allow {
		fmt.Fprintf(e.out, "guard.mode is warn; otherwise: %s\n", actionText(s, v.Warned))
	}
	if in.Mode == risk.Off {
		fmt.Fprintln(e.out, "guard.mode is off: nothing is judged")
	}
	for i := range v.Hits {
		// One program in another ("npx x") is one thing to read; what is explained is all of it.
		if !explain && slices.ContainsFunc(v.Hits[:i], func(first risk.Hit) bool { return repeats(&first, &v.Hits[i]) }) {
			continue
		}
		if !explain && slices.ContainsFunc(v.Hits[:i], func(first risk.Hit) bool { return alike(&first, &v.Hits[i]) }) {
			continue
		}
		fmt.Fprintln(e.out)
		if !explain && v.Hits[i].Allowed == nil && v.Hits[i].Action < v.Action {
			e.printAlso(s, in, &v.Hits[i])
			continue
		}
		// One rule is told once, below all places where it fired.
		e.spot(s, in, &v.Hits[i])
		for j := i + 1; j < len(v.Hits) && !explain; j++ {
			if next := &v.Hits[j]; alike(&v.Hits[i], next) && !repeats(&v.Hits[i], next) {
				e.spot(s, in, next)
			}
		}
		e.printHit(s, &v.Hits[i], explain)
	}
	if copied := slices.DeleteFunc(slices.Clone(v.Vault), func(p string) bool { return !in.Exists(p) }); len(copied) > 0 {
		fmt.Fprintln(e.out)
		e.say(2, "no snapshot holds these, so they would be copied to the vault: %s", names(copied))
	}
	// What was not understood is said even where nothing fired: silence would claim that all of it was read.
	for _, d := range v.Doubts {
		fmt.Fprintln(e.out)
		e.say(2, "not followed: %s", term.Text(d))
	}
	if explain {
		e.printRuns(s, runs(in, v))
	}
}

// repeats reports that a rule fired a second time on a part of what it fired on before.
func repeats(first, next *risk.Hit) bool {
	return first.Rule == next.Rule && first.Action == next.Action && first.Detail == next.Detail && first.Allowed == next.Allowed && first.Unsealed == next.Unsealed &&
		first.Span[0] <= next.Span[0] && next.Span[1] <= first.Span[1] && first.Span != next.Span
}

// alike reports two hits of which everything but the place is the same.
func alike(a, b *risk.Hit) bool {
	return a.Rule.ID == b.Rule.ID && a.Action == b.Action && a.Detail == b.Detail && a.Instead() == b.Instead() && a.Allowed == b.Allowed && a.Unsealed == b.Unsealed
}

// spot shows where a rule fired.
func (e *env) spot(s term.Style, in *risk.Input, h *risk.Hit) {
	underline(e, s, in.Command, h.Span)
	if h.File != "" || in.Command == "" && h.Text != "" && h.Text != in.Tool {
		fmt.Fprintf(e.out, "  %s\n", term.OneLine(h.Text, 200)) // in a file that runs, or a command among a tool's arguments
	}
}

// printAlso shows in a line what weighs less than the verdict: it would not be asked apart.
func (e *env) printAlso(s term.Style, in *risk.Input, h *risk.Hit) {
	text := term.OneLine(h.Text, 60)
	if text == "" || text == in.Command {
		text = "the same"
	}
	e.say(2, "also %s %s: %s (%s)", actionText(s, h.Action), s.Bold(h.Rule.ID), term.Text(h.Rule.Why), text)
}

// printHit shows one rule that fired: why, what to run instead, how to allow it.
func (e *env) printHit(s term.Style, h *risk.Hit, explain bool) {
	e.say(2, "%s %s: %s", actionText(s, h.Action), s.Bold(h.Rule.ID), term.Text(h.Rule.Why))
	if h.Detail != "" {
		e.say(4, "  seen: %s", term.Text(h.Detail))
	}
	if instead := h.Instead(); instead != "" {
		e.say(4, "  instead: %s", term.Text(instead))
	}
	if h.Allowed != nil {
		e.say(4, "  allowed by %s:%d: %s", term.Name(h.Allowed.File), h.Allowed.Line, term.Text(h.Allowed.Reason))
	} else if u := h.Unsealed; u != nil {
		e.offer(4, fmt.Sprintf("  %s:%d would allow it, and nobody has confirmed that:", term.Name(u.File), u.Line), "moai risk allow confirm")
	} else if risk.Excusable(h.Rule) {
		without := "to allow it"
		if h.Action == risk.Checkpoint { // it is allowed anyway; what an exception spares is the snapshot
			without = "to run it without a snapshot"
		}
		e.offer(4, "  "+s.Dim(without+":"), s.Dim("moai risk allow "+h.Rule.ID+" --once --reason WHY"))
		if trust := h.Trust(); trust != "" {
			e.offer(4, "  "+s.Dim("to trust that host from now on:"), s.Dim(term.Text(trust)))
		}
	}
	if !explain {
		return
	}
	for _, t := range h.Targets {
		fmt.Fprintf(e.out, "  path: %s (%s", term.Text(t.Path), t.Class)
		if t.Names != 0 {
			fmt.Fprintf(e.out, "; %s", t.Names)
		}
		if t.Ignored {
			fmt.Fprint(e.out, "; ignored by Git")
		}
		fmt.Fprintln(e.out, ")")
	}
}

// underline prints the line that holds a span and marks the span below it, by
// columns, so that wide characters line up.
func underline(e *env, s term.Style, line string, span [2]int) {
	if line == "" || span[0] < 0 || span[1] > len(line) || span[0] >= span[1] {
		return
	}
	start := strings.LastIndexByte(line[:span[0]], '\n') + 1
	end := len(line)
	if i := strings.IndexByte(line[start:], '\n'); i >= 0 {
		end = start + i
	}
	stop := max(span[0], min(span[1], end))
	before, marked, after := term.Text(line[start:span[0]]), term.Text(line[span[0]:stop]), term.Text(line[stop:end])
	if n := e.columns() - 2; n > 4 && term.Width(before+marked+after) > n { // the mark has to stay below its words
		marked = term.Cut(marked, n-2)
		left := n - term.Width(marked)
		after = term.Cut(after, max(1, left-term.Width(before), left/3))
		before = term.CutLeft(before, left-term.Width(after))
	}
	fmt.Fprintf(e.out, "  %s%s%s\n", before, s.Bold(marked), after)
	fmt.Fprintf(e.out, "  %s%s\n", strings.Repeat(" ", term.Width(before)), s.Red(strings.Repeat("^", max(1, term.Width(marked)))))
}
