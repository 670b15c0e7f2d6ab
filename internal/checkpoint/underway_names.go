package checkpoint

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

const (
	// maxNames bounds the words that are looked up as names of objects. Those of long lists are mostly one line of history.
	maxNames = 4000
	// maxShort bounds those that are abbreviated, each of which is looked for in every pack.
	maxShort = 200
	// maxNaming is the size of files that are searched for names: what is bigger is a patch.
	maxNaming = 1 << 20
)

// named collects the words of a file that may name objects. The last ones of a list count first: of a history, they have the rest
// among their ancestors.
func (s *opState) named(file string, b []byte) {
	if len(b) > maxNaming {
		return
	}
	short := 0
	for line := range strings.Lines(reversed(string(b))) {
		for _, word := range strings.Fields(line) {
			if len(s.names) >= maxNames || !digits(word) {
				continue
			}
			switch full := len(word) == 40 || len(word) == 64; {
			case full:
			// Git abbreviates in the lists of what is to be picked, and nowhere else.
			case strings.HasSuffix(file, "todo") && short < maxShort:
				short++
			default:
				continue
			}
			s.names = append(s.names, word)
		}
	}
}

// reversed has the lines of a text in the other order.
func reversed(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// digits says whether a word can be the name of an object, or begin one.
func digits(word string) bool {
	return len(word) >= 4 && len(word) <= 64 && strings.Trim(word, "0123456789abcdef") == ""
}

// objects finds what the files name: commits that no other of them descends from, and, in e, trees and blobs. Git itself keeps
// only some of them from its gc. over says that there are too many.
func (s *opState) objects(r *repo.Repo, e *edits) (tips []repo.Hash, over bool) {
	seen, above := map[repo.Hash]bool{}, map[repo.Hash]bool{}
	for _, word := range s.names {
		h, ok := r.Expand(word)
		if !ok || h.IsZero() || seen[h] {
			continue
		}
		seen[h] = true
		if c, err := r.Commit(h); err == nil {
			tips = append(tips, h)
			for _, p := range c.Parents {
				above[p] = true
			}
			continue
		}
		// AUTO_MERGE names a tree.
		switch k, _, err := r.Object(h); {
		case err != nil:
		case k == repo.KindTree:
			e.set(keptFolder+"/"+h.String(), Side{repo.ModeDir, h})
		case k == repo.KindBlob:
			e.set(keptFolder+"/"+h.String(), Side{repo.ModeFile, h})
		}
	}
	tips = slices.DeleteFunc(tips, func(h repo.Hash) bool { return above[h] })
	if len(tips) > maxPins {
		return tips[:maxPins], true
	}
	return tips, len(s.names) >= maxNames
}
