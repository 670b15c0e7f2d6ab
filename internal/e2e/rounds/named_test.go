//go:build linux

package rounds

import (
	"path/filepath"
	"slices"
	"strings"
)

// named says whether a person was told that a thing does not come back, or whether it is there all the same. There is no list of known
// failures: each case here is a sentence that the person has read before the line ran, or a rule of what counts as lost.
func (w *world) named(text, key string, before, after *sight) bool {
	kind, rest, _ := strings.Cut(key, " ")
	switch kind {
	case "file", "link":
		if before.ignored["file "+rest] {
			// What is ignored and lies in a folder of results is made again: a promise of moai's documents.
			if slices.Contains(strings.Split(filepath.Dir(rest), "/"), "build") {
				return true
			}
			// git stash -a takes ignored files into the stash, which is there.
			if after.holds(w, before.content[key]) {
				return true
			}
			if strings.Contains(text, "ignored files such as .env, which no checkpoint holds") {
				return true
			}
		}
	case "folder":
		if strings.HasSuffix(rest, "/build") {
			return true
		}
	case "setting":
		// A line may add settings; those that were there are what counts.
		if rows := strings.Split(before.items[key], "\n"); after.items[key] != "" && within(rows, strings.Split(after.items[key], "\n")) {
			return true
		}
		if strings.Contains(text, "not brought back by it: the remote's settings") && strings.HasSuffix(rest, " config") {
			return true
		}
	}
	return false
}

func within(part, all []string) bool {
	return !slices.ContainsFunc(part, func(s string) bool { return !slices.Contains(all, s) })
}

// holds says whether Git still has a content.
func (s *sight) holds(w *world, b []byte) bool {
	held := w.held(s)
	return slices.ContainsFunc(names(b), func(n string) bool { return held[n] })
}
