package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/modu-ai/moai/internal/cli"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/work"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata/script")

func TestMain(m *testing.M) {
	if os.Getenv(asMoai) != "" {
		os.Exit(cli.Start(testAccount, testSeat(), time.Second))
	}
	testscript.Main(everyProcessor{m}, map[string]func(){
		"moai": func() { os.Exit(cli.Start(testAccount, testSeat(), time.Second)) },
	})
}

// everyProcessor has tests run at the same time although the program, and so the program of its tests, begins on one processor.
type everyProcessor struct{ *testing.M }

func (m everyProcessor) Run() int {
	if err := flag.Set("test.parallel", strconv.Itoa(work.Processors())); err != nil {
		panic(err)
	}
	return m.M.Run()
}

// testAccount is the account's own home in tests: the one that a test names, else the one of
// the environment. The tester's own has no say.
func testAccount(named string) string {
	if home := os.Getenv("TEST_ACCOUNT"); home != "" {
		return home
	}
	return named
}

// testSeat is a person's terminal in tests, wherever they run, or what a test names.
func testSeat() seat.Sight {
	s := seat.Seat{Terminal: true}
	switch kind, name, _ := strings.Cut(os.Getenv("TEST_SEAT"), " "); kind {
	case "real":
		return seat.Here()
	case "none":
		s.Terminal = false
	case "behind":
		s.Behind = true
	case "lent":
		s.Lender = &seat.Process{Name: name}
	case "below":
		args := strings.Fields(name)
		s.Above = []seat.Process{{Name: "sh"}, {Name: filepath.Base(args[0]), Args: args}}
	case "started":
		s.Above = []seat.Process{{Name: "sh", Environ: []string{"HOME=/x", name}}}
	}
	return seat.Sight{Look: func() seat.Seat { return s }}
}

// TestScript runs every testdata/script/*.txtar through the real main, each with
// a home and a state folder of its own.
func TestScript(t *testing.T) {
	_, gitErr := exec.LookPath("git")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			if err := os.MkdirAll(home, 0o755); err != nil {
				return err
			}
			for name, value := range map[string]string{
				"HOME": home, "USERPROFILE": home,
				"XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config"),
				"NO_COLOR": "1", "CLAUDE_PROJECT_DIR": "",
				// Git in scripts must not see the tester's own settings.
				"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"),
				"GIT_AUTHOR_NAME": "tester", "GIT_AUTHOR_EMAIL": "tester@example.invalid",
				"GIT_COMMITTER_NAME": "tester", "GIT_COMMITTER_EMAIL": "tester@example.invalid",
			} {
				e.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "git":
				return gitErr == nil, nil
			case "births": // the system tells when a file was made
				return disk.Older("main_test.go", time.Now()), nil
			}
			return false, nil
		},
	})
}

// exits runs a command and demands its exit code: exits 2 moai frobnicate.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
