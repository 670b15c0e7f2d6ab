package lang_test

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/lang"
)

// TestLend: a root without a manifest of the project's language says how the work is done in what is there instead: what another manifest at the root
// names, and the folder in which most of the source is.
func TestLend(t *testing.T) {
	source := strings.Repeat("let x: number = 1\n", 200)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  map[string]string // "" for none
	}{
		{"a front end in a folder, and a few lines beside it", map[string]string{
			"web/package.json": `{"scripts": {"test": "vitest", "build": "vite build"}}`, "web/tsconfig.json": "{}", "web/package-lock.json": "{}", "web/src/a.ts": source, "deploy.sh": "echo\n",
		}, map[string]string{"test": "cd web && npm run test", "build": "cd web && npm run build", "manager": "cd web && npm install"}},
		{"a root that says how it is tested", map[string]string{
			"Makefile": "test:\n\tx\n", "web/package.json": `{"scripts": {"test": "vitest", "build": "vite build"}}`, "web/tsconfig.json": "{}", "web/src/a.ts": source,
		}, map[string]string{"test": "make test", "build": "cd web && npm run build"}},
		{"one build in a folder, with modules in it", map[string]string{
			"README.md": "x\n", "all/package.json": `{"workspaces": ["a", "b"], "scripts": {"test": "x"}}`, "all/tsconfig.json": "{}",
			"all/a/package.json": "{}", "all/a/tsconfig.json": "{}", "all/a/src/a.ts": source, "all/b/package.json": "{}", "all/b/tsconfig.json": "{}", "all/b/src/a.ts": source,
		}, map[string]string{"test": "cd all && npm run test"}},
		{"two halves", map[string]string{
			"a/package.json": `{"scripts": {"test": "vitest"}}`, "a/tsconfig.json": "{}", "a/src/a.ts": source, "b/package.json": `{"scripts": {"test": "jest"}}`, "b/tsconfig.json": "{}", "b/src/a.ts": source,
		}, map[string]string{"test": "", "build": "", "manager": ""}},
		{"a folder with a name that cannot be typed", map[string]string{
			"we b/package.json": `{"scripts": {"test": "vitest"}}`, "we b/tsconfig.json": "{}", "we b/src/a.ts": source,
		}, map[string]string{"test": ""}},
		{"programs in folders under one manifest of another language", map[string]string{
			"package.json": `{"scripts": {"build": "x"}, "devDependencies": {}}`, "pnpm-lock.yaml": "", "a.js": "f()\n", "p/one/Cargo.toml": "[package]\n", "p/one/src/lib.rs": source, "p/two/Cargo.toml": "[package]\n", "p/two/src/lib.rs": source,
		}, map[string]string{"manager": "pnpm install", "build": "pnpm run build", "test": ""}},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			put(t, dir, name, text)
		}
		tools := detect(t, dir, lang.Options{}).Tools
		for purpose, tool := range map[string]*lang.Tool{"test": tools.Test, "build": tools.Build, "manager": tools.Manager} {
			got := ""
			if tool != nil {
				got = tool.Command
			}
			if want, asked := c.want[purpose]; asked && got != want {
				t.Errorf("%s: %s = %q, want %q", c.name, purpose, got, want)
			}
		}
	}
}

// TestElsewhere: what a service runs in another folder is not said of the root.
func TestElsewhere(t *testing.T) {
	const steps = "    steps:\n      - name: Test\n        run: npm test\n"
	for name, workflow := range map[string]string{
		"a step":   "jobs:\n  t:\n    steps:\n      - name: Test\n        working-directory: web\n        run: npm test\n",
		"a job":    "jobs:\n  t:\n    defaults:\n      run:\n        working-directory: web\n" + steps,
		"the file": "defaults:\n  run:\n    working-directory: ./web\njobs:\n  t:\n" + steps,
	} {
		dir := t.TempDir()
		put(t, dir, "a.lua", "print(1)\n")
		put(t, dir, ".github/workflows/ci.yml", workflow)
		if tool := detect(t, dir, lang.Options{}).Tools.Test; tool != nil {
			t.Errorf("%s: test = %q, want none", name, tool.Command)
		}
		for _, here := range []string{steps, "    defaults:\n      run:\n        working-directory: .\n" + steps, "    defaults:\n      run:\n        shell: bash\n" + steps} {
			put(t, dir, ".github/workflows/ci.yml", "jobs:\n  other:\n    defaults:\n      run:\n        working-directory: web\n    steps:\n      - run: x\n  t:\n"+here)
			if tool := detect(t, dir, lang.Options{}).Tools.Test; tool == nil || tool.Command != "npm test" {
				t.Errorf("behind %s: test = %v, want npm test", here, tool)
			}
		}
	}
}

// TestNamedAlone: what is only kept, or only installed, is no program.
func TestNamedAlone(t *testing.T) {
	dump := "CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql;\n" + strings.Repeat("INSERT INTO t VALUES (1);\n", 4000)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a dump beside a package":       {map[string]string{"package.json": "{}", "a.js": "f()\n", "test/dump.sql": dump}, "JavaScript"},
		"functions of a database":       {map[string]string{"Makefile": "all:\n\tx\n", "f.sql": dump}, "PLpgSQL"},
		"models, and what checks them":  {map[string]string{"dbt_project.yml": "name: x\n", "requirements.txt": "sqlfluff\n", "models/a.sql": "select 1\n"}, "dbt"},
		"models beside a program":       {map[string]string{"dbt_project.yml": "name: x\n", "requirements.txt": "x\n", "app.py": "print(1)\n"}, "Python"},
		"Ansible with tests of its own": {map[string]string{"requirements.txt": "", "a.py": "print(1)\n", "tests/a.yml": "x: 1\n"}, "Python"},
	} {
		dir := t.TempDir()
		for file, text := range c.files {
			put(t, dir, file, text)
		}
		r := detect(t, dir, lang.Options{})
		if r.Title() != c.want {
			t.Errorf("%s: %s, want %s", name, r.Title(), c.want)
		}
		if r.Tools.Test != nil && strings.Contains(r.Tools.Test.Command, "unittest") {
			t.Errorf("%s: test = %s, without a test in Python", name, r.Tools.Test.Command)
		}
	}
}
