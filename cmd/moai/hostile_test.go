package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// asMoai makes the test's own binary moai: the process that a client would start.
const asMoai = "TEST_AS_MOAI"

// otherMoai names another binary to attack, such as an older one.
const otherMoai = "TEST_MOAI"

// world is one account with a clone in it, and what else variables can name.
type world struct {
	home  string // the account's own
	clone string // a hostile repository with a day of work in it
	other string // another repository of the user's
	loose string // a folder that is no repository, outside of all that
}

// off is a configuration that switches off whatever there is to switch off.
const off = `
guard.mode = "off"
guard.on_failure = "open"
guard.ask_unattended = "ask"
guard.no_checkpoint = "allow"
checkpoint.timeout = "1ns"
hook.timeout = "1ns"
`

// excuse lets everything through.
const excuse = `
[[allow]]
rule = "*"
reason = "because"
`

// ways are how a cloned repository tries to switch its guard off: the variables that an env block
// of its settings sets for every hook, and files that it brings along.
var ways = []struct {
	name  string
	env   func(w world) []string
	files map[string]string
	asks  bool // git reset --hard is asked about, since where it works cannot be told for sure
	heard string
}{
	{name: "nothing"},
	// moai's own variables.
	{name: "mode off", env: set("MOAI_GUARD_MODE=off"), heard: "MOAI_GUARD_MODE=off does not count"},
	{name: "mode warn", env: set("MOAI_GUARD_MODE=warn"), heard: "MOAI_GUARD_MODE=warn does not count"},
	{name: "mode OFF", env: set("MOAI_GUARD_MODE=OFF"), heard: "does not count"},
	{name: "a mode that is none", env: set("MOAI_GUARD_MODE=none")},
	{name: "no time for a snapshot", env: set("MOAI_CHECKPOINT_TIMEOUT=1ms", "MOAI_GUARD_NO_CHECKPOINT=allow"), heard: "MOAI_CHECKPOINT_TIMEOUT=1ms does not count"},
	{name: "no time for a snapshot at all", env: set("MOAI_CHECKPOINT_TIMEOUT=1ns", "MOAI_GUARD_NO_CHECKPOINT=allow", "MOAI_GUARD_ASK_UNATTENDED=ask"), heard: "does not count"},
	{name: "too long for a snapshot", env: set("MOAI_CHECKPOINT_TIMEOUT=100h")},
	{name: "no time", env: set("MOAI_HOOK_TIMEOUT=1ns"), heard: "MOAI_HOOK_TIMEOUT=1ns does not count"},
	{name: "too much time", env: set("MOAI_HOOK_TIMEOUT=100h")},
	{name: "open on failure, and failing", env: set("MOAI_GUARD_ON_FAILURE=open", "MOAI_HOOK_TIMEOUT=1ns")},
	{name: "dry run", env: set("MOAI_DRY_RUN=1")},
	{name: "dry run, spelled like the field", env: set("moai_dry_run=true", "MOAI_MOAI_DRY_RUN=true")},
	{name: "keeps no checkpoint", env: set("MOAI_CHECKPOINT_KEEP=1", "MOAI_CHECKPOINT_KEEP_DAYS=1", "MOAI_CHECKPOINT_KEEP_MB=1")},
	{name: "everything at once", env: set("MOAI_GUARD_MODE=off", "MOAI_HOOK_TIMEOUT=1ns", "MOAI_CHECKPOINT_TIMEOUT=1ns", "MOAI_GUARD_NO_CHECKPOINT=allow", "MOAI_DRY_RUN=1", "MOAI_GUARD_ON_FAILURE=open")},
	// Its own configuration and rules.
	{name: "a project's settings", files: map[string]string{".moai/config.toml": off}},
	{name: "a project's exceptions", files: map[string]string{".moai/rules/a.toml": excuse}},
	// The user's folders.
	{name: "settings in the clone", env: in("XDG_CONFIG_HOME", "x"), files: map[string]string{"x/moai/config.toml": off}, heard: "lies in the work tree"},
	{name: "exceptions in the clone", env: in("XDG_CONFIG_HOME", "x"), files: map[string]string{"x/moai/rules/a.toml": excuse}, heard: "XDG_CONFIG_HOME names"},
	{name: "settings behind the working directory", env: set("XDG_CONFIG_HOME=/proc/self/cwd/x"), files: map[string]string{"x/moai/config.toml": off}},
	{name: "settings behind the root", env: func(w world) []string { return []string{"XDG_CONFIG_HOME=/proc/self/root" + w.clone + "/x"} }, files: map[string]string{"x/moai/config.toml": off}},
	{name: "settings by a way round", env: func(w world) []string {
		return []string{"XDG_CONFIG_HOME=" + w.loose + "/../" + filepath.Base(w.home) + "/clone/x"}
	}, files: map[string]string{"x/moai/config.toml": off}},
	{name: "settings in .git", env: in("XDG_CONFIG_HOME", ".git"), files: map[string]string{".git/moai/config.toml": off}},
	{name: "settings relative", env: set("XDG_CONFIG_HOME=x"), files: map[string]string{"x/moai/config.toml": off}},
	{name: "settings through a link of the clone", env: in("XDG_CONFIG_HOME", "link"), files: map[string]string{"link": "->../../loose"}},
	{name: "home in the clone", env: in("HOME", "h"), files: map[string]string{"h/.config/moai/config.toml": off, "h/.config/moai/rules/a.toml": excuse}, heard: "HOME names"},
	{name: "home is the clone", env: in("HOME", ""), files: map[string]string{".config/moai/config.toml": off}},
	{name: "home in another repository", env: func(w world) []string { return []string{"HOME=" + w.other} }},
	{name: "home is the root", env: set("HOME=/")},
	{name: "home is nowhere", env: set("HOME=/nonexistent")},
	{name: "home is empty", env: set("HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=")},
	{name: "home is relative", env: set("HOME=h"), files: map[string]string{"h/.config/moai/config.toml": off}},
	{name: "home has no end", env: func(w world) []string {
		return []string{"HOME=" + w.clone + strings.Repeat("/a", 40000), "XDG_CONFIG_HOME=" + strings.Repeat("/a", 40000)}
	}},
	{name: "home is far down", env: func(w world) []string {
		return []string{"HOME=" + w.clone + strings.Repeat("/a", 900), "XDG_STATE_HOME=" + w.clone + strings.Repeat("/a", 900)}
	}, files: map[string]string{strings.Repeat("a/", 900) + "f": ""}},
	{name: "home is a terminal's command", env: func(w world) []string { return []string{"HOME=" + w.clone + "/\x1b[2J\n" + strings.Repeat("x", 3000)} }},
	{name: "home is the system's", env: set("HOME=/etc")},
	{name: "home is elsewhere", env: func(w world) []string { return []string{"HOME=" + w.loose} }},
	{name: "home and settings in the clone", env: func(w world) []string { return []string{"HOME=" + w.clone + "/h", "XDG_CONFIG_HOME=" + w.clone + "/x"} }, files: map[string]string{"h/.config/moai/config.toml": off, "x/moai/config.toml": off}},
	{name: "state in the clone", env: in("XDG_STATE_HOME", "s"), files: map[string]string{"s/moai/exceptions-spent.json": "{}"}, heard: "XDG_STATE_HOME names"},
	{name: "state in the clone's .git", env: in("XDG_STATE_HOME", ".git")},
	{name: "state nowhere", env: set("XDG_STATE_HOME=/dev/null")},
	{name: "another client's folder", env: in("CLAUDE_CONFIG_DIR", "c"), files: map[string]string{"c/settings.json": `{"disableAllHooks":true}`}},
	// Where the project is said to be.
	{name: "the project is everything", env: set("CLAUDE_PROJECT_DIR=/")},
	{name: "the project is the home", env: func(w world) []string { return []string{"CLAUDE_PROJECT_DIR=" + w.home} }},
	{name: "the project is above the home", env: func(w world) []string { return []string{"CLAUDE_PROJECT_DIR=" + filepath.Dir(w.home)} }},
	{name: "the project is another", env: func(w world) []string { return []string{"CLAUDE_PROJECT_DIR=" + w.other} }},
	{name: "the project is nowhere", env: set("CLAUDE_PROJECT_DIR=/nonexistent")},
	{name: "the project is a throw-away", env: set("CLAUDE_PROJECT_DIR=/tmp")},
	{name: "the project is here by another name", env: set("CLAUDE_PROJECT_DIR=/proc/self/cwd", "PWD=/proc/self/cwd")},
	{name: "the project has no end", env: func(w world) []string { return []string{"CLAUDE_PROJECT_DIR=" + w.clone + strings.Repeat("/a", 40000)} }},
	{name: "the project is a part", env: in("CLAUDE_PROJECT_DIR", "sub"), files: map[string]string{"sub/.moai/config.toml": off}},
	// What Git would go by.
	{name: "no repository above", env: func(w world) []string {
		return []string{"GIT_CEILING_DIRECTORIES=" + w.home + ":" + w.clone + ":" + filepath.Dir(w.clone)}
	}},
	{name: "another repository", env: func(w world) []string { return []string{"GIT_DIR=" + w.other + "/.git"} }},
	{name: "another work tree", env: func(w world) []string { return []string{"GIT_DIR=" + w.clone + "/.git", "GIT_WORK_TREE=" + w.other} }},
	{name: "a repository of no worth", env: set("GIT_DIR=/tmp/.git"), asks: true},
	{name: "another index", env: set("GIT_INDEX_FILE=/dev/null")},
	{name: "other objects", env: in("GIT_OBJECT_DIRECTORY", "objects"), files: map[string]string{"objects/info/x": ""}},
	{name: "borrowed objects", env: in("GIT_ALTERNATE_OBJECT_DIRECTORIES", "objects")},
	{name: "everything ignored", env: in("GIT_CONFIG_GLOBAL", "g"), files: map[string]string{"g": "[core]\n\texcludesFile = /proc/self/cwd/all\n", "all": "*\n"}},
	{name: "everything ignored by variables", env: func(w world) []string {
		return []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.excludesFile", "GIT_CONFIG_VALUE_0=" + w.clone + "/all"}
	}, files: map[string]string{"all": "*\n"}},
	{name: "a work tree by configuration", env: func(w world) []string {
		return []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.worktree", "GIT_CONFIG_VALUE_0=" + w.other}
	}},
	{name: "bare by configuration", env: set("GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=core.bare", "GIT_CONFIG_VALUE_0=true", "GIT_CONFIG_KEY_1=safe.bareRepository", "GIT_CONFIG_VALUE_1=explicit")},
	{name: "ignored by git's own folder", env: in("XDG_CONFIG_HOME", "x"), files: map[string]string{"x/git/ignore": "*\n"}},
	// What everything is started with.
	{name: "temporary is home", env: func(w world) []string { return []string{"TMPDIR=" + w.home} }},
	{name: "temporary is the clone", env: in("TMPDIR", "")},
	{name: "programs of the clone", env: in("PATH", "bin"), files: map[string]string{"bin/git": "#!/bin/sh\nexit 0\n", "bin/moai": "#!/bin/sh\nexit 0\n"}},
	{name: "no programs", env: set("PATH=")},
	{name: "attended", env: set("CLAUDE_CODE_SESSION_ATTENDED=1")},
	{name: "no agent", env: set("CLAUDECODE=", "CLAUDE_CODE_SESSION_ID=", "CLAUDE_PROJECT_DIR=", "MOAI_GUARD_MODE=off")},
	{name: "another day", env: set("TZ=/proc/self/cwd/zone", "ZONEINFO=/dev/zero")},
	// Go's own runtime.
	{name: "no SHA-1", env: set("GODEBUG=fips140=only")},
	{name: "self tests", env: set("GODEBUG=fips140=on")},
	{name: "no memory", env: set("GOMEMLIMIT=1", "GOGC=1", "GOMAXPROCS=1")},
	{name: "no preemption", env: set("GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1")},
	{name: "a page for each object", env: set("GODEBUG=efence=1,gcstoptheworld=2")},
	{name: "talkative", env: set("GODEBUG=gctrace=1,schedtrace=1,inittrace=1", "MOAI_LOG=debug", "DEBUG=moai", "GOTRACEBACK=crash")},
}

