package repo

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/work"
)

// Staged content counts where neither HEAD nor the file has it; with gone, where there is no file.
func TestStagedOnly(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	for _, f := range []string{"clean", "same", "later", "gone", "sub/same", "sub/gone", "was/file", "empty"} {
		write(t, filepath.Join(dir, f), "first\n")
	}
	git(t, dir, "init", "-q", "--template=", ".")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "x")
	for _, f := range []string{"same", "later", "gone", "sub/same", "sub/gone", "was/file", "new"} {
		write(t, filepath.Join(dir, f), "second\n")
	}
	write(t, filepath.Join(dir, "empty"), "")
	git(t, dir, "add", "-A")
	write(t, filepath.Join(dir, "later"), "third\n")
	for _, f := range []string{"gone", "sub/gone", "was/file", "was", "empty"} {
		must(t, os.Remove(filepath.Join(dir, f)))
	}
	write(t, filepath.Join(dir, "was"), "a file in the place of a folder\n")
	for _, c := range []struct {
		paths     []string
		any, gone bool
	}{
		{nil, true, true},
		{[]string{"."}, true, true},
		{[]string{"clean"}, false, false},
		{[]string{"same", "new", "clean"}, false, false},
		{[]string{"later"}, true, false},
		{[]string{"same", "later"}, true, false},
		{[]string{"gone"}, true, true},
		{[]string{"same", "gone"}, true, true},
		{[]string{"sub"}, true, true},
		{[]string{"sub/same"}, false, false},
		{[]string{"was"}, true, true},
		{[]string{"empty"}, false, false},
		{[]string{"nowhere"}, false, false},
	} {
		for _, gone := range []bool{false, true} {
			r, err := Open(dir)
			must(t, err)
			ix, err := r.Index()
			must(t, err)
			got, err := r.StagedOnly(context.Background(), ix, c.paths, gone, work.New(1<<20))
			want := c.any && !gone || c.gone && gone
			if err != nil || got != want {
				t.Errorf("StagedOnly(%q, gone %v) = %v, %v, want %v", c.paths, gone, got, err, want)
			}
		}
	}
}
