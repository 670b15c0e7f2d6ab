package store

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/journal"
)

// What is exported has the names that the same has as JSON, and the key of its project.
func TestExportNames(t *testing.T) {
	s := opened(t, t.TempDir())
	fill(t, s)
	for table, row := range map[string]any{
		"events": Event{}, "sessions": Session{}, "turns": Turn{}, "files": File{}, "agents": Agent{}, "decisions": Decision{}, "verifications": Verification{}, "projects": Project{}, "ports": Port{},
	} {
		var names []string
		for f := range reflect.TypeOf(row).Fields() {
			names = append(names, strings.Split(f.Tag.Get("json"), ",")[0])
		}
		rows := 0
		err := s.Export(t.Context(), table, func(columns []string, values []any) error {
			if values == nil {
				for _, c := range columns {
					if !slices.Contains(names, c) && !slices.Contains([]string{"created_at", "ended_at"}, c) { // when a port began and ended, JSON does not say
						t.Errorf("%s has a column %s, and the answer has %v", table, c, names)
					}
				}
				return nil
			}
			rows++
			if at := slices.Index(columns, "project"); at >= 0 && values[at] != "a-1" {
				t.Errorf("%s: a project is %v, want its key", table, values[at])
			}
			return nil
		})
		if err != nil || rows == 0 && table != "ports" {
			t.Errorf("%s: %d rows, %v", table, rows, err)
		}
	}
	tables, err := s.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		err := s.Export(t.Context(), table, func(columns []string, _ []any) error {
			for _, c := range []string{"session", "type", "created", "part", "number", "request", "questions"} {
				if slices.Contains(columns, c) {
					t.Errorf("%s has a column %s", table, c)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", table, err)
		}
	}
}

// fill has one event of each kind that tables are put together from.
func fill(t *testing.T, s *Store) {
	t.Helper()
	log := journal.Log{Path: filepath.Join(Journals(s.StateDir), "a-1.jsonl")}
	for kind, details := range map[string]string{
		"session_start": "{}", "user_request": "{}", "decision": `{"action":"deny"}`, "file_edit": `{"path":"a"}`, "agent_activated": `{"agent_id":"x"}`, "verified": `{"found":"passed"}`,
	} {
		if err := log.Append(journal.Event{Session: "s", Turn: 1, Type: kind, Summary: kind, Created: start, Details: json.RawMessage(details)}); err != nil {
			t.Fatal(err)
		}
	}
	feed(t, s)
}
