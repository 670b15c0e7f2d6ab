package tag

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A Doc is a SPEC document, which stands for the SPEC of its id even where nobody wrote the TAG into it.
type Doc struct {
	ID, Title, Path, Status string
}

// A Chain is everything that hangs on one id.
type Chain struct {
	ID       string   `json:"id"`
	Title    string   `json:"title,omitempty"`
	Status   string   `json:"status,omitempty"` // of the SPEC document
	State    string   `json:"state"`            // complete, incomplete, orphan (no SPEC), mention (only spoken of)
	Missing  []string `json:"missing"`          // required kinds without a definition
	Tags     []Tag    `json:"tags"`             // definitions first, by the order of the chain
	doc      *Doc
	mentions int
}

// Set is the chains of a tree.
type Set struct {
	kinds  []rule.TagKind
	chains map[string]*Chain
	ids    []string // sorted
	bad    []Tag    // malformed
	docs   []Doc
}

// NewSet sorts TAGs, as [Result.All] gives them, into chains.
func NewSet(kinds []rule.TagKind, tags iter.Seq[Tag], docs []Doc) *Set {
	s := &Set{chains: map[string]*Chain{}, docs: docs}
	for i := range kinds {
		if kinds[i].Family == rule.TagChain {
			s.kinds = append(s.kinds, kinds[i])
		}
	}
	slices.SortStableFunc(s.kinds, func(a, b rule.TagKind) int { return a.Order - b.Order })
	for i := range docs {
		c := s.chain(docs[i].ID)
		if c.doc == nil {
			c.doc, c.Title, c.Status = &docs[i], docs[i].Title, docs[i].Status
		}
	}
	for t := range tags {
		switch {
		case t.Malformed:
			s.bad = append(s.bad, t)
		case s.order(t.Kind) > 0:
			c := s.chain(t.ID)
			c.Tags = append(c.Tags, t)
		}
	}
	for id, c := range s.chains {
		s.ids = append(s.ids, id)
		s.finish(c)
	}
	slices.Sort(s.ids)
	return s
}

func (s *Set) chain(id string) *Chain {
	c := s.chains[id]
	if c == nil {
		c = &Chain{ID: id, Missing: []string{}}
		s.chains[id] = c
	}
	return c
}

// order is the place of a kind in the chain, 0 when it is none of it.
func (s *Set) order(kind string) int {
	for i := range s.kinds {
		if s.kinds[i].Name == kind {
			return i + 1
		}
	}
	return 0
}

func (s *Set) finish(c *Chain) {
	slices.SortStableFunc(c.Tags, func(a, b Tag) int {
		if a.Definition != b.Definition {
			if a.Definition {
				return -1
			}
			return 1
		}
		return cmp.Compare(s.order(a.Kind), s.order(b.Kind))
	})
	defs := 0
	for i := range c.Tags {
		if !c.Tags[i].Definition {
			c.mentions++
			continue
		}
		defs++
		if c.Title == "" && c.Tags[i].Kind == s.first() {
			c.Title = c.Tags[i].Text
		}
	}
	for i := range s.kinds {
		if k := &s.kinds[i]; k.Required && !c.has(k.Name) && !(i == 0 && c.doc != nil) {
			c.Missing = append(c.Missing, k.Name)
		}
	}
	switch {
	case defs == 0 && c.doc == nil:
		c.State = "mention"
	case slices.Contains(c.Missing, s.first()):
		c.State = "orphan"
	case len(c.Missing) > 0:
		c.State = "incomplete"
	default:
		c.State = "complete"
	}
}

// first is the kind that everything else serves.
func (s *Set) first() string {
	if len(s.kinds) == 0 {
		return ""
	}
	return s.kinds[0].Name
}

func (c *Chain) has(kind string) bool {
	return slices.ContainsFunc(c.Tags, func(t Tag) bool { return t.Definition && t.Kind == kind })
}

// place is where to point at when a chain is spoken of: its SPEC, else its first TAG.
func (c *Chain) place() (path string, line int) {
	if c.doc != nil {
		path, line = c.doc.Path, 1
	}
	for i := range c.Tags {
		if t := &c.Tags[i]; path == "" || t.Path == path && t.Definition {
			return t.Path, t.Line
		}
	}
	return path, line
}

// Chain is everything about an id; nil when it occurs nowhere.
func (s *Set) Chain(id string) *Chain { return s.chains[id] }

// Chains lists the chains that are more than spoken of, by id.
func (s *Set) Chains() []*Chain {
	var out []*Chain
	for _, id := range s.ids {
		if c := s.chains[id]; c.State != "mention" {
			out = append(out, c)
		}
	}
	return out
}

// Open counts the chains that are not complete, drafts and retired SPECs aside.
func (s *Set) Open() int {
	n := 0
	for _, c := range s.Chains() {
		if c.State != "complete" && c.Status != "draft" && c.Status != "deprecated" {
			n++
		}
	}
	return n
}

