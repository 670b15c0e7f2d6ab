package lang_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
)

func put(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	kit.Write(t, path, text)
	return path
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git to make repositories")
	}
}

func detect(t testing.TB, dir string, o lang.Options) *lang.Report {
	t.Helper()
	r, err := lang.Detect(t.Context(), &languages.Table, dir, o)
	kit.Must(t, err)
	return r
}

func ids(r *lang.Report) string {
	var out []string
	for _, l := range r.Languages {
		if l.Share > 0 {
			out = append(out, l.ID)
		}
	}
	return strings.Join(out, " ")
}

// sample is a tree with something in doubt, something vendored and something ignored.
func sample(t testing.TB) string {
	dir := t.TempDir()
	put(t, dir, "CMakeLists.txt", "project(x)\n")
	put(t, dir, "src/a.cpp", strings.Repeat("int a;\n", 50))
	put(t, dir, "src/a.h", "namespace a {\n}\n")
	put(t, dir, "src/b.h", "struct b { int x; };\n")
	put(t, dir, "vendor/big.rb", strings.Repeat("x = 1\n", 500))
	put(t, dir, "out/big.rb", strings.Repeat("x = 1\n", 500))
	put(t, dir, ".gitignore", "out/\n")
	return dir
}

// TestSources: the same tree gives the same shares from every kind of index and from a walk.
func TestSources(t *testing.T) {
	needGit(t)
	plain := detect(t, sample(t), lang.Options{})
	if got := ids(plain); got != "cpp c cmake" || plain.Source != "folder walk" {
		t.Fatalf("walk: %q from %q, want cpp c cmake from a folder walk", got, plain.Source)
	}
	for _, test := range []struct {
		name string
		make func(t *testing.T, dir string) string
	}{
		{"index", func(t *testing.T, dir string) string { git(t, dir, "add", "."); return dir }},
		{"version 4", func(t *testing.T, dir string) string {
			git(t, dir, "add", ".")
			git(t, dir, "update-index", "--index-version", "4")
			return dir
		}},
		{"split", func(t *testing.T, dir string) string {
			git(t, dir, "add", "src")
			git(t, dir, "update-index", "--split-index")
			git(t, dir, "add", ".")
			return dir
		}},
		{"intent to add", func(t *testing.T, dir string) string { git(t, dir, "add", "-N", "."); return dir }},
		{"sizes unknown", func(t *testing.T, dir string) string {
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-qm", "x")
			git(t, dir, "read-tree", "HEAD")
			return dir
		}},
		{"linked work tree", func(t *testing.T, dir string) string {
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-qm", "x")
			linked := filepath.Join(t.TempDir(), "linked")
			git(t, dir, "worktree", "add", "-q", linked)
			return linked
		}},
		{"nothing added", func(_ *testing.T, dir string) string { return dir }},
		{"only the root added", func(t *testing.T, dir string) string { git(t, dir, "add", "CMakeLists.txt"); return dir }},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := sample(t)
			git(t, dir, "init", "-q")
			r := detect(t, test.make(t, dir), lang.Options{})
			for _, want := range plain.Languages {
				got := r.Language(want.ID)
				if want.Share > 0 && (got == nil || got.Bytes != want.Bytes || got.Files != want.Files) {
					t.Errorf("%s: %+v, want %d bytes in %d files (source %s, notes %q)", want.ID, got, want.Bytes, want.Files, r.Source, r.Notes)
				}
			}
		})
	}
}

// TestBelow: a folder inside a repository is judged by itself.
func TestBelow(t *testing.T) {
	needGit(t)
	dir := sample(t)
	put(t, dir, "web/package.json", "{}")
	put(t, dir, "web/app.js", "let a = 1;\n")
	put(t, dir, "website/app.py", "a = 1\n")
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	r := detect(t, filepath.Join(dir, "web"), lang.Options{})
	if r.Title() != "JavaScript" || ids(r) != "javascript" || r.Source != "git index" {
		t.Errorf("web: %s, %q from %s, want JavaScript alone from the index", r.Title(), ids(r), r.Source)
	}
}

// TestDamaged: what cannot be read is said, and the folder is walked.
func TestDamaged(t *testing.T) {
	needGit(t)
	dir := sample(t)
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	put(t, dir, ".git/index", "DIRC\x00\x00\x00\x02\xff\xff\xff\xffgarbage")
	r := detect(t, dir, lang.Options{})
	if ids(r) != "cpp c cmake" || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "index") {
		t.Errorf("damaged index: %q, notes %q, want the walk's answer and a note", ids(r), r.Notes)
	}
}

