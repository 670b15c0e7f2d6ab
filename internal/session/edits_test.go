package session

import (
	"strconv"
	"testing"
	"time"
)

func TestRecentEdits(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	var e Edits
	e.Add("old.go", now.Add(-2*time.Minute))
	e.Add("a.go", now.Add(-59*time.Second))
	e.Add("b.go", now)
	e.Add("future.go", now.Add(time.Hour)) // a clock that was set back
	if got := e.Recent(now); got != 2 {
		t.Errorf("Recent = %d, want 2", got)
	}
}

// One snapshot is for all the edits of its minute; the next minute's edits are a burst of their own.
func TestEditsOfABurst(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	var e Edits
	for i := range 20 {
		e.Add("a.go", now.Add(time.Duration(5*i)*time.Second))
	}
	e.Burst = now.Add(45 * time.Second)
	if got := e.Recent(now.Add(100 * time.Second)); got != 0 {
		t.Errorf("within the burst: Recent = %d, want 0", got)
	}
	if got := e.Recent(now.Add(106 * time.Second)); got < 9 {
		t.Errorf("after it: Recent = %d, want all of the minute", got)
	}
	e.Burst = now.Add(time.Hour) // a clock that was set back must not switch the rule off
	if got := e.Recent(now.Add(100 * time.Second)); got < 9 {
		t.Errorf("with a burst to come: Recent = %d, want all of the minute", got)
	}
}

// A file that is edited all day is one entry, and each edit of the last minute is one.
func TestEditsOfOneFile(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	var e Edits
	for i := range 50 {
		e.Add("b.go", now.Add(time.Duration(i)*time.Second))
		e.Add("a.go", now.Add(time.Duration(i)*time.Minute))
	}
	last := now.Add(49 * time.Minute)
	e.Add("a.go", last)
	e.Add("b.go", last)
	if got := e.Paths(); len(got) != 2 || len(e.Last) != 3 || e.Recent(last) != 3 || e.Count != 102 {
		t.Errorf("%v, %d entries, %d of them new, of %d edits", got, len(e.Last), e.Recent(last), e.Count)
	}
}

// Long sessions keep as much as short ones.
func TestEditsAreBounded(t *testing.T) {
	var e Edits
	for i := range 1000 {
		e.Add("a", time.Now())
		e.Leave(Left{Path: strconv.Itoa(i)})
	}
	if len(e.Last) != keepEdits || len(e.Left) != keepLeft || e.Count != 1000 {
		t.Errorf("kept %d edits and %d files of %d", len(e.Last), len(e.Left), e.Count)
	}
	if _, known := e.As("999"); !known {
		t.Error("the newest is not kept")
	}
}
