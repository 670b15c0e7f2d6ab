package term

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestWidth(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{
		{"", 0},
		{"moai", 4},
		{"모아이", 6},
		{"모아이", 6}, // the same in NFD
		{"日本語", 6},
		{"é", 1},
		{"🏗️", 2},
		{"⏰ Last", 7},
		{"━━", 2},
		{"a\u200bb", 2},
		{"tab\t", 3},
	}
	for _, tt := range tests {
		if got := Width(tt.in); got != tt.want {
			t.Errorf("Width(%q) = %d, want %d", tt.in, got, tt.want)
		}
	}
}

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"src/한글 이름.go": "src/한글 이름.go", "a\x1b[31mb": `"a\x1b[31mb"`, "two\nlines": `"two\nlines"`,
		`qu"ote`: `"qu\"ote"`, "bad\xff": `"bad\xff"`, "evil\u202egpj.exe": `"evil\u202egpj.exe"`,
	} {
		if got := Name(in); got != want {
			t.Errorf("Name(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"rm -rf 한글", "rm -rf 한글"},
		{`say "x"`, `say "x"`},
		{"a\tb", "a    b"},
		{"\x1b[31mred", `\x1b[31mred`},
		{"two\nlines", `two\nlines`},
		{"\u202eturned", `\u202eturned`},
		{"a\xefb", `a\xefb`}, // how U+FFFD begins, and no more of it
		{"no \xff UTF-8 \ufffd", `no \xff UTF-8 ` + "\ufffd"},
	} {
		if got := Text(row.in); got != row.want {
			t.Errorf("Text(%q) = %q, want %q", row.in, got, row.want)
		}
	}
}

func TestPadAndCut(t *testing.T) {
	if got, want := Pad("모아", 6), "모아  "; got != want {
		t.Errorf("Pad = %q, want %q", got, want)
	}
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{{"모아이 프로젝트", 7, "모아이…"}, {"short", 10, "short"}, {"abc", 0, ""}, {"abc", 1, "…"}, {"✏️✏️✏️", 4, "✏️…"}, {"a✏️b", 3, "a…"}} {
		if got := Cut(tt.in, tt.n); got != tt.want || Width(got) > max(tt.n, 0) {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestStyle(t *testing.T) {
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	var b bytes.Buffer
	if s := StyleFor(&b, env(nil)); s.On() || s.Red("x") != "x" {
		t.Error("a buffer got colour")
	}
	if s := StyleFor(&b, env(map[string]string{"FORCE_COLOR": "1"})); s.Red("x") != "\x1b[31mx\x1b[0m" {
		t.Error("FORCE_COLOR gave no colour")
	}
	if s := StyleFor(&b, env(map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"})); s.On() {
		t.Error("NO_COLOR lost against FORCE_COLOR")
	}
}

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n      int
		plural []string
		want   string
	}{
		{0, nil, "0 files"},
		{1, nil, "1 file"},
		{2, nil, "2 files"},
		{1, []string{"entries"}, "1 file"},
		{3, []string{"entries"}, "3 entries"},
	} {
		if got := Count(tt.n, "file", tt.plural...); got != tt.want {
			t.Errorf("Count(%d, file, %q) = %q, want %q", tt.n, tt.plural, got, tt.want)
		}
	}
}

func TestColumns(t *testing.T) {
	for value, want := range map[string]int{"": 0, "100": 100, "0": 0, "-3": 0, "wide": 0} {
		if got := Columns(io.Discard, func(string) string { return value }); got != want {
			t.Errorf("Columns of a pipe with COLUMNS=%q = %d, want %d", value, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	on := Style{on: true}
	for _, tt := range []struct {
		row  string
		n    int
		want string
	}{
		{"plain row", 20, "plain row"},
		{"plain row", 6, "plain…"},
		{on.Red("red") + " and " + on.Dim("dim"), 20, "\x1b[31mred\x1b[0m and \x1b[2mdim\x1b[0m"},
		{on.Red("red") + " and " + on.Dim("dim"), 11, "\x1b[31mred\x1b[0m and \x1b[2mdim\x1b[0m"},
		{on.Red("red") + " and " + on.Dim("dim"), 10, "\x1b[31mred\x1b[0m and \x1b[2md…\x1b[0m"},
		{on.Red("red") + " and " + on.Dim("dim"), 2, "\x1b[31mr…\x1b[0m\x1b[2m\x1b[0m"},
		{on.Red("cut…"), 20, "\x1b[31mcut…\x1b[0m"}, // an ellipsis of its own
		{on.Red("가나다라"), 6, "\x1b[31m가나…\x1b[0m"},   // a wide letter never stands half
	} {
		got := Fit(tt.row, tt.n)
		if got != tt.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", tt.row, tt.n, got, tt.want)
		}
	}
}

// A line breaks at words alone, and never in what is there to be copied.
func TestWrap(t *testing.T) {
	tests := []struct {
		text            string
		columns, indent int
		want            string
	}{
		{"one two three", 0, 2, "one two three"},
		{"one two three", 13, 2, "one two three"},
		{"one two three", 9, 2, "one two\n  three"},
		{"  label: one two", 12, 4, "  label: one\n    two"},
		{"한글 이름 길다", 9, 1, "한글 이름\n 길다"},
		{"run `git stash push -u` first", 12, 2, "run\n  `git stash push -u`\n  first"},
		{"a " + strings.Repeat("x", 20) + " b", 10, 2, "a\n  " + strings.Repeat("x", 20) + "\n  b"},
		{"\x1b[31mone\x1b[0m two", 7, 2, "\x1b[31mone\x1b[0m two"},
		{"an `open quote is text", 10, 0, "an\n`open quote is text"},
		{"", 5, 1, ""},
	}
	for _, tt := range tests {
		if got := Wrap(tt.text, tt.columns, tt.indent); got != tt.want {
			t.Errorf("Wrap(%q, %d, %d) = %q, want %q", tt.text, tt.columns, tt.indent, got, tt.want)
		}
	}
	for s, want := range map[string]string{"abcdef": "…ef", "abc": "abc", "한글이름": "…름", "": ""} {
		if got := CutLeft(s, 3); got != want {
			t.Errorf("CutLeft(%q, 3) = %q, want %q", s, got, want)
		}
	}
}
