package rule

import (
	"fmt"
	"io/fs"
	"path"
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
	files, err := Files(fsys, "tags")
	if err != nil {
		return nil, err
	}
	l := &tagLoader{tags: &Tags{}, seen: map[string]string{}}
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		l.file(file, data)
	}
	// A mistake without words would be reported with neither severity nor advice.
	for _, id := range TagProblemIDs {
		if l.seen[id] == "" {
			l.problems = append(l.problems, &Problem{File: "rules/tags", ID: id, Text: "is found by the engine and described nowhere"})
		}
	}
	if len(l.tags.Kinds) == 0 {
		l.problems = append(l.problems, &Problem{File: "rules/tags", Text: "no [[kind]] in any file"})
	}
	if len(l.problems) > 0 {
		return nil, Join(l.problems)
	}
	return l.tags, nil
}

type tagLoader struct {
	tags     *Tags
	seen     map[string]string // id or kind name → where
	problems []*Problem
}

func (l *tagLoader) file(file string, data []byte) {
	var doc struct {
		Kinds    []TagKind    `toml:"kind"`
		Problems []TagProblem `toml:"problem"`
	}
	if err := Decode(file, data, &doc); err != nil {
		l.problems = append(l.problems, unjoin(file, err)...)
		return
	}
	lines := Headers(data, "kind")
	for i := range doc.Kinds {
		k := &doc.Kinds[i]
		k.File = file
		if i < len(lines) {
			k.Line = lines[i]
		}
		l.kind(k)
		l.tags.Kinds = append(l.tags.Kinds, *k)
	}
	lines = Headers(data, "problem")
	for i := range doc.Problems {
		p := &doc.Problems[i]
		p.File = file
		if i < len(lines) {
			p.Line = lines[i]
		}
		l.problem(p)
		l.tags.Problems = append(l.tags.Problems, *p)
	}
}

func (l *tagLoader) once(key, file string, line int, fault func(string, ...any)) {
	if first := l.seen[key]; first != "" {
		fault("%s is there already, at %s", key, first)
		return
	}
	l.seen[key] = fmt.Sprintf("%s:%d", file, line)
}

func (l *tagLoader) kind(k *TagKind) {
	fault := func(format string, args ...any) {
		l.problems = append(l.problems, &Problem{File: k.File, Line: k.Line, ID: k.ID, Text: fmt.Sprintf(format, args...)})
	}
	l.once(k.ID, k.File, k.Line, fault)
	// Under its name as well: two kinds of one name would find the same TAGs.
	l.once("@"+k.Name, k.File, k.Line, fault)
	prefix := strings.TrimSuffix(path.Base(k.File), ".toml") + "."
	if !strings.HasPrefix(k.ID, prefix) || !validID(k.ID) {
		fault("id must be %s followed by lower-case words joined by hyphens", prefix)
	}
	if k.Why == "" || k.Since == "" {
		fault("why and since are needed")
	}
	if !tagName(k.Name) {
		fault("name %q must be capitals such as SPEC or MX:NOTE", k.Name)
	}
	switch k.Family {
	case TagChain:
		if k.Order < 1 {
			fault("a kind of the chain needs its order, from 1")
		}
		if strings.Contains(k.Name, ":") {
			fault("a kind of the chain has a name without a colon")
		}
	case TagNote:
		// Nothing hangs on a note: it has no id.
		if k.Order != 0 || k.Required || k.Unique {
			fault("a note has no order and is neither required nor unique")
		}
	default:
		fault("family is %q; expected chain or note", k.Family)
	}
	for _, glob := range k.Examples {
		if !doublestar.ValidatePattern(glob) || glob != strings.ToLower(glob) {
			fault("examples: %q is no pattern in lower case", glob)
		}
	}
	if len(k.Hits) < 2 || len(k.Misses) < 2 {
		fault("needs two hits and two near misses at least")
	}
	for _, list := range [][]string{k.Hits, k.Mentions, k.Misses} {
		for _, e := range list {
			// A path, since the comments that a TAG stands in are those of the file's language.
			if name, _, ok := strings.Cut(e, ": "); !ok || !localPath(name) {
				fault("example %q must be \"path: line\"", e)
			}
		}
	}
}

func (l *tagLoader) problem(p *TagProblem) {
	fault := func(format string, args ...any) {
		l.problems = append(l.problems, &Problem{File: p.File, Line: p.Line, ID: p.ID, Text: fmt.Sprintf(format, args...)})
	}
	l.once(p.ID, p.File, p.Line, fault)
	if p.Severity != "error" && p.Severity != "warning" {
		fault("severity is %q; expected error or warning", p.Severity)
	}
	if p.Why == "" || p.Since == "" || p.Instead == "" {
		fault("why, instead and since are needed")
	}
	for _, id := range TagProblemIDs {
		if id == p.ID {
			return
		}
	}
	fault("the engine finds no such problem")
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
