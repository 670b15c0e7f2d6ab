package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// names finds the families that a path belongs to by its name alone.
func (c *checker) names(p string, wild bool) rule.Names {
	var set rule.Names
	// Case is no protection: .ENV is .env on two of three systems.
	p = strings.ToLower(strings.TrimRight(p, "/"))
	if p == "" {
		return 0
	}
	for wild && strings.Contains(p, "**") {
		p = strings.ReplaceAll(p, "**", "*") // the same here
	}
	base := p[strings.LastIndexByte(p, '/')+1:]
	folder := strings.TrimSuffix(p[:len(p)-len(base)], "/")
	dir := c.folder(folder, wild && strings.ContainsAny(folder, "*?["))
	heads := dir.heads | rule.Head(base)
	i := 0
	for s := c.set; s != nil; s = s.More {
		for j := range s.Files {
			f, in := &s.Files[j], dir.in[i]
			i++
			// Several tables may speak of one family; the first that fits is enough.
			if set&f.Is != 0 {
				continue
			}
			globs := f.Globs
			if !wild && f.Heads&heads == 0 {
				globs = globs[:f.Any]
			}
			if (in.is || anyName(globs, p, base, heads, wild)) && !in.not && !anyName(f.Except, p, base, heads, false) {
				set |= f.Is
			}
		}
	}
	return set
}

// inFolder is what a folder says about all names in it.
type inFolder struct {
	heads uint64                   // of its parts
	in    []struct{ is, not bool } // what each table of names says
}

// folder remembers that: many names of one line are in one folder, and that may be long. Of a wild one parts are patterns of the shell.
func (c *checker) folder(dir string, wild bool) *inFolder {
	key := dir
	if wild {
		key = "\x00" + dir // no path has that
	}
	f, ok := c.folders[key]
	if ok {
		return f
	}
	f = &inFolder{heads: rule.Head("/")}
	for part := range strings.SplitSeq(dir, "/") {
		if part != "" {
			f.heads |= rule.Head(part)
		}
	}
	for s := c.set; s != nil; s = s.More {
		f.in = slices.Grow(f.in, len(s.Files))
		for i := range s.Files {
			t := &s.Files[i]
			is := f.among(t.Globs, dir) || wild && slices.ContainsFunc(t.Globs, func(pattern string) bool { return picksFolder(dir, pattern) })
			f.in = append(f.in, struct{ is, not bool }{is, f.among(t.Except, dir)})
		}
	}
	if c.folders == nil {
		c.folders = map[string]*inFolder{}
	}
	c.folders[key] = f
	return f
}

// picksFolder reports that a path of which parts are patterns goes through a folder: ~/.[s]sh. At least half of such a part's letters have
// to be there: "*" stands for too much.
func picksFolder(dir, pattern string) bool {
	name, ok := strings.CutSuffix(pattern, "/")
	if !ok {
		return false
	}
	want, parts := strings.Split(name, "/"), strings.Split(dir, "/")
	for from := 0; from+len(want) <= len(parts); from++ {
		fits := true
		for i, w := range want {
			p := parts[from+i]
			if wild := strings.ContainsAny(p, "*?["); wild {
				fits = 2*lettersOf(p) >= len(w) && shell.Picks(p, w)
			} else {
				fits = glob(w, p)
			}
			if !fits {
				break
			}
		}
		if fits {
			return true
		}
	}
	return false
}

// lettersOf counts what stands for itself in a pattern of the shell.
func lettersOf(pattern string) (n int) {
	in := false
	for i := 0; i < len(pattern); i++ {
		switch b := pattern[i]; {
		case b == '[':
			in = true
		case b == ']':
			in = false
		case !in && b != '*' && b != '?':
			n++
		}
	}
	return n
}

// among reports that one of the patterns is a folder on the way.
func (f *inFolder) among(patterns []string, dir string) bool {
	for _, pattern := range patterns {
		if name, ok := strings.CutSuffix(pattern, "/"); ok && dir != "" && rule.Head(pattern)&f.heads != 0 && passes(dir, name) {
			return true
		}
	}
	return false
}

// anyName reports whether a path ends as one of the patterns says.
func anyName(patterns []string, p, base string, heads uint64, wild bool) bool {
	for _, pattern := range patterns {
		if !wild {
			end := strings.TrimSuffix(pattern, "/")
			if end == "" || rule.Head(pattern)&heads == 0 {
				continue
			}
			if b := end[len(end)-1]; b != '*' && b != '?' && b != p[len(p)-1] {
				continue
			}
		}
		if named(pattern, p, base, wild) {
			return true
		}
	}
	return false
}

// within reports whether dir is one or more whole parts of p, next to each other.
func within(p, dir string) bool {
	for from := 0; ; from++ {
		i := strings.Index(p[from:], dir)
		if i < 0 {
			return false
		}
		from += i
		end := from + len(dir)
		if (from == 0 || p[from-1] == '/') && (end == len(p) || p[end] == '/') {
			return true
		}
	}
}

// passes reports whether a folder of that name, which may be a pattern, is dir or above it.
func passes(dir, name string) bool {
	if strings.IndexByte(name, '*') < 0 && strings.IndexByte(name, '?') < 0 || strings.Contains(name, "/") { // IndexAny makes a set of bytes first
		return within(dir, name)
	}
	for part := range strings.SplitSeq(dir, "/") {
		if glob(name, part) {
			return true
		}
	}
	return false
}

// named compares a lower-case path with a pattern: "name" is a base name, "a/b"
// the end of the path, "name/" a folder of that name, for which passes looks at the others. With wild
// the path is itself a pattern, and fits when it could stand for the name.
func named(pattern, p, base string, wild bool) bool {
	pattern, folder := strings.CutSuffix(pattern, "/")
	n := strings.Count(pattern, "/")
	tail := base
	if n > 0 {
		tail = lastParts(p, n+1)
	}
	if glob(pattern, tail) {
		return true
	}
	if !wild || folder || strings.Count(tail, "/") != n {
		return false
	}
	first := strings.IndexAny(tail, "*?[")
	if star := strings.IndexByte(pattern, '*'); star >= 0 {
		// ".env?" may stand for ".env.local": their known beginnings agree.
		known := tail
		if first >= 0 {
			known = tail[:first]
		}
		return len(known) >= 4 && strings.HasPrefix(pattern[:star], known)
	}
	// ".e*" may stand for ".env"; "*.toml" stands for too much to say that it is
	// secrets.toml, so the beginning or most of the name has to be there.
	letters, marks := 0, 0
	for i := 0; i < len(tail); i++ {
		switch tail[i] {
		case '*':
		case '?', '[', ']':
			marks++
		default:
			letters++
		}
		if letters+marks > len(pattern) { // each stands for a letter
			return false
		}
	}
	return (first >= 2 || letters*4 >= len(pattern)*3) && glob(tail, pattern)
}

// lastParts is the last n parts of a path, all of it if there are no more.
func lastParts(p string, n int) string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] != '/' {
			continue
		}
		if n--; n == 0 {
			return p[i+1:]
		}
	}
	return p
}
