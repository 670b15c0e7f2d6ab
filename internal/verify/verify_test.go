package verify_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modu-ai/moai/generated/agents"
	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/verify"
)

func tables() *verify.Tables {
	return &verify.Tables{Agents: &agents.All, Languages: func() *lang.Table { return &languages.Table }}
}

var at = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

// work is a session in a folder, with the files that it wrote.
func work(t *testing.T, names ...string) (*verify.State, string) {
	t.Helper()
	dir, s := t.TempDir(), &verify.State{}
	for _, name := range names {
		write(t, s, filepath.Join(dir, name), "x")
	}
	return s, dir
}

func write(t *testing.T, s *verify.State, path, text string) {
	t.Helper()
	kit.Write(t, path, text)
	s.Changed(verify.Edit{Path: path, Sum: verify.Sum(path), At: at, Tool: "Write"})
}

func names(s *verify.State, dir string) []string {
	var list []string
	for _, p := range s.Unverified(tables(), func(f *verify.File) (string, bool) {
		rel, err := filepath.Rel(dir, f.Path)
		return filepath.ToSlash(rel), err == nil
	}) {
		list = append(list, p.Rel)
	}
	return list
}

func TestSaid(t *testing.T) {
	for message, want := range map[string]verify.Finding{
		"VERDICT: PASS":                          verify.Passed,
		"All good.\n\n**Verdict:** PASS":         verify.Passed,
		"x\n\nVERDICT: BLOCKERS (see above)":     verify.Found,
		"VERDICT: UNABLE (no files)":             verify.Unable,
		"VERDICT: BLOCKERS\nthen\nVERDICT: PASS": verify.Passed, // the last one counts
		"판정: 통과":                                 verify.Passed,
		"판정: 차단":                                 verify.Found,
		"":                                       verify.Unable,
		"  \n":                                   verify.Unable,
		"API Error: Request rejected (429)":      verify.Unable,
		"You've hit your usage limit":            verify.Unable,
		"Opus 9 requires usage credits. /usage":  verify.Unable,
		"I have read main.go. It is fine.":       verify.Passed,
		"There is one blocker in main.go.":       verify.Found,
		"No blockers. Two nits.":                 verify.Passed,
		"Blockers: none":                         verify.Passed,
		"Two failing tests in x_test.go":         verify.Found,
		"There were no failing tests.":           verify.Passed,
		"This must be fixed. No blockers else":   verify.Found,
		"I was unable to read the files.":        verify.Unable,
		"반드시 수정해야 합니다":                           verify.Found,
		"차단 문제 없음":                               verify.Passed,
		"Results of the tests were fine":         verify.Passed,
		"Result: passed":                         verify.Passed,
		"Read args.go. There is a blocker? No. VERDICT: PASS. No problems.":              verify.Passed,
		"args.go:3 is wrong. VERDICT: BLOCKERS (see above)":                              verify.Found,
		"I write this or nothing. VERDICT: PASS is not what I can say, as a test fails.": verify.Found,
		"Looked at a.go. VERDICT: PASS\n\nargs.go has a blocker.":                        verify.Found, // not the last line
		"Passing verdicts are rare":                                                      verify.Passed,
		"치명적인 버그: args.go:3 에서 nil 이면 패닉이 납니다. 반드시 고쳐야 합니다.":                             verify.Found,
		"I found two bugs: (1) args.go:3 nil deref":                                      verify.Found,
		"I could not open the file: permission denied.":                                  verify.Unable,
		"Two findings:\n1. args.go:3 panics":                                             verify.Found,
		"No findings: all is well":                                                       verify.Passed,
		"I looked for bugs and found none.":                                              verify.Passed,
		"args.go를 읽었습니다. 버그가 있는지 보았고 문제 없습니다.":                                           verify.Passed,
		"치명적인 문제는 없습니다.":                                                                 verify.Passed,
	} {
		if got, why := tables().Said(message); got != want {
			t.Errorf("Said(%q) = %q (%s), want %q", message, got, why, want)
		}
	}
}

