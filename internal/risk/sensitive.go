package risk

import "github.com/modu-ai/moai/internal/rule"

// Sensitive reports whether a path is, by its name, a file of credentials or
// keys, which must not get into a branch that could be pushed.
func (s *Set) Sensitive(path string) bool {
	c := checker{set: s}
	return c.names(path, false)&(rule.Secret|rule.SecretDir|rule.Key) != 0
}

// Rebuilt reports whether a folder is, by its name, one that a build makes again.
func (s *Set) Rebuilt(name string) bool {
	c := checker{set: s}
	return c.names(name, false)&rule.Build != 0
}
