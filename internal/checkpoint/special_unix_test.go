//go:build unix

package checkpoint

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// What git does not even list is named, and no loss.
func TestSpecialFilesAreNamed(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "*.sock\n")
	s.commit("a", "d/b")
	s.write("new/c", "c\n")
	s.write("big", strings.Repeat("x", 10<<20+1))
	for _, name := range []string{"p", "d/p", "new/p", "x.sock"} {
		if err := syscall.Mkfifo(filepath.Join(s.dir, name), 0o644); err != nil {
			t.Skip(err)
		}
	}
	c := s.create(CreateOptions{NoLog: true, InDanger: func(Skip) bool { return true }})
	var got []string
	for _, k := range c.Skipped {
		got = append(got, k.Path+": "+k.Why)
	}
	slices.Sort(got)
	want := []string{"big: 11 MiB, over the limit of 10 MiB", "d/p: a FIFO", "new/p: a FIFO", "p: a FIFO"}
	if !slices.Equal(got, want) || len(c.Lost) != 1 {
		t.Errorf("left out %q, want %q; lost %v", got, want, c.Lost)
	}
	if again := s.create(CreateOptions{NoLog: true}); !again.Reused {
		t.Error("an equal checkpoint was taken again")
	}
}

// TestSpecialFiles puts a FIFO where a checkpoint reads or writes a file: every call answers at once.
func TestSpecialFiles(t *testing.T) {
	for _, place := range []string{
		".git/packed-refs", ".git/index", ".git/logs/refs/stash", ".git/logs/HEAD", ".git/refs/stash", ".git/info/exclude", ".git/objects/info/alternates",
		".git/logs/refs/heads/main", ".moai/checkpoints.log", ".moai", ".env", "a", "new",
	} {
		t.Run(place, func(t *testing.T) {
			s := newSandbox(t)
			s.commit("a", "b")
			path := filepath.Join(s.dir, filepath.FromSlash(place))
			os.RemoveAll(path)
			os.MkdirAll(filepath.Dir(path), 0o777)
			if err := syscall.Mkfifo(path, 0o644); err != nil {
				t.Skip(err)
			}
			inTime := func(what string, f func(r *repo.Repo)) {
				t.Helper()
				done := make(chan struct{})
				go func() {
					defer close(done)
					if r, err := repo.Open(s.dir); err == nil {
						f(r)
					}
				}()
				select {
				case <-done:
				case <-time.After(500 * time.Millisecond):
					t.Errorf("%s: no answer within 500 ms", what)
				}
			}
			ctx := context.Background()
			inTime("Create", func(r *repo.Repo) {
				_, _ = Create(ctx, r, CreateOptions{Operation: "x", NoSync: true, Branch: true, PinRefs: []string{"stash", "main"}, Ignored: []string{".env"}, VaultDir: filepath.Join(filepath.Dir(s.dir), "vault")})
			})
			inTime("Last", func(r *repo.Repo) { _, _ = Last(r, 3) })
			inTime("History", func(r *repo.Repo) { _, _ = History(r) })
			inTime("restash", func(r *repo.Repo) {
				if h, err := r.Resolve("main"); err == nil {
					_ = restash(r, h)
				}
			})
			inTime("Prune", func(r *repo.Repo) { _, _ = Prune(r, PruneOptions{}) })
		})
	}
}