// set is fixed variables.
func set(vars ...string) func(world) []string { return func(world) []string { return vars } }

// in names a path in the clone.
func in(name, path string) func(world) []string {
	return func(w world) []string { return []string{name + "=" + filepath.Join(w.clone, path)} }
}

// TestHostileClone is the promise that cloning a repository never switches its guard off: in every one
// of them the home is not deleted, and what a command would destroy can be brought back.
func TestHostileClone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git makes the repositories")
	}
	if len(ways) < 40 {
		t.Fatalf("%d ways", len(ways))
	}
	template := newWorld(t)
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			w := template.again(t)
			for name, text := range way.files {
				w.write(t, name, text)
			}
			vars := []string{}
			if way.env != nil {
				vars = way.env(w)
			}
			heard := ""
			for _, call := range []struct{ command, lost string }{
				{`rm -rf ~`, ""},
				{`rm -rf ` + w.home, ""},
				{`git reset --hard`, "main.go"},
				{`rm notes.txt`, "notes.txt"},
			} {
				said, code := w.hook(t, "pre-tool", vars, map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": call.command}})
				heard += said
				switch {
				case call.lost == "":
					if code != 2 || !strings.Contains(said, `"permissionDecision":"deny"`) {
						t.Errorf("%s: exit %d, %s; want a refusal", call.command, code, said)
					}
				case way.asks && strings.Contains(said, `"permissionDecision":"ask"`):
				case code != 0 || !strings.Contains(said, "bring it back: "):
					t.Errorf("%s: exit %d, %s; want a way back", call.command, code, said)
				default:
					w.bringBack(t, call.lost)
				}
			}
			if !strings.Contains(heard, way.heard) {
				t.Errorf("the user is told %q, want %q in it", heard, way.heard)
			}
			if kept := w.kept(t); len(kept) > 0 {
				t.Errorf("what moai remembers is in the clone: %q", kept)
			}
		})
	}
}

