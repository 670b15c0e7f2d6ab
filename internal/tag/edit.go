package tag

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// Edited says what the TAGs of one file, which was just written, break: ids that are none, a second
// definition of a SPEC, a SPEC or file that does not exist. What a chain still lacks is no mistake of an edit.
// A file without TAGs costs one read; only TAGs that need others to be judged make the tree be looked at.
func Edited(o Options, table *rule.Tags, path string, docs func() []Doc, exists func(string) bool) []Finding {
	t, err := openTree(o.Root)
	if err != nil {
		return nil
	}
	defer t.close()
	c := &collector{o: &o, tree: t}
	if o.Syntax == nil {
		o.Syntax = SyntaxOf
	}
	w := worker{c: c}
	var f file
	w.read(&f, path, t, path)
	if f.tags == "" {
		return nil
	}
	var here []Tag
	o.Grammar.decode(path, f.tags, func(t Tag) bool { here = append(here, t); return true })
	// Only definitions can break something elsewhere; a file that merely speaks of ids needs no look at the tree.
	ids := definedIDs(here)
	all := slices.Values(here)
	if len(ids) > 0 {
		r, err := Collect(o)
		if err != nil {
			return nil
		}
		all = r.All()
	}
	var out []Finding
	for f := range NewSet(table.Kinds, all, docs()).Verify(table.Problems, nil, exists).All() {
		switch f.Rule {
		case "problem.format", "problem.dangling":
			if f.Path != path {
				continue
			}
		// Of two definitions the other one may be the one that is reported: the edit is still the cause.
		case "problem.duplicate":
			if !slices.Contains(ids, f.ID) {
				continue
			}
		case "problem.no-spec":
			if !slices.Contains(ids, f.ID) {
				continue
			}
			f.Path, f.Line = path, lineOf(here, f.ID)
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// definedIDs are the ids that TAGs define.
func definedIDs(tags []Tag) []string {
	var ids []string
	for i := range tags {
		if t := &tags[i]; t.Definition && !t.Malformed && t.ID != "" && !slices.Contains(ids, t.ID) {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// lineOf is where an id is defined in one file; 1 when it is not, since a finding needs a line.
func lineOf(tags []Tag, id string) int {
	for i := range tags {
		if t := &tags[i]; t.ID == id && t.Definition {
			return t.Line
		}
	}
	return 1
}

// Specless lists the ids that a text, about to be written to a file, defines for a SPEC that does not exist:
// what the policy warns of or blocks (tags.policy). known says whether the SPEC of an id does. A text that
// defines the SPEC itself needs none.
func Specless(table *rule.Tags, path, text string, syntax func(string) Syntax, known func(id string) bool) []string {
	if syntax == nil {
		syntax = SyntaxOf
	}
	set := NewSet(table.Kinds, slices.Values(NewGrammar(table.Kinds).File(path, []byte(text), syntax)), nil)
	var out []string
	for _, c := range set.Chains() {
		if c.State == "orphan" && !known(c.ID) {
			out = append(out, c.ID)
		}
	}
	return out
}

// Known tells whether the SPEC of an id exists: as a document in its folder, else as a TAG anywhere. The
// tree is looked at once, and only when a document is missing.
func Known(o Options, kinds []rule.TagKind, exists func(string) bool) func(id string) bool {
	var set *Set
	return func(id string) bool {
		if exists(".moai/specs/SPEC-" + id + "/spec.md") {
			return true
		}
		if set == nil {
			r, err := Collect(o)
			if err != nil {
				// A guard that cannot look must not hold work up.
				return true // what cannot be known blocks nothing
			}
			set = NewSet(kinds, r.All(), nil)
		}
		c := set.Chain(id)
		return c != nil && c.has(set.first())
	}
}
