package receipt_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
)

// A commit of all files has the name of the files, whatever is staged, and in whatever order it was changed.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string { t.Helper(); return kit.Git(t, dir, args...) }
	write := func(name, text string) { t.Helper(); kit.Write(t, filepath.Join(dir, name), text) }
	look := func() *receipt.Files {
		r, err := repo.Open(dir)
		kit.Must(t, err)
		f, err := receipt.Look(context.Background(), r, filepath.Join(t.TempDir(), "cache"))
		kit.Must(t, err)
		return f
	}
	git("init", "-q")
	write(".gitattributes", "*.txt text\n")
	write(".gitignore", "out/\n")
	write("a.go", "a\n")
	write("b.txt", "b\r\n")
	write("sub/c 한글.go", "c\n")
	write("d.go", "d\n")
	git("add", ".")
	git("commit", "-qm", "x")
	first := look().Work()
	write("out/x", "ignored")
	if look().Work() != first {
		t.Error("an ignored file changed the name")
	}
	write("a.go", "a2\n")
	write("b.txt", "b2\r\n") // stored with other line ends
	write("new.go", "n\n")
	kit.Must(t, os.Remove(filepath.Join(dir, "d.go")))
	changed := look()
	if changed.Work() == first {
		t.Error("changes did not change the name")
	}
	if name, left := changed.Commit(&receipt.Taking{Every: true}); name != changed.Work() || left != nil {
		t.Errorf("add -A leaves out %v", left)
	}
	if name, left := changed.Commit(&receipt.Taking{Paths: []string{""}}); name != changed.Work() || left != nil {
		t.Errorf("add . leaves out %v", left)
	}
	if name, left := changed.Commit(&receipt.Taking{}); name != first || len(left) != 4 {
		t.Errorf("nothing staged: leaves out %v", left)
	}
	all, left := changed.Commit(&receipt.Taking{All: true})
	if all == changed.Work() || strings.Join(left, " ") != "new.go" {
		t.Errorf("commit -a leaves out %v", left)
	}
	part, _ := changed.Commit(&receipt.Taking{Paths: []string{"a.go"}})
	git("add", "a.go")
	if staged, _ := look().Commit(&receipt.Taking{}); staged != part {
		t.Error("what is staged has another name than what was to be staged")
	}
	if name, left := look().Commit(&receipt.Taking{Tracked: []string{"b.txt"}, Only: true}); name != "" || len(left) == 0 {
		t.Errorf("commit PATH beside what is staged: %q %v", name, left)
	}
	git("add", "-A")
	if look().Work() != changed.Work() {
		t.Error("staging changed the name")
	}
	git("commit", "-qm", "y")
	if look().Work() != changed.Work() {
		t.Error("committing changed the name")
	}
}

// Where not all untracked files can be told from ignored ones, there is no name: a change of one would not change it.
func TestNoNameForTooManyPatterns(t *testing.T) {
	dir := t.TempDir()
	kit.Git(t, dir, "init", "-q")
	kit.Flood(t, dir)
	r, err := repo.Open(dir)
	kit.Must(t, err)
	if f, err := receipt.Look(t.Context(), r, ""); err == nil {
		t.Errorf("named %s", f.Work())
	}
}

func TestOutcome(t *testing.T) {
	for exit, want := range map[int]receipt.Outcome{0: receipt.Clean, 1: receipt.Violation, 2: receipt.Violation, 101: receipt.Violation, 126: receipt.Failure, 127: receipt.Failure, 137: receipt.Failure, -1: receipt.Failure, 9009: receipt.Failure} {
		if got := receipt.OutcomeOf(exit, false); got != want {
			t.Errorf("exit %d: %s, want %s", exit, got, want)
		}
	}
	if got := receipt.OutcomeOf(5, true); got != receipt.Failure {
		t.Errorf("a failure without a test: %s", got)
	}
}

