package cli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTwoHours replays an ordinary session in a repository, one command after the other: the hook judges each, and what every machine can
// run is run, so that the next one meets what the last one left. The file says which questions and snapshots are right, and why.
func TestTwoHours(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell is needed")
	}
	for _, name := range []string{"sh", "make", "tar", "awk"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is needed")
		}
	}
	s := ordinary(t)
	for name, text := range map[string]string{
		"main.go":                 "package main\n\nfunc main() { println(\"hello\") }\n",
		"go.mod":                  "module example.com/app\n\ngo 1.22\n",
		"internal/greet/greet.go": "package greet\n\n// One greets one.\nfunc One() string { return \"hello\" }\n",
		"Makefile":                "build test:\n\t@echo $@\nclean:\n\t@rm -rf dist\nrelease: build\n\t@echo release\n",
		"scripts/lint.sh":         "#!/bin/sh\nexit 0\n",
		"VERSION":                 "0.1.0\n",
		"CHANGELOG.md":            "# Changelog\n\n",
	} {
		s.write(name, text)
	}
	s.git("config", "user.email", "t@example.invalid")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "a program")
	s.git("push", "-q", "origin", "main")
	file, err := os.Open("../../testdata/risk/session.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		kind, rest, _ := strings.Cut(lines.Text(), "\t")
		line, why, _ := strings.Cut(rest, "\t")
		count[kind]++
		if (why == "") != (kind == "." || kind == "-") {
			t.Errorf("%s: a reason stands where something is said, and nowhere else", line)
		}
		answer := s.bash(line)
		if got := saidOf(answer); got != kind && (kind != "-" || got != ".") {
			t.Errorf("%s: %q, want %q: %s", line, got, kind, answer)
		}
		if kind != "." && kind != "s" {
			continue
		}
		c := exec.Command("sh", "-c", line)
		c.Dir = s.dir
		c.Env = append(s.environ(), "HOME="+filepath.Dir(s.dir))
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	t.Logf("%d commands are run, %d judged alone; snapshots are told of %d, questions are %d, refusals %d", count["."]+count["s"], count["-"]+count["?"]+count["!"], count["s"], count["?"], count["!"])
	if all := count["."] + count["-"] + count["s"] + count["?"] + count["!"]; all < 200 {
		t.Errorf("only %d commands", all)
	}
}

// saidOf is what an answer of the hook comes to, in the signs of the session's file.
func saidOf(answer string) string {
	switch {
	case strings.Contains(answer, `"permissionDecision":"deny"`):
		return "!"
	case strings.Contains(answer, `"permissionDecision":"ask"`):
		return "?"
	case strings.Contains(answer, `"systemMessage"`):
		return "s"
	}
	return "."
}
