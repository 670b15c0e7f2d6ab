package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// looked parses a line in a project with some files.
func looked(t *testing.T, line string, files map[string]string) *Result {
	t.Helper()
	return Parse(line, Options{
		Dir: "/p", Root: "/p", Home: "/home/me", Tables: tables,
		Source: func(path string) (string, bool) {
			text, ok := files[strings.TrimPrefix(path, "/p/")]
			return text, ok
		},
	})
}

// deletes lists what rm is called on in files, as "file:line: operands".
func deletes(r *Result) (list []string) {
	for i := range r.Commands {
		c := &r.Commands[i]
		at, line, ok := r.At(c.Span)
		if !ok || c.Name != "rm" {
			continue
		}
		var words []string
		for _, w := range c.Args[1:] {
			if !strings.HasPrefix(w.Text, "-") {
				words = append(words, w.Text)
			}
		}
		list = append(list, fmt.Sprintf("%s:%d: %s", strings.TrimPrefix(at.Path, "/p/"), line, strings.Join(words, " ")))
	}
	return list
}

func TestLooksInto(t *testing.T) {
	script := "#!/bin/sh\nset -e\nrm -rf /x\n"
	makefile := "D = /x\nDIRS := $(addprefix $(D)/,a b)\nall: dep\n\t@echo all\ndep: ; rm /dep\nclean::\n\t-rm -rf $(DIRS) $(UNSET)\n\tcd a; \\\n\t  rm $@\nifdef A\nE = /e1\nelse\nE = /e2\nendif\ne:\n\trm $(E)\n%.o: %.c\n\trm /o/$<\nsub:\n\t$(MAKE) -C sub clean\nshell:\n\techo $(shell rm /s)\ninc:\n\trm $(I)\ninclude inc.mk\n"
	files := map[string]string{
		"x.sh": script, "bare": "rm /x\n", "note.txt": "rm /x\n", "a/self.sh": "sh a/self.sh\n. ./b.sh\nrm /x\n", "b.sh": "sh ./a/self.sh\nrm /y\n",
		"args.sh": "case $1 in\nstop) rm /stop;;\nstart) rm /start;;\nesac\nif [ \"$2\" = all ]; then rm /all; else rm /one; fi\nrm /a/$1 /b/$3 /c/${3:-d}\n",
		"crlf.sh": "rm /x\r\nrm /y\r\n", "Makefile": makefile, "sub/Makefile": "clean:\n\trm /sub\n", "inc.mk": "I = /inc\n",
		"justfile":       "d := '/x'\ndefault: b\n  echo\nb arg='1': c\n  @rm {{d}} {{arg}}\nc:\n  #!/usr/bin/env bash\n  rm /c\n",
		"Taskfile.yml":   "version: '3'\ntasks:\n  default:\n    deps: [b]\n    cmds:\n      - task: c\n      - echo {{.X}}\n      - |\n        ls\n        rm /x\n  b: rm /b\n  c:\n    - cmd: \"rm /c\"\n",
		"package.json":   "{\n \"scripts\": {\n  \"prea\": \"rm /pre\",\n  \"a\": \"npm run b && rm /a\",\n  \"b\": \"sh x.sh\",\n  \"postinstall\": \"rm /i\"\n }\n}\n",
		"composer.json":  `{"scripts": {"a": ["@b", "@php x.php"], "b": "rm /b", "post-install-cmd": ["A\\B::c", "rm /i"]}}`,
		"pyproject.toml": "[project]\nname = 'x'\n[tool.poe.tasks]\na = { sequence = [\"b\", { cmd = \"rm /a\" }] }\nb.shell = \"rm /b\"\n[tool.pdm.scripts]\nc = 'rm /c'\n[tool.hatch.envs.t.scripts]\nd = ['e', 'rm /d']\ne = 'rm /e'\n",
		"x.py":           "import os, shutil\ndef f():\n    shutil.rmtree('/x')\nos.system('rm /y')\n", "x.js": "const fs = require('fs')\n\nfs.rmSync('/x', {recursive: true})\n", "x.rb": "require 'fileutils'\nFileUtils.rm_rf('/x')\n",
		"x.pl": "#!/usr/bin/perl\nunlink '/x';\n", "x.php": "<?php\nunlink('/x');\n", "sh.fish": "#!/usr/bin/fancy\nrm /x\n",
		"x.go": "package main\n\nfunc main() { os.RemoveAll(\"/x\") }\n", "cmd/main.go": "package main\nfunc main() { exec.Command(\"rm\", \"/x\").Run() }\n",
		"x.erl": "#!/usr/bin/env escript\nmain(_) -> file:delete(\"/x\").\n", "x.gp": "system \"rm /x\"\n", "x.jsh": "Runtime.getRuntime().exec(\"rm /x\");\n",
		"X.java": "class X { void main() {\n  new ProcessBuilder(\"rm\", \"/x\").start(); } }\n", "conftest.py": "import os\nos.remove('/x')\n", "x.ps1": "if (1) {\n  Remove-Item -Recurse -Force /x\n}\n",
		"tests/test_a.py": "os.remove('/y')\n", "lib/nuke.py": "os.remove('/x')\n", "lib/n.js": "fs.unlinkSync('/x')\n",
	}
	for _, test := range []struct{ line, want string }{
		{"pwsh x.ps1", "x.ps1:2: /x"},
		{"powershell -NoProfile -ExecutionPolicy Bypass -File x.ps1 a", "x.ps1:2: /x"},
		{"pwsh -File absent.ps1", ""},
		{"sh x.sh", "x.sh:3: /x"},
		{"./x.sh; ls", "x.sh:3: /x"},
		{". x.sh && ls", "x.sh:3: /x"},
		{"sudo bash ./x.sh", "x.sh:3: /x"},
		{"cd a && sh ../x.sh", "x.sh:3: /x"},
		{"find . -name x.sh -exec sh x.sh {} +", "x.sh:3: /x"},
		{"cat x.sh | sh", "x.sh:3: /x"},
		{"sh < x.sh", "x.sh:3: /x"},
		{"./bare", "bare:1: /x"},
		{"./note.txt; cat x.sh; sh -n x.sh; sh missing.sh; ssh host sh x.sh; sh /q/x.sh; sh ../p2/x.sh; ./sh.fish", ""},
		{"echo ls > x.sh; sh x.sh", ""},
		{"sh a/self.sh", "b.sh:2: /y, a/self.sh:3: /x"},
		{"sh args.sh start all", "args.sh:3: /start, args.sh:5: /all, args.sh:6: /a/start /b/$3 /c/d"},
		{"sh crlf.sh", "crlf.sh:1: /x, crlf.sh:2: /y"},
		{"make", "Makefile:5: /dep"},
		{"make clean", "Makefile:7: /x/a /x/b, Makefile:9: clean"},
		{"make clean DIRS=/given", "Makefile:7: /given, Makefile:9: clean"},
		{"make -n clean; make none; make -C none clean", ""},
		{"make e", "Makefile:16: $(E)"},
		{"make x.o", "Makefile:18: /o/x.c"},
		{"make sub", "sub/Makefile:2: /sub"},
		{"make shell", "Makefile:22: /s"},
		{"make inc", "Makefile:24: /inc"},
		{"make -f sub/Makefile", "sub/Makefile:2: /sub"},
		{"just", "justfile:8: /c, justfile:5: /x {{arg}}"},
		{"task", "Taskfile.yml:11: /b, Taskfile.yml:13: /c, Taskfile.yml:10: /x"},
		{"npm run a", "package.json:3: /pre, x.sh:3: /x, package.json:4: /a"},
		{"npm ci", "package.json:6: /i"},
		{"yarn b", "x.sh:3: /x"},
		{"npm b; npm test", ""},
		{"pnpm -r b", "x.sh:3: /x"}, // the root may be a package as well
		{"composer a", "composer.json:1: /b, x.php:2: /x"},
		{"composer install", "composer.json:1: /i"},
		{"poetry run poe a", "pyproject.toml:5: /b, pyproject.toml:4: /a"},
		{"pdm run c", "pyproject.toml:7: /c"},
		{"hatch run t:d", "pyproject.toml:10: /e, pyproject.toml:9: /d"},
		{"python3 x.py", "x.py:3: /x, x.py:4: /y"},
		{"node x.js", "x.js:3: /x"},
		{"ruby x.rb", "x.rb:2: /x"},
		{"./x.pl", "x.pl:2: /x"},
		{"php x.php", "x.php:2: /x"},
		{"go run x.go", "x.go:3: /x"},
		{"go run ./cmd", "cmd/main.go:2: /x"},
		{"escript x.erl", "x.erl:2: /x"},
		{"escript x.erl -v", "x.erl:2: /x"},
		{"gnuplot x.gp", "x.gp:1: /x"},
		{"jshell x.jsh", "x.jsh:1: /x"},
		{"java X.java", "X.java:2: /x"},
		{"pytest -q", "conftest.py:2: /x"},
		{"python3 -m pytest tests/test_a.py::test_b", "conftest.py:2: /x, tests/test_a.py:1: /y"},
		{"python3 -c 'import lib.nuke'", "lib/nuke.py:1: /x"},
		{"python3 -c 'from lib import nuke'", "lib/nuke.py:1: /x"},
		{"python3 -c 'import json, os'; go vet x.go; go build ./cmd; java -cp . X; pytest --version; node -e \"require('lib/n')\"", "X.java:2: /x, conftest.py:2: /x"},
		{"python3 -c \"exec(open('lib/nuke.py').read())\"", "lib/nuke.py:1: /x"},
		{"node -e \"require('./lib/n')\"", "lib/n.js:1: /x"},
		{"ruby -e 'load \"x.rb\"'", "x.rb:2: /x"},
	} {
		if got := strings.Join(deletes(looked(t, test.line, files)), ", "); got != test.want {
			t.Errorf("%s: %q, want %q", test.line, got, test.want)
		}
	}
}

