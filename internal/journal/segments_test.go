package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// grow writes n events, a minute apart, in segments of the least size.
func grow(t *testing.T, l Log, n int) {
	t.Helper()
	for i := range n {
		e := Event{Session: "s", Type: "decision", Summary: fmt.Sprint(i), Created: day.Add(time.Duration(i) * time.Minute), Turn: 1 + i/100}
		kit.Must(t, l.Append(e))
	}
}

func summaries(t *testing.T, path string, q Query) (list []string, k Known) {
	t.Helper()
	k, err := q.Run(path, func(e *Event) error { list = append(list, e.Summary); return nil })
	kit.Must(t, err)
	return list, k
}

// Files are closed when they are long enough, and read as one.
func TestSegments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p-1.jsonl")
	const n = 2000
	l := Log{Path: path, Keep: Keep{MB: 1}} // an eighth of it is a segment
	grow(t, l, n)
	list, err := segments(path)
	if err != nil || len(list) < 2 || list[0].number != 1 || list[1].number != 2 {
		t.Fatalf("segments: %v, %v", list, err)
	}
	got, k := summaries(t, path, Query{})
	if len(got) != n || got[0] != "0" || got[n-1] != "1999" || !k.Whole || k.Trimmed || !k.From.Equal(day) {
		t.Errorf("%d events, %+v", len(got), k)
	}
	if got, k = summaries(t, path, Query{Last: 3}); strings.Join(got, " ") != "1997 1998 1999" || k.Whole {
		t.Errorf("the last three are %v, %+v", got, k)
	}
	if got, _ = summaries(t, path, Query{Last: 5000}); len(got) != n {
		t.Errorf("the last 5000 are %d", len(got))
	}
	if got, k = summaries(t, path, Query{Last: 3, Earlier: true}); strings.Join(got, " ") != "1997 1998 1999" || !k.Earlier {
		t.Errorf("last three, and are there others: %v %v", got, k.Earlier)
	}
	if got, k = summaries(t, path, Query{Last: n, Earlier: true}); len(got) != n || k.Earlier {
		t.Errorf("all, and are there others: %d %v", len(got), k.Earlier)
	}
	odd := func(e *Event) bool { return strings.ContainsAny(e.Summary[len(e.Summary)-1:], "13579") }
	if got, k = summaries(t, path, Query{Last: 2, Earlier: true, Beside: odd}); strings.Join(got, " ") != "1996 1997 1998 1999" && strings.Join(got, " ") != "1997 1998 1999" || !k.Earlier {
		t.Errorf("the last two even ones: %v %v", got, k.Earlier)
	}
	since := day.Add(1500 * time.Minute)
	if got, k = summaries(t, path, Query{Since: since}); len(got) != 500 || got[0] != "1500" || k.Whole {
		t.Errorf("since then %d, %+v", len(got), k)
	}
	if got, _ = summaries(t, path, Query{Since: since, Last: 1000}); len(got) != 500 || got[0] != "1500" {
		t.Errorf("the last since then: %d", len(got))
	}
	if got, _ = summaries(t, path, Query{Turn: 7}); len(got) != 100 || got[0] != "600" {
		t.Errorf("turn 7: %d", len(got))
	}
	if got, _ = summaries(t, path, Query{Types: []string{"deci"}}); len(got) != 0 {
		t.Errorf("a part of a type's name is a type: %d", len(got))
	}
	if got, _ = summaries(t, path, Query{Session: "t"}); len(got) != 0 {
		t.Errorf("session t: %d", len(got))
	}
	if got, _ = summaries(t, path, Query{Session: "s", Last: 2}); len(got) != 2 {
		t.Errorf("session s: %d", len(got))
	}
	// Another project whose name begins alike has segments of its own.
	if got, _ := summaries(t, filepath.Join(filepath.Dir(path), "p.jsonl"), Query{}); len(got) != 0 {
		t.Errorf("another project has %d events", len(got))
	}
}

