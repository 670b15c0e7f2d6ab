package journal

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be written or read is said, and names which of the two.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
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
		if err := (Log{Path: path}).Append(Event{Type: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	enough, n := errors.New("enough"), 0
	if _, err := (&Query{}).Run(path, func(*Event) error { n++; return enough }); !errors.Is(err, enough) || n != 1 {
		t.Errorf("Run = %v after %d events, want the reader's own error after one", err, n)
	}
}
