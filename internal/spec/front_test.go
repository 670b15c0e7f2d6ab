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