func TestAttributes(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, ".gitattributes", "*.inc linguist-language=Pascal\nlib/** linguist-vendored\nvendor/own/* -linguist-vendored\n*.json linguist-detectable\ngen/*.go linguist-generated=true\ndocs/** linguist-documentation=false\n")
	put(t, dir, "src/.gitattributes", "/odd.x linguist-language=lua\n")
	put(t, dir, "src/odd.x", "print(1)\n")
	put(t, dir, "a.inc", "// nothing\n")
	put(t, dir, "lib/a.py", "a = 1\n")
	put(t, dir, "vendor/own/a.rb", "a = 1\n")
	put(t, dir, "list.json", "[]\n")
	put(t, dir, "gen/a.go", "package a\n")
	put(t, dir, "docs/a.js", "let a = 1\n")
	r := detect(t, dir, lang.Options{})
	got := map[string]int{}
	for _, l := range r.Languages {
		if l.Share > 0 {
			got[l.ID] = l.Files
		}
	}
	want := map[string]int{"pascal": 1, "lua": 1, "ruby": 1, "json": 1, "javascript": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("languages that count (-want +got):\n%s", diff)
	}
}

// TestAttributesByHand: the scan leaves attributes alone where no rule can speak of
// a file. A listing of every file asks all rules of all, and must come to the same.
func TestAttributesByHand(t *testing.T) {
	for _, rule := range []string{
		"* linguist-vendored", "*.go linguist-vendored", "*o linguist-generated", "*_test.go linguist-generated", "main.go linguist-generated",
		"*.[gr]o linguist-vendored", "a/** linguist-vendored", "/a/b/*.go linguist-vendored", "a/b/main.go linguist-vendored", "**/b/*.go linguist-vendored",
		"a/*/main.go linguist-generated", "*.rb linguist-language=Python", "vendor/** -linguist-vendored", "vendor/x/*.go linguist-vendored=false",
		"*.json linguist-detectable", "a/x.ts linguist-language=Python", "ma?n.go linguist-documentation", "a linguist-vendored", "a/b linguist-vendored",
	} {
		dir := t.TempDir()
		put(t, dir, ".gitattributes", rule+"\n")
		for _, name := range []string{"main.go", "a/main.go", "a/b/main.go", "a/b/main_test.go", "a/b/c/main.go", "ab/main.go", "vendor/x/main.go", "a/x.ts", "a/y.ts", "q/x.rb", "q/list.json", "q/b/x.rb"} {
			put(t, dir, name, "x\n")
		}
		got, want := map[string]int{}, map[string]int{}
		r := detect(t, dir, lang.Options{})
		for _, l := range r.Languages {
			got[l.ID] = l.Files
		}
		detect(t, dir, lang.Options{Each: func(_, id string, kind lang.PathKind, _ int64) {
			if kind == lang.Own {
				want[id]++
			}
		}})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-listed +counted):\n%s", rule, diff)
		}
	}
}

// TestCache: the answer is kept, and not a moment longer than it is true.
func TestCache(t *testing.T) {
	needGit(t)
	dir := sample(t)
	put(t, dir, "go.mod", "module x\n\ngo 1.21\n")
	put(t, dir, "main.go", "package main\n")
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	o := lang.Options{Cache: t.TempDir()}
	first := detect(t, dir, o)
	kept := detect(t, dir, o)
	if first.Scan.Cached || !kept.Scan.Cached {
		t.Fatalf("cached = %v then %v, want false then true", first.Scan.Cached, kept.Scan.Cached)
	}
	kept.Scan.Cached = false
	if diff := cmp.Diff(first, kept); diff != "" {
		t.Errorf("the kept answer differs (-first +kept):\n%s", diff)
	}
	version := func() string { return detect(t, dir, o).Language("go").Version }
	put(t, dir, "go.mod", "module x\n\ngo 1.22.5\n")
	if got := version(); got != "1.22.5" {
		t.Errorf("after an edit of go.mod: version %q, want 1.22.5", got)
	}
	put(t, dir, ".go-version", "1.23.4\n")
	if got := version(); got != "1.23.4" {
		t.Errorf("after .go-version was added: version %q, want 1.23.4", got)
	}
	put(t, dir, "lib/x.py", strings.Repeat("a = 1\n", 100))
	git(t, dir, "add", ".")
	if r := detect(t, dir, o); r.Language("python") == nil {
		t.Error("after git add: python is missing")
	}
	if r := detect(t, dir, lang.Options{Cache: o.Cache, Projects: true}); r.Scan.Cached {
		t.Error("an answer without projects was given where they were asked for")
	}
	newer := languages.Table
	newer.Sums = append([]uint64{1}, newer.Sums...)
	if r, err := lang.Detect(t.Context(), &newer, dir, o); err != nil || r.Scan.Cached {
		t.Errorf("with other rules: cached = %v, %v, want a new answer", r.Scan.Cached, err)
	}
	files, _ := filepath.Glob(filepath.Join(o.Cache, "lang-*"))
	if len(files) != 1 {
		t.Fatalf("kept answers: %q, want one", files)
	}
	good, err := os.ReadFile(files[0])
	kit.Must(t, err)
	for _, bad := range []string{"", "\x00", string(good[:len(good)/2]), strings.Replace(string(good), "go.mod", "no.mod", 1), string(good) + "0"} {
		kit.Must(t, os.WriteFile(files[0], []byte(bad), 0o600))
		if r := detect(t, dir, o); r.Primary == nil || r.Scan.Cached {
			t.Errorf("with the cache %q: %+v, want a new answer", bad, r.Scan)
		}
	}
}

