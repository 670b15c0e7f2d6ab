//go:build unix

package repo

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// specialWait is how long a call may take that meets a FIFO, a socket or a directory in place of a file.
const specialWait = 500 * time.Millisecond

// inTime runs f and fails when it does not come back; it cannot end a goroutine that hangs in an open.
func inTime(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(specialWait):
		t.Errorf("%s: no answer within %v", what, specialWait)
	}
}

// TestSpecialFiles puts something that is no regular file in every place where a repository has one. Each call must answer at
// once; what the answer is depends on the place.
func TestSpecialFiles(t *testing.T) {
	home := sandbox(t)
	write(t, filepath.Join(home, "lender", "x"), "x\n")
	commits(t, filepath.Join(home, "lender"), 1)
	dir := filepath.Join(home, "w")
	commits(t, dir, 2)
	write(t, filepath.Join(dir, "a.txt"), "one\n")
	write(t, filepath.Join(dir, "sub", "b.txt"), "two\n")
	write(t, filepath.Join(dir, ".gitignore"), "*.o\n")
	write(t, filepath.Join(dir, ".gitattributes"), "*.txt text=auto\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "files")
	git(t, dir, "branch", "kept")
	git(t, dir, "gc", "-q")
	git(t, dir, "multi-pack-index", "write")
	git(t, dir, "config", "include.path", "more.config")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "loose")
	write(t, filepath.Join(dir, "sub", "b.txt"), "other\n")
	head := revParse(t, dir, "HEAD")
	packed, _ := ParseHash(revParse(t, dir, "HEAD~1"))
	loose := "objects/" + head[:2] + "/" + head[2:]
	packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("packs %q, %v, want one", packs, err)
	}
	pack := "objects/pack/" + filepath.Base(packs[0])
	places := []string{
		".git/HEAD", ".git/config", ".git/more.config", ".git/packed-refs", ".git/refs/heads/main", ".git/refs/heads/odd", ".git/index",
		".git/commondir", ".git/shallow", ".git/logs/refs/heads/main", ".git/logs/HEAD", ".git/config.worktree",
		".git/" + loose, ".git/" + pack, ".git/" + pack[:len(pack)-4] + "idx", ".git/objects/pack/multi-pack-index", ".git/objects/pack/pack-0.idx",
		".git/objects/info/alternates", ".git/objects/pack", ".git/objects/info", ".git/refs/heads", ".git/objects", ".git/refs",
		".git/info/exclude", ".git/info/attributes", ".git/info", ".gitignore", ".gitattributes", ".gitmodules", ".git", "sub", "sub/.git", "a.txt",
		".git/MERGE_HEAD", ".git/CHERRY_PICK_HEAD", ".git/REVERT_HEAD", ".git/BISECT_LOG", ".git/BISECT_START",
		".git/rebase-merge/head-name", ".git/rebase-merge/msgnum", ".git/rebase-apply/head-name", ".git/rebase-apply/next", ".git/sequencer/todo",
		"dircache",
	}
	kinds := map[string]func(path string) error{
		"FIFO":      func(path string) error { mkfifo(t, path); return nil },
		"directory": func(path string) error { return os.Mkdir(path, 0o755) },
		"socket": func(path string) error {
			// The address of a socket has room for some hundred bytes only.
			t.Chdir(filepath.Dir(path))
			l, err := net.Listen("unix", filepath.Base(path))
			if err == nil {
				t.Cleanup(func() { l.Close() })
			}
			return err
		},
		"link to a device": func(path string) error { return os.Symlink("/dev/tty", path) },
	}
	for kind, make := range kinds {
		for _, place := range places {
			t.Run(kind+" "+place, func(t *testing.T) {
				dir := specialCopy(t, dir)
				path := filepath.Join(dir, filepath.FromSlash(place))
				kit.Must(t, os.RemoveAll(path))
				kit.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
				if err := make(path); err != nil {
					t.Skip(err)
				}
				var r *Repo
				inTime(t, "Open", func() { r, _ = Open(dir) })
				if r == nil {
					return
				}
				h, _ := ParseHash(head)
				inTime(t, "Head", func() { _, _ = r.Head() })
				inTime(t, "Index", func() { _, _ = r.Index() })
				inTime(t, "Status", func() {
					_, _ = r.Status(context.Background(), StatusOptions{DirCache: filepath.Join(dir, "dircache"), UseConfig: true})
				})
				inTime(t, "Refs", func() { _, _ = r.Refs("") })
				inTime(t, "Resolve", func() { _, _ = r.Resolve("kept") })
				inTime(t, "Upstream", func() { _, _ = r.Upstream() })
				inTime(t, "Short", func() { _ = r.Short(h) })
				inTime(t, "Commit", func() { _, _ = r.Commit(h) })
				inTime(t, "Object", func() { _, _, _ = r.Object(packed) })
				inTime(t, "OpenBlob", func() {
					if rc, _, err := r.OpenBlob(h); err == nil {
						rc.Close()
					}
				})
				inTime(t, "BlobSize", func() { _, _ = r.BlobSize(h) })
				inTime(t, "CreateRef", func() { _ = r.CreateRef("refs/moai/x", h) })
				inTime(t, "UpdateRef", func() { _ = r.UpdateRef("refs/heads/main", h, h) })
				inTime(t, "DeleteRefs", func() { _, _ = r.DeleteRefs([]RefValue{{"refs/heads/kept", h}}, PackedWait) })
				inTime(t, "LockIndex", func() {
					if l, err := r.LockIndex(); err == nil {
						l.Rollback()
					}
				})
			})
		}
	}
}

// specialCopy copies a repository with its times, so that the index still fits.
func specialCopy(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "w")
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
