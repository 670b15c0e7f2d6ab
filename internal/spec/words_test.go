package spec

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/rule"
)

// Each status means open, done or dropped; what nobody knows is open.
func TestStatusMeans(t *testing.T) {
	docs := map[string]string{
		"SPEC-A-001": "status: Completed", "SPEC-B-001": "status: implemented", "SPEC-C-001": "status: IN_PROGRESS", "SPEC-D-001": "status: archived",
		"SPEC-E-001": "status: on hold", "SPEC-F-001": "status: polished", "SPEC-G-001": "version: 1", "SPEC-H-001": "status: merged",
	}
	for name, line := range docs {
		docs[name] = "---\n" + line + "\n---\n"
	}
	docs["SPEC-I-001"] = ""
	words := table(t)
	got := map[string]string{}
	for _, s := range List(project(t, docs), words) {
		got[s.ID] = s.Means()
		if s.Early() {
			got[s.ID] += ", early"
		}
	}
	want := map[string]string{
		"A-001": "done", "B-001": "done", "C-001": "open", "D-001": "dropped", "E-001": "open, early", "F-001": "open", "G-001": "open", "H-001": "done", "I-001": "open",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Means (-want +got):\n%s", d)
	}
	c := Progress(project(t, docs), words)
	if got, want := c.String(), "1/8 (12%), 2 implemented, 1 dropped"; got != want {
		t.Errorf("Counts = %s, want %s", got, want)
	}
	if got, want := c.Sentence(), "SPECs completed: 1 of 8, 2 implemented."; got != want {
		t.Errorf("Sentence = %s, want %s", got, want)
	}
}

// Of a scale several words are fine, of a status they are not.
func TestWordsOfOneValue(t *testing.T) {
	words := table(t)
	for value, want := range map[string]string{"P0 Critical": "critical", "p1": "high", "Medium-High": "medium", "P2/low": "medium", "soon": "", "P1 soon": "", " ": ""} {
		got := ""
		if w := word(words, "priority", value); w != nil {
			got = w.Name
		}
		if got != want {
			t.Errorf("priority %q = %q, want %q", value, got, want)
		}
	}
	if w := word(words, "status", "draft completed"); w != nil {
		t.Errorf("status of two words = %s, want none", w.Name)
	}
}

// Sections are those of headings, else those of labels and sentences; an example in a fence is none.
func TestSections(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"headings", "## Ubiquitous\n## Event-driven\n## Ubiquitous\n- when x, y shall z\n", []string{"ubiquitous", "event-driven", "ubiquitous"}},
		{"sentences", "## Requirements\n- **REQ-1**: WHEN a, the system SHALL b.\n- WHILE a, it shall b\n- The system shall c.\n- the system shall d.\n", []string{"event-driven", "state-driven", "ubiquitous"}},
		{"labels", "- **REQ-1** (Unwanted, must-pass): x\n- [Optional] y\n", []string{"unwanted", "optional"}},
		{"fenced", "```\n## Ubiquitous\nthe system shall x\n```\n~~~~\n```\nit shall y\n~~~\n~~~~\n", nil},
		{"behind a fence", "```text\nx\n```\nIF a, THEN it SHALL b.\n", []string{"unwanted"}},
		{"long line", strings.Repeat("가", longestSentence) + " it shall x\n", nil},
		{"words alone", "the shallow end, marshall, shalls\n", nil},
	} {
		s := &Spec{table: table(t), Body: c.body}
		if got := s.Sections(); !slices.Equal(got, c.want) {
			t.Errorf("%s: Sections = %q, want %q", c.name, got, c.want)
		}
	}
}

// A table whose examples are wrong is refused, with the place of each.
func TestCheckFindsWrongExamples(t *testing.T) {
	words := table(t)
	if problems := Check(words); len(problems) > 0 {
		t.Fatalf("Check of the real table = %v", problems)
	}
	broken := &rule.Specs{
		Fields:   words.Fields,
		Words:    []rule.SpecWord{{ID: "status.a", Field: "status", Name: "a", Hits: []string{"b"}, Misses: []string{"A"}, File: "f", Line: 1}},
		Sections: []rule.SpecSection{{ID: "section.a", Name: "a", Words: []string{"aa"}, Hits: []string{"## bb"}, Misses: []string{"## aa"}, File: "g", Line: 2}},
	}
	if problems := Check(broken); len(problems) != 4 || problems[0].Error() != `f:1: status.a: status "b" says this: false; expected true` || problems[3].File != "g" {
		t.Errorf("Check = %v, want four problems", problems)
	}
}

// What lint says of a document that says nothing, or too much.
func TestLintOfOddDocuments(t *testing.T) {
	root := project(t, map[string]string{
		"SPEC-A-001": "Only prose.\n",
		"SPEC-B-001": "---\nid: B-001\nversion: ~\nstatus: [active]\ncreated: 1\nupdated: 1\nauthor: @x\npriority: low\nblocks: [B-001]\n---\n# No TAG here\n\nProse.\n",
		"SPEC-C-001": "---\nid: B-001\n...\n# @SPEC:B-001\n",
		"SPEC-D-001": "\n\n---\nid: D-001\nstatus: draft\n---",
	})
	var got []string
	for _, f := range Lint(Load(root, table(t))) {
		if f.Rule != "spec.field-missing" {
			got = append(got, f.Severity+" "+f.ID+" "+f.Rule)
		}
	}
	want := []string{
		"error A-001 spec.no-front-matter", "warning A-001 spec.ears",
		"warning B-001 spec.ears", "error B-001 spec.cycle", "warning B-001 spec.field-empty", "error B-001 spec.field-value", "note B-001 spec.front-matter",
		"warning B-001 spec.ears", "error B-001 spec.id-directory", "error B-001 spec.duplicate",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Lint (-want +got):\n%s", d)
	}
}
