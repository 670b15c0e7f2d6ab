package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/wire"
)

// TestMain lets this binary stand in for moai: called by that name, it does what
// FAKE says.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "moai" {
		os.Exit(m.Run())
	}
	if os.Args[1] == "version" {
		fmt.Println(os.Getenv("FAKE_VERSION"))
		os.Exit(0)
	}
	in, _ := io.ReadAll(os.Stdin)
	var payload map[string]any
	if json.Unmarshal(in, &payload) != nil || payload["hook_event_name"] == "" || payload["moai_dry_run"] != true || os.Getenv("CLAUDE_PROJECT_DIR") == "" {
		fmt.Fprintln(os.Stderr, "not called as a hook is")
		os.Exit(1)
	}
	switch os.Getenv("FAKE") {
	case "good":
		if strings.Contains(string(in), worst) {
			fmt.Println(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`)
			fmt.Fprintln(os.Stderr, "no")
			os.Exit(2)
		}
		fmt.Println("{}")
	case "careless":
		fmt.Println("{}")
	case "banner":
		fmt.Println("welcome\n{}")
	case "foreign":
		fmt.Println(`{"hookSpecificOutput": {"hookEventName": "Other"}}`)
	case "refuse":
		fmt.Fprintln(os.Stderr, "no")
		os.Exit(2)
	case "hang":
		time.Sleep(time.Minute)
	}
	os.Exit(0)
}

// tables are the real events: what doctor sends is made out of them.
var tables = &wire.Tables{Events: events.Events, Common: events.Common, Dialects: events.Dialects, Tools: events.Tools, Find: events.Find}

// env is a project with one hook registered in it, whose program does what
// FAKE=fake says.
func env(t *testing.T, fake string) *Env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs links to the test binary")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "bin", "moai")
	self, err := os.Executable()
	kit.Must(t, err)
	for _, d := range []string{"bin", "project", "state", "config"} {
		kit.Must(t, os.Mkdir(filepath.Join(dir, d), 0o755))
	}
	kit.Must(t, os.Symlink(self, program))
	e := &Env{
		Program: program, Version: "moai 1", Project: filepath.Join(dir, "project"), Dir: dir,
		StateDir: filepath.Join(dir, "state"), ConfigDir: filepath.Join(dir, "config", "not", "yet"),
		Environ: append(os.Environ(), "FAKE="+fake, "FAKE_VERSION=moai 1", "EDITOR=ed"),
		Slow:    time.Minute,
		Common:  events.Common, Tables: tables,
	}
	e.register(t, program, stopHook)
	return e
}

// stopHook and guardHook are what is registered, one at a time.
var (
	stopHook  = settings.Hook{Event: "Stop", Args: []string{"hook", "stop"}, Timeout: 20}
	guardHook = settings.Hook{Event: "PreToolUse", Matcher: "Bash", Args: []string{"hook", "pre-tool"}, Timeout: 20}
)

// register makes the project's settings file hold what program would write.
func (e *Env) register(t *testing.T, program string, hook settings.Hook) {
	t.Helper()
	want := settings.Registration{Program: program, Hooks: []settings.Hook{hook}}
	data, err := settings.Plan(nil, want)
	kit.Must(t, err)
	e.put(t, string(data))
	e.Files[0].Want = settings.Registration{Program: e.Program, Hooks: want.Hooks}
}

func (e *Env) put(t *testing.T, data string) {
	t.Helper()
	path := filepath.Join(e.Project, "settings.json")
	kit.Must(t, os.WriteFile(path, []byte(data), 0o600))
	f, err := settings.Open(path, e.Project)
	kit.Must(t, err)
	var want settings.Registration
	if len(e.Files) > 0 {
		want = e.Files[0].Want
	}
	e.Files = []File{{Path: path, File: f, Init: "moai init --local", Scope: settings.Local, Want: want}}
}

// run makes one check alone: others start processes.
func run(t *testing.T, e *Env, id string) Result {
	t.Helper()
	e.read()
	for _, c := range Checks {
		if c.ID == id {
			return c.Run(e)
		}
	}
	t.Fatalf("no check %s", id)
	return Result{}
}

func TestRun(t *testing.T) {
	e := env(t, "good")
	e.register(t, e.Program, guardHook)
	results := Run(e)
	for i, r := range results {
		if r.ID != Checks[i].ID || r.Detail == "" || r.Status == Fail {
			t.Errorf("result %d = %+v", i, r)
		}
	}
	if got := Worst([]Result{{Status: OK}, {Status: Fail}, {Status: Warn}}); got != Fail {
		t.Errorf("Worst = %v, want fail", got)
	}
	if data, err := json.Marshal(results[0]); err != nil || !strings.Contains(string(data), `"status":"ok"`) {
		t.Errorf("as JSON: %s, %v", data, err)
	}
}

func TestReplay(t *testing.T) {
	tests := []struct {
		fake   string
		status Status
		detail string
	}{
		{"good", OK, ""},
		{"banner", Fail, `it printed "welcome" and ""`},
		{"foreign", Fail, "hookEventName"},
		{"refuse", Fail, "exit code 2 on a harmless call: no"},
		{"hang", Fail, "no answer within 1s"},
		{"slow good", Warn, "slow"},
	}
	for _, test := range tests {
		t.Run(test.fake, func(t *testing.T) {
			t.Parallel()
			e := env(t, strings.TrimPrefix(test.fake, "slow "))
			switch test.fake {
			case "slow good":
				e.Slow = time.Nanosecond
			case "hang":
				short := stopHook
				short.Timeout = 1
				e.register(t, e.Program, short)
			}
			r := run(t, e, "events")
			if r.Status != test.status || len(r.Items) != 1 || !strings.Contains(r.Items[0].Detail, test.detail) {
				t.Errorf("events = %+v, want %v with %q", r, test.status, test.detail)
			}
			if (r.Fix == "") != (test.status != Fail) { // nothing that is registered anew is faster
				t.Errorf("fix %q for %v", r.Fix, r.Status)
			}
		})
	}
}

func TestReplayShellForm(t *testing.T) {
	e := env(t, "good")
	e.put(t, fmt.Sprintf(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "'%s' hook stop; true"}]}]}}`, e.Program))
	e.Files[0].Scope = settings.User
	if r := run(t, e, "events"); r.Status != OK || len(r.Items) != 1 {
		t.Errorf("events = %+v, want ok", r)
	}
}