// An answer decides where its last line has the verdict behind other sentences, too; a definition asks for one on a line of its own.
func TestDecides(t *testing.T) {
	for message, want := range map[string]bool{
		"Looked.\n\nVERDICT: PASS": true, "Looked at args.go. VERDICT: PASS. No problems.": true, "판정을 내립니다. 판정: 통과": true,
		"I can not say VERDICT: PASS here.": false, "All is well.": false, "All. Verdict: PASS or not, who knows": false, "Looked. VERDICT: PASS\nBye.": false,
	} {
		if got := tables().Decides(message); got != want {
			t.Errorf("Decides(%q) = %v", message, got)
		}
	}
	if tables().Rules("End with a line. VERDICT: PASS") {
		t.Error("a definition that names a verdict in a sentence asks for none on a line of its own")
	}
}

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{"Shall I?": true, "어느 쪽인가요？": true, "**Shall I go on?**\n": true, "Why? Because.": false, "": false, "Done.": false} {
		if got := verify.Asks(text); got != want {
			t.Errorf("Asks(%q) = %v", text, got)
		}
	}
}

func TestKinds(t *testing.T) {
	for path, want := range map[string]string{
		"main.go": "code", "web/index.html": "code", "main_test.go": "tests", "tests/a.py": "tests", "src/a.test.ts": "tests", "README.md": "docs", "docs/a.md": "docs",
		"plan.md": "plan", "docs/ROADMAP.md": "plan", ".claude/plans/x.md": "plan", "conf.yaml": "configuration", "data/prices.csv": "data", "testdata/prices.csv": "tests", "package.json": "configuration",
		"go.sum": "lock", "package-lock.json": "lock", "a.pb.go": "code", "picture.png": "", "icon.svg": "asset", "dist/a.min.js": "code", "한글.go": "code", "notes.txt": "docs", "Makefile": "code",
	} {
		f := &verify.File{Path: filepath.Join(t.TempDir(), path), Tool: "Edit"}
		got := ""
		if k := tables().Kind(f, path); k != nil {
			got = k.Name
		}
		if got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]string{ // by commands, which write what is others' code as well
		".github/workflows/ci.yml": "configuration", "sub/.github/actions/x/action.yaml": "configuration", ".gitlab-ci.yml": "configuration", ".circleci/config.yml": "configuration",
		"Jenkinsfile": "code", ".teamcity/settings.kts": "code", ".vscode/tasks.json": "configuration", "internal/cache/cache.go": "code", "src/cache/env.ts": "code",
		".github/CONTRIBUTING.md": "docs", "vendor/a.go": "", "env/lib/a.py": "", "node_modules/x/cache/a.js": "", "vendor/x/.github/a.py": "", "dist/a.js": "",
	} {
		f := &verify.File{Path: filepath.Join(t.TempDir(), path), Tool: "Bash", Command: true}
		got := ""
		if k := tables().Kind(f, path); k != nil {
			got = k.Name
		}
		if got != want {
			t.Errorf("%s, written by a command, is %q, want %q", path, got, want)
		}
	}
	for text, want := range map[string]string{"#!/bin/sh\n": "code", "#! /usr/bin/env -S deno run\n": "code", "#!/opt/ours/runner\n": "code", "plain\n": ""} {
		f := &verify.File{Path: filepath.Join(t.TempDir(), "deploy"), Tool: "Write", Sum: "x"}
		if err := os.WriteFile(f.Path, []byte(text), 0o600); err != nil { // what runs by its mode: verify-runs.txtar
			t.Fatal(err)
		}
		for _, rel := range []string{"deploy", "bin/release.prod"} {
			got := ""
			if k := tables().Kind(f, rel); k != nil {
				got = k.Name
			}
			if got != want {
				t.Errorf("%s with %q is %q, want %q", rel, text, got, want)
			}
		}
	}
	s, dir := work(t)
	write(t, s, filepath.Join(dir, "made.go"), "// Code generated by x; DO NOT EDIT.\n\npackage a\n")
	if list := names(s, dir); !slices.Equal(list, []string{"made.go"}) {
		t.Errorf("%v waits for a look, and a tool that edits files wrote made.go, whatever that says of itself", list)
	}
	s.Files[0].Command, s.Files[0].Hand = true, false
	if list := names(s, dir); len(list) > 0 {
		t.Errorf("%v waits for a look, and a program wrote it", list)
	}
	write(t, s, filepath.Join(dir, "vendor/x/x.go"), "package x\n")
	if list := names(s, dir); !slices.Equal(list, []string{"vendor/x/x.go"}) {
		t.Errorf("what a tool wrote into vendor is not asked for: %v", list)
	}
	s.Files[1].Command = true
	if list := names(s, dir); len(list) > 0 {
		t.Errorf("what a command wrote into vendor is asked for: %v", list)
	}
}

