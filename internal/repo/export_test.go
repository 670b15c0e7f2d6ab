package repo

import (
	"runtime"
	"testing"
)

// Situations builds each case of the matrix for tests of the packages above, and gives its name and its work tree.
func Situations(t *testing.T, f func(t *testing.T, name, dir string)) {
	home := sandbox(t)
	for _, c := range matrix {
		if c.unix && runtime.GOOS == "windows" {
			continue
		}
		t.Run(c.name, func(t *testing.T) { f(t, c.name, c.build(t, home).at) })
	}
}
