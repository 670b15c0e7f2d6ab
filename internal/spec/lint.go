package spec

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// A Finding is something wrong with a SPEC.
type Finding struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	ID       string `json:"id"` // of the SPEC
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // error, warning or note
	Text     string `json:"text"`
}

// String is the finding the way compilers write theirs.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.Path, f.Line, f.Rule, f.Text)
}

// Lint says what is wrong with SPECs as [Load] gives them, in the order of path and line.
func Lint(specs []*Spec) []Finding {
	l := &linter{byID: map[string]*Spec{}}
	for _, s := range specs {
		// Someone has begun it, so it is no error.
		if s.Missing {
			l.add(s, 1, "spec.missing", "warning", "%s/%s has no spec.md", Dir, s.Folder)
			continue
		}
		for _, f := range s.Faults {
			severity := "error"
			if f.Note {
				severity = "note"
			}
			l.add(s, f.Line, "spec.front-matter", severity, "%s", f.Text)
		}
		if s.bare && len(s.Fields) == 0 {
			l.add(s, 1, "spec.no-front-matter", "error", "the document does not start with front matter between two lines ---")
		}
		if !validID(s.ID) {
			l.add(s, s.line("id"), "spec.id", "error", "%s is not an id like AUTH-001", s.ID)
		}
		// Tools find a SPEC by its folder, people by its id.
		if "SPEC-"+s.ID != s.Folder {
			l.add(s, s.line("id"), "spec.id-directory", "error", "the id is %s, the directory is %s", s.ID, s.Folder)
		}
		if first := l.byID[s.ID]; first != nil {
			l.add(s, s.line("id"), "spec.duplicate", "error", "%s is the id of %s too", s.ID, first.Path)
		} else {
			l.byID[s.ID] = s
		}
		if tag := s.tagged(); tag != "" && tag != s.ID {
			l.add(s, s.line("id"), "spec.id-tag", "error", "the id is %s, the heading says @SPEC:%s", s.ID, tag)
		}
		l.standard(s)
		l.ears(s)
	}
	// After all ids are known: a SPEC may name one that comes later.
	for _, s := range specs {
		l.references(s)
	}
	for _, cycle := range Cycles(specs) {
		s := l.byID[cycle[0]]
		l.add(s, s.line("depends_on"), "spec.cycle", "error", "depends on itself: %s", strings.Join(append(cycle, cycle[0]), " → "))
	}
	sort.SliceStable(l.found, func(i, j int) bool {
		a, b := l.found[i], l.found[j]
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		return a.Line < b.Line
	})
	return l.found
}

// linter gathers the findings of all SPECs; byID is needed for what they say of each other.
type linter struct {
	byID  map[string]*Spec
	found []Finding
}

// add notes a finding at a line of a SPEC.
func (l *linter) add(s *Spec, line int, rule, severity, format string, args ...any) {
	l.found = append(l.found, Finding{s.Path, line, s.ID, rule, severity, fmt.Sprintf(format, args...)})
}

// tagged is the id in the @SPEC TAG of the document's first heading, "" when it has none.
func (s *Spec) tagged() string {
	for line := range strings.Lines(s.Body) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "# "); ok {
			id, ok := strings.CutPrefix(strings.TrimSpace(rest), "@SPEC:")
			if !ok {
				return ""
			}
			if i := strings.IndexFunc(id, func(c rune) bool { return (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' }); i >= 0 {
				id = id[:i]
			}
			return id
		}
	}
	return ""
}

// line is where a key is written, the first line when it is not.
func (s *Spec) line(key string) int {
	if f := s.field(key); f != nil {
		return f.Line
	}
	return 1
}

