package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// What cannot be written or read is said, and names which of the two.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	kit.Must(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{filepath.Join(file, "j.jsonl"), filepath.Join(file, "deeper", "j.jsonl"), dir} {
		if err := (Log{Path: path}).Append(Event{Type: "x"}); err == nil || !strings.Contains(err.Error(), "open journal") {
			t.Errorf("Append(%s) = %v, want an error", path, err)
		}
	}
	if err := (Log{Path: filepath.Join(dir, "j.jsonl")}).Append(Event{Type: "x", Details: json.RawMessage("{")}); err == nil || !strings.Contains(err.Error(), "encode journal event") {
		t.Errorf("Append of half an object = %v", err)
	}
	if _, err := (&Query{}).Run(filepath.Join(file, "j.jsonl"), nil); err == nil || !strings.Contains(err.Error(), "open journal") {
		t.Errorf("Run below a file = %v", err)
	}
	if _, err := (&Query{}).Run(dir, nil); err == nil || !strings.Contains(err.Error(), "journal") {
		t.Errorf("Run of a folder = %v", err)
	}
}

// Whoever reads may stop, with an error of their own.
func TestReadStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "j.jsonl")
	for range 3 {
		kit.Must(t, (Log{Path: path}).Append(Event{Type: "x"}))
	}
	enough, n := errors.New("enough"), 0
	if _, err := (&Query{}).Run(path, func(*Event) error { n++; return enough }); !errors.Is(err, enough) || n != 1 {
		t.Errorf("Run = %v after %d events, want the reader's own error after one", err, n)
	}
}

// file writes a text into a new file and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p-1.jsonl")
	kit.Must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// opened opens a path for reading; a folder can be opened and not read.