// Orphans lists the definitions that serve a SPEC which does not exist.
func (s *Set) Orphans() []Tag {
	out := []Tag{}
	for _, c := range s.Chains() {
		if c.State == "orphan" {
			for _, t := range c.Tags {
				if t.Definition {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// A Finding is one mistake.
type Finding struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	ID       string `json:"id"`
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // error or warning
	Text     string `json:"text"`
	Hint     string `json:"hint,omitempty"`
	priority int
}

// Verify says what is wrong with the ids given, or with all. exists tells whether a path below the root
// does. Findings come in the order of their priority, then of path and line.
func (s *Set) Verify(problems []rule.TagProblem, ids []string, exists func(path string) bool) []Finding {
	v := verifier{set: s, problems: problems, exists: exists, found: []Finding{}}
	if len(ids) == 0 {
		for _, t := range s.bad {
			v.add("problem.format", t.Path, t.Line, t.ID, "%s is no TAG: %q is no id", "@"+t.Kind+":"+t.ID, t.ID)
		}
		for _, c := range s.Chains() {
			v.chain(c)
		}
	}
	for _, id := range ids {
		c := s.chains[id]
		if c == nil || c.State == "mention" {
			v.add("problem.unknown", "", 0, id, "%s is defined nowhere", id)
			continue
		}
		v.chain(c)
	}
	slices.SortStableFunc(v.found, func(a, b Finding) int {
		return cmp.Or(b.priority-a.priority, strings.Compare(a.Path, b.Path), a.Line-b.Line)
	})
	return v.found
}

type verifier struct {
	set      *Set
	problems []rule.TagProblem
	exists   func(string) bool
	found    []Finding
}

func (v *verifier) add(rule, path string, line int, id, format string, args ...any) {
	f := Finding{Path: path, Line: line, ID: id, Rule: rule, Severity: "error", Text: fmt.Sprintf(format, args...)}
	for i := range v.problems {
		if p := &v.problems[i]; p.ID == rule {
			f.Severity, f.Hint, f.priority = p.Severity, p.Instead, p.Priority
		}
	}
	v.found = append(v.found, f)
}

func (v *verifier) chain(c *Chain) {
	path, line := c.place()
	for _, kind := range c.Missing {
		if c.Status == "deprecated" {
			break
		}
		id := "problem.no-" + strings.ToLower(kind)
		v.add(id, path, line, c.ID, "%s has no @%s", c.ID, kind)
		if c.Status == "draft" && kind != v.set.first() {
			v.found[len(v.found)-1].Severity = "warning"
		}
	}
	v.duplicates(c)
	for i := range c.Tags {
		t := &c.Tags[i]
		for _, l := range t.Links {
			if v.set.order(l.Label) == 0 {
				continue
			}
			for target := range strings.SplitSeq(l.Target, ",") {
				if target = strings.Trim(target, " `\"'()"); target != "" && !v.reaches(t, target) {
					v.add("problem.dangling", t.Path, t.Line, c.ID, "%s names %s %s, which does not exist", t, l.Label, target)
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
		first := ""
		home := ".moai/specs/SPEC-" + c.ID
		places := map[string]*Tag{}
		for n := range c.Tags {
			t := &c.Tags[n]
			if !t.Definition || t.Kind != k.Name || t.Sub != "" {
				continue
			}
			if place := unit(t.Path); places[place] == nil {
				places[place] = t
				if first == "" || place == home {
					first = place
				}
			}
		}
		for place, t := range places {
			if place != first {
				v.add("problem.duplicate", t.Path, t.Line, c.ID, "%s is defined at %s:%d too", t, places[first].Path, places[first].Line)
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
	if strings.Contains(target, "://") {
		return true
	}
	target, _, _ = strings.Cut(target, "#")
	if i := strings.LastIndexByte(target, ':'); i > 0 && strings.Trim(target[i+1:], "0123456789:") == "" {
		target = target[:i] // path:line
	}
	tries := []string{target, ".moai/specs/" + target}
	if i := strings.LastIndexByte(t.Path, '/'); i > 0 {
		tries = append(tries, t.Path[:i+1]+target)
	}
	if name := strings.TrimSuffix(target[strings.LastIndexByte(target, '/')+1:], ".md"); strings.HasPrefix(name, "SPEC-") {
		if c := v.set.chains[strings.TrimPrefix(name, "SPEC-")]; c != nil && !slices.Contains(c.Missing, v.set.first()) && c.State != "mention" {
			return true
		}
		tries = append(tries, ".moai/specs/"+name+"/spec.md")
	}
	if i := strings.LastIndexByte(target, '@'); i == 0 { // SPEC: @SPEC:AUTH-001
		if _, id, ok := strings.Cut(target, ":"); ok {
			c := v.set.chains[id]
			return c != nil && c.State != "mention"
		}
	}
	return slices.ContainsFunc(tries, v.exists)
}
