package lang_test

import (
	"fmt"
	"testing"

	"github.com/modu-ai/moai/internal/lang"
)

// TestSample: a tree with very many files of one doubtful extension is not opened
// as a whole; the shares are those of a tree that was, or close to them.
func TestSample(t *testing.T) {
	const files = 600
	for _, c := range []struct {
		name string
		cpp  func(i int) bool
		want int // files of C++
		off  int // so many more or less will do
	}{
		{"all are C", func(int) bool { return false }, 0, 0},
		{"a third is C++", func(i int) bool { return i%3 == 0 }, files / 3, files / 20},
		{"every other is C++", func(i int) bool { return i%2 == 0 }, files / 2, files / 20},
		{"whole folders are C++", func(i int) bool { return i/50%2 == 0 }, files / 2, 0},
		{"the last quarter is C++", func(i int) bool { return i >= files*3/4 }, files / 4, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for i := range files {
				text := "struct list { int n; };\n"
				if c.cpp(i) {
					text = "#pragma once\nnamespace app {\nclass List;\n}\n"
				}
				put(t, dir, fmt.Sprintf("d%02d/f%04d.h", i/50, i), text)
			}
			r := detect(t, dir, lang.Options{})
			got := 0
			if l := r.Language("cpp"); l != nil {
				got = l.Files
			}
			if got < c.want-c.off || got > c.want+c.off {
				t.Errorf("%d files of C++, want %d ± %d", got, c.want, c.off)
			}
			if r.Scan.Opened > files/4 {
				t.Errorf("opened %d files, want at most %d", r.Scan.Opened, files/4)
			}
			exact := 0
			detect(t, dir, lang.Options{Each: func(_, id string, _ lang.PathKind, _ int64) {
				if id == "cpp" {
					exact++
				}
			}})
			if exact != c.want {
				t.Errorf("listed one by one, %d files of C++, want %d", exact, c.want)
			}
		})
	}
}
