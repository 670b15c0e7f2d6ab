package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	kit.Must(t, os.WriteFile(file, nil, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), Hard)
	defer cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		e    Event
		want string // "" when the contract holds
	}{
		{"all there", ctx, Event{Name: "Stop", SessionID: "s", CWD: dir, ProjectDir: dir}, ""},
		{"nothing but a name", ctx, Event{Name: "Stop"}, ""},
		{"no deadline", context.Background(), Event{Name: "Stop"}, "no deadline"},
		{"no name", ctx, Event{CWD: dir}, "no name"},
		{"relative", ctx, Event{Name: "Stop", CWD: "x"}, "cwd: x is not absolute"},
		{"gone", ctx, Event{Name: "Stop", CWD: filepath.Join(dir, "gone")}, "gone"},
		{"a file", ctx, Event{Name: "Stop", ProjectDir: file}, "project_dir"},
	} {
		err := Check(c.ctx, &c.e)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if !errors.Is(err, ErrContract) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if len(Guarantees) != 5 || len(NonGuarantees) < 4 {
		t.Errorf("%d guarantees, %d non-guarantees; the source has 5 and 4", len(Guarantees), len(NonGuarantees))
	}
}

func BenchmarkCheck(b *testing.B) {
	ctx, cancel := context.WithTimeout(context.Background(), Hard)
	defer cancel()
	dir := b.TempDir()
	e := &Event{Name: "PreToolUse", CWD: dir, ProjectDir: dir}
	b.ReportAllocs()
	for b.Loop() {
		kit.Must(b, Check(ctx, e))
	}
}
