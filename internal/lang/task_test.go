package lang_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/lang"
)

// TestTasks: what a project itself calls its work counts more than what its language brings.
func TestTasks(t *testing.T) {
	const gomod, program = "module x\n\ngo 1.26\n", "package main\n\nfunc main() {}\n"
	tests := []struct {
		name  string
		files map[string]string
		want  map[string]string // of the purposes that are named
	}{
		{"make", map[string]string{
			"go.mod": gomod, "main.go": program,
			"Makefile": "# test: no\n.PHONY: test\nVERSION := 1\nX ?= a:b\nCC ::= cc\ntest race:: build ; go test\n\tclean: no\n%.o: %.c\n$(OUT)/dev: x\nlint:\n\tgo vet\ninstall:\n\tcp x /usr\nclean:\n\trm x\n",
		}, map[string]string{"test": "make test", "build": "go build ./...", "lint": "make lint", "install": "", "clean": "make clean", "dev": "", "format": "gofmt -w ."}},
		{"make passes on", map[string]string{
			"x.c": "int x;\n", "Makefile": "# top\ndefault: all\n\n.DEFAULT:\n\tcd src && $(MAKE) $@\n\ninstall:\n\tcd src && $(MAKE) $@\n", "src/Makefile": "all: x\ntest: x\n\t./runtest\nclean:\n\trm x\n",
		}, map[string]string{"test": "make test", "build": "make all", "clean": "make clean"}},
		{"make passes on to a list", map[string]string{
			"x.c": "int x;\n", "Makefile": "SUBDIRS = src more\n\ndefault: all\n\n.DEFAULT:\n\tfor dir in $(SUBDIRS); do $(MAKE) -C $$dir $@; done\n", "src/Makefile": "test: x\n",
		}, map[string]string{"test": "make test", "build": "make"}},
		{"just, and the first file that names it", map[string]string{
			"go.mod": gomod, "main.go": program,
			"Makefile": "fmt:\n\tgofmt\n",
			"justfile": "set shell := ['sh']\nalias t := test\nx := 'a'\n[private]\ndefault: test\n@test *args: build\n    go test\nfmt:\n    no\ncov:\n  x\n",
		}, map[string]string{"test": "just test", "format": "make fmt", "coverage": "just cov"}},
		{"an archive of the source is no build, and coverage has more than one name", map[string]string{
			"a.gemspec": "Gem::Specification.new do |s|\nend\n", "lib/a.rb": "x = 1\n", "Rakefile": "require \"bundler/gem_tasks\"\ntask dist: %w[chmod]\ntask \"test_cov\" do\nend\n",
		}, map[string]string{"build": "gem build a.gemspec", "coverage": "rake test_cov"}},
		{"task", map[string]string{
			"go.mod": gomod, "main.go": program,
			"Taskfile.yml": "version: '3'\n\nvars:\n  dev: x\n\ntasks:\n  # of all\n  \"test:unit\":\n    cmds:\n      - build: x\n  db:migrate:\n    cmd: x\n  lint: {cmd: x}\n\nincludes:\n  start: x\n",
		}, map[string]string{"test": "task test:unit", "migrate": "task db:migrate", "lint": "task lint", "start": "go run .", "dev": "", "build": "go build ./..."}},
		{"mise", map[string]string{
			"go.mod": gomod, "main.go": program,
			"mise.toml": "[tools]\nbuild = '1'\n[tasks]\nlint = 'x'\n  test = 'no'\n[tasks.\"test:all\"]\nrun = 'x'\n[tasks.dev.env]\nstart = 'x'\n",
		}, map[string]string{"test": "mise run test:all", "lint": "mise run lint", "dev": "", "build": "go build ./..."}},
		{"poe and PDM", map[string]string{
			"pyproject.toml": "[project]\nname = 'x'\n[tool.poe.tasks]\ntypecheck = 'mypy .'\n[tool.pdm.scripts]\ntest = 'x'\ntypecheck = 'no'\n", "x.py": "print(1)\n",
		}, map[string]string{"test": "pdm run test", "typecheck": "poe typecheck"}},
		{"package scripts", map[string]string{
			"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1", "dev": "vite", "type-check": "tsc", "-x": "y"}}`, "pnpm-lock.yaml": "", "a.js": "f()\n",
			"Makefile": "dev:\n\tx\n",
		}, map[string]string{"test": "", "dev": "pnpm run dev", "typecheck": "pnpm run type-check"}},
		{"no language that has tools", map[string]string{
			"main.zig": "const x = 1;\n", "Makefile": "all: x\ncheck:\n\tx\n",
		}, map[string]string{"test": "make check", "build": "make"}},
		{"no language at all", map[string]string{"notes.txt": "x\n", "justfile": "test:\n  x\nserve:\n  y\n"}, map[string]string{"test": "just test", "start": "just serve"}},
		{"a manifest of a stranger", map[string]string{
			"a_test.go": "package a\n",
			"go.mod":    gomod, "main.go": program,
			"mise.toml": "[tasks]\n'test; rm -rf ~' = 'x'\n'-x' = ''\n", "Makefile": "test;rm:\n\tx\n`x`:\n\ty\n",
		}, map[string]string{"test": "go test ./..."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for path, text := range tt.files {
				put(t, dir, path, text)
			}
			r := detect(t, dir, lang.Options{})
			got := map[string]string{}
			for purpose := range tt.want {
				got[purpose] = ""
			}
			for purpose, tool := range map[string]*lang.Tool{
				"test": r.Tools.Test, "build": r.Tools.Build, "lint": r.Tools.Linter, "format": r.Tools.Formatter, "typecheck": r.Tools.Typecheck, "start": r.Tools.Start,
				"dev": r.Tools.Dev, "install": r.Tools.Install, "clean": r.Tools.Clean, "coverage": r.Tools.Coverage, "migrate": r.Tools.Migrate,
			} {
				if _, asked := tt.want[purpose]; asked && tool != nil {
					got[purpose] = tool.Command
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
