package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func all(t *testing.T, path string) (events []Event, skipped int) {
	t.Helper()
	k, err := (&Query{}).Run(path, func(e *Event) error { events = append(events, *e); return nil })
	kit.Must(t, err)
	return events, k.Skipped
}

func TestAppendAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "a.jsonl")
	kit.Must(t, (Log{Path: path}).Append(Event{Session: "s", Type: "session_start", Summary: "한글 요약"}))
	events, skipped := all(t, path)
	if len(events) != 1 || skipped != 0 || events[0].Summary != "한글 요약" || events[0].Severity != "info" || events[0].ID == "" {
		t.Errorf("read back %+v, skipped %d", events, skipped)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("journal mode = %v, want 0600", info.Mode().Perm())
	}
}

// A killed writer leaves half a line; the event after it must survive.
func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	kit.Must(t, os.WriteFile(path, []byte("{\"id\":\"01\",\"event_type\":\"one\"}\n{\"event_ty"), 0o600))
	kit.Must(t, (Log{Path: path}).Append(Event{Type: "two"}))
	events, skipped := all(t, path)
	if len(events) != 2 || events[1].Type != "two" || skipped != 1 {
		t.Errorf("read back %+v, skipped %d; want one, two and 1 skipped", events, skipped)
	}
}

func TestLongDetailsAreDroppedAndSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	long := `"` + strings.Repeat("x", MaxLine) + `"`
	kit.Must(t, (Log{Path: path}).Append(Event{Type: "decision", Details: []byte(long)}))
	events, _ := all(t, path)
	if len(events) != 1 || !strings.Contains(string(events[0].Details), "dropped") {
		t.Errorf("read back %+v, want one event that says its details were dropped", events)
	}
}

// Ids are the client's, of any length; the event must not be lost for them.
func TestLongTextsAreCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	kit.Must(t, (Log{Path: path}).Append(Event{Type: "decision", Session: strings.Repeat("s", 2*MaxLine), Summary: "x" + strings.Repeat("가", MaxLine)}))
	events, skipped := all(t, path)
	if len(events) != 1 || skipped != 0 || !strings.HasSuffix(events[0].Summary, "가") {
		t.Errorf("read %d events, skipped %d; want the one, its summary cut between letters", len(events), skipped)
	}
}

// Lines that no moai wrote, as long as they like, cost nothing but themselves.
func TestForeignLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	kit.Must(t, os.WriteFile(path, []byte(strings.Repeat("x", 3*MaxLine)+"\n{}\n"+strings.Repeat("y", 3*MaxLine)), 0o600))
	if events, skipped := all(t, path); len(events) != 0 || skipped != 3 {
		t.Errorf("read %d events, skipped %d, want 0 and 3", len(events), skipped)
	}
	kit.Must(t, (Log{Path: path}).Append(Event{Type: "two"}))
	if events, _ := all(t, path); len(events) != 1 {
		t.Errorf("read %d events behind a long line without an end, want 1", len(events))
	}
}

func TestParallelWritersLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	const writers, each = 16, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := (Log{Path: path}).Append(Event{Type: "decision", Summary: fmt.Sprintf("%d/%d", w, i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	events, skipped := all(t, path)
	seen := map[string]bool{}
	for _, e := range events {
		seen[e.Summary] = true
	}
	if len(seen) != writers*each || skipped != 0 {
		t.Errorf("%d distinct events and %d bad lines, want %d and 0", len(seen), skipped, writers*each)
	}
	data := kit.Read(t, path)
	if blank := strings.Count(data, "\n\n"); blank > 0 {
		t.Errorf("%d blank lines", blank)
	}
}

// A line that another process is about to finish is not torn: ending it a second time would leave a blank line.
func TestLineUnderWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	kit.Must(t, os.WriteFile(path, []byte(`{"id":"01","event_type":"one"}`), 0o600))
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	kit.Must(t, err)
	defer f.Close()
	if _, open := unfinished(f); !open {
		t.Fatal("half a line counts as whole")
	}
	done := make(chan error)
	go func() {
		_, err := f.WriteString("\n")
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if torn(f) {
		t.Error("a line that came to its end counts as torn")
	}
}

func BenchmarkAppend(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.jsonl")
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			kit.Must(b, (Log{Path: path}).Append(Event{Session: "s", Type: "decision", Summary: "git.reset-hard"}))
		}
	})
}
