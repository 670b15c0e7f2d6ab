package wire

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
)

var update = flag.Bool("update", false, "write the golden files anew")

// loaded are the tables from the rules themselves: this package must not know what is generated from them.
var loaded = sync.OnceValues(func() (*Tables, error) {
	p, err := rule.LoadEvents(os.DirFS("../.."))
	if err != nil {
		return nil, err
	}
	adapters, err := rule.LoadAdapters(os.DirFS("../.."), p)
	if err != nil {
		return nil, err
	}
	find := map[string]int{}
	for i, e := range p.Events {
		for _, s := range append([]string{e.Name, e.Verb}, e.Aliases...) {
			find[rule.Squeeze(s)] = i
		}
	}
	return &Tables{p.Events, p.Common, p.Dialects, adapters, p.Tools, func(name string) int {
		if i, ok := find[rule.Squeeze(name)]; ok {
			return i
		}
		return -1
	}}, nil
})

func rules(t testing.TB) *Tables {
	t.Helper()
	tables, err := loaded()
	kit.Must(t, err)
	return tables
}

// full says everything that can be said.
var full = hook.Answer{
	Reason: "rm -rf ~ would delete <home>", System: "🏗️ MoAI-ADK Project Info\n📦 Language: Go 1.26", Message: "🚀 MoAI-ADK Session Started",
	Context: []string{"The project is in Go.", "Tests: go test ./..."}, Suggestions: []string{"rm -r build", "git clean -n"},
	ContextFiles:  []string{".moai/memory/개발.md", "tests/"},
	Notifications: []hook.Notification{{Level: "warn", Title: "port", Message: "none is open", Action: "pal port create x"}, {Level: "odd", Message: "fyi"}},
	Special:       map[string]any{"sessionTitle": "제목", "foreign": true},
	Data:          map[string]any{"project": map[string]any{"language": "go"}, "specs": 3},
	Work: hook.Work{
		Port: &hook.Port{ID: "p1", Title: "로그인", Status: "running"}, Docs: []hook.Doc{{Path: "a.md", Tokens: 12}, {Path: "b.md"}},
		State: "running", TokensUsed: 12, TokenBudget: 15000,
	},
}

func with(d hook.Decision, change ...func(*hook.Answer)) hook.Answer {
	a := full
	a.Decision = d
	for _, c := range change {
		c(&a)
	}
	return a
}

var goldens = []struct {
	dialect, event, name string
	answer               hook.Answer
}{
	// Every event can be answered by nothing in every dialect.
	{hook.Alfred, "Stop", "nothing", hook.Answer{}},
	{hook.Moai03, "Stop", "nothing", hook.Answer{}},
	{hook.Compiled, "Stop", "nothing", hook.Answer{}},
	{hook.Pal, "Stop", "nothing", hook.Answer{}},
	{hook.Claude, "Stop", "nothing", hook.Answer{}},

	{hook.Alfred, "SessionStart", "card", hook.Answer{System: full.System}},
	{hook.Alfred, "UserPromptSubmit", "documents", hook.Answer{ContextFiles: full.ContextFiles}},
	{hook.Alfred, "PreToolUse", "blocked", with(hook.Deny)},
	{hook.Alfred, "PreToolUse", "asked", with(hook.Ask)},
	{hook.Alfred, "PreToolUse", "warned", with(hook.None)},

	{hook.Moai03, "SessionStart", "message", hook.Answer{System: full.Message}},
	{hook.Moai03, "UserPromptSubmit", "documents", hook.Answer{Message: "📚 Loaded 2 context file(s)", ContextFiles: full.ContextFiles}},
	{hook.Moai03, "PreCompact", "tip", hook.Answer{
		Message: "💡 Tip: Use `/clear` or `/new` to start fresh session", Suggestions: []string{"one", "two", "three"},
	}},
	{hook.Moai03, "PreToolUse", "blocked", with(hook.Block)},
	{hook.Moai03, "PreToolUse", "everything", with(hook.None)},

	{hook.Compiled, "SessionStart", "data", hook.Answer{Data: full.Data}},
	{hook.Compiled, "PreToolUse", "blocked", with(hook.Deny)},
	{hook.Compiled, "PreToolUse", "asked", with(hook.Ask)},
	{hook.Compiled, "PreToolUse", "no reason", hook.Answer{Decision: hook.Block}},

	{hook.Pal, "PreToolUse", "everything", with(hook.None)},
	{hook.Pal, "PreToolUse", "allowed", hook.Answer{Decision: hook.Allow, Reason: "known"}},
	{hook.Pal, "PreToolUse", "denied", with(hook.Deny)},
	{hook.Pal, "PreToolUse", "blocked", hook.Answer{Decision: hook.Block, Reason: "no port is open", Suggestions: []string{"a", "b"}}},
	{hook.Pal, "PreToolUse", "asked", with(hook.Ask)},

	{hook.Claude, "SessionStart", "everything", with(hook.None)},
	{hook.Claude, "SessionStart", "denied", with(hook.Deny)}, // cannot be: the user is told
	{hook.Claude, "UserPromptSubmit", "documents", hook.Answer{ContextFiles: full.ContextFiles}},
	{hook.Claude, "UserPromptSubmit", "denied", with(hook.Deny)},
	{hook.Claude, "PreToolUse", "denied", with(hook.Deny)},
	{hook.Claude, "PreToolUse", "asked", with(hook.Ask)},
	{hook.Claude, "PreToolUse", "allowed", hook.Answer{Decision: hook.Allow, Reason: "known", UpdatedInput: `{"command":"ls"}`}},
	{hook.Claude, "PreToolUse", "checkpoint", hook.Answer{System: "checkpoint/before-rm-1697012345: moai checkpoint restore @1"}},
	{hook.Claude, "PermissionRequest", "denied", with(hook.Deny)},
	{hook.Claude, "PermissionRequest", "allowed", hook.Answer{Decision: hook.Allow, UpdatedInput: `{"command":"ls"}`}},
	{hook.Claude, "PostToolUse", "blocked", with(hook.Block)},
	{hook.Claude, "Stop", "blocked", with(hook.Block)},
	{hook.Claude, "Stop", "ended", hook.Answer{Stop: true, StopReason: "20 rounds are enough"}},
	{hook.Claude, "PreCompact", "everything", with(hook.None)},
	{hook.Claude, "SessionEnd", "everything", with(hook.Deny)},
	{hook.Claude, "TaskCompleted", "blocked", with(hook.Block)},
	{hook.Claude, "Elicitation", "denied", with(hook.Deny)},
	{hook.Claude, "PreModelSwitch", "asked", with(hook.Ask)},
	{hook.Claude, "WorktreeCreate", "path", hook.Answer{Special: map[string]any{"worktreePath": "/srv/tree 한"}}},
	{hook.Claude, "FutureEvent", "denied", with(hook.Deny)},
}