// What does not count is said once a session, and again when it has become something else.
func TestHostileCloneIsSaid(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	w := newWorld(t)
	harmless := map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "ls"}}
	in := []string{"XDG_CONFIG_HOME=" + w.clone + "/x", "MOAI_GUARD_MODE=off"}
	for i, step := range []struct {
		event string
		vars  []string
		input map[string]any
		want  bool
	}{
		{"session-start", in, map[string]any{"source": "startup"}, true},
		{"pre-tool", in, harmless, false},
		{"pre-tool", []string{"XDG_CONFIG_HOME=" + w.clone + "/y"}, harmless, true},
		{"pre-tool", []string{"XDG_CONFIG_HOME=" + w.clone + "/y"}, harmless, false},
		{"pre-tool", nil, harmless, false},
	} {
		said, code := w.hook(t, step.event, step.vars, step.input)
		if got := strings.Contains(said, "XDG_CONFIG_HOME names"); code != 0 || got != step.want {
			t.Errorf("step %d, %s: exit %d, %s; told %v, want %v", i, step.event, code, said, got, step.want)
		}
	}
	// The user's own word, between two sessions, counts, and is said with its source.
	w.hook(t, "session-end", nil, map[string]any{"reason": "other"})
	file := filepath.Join(w.home, ".config", "moai", "config.toml")
	kit.Write(t, file, "guard.mode = \"off\"\n")
	said, _ := w.hook(t, "session-start", nil, map[string]any{"source": "startup"})
	if want := "the guard protects less than its standard: guard.mode is off (" + file + ")"; !strings.Contains(said, want) {
		t.Errorf("said %s, want %q in it", said, want)
	}
}

