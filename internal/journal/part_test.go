package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A reader that keeps its place by the first line of a file gets each event once, whatever name the file has by then.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p-1.jsonl")
	l := Log{Path: path, Keep: Keep{MB: 1}}
	places := map[string]int64{}
	var got []string
	read := func() {
		t.Helper()
		parts, err := Parts(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range parts {
			head, err := parts[i].Head()
			if err != nil {
				t.Fatal(err)
			}
			if head == "" {
				continue
			}
			for {
				to, skipped, err := parts[i].Read(places[head], 4096, func(e *Event) error { got = append(got, e.Summary); return nil })
				if err != nil || skipped > 0 {
					t.Fatalf("Read = %d skipped, %v", skipped, err)
				}
				if to == places[head] {
					break
				}
				places[head] = to
			}
		}
	}
	const n = 2000
	for i := range n {
		if err := l.Append(Event{Session: "s", Type: "decision", Summary: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
		if i%97 == 0 {
			read()
		}
	}
	read()
	if len(got) != n || got[0] != "0" || got[n-1] != fmt.Sprint(n-1) {
		t.Errorf("%d events came, want each of %d once", len(got), n)
	}
	if len(places) < 2 {
		t.Errorf("%d files, want some that were closed", len(places))
	}
	all, err := Journals(dir)
	if err != nil || len(all) != 1 || all[0] != path {
		t.Errorf("Journals = %q, %v; want %s alone", all, err, path)
	}
}

// What is no whole line waits; what is none of ours costs itself alone.
func TestPartOfStrangers(t *testing.T) {
	path := file(t, event+strings.Repeat("x", 3*block)+"\nnonsense\n"+strings.Replace(event, "one", "two", 1)+event[:20])
	p := Part{Path: path}
	var got []string
	to, skipped, err := p.Read(0, 1<<40, func(e *Event) error { got = append(got, e.Summary); return nil })
	if err != nil || strings.Join(got, " ") != "one two" || skipped != 2 {
		t.Errorf("read %q, %d skipped, %v; want both events, two lines skipped", got, skipped, err)
	}
	if info, err := os.Stat(path); err != nil || to != info.Size()-20 {
		t.Errorf("the next reading begins at %d, want where the half line does", to)
	}
	if head, err := (&Part{Path: file(t, event[:20])}).Head(); head != "" || err != nil {
		t.Errorf("Head of half a line = %q, %v", head, err)
	}
	if all, err := Journals(filepath.Join(t.TempDir(), "none")); all != nil || err != nil {
		t.Errorf("Journals of no folder = %q, %v", all, err)
	}
}
