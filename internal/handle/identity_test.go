package handle

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/session"
)

// said asks all handlers about one event, in a process of its own, as it were.
func said(t *testing.T, like *Handlers, e *hook.Event, at time.Time) hook.Answer {
	t.Helper()
	h := &Handlers{
		Tables: like.Tables, Config: like.Config, StateDir: like.StateDir, Home: like.Home, Getenv: like.Getenv, Log: like.Log,
		Now: func() time.Time { return at },
	}
	var r hook.Registry
	h.Register(&r, e.Name)
	a, err := r.Dispatch(context.Background(), e, hook.Budget{Hard: time.Minute}, nil)
	if err != nil {
		t.Errorf("%s: %v", e.Name, err)
	}
	return a
}

func event(dir, id, name string, fields ...hook.Member) *hook.Event {
	e := &hook.Event{Name: name, Known: true, SessionID: id, CWD: dir, ProjectDir: dir, Dialect: hook.Claude}
	e.SetFields(fields)
	for _, f := range fields {
		if f.Name == "tool_name" {
			e.ToolName = f.Value.Text()
		}
	}
	return e
}

func TestSilentSessionsAreClosedAndSaid(t *testing.T) {
	like, dir := testHandlers(t, nil)
	now := time.Now()
	start := hook.Member{Name: "source", Value: `"startup"`}
	said(t, like, event(dir, "old", "SessionStart", start), now)
	said(t, like, event(dir, "old", "UserPromptSubmit", hook.Member{Name: "prompt", Value: `"write it"`}), now)
	if a := said(t, like, event(dir, "early", "SessionStart", start), now.Add(23*time.Hour)); strings.Contains(a.System, "closed") {
		t.Errorf("after 23 hours: %s", a.System)
	}
	a := said(t, like, event(dir, "new", "SessionStart", start), now.Add(25*time.Hour))
	if !strings.Contains(a.System, `closed, since its process is gone and it was silent for 24 h: old, at work on "write it"`) {
		t.Errorf("after 25 hours: %q", a.System)
	}
	s := session.Read(like.StateDir, "old")
	if s == nil || s.Why != session.WhyClosed || s.Turn.How != session.TurnEnded {
		t.Errorf("the session is %+v", s)
	}
	// Its client was there after all.
	said(t, like, event(dir, "old", "UserPromptSubmit", hook.Member{Name: "prompt", Value: `"go on"`}), now.Add(26*time.Hour))
	if s := session.Read(like.StateDir, "old"); s == nil || !s.Ended.IsZero() || s.Turn.Number != 2 {
		t.Errorf("taken up again: %+v", s)
	}
}

// TestHarmlessCallsWriteNothing: what is new of a session is written, and what is not new not at all, but for the time.
func TestHarmlessCallsWriteNothing(t *testing.T) {
	like, dir := testHandlers(t, nil)
	now := time.Now()
	said(t, like, event(dir, "s", "SessionStart", hook.Member{Name: "source", Value: `"startup"`}), now)
	path := session.Path(like.StateDir, "s")
	was := stamp([]string{path})
	bash := []hook.Member{{Name: "tool_name", Value: `"Bash"`}, {Name: "tool_input", Value: `{"command":"ls"}`}}
	said(t, like, event(dir, "s", "PreToolUse", bash...), now.Add(30*time.Second))
	said(t, like, event(dir, "s", "PostToolUse", bash...), now.Add(30*time.Second))
	said(t, like, event(dir, "s", "PostToolUseFailure", bash...), now.Add(30*time.Second))
	said(t, like, event(dir, "s", "CwdChanged", hook.Member{Name: "new_cwd", Value: quote(dir)}), now.Add(30*time.Second))
	if string(stamp([]string{path})) != string(was) {
		t.Error("harmless calls within a minute changed the file")
	}
	said(t, like, event(dir, "s", "PreToolUse", bash...), now.Add(90*time.Second))
	if s := session.Read(like.StateDir, "s"); s.Seen.Before(now.Add(89 * time.Second)) {
		t.Errorf("seen at %v, a minute and a half after %v", s.Seen, now)
	}
}

