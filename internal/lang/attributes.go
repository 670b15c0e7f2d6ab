package lang

import (
	"strings"

	"github.com/modu-ai/moai/internal/ignore"
)

// attributes are the linguist-* attributes of a tree's .gitattributes files, by
// which people correct what their repository is said to be.
type attributes struct {
	rules   []attributeRule
	folders []int // those of the rules that speak of everything below certain folders
}

type attributeRule struct {
	dir      string // "" or "a/b/": the folder of the file
	pattern  string
	anchored bool   // the pattern has a slash: it is matched against the path
	start    string // what the path must begin with when the pattern is anchored
	tail     string // and end in
	end      string // what the file must end in when the pattern is "*" and that
	name     string
	value    string // "true", "false", or a language
	lang     int16  // the language that value means; 0 when nobody is called so
	below    uint64 // the bit of a rule for everything below the folders that pattern names; 0 for others
}

// maxBelow is how many rules for whole folders have a bit; a tree has one or two,
// and those after the last one are asked for each file like all others.
const maxBelow = 64

// parse adds the rules of one file. Files are added from the root down; the last
// rule that matches wins, as in git.
func (a *attributes) parse(t *Table, dir string, data []byte) {
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0][0] == '#' || fields[0][0] == '[' {
			continue
		}
		pattern := strings.Trim(fields[0], `"`)
		for _, f := range fields[1:] {
			name, value, ok := strings.Cut(f, "=")
			if !ok {
				value = "true"
			}
			// "-linguist-vendored" unsets. "!name" (unspecified) is so rare that it stays unread.
			if rest, neg := strings.CutPrefix(name, "-"); neg {
				name, value = rest, "false"
			}
			// GitLab reads its own name first and Linguist's after it; nobody sets both apart.
			if name == "gitlab-language" {
				name = "linguist-language"
			}
			if !strings.HasPrefix(name, "linguist-") {
				continue
			}
			r := attributeRule{dir: dir, pattern: strings.TrimPrefix(pattern, "/"), anchored: strings.Contains(pattern, "/"), name: strings.TrimPrefix(name, "linguist-"), value: value}
			if end, ok := strings.CutPrefix(r.pattern, "*"); ok && !r.anchored && !strings.ContainsAny(end, "*?[\\") {
				r.end = end
			}
			// What a path must begin and end with. A bracket in a folder's name ends the
			// start early, which only costs a comparison.
			if r.start = r.dir + r.pattern; strings.ContainsAny(r.start, "*?[\\") {
				r.start = r.start[:strings.IndexAny(r.start, "*?[\\")]
			}
			if folder, ok := strings.CutSuffix(r.pattern, "/**"); ok && folder != "" && len(a.folders) < maxBelow {
				r.pattern, r.below = folder, 1<<len(a.folders)
				a.folders = append(a.folders, len(a.rules))
			}
			r.tail = r.pattern[strings.LastIndexAny(r.pattern, "*?[]\\")+1:]
			if r.name == "language" {
				r.lang = t.find(value)
			}
			a.rules = append(a.rules, r)
		}
	}
}

// verdict is what the attributes say of one file; empty strings are silence.
type verdict struct {
	language                                       int16
	vendored, generated, documentation, detectable string
}

// onExtension says whether a pattern on names may match one with that extension;
// most patterns of a tree are about a few extensions, and most files have another.
func (a *attributes) onExtension(ext string) bool {
	if a == nil {
		return false
	}
	for i := range a.rules {
		switch r := &a.rules[i]; {
		case r.anchored:
		case r.end != "":
			if strings.HasSuffix(r.end, ext) || strings.HasSuffix(ext, r.end) {
				return true
			}
		case strings.ContainsAny(r.pattern, "*?[\\") || strings.HasSuffix(r.pattern, ext):
			return true
		}
	}
	return false
}

