package tag

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// May reports a text that can hold a TAG. Nearly none does, and where this says so nothing else has to be known.
func May(kinds []rule.TagKind, text []byte) bool {
	for {
		i := bytes.IndexByte(text, '@')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		for k := range kinds {
			if name := kinds[k].Name; len(text) >= len(name) && string(text[:len(name)]) == name {
				return true
			}
		}
	}
}

// Edited says what the TAGs of one file, which was just written, break: ids that are none, a second
// definition of a SPEC, a SPEC or file that does not exist. What a chain still lacks is no mistake of an edit.
// A file without TAGs costs one read; only TAGs that need others to be judged make the tree be looked at.
func Edited(o Options, table *rule.Tags, path string, docs func() []Doc, exists func(string) bool) []Finding {
	t, err := openTree(o.Root)
	if err != nil {
		return nil
	}
	defer t.Close()
	c := &collector{o: &o, tree: t}
	w := worker{c: c}
	// Read by itself, even where the index knows the file: it was written a moment ago, so the index cannot be believed.
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
		all = about(r.All(), path, ids, here)
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
		// Reported at the chain's first TAG, which may stand in a file that nobody touches now.
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

// about is the TAGs by which those of one file are judged: its own, and all of the ids that it defines or names. The others, perhaps
// a million, would only cost the time that a hook does not have.
func about(all iter.Seq[Tag], path string, ids []string, here []Tag) iter.Seq[Tag] {
	asked := map[string]bool{}
	for _, id := range ids {
		asked[id] = true
	}
	for i := range here {
		for _, l := range here[i].Links {
			for target := range strings.SplitSeq(l.Target, ",") {
				if id := targetID(cleanTarget(target)); id != "" {
					asked[id] = true
				}
			}
		}
	}
	return func(yield func(Tag) bool) {
		for t := range all {
			if (t.Path == path || asked[t.ID]) && !yield(t) {
				return
			}
		}
	}
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
	var defined map[string]bool // ids of the first kind of the chain
	return func(id string) bool {
		if exists(".moai/specs/SPEC-" + id + "/spec.md") {
			return true
		}
		if defined == nil {
			r, err := Collect(o)
			if err != nil {
				// A guard that cannot look must not hold work up.
				return true
			}
			defined = map[string]bool{}
			first := NewSet(kinds, func(func(Tag) bool) {}, nil).first()
			for t := range r.All() {
				if t.Definition && t.Kind == first {
					defined[t.ID] = true
				}
			}
		}
		return defined[id]
	}
}
