package store

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/journal"
)

// A verdict with a snapshot counts as one where a snapshot was taken: none is where there is nothing to save.
func TestSaved(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	l := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
	for _, e := range []struct{ session, kind, details string }{
		{"s1", "checkpoint_created", `{"branch":"b"}`},
		{"s2", "checkpoint_created", `{"branch":"c"}`},
		{"s1", "decision", `{"action":"checkpoint","command":"git reset --hard"}`},
		{"s1", "decision", `{"action":"checkpoint","command":"git branch -D tmp"}`},
	} {
		if err := l.Append(journal.Event{Session: e.session, Turn: 1, Type: e.kind, Created: start, Details: json.RawMessage(e.details)}); err != nil {
			t.Fatal(err)
		}
	}
	feed(t, s)
	list, err := s.Decisions(t.Context(), &Pick{})
	if err != nil || len(list) != 2 || list[0].Saved || !list[1].Saved {
		t.Errorf("%+v, %v", list, err)
	}
	turns, err := s.Turns(t.Context(), &Pick{Session: "s1"})
	if err != nil || len(turns) != 1 {
		t.Fatal(turns, err)
	}
	if ran := string(turns[0].Ran); !strings.Contains(ran, `"git reset --hard","action":"checkpoint"`) || !strings.Contains(ran, `"git branch -D tmp","action":"allow"`) {
		t.Error(ran)
	}
}
