package shell

import (
	"strings"
	"testing"
	"time"
)

// parse is Parse without the net below it.
func parse(line string, opt Options) *Result {
	e := newEngine(line, opt)
	e.parseLine()
	return &e.res
}

// seeds are lines that reach every part of the engine.
func seeds() []string {
	return append(
		sampleLines(),
		"\x00", "\xff\xfe", "'", "\"$(", "${", "$((", "a\r\nb\r\n", "cat <<EOF\n", "\U000F0000", "{a,{b,c}}{1..99999}",
		strings.Repeat("$(", 300), strings.Repeat("eval ", 300), "f(){ f; f; }; f", "a=$a$a; a=$a$a",
	)
}

// FuzzParse asserts what holds for any text: it ends, and every span and index
// lies inside.
func FuzzParse(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, line string, dialect uint8) {
		start := time.Now()
		r := parse(line, Options{Tables: tables, Dir: "/p", Home: "/h", Dialect: Dialect(dialect % 3)})
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("Parse(%q) took %v", line, d)
		}
		in := func(what string, s Span) {
			if s[0] < 0 || s[1] > len(line) || s[0] > s[1] {
				t.Errorf("Parse(%q): %s has the span %v, the line has %d bytes", line, what, s, len(line))
			}
		}
		for i := range r.Commands {
			c := &r.Commands[i]
			in("command", c.Span)
			for k := range c.Args {
				in("argument "+c.Args[k].Text, c.Args[k].Span)
				consistent(t, line, &c.Args[k])
			}
			for k := range c.Redirects {
				consistent(t, line, &c.Redirects[k].Target)
			}
			for _, k := range append(append(c.PipeFrom[:len(c.PipeFrom):len(c.PipeFrom)], c.PipeTo...), from(c)...) {
				if k < 0 || k >= len(r.Commands) {
					t.Errorf("Parse(%q): command %d refers to command %d of %d", line, i, k, len(r.Commands))
				}
			}
		}
		for _, d := range r.Incomplete {
			in("doubt", d.Span)
		}
	})
}

func from(c *Command) []int {
	var out []int
	for i := range c.Args {
		out = append(out, c.Args[i].From()...)
	}
	return out
}

// consistent checks that a word's text, kind and parts agree.
func consistent(t *testing.T, line string, w *Word) {
	t.Helper()
	text, unknown, known := "", false, false
	for _, p := range w.Parts {
		text += p.Text
		unknown = unknown || p.Unknown
		known = known || !p.Unknown
	}
	switch {
	case w.Kind == Literal && len(w.Parts) > 0:
		t.Errorf("Parse(%q): literal word %q has parts", line, w.Text)
	case w.Kind != Literal && (text != w.Text || !unknown || known != (w.Kind == Partial)):
		t.Errorf("Parse(%q): word %q of kind %d has the parts %+v", line, w.Text, w.Kind, w.Parts)
	}
}

// FuzzQuoting asserts that spelling a word differently changes nothing.
func FuzzQuoting(f *testing.F) {
	f.Add("rm", "-rf", "/", uint8(1))
	f.Add("sudo", "git", "reset", uint8(2))
	f.Add("find", "-delete", "x", uint8(3))
	f.Fuzz(func(t *testing.T, a, b, c string, how uint8) {
		for _, s := range []string{a, b, c} {
			if s == "" || strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") != "" || reserved(s) {
				t.Skip()
			}
		}
		plain := a + " " + b + " " + c
		spelled := spellAs(a, how) + " " + spellAs(b, how>>2) + " " + spellAs(c, how>>4)
		x, y := args(parse(plain, here)), args(parse(spelled, here))
		if x != y {
			t.Errorf("Parse(%q) runs %s, but Parse(%q) runs %s", plain, x, spelled, y)
		}
	})
}

func reserved(s string) bool {
	return tables.Sh.Keywords.Has(s) || s == "coproc" || s == "select" || s == "declare" || s == "local" || s == "export" || s == "readonly" || s == "typeset" || s == "let" || s == "nameref"
}

func spellAs(s string, how uint8) string {
	switch how % 4 {
	case 1:
		return "'" + s + "'"
	case 2:
		return "\\" + s[:1] + s[1:]
	case 3:
		return s[:1] + "\"" + s[1:] + "\""
	}
	return s
}

// args renders the programs and arguments alone.
func args(r *Result) string {
	var b strings.Builder
	for i := range r.Commands {
		b.WriteString("[" + r.Commands[i].Name)
		for k := range r.Commands[i].Args {
			b.WriteString(" " + spell(&r.Commands[i].Args[k]))
		}
		b.WriteString("]")
	}
	return b.String()
}

// FuzzPrefix asserts that a harmless command in front hides nothing: what ran
// without it runs with it, word for word.
func FuzzPrefix(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 4<<10 {
			t.Skip()
		}
		o := here
		o.Limits.Work = -1
		x := parse(line, o)
		if len(x.Incomplete) > 0 {
			t.Skip() // text that does not parse is cut up roughly
		}
		y := parse("true; "+line, o)
		if want, got := "[true true]"+args(x), args(y); want != got {
			t.Errorf("Parse(%q) runs %s, with true; in front %s", line, want, got)
		}
		for _, around := range around {
			if around.plain && changes(line) || strings.HasPrefix(around.front, "cd") && strings.Contains(line, "~-") {
				continue
			}
			hides(t, x, line, around.front+line+around.back, o)
		}
	})
}

// around are the harmless things that people put before and around a line. Those
// that take a command take no assignment and no builtin.
var around = []struct {
	front, back string
	plain       bool
}{
	{front: "true && "},
	{front: "cd . && "},
	{front: "(\n", back: "\n)"},
	{front: "time "},
	{front: "nice ", plain: true},
	{front: "env A=b ", plain: true},
	{front: "command ", plain: true},
}

// changes reports whether a line begins with what changes the shell itself,
// which it does no more behind a program.
func changes(line string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case strings.HasPrefix(first, "-"), strings.ContainsAny(first, "=\n;&|(){}[]$\"'`\\<>!*?"):
		return true
	case reserved(first):
		return true
	}
	switch first {
	case "", "alias", "unalias", "set", "shift", "read", "mapfile", "readarray", "eval", "source", ".", "trap", "unset", "exec", "printf", "cd", "pushd", "popd", "env", "command", "builtin", "getopts":
		return true
	}
	return false
}

// hides fails if a deletion of the line x is not one of the wrapped line.
func hides(t *testing.T, x *Result, line, wrapped string, o Options) {
	t.Helper()
	y := parse(wrapped, o)
	if len(y.Incomplete) > 0 {
		return // a keyword behind nice, a comment that swallows the bracket
	}
	has := args(y)
	for i := range x.Commands {
		one := Result{Commands: x.Commands[i : i+1]}
		if x.Commands[i].Name == "rm" && !strings.Contains(has, args(&one)) {
			t.Errorf("Parse(%q) runs %s, but %q runs %s", line, args(&one), wrapped, has)
		}
	}
}
