package store

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/kit"
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
		kit.Must(t, l.Append(journal.Event{Session: e.session, Turn: 1, Type: e.kind, Created: start, Details: json.RawMessage(e.details)}))
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

// TestRan: the store says of each question whether its call ran afterwards. As long as the turn goes on, the answer is unknown. Some tools
// write nothing into the journal when they do not run; of these only a call that ran is known.
func TestRan(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	l := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
	for _, e := range []struct {
		turn          int
		kind, details string
	}{
		{1, "decision", `{"answer":"ask","tool":"Bash","command":"git push","call":"c1"}`},
		{1, "decision", `{"answer":"ask","tool":"Bash","command":"terraform apply","call":"c2"}`},
		{1, "asked_ran", `{"call":"c2","command":"terraform apply"}`},
		{1, "decision", `{"answer":"ask","tool":"Read","command":"Read .env","call":"c3"}`},
		{1, "decision", `{"answer":"deny","tool":"Bash","command":"rm -rf ~","call":"c4"}`},
		{1, "decision", `{"answer":"ask","tool":"Write","command":"Write x.pem","call":"c5"}`},
		{1, "asked_ran", `{"call":"c5","command":"Write x.pem"}`},
		{1, "turn_end", `{}`},
		{2, "decision", `{"answer":"ask","tool":"Bash","command":"git push","call":"c6"}`},
		{2, "decision", `{"answer":"ask","tool":"Bash","command":"git push"}`},
	} {
		kit.Must(t, l.Append(journal.Event{Session: "s", Turn: e.turn, Type: e.kind, Created: start, Details: json.RawMessage(e.details)}))
	}
	feed(t, s)
	list, err := s.Decisions(t.Context(), &Pick{})
	kit.Must(t, err)
	var got []string
	for i := len(list) - 1; i >= 0; i-- {
		ran := "?"
		if list[i].Ran != nil {
			ran = strconv.FormatBool(*list[i].Ran)
		}
		got = append(got, *list[i].Command+" "+ran)
	}
	want := []string{"git push false", "terraform apply true", "Read .env ?", "rm -rf ~ ?", "Write x.pem true", "git push ?", "git push ?"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
