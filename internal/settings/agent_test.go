package settings

import (
	"errors"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/rule"
)

var agentWant = Registration{Program: "/opt/my tools/moai", Line: true, Hooks: []Hook{
	{Event: "stop", Args: []string{"hook", "stop", "--dialect", "cursor"}, Timeout: 10},
	{Event: "preToolUse", Args: []string{"hook", "pre-tool", "--dialect", "cursor"}, Matcher: "Write|Delete", Timeout: 10, Failure: Block},
}}

// TestFlat: others' entries stay in place, the second time changes nothing, and what goes out is what came in.
func TestFlat(t *testing.T) {
	for _, old := range []string{
		"", "{}\n", `{"version": 1, "hooks": {}}`,
		"{\n  // mine\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      {\"command\": \"mine\"}\n    ]\n  }\n}\n",
		`{"hooks":{"stop":[{"command":"a"},{"command":"b"}],"preToolUse":[{"command":"c"}]},"version":1}`,
	} {
		data, err := PlanFlat([]byte(old), agentWant)
		if err != nil {
			t.Fatalf("%q: %v", old, err)
		}
		for _, part := range []string{`'/opt/my tools/moai' hook stop --dialect cursor`, `"matcher": "Write|Delete"`, `"failClosed": true`} {
			if plain := strings.ReplaceAll(part, `": `, `":`); !strings.Contains(strings.ReplaceAll(string(data), `": `, `":`), plain) {
				t.Errorf("%q: no %s in\n%s", old, part, data)
			}
		}
		again, err := PlanFlat(data, agentWant)
		if err != nil || string(again) != string(data) {
			t.Errorf("%q: a second time, %v:\n%s", old, err, again)
		}
		rest, err := RemoveFlat(data)
		if err != nil || strings.Contains(string(rest), "moai") {
			t.Errorf("%q: %v, left:\n%s", old, err, rest)
		}
		for _, mine := range []string{`"mine"`, `"a"`, `"b"`, `"c"`, "// mine"} {
			if strings.Count(old, mine) != strings.Count(string(rest), mine) {
				t.Errorf("%q: %s is gone:\n%s", old, mine, rest)
			}
		}
	}
	for _, wrong := range []string{`{"hooks": []}`, `{"hooks": {"stop": {}}}`, `[]`} {
		if _, err := PlanFlat([]byte(wrong), agentWant); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
	moved := agentWant
	moved.Program = "/usr/bin/moai"
	data, _ := PlanFlat(nil, agentWant)
	if data, _ = PlanFlat(data, moved); strings.Contains(string(data), "my tools") || strings.Count(string(data), "/usr/bin/moai") != 2 {
		t.Errorf("moved:\n%s", data)
	}
}

// TestTrust: the places and hashes are those that Codex 0.169.0 wrote itself for the same hooks, see the texts.
func TestTrust(t *testing.T) {
	data := `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"other"},{"type":"command","command":"/x/moai hook pre-tool","timeout":10}]}],"Stop":[{"matcher":"no","hooks":[{"type":"command","command":"/x/moai hook stop","timeout":5}]}]}}`
	got, err := TrustOf("/h/.codex/hooks.json", []byte(data), func(event string) bool { return event == "Stop" })
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`[hooks.state."/h/.codex/hooks.json:pre_tool_use:0:1"]`, `[hooks.state."/h/.codex/hooks.json:stop:0:0"]`} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in\n%s", part, got)
		}
	}
	if strings.Contains(got, ":0:0\"]\ntrusted_hash = \"sha256:") && strings.Contains(got, "pre_tool_use:0:0") {
		t.Errorf("somebody else's hook is trusted:\n%s", got)
	}
	h, _ := hook.Parse(`{"type":"command","command":"a <b>","timeout":600}`)
	one, other := trustHash("pre_tool_use", h, `"Bash"`), trustHash("pre_tool_use", h, "")
	if one == other || len(one) != 64 {
		t.Errorf("%s, %s", one, other)
	}
}

// TestTrusted: only a hash at its own place is a yes.
func TestTrusted(t *testing.T) {
	one, other := "[hooks.state.\"/h/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:aa\"\n", "[hooks.state.\"/h/hooks.json:stop:1:0\"]\ntrusted_hash = \"sha256:bb\"\n"
	swapped := strings.NewReplacer("aa", "bb", "bb", "aa").Replace(one + other)
	for config, want := range map[string]bool{
		one + other: true, "model = \"x\"\n" + other + one: true, strings.ReplaceAll(one+other, "\"sha256", " \"sha256"): true,
		"": false, one: false, swapped: false, "# " + strings.ReplaceAll(one+other, "\n", "\n# "): false, one + other + "x": false,
	} {
		if got := Trusted([]byte(config), one+other); got != want {
			t.Errorf("%q: %v, want %v", config, got, want)
		}
	}
}

// TestPlanTrust: trust is added once, and never where the file could not be read with it.
func TestPlanTrust(t *testing.T) {
	const trust = "[hooks.state.\"k\"]\ntrusted_hash = \"sha256:0\"\n"
	for _, old := range []string{"", "model = \"x\"\n", "model = \"x\"", "[hooks]\n[[hooks.Stop]]\n"} {
		data, err := PlanTrust([]byte(old), trust)
		if err != nil {
			t.Errorf("%q: %v", old, err)
		}
		if again, err := PlanTrust(data, trust); err != nil || string(again) != string(data) {
			t.Errorf("%q: a second time: %v\n%s", old, err, again)
		}
		if rest, err := RemoveTrust(data); err != nil || strings.TrimSuffix(string(rest), "\n") != strings.TrimSuffix(old, "\n") {
			t.Errorf("%q: left %q, %v", old, rest, err)
		}
	}
	for _, old := range []string{trust, "hooks = {}\n", "model = \"", trustBegins} {
		if _, err := PlanTrust([]byte(old), trust); !errors.Is(err, ErrTrust) {
			t.Errorf("%q: %v, want ErrTrust", old, err)
		}
	}
}

// TestPlugin: the plugin names the program and what happens without an answer, and only moai's own is taken out.
func TestPlugin(t *testing.T) {
	in := &rule.Install{Form: "plugin", Alone: true}
	data, err := PlanAgent(in, nil, agentWant)
	if err != nil || !strings.Contains(string(data), `const program = "/opt/my tools/moai"`) || strings.Contains(string(data), "@") && strings.Contains(string(data), "@PROGRAM@") {
		t.Fatalf("%v\n%s", err, data)
	}
	if rest, err := StripAgent(in)(data); err != nil || len(rest) > 0 {
		t.Errorf("%v, %q", err, rest)
	}
	if _, err := StripAgent(in)([]byte("export const Mine = 1\n")); !errors.Is(err, ErrForeign) {
		t.Errorf("%v, want ErrForeign", err)
	}
}
