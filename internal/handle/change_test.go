package handle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/kit"
)

// registered is a settings file with the guard in it. The program is this test under
// moai's name.
func registered(t *testing.T, matcher, more string) (program, text string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(t.TempDir(), "moai")
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	return program, fmt.Sprintf(`{"hooks": {"PreToolUse": [{"matcher": %q, "hooks": [{"type": "command", "command": %q, "args": ["hook", "pre-tool"]%s}]}]}}`, matcher, program, more)
}

func changed(dir, source, file string) *hook.Event {
	e := &hook.Event{Name: "ConfigChange", Known: true, Dialect: hook.Claude, SessionID: "s1", CWD: dir, ProjectDir: dir}
	e.SetFields([]hook.Member{{Name: "source", Value: quote(source)}, {Name: "file_path", Value: quote(file)}})
	return e
}

// TestConfigChange tries what can become of the one file that registers moai.
func TestConfigChange(t *testing.T) {
	all := events.Events[events.Find("PreToolUse")].Register.Matcher
	_, good := registered(t, all, "")
	other, _ := registered(t, all, "")
	kit.Must(t, os.Remove(other))
	kit.Must(t, os.WriteFile(other, []byte("#!/bin/sh\n"), 0o755))
	edit := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	program := strings.Split(strings.SplitAfter(good, `"command": "`)[1], `"`)[0]
	for _, c := range []struct {
		name, after string // "" for gone
		blocked     bool
	}{
		{"as it was", good, false},
		{"permissions come", edit(`{"hooks"`, `{"permissions": {"allow": ["Bash(ls)"]}, "hooks"`), false},
		{"an event goes", edit(`"PreToolUse"`, `"Stop": [], "PreToolUse"`), false},
		{"a hook of others comes", edit(`"PreToolUse": [`, `"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}, `), false},
		{"more time", edit(`"args"`, `"timeout": 60, "args"`), false},
		{"closed on failure", edit(`"args"`, `"onFailure": "block", "args"`), false},
		{"no matcher at all", edit(all, ""), false},
		{"gone", "", true},
		{"empty", "{}", true},
		{"no bytes", " ", true},
		{"not JSON", "{", true},
		{"a comment", "// x\n" + good, true},
		{"off", edit(`{"hooks"`, `{"disableAllHooks": true, "hooks"`), true},
		{"off in words, so skipped", edit(`{"hooks"`, `{"disableAllHooks": "yes", "hooks"`), true},
		{"a wrong value", edit(`{"hooks"`, `{"model": 1, "hooks"`), true},
		{"another event", edit(`"PreToolUse"`, `"PostToolUse"`), true},
		{"narrowed", edit(all, "^(Bash|Read)$"), true},
		{"narrowed by one", edit("|Write|", "|"), true},
		{"a matcher that fits nothing", edit(all, "["), true},
		{"another program", edit(program, other), true},
		{"no program", edit(program, program+".gone/moai"), true},
		{"another verb", edit("pre-tool", "stop"), true},
		{"one word more", edit(`"pre-tool"`, `"pre-tool", "--help"`), true},
		{"for some calls only", edit(`"args"`, `"if": "Bash(true)", "args"`), true},
		{"not waited for", edit(`"args"`, `"async": true, "args"`), true},
		{"no time", edit(`"args"`, `"timeout": 0.001, "args"`), true},
		{"too large", good + strings.Repeat(" ", 2<<20), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, dir := testHandlers(t, nil)
			file := filepath.Join(dir, ".claude", "settings.local.json")
			kit.Write(t, file, good)
			start := &hook.Event{Name: "SessionStart", Known: true, SessionID: "s1", CWD: dir, ProjectDir: dir}
			start.SetFields([]hook.Member{{Name: "source", Value: quote("startup")}})
			h.sessionGuard(start)
			if c.after == "" {
				kit.Must(t, os.RemoveAll(filepath.Dir(file)))
			} else {
				kit.Write(t, file, c.after)
			}
			a, err := h.configChange(context.Background(), changed(dir, "local_settings", file))
			if err != nil || a.Decision.Refuses() != c.blocked {
				t.Fatalf("configChange = %v %q, %v; blocked should be %t", a.Decision, a.Reason, err, c.blocked)
			}
			if !c.blocked && (a.Reason != "" || a.System != "" || len(a.Context) > 0) {
				t.Errorf("a change that passes is spoken of: %+v", a)
			}
			if c.blocked && !strings.Contains(a.Reason, "moai init --uninstall") {
				t.Errorf("no way out in %q", a.Reason)
			}
			// What was refused once stays refused while another file changes.
			b, err := h.configChange(context.Background(), changed(dir, "project_settings", filepath.Join(dir, ".claude", "settings.json")))
			if err != nil || b.Decision.Refuses() != c.blocked {
				t.Errorf("with the change of another file: %v %q, %v", b.Decision, b.Reason, err)
			}
		})
	}
}

