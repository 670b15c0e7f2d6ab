package jit

import (
	"path"
	"strings"
)

// fileMatch reports whether a path below the root fits a glob of an instructions rule.
func fileMatch(glob, name string) bool {
	ok, err := path.Match(glob, strings.TrimPrefix(name, "./"))
	return err == nil && ok && !isClaude(name)
}
