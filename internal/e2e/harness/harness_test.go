package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// TestScenarios reads every scenario as strictly as a run does, so that a typo
// shows without the client.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "e2e", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		s, err := loadScenario(file, (&runner{out: "/o", base: "http://m", self: "/h"}).names())
		if err != nil {
			t.Error(err)
			continue
		}
		if s.About == "" || len(s.Prompts) == 0 || len(s.Expect)+len(s.Finish) == 0 {
			t.Errorf("%s: about, prompts and checks must be there", file)
		}
	}
}

// TestMock plays a scenario's model: turns in order, lanes apart, and what the
// client sent is kept for the checks.
func TestMock(t *testing.T) {
	m, err := newMock(&Scenario{
		Turns: []Turn{{Text: "first"}, {Tools: []ToolCall{{Name: "Bash", Input: json.RawMessage(`{"command":"ls"}`)}}}},
		Lanes: []Lane{{Name: "side", First: "for the side", Turns: []Turn{{Text: "aside"}}}},
	}, t.TempDir())
	kit.Must(t, err)
	server := httptest.NewServer(m)
	defer server.Close()
	ask := func(text string, stream bool) string {
		t.Helper()
		body, _ := json.Marshal(map[string]any{
			"model": "m", "stream": stream, "tools": []any{map[string]string{"name": "Bash"}},
			"messages": []any{
				map[string]any{"role": "user", "content": text},
				map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t1", "content": "result of " + text}}},
			},
		})
		resp, err := http.Post(server.URL+"/v1/messages", "application/json", strings.NewReader(string(body)))
		kit.Must(t, err)
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return string(b)
	}
	for _, test := range []struct {
		text   string
		stream bool
		want   string
	}{
		{"one", false, `"text":"first"`},
		{"for the side", false, `"text":"aside"`},
		{"two", true, `"partial_json":"{\"command\":\"ls\"}"`},
		{"three", false, `"text":"Done."`},
	} {
		if got := ask(test.text, test.stream); !strings.Contains(got, test.want) {
			t.Errorf("answer to %q = %s, want %s in it", test.text, got, test.want)
		}
	}
	if q := m.requests[1]; q.Lane != "side" || !strings.Contains(q.text, "result of for the side") || len(q.results) != 1 {
		t.Errorf("second request kept as %+v", q)
	}
}

func TestWrapSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	old := `{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"type": "command", "command": "a 'b'"}, {"type": "command", "command": "/m", "args": ["hook"]}, {"type": "http", "url": "u"}]}]}}`
	kit.Must(t, os.WriteFile(file, []byte(old), 0o600))
	kit.Must(t, wrapSettings(file, "/h", "/log"))
	b, err := os.ReadFile(file)
	kit.Must(t, err)
	var got struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Command string
				Args    []string
				URL     string
			}
		}
	}
	kit.Must(t, json.Unmarshal(b, &got))
	hooks := got.Hooks["Stop"][0].Hooks
	if want := `'/h' 'wrap' '-log' '/log' '-event' 'Stop' -shell "$0" -- 'a '\''b'\'''`; hooks[0].Command != want {
		t.Errorf("shell form became %s, want %s", hooks[0].Command, want)
	}
	if want := "wrap -log /log -event Stop -- /m hook"; hooks[1].Command != "/h" || strings.Join(hooks[1].Args, " ") != want {
		t.Errorf("exec form became %s %v, want /h %s", hooks[1].Command, hooks[1].Args, want)
	}
	if hooks[2].URL != "u" {
		t.Errorf("a foreign hook became %+v", hooks[2])
	}
}

func TestCheck(t *testing.T) {
	two, one := 2, 1
	report := &Report{
		Hooks: []HookRecord{
			{Event: "PreToolUse", Stdin: json.RawMessage(`{"tool_name":"Bash","tool_input":{"command":"ls -l"}}`), Stdout: "{}\n"},
			{Event: "PreToolUse", Stdin: json.RawMessage(`{"tool_name":"Write"}`), Stdout: `{"deny":1}`, ExitCode: 2},
		},
		Requests:  []*Request{{Lane: "helper", text: "aside"}, {Lane: "main", text: "facts"}, {Lane: "main", text: "more"}},
		ClientSaw: []map[string]any{{"hook_event": "Stop", "outcome": "error"}},
		Shown:     []string{"SessionStart says: card"},
		Client:    ClientReport{ExitCode: 0, Asked: []any{1}},
	}
	zero := 0
	tests := []struct {
		e  Expect
		ok bool
	}{
		{Expect{Hook: "PreToolUse", Count: &two}, true},
		{Expect{Hook: "PreToolUse", Tool: "Bash", Count: &two}, false},
		{Expect{Hook: "PreToolUse", Where: map[string]string{"tool_input.command": "ls"}, StdoutIs: "{}", HookExit: &zero}, true},
		{Expect{Hook: "PreToolUse", Tool: "Write", StdoutLacks: "deny"}, false},
		{Expect{Hook: "Stop"}, false},
		{Expect{FirstRequestContains: "facts"}, true},
		{Expect{FirstRequestContains: "more"}, false},
		{Expect{RequestContains: "more", RequestLacks: "card"}, true},
		{Expect{UserSees: "card", UserLacks: "facts", Asked: &one}, true},
		{Expect{UserSees: "facts"}, false},
		{Expect{Asked: &two}, false},
		{Expect{ClientExit: &one}, false},
		{Expect{ClientSaw: map[string]string{"Stop": "error", "SessionEnd": "none"}}, true},
		{Expect{ClientSaw: map[string]string{"Stop": "success"}}, false},
	}
	for _, test := range tests {
		ok := true
		for _, c := range test.e.check(report, t.TempDir()) {
			ok = ok && c.OK
		}
		if ok != test.ok {
			t.Errorf("check %+v = %v, want %v", test.e, ok, test.ok)
		}
	}
	// A run in which nothing happened passes no check.
	for _, e := range []Expect{{Hook: "Stop", Stdout: "x"}, {FirstRequestContains: "facts"}, {RequestContains: "facts"}, {ToolResultContains: "x"}, {UserSees: "card"}, {LastRequestCounts: map[string]int{"x": 0}}} {
		checks := e.check(&Report{}, t.TempDir())
		if !slices.ContainsFunc(checks, func(c Check) bool { return !c.OK }) {
			t.Errorf("check %+v of an empty run = %+v, want one that fails", e, checks)
		}
	}
	if c := (Step{Run: "x", Exit: 1, Contains: "no"}).check(StepReport{Exit: 1, Output: "no way"}); !c.OK {
		t.Errorf("step check = %+v", c)
	}
	if c := (Step{Run: "x"}).check(StepReport{Exit: 1}); c.OK {
		t.Errorf("step check = %+v", c)
	}
}