// standard checks the fields of the SPEC standard. A missing one is a warning only: many projects write fewer, and nothing here needs
// them.
func (l *linter) standard(s *Spec) {
	// Without front matter everything is missing; that is said once already.
	if len(s.Fields) == 0 {
		return
	}
	for i := range s.table.Fields {
		k := &s.table.Fields[i]
		f := s.field(k.Name)
		words := says(s.table, k.Name)
		switch {
		case f == nil && k.Required:
			l.add(s, 1, "spec.field-missing", "warning", "the field %s is missing", k.Name)
		case f == nil:
		case f.Value.Kind == Scalar && f.Value.String() == "" && k.Required:
			l.add(s, f.Line, "spec.field-empty", "warning", "the field %s is empty", k.Name)
		case (len(words) > 0 || !k.List && k.Required) && f.Value.Kind != Scalar:
			l.add(s, f.Line, "spec.field-value", "error", "the field %s takes one value", k.Name)
		// A warning: projects have words of their own, and they count as open.
		case len(words) > 0 && f.Value.String() != "" && word(s.table, k.Name, f.Value.String()) == nil:
			l.add(s, f.Line, "spec.field-value", "warning", "%s is %q; expected one of %s", k.Name, term.Clip(f.Value.String(), mostQuoted), strings.Join(words, ", "))
		}
	}
}

// references checks that the SPECs which s names exist.
func (l *linter) references(s *Spec) {
	for _, key := range []string{"depends_on", "blocks", "related_specs"} {
		for _, ref := range s.Strings(key) {
			if id := strings.TrimPrefix(ref, "SPEC-"); l.byID[id] == nil {
				l.add(s, s.line(key), "spec.unknown-reference", "warning", "%s names %s, which does not exist", key, term.Clip(ref, mostQuoted))
			}
		}
	}
}

// Cycles are the circles of depends_on (and blocks, read backwards), each starting with its smallest id.
func Cycles(specs []*Spec) [][]string {
	next := map[string][]string{}
	var ids []string
	for _, s := range specs {
		if s.Missing {
			continue
		}
		if _, seen := next[s.ID]; !seen {
			ids = append(ids, s.ID)
			next[s.ID] = nil
		}
	}
	// Links to SPECs that do not exist make no circle; references reports them.
	link := func(from, to string) {
		_, a := next[from]
		if _, b := next[to]; a && b && !slices.Contains(next[from], to) {
			next[from] = append(next[from], to)
		}
	}
	for _, s := range specs {
		for _, ref := range s.Strings("depends_on") {
			link(s.ID, strings.TrimPrefix(ref, "SPEC-"))
		}
		for _, ref := range s.Strings("blocks") {
			link(strings.TrimPrefix(ref, "SPEC-"), s.ID)
		}
	}
	// The same circle is always told in the same way.
	sort.Strings(ids)
	// A depth-first walk; a link back into the current path closes a circle. One circle a starting link is
	// enough to act on, so the walk stays linear.
	// White, grey and black of the textbooks.
	const (
		fresh = iota
		open
		closed
	)
	state := map[string]int{}
	var path []string
	var cycles [][]string
	var visit func(id string)
	visit = func(id string) {
		state[id] = open
		path = append(path, id)
		for _, to := range next[id] {
			switch state[to] {
			case fresh:
				visit(to)
			case open:
				circle := slices.Clone(path[slices.Index(path, to):])
				low := slices.Index(circle, slices.Min(circle))
				cycles = append(cycles, append(circle[low:], circle[:low]...))
			}
		}
		path = path[:len(path)-1]
		state[id] = closed
	}
	for _, id := range ids {
		if state[id] == fresh {
			visit(id)
		}
	}
	return cycles
}

// validID reports whether s is DOMAIN-NNN, as TAGs have it: words of capitals and digits joined by hyphens,
// the first beginning with a letter, the last three digits.
func validID(s string) bool {
	i := strings.LastIndexByte(s, '-')
	if i < 1 || len(s)-i != 4 || s[0] < 'A' || s[0] > 'Z' || strings.Contains(s, "--") {
		return false
	}
	for k, c := range []byte(s) {
		if digit := '0' <= c && c <= '9'; !digit && (k > i || (c < 'A' || c > 'Z') && c != '-') {
			return false
		}
	}
	return true
}
