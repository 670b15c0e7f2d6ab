//go:build unix

package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/kit"
)

// What is no regular file is neither written nor read, nor waited for, whether it is the file that is written or a closed one.
func TestStrangeFiles(t *testing.T) {
	for what, put := range map[string]func(path, aside string) error{
		"a FIFO":           func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":         func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"a link":           func(path, aside string) error { return os.Symlink(aside, path) },
		"a link into void": func(path, aside string) error { return os.Symlink(aside+"-none", path) },
	} {
		t.Run(what, func(t *testing.T) {
			within(t, func() { strangeFile(t, put) })
		})
	}
}

func strangeFile(t *testing.T, put func(path, aside string) error) {
	none := func(*Event) error { return nil }
	dir, aside := t.TempDir(), filepath.Join(t.TempDir(), "aside")
	kit.Must(t, os.WriteFile(aside, []byte(event), 0o600))
	active := filepath.Join(dir, "p-1.jsonl")
	closed := filepath.Join(dir, "p-1.000001-"+newID(time.Now())+".jsonl")
	for _, odd := range []string{active, closed} {
		kit.Must(t, put(odd, aside))
		l := Log{Path: active, Keep: Keep{Days: 1, MB: 1}}
		if err := l.Append(Event{Type: "x"}); odd == active && !errors.Is(err, disk.ErrNotRegular) {
			t.Errorf("Append = %v", err)
		}
		for _, q := range []Query{{}, {Last: 5}} {
			if _, err := q.Run(active, none); !errors.Is(err, disk.ErrNotRegular) {
				t.Errorf("%s: Run = %v", odd, err)
			}
			if err := q.Follow(t.Context(), active, none); !errors.Is(err, disk.ErrNotRegular) {
				t.Errorf("%s: Follow = %v", odd, err)
			}
		}
		p := Part{Path: odd, Size: 10}
		if _, _, err := p.Read(0, 10, none); !errors.Is(err, disk.ErrNotRegular) {
			t.Errorf("Read = %v", err)
		}
		if _, err := p.Head(); !errors.Is(err, disk.ErrNotRegular) {
			t.Errorf("Head = %v", err)
		}
		if parts, err := Parts(active); err != nil || len(parts) != map[bool]int{true: 0, false: 1}[odd == active] {
			t.Errorf("Parts = %v, %v", parts, err)
		}
		if got := Strange(dir); len(got) != 1 || got[0] != odd {
			t.Errorf("Strange = %v, want %s", got, odd)
		}
		l.rotate()
		if _, err := l.Prune(time.Now()); err != nil {
			t.Errorf("Prune = %v", err)
		}
		if _, err := os.Lstat(odd); err != nil {
			t.Error(err)
		}
		kit.Must(t, os.Remove(odd))
	}
	if _, err := os.Stat(aside + "-none"); err == nil {
		t.Error("a link was followed, and a file made")
	}
	if got, err := os.ReadFile(aside); err != nil || string(got) != event {
		t.Errorf("what a link leads to holds %q now", got)
	}
}

// within fails a test that waits for what never comes.
func within(t *testing.T, do func()) {
	ctx, done := context.WithTimeout(t.Context(), 10*time.Second)
	go func() { defer done(); do() }()
	<-ctx.Done()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Fatal("it waits")
	}
}
