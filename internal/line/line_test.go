package line

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/term"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// busy has something in every segment.
func busy() *Facts {
	used := 34.0
	return &Facts{
		Model: "Opus 5.5", Context: &used, Branch: "feature/결제-개선", Changes: &Changes{Count: 3}, Guard: "standard", Others: 2,
		Snapshot: now.Add(-5 * time.Minute), Tests: &Tests{Passed: true, At: now.Add(-2 * time.Hour)}, Mode: "acceptEdits",
		Cost: 1.257, Port: "PAY-7", Checks: 2, Now: now,
	}
}

func options(columns int) *Options {
	return &Options{Segments: Names(), Columns: columns, ContextWarn: 60, ContextHigh: 80, Bar: 10}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		kit.Must(t, os.MkdirAll("testdata", 0o755))
		kit.Write(t, path, got)
	}
	want := kit.Read(t, path)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-update rewrites it):\n%s", path, diff)
	}
}

// Every width has a line, in letters of all scripts and in ASCII.
func TestWidths(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		var b strings.Builder
		for columns := 20; columns <= 200; columns += 10 {
			o := options(columns)
			o.ASCII = ascii
			fmt.Fprintf(&b, "%3d %s\n", columns, Render(busy(), o))
		}
		golden(t, map[bool]string{false: "widths", true: "ascii"}[ascii], b.String())
	}
}

// Each segment in each of its states: what it says, and what is left of it where there is less room.
func TestSegments(t *testing.T) {
	at := func(percent float64) *float64 { return &percent }
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	var b strings.Builder
	for _, one := range []struct {
		segment string
		states  []Facts
	}{
		{"guard", []Facts{
			{},
			{Guard: "off"},
			{Guard: "off", Silent: true},
			{Guard: "standard", Silent: true},
			{Guard: "warn"},
			{Guard: "warn", Loosened: true},
			{Guard: "standard"},
			{Guard: "standard", Loosened: true},
			{Guard: "strict"},
		}},
		{"context", []Facts{{}, {Context: at(0)}, {Context: at(0.4)}, {Context: at(59.4)}, {Context: at(60)}, {Context: at(80)}, {Context: at(100)}, {Context: at(250)}, {Context: at(math.NaN())}, {Context: at(-3)}}},
		{"branch", []Facts{
			{},
			{Branch: "main"},
			{Branch: "main", Changes: &Changes{}},
			{Branch: "main", Changes: &Changes{Count: 12}},
			{Branch: "main", Changes: &Changes{Count: 12, Old: true}},
			{Branch: "main", Changes: &Changes{Count: 12, Partial: true}},
			{Branch: "main", Operation: "rebase 2/5", Changes: &Changes{Count: 1, Conflicts: 1}},
			{Branch: "a-branch-of-a-name-that-is-far-too-long-for-any-line"},
			{Branch: "x\x1b]0;owned\x07\u202egpj.exe"},
		}},
		{"model", []Facts{{}, {Model: "Opus 5.5"}, {Model: "\x1b[31mred\x1b[0m\nsecond line"}}},
		{"mode", []Facts{{}, {Mode: "default"}, {Mode: "plan"}, {Mode: "acceptEdits"}, {Mode: "bypassPermissions"}, {Mode: "dontAsk"}, {Mode: "\x1b[2Jx"}}},
		{"port", []Facts{{}, {Port: "PAY-7"}}},
		{"checks", []Facts{{}, {Checks: 1}, {Checks: 12}}},
		{"tests", []Facts{{}, {Tests: &Tests{Passed: true, At: ago(time.Second)}}, {Tests: &Tests{At: ago(90 * time.Minute)}}, {Tests: &Tests{Passed: true, Old: true, At: ago(16 * time.Minute)}}}},
		{"sessions", []Facts{{}, {Others: 1}, {Others: 11}}},
		{"snapshot", []Facts{{}, {Snapshot: ago(-time.Hour)}, {Snapshot: ago(time.Minute)}, {Snapshot: ago(47 * time.Hour)}, {Snapshot: ago(72 * time.Hour)}, {Unsaved: "not in Git", Snapshot: ago(time.Hour)}}},
		{"cost", []Facts{{}, {Cost: 0.004}, {Cost: 0.05}, {Cost: 12.345}, {Cost: 20}, {Cost: math.Inf(1)}, {Cost: -1}, {Cost: math.NaN()}}},
		{"settings", []Facts{{}, {Broken: true}}},
	} {
		o := options(0)
		o.Segments, o.CostWarn = []string{one.segment}, 20
		for i := range one.states {
			f := &one.states[i]
			f.Now = now
			list := Segments(f, o)
			if len(list) == 0 {
				fmt.Fprintf(&b, "%s: nothing\n", one.segment)
			}
			for _, s := range list {
				fmt.Fprintf(&b, "%s: %q, short %q, tone %d, rank %d\n", s.Name, s.Full, s.Short, s.tone, s.rank)
			}
		}
	}
	golden(t, "segments", b.String())
}

// What settings say is what there is, in that order; but nobody can be kept from hearing that nothing watches.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ segments, guard, want string }{
		{"cost branch", "standard", "$1.26 | feature/결제-개선, 3 changed"},
		{"branch guard", "off", "feature/결제-개선, 3 changed | GUARD OFF"},
		{"cost", "off", "GUARD OFF | $1.26"},
		{"", "standard", ""},
		{"", "off", "GUARD OFF"},
		{"weather cost", "standard", "$1.26"},
	} {
		f, o := busy(), options(0)
		f.Guard, o.Segments = c.guard, strings.Fields(c.segments)
		if got := Render(f, o); got != c.want {
			t.Errorf("%q with the guard %s: %q, want %q", c.segments, c.guard, got, c.want)
		}
	}
}