// TestConfigChangeElsewhere: what registers moai from elsewhere cannot be seen, and
// what is somebody's own arrangement stays one.
func TestConfigChangeElsewhere(t *testing.T) {
	_, odd := registered(t, "Bash", `, "timeout": 1`)
	for _, c := range []struct {
		name, before, after string
		blocked             bool
	}{
		{"by a plugin", `{}`, `{"model": "x"}`, false},
		{"by a plugin, and off", `{}`, `{"disableAllHooks": true}`, true},
		{"off already, and called all the same", `{"disableAllHooks": true}`, `{"disableAllHooks": true, "model": "x"}`, false},
		{"an arrangement of somebody's own", odd, strings.Replace(odd, `{"hooks"`, `{"model": "x", "hooks"`, 1), false},
		{"an arrangement that goes", odd, `{}`, true},
		{"an arrangement that gets worse", odd, strings.Replace(odd, `"timeout": 1`, `"timeout": 0.1`, 1), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, dir := testHandlers(t, nil)
			file := filepath.Join(dir, ".claude", "settings.json")
			kit.Write(t, file, c.before)
			start := &hook.Event{Name: "SessionStart", Known: true, SessionID: "s1", CWD: dir, ProjectDir: dir}
			start.SetFields([]hook.Member{{Name: "source", Value: quote("resume")}})
			h.sessionGuard(start)
			kit.Write(t, file, c.after)
			a, err := h.configChange(context.Background(), changed(dir, "project_settings", file))
			if err != nil || a.Decision.Refuses() != c.blocked {
				t.Errorf("configChange = %v %q, %v; blocked should be %t", a.Decision, a.Reason, err, c.blocked)
			}
		})
	}
}

// What was refused does not become the measure in the middle of a session.
func TestGuardOfASessionStays(t *testing.T) {
	all := events.Events[events.Find("PreToolUse")].Register.Matcher
	_, good := registered(t, all, "")
	h, dir := testHandlers(t, nil)
	file := filepath.Join(dir, ".claude", "settings.json")
	kit.Write(t, file, good)
	begin := func(source string) {
		e := &hook.Event{Name: "SessionStart", Known: true, SessionID: "s1", CWD: dir, ProjectDir: dir}
		e.SetFields([]hook.Member{{Name: "source", Value: quote(source)}})
		h.sessionGuard(e)
	}
	begin("startup")
	kit.Write(t, file, "{}")
	begin("compact")
	for range 2 {
		if a, err := h.configChange(context.Background(), changed(dir, "project_settings", file)); err != nil || !a.Decision.Refuses() {
			t.Errorf("after a compaction: %v, %v", a.Decision, err)
		}
	}
	for _, source := range []string{"policy_settings", "skills"} {
		if a, err := h.configChange(context.Background(), changed(dir, source, file)); err != nil || a.Decision.Refuses() {
			t.Errorf("%s: %v, %v", source, a.Decision, err)
		}
	}
}
