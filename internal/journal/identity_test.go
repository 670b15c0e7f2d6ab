package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// An event is known by its id: a line that stands there three times is told once, also where it is written while somebody follows.
func TestOneIDOneEvent(t *testing.T) {
	line := func(id, text string) string {
		return `{"id":"` + id + `","event_type":"decision","summary":"` + text + `","created_at":"2026-01-02T03:04:05Z"}` + "\n"
	}
	again := line("01", "one")
	path := file(t, again+again+line("02", "two")+again)
	for _, q := range []Query{{}, {Last: 5}} {
		ids := []string{}
		if _, err := q.Run(path, func(e *Event) error { ids = append(ids, e.ID); return nil }); err != nil || len(ids) != 2 {
			t.Errorf("%+v: %v, %v", q, ids, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ids := []string{}
	err := (&Query{}).Follow(ctx, path, func(e *Event) error {
		switch ids = append(ids, e.ID); e.ID {
		case "02":
			return appendText(path, again+line("03", "three"))
		case "03":
			cancel()
		}
		return nil
	})
	if err != nil || !slices.Equal(ids, []string{"01", "02", "03"}) {
		t.Errorf("followed %v, %v", ids, err)
	}
}

func appendText(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

// What has no id, and what was before all times, is no event of ours for any reader.
func TestNoEvents(t *testing.T) {
	path := file(t, event+
		`{"id":"02","event_type":"decision","created_at":"0000-01-01T00:00:00Z"}`+"\n"+
		`{"event_type":"decision","created_at":"2026-01-02T03:04:05Z"}`+"\n")
	n := 0
	k, err := (&Query{}).Run(path, func(*Event) error { n++; return nil })
	if err != nil || n != 1 || k.Skipped != 2 {
		t.Errorf("%d events, %d skipped, %v", n, k.Skipped, err)
	}
	n = 0
	_, skipped, err := (&Part{Path: path}).Read(0, 1<<20, func(*Event) error { n++; return nil })
	if err != nil || n != 1 || skipped != 2 {
		t.Errorf("%d events, %d skipped, %v", n, skipped, err)
	}
}

// A line that is no UTF-8 is handed on as JSON all the same.
func TestRawIsJSON(t *testing.T) {
	path := file(t, "{\"id\":\"01\",\"session_id\":\"s-\xff\xfe\",\"event_type\":\"decision\",\"created_at\":\"2026-01-02T03:04:05Z\"}\n")
	var raw, session string
	if _, err := (&Query{}).Run(path, func(e *Event) error { raw, session = string(e.Raw()), e.Session; return nil }); err != nil {
		t.Fatal(err)
	}
	var got Event
	if err := json.Unmarshal([]byte(raw), &got); err != nil || got.Session != session || raw != string([]rune(raw)) || session != "s-\ufffd\ufffd" {
		t.Errorf("%q of session %q, %v", raw, session, err)
	}
}

// What is remembered of ids is bounded: journals hold millions, and somebody may follow one for months.
func TestSeenIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p-1.jsonl")
	var text strings.Builder
	for i := range 3 * mostSeen {
		fmt.Fprintf(&text, `{"id":"%d","event_type":"x"}`+"\n", i)
	}
	fmt.Fprintf(&text, `{"id":"%d","event_type":"x"}`+"\n", 3*mostSeen-1)
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	q := Query{}
	for range 2 {
		n := 0
		if _, err := q.Run(path, func(*Event) error { n++; return nil }); err != nil || n != 3*mostSeen {
			t.Errorf("%d events, %v", n, err)
		}
		if len(q.seen) > mostSeen || len(q.older) > mostSeen {
			t.Errorf("%d and %d ids are remembered", len(q.seen), len(q.older))
		}
	}
}
