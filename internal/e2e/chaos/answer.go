//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/term"
)

// specific are the events whose answer may have a hookSpecificOutput: with any other the client drops the whole answer.
var specific = strings.Fields(`PreToolUse PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit UserPromptExpansion SessionStart
	Setup Stop SubagentStart SubagentStop PermissionRequest PermissionDenied Notification PreModelSwitch PostModelSwitch Elicitation
	ElicitationResult CwdChanged FileChanged WorktreeCreate MessageDisplay`)

// An answer is what the client makes of a reply.
type answer struct {
	decision string // deny, ask or nothing
	snapshot string // the name of the snapshot that was promised
	way      []string
	text     string
}

// safe says that the call cannot destroy anything unseen: it is stopped, a person is asked, or there is a way back.
func (a answer) safe() bool { return a.stopped() || a.snapshot != "" }

// stopped says that the call does not run, or only after a person said yes.
func (a answer) stopped() bool { return a.decision == "deny" || a.decision == "ask" }

// read takes a reply as the client does; an error is an answer that the client would drop.
func (r reply) read(event string) (a answer, err error) {
	switch {
	case r.hung:
		return a, fmt.Errorf("no answer within %v", patience)
	case r.exit == -1:
		return a, errors.New("the hook was killed")
	case strings.Contains(r.err, "panic:") || strings.Contains(r.err, "internal error"):
		return a, errors.New("the hook panicked")
	case r.exit != 0 && r.exit != 2:
		return a, fmt.Errorf("exit code %d", r.exit)
	}
	var said struct {
		SystemMessage      string
		HookSpecificOutput *struct{ HookEventName, PermissionDecision, PermissionDecisionReason string }
	}
	text := strings.TrimSpace(r.out)
	if strings.HasPrefix(text, "{") {
		d := json.NewDecoder(strings.NewReader(text))
		if err := d.Decode(&said); err != nil {
			return a, errors.New("the answer is no JSON")
		}
		if d.More() {
			return a, errors.New("two answers")
		}
	} else if text != "" {
		return a, errors.New("the answer is text")
	}
	if s := said.HookSpecificOutput; s != nil {
		if !slices.Contains(specific, event) {
			return a, errors.New("hookSpecificOutput on an event that has none")
		}
		if s.HookEventName != event {
			return a, errors.New("the answer names another event")
		}
		a.decision, a.text = s.PermissionDecision, s.PermissionDecisionReason
	}
	if r.exit == 2 {
		if r.err == "" && a.text == "" {
			return a, errors.New("a block without a reason")
		}
		a.decision = "deny"
	}
	a.text += said.SystemMessage + r.err
	if m := promised.FindStringSubmatch(said.SystemMessage); m != nil && !a.stopped() {
		a.snapshot, a.way = m[1], strings.Fields(m[2])
	}
	return a, nil
}

var promised = regexp.MustCompile(`moai: snapshot (?:\(unchanged since\) )?(\S+) (?s:.*?)bring it back: (?:[^\n]*\bmoai )(checkpoint restore [^\n]+)`)

// judged asks about a line that must be stopped, and looks at what that costs.
func (t *trial) judged(w *world, name string, payload map[string]any) answer {
	r := t.hook(w, payload)
	a, err := r.read("PreToolUse")
	if t.ctx.Err() != nil {
		return a
	}
	if err != nil || !a.stopped() {
		why := "it was allowed"
		if err != nil {
			why = err.Error()
		}
		t.fail("passed: "+name, "%s, after %v; it said: %s", why, r.cpu, short(r.out+r.err))
	}
	t.cost(name, r.cpu, func() time.Duration { return t.hook(w, payload).cpu })
	return a
}

// quiet is what an empty Go program takes of a processor that nobody else wants: the bound is for such a one.
const quiet = time.Millisecond

// cost holds a measured time against the bound. Other programs take their share of caches and of a processor's twin, so what was too
// long counts only where the middle of three is, and that of three more after a rest, by as much as an empty program beside them is slower.
func (t *trial) cost(name string, cpu time.Duration, again func() time.Duration) {
	three := func() time.Duration {
		var list, empty []time.Duration
		for range 3 {
			list, empty = append(list, again()), append(empty, t.nothing())
		}
		slices.Sort(list)
		slices.Sort(empty)
		return time.Duration(float64(list[1]) / max(1, float64(empty[1])/float64(quiet)))
	}
	bound := t.rig.cpu + t.beginning
	for i := 0; cpu > bound; i++ {
		if i == 2 {
			if t.ctx.Err() == nil {
				t.fail("slow: "+name, "%v of processor time, more than %v", cpu.Round(100*time.Microsecond), bound)
			}
			break
		}
		if i > 0 {
			time.Sleep(500 * time.Millisecond)
		}
		cpu = min(cpu, three())
	}
	if t.beginning == 0 {
		t.worst = max(t.worst, cpu)
	}
}

// short is the beginning of a text, on one line.
func short(s string) string {
	if s = term.OneLine(s, 300); s == "" {
		return "nothing"
	}
	return fmt.Sprintf("%q", s)
}
