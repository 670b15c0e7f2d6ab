package journal

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is there comes first, then what is written, each once, also across files that are closed.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "j.jsonl")
	l := Log{Path: path, Keep: Keep{MB: 1}}
	const before, after = 5, 400
	write := func(i int) {
		if err := l.Append(Event{Type: "x", Session: "s", Summary: fmt.Sprint(i, " ", strings.Repeat("y", 1000))}); err != nil {
			t.Error(err)
		}
	}
	for i := range before {
		write(i)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	next := 2 // of the first five the last three
	err := (&Query{Last: 3, Session: "s"}).Follow(ctx, path, func(e *Event) error {
		if !strings.HasPrefix(e.Summary, fmt.Sprint(next, " ")) {
			t.Errorf("%.6s … came, want %d", e.Summary, next)
		}
		if next == before-1 {
			go func() {
				for i := range after {
					write(before + i)
					if i%100 == 0 {
						time.Sleep(followPause * 2)
					}
				}
			}()
		}
		if next++; next == before+after {
			cancel()
		}
		return nil
	})
	if err != nil || next != before+after {
		t.Errorf("%d events came, %v", next, err)
	}
	if list, err := segments(path); err != nil || len(list) < 2 {
		t.Errorf("%d files were closed meanwhile, %v", len(list), err)
	}
}

// A journal that nobody has written yet is waited for.
func TestFollowNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go func() {
		time.Sleep(followPause * 2)
		_ = Log{Path: path}.Append(Event{Type: "x", Summary: "first"})
	}()
	got := ""
	if err := (&Query{}).Follow(ctx, path, func(e *Event) error { got = e.Summary; cancel(); return nil }); err != nil || got != "first" {
		t.Errorf("came: %q, %v", got, err)
	}
}