// TestCacheOnce: a path that rules of several languages ask for is looked at once by a kept answer.
func TestCacheOnce(t *testing.T) {
	needGit(t)
	dir := sample(t)
	put(t, dir, "go.mod", "module x\n")
	put(t, dir, "main.go", "package main\n")
	put(t, dir, "lib/x.py", "a = 1\n")
	put(t, dir, "pyproject.toml", "[project]\nname = \"x\"\n")
	put(t, dir, "test/x.txt", "")
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	o := lang.Options{Cache: t.TempDir()}
	detect(t, dir, o)
	files, _ := filepath.Glob(filepath.Join(o.Cache, "lang-*"))
	if len(files) != 1 {
		t.Fatalf("kept answers: %q, want one", files)
	}
	kept, err := os.ReadFile(files[0])
	kit.Must(t, err)
	if n := strings.Count(string(kept), "test/run.sh"); n != 1 {
		t.Errorf("test/run.sh is looked at %d times, want once:\n%q", n, kept)
	}
}

// TestCacheStale: changes that leave the times of files as they were, or are not
// to be seen at the root, make a kept answer old all the same.
func TestCacheStale(t *testing.T) {
	needGit(t)
	for name, change := range map[string]func(t *testing.T, dir string){
		"a manifest of the same size at the same time": func(t *testing.T, dir string) {
			file := filepath.Join(dir, "go.mod")
			fi, err := os.Stat(file)
			kit.Must(t, err)
			put(t, dir, "go.mod", "module x\n\ngo 1.99\n")
			kit.Must(t, os.Chtimes(file, fi.ModTime(), fi.ModTime()))
		},
		"an index of the same size": func(t *testing.T, dir string) {
			put(t, dir, "main.go", "package main\n\nfunc other() {}\n")
			git(t, dir, "add", ".")
		},
		"a file in a folder that Git does not know": func(t *testing.T, dir string) {
			put(t, dir, "new/deep/a.go", "package deep\n")
		},
		"a growing file that Git does not know": func(t *testing.T, dir string) {
			put(t, dir, "zz.go", "package main // and more\n")
		},
		"a manifest deeper than the root": func(t *testing.T, dir string) {
			put(t, dir, ".config/mise.toml", "[tools]\ngo = \"1.98\"\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "go.mod", "module x\n\ngo 1.21\n")
			put(t, dir, "main.go", "package main\n")
			put(t, dir, ".config/x.toml", "")
			git(t, dir, "init", "-q")
			git(t, dir, "add", ".")
			put(t, dir, "new/a.go", "package a\n")
			put(t, dir, "zz.go", "package main\n")
			o := lang.Options{Cache: t.TempDir()}
			detect(t, dir, o)
			change(t, dir)
			kept, fresh := detect(t, dir, o), detect(t, dir, lang.Options{})
			kept.Scan.Cached = false
			if diff := cmp.Diff(fresh, kept); diff != "" {
				t.Errorf("the kept answer is old (-new +kept):\n%s", diff)
			}
		})
	}
}

func TestNothing(t *testing.T) {
	r := detect(t, t.TempDir(), lang.Options{})
	if r.Primary != nil || r.Title() != lang.Unknown || r.Languages == nil || r.Projects == nil || r.Notes == nil || r.Tools.Frameworks == nil {
		t.Errorf("an empty folder: %+v, want no primary language and no null lists", r)
	}
	if _, err := lang.Detect(t.Context(), &languages.Table, filepath.Join(t.TempDir(), "none"), lang.Options{}); err == nil {
		t.Error("a folder that does not exist gave no error")
	}
	if _, err := lang.Detect(t.Context(), &languages.Table, put(t, t.TempDir(), "x.go", ""), lang.Options{}); err == nil {
		t.Error("a file gave no error")
	}
}