func TestLooks(t *testing.T) {
	s, dir := work(t, "a.go", "b.go", "README.md")
	a, b := filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go")
	if list := names(s, dir); !slices.Equal(list, []string{"a.go", "b.go"}) {
		t.Fatalf("%v", list)
	}
	code := []string{"code"}
	// b changes while the verifier looks.
	s.Begin("1", "heimdall", code, at, verify.Sum)
	write(t, s, b, "y")
	if r := s.Finish("1", verify.Passed, "", "", at, verify.Sum); r == nil || r.Files != 2 { // a.go and README.md
		t.Fatalf("%+v", r)
	}
	if list := names(s, dir); !slices.Equal(list, []string{"b.go"}) {
		t.Fatalf("after the first look %v", list)
	}
	// Somebody else changes b behind the session's back while it is looked at: not the same at start and end.
	s.Begin("2", "heimdall", code, at, verify.Sum)
	kit.Write(t, b, "z")
	s.Finish("2", verify.Passed, "", "", at, verify.Sum)
	if list := names(s, dir); !slices.Equal(list, []string{"b.go"}) {
		t.Fatalf("after a look that was disturbed %v", list)
	}
	for _, f := range []verify.Finding{verify.Found, verify.Unable} {
		s.Begin("3", "heimdall", code, at, verify.Sum)
		s.Finish("3", f, "", "", at, verify.Sum)
		if len(names(s, dir)) != 1 {
			t.Errorf("%s counts as a look", f)
		}
	}
	// One that finds something in a file that another one passed has it looked at again; where it names none, all of them.
	for _, c := range []struct {
		message string
		want    int
	}{{"VERDICT: FAIL\n- a.go:1 is wrong", 2}, {"VERDICT: FAIL", 1}, {"b.go: no", 1}} {
		s.Begin("1", "heimdall", code, at, verify.Sum)
		s.Finish("1", verify.Passed, "", "", at, verify.Sum)
		write(t, s, b, c.message)
		s.Begin("3", "tyr", code, at, verify.Sum)
		s.Finish("3", verify.Found, "", c.message, at, verify.Sum)
		if len(names(s, dir)) != c.want {
			t.Errorf("%q: %v waits", c.message, names(s, dir))
		}
	}
	// A plan's verifier does not verify code, and nobody verifies without a beginning.
	s.Begin("4", "loki", []string{"plan"}, at, verify.Sum)
	s.Finish("4", verify.Passed, "", "", at, verify.Sum)
	if s.Finish("5", verify.Passed, "", "", at, verify.Sum) != nil || len(names(s, dir)) != 1 {
		t.Error("a look of a plan, or without a beginning, counts")
	}
	s.Begin("6", "heimdall", code, at, verify.Sum)
	s.Finish("6", verify.Passed, "", "", at, verify.Sum)
	if len(names(s, dir)) != 0 {
		t.Errorf("after the last look %v", names(s, dir))
	}
	// A person changes a: not the session's. The session does: void, until it is as it was looked at.
	kit.Write(t, a, "person")
	if len(names(s, dir)) != 0 {
		t.Error("a person's change is asked for")
	}
	write(t, s, a, "more")
	if list := names(s, dir); !slices.Equal(list, []string{"a.go"}) {
		t.Errorf("%v", list)
	}
	write(t, s, a, "x")
	if len(names(s, dir)) != 0 {
		t.Error("the same content as was looked at is asked for")
	}
}

