package tag

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A Suggestion is an id that already covers what somebody is about to tag.
type Suggestion struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Path  string `json:"path"`
	State string `json:"state"`
	Score int    `json:"score"`
}

// Suggest ranks the ids whose title, domain or files speak of the keyword's words, best first.
func (s *Set) Suggest(keyword string) []Suggestion {
	want := words(keyword)
	out := []Suggestion{}
	for _, c := range s.Chains() {
		score := 0
		domain, title := words(Domain(c.ID)), words(c.Title)
		for _, w := range want {
			// The best place of each word counts, not all of them together: a long path is no better match than a short one.
			best := 0
			for _, d := range domain {
				// The domain is the name that somebody chose for the subject.
				best = max(best, likeness(d, w)*2)
			}
			for _, t := range title {
				best = max(best, likeness(t, w))
			}
			for i := range c.Tags {
				t := &c.Tags[i]
				for _, p := range words(t.Path + " " + t.Sub + " " + t.Text) {
					// A path holds many words by chance ("src", "test"): alone it suggests, beside a title it decides nothing.
					best = max(best, likeness(p, w)/4)
				}
			}
			score += best
		}
		if score > 0 {
			path, _ := c.place()
			out = append(out, Suggestion{c.ID, c.Title, path, c.State, score})
		}
	}
	slices.SortStableFunc(out, func(a, b Suggestion) int { return cmp.Or(b.Score-a.Score, strings.Compare(a.ID, b.ID)) })
	return out
}

// words are the lower-cased words of a text, composed: file systems of macOS give names with their letters taken apart. Hangul
// endings stay on: likeness compares beginnings.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFC.String(s)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// likeness grades two words: equal, one begins the other, one holds the other.
func likeness(have, want string) int {
	short := min(len(have), len(want))
	switch {
	case have == want:
		return 40
	// In bytes, so three letters of Latin or one of Hangul. The beginning, since Korean puts its endings behind the word.
	case short >= 3 && (strings.HasPrefix(have, want) || strings.HasPrefix(want, have)):
		return 24
	case short >= 4 && (strings.Contains(have, want) || strings.Contains(want, have)):
		return 12
	}
	return 0
}

// Next is the first free id of a domain after the highest one that is used or spoken of anywhere.
func (s *Set) Next(domain string) (string, error) {
	domain = strings.TrimSuffix(strings.ToUpper(domain), "-")
	if !ValidID(domain + "-000") {
		return "", fmt.Errorf("%q is not a domain: capitals and digits, beginning with a letter, joined by hyphens", domain)
	}
	highest := 0
	for _, id := range s.ids {
		// Documents give ids that are none, too.
		if ValidID(id) && Domain(id) == domain {
			if n, err := strconv.Atoi(id[len(id)-3:]); err == nil {
				highest = max(highest, n)
			}
		}
	}
	// An id has three digits (2.6 of the requirements); a gap below is not given out again, since old commits still speak of it.
	if highest >= 999 {
		return "", fmt.Errorf("domain %s has used up its numbers", domain)
	}
	return fmt.Sprintf("%s-%03d", domain, highest+1), nil
}

// Stats counts what a tree holds.
type Stats struct {
	Files   int           `json:"files"`
	Tags    int           `json:"tags"`
	Kinds   []Count       `json:"kinds"`
	Domains []DomainCount `json:"domains"`
	Counts
}

// Counts is the chains by their state, and the TAGs that have no id.
type Counts struct {
	Complete   int `json:"complete"`
	Incomplete int `json:"incomplete"`
	Orphans    int `json:"orphans"`
	Malformed  int `json:"malformed"`
}

// Count is how often a kind is defined and spoken of.
type Count struct {
	Kind        string `json:"kind"`
	Definitions int    `json:"definitions"`
	Mentions    int    `json:"mentions"`
}

// DomainCount is the ids of one domain.
type DomainCount struct {
	Domain string   `json:"domain"`
	IDs    []string `json:"ids"`
}

// Stats counts the TAGs and chains of the set.
func (s *Set) Stats(files int, tags iter.Seq[Tag]) Stats {
	st := Stats{Files: files, Kinds: []Count{}, Domains: []DomainCount{}}
	for t := range tags {
		if t.Malformed {
			continue
		}
		st.Tags++
		k := slices.IndexFunc(st.Kinds, func(c Count) bool { return c.Kind == t.Kind })
		if k < 0 {
			k = len(st.Kinds)
			st.Kinds = append(st.Kinds, Count{Kind: t.Kind})
		}
		if t.Definition {
			st.Kinds[k].Definitions++
		} else {
			st.Kinds[k].Mentions++
		}
	}
	slices.SortStableFunc(st.Kinds, func(a, b Count) int {
		oa, ob := s.order(a.Kind), s.order(b.Kind)
		if oa == 0 || ob == 0 {
			return cmp.Or(ob-oa, strings.Compare(a.Kind, b.Kind))
		}
		return oa - ob
	})
	st.Counts = s.Counts()
	at := map[string]int{}
	for _, c := range s.Chains() {
		d := Domain(c.ID)
		i, ok := at[d]
		if !ok {
			i = len(st.Domains)
			at[d] = i
			st.Domains = append(st.Domains, DomainCount{Domain: d})
		}
		st.Domains[i].IDs = append(st.Domains[i].IDs, c.ID)
	}
	return st
}

// Counts says how many chains are in which state.
func (s *Set) Counts() Counts {
	n := Counts{Malformed: len(s.bad)}
	for _, c := range s.chains {
		switch c.State {
		case "complete":
			n.Complete++
		case "incomplete":
			n.Incomplete++
		case "orphan":
			n.Orphans++
		}
	}
	return n
}

// Graph draws chains as dot or mermaid: the id, its kinds in order, and the files under each.
func Graph(format string, chains []*Chain, kinds []string) string {
	var b strings.Builder
	mermaid := format == "mermaid"
	if mermaid {
		b.WriteString("graph LR\n")
	} else {
		b.WriteString("digraph tags {\n  rankdir=LR;\n  node [shape=box];\n")
	}
	n := 0
	node := func(label string) string {
		n++
		name := fmt.Sprintf("n%d", n)
		if mermaid {
			fmt.Fprintf(&b, "  %s[\"%s\"]\n", name, strings.NewReplacer(`"`, "#quot;", "\n", " ").Replace(label))
		} else {
			fmt.Fprintf(&b, "  %s [label=%s];\n", name, strconv.Quote(label))
		}
		return name
	}
	edge := func(from, to string) {
		if mermaid {
			fmt.Fprintf(&b, "  %s --> %s\n", from, to)
		} else {
			fmt.Fprintf(&b, "  %s -> %s;\n", from, to)
		}
	}
	for _, c := range chains {
		label := c.ID
		if c.Title != "" {
			label += ": " + c.Title
		}
		last := node(label + " (" + c.State + ")")
		for _, k := range kinds {
			var at string
			seen := map[string]bool{}
			for i := range c.Tags {
				t := &c.Tags[i]
				if !t.Definition || t.Kind != k || seen[t.Path] {
					continue
				}
				if at == "" {
					at = node("@" + k + ":" + c.ID)
					edge(last, at)
				}
				seen[t.Path] = true
				edge(at, node(t.Path))
			}
			if at != "" {
				last = at
			}
		}
	}
	if !mermaid {
		b.WriteString("}\n")
	}
	return b.String()
}
