package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// word is the row of the table that a value of a field says, nil for none.
func word(t *rule.Specs, field, value string) *rule.SpecWord {
	folded := rule.SpecFold(value)
	if folded == "" {
		return nil
	}
	if w := single(t, field, folded); w != nil {
		return w
	}
	if f := fieldOf(t, field); f == nil || !f.Parts {
		return nil
	}
	// "P1 High": each of them is a word of the field, and the first one counts.
	var first *rule.SpecWord
	for part := range strings.SplitSeq(folded, "-") {
		w := single(t, field, part)
		if w == nil {
			return nil
		}
		if first == nil {
			first = w
		}
	}
	return first
}

// single is the row with a word, folded.
func single(t *rule.Specs, field, folded string) *rule.SpecWord {
	for i := range t.Words {
		w := &t.Words[i]
		if w.Field != field {
			continue
		}
		// The loader sees to it that words are folded: a session starts with hundreds of SPECs.
		if w.Name == folded || slices.Contains(w.Words, folded) {
			return w
		}
	}
	return nil
}

// fieldOf is a field of the standard, nil when it has none of that name.
func fieldOf(t *rule.Specs, name string) *rule.SpecField {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// says lists what a field may say; none for one that takes any text.
func says(t *rule.Specs, field string) []string {
	var names []string
	for i := range t.Words {
		if t.Words[i].Field == field {
			names = append(names, t.Words[i].Name)
		}
	}
	return names
}

// Check runs the examples of a table and says which of them fail, by the place of their row.
func Check(t *rule.Specs) []*rule.Problem {
	var problems []*rule.Problem
	fault := func(file string, line int, id, format string, args ...any) {
		problems = append(problems, &rule.Problem{File: file, Line: line, ID: id, Text: fmt.Sprintf(format, args...)})
	}
	for i := range t.Words {
		w := &t.Words[i]
		for _, list := range []struct {
			values []string
			want   bool
		}{{w.Hits, true}, {w.Misses, false}} {
			for _, v := range list.values {
				if got := word(t, w.Field, v) == w; got != list.want {
					fault(w.File, w.Line, w.ID, "%s %q says this: %t; expected %t", w.Field, v, got, list.want)
				}
			}
		}
	}
	for i := range t.Sections {
		s := &t.Sections[i]
		for _, list := range []struct {
			lines []string
			want  bool
		}{{s.Hits, true}, {s.Misses, false}} {
			for _, line := range list.lines {
				if got := ears(t, line) == s.Name; got != list.want {
					fault(s.File, s.Line, s.ID, "%q shows this kind: %t; expected %t", line, got, list.want)
				}
			}
		}
	}
	return problems
}
