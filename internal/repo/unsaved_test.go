package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func unsaved(t *testing.T, k *Keeper, path string) bool {
	t.Helper()
	got, err := k.Unsaved(context.Background(), path)
	if err != nil {
		t.Errorf("Unsaved(%q): %v", path, err)
	}
	return got
}

func TestUnsaved(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	for _, f := range []string{"clean", "edited", "touched", "staged", "twice", "assumed", "sub/clean", "한글.txt", "deleted", "exec", "swapped", "crlf.txt"} {
		write(t, filepath.Join(dir, f), "first\n")
	}
	write(t, filepath.Join(dir, ".gitignore"), "*.log\n")
	write(t, filepath.Join(dir, ".gitattributes"), "*.txt text\n*.bin filter=made-up\n")
	write(t, filepath.Join(dir, "same.bin"), "first\n")
	write(t, filepath.Join(dir, "touched.bin"), "first\n")
	must(t, os.Symlink("clean", filepath.Join(dir, "link")))
	must(t, os.Symlink("clean", filepath.Join(dir, "moved-link")))
	git(t, dir, "init", "-q", "--template=", ".")
	git(t, dir, "config", "filter.made-up.clean", "cat")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "x")
	git(t, dir, "update-index", "--assume-unchanged", "assumed")
	ago := time.Now().Add(-time.Hour)
	write(t, filepath.Join(dir, "edited"), "other\n")
	must(t, os.Chtimes(filepath.Join(dir, "touched"), ago, ago))
	must(t, os.Chtimes(filepath.Join(dir, "touched.bin"), ago, ago))
	write(t, filepath.Join(dir, "staged"), "second\n")
	write(t, filepath.Join(dir, "twice"), "second\n")
	git(t, dir, "add", "staged", "twice")
	write(t, filepath.Join(dir, "twice"), "third\n")
	write(t, filepath.Join(dir, "assumed"), "other\n")
	must(t, os.Remove(filepath.Join(dir, "deleted")))
	must(t, os.Remove(filepath.Join(dir, "moved-link")))
	must(t, os.Symlink("edited", filepath.Join(dir, "moved-link")))
	must(t, os.Remove(filepath.Join(dir, "swapped")))
	must(t, os.Mkdir(filepath.Join(dir, "swapped"), 0o755))
	write(t, filepath.Join(dir, "swapped/inner"), "first\n")
	write(t, filepath.Join(dir, "crlf.txt"), "first\r\n")
	write(t, filepath.Join(dir, "new"), "first\n")
	write(t, filepath.Join(dir, "empty"), "")
	write(t, filepath.Join(dir, "x.log"), "first\n")
	write(t, filepath.Join(dir, "intent"), "first\n")
	git(t, dir, "add", "-N", "intent")
	must(t, os.Symlink(filepath.Join(dir, "sub"), filepath.Join(dir, "way")))
	write(t, filepath.Join(dir, "nested/file"), "first\n")
	write(t, filepath.Join(dir, "nested/loose"), "first\n")
	git(t, filepath.Join(dir, "nested"), "init", "-q", "--template=", ".")
	git(t, filepath.Join(dir, "nested"), "add", "file")
	if runtime.GOOS != "windows" {
		must(t, os.Chmod(filepath.Join(dir, "exec"), 0o755))
	}

	var k Keeper
	for _, tt := range []struct {
		path string
		want bool
	}{
		{"clean", false},
		{"sub/clean", false},
		{"way/clean", false}, // through a link to a folder
		{"한글.txt", false},
		{"link", false},
		{"touched", false}, // other times, same bytes
		{"staged", false},  // in the index, not committed
		{"same.bin", false},
		{"deleted", false}, // nothing there
		{"never", false},
		{"clean/never", false},
		{"empty", false}, // nothing in it
		{"nested/file", false},
		{"edited", true},
		{"crlf.txt", true}, // git would give back other bytes
		{"twice", true},
		{"assumed", true}, // git does not look; it would be lost all the same
		{"moved-link", true},
		{"new", true},
		{"x.log", true},
		{"intent", true},
		{"swapped/inner", true},
		{"sub", true}, // a folder
		{"touched.bin", true},
		{"nested/loose", true},
		{"exec", runtime.GOOS != "windows"}, // its mode is not held
	} {
		if got := unsaved(t, &k, filepath.Join(dir, tt.path)); got != tt.want {
			t.Errorf("Unsaved(%q) = %v, want %v", tt.path, got, tt.want)
		}
	}
}

