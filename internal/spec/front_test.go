package spec

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func TestParseFront(t *testing.T) {
	front := strings.Join([]string{
		"id: AUTH-001   # the id",
		"version: \"0.1.0\"",
		"status: 'Completed'",
		"title: 로그인 '상태' 유지",
		"labels: [auth, \"a, b\", 'it''s']",
		"depends_on:",
		"  - SPEC-USER-001 # first",
		"  - \"BASE-002\"",
		"blocks:",
		"- PAY-001",
		"scope:",
		"  packages:",
		"    - src/auth",
		"  files: [a.go]",
		"related_issue: https://example.com/issues/12#note",
		"author: \"@goos\"",
		"empty:",
		"# comment",
		"lang:\tko\t# set apart by tabs",
		"escaped: \"tab\\tquote\\\" \\u00e9\"",
	}, "\r\n")
	got, faults := ParseFront(front, 2)
	if len(faults) > 0 {
		t.Fatalf("faults = %v", faults)
	}
	text := func(s string) Value { return Value{Text: s} }
	quote := func(s string) Value { return Value{Text: s, Quoted: true} }
	list := func(v ...Value) Value { return Value{Kind: Sequence, List: v} }
	want := []Field{
		{"id", text("AUTH-001"), 2},
		{"version", quote("0.1.0"), 3},
		{"status", quote("Completed"), 4},
		{"title", text("로그인 '상태' 유지"), 5},
		{"labels", list(text("auth"), quote("a, b"), quote("it's")), 6},
		{"depends_on", list(text("SPEC-USER-001"), quote("BASE-002")), 7},
		{"blocks", list(text("PAY-001")), 10},
		{"scope", Value{Kind: Mapping, Map: []Field{
			{"packages", list(text("src/auth")), 13},
			{"files", list(text("a.go")), 15},
		}}, 12},
		{"related_issue", text("https://example.com/issues/12#note"), 16},
		{"author", quote("@goos"), 17},
		{"empty", Value{}, 18},
		{"lang", text("ko"), 20},
		{"escaped", quote("tab\tquote\" é"), 21},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("ParseFront (-want +got):\n%s", d)
	}
}

// A field that cannot be read names its line, and the fields around it stay.
func TestParseFrontFaults(t *testing.T) {
	for _, c := range []struct {
		name, front string
		line        int
		text        string
	}{
		{"colon", "id: A-001\ntitle: a: b\nstatus: completed", 3, "colon"},
		{"author", "id: A-001\nauthor: @goos\nstatus: completed", 3, "starts with @"},
		{"open list", "id: A-001\nlabels: [a, b\nstatus: completed", 3, "not closed"},
		{"open quote", "id: A-001\ntitle: \"a\nstatus: completed", 3, "not closed"},
		{"no key", "id: A-001\njust text\nstatus: completed", 3, "key: value"},
		{"block text", "id: A-001\nnote: |\n  one\n  two: 2\nstatus: completed", 3, "block text"},
		{"folded", "id: A-001\ntitle: one\n  two\nstatus: completed", 4, "several lines"},
		{"anchor", "id: A-001\nbase: &x y\nstatus: completed", 3, "starts with &"},
		{"indent", "id: A-001\n   x: y\nstatus: completed", 3, "several lines"},
		{"tab", "id: A-001\nscope:\n\tx: y\nstatus: completed", 4, "needs quotes"},
		{"tab behind a dash", "id: A-001\nlabels:\n  -\tb\n  - c\nstatus: completed", 4, "a tab cannot follow -"},
		{"tab behind a dash and a blank", "id: A-001\nlabels:\n  - \tb\n  - c\nstatus: completed", 4, "a tab cannot follow -"},
		{"tab behind a dash at the end of the line", "id: A-001\nlabels:\n  -\t\n  - c\nstatus: completed", 4, "a tab cannot follow -"},
		{"tab behind a dash at the end of the text", "status: completed\nlabels:\n- b\n- \t", 5, "a tab cannot follow -"},
		{"long key", "id: A-001\n'" + strings.Repeat("k", 1100) + "': x\nstatus: completed", 3, "256 bytes"},
		{"question mark in a list", "id: A-001\nlabels: [what?now]\nstatus: completed", 3, "needs quotes"},
		{"twice", "id: A-001\nid: B-001\nstatus: completed", 3, "twice"},
		{"text behind a quote", "id: A-001\ntitle: \"a\" b\nstatus: completed", 3, "after the closing quote"},
		{"text behind a list", "id: A-001\nlabels: [a] b\nstatus: completed", 3, "text after ]"},
		{"mapping on one line", "id: A-001\nscope: {a: b}\nstatus: completed", 3, "one key a line"},
		{"open quote in a list", "id: A-001\nlabels: [\"a, b]\nstatus: completed", 3, "not closed"},
		{"nothing between commas", "id: A-001\nlabels: [a, , b]\nstatus: completed", 3, "empty entry"},
		{"two texts in a list", "id: A-001\nlabels: [\"a\" \"b\"]\nstatus: completed", 3, "expected , or ]"},
		{"unknown escape", "id: A-001\ntitle: \"a\\q\"\nstatus: completed", 3, "unknown escape"},
		{"half an escape", "id: A-001\ntitle: \"\\u00\"\nstatus: completed", 3, "unknown escape"},
		{"escape of no letter", "id: A-001\ntitle: \"\\ud800\"\nstatus: completed", 3, "unknown escape"},
		{"deep list", "id: A-001\nlabels:\n  - a\n     - b\n  - c\nstatus: completed", 5, "list"},
		{"list in a list", "id: A-001\nlabels:\n  - - a\nstatus: completed", 4, "starts with -"},
		{"list below an empty entry", "id: A-001\nlabels:\n  -\n    - a\n  - c\nstatus: completed", 5, "a list in a list"},
		{"entry over lines", "id: A-001\nlabels:\n  - a\n    b\nstatus: completed", 5, "several lines"},
		{"no key below a key", "id: A-001\nscope:\n  just text\nstatus: completed", 4, "key: value"},
		{"quoted key without a value", "id: A-001\n\"a\" b\nstatus: completed", 3, "key: value"},
		{"open quote of a key", "id: A-001\n\"a: b\nstatus: completed", 3, "not closed"},
		{"word with a colon", "id: A-001\na:b:c\nstatus: completed", 3, "key: value"},
		{"key of signs", "id: A-001\n{x}: y\nstatus: completed", 3, "needs quotes"},
		{"deep", "id: A-001\nscope:\n  a:\n    b:\n      c: d\nstatus: completed", 5, "one level"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Spec{table: table(t)}
			s.parse("---\n"+c.front+"\n---\n# Title\n", false)
			if len(s.Faults) == 0 {
				t.Fatal("no fault")
			}
			if f := s.Faults[0]; !strings.Contains(f.Text, c.text) {
				t.Errorf("fault = %v, want line %d with %q", f, c.line, c.text)
			} else if f.Line != c.line {
				t.Errorf("fault = %v, want line %d", f, c.line)
			}
			if !s.Done() {
				t.Errorf("status = %q, want completed", s.Status())
			}
		})
	}
}