func opened(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	kit.Must(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

const event = `{"id":"01","event_type":"decision","summary":"one","created_at":"2026-01-02T03:04:05Z"}` + "\n"

// A disk that fails while it is read is an error of each reader, and no journal without events.
func TestReadFails(t *testing.T) {
	closed := opened(t, file(t, event))
	kit.Must(t, closed.Close())
	none := func(*Event) error { return nil }
	if _, err := backward(closed, 10, func([]byte) bool { return true }); err == nil {
		t.Error("backward over a closed file = nil")
	}
	if at := seek(closed, time.Now()); at != 0 {
		t.Errorf("seek in a closed file = %d, want its beginning", at)
	}
	if err := (&Query{Last: 1}).last([]*os.File{closed}, &Known{}, none); err == nil {
		t.Error("last of a closed file = nil")
	}
	if err := (&Query{}).forward([]*os.File{closed}, &Known{}, none); err == nil {
		t.Error("forward through a closed file = nil")
	}
	if same(closed, closed) {
		t.Error("a closed file is the same as itself")
	}
	folder := filepath.Join(t.TempDir(), "p-1.jsonl")
	kit.Must(t, os.Mkdir(folder, 0o700))
	if err := (&Query{Last: 1}).last([]*os.File{opened(t, folder)}, &Known{}, none); runtime.GOOS == "linux" && err == nil {
		t.Error("last of a folder = nil")
	}
	for _, q := range []Query{{}, {Last: 5}} {
		if _, err := q.Run(folder, none); runtime.GOOS == "linux" && err == nil {
			t.Errorf("%+v of a folder = nil", q)
		}
	}
	below := filepath.Join(file(t, event), "below", "p-1.jsonl")
	if _, err := (&Query{}).Run(below, none); err == nil {
		t.Error("Run below a file = nil")
	}
	if _, err := (&tail{path: below}).next(); err == nil {
		t.Error("next below a file = nil")
	}
	if err := (&tail{path: below, f: closed}).read(func([]byte) error { return nil }); err == nil {
		t.Error("a tail of a closed file reads on")
	}
	if err := (&tail{path: below}).begin(); err == nil {
		t.Error("begin below a file = nil")
	}
	if err := (&tail{path: folder}).begin(); runtime.GOOS == "linux" && err == nil {
		t.Error("begin in a folder = nil")
	}
	for _, path := range []string{below, folder} {
		if err := (&Query{}).Follow(t.Context(), path, none); runtime.GOOS == "linux" && err == nil {
			t.Errorf("Follow %s = nil", path)
		}
	}
	if _, err := (Log{Path: below, Keep: Keep{Days: 1}}).Prune(time.Now()); err == nil {
		t.Error("Prune below a file = nil")
	}
	(Log{Path: below}).closeSegment() // nothing to close, nothing made
	(Log{Path: below}).rotate()
}

// Whoever reads may stop, and hears why: at an old event, at the newest ones, and at one that comes.
func TestReaderStops(t *testing.T) {
	stop := errors.New("enough")
	path := file(t, event)
	enough := func(*Event) error { return stop }
	for _, q := range []Query{{}, {Last: 1}} {
		if _, err := q.Run(path, enough); !errors.Is(err, stop) {
			t.Errorf("%+v: Run = %v, want what the reader said", q, err)
		}
	}
	if err := (&Query{}).Follow(t.Context(), path, enough); !errors.Is(err, stop) {
		t.Errorf("Follow = %v, want what the reader said", err)
	}
	tl := &tail{path: path, f: opened(t, path)}
	if err := tl.read(func([]byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("read = %v, want what the reader said", err)
	}
	// One that comes later.
	went := make(chan error, 1)
	go func() {
		went <- (&Query{Types: []string{"stop"}}).Follow(t.Context(), path, enough)
	}()
	for range 100 {
		kit.Must(t, (Log{Path: path}).Append(Event{Type: "stop", Created: time.Now()}))
		select {
		case err := <-went:
			if !errors.Is(err, stop) {
				t.Errorf("Follow = %v, want what the reader said", err)
			}
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Error("Follow goes on")
}

// A line that is no event of ours, since it is longer than all of them, costs itself alone, wherever one reads.
func TestEndlessLine(t *testing.T) {
	path := file(t, event+strings.Repeat("x", 3*block)+"\n"+strings.NewReplacer("01\"", "02\"", "one", "two").Replace(event))
	for _, q := range []Query{{}, {Last: 10}} {
		var got []string
		k, err := q.Run(path, func(e *Event) error { got = append(got, e.Summary); return nil })
		if err != nil || strings.Join(got, " ") != "one two" {
			t.Errorf("%+v: read %q, %v; want both events", q, got, err)
		}
		if q.Last == 0 && k.Skipped != 1 {
			t.Errorf("%d lines skipped, want the endless one", k.Skipped)
		}
	}
	f := opened(t, file(t, strings.Repeat("x", 3*block)))
	if at := lineAt(f, 10); at != 10 {
		t.Errorf("lineAt in an endless line = %d, want where it was", at)
	}
	if _, known := timeAt(f, 10); known {
		t.Error("an endless line has a time")
	}
	tl := &tail{path: f.Name(), f: f}
	if err := tl.read(func(line []byte) error { t.Errorf("read a line of %d bytes", len(line)); return nil }); err != nil {
		t.Error(err)
	}
	if len(tl.rest) > block+MaxLine {
		t.Errorf("%d bytes of it are kept", len(tl.rest))
	}
}

// A torn line at the end of what is followed is read once, when its end has come.
func TestFollowBehindATornLine(t *testing.T) {
	half, rest := event[:30], event[30:]
	path := file(t, event+half)
	tl := &tail{path: path}
	kit.Must(t, tl.begin())
	defer tl.close()
	var got []string
	read := func() {
		t.Helper()
		kit.Must(t, tl.read(func(line []byte) error { got = append(got, string(line)); return nil }))
	}
	read()
	if len(got) != 0 {
		t.Errorf("read half a line: %q", got)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	kit.Must(t, err)
	if _, err := f.WriteString(rest); err != nil {
		t.Fatal(err)
	}
	kit.Must(t, f.Close())
	read()
	if len(got) != 1 || got[0]+"\n" != event {
		t.Errorf("read %q, want the whole line, once", got)
	}
}

// A segment that cannot be removed is said, and those behind it stay: no gap is among what is kept.
func TestPruneRefused(t *testing.T) {
	dir := t.TempDir()
	l := Log{Path: filepath.Join(dir, "p-1.jsonl"), Keep: Keep{Days: 1}}
	old := time.Now().AddDate(0, 0, -10)
	for n := 1; n <= 2; n++ {
		name := fmt.Sprintf("%s.%06d-%s%s", strings.TrimSuffix(l.Path, extension), n, newID(old), extension)
		kit.Must(t, os.WriteFile(name, nil, 0o600))
	}
	list, err := segments(l.Path)
	if err != nil || len(list) != 2 {
		t.Fatalf("segments = %v, %v", list, err)
	}
	if gone := (&segment{path: filepath.Join(dir, "none"), closed: old}); !gone.last().Equal(old) {
		t.Error("a segment that cannot be read does not end when it was closed")
	}
	if _, known := firstTime(filepath.Join(dir, "none")); known {
		t.Error("a file that is not there has a first event")
	}
	if n, err := l.Prune(time.Now()); n != 1 || err != nil {
		t.Errorf("Prune = %d, %v; want the older one to go, and the newest to stay as a mark", n, err)
	}
	if n, err := l.Prune(time.Now()); n != 0 || err != nil {
		t.Errorf("Prune again = %d, %v", n, err)
	}
}