// A line is as wide as it may be and no wider; more columns never show less; and what is loud is the last to go.
func TestFits(t *testing.T) {
	loud := busy()
	loud.Guard, loud.Broken = "off", true
	wide := busy()
	wide.Branch, wide.Model, wide.Port = strings.Repeat("한글", 30), "모델 이름이 아주 길다고 하자 정말로", strings.Repeat("e\u0301", 50)
	for name, f := range map[string]*Facts{"busy": busy(), "loud": loud, "wide": wide} {
		before := 0
		for columns := 1; columns <= 260; columns++ {
			o := options(columns)
			got := Render(f, o)
			if w := term.Width(got); w > columns {
				t.Fatalf("%s: %d columns of %d: %q", name, w, columns, got)
			}
			if n := strings.Count(got, between); n < before {
				t.Errorf("%s: with %d columns there are %d segments, with one less %d", name, columns, n+1, before+1)
			} else {
				before = n
			}
			if name == "loud" && columns >= len("GUARD OFF") && !strings.Contains(got, "GUARD OFF") {
				t.Errorf("with %d columns the guard that is off is not there: %q", columns, got)
			}
		}
		if all := Render(f, options(0)); Render(f, options(600)) != all {
			t.Errorf("%s: there is room, and yet not all is said", name)
		}
	}
}

// Colours take no room, and are there where the style has them alone.
func TestColours(t *testing.T) {
	f := busy()
	f.Guard = "off"
	o := options(60)
	bare := Render(f, o)
	o.Style = term.StyleBehind(func(string) string { return "" })
	coloured := Render(f, o)
	if !strings.Contains(coloured, "\x1b[31m") || term.Plain(coloured) != bare || strings.Contains(bare, "\x1b") {
		t.Errorf("coloured %q, bare %q", coloured, bare)
	}
	for _, name := range []string{"NO_COLOR", "TERM"} {
		if term.StyleBehind(func(n string) string { return map[string]string{name: "dumb"}[n] }).On() {
			t.Errorf("%s does not switch colours off", name)
		}
	}
}

func TestLast(t *testing.T) {
	dir := t.TempDir()
	const id = "../../etc/passwd \x1b"
	if Watched(dir, id, time.Now()) || Watched(dir, "", time.Now()) {
		t.Error("nobody has asked for the line yet")
	}
	l := ReadLast(dir, id)
	if l.Text != "" {
		t.Errorf("a line from nowhere: %q", l.Text)
	}
	l.Keep("one", time.Now())
	if got := ReadLast(dir, id).Text; got != "one" {
		t.Errorf("kept %q, want one", got)
	}
	if !Watched(dir, id, time.Now()) || Watched(dir, id, time.Now().Add(Watching)) {
		t.Error("a line is watched for as long as it is asked for, and some minutes more")
	}
	// The same line again: the time alone changes, and not each time.
	later := time.Now().Add(time.Hour)
	ReadLast(dir, id).Keep("one", later)
	if got := ReadLast(dir, id); !got.at.Equal(later.Truncate(time.Nanosecond)) {
		t.Errorf("time %v, want %v", got.at, later)
	}
	ReadLast(dir, id).Keep("one", later.Add(fresh/2))
	if got := ReadLast(dir, id); !got.at.Equal(later) {
		t.Errorf("time %v, want that from before, %v", got.at, later)
	}
	if list, err := filepath.Glob(filepath.Join(dir, Folder, "*")); err != nil || len(list) != 1 {
		t.Errorf("files %v, %v; want one", list, err)
	}
}

// Whatever strangers name, a line is one line of text that is no wider than it may be, and only moai's own codes are in it.
func FuzzRender(f *testing.F) {
	f.Add("Opus", "main", "P-1", "plan", 34.0, 80, true)
	f.Add("\x1b]8;;http://x\x07y\x1b]8;;\x07", "\u202egnp.exe\u2066", "한글\u1100\u1161", "\x00\r\n", math.Inf(1), 20, false)
	f.Add("👩‍👩‍👧‍👦\ufe0f❤\ufe0f", "e\u0301\u0301\u0301", "\xff\xfe", "bypassPermissions", -1.0, 21, true)
	f.Fuzz(func(t *testing.T, model, branch, port, mode string, number float64, columns int, colours bool) {
		facts := &Facts{
			Model: model, Branch: branch, Operation: port, Port: port, Mode: mode, Context: &number, Cost: number, Unsaved: model, Guard: mode,
			Changes: &Changes{Count: columns, Conflicts: columns}, Others: columns, Checks: columns, Now: now,
		}
		o := options(20 + columns%180)
		if o.Columns < 20 {
			o.Columns += 180
		}
		if colours {
			o.Style = term.StyleBehind(func(string) string { return "" })
		}
		for _, o.ASCII = range []bool{false, true} {
			got := Render(facts, o)
			text := term.Plain(got)
			if w := term.Width(text); w > o.Columns {
				t.Errorf("%d columns of %d: %q", w, o.Columns, got)
			}
			if !utf8.ValidString(text) || term.Text(text) != text {
				t.Errorf("a terminal would obey something in %q", got)
			}
			if o.ASCII && strings.ContainsFunc(got, func(r rune) bool { return r > 0x7e }) {
				t.Errorf("not ASCII: %q", got)
			}
			if !colours && got != text {
				t.Errorf("colours that nobody wants: %q", got)
			}
		}
	})
}

func TestNames(t *testing.T) {
	if list := Names(); len(list) != len(slices.Compact(slices.Sorted(slices.Values(list)))) {
		t.Errorf("a name is there twice: %v", list)
	}
}
