package risk

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// Sensitive reports whether a path is, by its name, a file of credentials or
// keys, or one in which they often stand, which must not get into a branch that could be pushed.
func (s *Set) Sensitive(path string) bool {
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
