package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// torn is an input that breaks moai itself.
type torn struct{ text string }

func (r torn) Read([]byte) (int, error) { panic("unexpected " + r.text) }

// broken is one that cannot be read, and says so in its own words.
type broken struct{ text string }

func (r broken) Read([]byte) (int, error) { return 0, errors.New("unexpected " + r.text) }

// TestSecretsStayWhenMoaiFails has a part of moai fail over a call with a secret in it, and looks at what is said and written.
func TestSecretsStayWhenMoaiFails(t *testing.T) {
	const kept = "q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3U"
	const text = "curl -u bob:hunter2Xq7 x.io; TOKEN=ghp_" + kept + " make"
	for _, part := range []struct{ setting, variable string }{
		{"open", "CDPATH"}, {"closed", "CDPATH"}, // read where the line is taken apart
		{"open", "GIT_DIR"}, {"closed", "GIT_DIR"}, // read where it is judged
	} {
		setting := part.setting
		s := newShop(t)
		s.settings("[guard]\non_failure = \"" + setting + "\"\n")
		getenv := s.e.getenv
		failures := 0
		s.e.getenv = func(name string) string {
			switch name {
			case part.variable:
				failures++
				panic("cannot go on with " + text)
			case "MOAI_LOG":
				return "debug"
			}
			return getenv(name)
		}
		said := map[string]string{}
		for _, event := range []string{"PreToolUse", "PostToolUse", "PermissionRequest"} {
			said[event] = s.hook(map[string]any{"hook_event_name": event, "tool_name": "Bash", "tool_input": map[string]any{"command": "cd x; git reset --hard; rm -rf \"$TMPDIR/x\"; " + text}})
		}
		if failures == 0 || !strings.Contains(said["PreToolUse"], "cannot go on with") {
			t.Errorf("%s, %s: nothing failed (%d): %s", setting, part.variable, failures, said["PreToolUse"])
		}
		for name, in := range map[string]io.Reader{"panic": torn{text}, "error": broken{text}, "no JSON": strings.NewReader("TOKEN=ghp_" + kept)} {
			for _, verb := range []string{"pre-tool", "session-start", ""} {
				s.out.Reset()
				s.err.Reset()
				s.e.in = in
				code := Run(strings.Fields("hook "+verb), s.e)
				said[name+" "+verb] = s.out.String() + s.err.String()
				if said[name+" "+verb] == "" || code == 2 && setting == "open" {
					t.Errorf("%s: %s of %q says %q, code %d", setting, name, verb, said[name+" "+verb], code)
				}
			}
		}
		_ = filepath.WalkDir(filepath.Dir(s.dir), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				data, _ := os.ReadFile(name)
				said[name] = string(data)
			}
			return nil
		})
		for name, what := range said {
			for _, secret := range []string{kept, "hunter2Xq7"} {
				if i := strings.Index(what, secret); i >= 0 {
					t.Errorf("%s: %s holds %q: …%.300s", setting, name, secret, what[max(0, i-150):])
				}
			}
		}
	}
}

// A line that moai fails to take apart is not let through as if nothing were in it: it is asked about, and stopped where guard.on_failure is
// closed, whichever tool it is given to.
func TestLineThatCannotBeTakenApart(t *testing.T) {
	calls := map[string]map[string]any{
		"line":    {"tool_name": "Bash", "tool_input": map[string]any{"command": "cd x; rm -rf ~"}},
		"nothing": {"tool_name": "Bash", "tool_input": map[string]any{"command": "cd x && ls"}},
		"tool":    {"tool_name": "mcp__term__run_command", "tool_input": map[string]any{"command": "cd x && ls"}},
		"carried": {"tool_name": "Bash", "tool_input": map[string]any{"command": "some-proxy bash -c 'cd x && ls'"}},
		"warn":    {"tool_name": "Bash", "tool_input": map[string]any{"command": "cd x && ls"}},
	}
	for name, call := range calls {
		for setting, want := range map[string]string{"open": "ask", "closed": "deny"} {
			s := newShop(t)
			mode := "standard"
			if name == "warn" {
				mode = "warn"
			}
			s.settings("[guard]\nmode = \"" + mode + "\"\non_failure = \"" + setting + "\"\n")
			getenv := s.e.getenv
			s.e.getenv = func(variable string) string {
				if variable == "CDPATH" {
					panic("a fault")
				}
				return getenv(variable)
			}
			call["hook_event_name"] = "PreToolUse"
			said := s.hook(call)
			if setting == "open" && name == "warn" {
				want = "none: it runs" // nothing is ever asked in that mode
			}
			if got := strings.Contains(said, `"permissionDecision":"`+want+`"`); got != (want != "none: it runs") {
				t.Errorf("%s, on_failure %s: want %s, got %s", name, setting, want, said)
			}
			if setting == "closed" && !strings.Contains(said, "guard.on_failure is closed") {
				t.Errorf("%s: the reason does not name the setting: %s", name, said)
			}
		}
	}
}
