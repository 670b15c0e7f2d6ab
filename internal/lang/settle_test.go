package lang_test

import (
	"fmt"
	"testing"

	"github.com/modu-ai/moai/internal/lang"
)

// TestSample: a tree with very many files of one doubtful extension is not opened
// as a whole, unless the sample says that it is mixed.
func TestSample(t *testing.T) {
	const files = 600
	for _, c := range []struct {
		name     string
		cpp      func(i int) bool
		atMost   int // files opened
		of, want int // files of C++ there, at least so many seen
	}{
		{"all are C", func(int) bool { return false }, 200, 0, 0},
		{"a third is C++", func(i int) bool { return i%3 == 0 }, files, files / 3, files / 3},
		{"the last quarter is C++", func(i int) bool { return i >= files*3/4 }, files, files / 4, files / 4},
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
			if got < c.want || got > c.of {
				t.Errorf("%d files of C++, want %d", got, c.of)
			}
			if r.Scan.Opened > c.atMost {
				t.Errorf("opened %d files, want at most %d", r.Scan.Opened, c.atMost)
			}
		})
	}
}