// TestLooksOnlyWhereFilesRun: a line that runs no file of the project asks for none, and one that does is known by it without a look.
func TestLooksOnlyWhereFilesRun(t *testing.T) {
	for line, want := range map[string]bool{
		"ls -la": false, "cat x.sh": false, "go test ./...": true, "go build ./...": false, "rm x.sh": false, "cat a | grep b": false, "python3 -c 'print(1)'": false, "/usr/bin/env ls": false,
		"sh x.sh": true, "make": true, "npm test": true, "go run x.go": true, "go vet x.go": false, "pytest": true, "python3 -c 'import x'": true, "cat a.sql | psql": true, "psql < a.sql": true, "./x": true,
	} {
		r := Parse(line, Options{Dir: "/p", Root: "/p", Tables: tables})
		if r.Runs != want {
			t.Errorf("%s: runs files: %v", line, r.Runs)
		}
	}
}

// TestLooksAreBounded: whatever a file says, it is read once, a few files are, and the work has an end.
func TestLooksAreBounded(t *testing.T) {
	many := strings.Builder{}
	for i := range 100 {
		fmt.Fprintf(&many, "sh s%d.sh\n", i)
	}
	chain := strings.Builder{}
	chain.WriteString(`{"scripts":{"s0":"ls"`)
	for i := range 900 {
		fmt.Fprintf(&chain, `,"s%d":"npm run s%d","pres%d":"npm run s%d"`, i+1, i, i+1, i)
	}
	files := map[string]string{
		"many.sh": many.String(), "package.json": chain.String() + "}}",
		"loop.mk": "A = $(B)$(B)$(B)\nB = $(C)$(C)$(C)\nC = $(A)$(A)$(shell $(A))\nall: all $(A)\n\techo $(A)\ninclude loop.mk\n$(eval $(A))\n",
		"deep.mk": "all:\n\techo " + strings.Repeat("$(", 9000) + "\n", "wide.mk": strings.Repeat("a: b\nb: a\n\t$(MAKE) -f wide.mk a\n", 1500),
		"deep.py": strings.Repeat("f(", 20000), "deep.json": strings.Repeat(`{"scripts":`, 5000), "y/Taskfile.yml": "tasks:\n" + strings.Repeat("- ", 20000) + "\n  a: " + strings.Repeat("[", 20000),
		"odd/Taskfile.yml": "tasks:\n  a:\n    - b: |\n  c: {\n", "nul.sh": "rm\x00 x", "quote.sh": strings.Repeat("'\"`$(", 9000), "j/justfile": strings.Repeat("a: a\n {{", 9000),
		"t/pyproject.toml": "[tool.poe.tasks]\n" + strings.Repeat("a.", 20000) + "b = 1",
	}
	for name := range files {
		if strings.HasPrefix(name, "s") {
			continue
		}
		files["s"+name] = files[name]
	}
	for i := range 100 {
		files[fmt.Sprintf("s%d.sh", i)] = "sh many.sh\n"
	}
	reads := map[string]int{}
	for _, line := range []string{"sh many.sh", "npm run s900", "make -f loop.mk", "make -f deep.mk", "make -f wide.mk a", "python3 deep.py", "task -d y a", "task -d odd a", "sh nul.sh", "sh quote.sh", "just -d j a", "cd t; poe a"} {
		clear(reads)
		begin := time.Now()
		r := Parse(line, Options{
			Dir: "/p", Root: "/p", Tables: tables, Limits: Limits{Work: 20_000},
			Source: func(path string) (string, bool) {
				reads[path]++
				text, ok := files[strings.TrimPrefix(path, "/p/")]
				return text, ok
			},
		})
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("%s took %v", line, took)
		}
		n := 0
		for path, times := range reads {
			if _, there := files[strings.TrimPrefix(path, "/p/")]; there {
				n++
			}
			if times > 1 {
				t.Errorf("%s: %s was read %d times", line, path, times)
			}
		}
		if n > 12 {
			t.Errorf("%s: %d files were read", line, n)
		}
		if r.Text == "" {
			t.Errorf("%s: no text", line)
		}
		for _, d := range r.Incomplete {
			if d.Reason == Failed {
				t.Errorf("%s: %s", line, d.Text)
			}
		}
	}
}