// Nothing is guessed of what is no text at all: no field is read, and the fault is told.
func TestParseFrontOfNoText(t *testing.T) {
	for front, want := range map[string]string{"id: A-001\ntitle: \xff\n": "not valid UTF-8", "id: A-001\ntitle: a\x00b\n": "control character"} {
		fields, faults := ParseFront(front, 2)
		if len(fields) > 0 || len(faults) != 1 || !strings.Contains(faults[0].Text, want) || faults[0].Note {
			t.Errorf("ParseFront(%q) = %v, %v; want no field and the fault %q", front, fields, faults, want)
		}
	}
}

// What YAML keeps for itself and gives no meaning is read as it was meant, wherever it stands, with a note that is no fault.
func TestParseFrontNotes(t *testing.T) {
	fields, faults := ParseFront("author: @Goos\nauthors: [@a, \"b\", @c]\nlabels:\n  - @d\n", 2)
	s := &Spec{Fields: fields}
	if got := s.Text("author"); got != "@Goos" {
		t.Errorf("author = %q, want @Goos", got)
	}
	if d := cmp.Diff([]string{"@a", "b", "@c"}, s.Strings("authors")); d != "" {
		t.Errorf("authors (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"@d"}, s.Strings("labels")); d != "" {
		t.Errorf("labels (-want +got):\n%s", d)
	}
	if len(faults) != 3 {
		t.Fatalf("faults = %v, want a note for each line", faults)
	}
	for i, line := range []int{2, 3, 5} {
		if !faults[i].Note || faults[i].Line != line {
			t.Errorf("fault %d = %+v, want a note on line %d", i, faults[i], line)
		}
	}
	if _, faults := ParseFront("author: @a: b\n", 1); len(faults) != 1 || faults[0].Note {
		t.Errorf("faults of a value with a colon = %v, want one that is no note", faults)
	}
}

// What is null or no text says nothing.
func TestValueString(t *testing.T) {
	fields, faults := ParseFront("a: ~\nb: null\nc: 'null'\nd: [x, ~]\ne: {}\nf: x, y\ng: \"\\U0001F600\\0\"\n", 1)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	s := &Spec{Fields: fields}
	for key, want := range map[string]string{"a": "", "b": "", "c": "null", "d": "", "e": "", "f": "x, y", "g": "😀\x00", "none": ""} {
		if got := s.Text(key); got != want {
			t.Errorf("Text(%s) = %q, want %q", key, got, want)
		}
	}
	if d := cmp.Diff([]string{"x"}, s.Strings("d")); d != "" {
		t.Errorf("Strings(d) (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"x", "y"}, s.Strings("f")); d != "" {
		t.Errorf("Strings(f) (-want +got):\n%s", d)
	}
}

// Front matter made to be slow or large is neither: each fault is told once, and no more of them than somebody reads.
func TestParseFrontBounded(t *testing.T) {
	const size = 1 << 16
	distinct := &strings.Builder{}
	for i := 0; distinct.Len() < size; i++ {
		fmt.Fprintf(distinct, "k%d: v\n", i)
	}
	for _, front := range []string{
		strings.Repeat("a:\n", size/3), strings.Repeat("a: [\n", size/5), strings.Repeat("  a: b\n", size/7), strings.Repeat("a:\n - b\n", size/8),
		strings.Repeat("a: b: c\n", size/8), "a:\n" + strings.Repeat("- - a\n", size/6), "a: " + strings.Repeat("'", size), "a: [" + strings.Repeat("b,", size/2), strings.Repeat("a:b:", size/4),
		distinct.String(),
	} {
		start := time.Now()
		_, faults := ParseFront(front, 1)
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%d KB of %.12q took %v", size>>10, front, d)
		}
		if len(faults) > maxFaults {
			t.Errorf("%.12q has %d faults, want %d at most", front, len(faults), maxFaults)
		}
	}
}

// toYAML reads the same text with a full YAML library.
func toYAML(front string) ([]Field, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(front), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	v := fromNode(doc.Content[0])
	return v.Map, nil
}

func fromNode(n *yaml.Node) Value {
	switch n.Kind {
	case yaml.SequenceNode:
		v := Value{Kind: Sequence}
		for _, e := range n.Content {
			v.List = append(v.List, fromNode(e))
		}
		return v
	case yaml.MappingNode:
		v := Value{Kind: Mapping}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v.Map = append(v.Map, Field{Key: n.Content[i].Value, Value: fromNode(n.Content[i+1])})
		}
		return v
	}
	return Value{Text: n.Value, Quoted: n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0}
}

