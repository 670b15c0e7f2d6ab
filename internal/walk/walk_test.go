package walk_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/walk"
)

func write(t testing.TB, root, name, text string) {
	t.Helper()
	kit.Write(t, filepath.Join(root, filepath.FromSlash(name)), text)
}

// files walks root and returns the paths in order, with sizes where they were asked for.
func files(t testing.TB, ctx context.Context, root string, o walk.Options) ([]string, walk.Stats) {
	t.Helper()
	var mu sync.Mutex
	list := []string{}
	stats, err := walk.Files(ctx, root, o, func(f walk.File) {
		mu.Lock()
		defer mu.Unlock()
		s := f.Path
		if f.Size >= 0 {
			s += fmt.Sprintf(" %d", f.Size)
		}
		list = append(list, s)
	})
	kit.Must(t, err)
	slices.Sort(list)
	return list, stats
}

func rules(root string) *ignore.Matcher {
	return ignore.New(ignore.Options{Read: func(dir string) []byte {
		data, _ := os.ReadFile(filepath.Join(root, filepath.FromSlash(dir), ".gitignore"))
		return data
	}})
}

func tree(t testing.TB) string {
	root := t.TempDir()
	for _, name := range []string{"main.go", "a/b/c.go", "a/b/c.txt", "build/out.o", "a/tmp/x.log", ".git/config", "문서/안내.md", "skip/me.go"} {
		write(t, root, name, name)
	}
	write(t, root, ".gitignore", "build/\n*.log\n!keep.log\n")
	write(t, root, "a/.gitignore", "!x.log\n/b/c.txt\n")
	write(t, root, "keep.log", "")
	return root
}

func TestFiles(t *testing.T) {
	root := tree(t)
	all := []string{".gitignore", "a/.gitignore", "a/b/c.go", "a/b/c.txt", "a/tmp/x.log", "build/out.o", "keep.log", "main.go", "skip/me.go", "문서/안내.md"}
	for _, test := range []struct {
		name string
		o    walk.Options
		want []string
	}{
		{"everything", walk.Options{}, all},
		{"one worker", walk.Options{Jobs: 1}, all},
		{"ignored left out", walk.Options{Ignore: rules(root)}, []string{".gitignore", "a/.gitignore", "a/b/c.go", "a/tmp/x.log", "keep.log", "main.go", "skip/me.go", "문서/안내.md"}},
		{"folders by name", walk.Options{Skip: func(n string) bool { return n == "skip" || n == "a" }}, []string{".gitignore", "build/out.o", "keep.log", "main.go", "문서/안내.md"}},
		{"files by name", walk.Options{Only: func(n string) bool { return strings.HasSuffix(n, ".go") }}, []string{"a/b/c.go", "main.go", "skip/me.go"}},
		{"below a folder", walk.Options{Below: "a", Ignore: rules(root)}, []string{"a/.gitignore", "a/b/c.go", "a/tmp/x.log"}},
		{"sizes", walk.Options{Below: "a/b", Size: func(n string) bool { return n == "c.go" }}, []string{"a/b/c.go 8", "a/b/c.txt"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, stats := files(t, t.Context(), root, test.o)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Files (-want +got):\n%s", diff)
			}
			if stats.Cut || stats.Unread != 0 || stats.Files != len(test.want) {
				t.Errorf("Stats = %+v, want %d files and nothing cut", stats, len(test.want))
			}
		})
	}
}

// TestFilesAgainstWalkDir compares with the standard library on a real tree.
func TestFilesAgainstWalkDir(t *testing.T) {
	root := filepath.Join("..", "..")
	want := []string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			rel, _ := filepath.Rel(root, p)
			want = append(want, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Skip("the tree changed under the test:", err)
	}
	slices.Sort(want)
	got, _ := files(t, t.Context(), root, walk.Options{})
	missing := 0
	for _, p := range want {
		if _, ok := slices.BinarySearch(got, p); !ok {
			if _, err := os.Lstat(filepath.Join(root, p)); err == nil {
				missing++
				t.Errorf("%s was not listed", p)
			}
		}
	}
	if missing == 0 && len(got) == 0 {
		t.Error("nothing was listed")
	}
}

func TestFilesLimits(t *testing.T) {
	root := t.TempDir()
	for i := range 40 {
		write(t, root, fmt.Sprintf("d%02d/e/f/g.go", i), "")
	}
	if _, stats := files(t, t.Context(), root, walk.Options{Files: 10, Jobs: 1}); !stats.Cut || stats.Files > 12 {
		t.Errorf("with a limit of 10 files: %+v, want it cut there", stats)
	}
	if got, stats := files(t, t.Context(), root, walk.Options{Depth: 2}); !stats.Cut || len(got) != 0 {
		t.Errorf("with 2 levels: %d files, %+v, want none and it cut", len(got), stats)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, stats := files(t, ctx, root, walk.Options{}); !stats.Cut {
		t.Errorf("with a context that has ended: %+v, want it cut", stats)
	}
}

// One folder can hold more names than there is time for, wanted ones or not.
func TestFilesEndsInOneFolder(t *testing.T) {
	root := t.TempDir()
	for i := range 5000 {
		write(t, root, fmt.Sprintf("%04d", i), "")
	}
	for _, wanted := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		_, stats := files(t, ctx, root, walk.Options{Jobs: 1, Only: func(string) bool { asked++; cancel(); return wanted }})
		if !stats.Cut || asked > 2000 {
			t.Errorf("names wanted %v: %d names looked at after the context ended, %+v, want about a thousand and it cut", wanted, asked, stats)
		}
	}
}

func TestFilesRoot(t *testing.T) {
	root := t.TempDir()
	write(t, root, "file", "")
	for _, bad := range []string{filepath.Join(root, "none"), filepath.Join(root, "file")} {
		if _, err := walk.Files(t.Context(), bad, walk.Options{}, func(walk.File) {}); err == nil {
			t.Errorf("Files(%q) = nil error, want one", filepath.Base(bad))
		}
	}
}

func BenchmarkFiles(b *testing.B) {
	root := os.Getenv("MOAI_BENCH_TREE")
	if root == "" {
		root = filepath.Join("..", "..")
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := walk.Files(b.Context(), root, walk.Options{Ignore: rules(root), Size: func(n string) bool { return strings.HasSuffix(n, ".go") }}, func(walk.File) {}); err != nil {
			b.Fatal(err)
		}
	}
}