// What could not even begin says nothing against the files; a module of the project's own that is missing does.
func TestCouldNotBegin(t *testing.T) {
	root := t.TempDir()
	kit.Must(t, os.MkdirAll(filepath.Join(root, "src", "app"), 0o755))
	for text, want := range map[string]bool{
		"make: *** No rule to make target 'test'.  Stop.\n":                                                                                  true,
		"sh: 1: jest: not found\nmake: *** [Makefile:2: test] Error 127\n":                                                                   true,
		"npm error Missing script: \"test\"\n":                                                                                               true,
		"bash: line 1: pytest: command not found":                                                                                            true,
		"/usr/bin/python3: No module named pytest":                                                                                           true,
		"ImportError while loading conftest\nE   ModuleNotFoundError: No module named 'requests'\n":                                          true,
		"E   ModuleNotFoundError: No module named 'app.login'\n=== 1 error in 0.1s ===\n":                                                    false,
		"Error: Cannot find module '" + root + "/node_modules/jest/bin/jest.js'\n":                                                           true,
		"Error: Cannot find module './login'\n":                                                                                              false,
		"Error: Cannot find module '" + root + "/src/x.js'\n":                                                                                false,
		"rake aborted!\nDon't know how to build task 'test'":                                                                                 true,
		"cannot load such file -- rspec":                                                                                                     true,
		"Can't locate Test/Deep.pm in @INC (you may need":                                                                                    true,
		"FAIL a.test.js\n  Cannot find module 'left-pad' from 'a.js'\nTests: 1 failed\n":                                                     false,
		"--- FAIL: TestA\nsh: 1: foo: not found\nFAIL\n":                                                                                     false,
		"error: rustup could not choose a version of cargo to run, because one wasn't specified explicitly, and no default is configured.\n": true,
		"npm error code ERR_INVALID_URL\nnpm error Invalid URL\n":                                                                            true,
		"npm error code ENOTFOUND\nnpm error network request to https://r/jest failed, reason: getaddrinfo ENOTFOUND r\n":                    true,
		"**** running tests with richgo ****\n/bin/sh: 1: richgo: not found\nmake: *** [Makefile:35: test] Error 127\n":                      true,
		"go: github.com/x/y: module lookup disabled by GOPROXY=off\nmake: *** [Makefile:9: install_deps] Error 1\n":                          true,
		"# example.com/x\na.go:3:8: github.com/q/y@v1.0.0: Get \"http://127.0.0.1:9/github.com/q/y/@v/v1.0.0.zip\": dial tcp 127.0.0.1:9: connect: connection refused\nFAIL\texample.com/x [setup failed]\nFAIL\n": true,
		"ok  \texample.com/x/sub\t0.004s\nFAIL\texample.com/x [setup failed]\nFAIL\n# example.com/x\na.go:3:8: module lookup disabled by GOPROXY=off\n":                                                            true,
		"# example.com/x\na.go:3:8: module lookup disabled by GOPROXY=off\nFAIL\texample.com/x [setup failed]\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.com/x/sub\t0.004s\nFAIL\n":                             false,
		"# example.com/x\na.go:3:8: module lookup disabled by GOPROXY=off\nFAIL\texample.com/x [setup failed]\nFAIL\texample.com/x/sub [build failed]\nFAIL\n":                                                     false,
		"# example.com/x\na.go:3:8: no required module provides package github.com/q/y; to add it:\n\tgo get github.com/q/y\nFAIL\texample.com/x [setup failed]\nFAIL\n":                                           false,
		// The same as go test -json prints it.
		jsonLines("# ex/b\n", "b.go:3:2: undefined: foo\n", "FAIL\tex/b [build failed]\n", "a.go:3:8: dial tcp: lookup x.invalid: no such host\n", "FAIL\tex/a [setup failed]\n", "ok  \tex/c\t0.1s\n"): false,
		jsonLines("panic: x\n", "FAIL\tex/d\t0.1s\n", "a.go:3:8: dial tcp: lookup x.invalid: no such host\n", "FAIL\tex/a [setup failed]\n"):                                                            false,
		jsonLines("a.go:3:8: dial tcp: lookup x.invalid: no such host\n", "FAIL\tex/a [setup failed]\n", "ok  \tex/c\t0.1s\n"):                                                                          true,
		"2026/11/29 dial tcp 127.0.0.1:5432: connect: connection refused\nFAIL\texample.com/x\t0.004s\nFAIL\n":                                                                                          false,
		"error: 'x': Failed to clone repository https://example.com/x.git:\n":                                                                                                                           true,
		"running 3 tests\nerror: failed to download `x`\n":                                                                                                                                              false,
		"error[E0425]: cannot find value `x` in this scope\nerror: could not compile `app`\n":                                                                                                           false,
		"EE\n======\nERROR: tests (unittest.loader._FailedTest.tests)\n------\nImportError: Failed to import test module: tests\nTraceback (most recent call last):\nModuleNotFoundError: No module named 'flask_sqlalchemy'\n\n------\nRan 2 tests in 0.010s\n\nFAILED (errors=2)\n": true,
		".E\n======\nERROR: tests (unittest.loader._FailedTest)\n------\nModuleNotFoundError: No module named 'app.login'\n------\nRan 2 tests in 0.010s\n\nFAILED (errors=1)\n":                                                                                                      false,
		"FE\n======\nERROR: tests (unittest.loader._FailedTest)\n------\nModuleNotFoundError: No module named 'requests'\n======\nFAIL: test_a (t.A.test_a)\n------\nRan 2 tests in 0.010s\n\nFAILED (failures=1, errors=1)\n":                                                        false,
		"E\n======\nERROR: test_a (t.A.test_a)\n------\nModuleNotFoundError: No module named 'requests'\n------\nRan 1 test in 0.010s\n\nFAILED (errors=1)\n":                                                                                                                         false,
		"AssertionError: 1 != 2\n": false,
		"error TS2307: Cannot find module 'react' or its corresponding type declarations.": true,
	} {
		out := receipt.NewOutput(&quality.Table.Tests)
		_, _ = out.Write([]byte(text))
		if got := out.CouldNotBegin(root); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// jsonLines are what go test -json makes of lines.
func jsonLines(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		text, _ := json.Marshal(map[string]string{"Action": "output", "Package": "ex", "Output": line})
		b.Write(append(text, '\n'))
	}
	return b.String() + `{"Action":"fail","Package":"ex","Elapsed":0}` + "\n"
}

// Which test failed is kept, however much the tests print that pass after it.
func TestFailing(t *testing.T) {
	for text, want := range map[string]string{
		"--- FAIL: TestB (0.00s)":                    "--- FAIL: TestB (0.00s)",
		"    --- FAIL: TestB/one (0.00s)":            "    --- FAIL: TestB/one (0.00s)",
		"\x1b[31mFAILED tests/a.py::test_b\x1b[0m":   "FAILED tests/a.py::test_b",
		"test b ... FAILED":                          "test b ... FAILED",
		"thread 'b' panicked at src/lib.rs:3:5:":     "thread 'b' panicked at src/lib.rs:3:5:",
		"  1) Login refuses an empty password":       "  1) Login refuses an empty password",
		"LoginTest > refusesEmpty FAILED":            "LoginTest > refusesEmpty FAILED",
		"src/a.ts(3,1): error TS2304: Cannot find b": "src/a.ts(3,1): error TS2304: Cannot find b",
		"--- PASS: TestFailover (0.00s)":             "",
		"2024-11-01 info: it did not fail":           "",
	} {
		o := receipt.NewOutput(&quality.Table.Tests)
		_, _ = o.Write([]byte("ok\n" + text + "\n" + strings.Repeat("--- PASS: TestZ (0.00s)\n", 5000)))
		one := receipt.Receipt{Tail: o.Tail(), Failing: o.Failing(func(s string) string { return s })}
		lines := one.Lines(12)
		if got := strings.Join(one.Failing, "|"); got != want || len(lines) != 12 || want != "" && lines[0] != want {
			t.Errorf("%q: %q, shown %q", text, got, lines)
		}
	}
	o := receipt.NewOutput(&quality.Table.Tests)
	_, _ = o.Write([]byte(jsonLines("FAIL\tex/b [build failed]\n")))
	if got := o.Failing(func(s string) string { return s }); len(got) != 1 || got[0] != "FAIL\tex/b [build failed]" {
		t.Errorf("from JSON: %q", got)
	}
	both := receipt.Receipt{Tail: "--- FAIL: TestB\nFAIL\n", Failing: []string{"--- FAIL: TestB"}}
	if got := strings.Join(both.Lines(12), "|"); got != "--- FAIL: TestB|FAIL" {
		t.Errorf("what the end says is said once: %s", got)
	}
}

func TestNoTests(t *testing.T) {
	for text, want := range map[string]bool{
		"?   \tx/a\t[no test files]\n":                                                true,
		"?   \tx/a\t[no test files]\nok  \tx/b\t0.1s\n":                               false,
		"ok  \tx/b\t0.1s [no tests to run]\n":                                         true,
		"running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n\nrunning 3 tests\n": false,
		"collected 0 items\n\n===== no tests ran in 0.01s =====\n":                    true,
		"collected 3 items\n... 3 passed\n":                                           false,
		"No tests found, exiting with code 1\n":                                       true,
		"  0 passing (1ms)\n":                                                         true,
		"Ran 0 tests in 0.000s\n\nOK\n":                                               true,
		"hello\n":                                                                     false,
		"":                                                                            false,
	} {
		o := receipt.NewOutput(&quality.Table.Tests)
		for i := range len(text) { // in pieces, as pipes give it
			_, _ = o.Write([]byte(text[i : i+1]))
		}
		if o.NoTests() != want {
			t.Errorf("%q: %v, want %v", text, !want, want)
		}
	}
	coloured := receipt.NewOutput(&quality.Table.Tests)
	_, _ = coloured.Write([]byte("\x1b[31m╷\x1b[0m\x1b[0m\n\x1b[2K\x1b[1Aone more\x1b[0;1m!\n"))
	if got := coloured.Tail(); got != "╷\none more!\n" {
		t.Errorf("the tail of what is coloured is %q", got)
	}
	o := receipt.NewOutput(&quality.Table.Tests)
	for range 200_000 {
		_, _ = o.Write([]byte("0123456789 a line of output\n"))
	}
	if n := len(o.Tail()); n == 0 || n > 8<<10 {
		t.Errorf("the tail of a flood is %d bytes", n)
	}
}

// An option behind a task of a runner may reach no test.
func TestKept(t *testing.T) {
	for line, want := range map[string]string{
		"make test | -run TestX": "make -run ", "make test | -j8 -k": "", "make test | ARGS=-v lint": "", "bundle exec rake test | -n x": "", "rake | --name x": "rake --name ",
		"go test ./... | -run TestX": "", "npm test | -t login": "npm -t --", "npm test | -- -t login": "", "npm test | src/a.test.js": "", "uv run tox -e py | -k x": "tox -k --", "pnpm test | -t x": "",
	} {
		command, args, _ := strings.Cut(line, " | ")
		program, option, behind := receipt.Kept(&quality.Table.Tests, strings.Fields(command), strings.Fields(args))
		got := program + " " + option + " " + behind
		if program == "" {
			got = ""
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestPicks(t *testing.T) {
	for run, want := range map[string]bool{
		"go test ./...":             false,
		"go test -v -count=1 ./...": false,
		"go test -run TestX ./...":  true,
		"go test -run=TestX ./...":  true,
		"go test ./a":               true,
		"go test ./... ./b":         true,
		"go test -short ./...":      true,
		"pytest tests":              true,
		"go test -n ./...":          true,
		"go test ./... -args -x":    true,
	} {
		if got := receipt.Picks(&quality.Table.Tests, strings.Fields("go test ./..."), strings.Fields(run)); got != want {
			t.Errorf("%s: %v", run, got)
		}
	}
	for run, want := range map[string]bool{
		"make test": false, "make -s test": false, "make -n test": true, "make -i test": true, "make -q test": true, "make -t test": true,
		"make -h test": true, "make --version test": true, "make -o test test": true, "make -C /tmp/green test": true, "make test SHELL=/bin/true": true, "make -k test": true,
	} {
		if got := receipt.Picks(&quality.Table.Tests, strings.Fields("make test"), strings.Fields(run)); got != want {
			t.Errorf("%s: %v", run, got)
		}
	}
	for line, want := range map[string]bool{"make test": false, "MAKEFLAGS=-n make test": true, "export PATH=/tmp/x:$PATH; make test": true, "env PYTEST_ADDOPTS=--co make test": true} {
		if got := receipt.Steered(&quality.Table.Tests, line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	if receipt.Picks(&quality.Table.Tests, nil, strings.Fields("pytest -q")) {
		t.Error("a run of a project without a known command picks nothing")
	}
}

// What says less takes the place of nothing that says more.
func TestPut(t *testing.T) {
	green := receipt.Receipt{Outcome: receipt.Clean, Command: "all"}
	red := receipt.Receipt{Outcome: receipt.Violation, Command: "all"}
	part := receipt.Receipt{Outcome: receipt.Clean, Part: true, Command: "some"}
	redPart := receipt.Receipt{Outcome: receipt.Violation, Part: true, Command: "some"}
	failed := receipt.Receipt{Outcome: receipt.Failure, Command: "all"}
	for _, row := range []struct {
		old, new receipt.Receipt
		yields   bool
	}{
		{green, red, true},
		{red, green, true},
		{green, part, false},
		{red, part, false},
		{redPart, part, true},
		{green, redPart, true},
		{green, failed, false},
		{red, failed, false},
		{failed, green, true},
		{failed, part, true},
		{part, green, true},
	} {
		state := t.TempDir()
		row.old.Kind, row.old.Tree, row.old.At = receipt.Test, "t", time.Now()
		row.new.Kind, row.new.Tree, row.new.At = receipt.Test, "t", time.Now()
		for _, r := range []*receipt.Receipt{&row.old, &row.new} {
			kit.Must(t, receipt.Put(state, "/w", r))
		}
		want := row.old
		if row.yields {
			want = row.new
		}
		got := receipt.Find(state, "/w", receipt.Test, "t")
		if got == nil || got.Outcome != want.Outcome || got.Part != want.Part {
			t.Errorf("%+v then %+v: %+v", row.old, row.new, got)
		}
		if receipt.Find(state, "/other", receipt.Test, "t") != nil || receipt.Find(state, "/w", receipt.Build, "t") != nil {
			t.Error("a receipt of another work tree or kind")
		}
	}
}
