package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Sensitive reports whether a path is, by its name, a file of credentials or keys, or one in which they often stand.
func (s *Set) Sensitive(path string) bool {
	if s.private(path) {
		return true
	}
	for ; s != nil; s = s.More {
		if s.Keys != nil && s.Keys.Named(path) {
			return true
		}
	}
	return false
}

// Withheld reports whether a path must not get into a branch that could be pushed for its name: that of such a file, or of a copy
// of one.
func (s *Set) Withheld(path string) bool {
	if s.private(path) {
		return true
	}
	for set := s; set != nil; set = set.More {
		if set.Keys != nil && set.Keys.Copied(path, s.private) {
			return true
		}
	}
	return false
}

func (s *Set) private(path string) bool {
	c := checker{set: s}
	return c.names(path, false)&(rule.Secret|rule.SecretDir|rule.Key|rule.Private) != 0
}

// Branches reports whether the checkpoint before an operation is worth a branch.
func (s *Set) Branches(operation string) bool {
	for ; s != nil; s = s.More {
		if slices.Contains(s.Branched, operation) {
			return true
		}
	}
	return false
}

// Rebuilt reports whether a folder is, by its name, one that a build makes again.
func (s *Set) Rebuilt(name string) bool {
	c := checker{set: s}
	return c.names(name, false)&rule.Build != 0
}

// Peoples are names of what builds make under which people keep things of their own, too.
const Peoples = rule.Scratch | rule.Product | rule.Results

// Remade reports a name under which a build alone puts things, also where no rule of Git says so.
func (s *Set) Remade(name string) bool {
	c := checker{set: s}
	is := c.names(name, false)
	return is&rule.Build != 0 && is&Peoples == 0
}

// Excludes are the names of some families as lines of a .gitignore, in whatever case.
func (s *Set) Excludes(is, not rule.Names) (lines []string) {
	c := checker{set: s}
	for ; s != nil; s = s.More {
		for i := range s.Files {
			f := &s.Files[i]
			if f.Is&is == 0 {
				continue
			}
			for _, glob := range f.Globs {
				if c.names(strings.TrimSuffix(glob, "/"), true)&not == 0 {
					lines = append(lines, excludeLine(glob))
				}
				if s.In("everyday-words-of-keys", glob) {
					lines = append(lines, "!"+excludeLine(glob)+"/") // a package of that name holds no keys
				}
			}
			for _, glob := range f.Except {
				lines = append(lines, "!"+excludeLine(glob))
			}
		}
	}
	return lines
}

func excludeLine(glob string) string {
	var b strings.Builder
	if strings.Contains(strings.Trim(glob, "/"), "/") && !strings.HasPrefix(glob, "/") {
		b.WriteString("**/")
	}
	inside := false
	for _, r := range glob {
		switch inside = inside && r != ']' || r == '['; {
		case r >= 'a' && r <= 'z' && inside:
			b.WriteString(string(r) + strings.ToUpper(string(r)))
		case r >= 'a' && r <= 'z':
			b.WriteString("[" + string(r) + strings.ToUpper(string(r)) + "]")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
