package risk

import (
	"slices"

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
