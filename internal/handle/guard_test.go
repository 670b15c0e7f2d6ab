package handle

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modu-ai/moai/generated/agents"
	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/secret"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/verify"
)

// twoRules is a small set of its own: one rule for each action.
const twoRules = `
[[group]]
id = "command-line-tools"
why = "tools that are given a command line"
words = ["bash"]

[[group]]
id = "places-temporary"
why = "folders for throw-away files"
words = ["/tmp"]

[[program]]
name = ["rm"]
plain = true

[[program.effect]]
kind = "delete-tree"
on = "1.."
flags = ["-r"]

[[rule]]
id = "fs.drop-home"
since = "0.1.0"
program = "rm"
args = { flags = ["-r"], effect = "delete-tree", path = ["home"] }
action = "deny"
why = "deletes the home folder"
instead = "name the folder that you mean"
commandless = "only the user knows which"
hits = ["rm -rf ~", "rm -r ~"]
misses = ["rm -rf ./x", "rm file"]

[[rule]]
id = "fs.drop-tree"
since = "0.1.0"
program = "rm"
args = { flags = ["-r"], effect = "delete-tree", path = ["inside", "project"] }
action = "checkpoint"
operation = "rm"
why = "deletes a folder of the project"
instead = "move it away"
commandless = "where to is the user's choice"
hits = ["rm -r src", "rm -rf src"]
misses = ["rm src/a", "rm -r /tmp/x"]
`

func testHandlers(t *testing.T, settings map[string]string) (*Handlers, string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed to make a repository")
	}
	dir, home := t.TempDir(), t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	kit.Must(t, err)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "start"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = real
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	kit.Write(t, filepath.Join(real, "src", "a.go"), "package a\n")
	rules, err := rule.LoadRisks(fstest.MapFS{"rules/risks/fs.toml": {Data: []byte(twoRules)}})
	kit.Must(t, err)
	if rules.Secrets, err = rule.LoadSecrets(os.DirFS("../..")); err != nil {
		t.Fatal(err)
	}
	return &Handlers{
		Tables:   Tables{Risks: risk.NewSet(rules), Turns: events.Turns},
		Config:   config.Load(config.Sources{Flags: settings}),
		StateDir: filepath.Join(home, "state"), Home: home,
		Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	}, real
}

func bash(dir, line string) *hook.Event {
	e := &hook.Event{Name: "PreToolUse", Known: true, Dialect: hook.Claude, SessionID: "s1", CWD: dir, ProjectDir: dir, ToolName: "Bash"}
	e.SetFields([]hook.Member{{Name: "tool_name", Value: quote("Bash")}, {Name: "tool_input", Value: `{"command":` + quote(line) + `}`}})
	return e
}

// judge is what a call meets: the verdict, then what protects from it.
func judge(h *Handlers, e *hook.Event) (hook.Answer, error) {
	a, err := h.guard(context.Background(), e)
	if err != nil {
		return a, err
	}
	b, err := h.protect(context.Background(), e)
	a.Merge(b)
	return a, err
}

func TestGuardSaysNothingOnACleanCall(t *testing.T) {
	h, dir := testHandlers(t, nil)
	a, err := judge(h, bash(dir, "go test ./..."))
	if err != nil || a.Decision != hook.None || a.System != "" || len(a.Context) > 0 {
		t.Errorf("guard = %+v, %v; want nothing at all", a, err)
	}
	if _, err := os.Stat(h.StateDir); !os.IsNotExist(err) {
		t.Error("a clean call left state behind")
	}
}