// TestDeclared: a manifest alone names the language of a project that has just begun.
func TestDeclared(t *testing.T) {
	for file, want := range map[string]string{
		"package.json": "javascript", "tsconfig.json": "typescript", "CMakeLists.txt": "cpp", "build.gradle.kts": "kotlin", "build.gradle": "java",
		"pom.xml": "java", "go.mod": "go", "mix.exs": "elixir", "Gemfile": "ruby", "composer.json": "php", "pubspec.yaml": "dart", "Package.swift": "swift",
		"App.csproj": "csharp", "stack.yaml": "haskell", "project.clj": "clojure", "build.sbt": "scala", "Project.toml": "julia", "requirements.txt": "python",
	} {
		dir := t.TempDir()
		put(t, dir, file, "")
		if r := detect(t, dir, lang.Options{}); r.Primary == nil || r.Primary.ID != want {
			t.Errorf("%s alone: %+v, want %s", file, r.Primary, want)
		}
	}
	dir := t.TempDir()
	put(t, dir, "Cargo.toml", "[package]\nname = \"x\"\nrust-version = \"1.80\"\n")
	r := detect(t, dir, lang.Options{})
	if r.Title() != "Rust ≥ 1.80" || r.Primary.Confidence > 0.7 {
		t.Errorf("Cargo.toml alone: %s (%v), want Rust ≥ 1.80, not too sure", r.Title(), r.Primary)
	}
}

// TestStyleSheets: a package of style sheets is a package, and no JavaScript for that.
func TestStyleSheets(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "package.json", `{"name": "look"}`)
	put(t, dir, "look.css", "a { color: red }\n")
	if r := detect(t, dir, lang.Options{}); r.Primary == nil || r.Primary.ID != "javascript" {
		t.Errorf("package.json with one rule of CSS: %+v, want javascript", r.Primary)
	}
	put(t, dir, "look.css", strings.Repeat("a { color: red }\n", 400))
	if r := detect(t, dir, lang.Options{}); r.Primary != nil {
		t.Errorf("package.json with a style sheet: %+v, want nobody", r.Primary)
	}
	put(t, dir, "look.js", "export default 1\n")
	if r := detect(t, dir, lang.Options{}); r.Primary == nil || r.Primary.ID != "javascript" {
		t.Errorf("and with a line of JavaScript: %+v, want javascript", r.Primary)
	}
	dir = t.TempDir() // by its name alone this one is somebody else's
	put(t, dir, "package.json", `{"name": "normalize.css", "main": "normalize.css"}`)
	put(t, dir, "normalize.css", strings.Repeat("a { color: red }\n", 400))
	if r := detect(t, dir, lang.Options{}); r.Primary != nil {
		t.Errorf("package.json with normalize.css: %+v, want nobody", r.Primary)
	}
}

// TestWrittenScript: a test suite that Autotest wrote is no source, whatever its size.
func TestWrittenScript(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "tests/testsuite", "#! /bin/sh\n# Generated from testsuite.at by GNU Autoconf 2.69.\n"+strings.Repeat("at_check\n", 20_000))
	put(t, dir, "main.c", "int main(void) { return 0; }\n")
	kit.Must(t, os.Chmod(filepath.Join(dir, "tests", "testsuite"), 0o755))
	if r := detect(t, dir, lang.Options{}); ids(r) != "c" {
		t.Errorf("languages %s, want c", ids(r))
	}
	put(t, dir, "tests/testsuite", "#! /bin/sh\n"+strings.Repeat("at_check\n", 20_000))
	if r := detect(t, dir, lang.Options{}); runtime.GOOS != "windows" && ids(r) != "shell c" {
		t.Errorf("one written by hand: %s, want shell c", ids(r))
	}
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	start := time.Now()
	r, err := lang.Detect(ctx, &languages.Table, filepath.Join("..", ".."), lang.Options{Cache: t.TempDir()})
	if err != nil || !r.Scan.Partial {
		t.Errorf("with a context that has ended: %+v, %v, want a partial answer", r, err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("it took %v", d)
	}
}

// TestExplain: the words name what decided.
func TestExplain(t *testing.T) {
	for _, test := range []struct{ path, head, id, because string }{
		{"a.h", "namespace a {", "cpp", `holds "namespace"`},
		{"a.h", "int a;", "c", "nothing in the file"},
		{"bin/x", "#!/usr/bin/env -S python3.12 -u\n", "python", "run by python3.12"},
		{"bin/x", "#! /bin/sh -e\n", "shell", "run by sh"},
		{"x.unknown", "", "", "no language"},
		{"home.blade.php", "", "blade", ".blade.php"},
		{"Makefile", "", "makefile", "named Makefile"},
		{"a.PY", "", "python", ".py"},
	} {
		got := languages.Table.Classify(test.path, []byte(test.head), strings.HasPrefix(test.path, "bin/"))
		if got.ID != test.id || !strings.Contains(got.Because, test.because) {
			t.Errorf("Classify(%q, %q) = %q because %q, want %q because … %q", test.path, test.head, got.ID, got.Because, test.id, test.because)
		}
	}
}
