package lang

import (
	"slices"
	"strings"
)

// dirKind says what the files below a folder are, given what the folder above
// it is: a vendored tree stays vendored all the way down.
func (t *Table) dirKind(name, parent string, root bool, above PathKind) PathKind {
	kind := above
	for _, r := range t.dir(name) {
		if r.Kind != Ignored && (root || !r.Root) && (r.Parent == "" || r.Parent == parent) {
			kind = max(kind, r.Kind)
		}
	}
	for i := range t.DirGlobs {
		r := &t.DirGlobs[i]
		if r.Parent != "" && r.Parent != parent || r.Root && !root {
			continue
		}
		if front, ok := strings.CutSuffix(name, r.Name); ok && match(r.Glob, front) {
			kind = max(kind, r.Kind)
		}
	}
	return kind
}

// scripts says whether a folder's name, or a file's, is that of a library as far as
// Linguist sees it: its patterns for such libraries ("jquery([^.]*)\.js") run over
// slashes, and so take react-dom/src/client/index.js for a part of React, too.
func (t *Table) scripts(name string) bool {
	if strings.IndexByte(name, '.') >= 0 {
		return false
	}
	for _, p := range t.Scripts {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// plainScript says whether a name is that of a script with one dot.
func plainScript(name string) bool {
	stem, ok := strings.CutSuffix(name, ".js")
	return ok && strings.IndexByte(stem, '.') < 0
}

// ignoredDir says whether a walk stays out of a folder of that name. Files that
// are tracked count all the same: src/target/ may be anybody's package.
func (t *Table) ignoredDir(name string) bool {
	for _, r := range t.dir(name) {
		if r.Kind == Ignored {
			return true
		}
	}
	return false
}

// nameKind says what a file is by its name alone. globs are those of its
// extension; named says that some name with that extension is in the lists.
func (t *Table) nameKind(name string, root, named bool, globs []NameGlob) PathKind {
	kind := Own
	if named {
		if r := t.Name(name); r.Kind != Own && (root || !r.Root) {
			kind = r.Kind
		}
	}
	return globKind(globs, name, max(kind, t.stemKind(name, root)))
}

// stemKind is what the name up to its first dot says.
func (t *Table) stemKind(name string, root bool) PathKind {
	if i := strings.IndexByte(name, '.'); i >= stemBytes && slices.Contains(t.Stems, name[:stemBytes]) {
		if r := t.Stem(name[:i]); r.Kind != Own && (root || !r.Root) {
			return r.Kind
		}
	}
	return Own
}

// globKind is what the patterns on an extension say, if that is more than kind.
func globKind(globs []NameGlob, name string, kind PathKind) PathKind {
	for i := range globs {
		g := &globs[i]
		if g.Kind > kind && len(name) >= len(g.Head)+len(g.Tail) && name[len(name)-len(g.Tail):] == g.Tail && name[:len(g.Head)] == g.Head &&
			match(g.Pattern, name[len(g.Head):len(name)-len(g.Tail)]) {
			kind = g.Kind
		}
	}
	return kind
}

// PathKind says whether a file with that path (slashes, relative to the root)
// counts, and if not, why.
func (t *Table) PathKind(path string) PathKind {
	kind, parent, root, scripts := Own, "", true, false
	for {
		dir, rest, ok := strings.Cut(path, "/")
		if !ok {
			break
		}
		kind = t.dirKind(dir, parent, root, kind)
		scripts = scripts && strings.IndexByte(dir, '.') < 0 || t.scripts(dir)
		path, parent, root = rest, dir, false
	}
	if scripts && plainScript(path) {
		kind = max(kind, Vendored)
	}
	return max(kind, t.nameKind(path, root, true, t.globs(extension(path))))
}

// match is the small pattern language of the path lists: "*" any run, "~" a run
// without a dot, "#" digits. Names have no slash. It backtracks, but patterns
// are our own and short.
func match(pattern, name string) bool {
	for pattern != "" {
		switch c := pattern[0]; c {
		case '*', '~', '#':
			rest := pattern[1:]
			i := 0
			if c == '#' {
				if name == "" || !digit(name[0]) {
					return false
				}
				i = 1
			}
			for ; ; i++ {
				if match(rest, name[i:]) {
					return true
				}
				if i == len(name) || c == '~' && name[i] == '.' || c == '#' && !digit(name[i]) {
					return false
				}
			}
		default:
			if name == "" || name[0] != c {
				return false
			}
			pattern, name = pattern[1:], name[1:]
		}
	}
	return name == ""
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
