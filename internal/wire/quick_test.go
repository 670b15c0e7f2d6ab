//go:build !race

package wire

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/hook"
)

// Reading an event, comparing it with what a hook is promised, and writing its answer take less than a millisecond each: the best of
// fifty times, since a busy machine says nothing about the program. The race detector makes it several times slower.
func TestQuick(t *testing.T) {
	tables := rules(t)
	dir := t.TempDir()
	payload := `{"session_id":"s","hook_event_name":"PostToolUse","cwd":"` + filepath.ToSlash(dir) + `","tool_name":"Write","tool_input":{"file_path":"a.go","content":"` +
		strings.Repeat("한글 text ", 2000) + `"},"tool_response":{"ok":true}}`
	ctx, cancel := context.WithTimeout(t.Context(), hook.Hard)
	defer cancel()
	var event *hook.Event
	answer := hook.Answer{Decision: hook.Deny, Reason: strings.Repeat("because ", 200), Context: []string{strings.Repeat("context ", 500)}, Suggestions: []string{"one"}}
	for _, part := range []struct {
		name string
		run  func() error
	}{
		{"Decode", func() (err error) {
			event, err = Decode(tables, strings.NewReader(payload), Asked{Getenv: func(string) string { return "" }, Getwd: func() (string, error) { return dir, nil }})
			return err
		}},
		{"Check", func() error { return hook.Check(ctx, event) }},
		{"Encode", func() error { Encode(tables, event, answer); return nil }},
	} {
		best := time.Hour
		for range 50 {
			start := time.Now()
			if err := part.run(); err != nil {
				t.Fatalf("%s: %v", part.name, err)
			}
			best = min(best, time.Since(start))
		}
		if best >= time.Millisecond {
			t.Errorf("%s took %v, want less than 1ms", part.name, best)
		}
		t.Logf("%s: %v", part.name, best)
	}
}