// What the index names and no object holds is not held: nothing brings it back.
func TestUnsavedWithoutObjects(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	write(t, filepath.Join(dir, "f"), "first\n")
	git(t, dir, "init", "-q", "--template=", ".")
	git(t, dir, "add", "f")
	var before Keeper
	if unsaved(t, &before, filepath.Join(dir, "f")) {
		t.Fatal("Unsaved of an added file = true, want false")
	}
	must(t, os.RemoveAll(filepath.Join(dir, ".git/objects")))
	must(t, os.Mkdir(filepath.Join(dir, ".git/objects"), 0o755))
	var after Keeper
	if !unsaved(t, &after, filepath.Join(dir, "f")) {
		t.Error("Unsaved of a file whose object is gone = false, want true")
	}
}

func TestUnsavedUnmerged(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	git(t, filepath.Dir(dir), "init", "-q", "-b", "main", "--template=", "r")
	for i, step := range []string{"", "checkout -qb side", "checkout -q main"} {
		if step == "checkout -qb side" {
			git(t, dir, "checkout", "-qb", "side")
		} else if step != "" {
			git(t, dir, "checkout", "-q", "main")
		}
		write(t, filepath.Join(dir, "f"), fmt.Sprintf("%d\n", i))
		git(t, dir, "add", "f")
		git(t, dir, "commit", "-qm", "x")
	}
	if _, err := gitTry(dir, "merge", "side"); err == nil {
		t.Fatal("the merge found no conflict")
	}
	var k Keeper
	if !unsaved(t, &k, filepath.Join(dir, "f")) {
		t.Error("Unsaved of a file with conflict marks = false, want true")
	}
}

func TestUnsavedErrors(t *testing.T) {
	home := sandbox(t)
	dir := filepath.Join(home, "r")
	wide(t, dir, 1)
	write(t, filepath.Join(home, "outside"), "x")
	var k Keeper
	if got, err := k.Unsaved(context.Background(), filepath.Join(home, "outside")); !got || !errors.Is(err, ErrNone) {
		t.Errorf("Unsaved outside of repositories = %v, %v, want true, ErrNone", got, err)
	}
	var declined *Declined
	if got, err := k.Unsaved(context.Background(), filepath.Join(dir, ".git", "HEAD")); !got || !errors.As(err, &declined) {
		t.Errorf("Unsaved(.git/HEAD) = %v, %v, want true, *Declined", got, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := k.Unsaved(ctx, filepath.Join(dir, "d000", "a")); !got || err != nil {
		t.Errorf("Unsaved after the deadline = %v, %v, want true", got, err)
	}
	write(t, filepath.Join(dir, ".git", "index"), "DIRC\x00\x00\x00\x09")
	var fresh Keeper
	if got, err := fresh.Unsaved(context.Background(), filepath.Join(dir, "d000", "a")); !got || err == nil {
		t.Errorf("Unsaved with a damaged index = %v, %v, want true and an error", got, err)
	}
}

// BenchmarkUnsaved is the first question, which reads the index, about a file of the
// repository that MOAI_BENCH_REPO names.
func BenchmarkUnsaved(b *testing.B) {
	r := benchRepo(b)
	ix, err := r.Index()
	if err != nil || ix.Len() == 0 {
		b.Skip("no index: ", err)
	}
	path := r.Path(ix.At(ix.Len() / 2).Path)
	b.ReportAllocs()
	for b.Loop() {
		var k Keeper
		if _, err := k.Unsaved(context.Background(), path); err != nil {
			b.Fatal(err)
		}
	}
}
