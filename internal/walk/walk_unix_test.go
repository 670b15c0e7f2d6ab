//go:build unix

package walk_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/walk"
)

// TestFilesOdd: links (to files, to folders, in circles), FIFOs and names that
// are no UTF-8 neither stop a walk nor lead it out.
func TestFilesOdd(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, "secret.go", "")
	root := t.TempDir()
	write(t, root, "a/real.go", "")
	write(t, root, "b\xff\xfe/odd\xff.go", "")
	for _, link := range [][2]string{{outside, "out"}, {filepath.Join(outside, "secret.go"), "secret.go"}, {"..", "a/up"}, {"loop", "loop"}} {
		kit.Must(t, os.Symlink(link[0], filepath.Join(root, link[1])))
	}
	if err := syscall.Mkfifo(filepath.Join(root, "a", "pipe.go"), 0o644); err != nil {
		t.Skip("no FIFOs here:", err)
	}
	got, _ := files(t, t.Context(), root, walk.Options{Size: func(string) bool { return true }})
	want := []string{"a/real.go 0", "b\xff\xfe/odd\xff.go 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Files (-want +got):\n%s", diff)
	}
}

func TestFilesUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	root := t.TempDir()
	write(t, root, "a/x.go", "")
	write(t, root, "b/y.go", "")
	kit.Must(t, os.Chmod(filepath.Join(root, "a"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "a"), 0o755) })
	got, stats := files(t, t.Context(), root, walk.Options{})
	if diff := cmp.Diff([]string{"b/y.go"}, got); diff != "" || stats.Unread != 1 {
		t.Errorf("Files = %v, %+v, want b/y.go and one unread folder", got, stats)
	}
}
