package tag

import (
	"cmp"
	"iter"
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// A Doc is a SPEC document, which stands for the SPEC of its id even where nobody wrote the TAG into it.
type Doc struct {
	ID, Title, Path, Status string
	Early                   bool // its test and code are not expected yet
	Dropped                 bool // it is kept for its history, and nobody has to complete it
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
	// lacks are the lists of kinds that chains may miss, by a bit for each kind: a million chains share a handful.
	lacks map[uint64][]string
}

// NewSet sorts TAGs, as [Result.All] gives them, into chains.
func NewSet(kinds []rule.TagKind, tags iter.Seq[Tag], docs []Doc) *Set {
	s := &Set{chains: map[string]*Chain{}, lacks: map[uint64][]string{}}
	// Notes (@MX:…) belong to no chain.
	for i := range kinds {
		if kinds[i].Family == rule.TagChain {
			s.kinds = append(s.kinds, kinds[i])
		}
	}
	slices.SortStableFunc(s.kinds, func(a, b rule.TagKind) int { return a.Order - b.Order })
	// The first document of an id wins; that there are two is what spec lint reports.
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

// chain is the chain of an id, made when it is new. Mentions make one too: next must not give an id out that a text speaks of.
func (s *Set) chain(id string) *Chain {
	c := s.chains[id]
	if c == nil {
		c = &Chain{ID: id}
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

// finish says what a chain is once all its TAGs are known: their order, the title, what is missing, the state.
func (s *Set) finish(c *Chain) {
	// Stable: within a kind they stay in the order of paths and lines, in which people look for them.
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
		// The document's own title, set before, is the better one.
		if c.Title == "" && c.Tags[i].Kind == s.first() {
			c.Title = c.Tags[i].Text
		}
	}
	var lacks uint64
	for i := range s.kinds {
		if k := &s.kinds[i]; k.Required && !c.has(k.Name) && !(i == 0 && c.doc != nil) {
			lacks |= 1 << i
		}
	}
	c.Missing = s.missing(lacks)
	switch {
	case defs == 0 && c.doc == nil:
		c.State = "mention"
	// Without the first kind everything else serves nothing, so this says more than "incomplete".
	case slices.Contains(c.Missing, s.first()):
		c.State = "orphan"
	case len(c.Missing) > 0:
		c.State = "incomplete"
	default:
		c.State = "complete"
	}
}

// missing names the kinds of a set of bits; never nil, for JSON has a list there.
func (s *Set) missing(lacks uint64) []string {
	list, ok := s.lacks[lacks]
	if !ok {
		list = []string{}
		for i := range s.kinds {
			if lacks&(1<<i) != 0 {
				list = append(list, s.kinds[i].Name)
			}
		}
		s.lacks[lacks] = list
	}
	return list
}

// first is the kind that everything else serves.
func (s *Set) first() string {
	if len(s.kinds) == 0 {
		return ""
	}
	return s.kinds[0].Name
}

// has reports a definition of a kind. A part (@CODE:A-001:API) is enough: nobody tags the whole of what is written in parts.
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

// Open counts the chains that are not complete, drafts and retired SPECs aside; none where no SPEC has a test or code yet: there
// nobody works with TAGs. It needs a word for each id where a [Set] needs the
// whole chain: a session starts with it, in trees of any size.
func Open(kinds []rule.TagKind, tags iter.Seq[Tag], docs []Doc) int {
	chain := NewSet(kinds, func(func(Tag) bool) {}, nil)
	var required uint64
	for i := range chain.kinds {
		if chain.kinds[i].Required {
			required |= 1 << i
		}
	}
	have := map[string]uint64{} // id → its kinds, a bit for each
	excused := map[string]bool{}
	for i := range docs {
		d := &docs[i]
		if _, known := have[d.ID]; !known { // the first document of an id counts
			// The document stands for the first kind, which is the first bit.
			have[d.ID] = 1
			excused[d.ID] = d.Early || d.Dropped
		}
	}
	for t := range tags {
		if at := chain.order(t.Kind); at > 0 && t.Definition && !t.Malformed {
			have[t.ID] |= 1 << (at - 1)
		}
	}
	n, used := 0, false
	for id, kinds := range have {
		used = used || kinds&1 != 0 && kinds&required&^1 != 0
		if kinds&required != required && !excused[id] {
			n++
		}
	}
	if !used {
		return 0
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
