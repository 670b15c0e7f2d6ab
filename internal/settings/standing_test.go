package settings

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// full is a settings file with moai's guard in it; more goes into its entry.
func full(matcher, more string) []byte {
	return fmt.Appendf(nil, `{"hooks": {"PreToolUse": [{"matcher": %q, "hooks": [{"type": "command", "command": "/bin/moai", "args": ["hook", "pre-tool"]%s}]}]}}`, matcher, more)
}

func stands(known []string, files ...string) Standing {
	var list []Scoped
	for i, f := range files {
		list = append(list, Scoped{Path: fmt.Sprint("f", i), Data: []byte(f)})
	}
	return Stands(list, "PreToolUse", []string{"Bash", "Write", "mcp__a__b"}, known, func(e *Entry) bool {
		return e.Program == "/bin/moai" && slices.Equal(e.Args, []string{"hook", "pre-tool"})
	})
}

func TestStands(t *testing.T) {
	ok := string(full("^(Bash|Write|mcp__.*)$", ""))
	for _, c := range []struct {
		name  string
		files []string
		tools string
		off   string
	}{
		{"nothing", []string{"", "{}"}, "", ""},
		{"full", []string{ok}, "Bash Write mcp__a__b", ""},
		{"another scope", []string{"{}", "", ok}, "Bash Write mcp__a__b", ""},
		{"two halves", []string{string(full("Bash", "")), string(full("mcp__.*", ""))}, "Bash mcp__a__b", ""},
		{"narrowed", []string{string(full("Bash", ""))}, "Bash", ""},
		{"a matcher that never fits", []string{string(full("[", ""))}, "", ""},
		{"no matcher", []string{string(full("", ""))}, "Bash Write mcp__a__b", ""},
		{"another program", []string{strings.Replace(ok, "/bin/moai", "/tmp/moai", 1)}, "", ""},
		{"another verb", []string{strings.Replace(ok, "pre-tool", "stop", 1)}, "", ""},
		{"output thrown away", []string{`{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/bin/moai hook pre-tool >/dev/null"}]}]}}`}, "Bash Write mcp__a__b", ""},
		{"only for some calls", []string{string(full("", `, "if": "Bash(true)"`))}, "", ""},
		{"in the background", []string{string(full("", `, "async": true`))}, "", ""},
		{"woken later", []string{string(full("", `, "asyncRewake": true`))}, "", ""},
		{"not in the background", []string{string(full("", `, "async": false`))}, "Bash Write mcp__a__b", ""},
		{"no time", []string{string(full("", `, "timeout": 0.01`))}, "", ""},
		{"time enough", []string{string(full("", `, "timeout": 10, "onFailure": "block"`))}, "Bash Write mcp__a__b", ""},
		{"a comment", []string{"// x\n" + ok}, "", ""},
		{"a comma", []string{strings.TrimSuffix(ok, "}") + ",}"}, "", ""},
		{"twice", []string{strings.TrimSuffix(ok, "}") + `, "hooks": {}}`}, "", ""},
		{"a wrong value beside it", []string{strings.TrimSuffix(ok, "}") + `, "model": 5}`}, "", ""},
		{"a wrong hook beside it", []string{strings.Replace(ok, `"PreToolUse": [`, `"PermissionRequest": [{"hooks": [{"type": "x"}]}], "PreToolUse": [`, 1)}, "", ""},
		{"a wrong hook that guards nothing", []string{strings.Replace(ok, `"PreToolUse": [`, `"Stop": [{"hooks": [{"type": "x"}]}], "PreToolUse": [`, 1)}, "Bash Write mcp__a__b", ""},
		{"off", []string{ok, `{"disableAllHooks": true}`}, "Bash Write mcp__a__b", "f1"},
		{"off and on again", []string{ok, `{"disableAllHooks": true}`, `{"disableAllHooks": false}`}, "Bash Write mcp__a__b", ""},
		{"off in a file that is not taken", []string{ok, "// x\n" + `{"disableAllHooks": true}`}, "Bash Write mcp__a__b", ""},
		{"off in words", []string{ok, `{"disableAllHooks": "true"}`}, "Bash Write mcp__a__b", ""},
	} {
		s := stands(nil, c.files...)
		if got := strings.Join(s.Tools, " "); c.name != "output thrown away" && got != c.tools || s.Off != c.off {
			t.Errorf("%s: tools %q, off %q, want %q, %q (skipped %v)", c.name, got, s.Off, c.tools, c.off, s.Skipped)
		}
	}
	if s := stands(nil, "// x\n"+ok); len(s.Skipped) != 1 || !strings.Contains(s.Skipped[0].String(), "comments") {
		t.Errorf("skipped = %v, want the comment", s.Skipped)
	}
}

// An arrangement of somebody's own stays one as long as it is written in the same way.
func TestStandsByKnownWording(t *testing.T) {
	odd := string(full("", `, "timeout": 1`))
	all := Stands([]Scoped{{Path: "f", Data: []byte(odd)}}, "PreToolUse", []string{"Bash"}, nil, func(*Entry) bool { return true })
	if len(all.Tools) != 0 {
		t.Fatalf("an entry without time counts: %v", all)
	}
	known := Wordings([]Scoped{{Path: "f", Data: []byte(odd)}}, "PreToolUse")
	if s := stands(known, odd); strings.Join(s.Tools, " ") != "Bash Write mcp__a__b" {
		t.Errorf("with its known wording: %v", s)
	}
	if s := stands(known, string(full("", `, "timeout": 0.5`))); len(s.Tools) != 0 {
		t.Errorf("with another one: %v", s)
	}
}

func TestPlain(t *testing.T) {
	args := []string{"hook", "pre-tool"}
	for shell, want := range map[string]bool{
		"": true, "moai hook pre-tool": true, `"moai" hook 'pre-tool'`: true, portable(args): true,
		"moai hook pre-tool >/dev/null": false, "moai hook pre-tool || true": false, "true || moai hook pre-tool": false,
		"command -v moai || exit 0; exec moai hook pre-tool >/dev/null": false,
	} {
		if e := (Entry{Program: "moai", Args: args, Shell: shell}); e.Plain() != want {
			t.Errorf("Plain(%q) = %t, want %t", shell, !want, want)
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		matcher, name string
		want          bool
	}{
		{"", "Bash", true},
		{"*", "Bash", true},
		{"Bash", "Bash", true},
		{"bash", "Bash", false},
		{"Ba", "Bash", false},
		{"Edit|Write", "Write", true},
		{"Edit, Write", "Write", true},
		{"Edit Write", "Write", false},
		{"Ba.*", "Bash", true},
		{".*", "Bash", true},
		{"Bash(echo *)", "Bash", false},
		{"[", "Bash", false},
		{"mcp__helper", "mcp__helper__echo", false},
		{"mcp__helper__.*", "mcp__helper__echo", true},
		{"^Bash$", "Bash", true},
		{"(?=x)Bash", "Bash", false},
	} {
		if got := Fits(c.matcher, c.name); got != c.want {
			t.Errorf("Fits(%q, %q) = %t, want %t", c.matcher, c.name, got, c.want)
		}
	}
}
