package recipe

import (
	"slices"
	"strings"
)

// Files of recipes give names values: for what they write in command lines, and for the environment of what runs.

// scope is what names stand for.
type scope struct {
	vars map[string][]Part
	env  []Var
}

// inner is the scope within another one, with what some members give; member finds one by its path.
func (f *Form) inner(outer scope, member func(path string) *node) scope {
	s := scope{vars: map[string][]Part{}, env: slices.Clone(outer.env)}
	for name, value := range outer.vars {
		s.vars[name] = value
	}
	for _, path := range f.Loads {
		for _, file := range member(path).texts() {
			if text, ok := f.read(file); ok {
				s.env = append(s.env, Dotenv(text)...)
			}
		}
	}
	f.each(f.Vars, member, func(name string, value *node) { s.vars[name] = f.worth(value, &s) })
	f.each(f.Puts, member, func(name string, value *node) {
		if parts := f.worth(value, &s); parts != nil {
			s.env = append(s.env, Var{Name: name, Parts: parts, Weak: true})
		}
	})
	for _, name := range f.Given {
		delete(s.vars, name) // the line gives it another one
	}
	return s
}

// each goes through the names that some members give values.
func (f *Form) each(paths []string, member func(path string) *node, set func(name string, value *node)) {
	for _, path := range paths {
		n := member(path)
		if n == nil {
			continue
		}
		for i, name := range n.keys[:min(len(n.keys), maxExports)] {
			if plainName(name) {
				set(name, n.list[i])
			}
		}
	}
}

// worth is what a member gives a name: a text, or what a command line prints; nil where that is not known.
func (f *Form) worth(n *node, s *scope) []Part {
	if line := n.member(f.Prints); f.Prints != "" && line != nil && line.text != "" {
		return []Part{{Text: "$(" + line.text + ")", Unknown: true, Prints: f.filled(line.text, s)}}
	}
	if len(n.keys) > 0 || len(n.list) > 0 {
		return nil
	}
	return merged(f.filled(n.text, s))
}

// filled is a text with the values that it names.
func (f *Form) filled(line string, s *scope) []Part {
	if f.Open == "" {
		return text(line)
	}
	return filled(line, f.Open, f.Closed, func(name string) ([]Part, bool) {
		name = strings.TrimPrefix(name, ".")
		if f.Rest != "" && name == f.Rest {
			return f.Behind, size(f.Behind) <= maxText
		}
		value, ok := s.vars[name]
		return value, ok && value != nil && size(value) <= maxText
	})
}

// read is the text of a file that the manifest names.
func (f *Form) read(name string) (string, bool) {
	if f.Text == nil || name == "" {
		return "", false
	}
	return f.Text(beside(f.Base, "", name))
}

// texts are those of a node: itself, or of a list.
func (n *node) texts() (list []string) {
	if n == nil {
		return nil
	}
	if n.text != "" {
		return []string{n.text}
	}
	for _, one := range n.list[:min(len(n.list), 4)] {
		if one.text != "" {
			list = append(list, one.text)
		}
	}
	return list
}

// Dotenv are the variables in a file of them, as those who load it take them: a value that is there already stays.
func Dotenv(s string) (list []Var) {
	for line := range strings.Lines(s) {
		name, value, is := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if name = strings.TrimSpace(name); !is || !plainName(name) || len(list) == maxExports {
			continue
		}
		list = append(list, Var{Name: name, Parts: text(scalar(value)), Weak: true})
	}
	return list
}
