package shell

import (
	"strings"
	"testing"
	"time"
)

// TestFollowsImports: files that a file of tasks names are read as well, where they run.
func TestFollowsImports(t *testing.T) {
	files := map[string]string{
		"justfile":  "import 'mk/j.just'\nimport? 'none.just'\nmod m\nmod? gone\nmod n 'mk/n.just'\nexport D := '/d'\na:\n  echo\nd: c\nc:\n  rm $D\nt:\n  echo {{ `rm /t` }} {{shell('rm /s')}}\nu x=`rm /u`:\n  echo {{x}}\n",
		"mk/j.just": "import 'k.just'\nb:\n  rm b\n", "mk/k.just": "k: b\n  rm k\n",
		"o/justfile": "import 'mk/s.just'\n", "o/mk/s.just": "d := source_directory() / 'x'\ne:\n  rm {{d}} {{justfile_directory()}}/y\n",
		"r/Rakefile": "D = '/d'\nRake::Task.define_task(:b) do\n  sh 'rm b'\nend\ntask :a do\n  sh \"rm #{D}\"\nend\n",
		"m.just":     "x: y\n  rm x\ny:\n  rm y\n", "mk/n.just": "z:\n  ./z.sh\n", "mk/z.sh": "rm z\n",
		"v/justfile": "v := `rm /v`\na:\n  echo\n", "loop/justfile": "import 'justfile'\nmod m 'justfile'\na:\n  rm a\n",
		"Taskfile.yml":    "version: 3\nincludes:\n  s: ./mk\n  f:\n    taskfile: ./mk/f.yml\n    dir: mk\n  g: {taskfile: ./gone.yml, optional: true}\n  l: {taskfile: ./mk/l.yml, flatten: true}\ntasks:\n  e:\n    vars: {X: {sh: 'rm e'}}\n    cmds: [echo]\n  p:\n    preconditions: ['rm p']\n    cmds: [rm q]\n  r:\n    preconditions:\n      - sh: rm r\n        msg: no rm\n  t:\n    status: ['rm t']\n    cmds: [echo]\n  w:\n    dir: mk\n    cmds: [./z.sh]\n  o:\n    cmds:\n      - task: s:x\n",
		"mk/Taskfile.yml": "tasks:\n  default: rm default\n  x:\n    deps: [y]\n  y: rm y\n", "mk/f.yml": "includes: {h: ./h.yml}\ntasks:\n  z: ./z.sh\n", "mk/h.yml": "tasks:\n  i: rm i\n", "mk/l.yml": "tasks:\n  flat: rm flat\n",
		"q/Taskfile.yml": "vars:\n  A: {sh: rm /a}\nenv:\n  B:\n    sh: rm /b\ntasks:\n  a: echo\n", "z/Taskfile.yml": "includes: {z: ./Taskfile.yml}\ntasks:\n  a: rm a\n",
		"mise.toml": "[tasks.a]\nfile = 's/a.sh'\n", "s/a.sh": "rm file\n", ".mise/tasks/b": "#!/bin/sh\nrm task\n",
		"Makefile.toml": "[tasks.a]\nrun_task = 'b'\n\n[tasks.b]\nscript = 'rm b'\ncondition_script = ['rm ok']\n",
		"package.json":  `{"scripts": {"a": "rm a"}}`, "Rakefile": "system 'rm top'\ntask :a do\n  sh 'rm a'\nend\n",
	}
	for _, test := range []struct{ line, want string }{
		{"just b", "mk/j.just:3: b"},
		{"just k", "mk/j.just:3: b, mk/k.just:2: k"},
		{"just m::x", "m.just:4: y, m.just:2: x"},
		{"just m x", "m.just:4: y, m.just:2: x"},
		{"cd o && just e", "o/mk/s.just:3: /p/o/mk/x /p/o/y"},
		{"just -f o/justfile e", "o/mk/s.just:3: /p/o/mk/x /p/o/y"},
		{"cd r && rake a", "r/Rakefile:6: /d"},
		{"just n z", "mk/z.sh:1: z"},
		{"just d", "justfile:11: /d"},
		{"just t", "justfile:13: /t, justfile:13: /s"},
		{"just u", "justfile:14: /u"},
		{"just a; just --list; just -n b", ""},
		{"just -f mk/k.just k", "mk/k.just:2: k"},
		{"just -d mk -f mk/j.just b", "mk/j.just:3: b"},
		{"just -d v -f mk/j.just k", "mk/j.just:3: b, mk/k.just:2: k"},
		{"just -f mk/n.just z", "mk/z.sh:1: z"},
		{"cd mk/sub && just b", "mk/j.just:3: b"},
		{"cd v && just --evaluate", "v/justfile:1: /v"},
		{"cd v && just -n a; cd v && just --show a", ""},
		{"just -f loop/justfile a", "loop/justfile:4: a"},
		{"task s:x", "mk/Taskfile.yml:5: y"},
		{"task s", "mk/Taskfile.yml:2: default"},
		{"task f:z", "mk/z.sh:1: z"},
		{"task f:h:i", "mk/h.yml:2: i"},
		{"task flat", "mk/l.yml:2: flat"},
		{"task o", "mk/Taskfile.yml:5: y"},
		{"task e", "Taskfile.yml:11: e"},
		{"task p", "Taskfile.yml:14: p, Taskfile.yml:15: q"},
		{"task -n p", "Taskfile.yml:14: p"},
		{"task --dry e", "Taskfile.yml:11: e"},
		{"task r", "Taskfile.yml:18: r"},
		{"task t", "Taskfile.yml:21: t"},
		{"task w", "mk/z.sh:1: z"},
		{"task -d q a", "q/Taskfile.yml:2: /a, q/Taskfile.yml:5: /b, q/Taskfile.yml:7: /b"},
		{"task -t q/Taskfile.yml --dry a", "q/Taskfile.yml:2: /a, q/Taskfile.yml:5: /b"},
		{"task --list; task -t gone.yml a", ""},
		{"task -d z a", "z/Taskfile.yml:3: a"},
		{"cd mk/sub && task x", "mk/Taskfile.yml:5: y"},
		{"cd mk && npm run a", "package.json:1: a"},
		{"rake b", "Rakefile:1: top"},
		{"rake -T", "Rakefile:1: top"},
		{"rake -n a", "Rakefile:1: top"},
		{"rake a", "Rakefile:1: top, Rakefile:3: a"},
		{"mise run a", "s/a.sh:1: file"},
		{"cd v && mise run b", ".mise/tasks/b:2: task"},
		{"cargo make a", "Makefile.toml:4: ok, Makefile.toml:4: b"},
	} {
		r := looked(t, test.line, files)
		if got := strings.Join(deletes(r), ", "); got != test.want {
			t.Errorf("%s: %q, want %q", test.line, got, test.want)
		}
		for _, d := range r.Incomplete {
			t.Errorf("%s: %v", test.line, d)
		}
	}
}

// TestImportsAreBounded: files that name each other have an end.
func TestImportsAreBounded(t *testing.T) {
	for line, file := range map[string]string{
		"just a":    numbered(1000, "import 'i#.just'\nmod m# 'j#.just'\n") + "a:\n  echo\n",
		"task a":    "includes:\n" + numbered(1000, "  i#: ./i#.yml\n") + "tasks:\n  a: echo\n",
		"task -n a": "vars:\n" + numbered(1000, "  V#: {sh: echo}\n") + "tasks:\n  a: echo\n",
		"just -d x/" + strings.Repeat("x/", 200) + " -f a b": "b:\n  echo " + strings.Repeat("{{`a`}}", 9000) + "\n",
	} {
		begin := time.Now()
		Parse(line, Options{
			Dir: "/p/a/b/c/d/e/f/g/h/i/j/k/l/m", Root: "/p", Tables: tables, Limits: Limits{Work: 20_000},
			Source: func(path string) (string, bool) {
				return file, strings.Count(path, "/") < 12 || strings.Contains(path, "/i") || strings.Contains(path, "/j")
			},
		})
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%.20s took %v", line, took)
		}
	}
}
