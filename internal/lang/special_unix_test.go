//go:build unix

package lang_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/lang"
)

// TestSpecialIndex: what is no regular file in the place of the index is not waited for, and the folder is walked.
func TestSpecialIndex(t *testing.T) {
	needGit(t)
	for kind, place := range map[string]func(path string) error{
		"FIFO":      func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"directory": func(path string) error { return os.Mkdir(path, 0o755) },
		"device":    func(path string) error { return os.Symlink("/dev/tty", path) },
		"socket": func(path string) error {
			t.Chdir(filepath.Dir(path))
			l, err := net.Listen("unix", filepath.Base(path))
			if err == nil {
				t.Cleanup(func() { l.Close() })
			}
			return err
		},
	} {
		dir := t.TempDir()
		put(t, dir, "a.rb", "puts 1\n")
		git(t, dir, "init", "-q")
		if err := place(filepath.Join(dir, ".git", "index")); err != nil {
			t.Logf("no %s here: %v", kind, err)
			continue
		}
		done := later(func() *lang.Report { return detect(t, dir, lang.Options{}) })
		select {
		case r := <-done:
			if r.Language("ruby") == nil || r.Source != "folder walk" {
				t.Errorf("%s: %q from the %s, want ruby from the folder walk", kind, ids(r), r.Source)
			}
		case <-time.After(500 * time.Millisecond):
			t.Errorf("%s: no answer within 500 ms", kind)
		}
	}
}

// TestHugeIndex: an index that goes on as a hole of ten gigabytes is damaged, and
// is neither read to its end nor kept in memory.
func TestHugeIndex(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	put(t, dir, "a.rb", "puts 1\n")
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	if err := os.Truncate(filepath.Join(dir, ".git", "index"), 10<<30); err != nil {
		t.Skip("no files with holes here:", err)
	}
	done := later(func() *lang.Report { return detect(t, dir, lang.Options{}) })
	select {
	case r := <-done:
		if r.Language("ruby") == nil {
			t.Errorf("%q, want ruby", ids(r))
		}
	case <-time.After(5 * time.Second):
		t.Fatal("no answer within 5 s")
	}
}

func later(f func() *lang.Report) <-chan *lang.Report {
	done := make(chan *lang.Report, 1)
	go func() { done <- f() }()
	return done
}
