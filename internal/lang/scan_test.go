package lang

import (
	"strings"
	"testing"
	"testing/quick"
)

// TestLastDot: eight bytes at a time find what a loop finds.
func TestLastDot(t *testing.T) {
	slow := func(path string, at int) (int, uint64) {
		dot := strings.LastIndexByte(path[at:], '.')
		ext := path[at:][max(dot, 0):]
		if dot <= 0 || len(ext) < 2 || len(ext) > 8 {
			return 0, 0
		}
		return dot, extWord(ext)
	}
	same := func(path string) bool {
		at := strings.LastIndexByte(path, '/') + 1
		dot, word := lastDot(len(path)-at, lastWord(path, at))
		wantDot, wantWord := slow(path, at)
		return dot == wantDot && word == wantWord
	}
	for _, path := range []string{"", "a.go", "main/a.go", "src/.bashrc", "a.b/c/noext", "src/name.", "src/한글.py", "src/a\xae.go", "src/x.markdown", "src/x.textfil", "a.d/abcdefg", "src/a.tar.gz"} {
		if !same(path) {
			t.Errorf("lastDot(%q) differs from a loop", path)
		}
	}
	if err := quick.Check(func(dir, name, ext string) bool { return same(dir + "/" + name + "." + ext) }, nil); err != nil {
		t.Error(err)
	}
}

// TestFolders: going from folder to folder keeps each one's path, and once only.
func TestFolders(t *testing.T) {
	table := (&Compiled{}).Table()
	f := newFolders(table)
	for _, dir := range []string{"", "a/", "a/b/", "a/b/c/d/", "a/bc/", "b-/x/", "b/", "가/나/"} {
		if f.enter(table, nil, dir+"x") != len(dir) || f.here() != dir || f.pathOf(f.node())+"/" != dir && dir != "" {
			t.Errorf("enter(%q): here %q, path %q", dir, f.here(), f.pathOf(f.node()))
		}
	}
	if len(f.nodes) != 11 { // the root, and ten below it
		t.Errorf("%d folders, want 11", len(f.nodes))
	}
	for _, dir := range []string{"../", "a/../b/", "a//", "/", "a/./", "a\x00b/"} {
		if f.enter(table, nil, dir+"x") >= 0 {
			t.Errorf("enter(%q) took it", dir)
		}
	}
}
