package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/hook"
)

// TestReplayPayloads answers every recorded payload of every dialect as moai hook
// would, and holds each answer against what its client accepts. Nothing may be
// left behind.
func TestReplayPayloads(t *testing.T) {
	home := t.TempDir()
	vars := map[string]string{
		"HOME": home, "USERPROFILE": home,
		"XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config"),
	}
	e := &env{out: io.Discard, err: io.Discard, dir: t.TempDir(), getenv: func(name string) string { return vars[name] }}
	for _, dialect := range []string{hook.Claude, hook.Alfred, hook.Moai03, hook.Compiled, hook.Pal} {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "payload", dialect, "*.json"))
		if err != nil || len(files) == 0 {
			t.Errorf("found %d payloads of %s, %v", len(files), dialect, err)
		}
		for _, file := range files {
			payload, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			// The name of the file begins with the event, which some dialects
			// name on the command line only.
			event, _, _ := strings.Cut(filepath.Base(file), "-")
			verb, asked := event, ""
			switch dialect {
			case hook.Claude:
				verb = ""
			case hook.Compiled:
				asked = dialect // its questions look like those of claude
			}
			r := e.replay(payload, verb, asked)
			if !r.Valid || r.Dialect != dialect || r.Event != event {
				t.Errorf("%s: event %s, dialect %s: %s; it answered %s%s%s", file, r.Event, r.Dialect, r.Problem, r.Answer, r.Stdout, r.Stderr)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(home, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
