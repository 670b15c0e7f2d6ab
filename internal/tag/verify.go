package tag

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A Finding is one mistake.
type Finding struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	ID       string `json:"id"`
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // error or warning
	Text     string `json:"text"`
	Hint     string `json:"hint,omitempty"`
}

// Findings are the mistakes of a set, in the order of their priority, then of path and line. A tree of a million TAGs may hold as
// many mistakes, so what is said of each is put into words only when it is asked for.
type Findings struct {
	set      *Set
	problems []rule.TagProblem
	list     []mistake
}

// mistake is a [Finding] before it is put into words. Which members count depends on its kind.
type mistake struct {
	kind    mistakeKind
	mild    bool   // a warning whatever the table says
	problem int16  // in the table; -1 when the table has no such problem
	at      int32  // in the order in which they were found
	name    string // missing: the kind of TAG; unknown: the id; dangling: label and target
	chain   *Chain // missing
	tag     *Tag   // the others, save unknown
	other   *Tag   // duplicate: the definition that counts
}

// mistakeKind says which members of a mistake count and how it reads.
type mistakeKind uint8

const (
	malformed mistakeKind = iota
	unknown
	missing
	duplicate
	dangling
)

// Len is the number of mistakes.
func (f *Findings) Len() int { return len(f.list) }

// All puts the mistakes into words.
func (f *Findings) All() iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		for i := range f.list {
			if !yield(f.words(&f.list[i])) {
				return
			}
		}
	}
}

// Errors reports whether one of the mistakes is more than a warning.
func (f *Findings) Errors() bool {
	return slices.ContainsFunc(f.list, func(m mistake) bool { return f.severity(&m) == "error" })
}

// Below drops what is not in the files for which keep says yes.
func (f *Findings) Below(keep func(path string) bool) {
	f.list = slices.DeleteFunc(f.list, func(m mistake) bool { path, _ := m.place(); return !keep(path) })
}

// place is where to point at: the chain's SPEC when something is missing, else the TAG itself.
func (m *mistake) place() (path string, line int) {
	switch {
	case m.chain != nil:
		return m.chain.place()
	case m.tag != nil:
		return m.tag.Path, m.tag.Line
	}
	return "", 0
}

// priority is that of the table; what it does not know comes last.
func (f *Findings) priority(m *mistake) int {
	if m.problem < 0 {
		return 0
	}
	return f.problems[m.problem].Priority
}

// severity is that of the table, save for drafts, whose gaps are no errors yet.
func (f *Findings) severity(m *mistake) string {
	switch {
	case m.mild:
		return "warning"
	case m.problem < 0:
		return "error"
	}
	return f.problems[m.problem].Severity
}

// id is the problem's name in the table.
func (m *mistake) id() string {
	switch m.kind {
	case malformed:
		return "problem.format"
	case unknown:
		return "problem.unknown"
	case duplicate:
		return "problem.duplicate"
	case dangling:
		return "problem.dangling"
	}
	return "problem.no-" + strings.ToLower(m.name)
}

// words makes the finding of a mistake. Every text names the id, so that a line stands by itself in a log.
func (f *Findings) words(m *mistake) Finding {
	out := Finding{Rule: m.id(), Severity: f.severity(m)}
	out.Path, out.Line = m.place()
	if m.problem >= 0 {
		out.Hint = f.problems[m.problem].Instead
	}
	switch m.kind {
	case malformed:
		out.ID, out.Text = m.tag.ID, fmt.Sprintf("%s is no TAG: %q is no id", m.tag, m.tag.ID)
	case unknown:
		out.ID, out.Text = m.name, m.name+" is defined nowhere"
	case missing:
		out.ID, out.Text = m.chain.ID, m.chain.ID+" has no @"+m.name
	case duplicate:
		out.ID, out.Text = m.tag.ID, fmt.Sprintf("%s is defined at %s:%d too", m.tag, m.other.Path, m.other.Line)
	case dangling:
		out.ID, out.Text = m.tag.ID, fmt.Sprintf("%s names %s, which does not exist", m.tag, m.name)
	}
	return out
}

// Verify says what is wrong with the ids given, or with all. exists tells whether a path below the root does.
func (s *Set) Verify(problems []rule.TagProblem, ids []string, exists func(path string) bool) *Findings {
	v := verifier{Findings: Findings{set: s, problems: problems}, exists: exists, home: map[string]int16{}}
	if len(ids) == 0 {
		for i := range s.bad {
			v.add(mistake{kind: malformed, tag: &s.bad[i]})
		}
		for _, id := range s.ids {
			if c := s.chains[id]; c.State != "mention" {
				v.chain(c)
			}
		}
	}
	for _, id := range ids {
		c := s.chains[id]
		if c == nil || c.State == "mention" {
			v.add(mistake{kind: unknown, name: id})
			continue
		}
		v.chain(c)
	}
	// Priorities first (2.6: format 100, duplicate 90, orphan 50, chain 30); among equals in the order found, so that two runs say the
	// same.
	slices.SortFunc(v.list, func(a, b mistake) int {
		if by := v.priority(&b) - v.priority(&a); by != 0 {
			return by
		}
		at, line := a.place()
		bt, other := b.place()
		return cmp.Or(strings.Compare(at, bt), line-other, int(a.at-b.at))
	})
	return &v.Findings
}

