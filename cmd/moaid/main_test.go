package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/modu-ai/moai/internal/cli"
	"github.com/modu-ai/moai/internal/seat"
)

// tests are those of this package, with the programs that they share.
type tests struct{ *testing.M }

func (m tests) Run() int {
	defer func() { _ = os.RemoveAll(programs) }()
	return m.M.Run()
}

// programs is the folder of moai and moaid, once a test has asked for them.
var programs string

var built = sync.OnceValues(func() (out []byte, err error) {
	if programs, err = os.MkdirTemp("", "moaid-programs-"); err != nil {
		return nil, err
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", programs+string(filepath.Separator), "../moai", ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	return build.CombinedOutput()
})

// bothBuilt returns the folder of both programs, which are built once.
func bothBuilt(t *testing.T) string {
	t.Helper()
	if out, err := built(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return programs
}

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){
		"moai": func() {
			os.Exit(cli.Start(func(named string) string { return named }, seat.Sight{Look: func() seat.Seat { return seat.Seat{Terminal: true} }}, time.Second))
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
