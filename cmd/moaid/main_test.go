package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/modu-ai/moai/internal/cli"
	"github.com/modu-ai/moai/internal/seat"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"moai": func() {
			os.Exit(cli.Start(func(named string) string { return named }, func() seat.Seat { return seat.Seat{Terminal: true} }, time.Second))
		},
		"moaid": main,
	})
}

// TestScript runs both programs side by side, each script with a home and a state folder of its own.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			for name, value := range map[string]string{
				"HOME": home, "USERPROFILE": home, "NO_COLOR": "1", "CLAUDE_PROJECT_DIR": "", "TZ": "UTC",
				"XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config"),
			} {
				e.Setenv(name, value)
			}
			return os.MkdirAll(home, 0o755)
		},
	})
}
