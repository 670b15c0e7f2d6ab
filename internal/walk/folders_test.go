package walk_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/modu-ai/moai/internal/walk"
)

// TestFolders: each folder that holds files comes once, with all of them.
func TestFolders(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.go", "b/c/d.go", "b/c/e.go"} {
		write(t, root, name, name)
	}
	var mu sync.Mutex
	var got []string
	stats, err := walk.Folders(t.Context(), root, walk.Options{}, func(dir string, files []walk.File) {
		names := []string{}
		for _, f := range files {
			names = append(names, f.Path)
		}
		slices.Sort(names)
		mu.Lock()
		defer mu.Unlock()
		got = append(got, fmt.Sprintf("%q %q", dir, names))
	})
	slices.Sort(got)
	if want := []string{`"" ["a.go"]`, `"b/c/" ["d.go" "e.go"]`}; err != nil || !slices.Equal(got, want) || stats.Files != 3 {
		t.Errorf("Folders = %q, %+v, %v, want %q", got, stats, err, want)
	}
}

// TestSizes: beyond Options.Sizes one file in so many is asked for its size and
// stands for those of its folder and extension; a file without an extension is
// always asked, since its mode says what it is.
func TestSizes(t *testing.T) {
	root := t.TempDir()
	for i := range 100 {
		write(t, root, fmt.Sprintf("a/%02d.go", i), "package a\n")
		write(t, root, fmt.Sprintf("b/%02d", i), "b\n")
	}
	o := walk.Options{Jobs: 1, Size: func(string) bool { return true }}
	for _, c := range []struct {
		sizes    int64
		min, max int // of Stats.Guessed
	}{{0, 0, 0}, {1000, 0, 0}, {1, 90, 93}} {
		o.Sizes = c.sizes
		stats, err := walk.Files(t.Context(), root, o, func(f walk.File) {
			if want := map[byte]int64{'a': 10, 'b': 2}[f.Path[0]]; f.Size != want || f.Mode == 0 {
				t.Errorf("Sizes = %d: %s has size %d and mode %v, want those of a file like it", c.sizes, f.Path, f.Size, f.Mode)
			}
		})
		if err != nil || stats.Files != 200 || stats.Guessed < c.min || stats.Guessed > c.max {
			t.Errorf("Sizes = %d: %+v, %v, want 200 files, %d to %d of them guessed", c.sizes, stats, err, c.min, c.max)
		}
	}
}