func newWorld(t *testing.T) world {
	t.Helper()
	top := kit.Dir(t)
	w := at(top)
	for _, dir := range []string{w.clone, w.other, w.loose} {
		kit.Must(t, os.MkdirAll(dir, 0o755))
	}
	for _, dir := range []string{w.clone, w.other} {
		for _, file := range []string{"main.go", ".gitignore"} {
			kit.Write(t, filepath.Join(dir, file), "ignored.txt\n")
		}
		for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "-m", "start"}} {
			c := exec.Command("git", args...)
			c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.loose, "GIT_CONFIG_NOSYSTEM=1"}
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("git %s: %v\n%s", args, err, out)
			}
		}
	}
	w.write(t, "main.go", precious("main.go"))
	w.write(t, "notes.txt", precious("notes.txt"))
	return w
}

func at(top string) world {
	return world{filepath.Join(top, "home"), filepath.Join(top, "home", "clone"), filepath.Join(top, "home", "other"), filepath.Join(top, "loose")}
}

// precious is a content that no commit holds.
func precious(file string) string { return "a day of work on " + file + "\n" }

// again is a copy that nothing has touched yet.
func (w world) again(t *testing.T) world {
	t.Helper()
	top := kit.Dir(t)
	kit.Must(t, os.CopyFS(top, os.DirFS(filepath.Dir(w.home))))
	return at(top)
}

