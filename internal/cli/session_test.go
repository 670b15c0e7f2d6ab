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

// sessions are ordinary ones, and the projects in which they are.
var sessions = []struct {
	file  string
	lines int // at least
	tree  map[string]string
}{
	{"session.tsv", 200, map[string]string{
		"main.go":                 "package main\n\nfunc main() { println(\"hello\") }\n",
		"go.mod":                  "module example.com/app\n\ngo 1.22\n",
		"internal/greet/greet.go": "package greet\n\n// One greets one.\nfunc One() string { return \"hello\" }\n",
		"Makefile":                "build test:\n\t@echo $@\nclean:\n\t@rm -rf dist\nrelease: build\n\t@echo release\n",
		"scripts/lint.sh":         "#!/bin/sh\nexit 0\n",
		"VERSION":                 "0.1.0\n",
		"CHANGELOG.md":            "# Changelog\n\n",
	}},
	{"session-django.tsv", 100, map[string]string{
		"manage.py":               "import os\n\nos.environ.setdefault(\"DJANGO_SETTINGS_MODULE\", \"shop.settings\")\n",
		"pyproject.toml":          "[project]\nname = \"shop\"\nversion = \"0.1.0\"\ndependencies = [\"django\"]\n",
		"shop/settings.py":        "DATABASES = {}\n",
		"shop/models.py":          "from django.db import models\n",
		"shop/__init__.py":        "",
		"docker-compose.yml":      "services:\n  db:\n    image: postgres:17\n    volumes: [\"data:/var/lib/postgresql/data\"]\nvolumes:\n  data: {}\n",
		"docker-compose.test.yml": "services:\n  db:\n    image: postgres:17\n",
		"fixtures/order.json":     "{\"total\": 1}\n",
		".env.example":            "SECRET_KEY=\nDATABASE_URL=\n",
		".gitignore":              ".env\n.env.local\n.venv\n__pycache__\n*.pyc\n.coverage\nhtmlcov\n.pytest_cache\n.ruff_cache\n.mypy_cache\ndist\n",
	}},
	{"session-typescript.tsv", 100, map[string]string{
		"package.json":               "{\"name\": \"acme\", \"private\": true, \"scripts\": {\"build\": \"turbo run build\", \"test\": \"vitest\", \"lint\": \"eslint .\", \"format\": \"prettier --write .\", \"typecheck\": \"tsc -b\", \"dev\": \"turbo run dev\", \"e2e\": \"playwright test\", \"changeset\": \"changeset\"}}\n",
		"pnpm-workspace.yaml":        "packages:\n  - packages/*\n  - apps/*\n",
		"tsconfig.json":              "{\"files\": []}\n",
		".npmrc":                     "save-exact=true\n",
		"packages/core/package.json": "{\"name\": \"@acme/core\", \"version\": \"1.0.0\"}\n",
		"packages/core/src/index.ts": "export * from './money'\nexport function one() { return 1 }\n",
		"packages/core/src/money.ts": "export function cents(n: number) { return n * 100 }\n",
		"apps/web/package.json":      "{\"name\": \"@acme/web\", \"version\": \"1.0.0\"}\n",
		"docker-compose.yml":         "services:\n  api:\n    build: .\n",
		"docker-compose.e2e.yml":     "services:\n  api:\n    build: .\n",
		".gitignore":                 "node_modules\ndist\n.turbo\ncoverage\n*.tsbuildinfo\nplaywright-report\ntest-results\n.env\n",
	}},
}

// TestTwoHours replays ordinary sessions in repositories, one command after the other: the hook judges each, and what every machine can
// run is run, so that the next one meets what the last one left. The files say which questions and snapshots are right, and why.
func TestTwoHours(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell is needed")
	}
	for _, name := range []string{"sh", "make", "tar", "awk"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is needed")
		}
	}
	for i := range sessions {
		one := &sessions[i]
		t.Run(one.file, func(t *testing.T) { replay(t, one.file, one.lines, one.tree) })
	}
}

// replay is one of them.
func replay(t *testing.T, name string, least int, tree map[string]string) {
	s := ordinary(t)
	for name, text := range tree {
		s.write(name, text)
	}
	s.git("config", "user.email", "t@example.invalid")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "a program")
	s.git("push", "-q", "origin", "main")
	file, err := os.Open("../../testdata/risk/" + name)
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
	if all := count["."] + count["-"] + count["s"] + count["?"] + count["!"]; all < least {
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