// verifier gathers the mistakes of one call.
type verifier struct {
	Findings
	exists func(string) bool
	home   map[string]int16 // problem → its place in the table
}

// add looks the problem up in the table, once for each of its ids.
func (v *verifier) add(m mistake) {
	id := m.id()
	at, known := v.home[id]
	if !known {
		at = int16(slices.IndexFunc(v.problems, func(p rule.TagProblem) bool { return p.ID == id }))
		v.home[id] = at
	}
	m.problem, m.at = at, int32(len(v.list))
	v.list = append(v.list, m)
}

// chain judges one chain: what it lacks, what is there twice, and the links of its header lines.
func (v *verifier) chain(c *Chain) {
	for _, kind := range c.Missing {
		if c.doc != nil && c.doc.Dropped {
			break
		}
		v.add(mistake{kind: missing, chain: c, name: kind, mild: c.doc != nil && c.doc.Early && kind != v.set.first()})
	}
	v.duplicates(c)
	for i := range c.Tags {
		t := &c.Tags[i]
		for _, l := range t.Links {
			// Labels that are no kind ("CHAIN:", "HISTORY:") are notes.
			if v.set.order(l.Label) == 0 {
				continue
			}
			for target := range strings.SplitSeq(l.Target, ",") {
				if target = cleanTarget(target); target != "" && !v.reaches(t, target) {
					v.add(mistake{kind: dangling, tag: t, name: l.Label + " " + target})
				}
			}
		}
	}
}

// duplicates: a kind that is unique is defined in one place. The documents of one SPEC folder (spec, plan,
// acceptance) are one place, as is one file; parts (sub-ids) are no definitions of the whole.
func (v *verifier) duplicates(c *Chain) {
	for i := range v.set.kinds {
		k := &v.set.kinds[i]
		if !k.Unique {
			continue
		}
		var first *Tag // the definition that counts: the one in the SPEC's own folder, else the first
		n := 0
		for _, t := range c.definitions(k.Name) {
			if n++; first == nil || n > 1 && unit(t.Path) == ".moai/specs/SPEC-"+c.ID && unit(first.Path) != unit(t.Path) {
				first = t
			}
		}
		if n < 2 {
			continue
		}
		said := map[string]bool{unit(first.Path): true}
		for _, t := range c.definitions(k.Name) {
			if place := unit(t.Path); !said[place] {
				said[place] = true
				v.add(mistake{kind: duplicate, tag: t, other: first})
			}
		}
	}
}

// definitions are those of a kind as a whole.
func (c *Chain) definitions(kind string) iter.Seq2[int, *Tag] {
	return func(yield func(int, *Tag) bool) {
		for i := range c.Tags {
			if t := &c.Tags[i]; t.Definition && t.Kind == kind && t.Sub == "" && !yield(i, t) {
				return
			}
		}
	}
}

// unit is what counts as one place of a definition.
func unit(path string) string {
	const specs = ".moai/specs/"
	if rest, ok := strings.CutPrefix(path, specs); ok {
		if dir, _, ok := strings.Cut(rest, "/"); ok {
			return specs + dir
		}
	}
	return path
}

// reaches reports whether the target of a header line exists: below the root, beside the file, or as a SPEC
// in the flat and the foldered style.
func (v *verifier) reaches(t *Tag, target string) bool {
	// The network is never asked.
	if strings.Contains(target, "://") {
		return true
	}
	target = targetPath(target)
	c := v.set.chains[targetID(target)]
	if strings.LastIndexByte(target, '@') == 0 { // SPEC: @SPEC:AUTH-001
		return c != nil && c.State != "mention"
	}
	// In the styles that header lines are written in: a path from the root, SPEC-ID.md alone, a path from the file.
	tries := []string{target, ".moai/specs/" + target}
	if i := strings.LastIndexByte(t.Path, '/'); i > 0 {
		tries = append(tries, t.Path[:i+1]+target)
	}
	if id := targetID(target); id != "" {
		if c != nil && !slices.Contains(c.Missing, v.set.first()) && c.State != "mention" {
			return true
		}
		tries = append(tries, ".moai/specs/SPEC-"+id+"/spec.md")
	}
	return slices.ContainsFunc(tries, v.exists)
}

// cleanTarget takes off what people put around a target.
func cleanTarget(s string) string { return strings.Trim(s, " `\"'()") }

// targetPath is a target without the heading or line that it points at: x.md#login, x.go:12.
func targetPath(target string) string {
	target, _, _ = strings.Cut(target, "#")
	if i := strings.LastIndexByte(target, ':'); i > 0 && strings.Trim(target[i+1:], "0123456789:") == "" {
		target = target[:i]
	}
	return target
}

// targetID is the id that a target names, "" when it is a path of another kind: SPEC-AUTH-001, SPEC-AUTH-001.md, @SPEC:AUTH-001.
func targetID(target string) string {
	target = targetPath(target)
	if strings.LastIndexByte(target, '@') == 0 {
		_, id, _ := strings.Cut(target, ":")
		return id
	}
	id, ok := strings.CutPrefix(strings.TrimSuffix(target[strings.LastIndexByte(target, '/')+1:], ".md"), "SPEC-")
	if !ok {
		return ""
	}
	return id
}
