package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// TestTextsAreWhole: a merge has left nothing of itself in what people read and write by hand: no marker of a conflict, and no line of prose twice.
func TestTextsAreWhole(t *testing.T) {
	const prose = 100 // bytes: shorter lines may be alike, as rows of tables and examples are
	read := 0
	for _, root := range []string{"../docs", "../rules", "../README.md", "../ARCHITECTURE.md", "../CHANGELOG.md"} {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			read++
			first := map[string]int{}
			n := 0
			for line := range bytes.Lines(data) {
				n++
				text := strings.TrimSpace(string(line))
				for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
					if text == mark || strings.HasPrefix(text, mark+" ") {
						t.Errorf("%s:%d: %s is left of a merge", p, n, mark)
					}
				}
				if filepath.Ext(p) != ".md" || len(text) < prose {
					continue
				}
				if first[text] > 0 {
					t.Errorf("%s:%d: line %d again", p, n, first[text])
				}
				first[text] = n
			}
			return nil
		})
		kit.Must(t, err)
	}
	if read < 50 {
		t.Errorf("only %d files were read", read)
	}
}