// What goes is too old or too much, and is said; never a gap, never what is written now.
func TestPrune(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.jsonl")
	l := Log{Path: path, Keep: Keep{MB: 1, Days: 1}}
	grow(t, l, 2000) // 33 hours, long ago: the days are counted from the real clock at each closed file
	_, k := summaries(t, path, Query{})
	if !k.Trimmed || k.From.Equal(day) {
		t.Fatalf("nothing went: %+v", k)
	}
	now := day.Add(4000 * time.Minute)
	path = filepath.Join(t.TempDir(), "p.jsonl")
	l = Log{Path: path, Keep: Keep{MB: 1}}
	grow(t, l, 4000)
	l.Keep.Days = 1
	before, err := segments(path)
	kit.Must(t, err)
	dropped, err := l.Prune(now)
	if err != nil || dropped == 0 || dropped == len(before) {
		t.Fatalf("dropped %d of %d, %v", dropped, len(before), err)
	}
	got, k := summaries(t, path, Query{})
	if !k.Trimmed || k.From.Before(now.AddDate(0, 0, -2)) || got[len(got)-1] != "3999" || got[0] != fmt.Sprint(4000-len(got)) {
		t.Errorf("left %s … %s, %+v", got[0], got[len(got)-1], k)
	}
	for _, name := range got[:1] {
		if at, _ := summaries(t, path, Query{Since: now.AddDate(0, 0, -1)}); len(at) < 1440 {
			t.Errorf("of the last day only %d events are left (from %s)", len(at), name)
		}
	}
	// Nothing of a year ago stays, but that something was there does.
	if _, err := l.Prune(now.AddDate(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	if got, k := summaries(t, path, Query{}); len(got) != 0 || !k.Trimmed {
		t.Errorf("a year later: %d events, %+v", len(got), k)
	}
	kit.Must(t, l.Append(Event{Type: "x", Summary: "new"}))
	if got, k := summaries(t, path, Query{}); len(got) != 1 || !k.Trimmed {
		t.Errorf("%v, %+v", got, k)
	}
	if n, err := l.Prune(now); n != 0 || err != nil {
		t.Errorf("once more: %d, %v", n, err)
	}
}

// keep_mb bounds what lies on the disk.
func TestPruneBySize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.jsonl")
	l := Log{Path: path, Keep: Keep{MB: 1}}
	for i := range 3000 {
		kit.Must(t, l.Append(Event{Type: "x", Summary: strings.Repeat("y", 1000), Created: day.Add(time.Duration(i) * time.Second)}))
	}
	var size int64
	entries, err := os.ReadDir(filepath.Dir(path))
	kit.Must(t, err)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
	}
	if size > 3<<19 {
		t.Errorf("%d bytes are kept, of 1 MiB and a segment", size)
	}
	if _, k := summaries(t, path, Query{}); !k.Trimmed {
		t.Errorf("%+v", k)
	}
}

func TestPruneOfNothing(t *testing.T) {
	if n, err := (Log{Path: filepath.Join(t.TempDir(), "none", "p.jsonl"), Keep: Keep{Days: 1}}).Prune(day); n != 0 || err != nil {
		t.Errorf("Prune = %d, %v", n, err)
	}
}

func TestID(t *testing.T) {
	at := time.Now()
	a, b := newID(at), newID(at.Add(time.Millisecond))
	if a >= b || len(a) != 26 {
		t.Errorf("%s, then %s", a, b)
	}
	if got, ok := idTime(a); !ok || got.UnixMilli() != at.UnixMilli() {
		t.Errorf("time of %s = %v, want %v", a, got, at)
	}
	// The example of the specification.
	if got, ok := idTime("01ARZ3NDEKTSV4RRFFQ69G5FAV"); !ok || got.UnixMilli() != 1469922850259 {
		t.Errorf("01ARZ3NDEKTSV4RRFFQ69G5FAV = %d, %v", got.UnixMilli(), ok)
	}
	for _, bad := range []string{"", "0193536b2c5f8-00c0ffee", "81ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAU"} {
		if _, ok := idTime(bad); ok {
			t.Errorf("%q is taken for a ULID", bad)
		}
	}
}

// TestNewest: no more than so many bytes of closed files are read, and it is said that older ones are there.
func TestNewest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p-1.jsonl")
	const n = 2000
	grow(t, Log{Path: path, Keep: Keep{MB: 1}}, n)
	all, k := summaries(t, path, Query{})
	if len(all) != n || !k.Whole {
		t.Fatalf("%d events, whole %t; want %d, all of them", len(all), k.Whole, n)
	}
	few, k := summaries(t, path, Query{Newest: 150 << 10})
	if len(few) == 0 || len(few) >= n || k.Whole || few[len(few)-1] != all[n-1] {
		t.Errorf("%d events, whole %t, want some, the newest", len(few), k.Whole)
	}
	one, _ := summaries(t, path, Query{Newest: 1})
	if len(one) == 0 || len(one) >= len(few) {
		t.Errorf("%d events of the file that is written, want fewer than %d", len(one), len(few))
	}
}