// onFolder says which rules for whole folders hold in the folder "a/b/", given those
// that hold above it, and whether any pattern on paths may match a file there.
func (a *attributes) onFolder(dir string, above uint64) (below uint64, ruled bool) {
	if a == nil {
		return 0, false
	}
	below = above
	for _, i := range a.folders {
		r := &a.rules[i]
		if rel, within := strings.CutPrefix(dir, r.dir); within && rel != "" && below&r.below == 0 {
			rel = rel[:len(rel)-1]
			if strings.HasSuffix(rel, r.tail) && ignore.Wildmatch(r.pattern, rel, ignore.Pathname) {
				below |= r.below
			}
		}
	}
	if below != 0 {
		return below, true
	}
	for i := range a.rules {
		r := &a.rules[i]
		rest, within := strings.CutPrefix(r.start, dir)
		if r.anchored && r.below == 0 && (strings.HasPrefix(dir, r.start) || within && !strings.Contains(rest, "/")) {
			return 0, true
		}
	}
	return 0, false
}

// of asks every rule about one file. A tree has a handful of rules and most of its
// files never come here, see onExtension and onFolder; so there is no index over them.
// within is what onFolder said of the file's folder.
func (a *attributes) of(file string, within uint64) (v verdict) {
	base := file[strings.LastIndexByte(file, '/')+1:]
	for i := range a.rules {
		r := &a.rules[i]
		rel, below := strings.CutPrefix(file, r.dir)
		if !below {
			continue
		}
		switch {
		case r.below != 0:
			below = within&r.below != 0
		case r.end != "":
			below = strings.HasSuffix(base, r.end)
		case r.anchored:
			// Both ends first: "**/gen/*.kt" goes through the whole path of every file.
			below = strings.HasSuffix(file, r.tail) && strings.HasPrefix(file, r.start) && ignore.Wildmatch(r.pattern, rel, ignore.Pathname)
		default:
			below = ignore.Wildmatch(r.pattern, base, 0)
		}
		if !below {
			continue
		}
		switch r.name {
		case "language":
			v.language = r.lang
		case "vendored":
			v.vendored = r.value
		case "generated":
			v.generated = r.value
		case "documentation":
			v.documentation = r.value
		case "detectable":
			v.detectable = r.value
		}
	}
	return v
}

// marks says whether they say anything of what kind of file it is.
func (v verdict) marks() bool {
	return v.vendored != "" || v.generated != "" || v.documentation != "" || v.detectable != ""
}

// kind corrects what the path lists say.
func (v verdict) kind(k PathKind) PathKind {
	for _, x := range []struct {
		value string
		kind  PathKind
	}{{v.documentation, Documentation}, {v.generated, Generated}, {v.vendored, Vendored}} {
		switch {
		case x.value == "true":
			k = x.kind
		case x.value == "false" && k == x.kind:
			k = Own
		}
	}
	return k
}

// attributed is scan.file for trees with linguist attributes.
func (s *scan) attributed(path, name string, size int64, ref Ref, globs []NameGlob, executable bool) {
	in := s.current()
	v := s.attrs.of(path, in.below)
	named := max(in.kind, s.t.nameKind(name, s.atRoot(), true, globs))
	if in.scripts && plainScript(name) {
		named = max(named, Vendored)
	}
	kind := v.kind(named)
	if v.language != 0 {
		ref = Ref{Lang: v.language}
	}
	if kind != Own || v.detectable == "false" {
		if s.each != nil && ref.Lang != 0 {
			s.eachOf(path, ref.Lang, max(kind, Documentation), size)
		}
		return
	}
	if ref.Lang == 0 && ref.Claims == 0 {
		if size > 0 && s.t.runnable(name, executable) {
			s.doubt(doubt{path: strings.Clone(path), size: size, dir: s.node()})
		}
		return
	}
	if ref.Claims != 0 && size > 0 && s.worthOpening(path, ref) {
		s.unsure(doubt{path: strings.Clone(path), size: size, decide: s.decider(ref), dir: s.node(), lang: ref.Lang})
		return
	}
	if v.detectable == "true" && ref.Lang != 0 {
		s.detectable(ref.Lang)
	}
	if size >= bigFile && v.language == 0 && v.generated == "" && s.t.Language(ref.Lang).Counts() {
		s.large(path, ref.Lang, size)
		return
	}
	s.count(path, s.node(), ref.Lang, size)
}

// detectable makes a language that does not count by itself (data, prose) count.
func (s *scan) detectable(lang int16) {
	if s.counts == nil {
		s.counts = map[int16]bool{}
	}
	s.counts[s.t.counted(lang)] = true
}
