package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/settings"
)

// A cloned project's settings are no reason to start what it brought along, or shell text
// that does more than call moai.
func TestStrangersAreNotStarted(t *testing.T) {
	e := env(t, "good")
	evil := filepath.Join(e.Project, "bin", "moai")
	kit.Must(t, os.Mkdir(filepath.Dir(evil), 0o755))
	touched := filepath.Join(e.Dir, "touched")
	script := "#!/bin/sh\ntouch '" + touched + "'\necho '{}'\n"
	for _, path := range []string{evil, filepath.Join(e.Project, "moai")} {
		kit.Must(t, os.WriteFile(path, []byte(script), 0o755))
	}
	link := filepath.Join(e.Dir, "link")
	kit.Must(t, os.Symlink(e.Project, link))
	e.Environ = append(e.Environ, "PATH=.:"+filepath.Dir(e.Program)+":/usr/bin:/bin")
	for _, tt := range []struct {
		entry string
		user  bool
		want  string // in the detail of the event; "" when it may be tried
	}{
		{fmt.Sprintf(`"command": %q, "args": ["hook", "stop"]`, evil), false, "came with the project"},
		{fmt.Sprintf(`"command": %q, "args": ["hook", "stop"]`, link+"/moai"), false, "came with the project"},
		{fmt.Sprintf(`"command": %q, "args": ["hook", "stop"]`, e.Dir+"/bin/../project/moai"), false, "came with the project"},
		{`"command": "${CLAUDE_PROJECT_DIR}/moai", "args": ["hook", "stop"]`, false, "came with the project"},
		{`"command": "./moai", "args": ["hook", "stop"]`, false, "came with the project"},
		{`"command": "./moai hook stop"`, false, "came with the project"},
		{fmt.Sprintf(`"command": "%s hook stop; touch %s"`, e.Program, touched), false, "more than a plain call"},
		{fmt.Sprintf(`"command": "%s hook \"$(touch %s)\""`, e.Program, touched), false, "more than a plain call"},
		{fmt.Sprintf(`"command": "%s hook stop"`, e.Program), false, ""},
		{fmt.Sprintf(`"command": %q, "args": ["hook", "stop"]`, e.Program), false, ""},
		{`"command": "moai", "args": ["hook", "stop"]`, false, ""}, // from PATH, not the working directory
	} {
		e.put(t, `{"hooks": {"Stop": [{"hooks": [{"type": "command", `+tt.entry+`}]}]}}`)
		r, p := run(t, e, "events"), run(t, e, "program")
		if len(r.Items) != 1 || !strings.Contains(r.Items[0].Detail, tt.want) || (r.Status == OK) != (tt.want == "") {
			t.Errorf("events of %s = %+v, want %q", tt.entry, r, tt.want)
		}
		if _, err := os.Stat(touched); err == nil {
			t.Errorf("%s was started (%+v, %+v)", tt.entry, r, p)
			os.Remove(touched)
		}
	}
	// In the user's own file the same is the user's business.
	e.put(t, fmt.Sprintf(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": %q, "args": ["hook", "stop"]}]}]}}`, evil))
	e.Files[0].Scope = settings.User
	if r := run(t, e, "events"); r.Status != OK {
		t.Errorf("events of the user's own entry = %+v, want ok", r)
	}
	if _, err := os.Stat(touched); err != nil {
		t.Error("the user's own entry was not started")
	}
	// A bare name that PATH does not have is no program of the project.
	e.Environ = append(e.Environ, "PATH=.")
	e.put(t, `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "moai", "args": ["hook", "stop"]}]}]}}`)
	if r := run(t, e, "program"); r.Status != Fail || !strings.Contains(r.Items[0].Detail, "not on PATH") {
		t.Errorf("program of a name that is nowhere = %+v, want fail", r)
	}
}