// What strangers wrote must not be obeyed by the terminal.
func TestShown(t *testing.T) {
	r := shown(Result{Detail: "on \x1b[31mred", Items: []Item{{Name: "a\nb", Detail: "\a"}}})
	if r.Detail != `on \x1b[31mred` || r.Items[0].Name != `a\nb` || r.Items[0].Detail != `\a` {
		t.Errorf("shown = %+v, want escapes that are seen", r)
	}
}

func TestGuard(t *testing.T) {
	for fake, want := range map[string]Status{"good": OK, "careless": Warn, "banner": Warn} {
		e := env(t, fake)
		e.register(t, e.Program, guardHook)
		if r := run(t, e, "guard"); r.Status != want || (r.Fix == "") != (want == OK) {
			t.Errorf("guard of a %s moai = %+v, want %v", fake, r, want)
		}
	}
	if r := run(t, env(t, "good"), "guard"); r.Status != Fail || r.Fix != "moai init" {
		t.Errorf("guard that is not registered = %+v, want fail", r)
	}
	narrow := guardHook
	narrow.Matcher = "Edit"
	e := env(t, "good")
	e.register(t, e.Program, narrow)
	if r := run(t, e, "guard"); r.Status != Fail || !strings.Contains(r.Detail, "no matcher fits Bash") {
		t.Errorf("guard that is not asked about commands = %+v, want fail", r)
	}
}

