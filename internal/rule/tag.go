package rule

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// TagKind is one kind of TAG, such as @SPEC.
type TagKind struct {
	ID    string `toml:"id"`
	Since string `toml:"since"`
	Name  string `toml:"name"` // "SPEC"; with its family's prefix for those that have one: "MX:NOTE"
	// Family says how the TAG goes on: "chain" kinds carry an id (@CODE:AUTH-001:API), "note" kinds stand
	// alone before a text.
	Family   string `toml:"family"`
	Order    int    `toml:"order"`    // place in the chain, from 1
	Required bool   `toml:"required"` // a chain without it is not complete
	Unique   bool   `toml:"unique"`   // two definitions of one id are a mistake
	// Placeholders are words that explanations put where an id of the chain belongs, whatever the kind.
	Placeholders []string `toml:"placeholders"`
	// Examples are globs, in lower case, of documents that show TAGs and define none, whatever the kind.
	Examples []string `toml:"examples"`
	Places   []string `toml:"places"` // globs of the paths where the project's conventions expect definitions
	Why      string   `toml:"why"`

	// Examples are "path: line". Hits are definitions, mentions are found but only speak of the TAG, misses
	// hold none.
	Hits     []string `toml:"hits"`
	Mentions []string `toml:"mentions"`
	Misses   []string `toml:"misses"`

	File string `toml:"-"`
	Line int    `toml:"-"`
}

// TagProblem is one kind of mistake that verification reports.
type TagProblem struct {
	ID       string `toml:"id"`
	Since    string `toml:"since"`
	Severity string `toml:"severity"` // error or warning; --strict makes every warning an error
	Priority int    `toml:"priority"` // higher ones are reported first
	Why      string `toml:"why"`
	Instead  string `toml:"instead"`

	File string `toml:"-"`
	Line int    `toml:"-"`
}

// Tags is the family rules/tags.
type Tags struct {
	Kinds    []TagKind
	Problems []TagProblem
}

// Families of TAG kinds.
const (
	TagChain = "chain"
	TagNote  = "note"
)

// TagProblemIDs are the mistakes that the engine can find; rules/tags describes each of them once.
var TagProblemIDs = [...]string{
	"problem.format", "problem.duplicate", "problem.no-spec", "problem.no-code", "problem.no-test", "problem.no-doc", "problem.dangling", "problem.unknown",
}

// LoadTags reads rules/tags below fsys.
func LoadTags(fsys fs.FS) (*Tags, error) {
	l := &tagLoader{}
	if err := load(&l.report, fsys, "tags", func(raw *tagTables) {
		rows(&l.report, "kind", raw.Kind, l.kind)
		rows(&l.report, "problem", raw.Problem, l.mistake)
	}); err != nil {
		return nil, err
	}
	// A mistake without words would be reported with neither severity nor advice.
	for _, id := range TagProblemIDs {
		if l.seen[id] == "" {
			l.add("rules/tags", 0, id, "is found by the engine and described nowhere")
		}
	}
	if len(l.tags.Kinds) == 0 {
		l.add("rules/tags", 0, "", "no [[kind]] in any file")
	}
	return &l.tags, l.err()
}

type tagTables struct {
	Kind    []TagKind
	Problem []TagProblem
}

type tagLoader struct {
	report
	tags Tags
}

func (l *tagLoader) kind(k *TagKind) {
	k.File, k.Line = l.file, l.line
	l.named(k.ID)
	l.once(k.ID)
	// Under its name as well: two kinds of one name would find the same TAGs.
	l.once("@" + k.Name)
	if k.Why == "" || k.Since == "" {
		l.problem("why and since are needed")
	}
	if !tagName(k.Name) {
		l.problem("name %q must be capitals such as SPEC or MX:NOTE", k.Name)
	}
	switch k.Family {
	case TagChain:
		if k.Order < 1 {
			l.problem("a kind of the chain needs its order, from 1")
		}
		if strings.Contains(k.Name, ":") {
			l.problem("a kind of the chain has a name without a colon")
		}
	case TagNote:
		// Nothing hangs on a note: it has no id.
		if k.Order != 0 || k.Required || k.Unique {
			l.problem("a note has no order and is neither required nor unique")
		}
	default:
		l.problem("family is %q; expected chain or note", k.Family)
	}
	for _, glob := range k.Examples {
		if !doublestar.ValidatePattern(glob) || glob != strings.ToLower(glob) {
			l.problem("examples: %q is no pattern in lower case", glob)
		}
	}
	if len(k.Hits) < 2 || len(k.Misses) < 2 {
		l.problem("needs two hits and two near misses at least")
	}
	for _, list := range [][]string{k.Hits, k.Mentions, k.Misses} {
		for _, e := range list {
			// A path, since the comments that a TAG stands in are those of the file's language.
			if name, _, ok := strings.Cut(e, ": "); !ok || !localPath(name) {
				l.problem("example %q must be \"path: line\"", e)
			}
		}
	}
	l.tags.Kinds = append(l.tags.Kinds, *k)
}

func (l *tagLoader) mistake(p *TagProblem) {
	p.File, p.Line, l.id = l.file, l.line, p.ID
	l.once(p.ID)
	if p.Severity != "error" && p.Severity != "warning" {
		l.problem("severity is %q; expected error or warning", p.Severity)
	}
	if p.Why == "" || p.Since == "" || p.Instead == "" {
		l.problem("why, instead and since are needed")
	}
	if !slices.Contains(TagProblemIDs[:], p.ID) {
		l.problem("the engine finds no such problem")
	}
	l.tags.Problems = append(l.tags.Problems, *p)
}

// tagName reports whether s is capitals, in one part or two.
func tagName(s string) bool {
	for part := range strings.SplitSeq(s, ":") {
		if part == "" || part[0] < 'A' || part[0] > 'Z' {
			return false
		}
		for i := 0; i < len(part); i++ {
			if c := part[i]; (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
				return false
			}
		}
	}
	return strings.Count(s, ":") < 2
}