// Of a finding, the files that the message names are told; where it names none, all.
func TestBlames(t *testing.T) {
	for message, want := range map[string][]string{
		"a.go:1 loses work.\n\nVERDICT: BLOCKERS": {"a.go"},
		"It loses work.\n\nVERDICT: BLOCKERS":     {"a.go", "b.go"},
	} {
		s, dir := work(t, "a.go", "b.go")
		s.Begin("1", "heimdall", []string{"code"}, at, verify.Sum)
		s.Finish("1", verify.Found, "", message, at, verify.Sum)
		var blamed []string
		for i := range s.Files {
			if f := &s.Files[i]; f.Since("code") != "" {
				blamed = append(blamed, filepath.Base(f.Path))
			}
		}
		if !slices.Equal(blamed, want) || len(names(s, dir)) != 2 {
			t.Errorf("%q blames %v, want %v; %v wait", message, blamed, want, names(s, dir))
		}
	}
}

// Why an answer is taken for a finding says what was found, wherever that stands.
func TestSaidWhy(t *testing.T) {
	for message, want := range map[string]string{
		"VERDICT: BLOCKERS\n\na.go is wrong":                               "VERDICT: BLOCKERS a.go is wrong",
		"# Review\n\nFindings:\n\n1. a.go:3 is wrong\n\nVERDICT: BLOCKERS": "VERDICT: BLOCKERS 1. a.go:3 is wrong",
		"a.go:3 is wrong. VERDICT: BLOCKERS":                               "a.go:3 is wrong. VERDICT: BLOCKERS",
		"판정: 차단":                                                           "판정: 차단",
		"가.go 가 틀렸습니다.\n\n판정: 차단":                                          "판정: 차단 가.go 가 틀렸습니다.",
		"a.go is fine.\n\nVERDICT: PASS":                                   "VERDICT: PASS",
	} {
		if _, why := tables().Said(message); why != want {
			t.Errorf("Said(%q) says %q, want %q", message, why, want)
		}
	}
}

// A test-writer's tests are the check; what it does to code is not.
func TestVerifiersOwnWork(t *testing.T) {
	s, dir := work(t)
	for _, name := range []string{"a_test.go", "a.go"} {
		path := filepath.Join(dir, name)
		kit.Write(t, path, "x")
		s.Changed(verify.Edit{Path: path, Sum: verify.Sum(path), At: at, Tool: "Write", Agent: "tyr"})
	}
	if list := names(s, dir); !slices.Equal(list, []string{"a.go"}) {
		t.Errorf("%v", list)
	}
}