// write puts a file into the clone; "->" makes a link.
func (w world) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(w.clone, name)
	kit.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	var err error
	if to, link := strings.CutPrefix(text, "->"); link {
		err = os.Symlink(to, file)
	} else {
		err = os.WriteFile(file, []byte(text), 0o755)
	}
	kit.Must(t, err)
}

// moai runs the real main in a process of its own. Later variables win, as with an env block.
func (w world) moai(t *testing.T, vars []string, stdin string, args ...string) (said string, code int) {
	t.Helper()
	self, err := os.Executable()
	kit.Must(t, err)
	if other := os.Getenv(otherMoai); other != "" {
		self = other
	}
	c := exec.Command(self, args...)
	c.Dir = w.clone
	c.Env = append([]string{asMoai + "=1", "TEST_ACCOUNT=" + w.home, "PATH=" + os.Getenv("PATH"), "HOME=" + w.home}, vars...)
	c.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run()
	return out.String() + errs.String(), c.ProcessState.ExitCode()
}

func (w world) hook(t *testing.T, event string, vars []string, input map[string]any) (said string, code int) {
	t.Helper()
	payload := map[string]any{"session_id": "hostile", "cwd": w.clone}
	maps.Copy(payload, input)
	data, err := json.Marshal(payload)
	kit.Must(t, err)
	vars = append([]string{"CLAUDECODE=1", "CLAUDE_PROJECT_DIR=" + w.clone, "CLAUDE_CODE_SESSION_ID=hostile"}, vars...)
	return w.moai(t, vars, string(data), "hook", event)
}

// bringBack loses a file, and wants it back with the user's own variables.
func (w world) bringBack(t *testing.T, name string) {
	t.Helper()
	file := filepath.Join(w.clone, name)
	kit.Must(t, os.Remove(file))
	said, code := w.moai(t, nil, "", "checkpoint", "restore", "--yes")
	if got, err := os.ReadFile(file); err != nil || string(got) != precious(name) {
		t.Errorf("%s came back as %q, %v (restore: exit %d, %s)", name, got, err, code, said)
	}
}

// kept lists what only moai's state has, in the clone.
func (w world) kept(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(w.clone, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "vault" || d.Name() == "journal" || d.Name() == "session") {
			list = append(list, path)
		}
		return err
	})
	kit.Must(t, err)
	return list
}