// TestHooksOfGit: a subcommand runs its hooks and no others, where the repository stands, and each once.
func TestHooksOfGit(t *testing.T) {
	files := map[string]string{
		".git/hooks/pre-commit": "#!/bin/sh\nrm a\ngit commit -m again\n", ".git/hooks/commit-msg": "case $1 in\n*MSG) rm b;;\nesac\n", ".git/hooks/pre-push": "#!/usr/bin/env python3\nimport os\nos.remove('/c')\n",
		".git/hooks/post-checkout": "#!/usr/bin/fancy\nrm d\n", "own/pre-commit": "rm e\n",
	}
	for _, test := range []struct{ line, want string }{
		{"git commit -m x", ".git/hooks/pre-commit:2: a, .git/hooks/commit-msg:2: b, .git/hooks/commit-msg:2: b"},
		{"cd sub && git -C .. commit -m x", ".git/hooks/pre-commit:2: a, .git/hooks/commit-msg:2: b, .git/hooks/commit-msg:2: b"},
		{"git commit -n -m x; git commit -qm x --no-verify; git commit --dry-run; git log; git push --no-verify; git checkout x", ""},
		{"git commit -m -n", ".git/hooks/pre-commit:2: a, .git/hooks/commit-msg:2: b, .git/hooks/commit-msg:2: b"},
		{"git push", ".git/hooks/pre-push:3: /c"},
		{"git hook run commit-msg", ".git/hooks/commit-msg:2: b"},
		{"git config core.hooksPath own; git commit", "own/pre-commit:1: e"},
		{"git -c core.hookspath=own commit", "own/pre-commit:1: e"},
		{"ssh host git commit", ""},
		{"git am x", "~: f"},
	} {
		r := Parse(test.line, Options{
			Dir: "/p", Root: "/p", Home: "/home/me", Tables: tables,
			Source: func(path string) (string, bool) {
				text, ok := files[strings.TrimPrefix(path, "/p/")]
				return text, ok
			},
			Hooks: func(_, given string, events []string) (top, folder string, there, lines []string) {
				folder = "/p/.git/hooks"
				if given != "" {
					folder = "/p/" + given
				}
				for _, event := range events {
					if _, ok := files[strings.TrimPrefix(folder, "/p/")+"/"+event]; ok {
						there = append(there, event)
					}
					if event == "pre-applypatch" {
						lines = []string{"rm f; git am x"}
					}
				}
				return "/p", folder, there, lines
			},
		})
		got := strings.Join(deletes(r), ", ")
		for i := range r.Commands {
			if _, _, ok := r.At(r.Commands[i].Span); !ok && r.Commands[i].Name == "rm" {
				got += "~: " + r.Commands[i].Args[1].Text
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.line, got, test.want)
		}
	}
}
