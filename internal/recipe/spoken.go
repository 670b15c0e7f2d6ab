package recipe

import (
	"slices"
	"strings"
)

// What a file has a shell run for the value of a name is, in a command line that it runs later, as good as a substitution of that shell: who follows
// "rm -f $(find . -name '*.dat')" knows what goes.

// fromCommands reports a text of which all that is not known is what command lines print, and some of it is.
func fromCommands(parts []Part) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { return p.Prints != nil }) && !slices.ContainsFunc(parts, func(p Part) bool { return p.Unknown && p.Prints == nil })
}

// spoken is a command line in which substitutions stand for what other command lines print, but within single quotes, where they are no such.
func spoken(parts []Part) []Part {
	if !slices.ContainsFunc(parts, func(p Part) bool { return p.Prints != nil }) {
		return parts
	}
	var list []Part
	var q quotes
	for _, p := range parts {
		switch {
		case p.Prints != nil && !q.single:
			list = append(list, substituting(p.Prints)...)
		default:
			if list = append(list, p); !p.Unknown {
				q.read(p.Text)
			}
		}
	}
	return merged(list)
}

// substituting is the substitution of a shell for what a command line prints.
func substituting(line []Part) []Part {
	list := append([]Part{{Text: "$("}}, spoken(line)...)
	if strings.Contains(shown(line), "#") {
		list = append(list, Part{Text: "\n"}) // a comment would take the bracket along
	}
	return append(list, Part{Text: ")"})
}

// quotes tells where in the quotes of a shell a text ends.
type quotes struct{ single, double, escaped bool }

func (q *quotes) read(s string) {
	for i := range len(s) {
		switch c := s[i]; {
		case q.escaped:
			q.escaped = false
		case c == '\'' && !q.double:
			q.single = !q.single
		case q.single:
		case c == '\\':
			q.escaped = true
		case c == '"':
			q.double = !q.double
		}
	}
}