func TestProgram(t *testing.T) {
	e := env(t, "good")
	if r := run(t, e, "program"); r.Status != OK {
		t.Errorf("program = %+v, want ok", r)
	}

	other := filepath.Join(e.Dir, "moai")
	data, err := os.ReadFile(e.Program)
	kit.Must(t, err)
	kit.Must(t, os.WriteFile(other, data, 0o755))
	e.register(t, other, stopHook)
	if r := run(t, e, "program"); r.Status != OK || r.Items[0].Detail != "the same version" {
		t.Errorf("program with a copy = %+v, want ok", r)
	}
	e.Version = "moai 2"
	if r := run(t, e, "program"); r.Status != Warn || r.Items[0].Detail != "another version: moai 1" || r.Fix != "moai init --local" {
		t.Errorf("program with another version = %+v, want warn", r)
	}
	kit.Must(t, os.Chmod(other, 0o644))
	if r := run(t, e, "program"); r.Status != Fail || r.Items[0].Detail != "is not executable" {
		t.Errorf("program without x = %+v, want fail", r)
	}
	kit.Must(t, os.Remove(other))
	if r := run(t, e, "program"); r.Status != Fail || r.Items[0].Detail != "cannot be found: no such file or directory" {
		t.Errorf("program that is gone = %+v, want fail", r)
	}
	if r := run(t, e, "events"); r.Status != Fail || !strings.Contains(r.Items[0].Detail, "cannot be started") {
		t.Errorf("events of a program that is gone = %+v, want fail", r)
	}
}

func TestSettings(t *testing.T) {
	e := env(t, "good")
	if r := run(t, e, "settings"); r.Status != OK || r.Items[0].Detail != "1 event registered (local)" {
		t.Errorf("settings = %+v, want ok", r)
	}
	e.Files[0].Want.Hooks = append(e.Files[0].Want.Hooks, settings.Hook{Event: "SessionStart", Args: []string{"hook", "session-start"}})
	if r := run(t, e, "settings"); r.Status != Warn || r.Fix != "moai init --local" {
		t.Errorf("settings with an event missing = %+v, want warn", r)
	}
	e.put(t, "{}")
	if r := run(t, e, "settings"); r.Status != Fail || r.Fix != "moai init" {
		t.Errorf("settings without moai = %+v, want fail", r)
	}
	e.put(t, "{\n// note\n}")
	if r := run(t, e, "settings"); r.Status != Fail || !strings.HasPrefix(r.Items[0].Detail, "line 2: comments") || r.Fix != "ed "+e.Files[0].Path {
		t.Errorf("settings with a comment = %+v, want fail, and the file to be edited first", r)
	}
	e.put(t, "{ broken")
	e.Files[0].Path = "/a folder/settings.json"
	if r := run(t, e, "settings"); r.Status != Fail || r.Fix != "ed '/a folder/settings.json'" {
		t.Errorf("settings that are no JSON = %+v, want fail, and the file to be edited first", r)
	}
	// moai init refuses what is no JSON, so it is no way out.
	e.put(t, "{bad")
	if r := run(t, e, "settings"); r.Status != Fail || !strings.HasSuffix(r.Fix, argv.Quote(e.Files[0].Path)) {
		t.Errorf("settings that are no JSON = %+v, want fail and an editor", r)
	}
	e = env(t, "good")
	second := *e
	second.put(t, `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/moai hook stop"}]}]}}`)
	e.Files = append(e.Files, File{Path: "other", File: second.Files[0].File, Init: "moai init --user"})
	if r := run(t, e, "settings"); r.Status != Warn || !strings.Contains(r.Detail, "more than once") {
		t.Errorf("settings registered twice = %+v, want warn", r)
	}
	e.Files = append(e.Files, File{Path: "third", Err: os.ErrPermission})
	if r := run(t, e, "settings"); r.Status != Warn {
		t.Errorf("settings that cannot be opened = %+v, want warn", r)
	}
}