func TestCollision(t *testing.T) {
	like, dir := testHandlers(t, nil)
	all, err := rule.LoadRisks(os.DirFS("../..")) // which tools write is among the rules
	if err != nil {
		t.Fatal(err)
	}
	like.Tables.Risks = risk.NewSet(all)
	// In the past, since files have the time of the machine.
	now, file := time.Now().Add(-12*time.Minute), filepath.Join(dir, "a file.go")
	kit.Write(t, file, "x")
	call := func(id, name, tool string, at time.Time) hook.Answer {
		key := "file_path"
		if tool == "NotebookEdit" {
			key = "notebook_path"
		}
		return said(t, like, event(dir, id, name, hook.Member{Name: "tool_name", Value: quote(tool)},
			hook.Member{Name: "tool_input", Value: hook.Value(`{"` + key + `":` + string(quote(file)) + `}`)}), at)
	}
	warns := func(a hook.Answer) bool { return strings.Contains(a.System, "another session changed") }
	for _, id := range []string{"a", "b", "c", "d"} {
		said(t, like, event(dir, id, "SessionStart", hook.Member{Name: "source", Value: `"startup"`}), now)
	}
	call("a", "PostToolUse", "Edit", now)
	if warns(call("a", "PreToolUse", "Write", now.Add(time.Minute))) {
		t.Error("a session is warned of itself")
	}
	if a := call("b", "PreToolUse", "Write", now.Add(9*time.Minute)); !warns(a) || len(a.Context) == 0 || !strings.Contains(a.System, "9 minutes ago: a") {
		t.Errorf("nine minutes later: %+v", a)
	}
	if warns(call("b", "PreToolUse", "Edit", now.Add(9*time.Minute))) {
		t.Error("it is said twice")
	}
	if warns(call("c", "PreToolUse", "Write", now.Add(11*time.Minute))) {
		t.Error("eleven minutes later it is said still")
	}
	if warns(call("c", "PreToolUse", "Read", now.Add(time.Minute))) {
		t.Error("reading is no write")
	}
	call("b", "PostToolUse", "Write", now.Add(10*time.Minute))
	call("c", "PostToolUse", "Write", now.Add(11*time.Minute))
	if a := call("d", "PreToolUse", "Write", now.Add(12*time.Minute)); !strings.Contains(a.System, "a minute ago: c (and 1 more)") {
		t.Errorf("two others: %+v", a)
	}
	said(t, like, event(dir, "b", "SessionEnd"), now.Add(12*time.Minute))
	said(t, like, event(dir, "c", "SessionEnd"), now.Add(12*time.Minute))
	if warns(call("e", "PreToolUse", "Write", now.Add(12*time.Minute))) {
		t.Error("sessions that have ended are named")
	}
}

// TestTurnOfEveryEnd: each event that the tables name ends a turn.
func TestTurnOfEveryEnd(t *testing.T) {
	like, dir := testHandlers(t, nil)
	now := time.Now()
	for i := range events.Turns.Ends {
		end := &events.Turns.Ends[i]
		said(t, like, event(dir, end.How, "UserPromptSubmit", hook.Member{Name: "prompt", Value: `"do it"`}), now)
		var fields []hook.Member
		if end.When != "" {
			said(t, like, event(dir, end.How, end.Event), now)
			if s := session.Read(like.StateDir, end.How); !s.Turn.Runs() {
				t.Errorf("%s without %s ends the turn", end.Event, end.When)
			}
			fields = append(fields, hook.Member{Name: end.When, Value: "true"})
		}
		said(t, like, event(dir, end.How, end.Event, fields...), now)
		if s := session.Read(like.StateDir, end.How); s.Turn.Runs() || s.Turn.How != end.How || s.Turn.Number != 1 {
			t.Errorf("%s: %+v", end.Event, s.Turn)
		}
	}
}
