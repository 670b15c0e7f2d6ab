package lang_test

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/lang"
)

// TestBytesDecide: the largest programming language is the primary one, as on
// GitHub, whatever builds it or checks its style, unless a manifest speaks for another and none for it.
func TestBytesDecide(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]int // sizes
		want  string
	}{
		{"an editor built by CMake, most of it in its own script", map[string]int{"CMakeLists.txt": 10, "src/main.c": 3400, "runtime/a.vim": 4300}, "c"},
		{"C with plug-ins that a linter for Lua looks at", map[string]int{"Makefile": 10, ".luacheckrc": 10, "main.c": 5700, "lua/lexers/a.lua": 4100}, "c"},
		{"a gem, most of it an extension", map[string]int{"x.gemspec": 10, "ext/x/x.c": 4000, "lib/x.rb": 3000}, "ruby"},
		{"a program with scripts, and a gem for it", map[string]int{"x.gemspec": 10, "Makefile": 10, "x.c": 4000, "lib/x.rb": 3000}, "c"},
		{"a program with a small binding", map[string]int{"x.gemspec": 10, "Makefile": 10, "x.c": 40000, "lib/x.rb": 3000}, "c"},
		{"a binding with the library in it", map[string]int{"go.mod": 30, "a.go": 3000, "lib.c": 90000}, "go"},
		{"a program whose tests are in the language that it runs", map[string]int{"CMakeLists.txt": 30, "core/a.cpp": 30000, "tests/a.jsonnet": 60000}, "cpp"},
		{"a language that moai knows no tools of", map[string]int{"README.md": 30, "a.factor": 3000}, "factor"},
		{"a book", map[string]int{"main.tex": 3000, "Makefile": 300}, "tex"},
		{"pages", map[string]int{"index.html": 9000, "Makefile": 300}, ""},
		{"a package that has just begun, and a script to install it", map[string]int{"Cargo.toml": 80, "src/main.rs": 48, "install.sh": 120}, "rust"},
		{"a module that has just begun, and its targets", map[string]int{"go.mod": 30, "main.go": 48, "Makefile": 2000}, "go"},
		{"a package that has just begun, and a longer script", map[string]int{"Cargo.toml": 80, "src/main.rs": 48, "tool.sh": 2000}, "rust"},
		{"a few lines of a binding beside a program", map[string]int{"Cargo.toml": 80, "src/main.rs": 48, "tool.sh": 20000}, "shell"},
		{"a gem with a small extension", map[string]int{"x.gemspec": 10, "ext/x/x.c": 2000, "lib/x.rb": 3000}, "ruby"},
	} {
		dir := t.TempDir()
		for name, size := range c.files {
			put(t, dir, name, strings.Repeat("x = 1 y\n", size/8))
		}
		got := ""
		if p := detect(t, dir, lang.Options{}).Primary; p != nil {
			got = p.ID
		}
		if got != c.want {
			t.Errorf("%s: primary = %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPlainScripts: what lies below a folder with a library's name is vendored as
// far as Linguist's pattern for that library reaches, unless attributes say otherwise.
func TestPlainScripts(t *testing.T) {
	files := map[string]int{"src/app.js": 800, "packages/react-dom/src/client/index.js": 4000, "packages/react-dom/src/client/index.test.js": 80, "packages/react-dom/v1.2/index.js": 8, "packages/react/index.js": 40000}
	for attributes, want := range map[string]int64{
		"":                                40888,
		"*.c linguist-vendored\n":         40888,
		"*.js -linguist-vendored\n":       44888,
		"packages/** linguist-vendored\n": 800,
	} {
		dir := t.TempDir()
		for name, size := range files {
			put(t, dir, name, strings.Repeat("let x=1\n", size/8))
		}
		if attributes != "" {
			put(t, dir, ".gitattributes", attributes)
		}
		if l := detect(t, dir, lang.Options{}).Language("javascript"); l == nil || l.Bytes != want {
			t.Errorf("with %q: %+v, want %d bytes", attributes, l, want)
		}
	}
}

// TestSure: a manifest and most bytes leave little doubt; bytes alone are believed by their lead, and never as far.
func TestSure(t *testing.T) {
	for _, c := range []struct {
		name      string
		files     map[string]int
		from, til float64
	}{
		{"scripts alone", map[string]int{"a.sh": 4000}, 0.93, 0.93},
		{"a clear lead", map[string]int{"a.pl": 8000, "a.rb": 2000}, 0.88, 0.92},
		{"a narrow lead", map[string]int{"a.pl": 5600, "a.rb": 4400}, 0.5, 0.65},
		{"a manifest, and a narrow lead", map[string]int{"go.mod": 30, "a.go": 5600, "a.rb": 4400}, 0.9, 0.96},
		{"a manifest, and fewer bytes", map[string]int{"x.gemspec": 10, "ext/x/x.c": 4000, "lib/x.rb": 3000}, 0.5, 0.75},
	} {
		dir := t.TempDir()
		for name, size := range c.files {
			put(t, dir, name, strings.Repeat("x = 1 y\n", size/8))
		}
		if got := detect(t, dir, lang.Options{}).Primary.Confidence; got < c.from || got > c.til {
			t.Errorf("%s: %v sure, want %v to %v", c.name, got, c.from, c.til)
		}
	}
}