func TestRemedy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has neither chmod nor install")
	}
	denied := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}
	for _, tt := range []struct {
		dir, failed string
		err         error
		want        string
	}{
		{"/h/.local/state", "/h/.local/state", denied, "chmod u+rwx /h/.local/state"},
		{"/h/a b", "/h/a b", denied, "chmod u+rwx '/h/a b'"},
		{"/nonexistent/.config/moai", "/", denied, `sudo install -d -m 700 -o "$(id -un)" /nonexistent/.config/moai`},
		{"/h/file/x", "/h/file", &fs.PathError{Op: "open", Path: "x", Err: errors.New("not a directory")}, ""},
	} {
		if got := remedy(tt.dir, tt.failed, tt.err); got != tt.want {
			t.Errorf("remedy(%q, %q, %v) = %q, want %q", tt.dir, tt.failed, tt.err, got, tt.want)
		}
	}
}

// A state folder that others can write into is said, and what has the name of a journal and is none, with the way out of both.
func TestStrangeState(t *testing.T) {
	e := env(t, "good")
	odd := filepath.Join(e.StateDir, "journal", "p-1.jsonl")
	kit.Must(t, os.MkdirAll(odd, 0o700))
	want := "mv " + odd + " " + odd + ".aside"
	if runtime.GOOS == "windows" {
		want = ""
	} else if err := os.Chmod(e.StateDir, 0o777); err != nil {
		t.Fatal(err)
	} else {
		want = "chmod go-w " + e.StateDir + " && " + want
	}
	r := run(t, e, "folders")
	if last := r.Items[len(r.Items)-1]; r.Status != Warn || want != "" && r.Fix != want || !strings.HasPrefix(last.Detail, odd) {
		t.Errorf("%+v, want the fix %s", r, want)
	}
}

func TestFoldersAndRules(t *testing.T) {
	e := env(t, "good")
	if r := run(t, e, "folders"); r.Status != OK {
		t.Errorf("folders = %+v, want ok", r)
	}
	if _, err := os.Stat(filepath.Join(e.Dir, "config", "not")); err == nil {
		t.Error("looking made a folder")
	}
	if left, _ := os.ReadDir(e.StateDir); len(left) > 0 {
		t.Errorf("looking left %v", left)
	}
	if r := run(t, e, "rules"); r.Status != OK {
		t.Errorf("rules = %+v, want ok", r)
	}
	e.StateDir = filepath.Join(e.Program, "below a file")
	e.ConfigDir = ""
	e.ConfigProblems = []string{"config.toml:1: no"}
	if r := run(t, e, "folders"); r.Status != Fail || r.Items[1].Status != Warn || r.Fix != "" {
		t.Errorf("folders below a file = %+v, want fail, and no command that cannot help", r)
	}
	if r := run(t, e, "rules"); r.Status != Warn || r.Fix != "moai config list" {
		t.Errorf("rules = %+v, want warn", r)
	}
	e.RuleProblems = func() []string { return []string{"x.toml:1: no"} }
	if r := run(t, e, "rules"); r.Status != Fail || r.Fix != "moai rules check" || len(r.Items) != 2 {
		t.Errorf("rules = %+v, want fail", r)
	}
}