func TestGuardDenies(t *testing.T) {
	h, dir := testHandlers(t, nil)
	a, err := judge(h, bash(dir, "cd src && rm -rf ~"))
	if err != nil || a.Decision != hook.Deny {
		t.Fatalf("guard = %+v, %v; want deny", a, err)
	}
	for _, want := range []string{"fs.drop-home", "deletes the home folder", "name the folder that you mean"} {
		if !strings.Contains(a.Reason, want) {
			t.Errorf("reason lacks %q:\n%s", want, a.Reason)
		}
	}
	var noted []string
	if _, err := (&journal.Query{}).Run(state.JournalPath(h.StateDir, dir), func(e *journal.Event) error {
		noted = append(noted, e.Type+" "+e.Severity+" "+e.Summary)
		return nil
	}); err != nil || len(noted) != 1 || noted[0] != "decision warn deny fs.drop-home" {
		t.Errorf("journal = %q, %v", noted, err)
	}
}

// What will not run changes nothing: the work tree, which may be a stranger's and huge, is not looked at for it.
func TestARefusedCallIsNotPictured(t *testing.T) {
	for line, want := range map[string]bool{"rm -rf ~": false, "touch src/b": true} {
		h, dir := testHandlers(t, nil)
		h.Tables.Verify = verify.Tables{Agents: &agents.All}
		e := bash(dir, line)
		e.SetFields([]hook.Member{{Name: "tool_use_id", Value: quote("c1")}, {Name: "tool_input", Value: `{"command":` + quote(line) + `}`}})
		for _, run := range []func(context.Context, *hook.Event) (hook.Answer, error){h.guard, h.protect, h.track, h.timeline} {
			if _, err := run(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		if got := verify.Taken(h.StateDir, "s1", "c1") != nil; got != want {
			t.Errorf("%s: a picture was taken: %t, want %t", line, got, want)
		}
	}
}

func TestGuardSnapshotsThenLetsGo(t *testing.T) {
	h, dir := testHandlers(t, nil)
	a, err := judge(h, bash(dir, "rm -rf src"))
	if err != nil || a.Decision != hook.None {
		t.Fatalf("guard = %+v, %v; want no decision", a, err)
	}
	r, err := repo.Open(dir)
	kit.Must(t, err)
	list, err := checkpoint.List(r)
	if err != nil || len(list) != 1 || list[0].Operation != "rm" {
		t.Fatalf("checkpoints = %+v, %v; want one of rm", list, err)
	}
	if !strings.Contains(a.System, "moai checkpoint restore "+list[0].Brief()) {
		t.Errorf("the user is not told the way back:\n%s", a.System)
	}
	if m := h.recallSession("s1"); len(m.Checkpoints) != 1 {
		t.Errorf("session remembers %v", m.Checkpoints)
	}
	// The same tree is not saved twice.
	if _, err := judge(h, bash(dir, "rm -rf src")); err != nil {
		t.Fatal(err)
	}
	if list, _ = checkpoint.List(r); len(list) != 1 {
		t.Errorf("%d checkpoints of one tree", len(list))
	}
}

func TestGuardOutsideARepository(t *testing.T) {
	for setting, want := range map[string]hook.Decision{"ask": hook.Ask, "deny": hook.Deny, "allow": hook.None} {
		h, dir := testHandlers(t, map[string]string{"guard.no_checkpoint": setting, "checkpoint.folder_files": "0"})
		kit.Must(t, os.RemoveAll(filepath.Join(dir, ".git")))
		a, err := judge(h, bash(dir, "rm -rf src"))
		if err != nil || a.Decision != want {
			t.Errorf("guard.no_checkpoint=%s: %+v, %v; want %v", setting, a, err, want)
		}
		if text := a.Reason + a.System; !strings.Contains(text, "no Git repository") {
			t.Errorf("guard.no_checkpoint=%s: nobody is told why: %q", setting, text)
		}
	}
}

func TestDryRunLeavesNoTrace(t *testing.T) {
	h, dir := testHandlers(t, nil)
	h.DryRun = true
	for _, line := range []string{"rm -rf ~", "rm -rf src"} {
		if _, err := judge(h, bash(dir, line)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(h.StateDir); !os.IsNotExist(err) {
		t.Error("a dry run wrote state")
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "refs", "moai")); !os.IsNotExist(err) {
		t.Error("a dry run took a snapshot")
	}
}

func TestUnattended(t *testing.T) {
	all, err := rule.LoadRisks(os.DirFS("../.."))
	kit.Must(t, err)
	tests := []struct {
		mode, attended string
		want           bool
	}{{"default", "", false}, {"default", "1", false}, {"default", "0", true}, {"bypassPermissions", "1", true}, {"auto", "", true}, {"plan", "1", false}}
	for _, tt := range tests {
		e := &hook.Event{}
		e.SetFields([]hook.Member{{Name: "permission_mode", Value: quote(tt.mode)}})
		h := &Handlers{Tables: Tables{Risks: risk.NewSet(all)}, Getenv: func(string) string { return tt.attended }}
		if got := h.unattended(e); got != tt.want {
			t.Errorf("unattended(mode %s, attended %q) = %v, want %v", tt.mode, tt.attended, got, tt.want)
		}
	}
}

func TestFollow(t *testing.T) {
	dir := kit.Dir(t)
	outside := filepath.Join(dir, "outside")
	kit.Must(t, os.Mkdir(outside, 0o755))
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, err := os.Readlink(filepath.Join(dir, "link")); err != nil {
		t.Skip("symbolic links cannot be told here:", err) // Wine
	}
	for name, to := range map[string]string{
		"to nothing": filepath.Join("outside", "later"),
		"chain":      "to nothing",
		"loop":       "loop",
	} {
		kit.Must(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	for in, want := range map[string]string{
		filepath.Join(dir, "link", "new", "file"):      filepath.Join(outside, "new", "file"),
		filepath.Join(dir, "plain", "x"):               filepath.Join(dir, "plain", "x"),
		filepath.Join(dir, "to nothing"):               filepath.Join(outside, "later"),
		filepath.Join(dir, "to nothing", "x"):          filepath.Join(outside, "later", "x"),
		filepath.Join(dir, "chain"):                    filepath.Join(outside, "later"),
		filepath.Join(dir, "link", "..", "to nothing"): filepath.Join(outside, "later"),
		filepath.Join(dir, "loop"):                     filepath.Join(dir, "loop"),
	} {
		if got := ground.Follow(in); got != want {
			t.Errorf("ground.Follow(%q) = %q, want %q", in, got, want)
		}
	}
}

// A nested repository would take its snapshot with it: a person is asked.
func TestDeletedRepositoryIsAskedAbout(t *testing.T) {
	h, dir := testHandlers(t, nil)
	nested := filepath.Join(dir, "nested")
	kit.Write(t, filepath.Join(nested, "work"), "a day's work")
	if out, err := exec.Command("git", "init", "-q", nested).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	a, err := judge(h, bash(dir, "rm -rf src nested"))
	if err != nil || a.Decision != hook.Ask || !strings.Contains(a.Reason, "repository of its own") {
		t.Errorf("guard = %+v, %v; want a question that says why", a, err)
	}
	if r, err := repo.Open(dir); err != nil {
		t.Fatal(err)
	} else if list, err := checkpoint.List(r); err != nil || len(list) != 1 {
		t.Errorf("%d checkpoints of the outer repository, %v; want 1 for src", len(list), err)
	}
}

// A verdict whose snapshot was cut off is not "could not judge": the setting for
// missing snapshots decides.
func TestUnsettledVerdict(t *testing.T) {
	h, dir := testHandlers(t, map[string]string{"guard.no_checkpoint": "deny"})
	e := bash(dir, "rm -rf src")
	if _, err := h.guard(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	if a, ok := h.Unsettled(e); !ok || a.Decision != hook.Deny {
		t.Errorf("Unsettled = %+v, %v; want deny", a, ok)
	}
	if _, err := h.protect(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	if a, ok := h.Unsettled(e); !ok || a.Decision != hook.None {
		t.Errorf("of a settled verdict there is %+v, %v left to say, want nothing", a, ok)
	}
	if a, ok := h.Unsettled(bash(dir, "ls")); ok || a.Decision != hook.None {
		t.Errorf("another event has the verdict %+v, %v", a, ok)
	}
}

// A guard that answers after the round is closed must not be lost: its verdict is known.
func TestUnsettledDenialIsADenial(t *testing.T) {
	h, dir := testHandlers(t, nil)
	e := bash(dir, "rm -rf ~")
	want, err := h.guard(context.Background(), e)
	if err != nil || want.Decision != hook.Deny {
		t.Fatalf("guard = %+v, %v; want deny", want, err)
	}
	if a, ok := h.Unsettled(e); !ok || a.Decision != hook.Deny || a.Reason != want.Reason {
		t.Errorf("Unsettled = %+v, %v; want what guard said", a, ok)
	}
}

// What protect has decided is said though it comes back too late, since a slow disk delays its note in the journal.
func TestLateProtectionIsSaid(t *testing.T) {
	h, dir := testHandlers(t, map[string]string{"guard.no_checkpoint": "deny"})
	e := bash(dir, "rm -rf src")
	if _, err := h.guard(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	want, err := h.protect(over, e)
	if err != nil || want.Decision != hook.Deny {
		t.Fatalf("protect without time = %+v, %v; want deny", want, err)
	}
	if a, ok := h.Unsettled(e); !ok || a.Decision != hook.Deny || a.Reason != want.Reason {
		t.Errorf("Unsettled = %+v, %v; want what protect said", a, ok)
	}
}

// A disk that does not answer, such as a dead network drive, must not let a call pass:
// what the words of it come to stands, and what would have to be looked at is asked about.
func TestHangingDisk(t *testing.T) {
	for line, want := range map[string]hook.Decision{
		"rm -rf ~":               hook.Deny,
		"cd src; rm -rf 1":       hook.Ask,
		"rm -rf /tmp/x":          hook.Ask,  // which may be a link
		"echo x > src/a.go":      hook.None, // twoRules know no redirection, and nothing is lost by what they know
		"ls; cat src/a.go":       hook.None,
		"git status 2>/dev/null": hook.None,
	} {
		t.Run(line, func(t *testing.T) {
			h, dir := testHandlers(t, nil)
			dead := make(chan struct{})
			hang := func(string) bool { <-dead; return false }
			h.facts = func(in *risk.Input) {
				in.Exists, in.Ignored, in.Unsaved, in.Regular, in.Mounted = hang, hang, hang, hang, hang
				in.Follow = func(p string) string { hang(p); return p }
			}
			defer close(dead)
			var r hook.Registry
			r.Log = slog.New(slog.DiscardHandler)
			h.Register(&r, "PreToolUse")
			e := bash(dir, line)
			var a hook.Answer
			var err error
			said := make(chan struct{}, 2)
			go func() {
				here, failed := r.Dispatch(context.Background(), e, hook.Budget{Hard: 30 * time.Millisecond}, func(late hook.Answer, failed error) {
					a, err = late, failed
					said <- struct{}{}
				})
				a, err = here, failed
				said <- struct{}{}
			}()
			<-said
			left, judged := h.Unsettled(e)
			a.Merge(left)
			if a.Decision != want {
				t.Errorf("decision %v (%s), judged %v, %v; want %v", a.Decision, a.Reason, judged, err, want)
			}
		})
	}
}

// "For ever" is a large number to people, and must not become a negative one.
func TestRetention(t *testing.T) {
	c := config.Load(config.Sources{Flags: map[string]string{"checkpoint.keep_days": "999999", "checkpoint.keep_mb": "9999999999999"}})
	if r := Retention(c); r.Age < 100*365*24*time.Hour || r.Bytes < 1<<60 {
		t.Errorf("Retention of huge bounds = %+v, want huge ones", r)
	}
	if r := Retention(config.Load(config.Sources{})); r.Age != 30*24*time.Hour || r.Bytes != 1<<30 || r.Count != 10 {
		t.Errorf("Retention of the defaults = %+v", r)
	}
}

func TestSnapshotStaysWithinTheEvent(t *testing.T) {
	h, dir := testHandlers(t, nil)
	ctx, cancel := context.WithTimeout(context.Background(), spare/2)
	defer cancel()
	e := bash(dir, "rm -rf src")
	if _, err := h.guard(ctx, e); err != nil {
		t.Fatal(err)
	}
	a, err := h.protect(ctx, e)
	if err != nil || a.Decision != hook.Ask {
		t.Errorf("protect without time = %+v, %v; want a question", a, err)
	}
}

func TestSecretsAreNotKept(t *testing.T) {
	h, dir := testHandlers(t, nil)
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
	send := func(run func(context.Context, *hook.Event) (hook.Answer, error), name string, fields ...hook.Member) {
		e := &hook.Event{Name: name, Known: true, Dialect: hook.Claude, SessionID: "s", CWD: dir, ProjectDir: dir, ToolName: "TaskCreate"}
		e.SetFields(fields)
		if _, err := run(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
	send(h.prompt, "UserPromptSubmit", hook.Member{Name: "prompt", Value: quote("use " + secret)})
	send(h.compact, "PreCompact", hook.Member{Name: "custom_instructions", Value: quote("keep " + secret)})
	send(h.toolDone, "PostToolUse", hook.Member{Name: "tool_input", Value: `{"subject":"` + secret + `"}`}, hook.Member{Name: "tool_response", Value: `{"task":{"id":"1"}}`})
	found := 0
	err := filepath.WalkDir(h.StateDir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found++
		data, err := os.ReadFile(p)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s holds the secret", p)
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("looked into %d files, %v", found, err)
	}
}

func TestDocumentsWithoutState(t *testing.T) {
	h, dir := testHandlers(t, nil)
	h.StateDir = filepath.Join(dir, "src", "a.go", "no folder") // cannot be made
	h.Tables.Contexts = []rule.Context{{ID: "d.x", Kind: rule.ContextDocuments, Commands: []string{"/plan"}, Documents: []string{"src/a.go"}}}
	e := &hook.Event{Name: "UserPromptSubmit", SessionID: "s", CWD: dir, ProjectDir: dir}
	e.SetFields([]hook.Member{{Name: "prompt", Value: quote("/plan it")}})
	if a, err := h.prompt(context.Background(), e); err != nil || len(a.ContextFiles) != 1 {
		t.Errorf("prompt = %+v, %v; want the document", a, err)
	}
}

func TestSensitiveLooksIntoSmallFiles(t *testing.T) {
	dir := t.TempDir()
	kit.Write(t, filepath.Join(dir, "notes.md"), "token: xkey_Zq8vN2mT4rWp7LcD\n")
	kit.Write(t, filepath.Join(dir, "plain.md"), "nothing here\n")
	rules := &risk.Set{Keys: secret.New(&rule.Secrets{Formats: []rule.Token{{ID: "x", Prefixes: []string{"xkey_"}, Chars: "base62", Min: 16, Max: 16}}})}
	sensitive := Sensitive(rules, dir)
	for path, want := range map[string]bool{"notes.md": true, "plain.md": false, "missing": false} {
		if got := sensitive(path, nil); got != want {
			t.Errorf("Sensitive(%q) = %v, want %v", path, got, want)
		}
	}
	// What was read already need not be read again, and counts even if the file is another by now.
	key := []byte("token: xkey_Zq8vN2mT4rWp7LcD\n")
	if !sensitive("plain.md", key) || sensitive("plain.md", make([]byte, 100)) {
		t.Error("Sensitive does not judge the content it is given")
	}
	if !sensitive("plain.md", make([]byte, sensitiveFile+1)) {
		t.Error("Sensitive lets pass what it does not look into")
	}
}

// quote is the value of a text.
func quote(text string) hook.Value {
	v, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return hook.Value(v)
}
