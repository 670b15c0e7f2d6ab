package store

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/kit"
)

// Lines that somebody has written into a journal by hand neither stop the feed nor make an answer fail.
func TestOddDetails(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	log := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
	odd := []string{
		`{"x":` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + `}`, `{"files":9223372036854775807,"paths":[]}`, `{"files":1.5,"paths":["a"]}`,
		`{"files":1e400,"paths":["a"]}`, `{"files":-7,"paths":{"a":1}}`, `{"files":"x","paths":"y","commit":7}`, `{"agent_id":"g","tokens":"12k","empty":"no"}`,
		`{"agent_id":7,"tokens":1e15,"model":{}}`, `{"action":1,"rules":"x","command":["a"]}`, `[1,2]`, `"text"`, `{"status":1e400}`, `{"path":["a"]}`, `{"files":1e300}`,
	}
	kinds := []string{"command_change", "agent_activated", "agent_deactivated", "decision", "verified", "port_end", "file_edit", "checkpoint_created"}
	for range 2 {
		for _, kind := range kinds {
			for _, d := range odd {
				kit.Must(t, log.Append(journal.Event{Session: "s", Turn: 1, Type: kind, Summary: kind, Created: start, Details: json.RawMessage(d)}))
			}
		}
	}
	kit.Must(t, log.Append(journal.Event{Session: "s", Turn: 1, Type: "user_request", Summary: "behind them", Created: start}))
	feed(t, s)
	for name, ask := range questions(s) {
		got, err := ask(t.Context(), &Pick{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := json.Marshal(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	tables, err := s.Tables(t.Context())
	kit.Must(t, err)
	for _, name := range tables {
		err := s.Export(t.Context(), name, func(_ []string, values []any) error { _, err := json.Marshal(values); return err })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	turns, err := s.Turns(t.Context(), &Pick{})
	if err != nil || len(turns) != 1 || turns[0].Prompt == nil || *turns[0].Prompt != "behind them" {
		t.Errorf("%+v, %v", turns, err)
	}
	if n, err := s.Skipped(t.Context()); err != nil || n == 0 {
		t.Errorf("%d skipped, %v", n, err)
	}
}

// A link in the place of the database is set aside: the one that it leads to is somebody else's.
func TestLinkedDatabase(t *testing.T) {
	dir, theirs := t.TempDir(), filepath.Join(t.TempDir(), "theirs.db")
	kit.Must(t, os.WriteFile(theirs, nil, 0o600))
	kit.Must(t, os.MkdirAll(filepath.Dir(Path(dir)), 0o700))
	if err := os.Symlink(theirs, Path(dir)); err != nil {
		t.Skip(err)
	}
	s := opened(t, dir)
	feed(t, s)
	if s.Aside == "" {
		t.Error("the link was not set aside")
	}
	if data, err := os.ReadFile(theirs); err != nil || len(data) > 0 {
		t.Errorf("%d bytes were written through the link, %v", len(data), err)
	}
}

// A journal that an editor has written anew holds what it holds now, with the events that it had before.
func TestReplacedJournal(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	log := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
	for i := range 4 {
		kit.Must(t, log.Append(journal.Event{Session: "s", Turn: 1, Type: "user_request", Summary: fmt.Sprint("p", i), Created: start}))
	}
	feed(t, s)
	data := kit.Read(t, log.Path)
	lines := strings.SplitAfter(data, "\n")
	last, err := s.Last(t.Context())
	kit.Must(t, err)
	for _, c := range []struct {
		text string
		want int
	}{
		{lines[0] + lines[1] + lines[2], 3}, {data, 4}, {lines[1] + lines[2] + lines[3], 3}, {strings.Replace(data, "p2", "p2 longer", 1), 4}, {lines[3], 1}, {data, 4},
	} {
		kit.Must(t, os.WriteFile(log.Path+".new", []byte(c.text), 0o600))
		kit.Must(t, os.Rename(log.Path+".new", log.Path))
		feed(t, s)
		got, err := s.Stats(t.Context(), &Pick{})
		if err != nil || got.Events != c.want {
			t.Errorf("%d lines: %+v, %v", strings.Count(c.text, "\n"), got, err)
		}
		now, err := s.Last(t.Context())
		if err != nil || now <= last {
			t.Errorf("the last event has number %d, after %d, %v: a stream would not see it", now, last, err)
		}
		last = now
	}
}