func TestGoldens(t *testing.T) {
	tables := rules(t)
	for _, g := range goldens {
		e := &hook.Event{Name: g.event, Known: tables.Event(g.event) != nil, Dialect: g.dialect}
		out := Encode(tables, e, g.answer)
		got := fmt.Sprintf("exit %d\n-- stderr --\n%s-- stdout --\n%s", out.Exit, out.Stderr, out.Stdout)
		file := filepath.Join("testdata", g.dialect, g.event+"-"+strings.ReplaceAll(g.name, " ", "-")+".golden")
		if *update {
			kit.Write(t, file, got)
		}
		want, err := os.ReadFile(file)
		kit.Must(t, err)
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if g.dialect == hook.Claude && e.Known {
			if err := Validate(tables.Event(g.event), out); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// The keys of each older dialect, all of them, in every answer.
func TestKeysOfOlderDialects(t *testing.T) {
	for dialect, want := range map[string]string{
		hook.Alfred:   "blocked message systemMessage context",
		hook.Moai03:   "message blocked suggestions contextFiles",
		hook.Compiled: "decision reason data",
		hook.Pal:      "decision reason context notifications suggestions metadata",
	} {
		for d := hook.None; d <= hook.Block; d++ {
			for _, a := range []hook.Answer{{Decision: d}, with(d)} {
				out := Encode(&Tables{}, &hook.Event{Dialect: dialect}, a)
				members, err := hook.Members(string(out.Stdout), nil)
				kit.Must(t, err)
				var got []string
				for _, m := range members {
					got = append(got, m.Name)
				}
				if strings.Join(got, " ") != want {
					t.Errorf("%s, %s: keys %v, want %s", dialect, d, got, want)
				}
				if refused := d >= hook.Ask; (out.Exit == 2) != refused || (len(out.Stderr) > 0) != refused && dialect != hook.Pal {
					t.Errorf("%s, %s: exit code %d, stderr %q", dialect, d, out.Exit, out.Stderr)
				}
			}
		}
	}
}

// What no JSON can hold is lost; a refusal is not.
func TestWhatCannotBeWritten(t *testing.T) {
	tables := rules(t)
	for _, dialect := range []string{hook.Claude, hook.Alfred, hook.Moai03, hook.Compiled, hook.Pal} {
		a := hook.Answer{
			Decision: hook.Deny, Reason: "no", UpdatedInput: `{"broken`,
			Data: map[string]any{"nan": math.NaN()}, Special: map[string]any{"updatedInput": func() {}},
		}
		out := Encode(tables, &hook.Event{Name: "PreToolUse", Known: true, Dialect: dialect}, a)
		members, err := hook.Members(string(out.Stdout), nil)
		if err != nil || len(members) == 0 || out.Exit != 2 || !strings.HasSuffix(string(out.Stderr), "no\n") {
			t.Errorf("%s: %q, %q, %d, %v", dialect, out.Stdout, out.Stderr, out.Exit, err)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, s := range []string{
		"", "short", strings.Repeat("x", maxText), strings.Repeat("x", maxText+1), strings.Repeat("한", maxText), strings.Repeat("한", maxText+1),
		strings.Repeat("😀", maxText/2), strings.Repeat("😀", maxText/2+1), strings.Repeat("a😀", 50000),
	} {
		got := shorten(s)
		units := len(utf16.Encode([]rune(s)))
		if n := len(utf16.Encode([]rune(got))); n > maxText {
			t.Errorf("shorten of %d units gives %d", units, n)
		}
		if whole := units <= maxText; whole != (got == s) {
			t.Errorf("shorten of %d units changed it: %v", units, got != s)
		}
		if head, _, cut := strings.Cut(got, "\n… (cut by moai: "); cut && !strings.HasPrefix(s, head) {
			t.Error("shorten does not keep the beginning")
		}
	}
}

func TestValidateFindsWhatAClientWouldDrop(t *testing.T) {
	tables := rules(t)
	for _, c := range []struct {
		event, stdout, stderr string
		exit                  int
		want                  string // "" when the answer is fine
	}{
		{"Stop", `{}`, "", 0, ""},
		{"Stop", ``, "", 0, ""},
		{"Stop", `{"decision":"block","reason":"x"}`, "x", 2, ""},
		{"Stop", `{"decision":"block","reason":"x"}`, "", 0, "without exit code 2"},
		{"Stop", `{"decision":"allow"}`, "", 0, "approve or block"},
		{"SessionEnd", `{"hookSpecificOutput":{"hookEventName":"SessionEnd"}}`, "", 0, "takes none"},
		{"PreCompact", `{"hookSpecificOutput":{"hookEventName":"PreCompact","additionalContext":"x"}}`, "", 0, "takes none"},
		{"SessionEnd", `{"decision":"block"}`, "", 0, "takes none"},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PostToolUse"}}`, "", 0, "hookEventName"},
		{"PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, "", 0, "hookEventName"},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"no"}}`, "", 0, "permissionDecision"},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`, "", 1, "without exit code 2"},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","sessionTitle":"x"}}`, "", 0, "sessionTitle"},
		{"PreToolUse", `log line` + "\n" + `{}`, "", 0, "not one JSON object"},
		{"PreToolUse", `{}` + "\n" + `{}`, "", 0, "not one JSON object"},
		{"PreToolUse", `[]`, "", 0, "not one JSON object"},
		{"PreToolUse", `{"blocked":true}`, "", 0, "blocked"},
		{"PreToolUse", `{"systemMessage":1}`, "", 0, "want a text"},
		{"PreToolUse", `{"continue":"no"}`, "", 0, "continue"},
		{"PreToolUse", `{"systemMessage":"` + strings.Repeat("한", maxText+1) + `"}`, "", 0, "10001 characters"},
		{"PreToolUse", ``, "", 2, "without a reason"},
		{"PreToolUse", ``, "", 3, "exit code 3"},
		{"WorktreeCreate", "/srv/tree\n", "", 0, ""},
	} {
		err := Validate(tables.Event(c.event), Output{Stdout: []byte(c.stdout), Stderr: []byte(c.stderr), Exit: c.exit})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("Validate(%s, %.80q, %d) = %v, want %q", c.event, c.stdout, c.exit, err, c.want)
		}
	}
}

func TestFailureIsOneLine(t *testing.T) {
	for dialect, want := range map[string]string{"": "moai: hook: invalid JSON input: x\n", hook.Alfred: "moai: hook: invalid JSON input: x\n", hook.Moai03: "JSON parse error: x\n"} {
		if got := string(Failure(dialect, fmt.Errorf("%w: x", hook.ErrInput)).Stderr); got != want {
			t.Errorf("Failure(%q) = %q, want %q", dialect, got, want)
		}
	}
	out := Failure("", fmt.Errorf("%w: a\nb\t%s", hook.ErrInput, strings.Repeat("한", 1000)))
	if out.Exit != 1 || len(out.Stdout) > 0 || !strings.HasPrefix(string(out.Stderr), "moai: hook: invalid JSON input: a b 한") ||
		strings.Count(string(out.Stderr), "\n") != 1 || len(out.Stderr) > 600 {
		t.Errorf("Failure = %q, %d", out.Stderr, out.Exit)
	}
}
