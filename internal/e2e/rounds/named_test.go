//go:build linux

package rounds

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// named says whether a person was told that a thing does not come back, or whether it is there all the same. There is no list of known
// failures: each case here is a sentence that the person has read before the line ran, or a rule of what counts as lost.
func (w *world) named(text, key string, before, after *sight) bool {
	kind, rest, _ := strings.Cut(key, " ")
	for line := range strings.Lines(text) {
		if list, ok := strings.CutPrefix(strings.TrimSpace(line), "not in it: "); ok && mentions(list, rest) {
			return true
		}
		if _, list, ok := strings.Cut(line, "nothing brings back "); ok && (mentions(list, rest) || picked(list, filepath.Join(w.work, rest))) {
			return true
		}
		// A person is asked, and reads that no checkpoint reaches there.
		if _, list, ok := strings.Cut(line, "outside this project, where no checkpoint reaches ("); ok && w.outside(list, key, before, after) {
			return true
		}
		if list, ok := strings.CutPrefix(strings.TrimSpace(line), "not brought back by it: "); ok && mentions(list, rest) {
			return true
		}
	}
	for line := range strings.Lines(text) {
		if list, _, ok := strings.Cut(line, ": a repository of its own goes with its whole history"); ok {
			list, more := strings.TrimPrefix(strings.TrimSpace(list), "moai: "), strings.Contains(list, " more")
			if more || slices.ContainsFunc(strings.Split(list, ", "), func(name string) bool { return strings.Contains(filepath.Join(w.work, rest), name) }) {
				return true
			}
		}
	}
	if w.stashed(text, key, before, after) {
		return true
	}
	switch kind {
	case "one": // file: who reads one of its names there knows of it
		_, list, _ := strings.Cut(text, "names of one file (hard links): ")
		list, _, _ = strings.Cut(list, "\n")
		for name := range strings.Lines(before.items[key]) {
			if list != "" && mentions(list, strings.TrimSpace(name)) {
				return true
			}
		}
	case "file", "link":
		// Rules have no say about what is new in a folder that a build makes again, be it ignored or not (files = "build" of fs.delete-tree): a
		// snapshot before each `rm -rf build` would say that something had been in danger. What Git tracks there is another thing.
		if _, tracked := before.entry(rest); !tracked && slices.ContainsFunc(strings.Split(filepath.Dir(rest), "/"), func(name string) bool { return name == "build" || name == "node_modules" }) {
			return true
		}
		// Names that programs give are free by the rules also where no repository says what is ignored.
		if !before.held(rest) && isResult(rest) {
			return true
		}
		if before.ignored["file "+rest] {
			// What no checkpoint holds and a line moved is where the line put it.
			if after.moved(before, before.content[key]) {
				return true
			}
			// What is ignored and lies in a folder of results is made again, whatever its own name is: a promise of moai's documents (dist, build and the
			// like), which copies no more than credentials from there.
			if slices.ContainsFunc(strings.Split(filepath.Dir(rest), "/"), func(name string) bool { return name == "build" || name == "dist" }) && !credentials(rest) {
				return true
			}
			if isResult(rest) {
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
		if slices.ContainsFunc(strings.Split(rest, "/"), func(name string) bool { return slices.Contains([]string{"build", "dist", "node_modules"}, name) }) { // as files there
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

// stashed says whether the line itself has put a thing into the stash, and the printed way back leads to another work tree.
func (w *world) stashed(text, key string, before, after *sight) bool {
	_, way, _ := strings.Cut(text, "bring it back: cd ")
	dir, _, elsewhere := strings.Cut(way, " && ")
	kind, rest, _ := strings.Cut(key, " ")
	if rel, err := filepath.Rel(w.work, dir); !elsewhere || err != nil || strings.HasPrefix(rest, rel) || after.entries() <= before.entries() {
		return false
	}
	switch kind {
	case "file", "link":
		return after.holds(w, before.content[key])
	case "index":
		return w.held(after)[strings.Fields(before.items[key])[1]]
	}
	return false
}

// entries counts those of the stash.
func (s *sight) entries() (n int) {
	for key := range s.items {
		if strings.HasPrefix(key, "stash ") {
			n++
		}
	}
	return n
}

// results are names of files that are made again, where Git ignores them.
var results = []string{"*.log", "*.o", "*.tmp"}

// credentials says whether a file is one of those that moai copies from such folders, by the names that this rig gives them.
func credentials(p string) bool {
	base := filepath.Base(p)
	return strings.HasPrefix(base, ".env") || base == "credentials.json" || base == "id_rsa"
}

func isResult(p string) bool {
	return slices.ContainsFunc(results, func(glob string) bool { ok, _ := filepath.Match(glob, filepath.Base(p)); return ok })
}

// held says whether a file lies in the work tree of a repository.
func (s *sight) held(p string) bool {
	return slices.ContainsFunc(s.repos, func(t tree) bool { return t.dir != "" && (t.name == "." || strings.HasPrefix(p, t.name+"/")) })
}

// moved says whether a content is in a file where none was before.
func (s *sight) moved(before *sight, b []byte) bool {
	for key, now := range s.content {
		if _, was := before.content[key]; !was && bytes.Equal(now, b) {
			return true
		}
	}
	return false
}

// picked says whether a pattern of a list for people picks a file.
func picked(list, p string) bool {
	for glob := range strings.SplitSeq(list, ", ") {
		glob, _, _ = strings.Cut(glob, ": ")
		if ok, _ := filepath.Match(strings.TrimSpace(glob), p); ok {
			return true
		}
	}
	return false
}

// outside says whether a thing lies in a folder that a list names by its whole path. What a work tree shares with others has to be there
// all the same, by the name of one of these.
func (w *world) outside(list, key string, before, after *sight) bool {
	kind, rest, _ := strings.Cut(key, " ")
	list, _, _ = strings.Cut(list, ")")
	for dir := range strings.SplitSeq(list, ", ") {
		rel, err := filepath.Rel(w.work, dir)
		under, in := strings.CutPrefix(rest, rel)
		if err != nil || !filepath.IsLocal(rel) || !in || under != "" && under[0] != '/' && under[0] != ' ' {
			continue
		}
		switch kind {
		case "ref", "stash", "setting":
			return slices.ContainsFunc(after.repos, func(t tree) bool { return after.items[kind+" "+t.name+under] == before.items[key] })
		}
		return true
	}
	return false
}

// mentions says whether a list for people names a path, by its last elements or in a remainder that is counted.
func mentions(list, rest string) bool {
	parts := strings.Split(rest, "/")
	for i := range parts {
		name := strings.Join(parts[i:], "/")
		if at := strings.Index(list, name); at >= 0 && (at == 0 || strings.ContainsAny(list[at-1:at], " /'\"")) {
			return true
		}
	}
	return strings.Contains(list, " more")
}

func within(part, all []string) bool {
	return !slices.ContainsFunc(part, func(s string) bool { return !slices.Contains(all, s) })
}

// holds says whether Git still has a content.
func (s *sight) holds(w *world, b []byte) bool {
	held := w.held(s)
	return slices.ContainsFunc(names(b), func(n string) bool { return held[n] })
}

// entry is what an index holds for a file, given by its path below the folder of all.
func (s *sight) entry(p string) (what string, ok bool) {
	for _, t := range s.repos {
		if rel, under := strings.CutPrefix(p, t.name+"/"); under {
			if what, ok = s.items["index "+t.name+" 0 "+rel]; ok {
				return what, true
			}
		}
	}
	return "", false
}