func noLines(fields []Field) []Field {
	out := make([]Field, 0, len(fields))
	for _, f := range fields {
		f.Line = 0
		f.Value.Map = noLines(f.Value.Map)
		if len(f.Value.Map) == 0 {
			f.Value.Map = nil
		}
		out = append(out, f)
	}
	return out
}

// FuzzParseFront: whatever is accepted without a fault means the same to a YAML library.
func FuzzParseFront(f *testing.F) {
	for _, s := range []string{
		"id: AUTH-001\nstatus: completed\n", "a: [b, 'c', \"d\"]\n", "a:\n  - b\n  - c\n", "a:\n- b\n",
		"a:\n  b: c\n  d: [e]\n", "a: ~\nb: null\nc:\n", "'a b': 1 # x\n", "\"a\": \"\\x41\\u00e9\\n\"\n", "a: b#c\n",
		"a: -1\nb: - x\n", "a: 'it''s'\n", "가: 나\n", "a: [ ]\n", "a: {}\n", "a: [b,]\n", "? a\n: b\n", "a: b\n---\nc: d\n",
		"a: \"\\/\\ \\0\"", "- a\n", "a:  # c\n  b: c\n", "a: b: c\n", "a: [b #c\n]\n", "<<: x\n", "%a: b", "a: !x b", "--- a: b", "a: 1:2\n", "a:\n  - b: c\n",
		"a:\n  -\t\n  - b\n", "a:\n  - \t\n", "a:\tb\n", "a: \tb\n", "'a':\t'b'\t#c\n", "a:\t# c\n  - b\t\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, front string) {
		if len(front) > 4096 {
			return
		}
		got, faults := ParseFront(front, 1)
		if len(faults) > 0 {
			return
		}
		// A tab on a line without content is no error to us: it means nothing.
		lines := strings.Split(front, "\n")
		for i, l := range lines {
			if l = strings.TrimSpace(l); l == "" || l[0] == '#' {
				lines[i] = ""
			}
		}
		want, err := toYAML(strings.Join(lines, "\n"))
		if err != nil {
			t.Fatalf("accepted, but: %v\n%q\n%+v", err, front, got)
		}
		if d := cmp.Diff(noLines(want), noLines(got)); d != "" {
			t.Fatalf("%q (-yaml +ours):\n%s", front, d)
		}
	})
}