func TestDecide(t *testing.T) {
	heimdall := []verify.Agent{{Name: "heimdall", Needs: []string{"code"}}}
	loki := []verify.Agent{{Name: "loki", Needs: []string{"plan"}}}
	does := func(s *verify.State, sit verify.Situation, dir string) verify.Action {
		sit.Pending = s.Unverified(tables(), func(f *verify.File) (string, bool) { return filepath.Base(f.Path), true })
		d := s.Decide(&sit, at)
		return d.Does
	}
	for _, c := range []struct {
		why  string
		sit  verify.Situation
		want verify.Action
	}{
		{"auto with a verifier", verify.Situation{Mode: "auto", Installed: heimdall}, verify.Block},
		{"auto with another's", verify.Situation{Mode: "auto", Installed: loki}, verify.Warn},
		{"auto without", verify.Situation{Mode: "auto"}, verify.Warn},
		{"block without", verify.Situation{Mode: "block"}, verify.Block},
		{"warn", verify.Situation{Mode: "warn", Installed: heimdall}, verify.Warn},
		{"off", verify.Situation{Mode: "off", Installed: heimdall}, verify.Pass},
		{"waived", verify.Situation{Mode: "block", Waived: "plan mode", Installed: heimdall}, verify.Pass},
		{"spent", verify.Situation{Mode: "auto", Installed: heimdall, Spent: true}, verify.Warn},
	} {
		s, dir := work(t, "a.go")
		if got := does(s, c.sit, dir); got != c.want {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
		if s.Last == nil || s.Last.Does != c.want || s.Last.Why == "" {
			t.Errorf("%s: remembered as %+v", c.why, s.Last)
		}
	}
	s, dir := work(t, "a.go")
	gate := verify.Situation{Turn: "1", Mode: "auto", Installed: heimdall}
	for i, want := range []verify.Action{verify.Block, verify.Warn, verify.Pass} { // once for a state, said once, then silence
		if got := does(s, gate, dir); got != want {
			t.Errorf("time %d: %s, want %s", i, got, want)
		}
	}
	write(t, s, filepath.Join(dir, "a.go"), "2")
	if got := does(s, gate, dir); got != verify.Block {
		t.Errorf("another state: %s", got)
	}
	write(t, s, filepath.Join(dir, "a.go"), "3")
	if got := does(s, gate, dir); got != verify.Warn {
		t.Errorf("the third in one turn: %s", got)
	}
	write(t, s, filepath.Join(dir, "a.go"), "4")
	gate.Turn = "2"
	if got := does(s, gate, dir); got != verify.Block {
		t.Errorf("the next turn: %s", got)
	}
	// Fewer of the files, each as it was, are no new state, whether one is gone or is looked at.
	s, dir = work(t, "a.go", "b.go")
	for i, want := range []verify.Action{verify.Block, verify.Warn, verify.Pass, verify.Pass} {
		if i == 2 {
			kit.Must(t, os.Remove(filepath.Join(dir, "b.go")))
			s.Changed(verify.Edit{Path: filepath.Join(dir, "b.go"), At: at, Tool: "Bash", Command: true})
		}
		gate.Turn = fmt.Sprint(i)
		if got := does(s, gate, dir); got != want {
			t.Errorf("fewer files, time %d: %s, want %s", i, got, want)
		}
	}
}

func TestGate(t *testing.T) {
	dir := t.TempDir()
	for range verify.Patience {
		if g := verify.GateOf(dir, "/p"); g.Spent() {
			t.Fatal("spent too early")
		}
		kit.Must(t, verify.Held(dir, "/p"))
	}
	if g := verify.GateOf(dir, "/p"); !g.Spent() {
		t.Error("not spent")
	}
	if g := verify.GateOf(dir, "/q"); g.Spent() {
		t.Error("another project's is spent")
	}
	kit.Must(t, verify.Paid(dir, "/p", at))
	if g := verify.GateOf(dir, "/p"); g.Spent() {
		t.Error("a finding does not bring it back")
	}
}

func TestInstalled(t *testing.T) {
	project, user := t.TempDir(), t.TempDir()
	put := func(dir, name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		kit.Write(t, path, text)
	}
	plugin := filepath.Join(user, "cache", "team")
	named := func(name string) string { return "---\nname: " + name + "\ndescription: looks\n---\n" }
	put(project, "agents/mine.md", named(`"heimdall"`))
	put(project, "agents/sub/scout.md", "---\r\nname: scout # for plans\r\ndescription: |\r\n  looks\r\n---\r\n")
	put(project, "agents/sec.md", named("sec"))
	put(user, "agents/heimdall.md", named("heimdall"))
	put(user, "agents/loki.md", named("loki"))
	// The client has none without a name or a description, but in plugins.
	put(project, "agents/tyr.md", "no front matter")
	put(project, "agents/reviewer.md", "---\nname: reviewer\n---\n")
	put(project, "agents/oracle.md", "---\ndescription: looks\n---\n")
	put(user, "cache/team/agents/tyr.md", "x")
	put(user, "cache/team/agents/deep/o.md", named("odin"))
	put(user, "cache/off/agents/odin.md", "x")
	put(user, "plugins/installed_plugins.json", fmt.Sprintf(`{"version":2,"plugins":{"team@m":[{"installPath":%q}],"off@m":{"installPath":%q}}}`, plugin, filepath.Join(user, "cache", "off")))
	put(user, "settings.json", `{"enabledPlugins":{"team@m":true,"off@m":true}}`)
	put(project, "settings.json", `{"enabledPlugins":{"off@m":false}}`)
	var got []string
	for _, a := range tables().Installed(project, user, []string{"sec", "plan/scout"}) {
		got = append(got, a.Name+"="+strings.Join(a.Needs, "+"))
	}
	if want := []string{"heimdall=code", "sec=code", "scout=plan", "loki=plan", "team:deep:odin=plan", "team:tyr=code"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A look is handed on where it is whole, however much there is for a picture, and never where the time was over.
func TestWhichLookIsHandedOn(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Skipf("git: %v\n%s", err, out)
	}
	for i := range 2100 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := repo.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if p, look, err := verify.Take(t.Context(), r, "", true, time.Time{}, nil); err != nil || p.Partial || p.Rest == 0 || len(p.Files) != 2000 || look == nil || look.Untracked != 2100 {
		t.Errorf("much to see: %d files, rest %d, partial %v, look %v, %v", len(p.Files), p.Rest, p.Partial, look != nil, err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if p, look, err := verify.Take(over, r, "", true, time.Time{}, nil); err != nil || !p.Partial || look != nil {
		t.Errorf("no time: %+v, look %v, %v", p, look, err)
	}
}

// Where not all untracked files can be told from ignored ones, a picture does not show all.
func TestPictureOfTooManyPatterns(t *testing.T) {
	dir := t.TempDir()
	kit.Git(t, dir, "init", "-q")
	kit.Flood(t, dir)
	r, err := repo.Open(dir)
	kit.Must(t, err)
	for _, snapshot := range []bool{false, true} {
		if p, _, err := verify.Take(t.Context(), r, "", snapshot, time.Time{}, nil); err != nil || !p.Partial {
			t.Errorf("with a snapshot %t: %d files, partial %t, %v", snapshot, len(p.Files), p.Partial, err)
		}
	}
}

func TestPictures(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v\n%s", args, err, out)
		}
	}
	put := func(name, text string) {
		kit.Write(t, filepath.Join(dir, name), text)
	}
	take := func() *verify.Picture {
		r, err := repo.Open(dir)
		kit.Must(t, err)
		p, none, err := verify.Take(t.Context(), r, "", false, time.Time{}, nil)
		kit.Must(t, err)
		// By a look that a snapshot can go by, it is the same picture.
		q, look, err := verify.Take(t.Context(), r, "", true, time.Time{}, nil)
		if err != nil || none != nil || look == nil || !maps.Equal(p.Files, q.Files) || p.Head != q.Head || p.Partial != q.Partial {
			t.Errorf("%+v, by the look of a snapshot: %+v, %v", p, q, err)
		}
		return p
	}
	git("init", "-q", "-b", "main")
	put(".gitignore", "out/\n*.log\n")
	for _, name := range []string{"clean.go", "users.go", "gone.go", "touched.go", "staged.go"} {
		put(name, "1")
	}
	git("add", "-A")
	git("commit", "-q", "-m", "x")
	put("users.go", "the user's")
	put("touched.go", "the user's too")
	put("untracked.go", "before")
	before := take()
	put("clean.go", "2")
	put("new.go", "new")
	put("x.log", "ignored")
	put("untracked.go", "after")
	put("touched.go", "the user's too") // written again as it is
	put("staged.go", "2")
	git("add", "staged.go")
	kit.Must(t, os.Remove(filepath.Join(dir, "gone.go")))
	files, known := take().Since(before)
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if want := []string{"clean.go", "gone.go", "new.go", "staged.go", "untracked.go"}; !known || !slices.Equal(files, want) {
		t.Errorf("%v %v, want %v", files, known, want)
	}
	// What was changed before and is committed now is as it was.
	before = take()
	git("add", "-A")
	git("commit", "-q", "-m", "y")
	if files, known := take().Since(before); !known || len(files) > 0 {
		t.Errorf("a commit changed %v", files)
	}
	// What a command changes and commits at once is its own; what it brings from elsewhere is not.
	open := func() *repo.Repo {
		r, err := repo.Open(dir)
		kit.Must(t, err)
		return r
	}
	time.Sleep(100 * time.Millisecond) // what was written just before is taken for the command's, by the clock of files
	before = take()
	put("clean.go", "committed at once")
	git("commit", "-q", "-a", "-m", "z")
	if files := take().Committed(open(), before); len(files) != 1 || filepath.Base(files[0]) != "clean.go" {
		t.Errorf("committed at once: %v", files)
	}
	git("branch", "other")
	before = take()
	git("reset", "-q", "--hard", "HEAD~2")
	if files := take().Committed(open(), before); len(files) > 0 {
		t.Errorf("a reset brought %v", files)
	}
	time.Sleep(1100 * time.Millisecond) // commits know seconds
	before = take()
	git("merge", "-q", "--ff-only", "other")
	if files := take().Committed(open(), before); len(files) > 0 {
		t.Errorf("a pull brought %v", files)
	}
}

// Twenty processes of one session at once lose nothing. Goroutines stand for them: each takes the kernel's lock anew.
func TestSideBySide(t *testing.T) {
	dir, n := t.TempDir(), 20
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			err := verify.Change(dir, "s", "/p", at, func(s *verify.State) bool {
				return s.Changed(verify.Edit{Path: fmt.Sprintf("/p/%d.go", i), Sum: "x", At: at})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s := verify.Read(dir, "s")
	if s == nil || len(s.Files) != n || s.Seq != n {
		t.Fatalf("%+v", s)
	}
	if verify.Newest(dir, "/p") == nil || verify.Newest(dir, "/q") != nil {
		t.Error("the newest of a project is not found, or another's is")
	}
}

// A file that moved keeps its look, and one that is gone waits for nobody.
func TestMoved(t *testing.T) {
	s, dir := work(t, "a.go", "b.go", "c.go")
	write(t, s, filepath.Join(dir, "a.go"), "other text")
	s.Begin("v", "heimdall", []string{"code"}, at, verify.Sum)
	s.Finish("v", verify.Passed, "", "", at, verify.Sum)
	if got := names(s, dir); len(got) != 0 {
		t.Fatalf("looked at: %q", got)
	}
	move := func(from, to string) {
		t.Helper()
		kit.Must(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
		path := filepath.Join(dir, to)
		s.Changed(verify.Edit{Path: path, Sum: verify.Sum(path), At: at, Tool: "Bash"})
		s.Changed(verify.Edit{Path: filepath.Join(dir, from), At: at, Tool: "Bash"})
	}
	move("a.go", "moved.go")
	if got := names(s, dir); len(got) != 0 {
		t.Errorf("only moved: %q", got)
	}
	// A copy is new, and so is what moved and was changed.
	copied := filepath.Join(dir, "copy.go")
	write(t, s, copied, "x")
	write(t, s, filepath.Join(dir, "moved.go"), "changed")
	if got := names(s, dir); !slices.Equal(got, []string{"copy.go", "moved.go"}) {
		t.Errorf("copied and changed: %q", got)
	}
	kit.Must(t, os.Remove(copied))
	if got := names(s, dir); !slices.Equal(got, []string{"moved.go"}) {
		t.Errorf("gone: %q", got)
	}
}
