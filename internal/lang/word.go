package lang

import (
	"slices"
	"strings"
)

// named says that a value without a leading digit still states a version: a
// release line by its name ("lts/iron", "stable"), or an implementation with its
// version ("pypy3.10-7.3.15"). Any other word is none: "system", "latest" and
// "node" say whatever is there, and in .python-version stands, as often, the
// name that somebody gave a virtual environment ("shop-3.11").
func (t *Table) named(v string) bool {
	v = strings.ToLower(v)
	if line, ok := strings.CutPrefix(v, "lts/"); ok {
		return line == "*" || releaseLine(line)
	}
	if slices.Contains(t.Projects.Releases, v) {
		return true
	}
	letters := strings.IndexFunc(v, func(c rune) bool { return c < 'a' || c > 'z' })
	if letters <= 0 || !strings.ContainsAny(v[letters:], "0123456789") {
		return false
	}
	return slices.Contains(t.Projects.Implementations, v[:letters])
}

// releaseLine takes what nvm takes behind "lts/": the name of a line ("iron"),
// its number, or how many lines back ("-1").
func releaseLine(s string) bool {
	for _, c := range strings.TrimPrefix(s, "-") {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