func TestRepository(t *testing.T) {
	e := env(t, "good")
	// Above a temporary folder there may be a repository of somebody.
	t.Setenv("GIT_CEILING_DIRECTORIES", e.Dir)
	if r := run(t, e, "repository"); r.Status != Warn || r.Fix != "git init" {
		t.Errorf("no repository = %+v, want warn", r)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to make a repository")
	}
	if out, err := exec.Command("git", "init", "-q", "-b", "main", e.Project).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	if r := run(t, e, "repository"); r.Status != OK || !strings.HasSuffix(r.Detail, ", on main, no commits yet") {
		t.Errorf("a new repository = %+v, want ok", r)
	}
	lock := filepath.Join(e.Project, ".git", "index.lock")
	kit.Must(t, os.WriteFile(lock, nil, 0o600))
	if r := run(t, e, "repository"); r.Status != OK {
		t.Errorf("a lock of just now = %+v, want ok: somebody is at work", r)
	}
	hour := time.Now().Add(-time.Hour)
	kit.Must(t, os.Chtimes(lock, hour, hour))
	if r := run(t, e, "repository"); r.Status != Warn || !strings.Contains(r.Fix, "index.lock") {
		t.Errorf("a lock of an hour ago = %+v, want warn and how to remove it", r)
	}
	kit.Must(t, os.WriteFile(filepath.Join(e.Project, ".git", "HEAD"), []byte("garbage"), 0o600))
	if r := run(t, e, "repository"); r.Status == OK {
		t.Errorf("a broken repository = %+v, want warn or fail", r)
	}
}

// TestSamples sends every event's payload through the decoder of the hook path.
func TestSamples(t *testing.T) {
	for i := range events.Events {
		ev := &events.Events[i]
		data := sample(ev, events.Common, "/project", nil)
		got, err := wire.Decode(tables, strings.NewReader(string(data)), wire.Asked{Getenv: func(string) string { return "" }, Getwd: func() (string, error) { return "/", nil }})
		if err != nil || got.Name != ev.Name || got.CWD != "/project" || got.Dialect != hook.Claude {
			t.Errorf("sample of %s = %s decodes to %+v, %v", ev.Name, data, got, err)
		}
	}
}

// What the journal of the last days says of calls is told once for each event, the worst of it; older entries and others' are not.
func TestCalls(t *testing.T) {
	e := &Env{StateDir: t.TempDir(), Project: t.TempDir()}
	path := state.JournalPath(e.StateDir, e.Project)
	if r := calls(e); r.Status != OK || len(r.Items) > 0 {
		t.Errorf("without a journal: %+v", r)
	}
	for _, j := range []journal.Event{
		{Type: "hook_failed", Details: []byte(`{"event":"Stop","cause":"long ago"}`), Created: time.Now().AddDate(0, 0, -lately-1)},
		{Type: "hook_slow", Details: []byte(`{"event":"Stop","duration_ms":70,"slowest":"record"}`)},
		{Type: "hook_slow", Details: []byte(`{"event":"Stop","duration_ms":90,"slowest":"locks"}`)},
		{Type: "hook_slow", Details: []byte(`{"event":"Stop","duration_ms":60,"slowest":"report"}`)},
		{Type: "turn_end", Details: []byte(`{"event":"Stop"}`)},
		{Type: "hook_failed", Details: []byte(`"words"`)},
	} {
		kit.Must(t, (journal.Log{Path: path}).Append(j))
	}
	if r := calls(e); r.Status != OK || len(r.Items) != 1 || r.Items[0].Millis != 90 || r.Items[0].Detail != "over its budget 3 times, at worst by locks" {
		t.Errorf("slow calls: %+v", r)
	}
	for _, cause := range []string{"guard: panic: first", "guard: panic: last"} {
		kit.Must(t, (journal.Log{Path: path}).Append(journal.Event{Type: "hook_failed", Details: []byte(`{"event":"PreToolUse","cause":"` + cause + `"}`)}))
	}
	r := calls(e)
	if r.Status != Warn || r.Detail != "in the last 7 days 2 calls failed and 3 took longer than they should" || !strings.HasSuffix(r.Items[1].Detail, ": guard: panic: last") {
		t.Errorf("failed calls: %+v", r)
	}
	kit.Must(t, os.Remove(path))
	kit.Must(t, os.Mkdir(path, 0o700))
	if r := calls(e); r.Status != Warn {
		t.Errorf("a journal that is none: %+v", r)
	}
}
