package lang

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/ignore"
)

// attributes are the linguist-* attributes of a tree's .gitattributes files, by
// which people correct what their repository is said to be.
type attributes struct{ rules []attributeRule }

type attributeRule struct {
	dir      string // "" or "a/b/": the folder of the file
	pattern  string
	anchored bool // the pattern has a slash: it is matched against the path
	name     string
	value    string // "true", "false", or a language
}

// parse adds the rules of one file. Files are added from the root down; the last
// rule that matches wins, as in git.
func (a *attributes) parse(dir string, data []byte) {
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
			if rest, neg := strings.CutPrefix(name, "-"); neg {
				name, value = rest, "false"
			}
			if name == "gitlab-language" {
				name = "linguist-language"
			}
			if !strings.HasPrefix(name, "linguist-") {
				continue
			}
			p := strings.TrimPrefix(pattern, "/")
			a.rules = append(a.rules, attributeRule{dir, p, strings.Contains(pattern, "/"), strings.TrimPrefix(name, "linguist-"), value})
		}
	}
}

// verdict is what the attributes say of one file; empty strings are silence.
type verdict struct{ language, vendored, generated, documentation, detectable string }

func (a *attributes) of(file string) (v verdict) {
	base := path.Base(file)
	for i := range a.rules {
		r := &a.rules[i]
		rel, below := strings.CutPrefix(file, r.dir)
		if !below {
			continue
		}
		text, flags := base, ignore.Flags(0)
		if r.anchored {
			text, flags = rel, ignore.Pathname
		}
		if !ignore.Wildmatch(r.pattern, text, flags) {
			continue
		}
		switch r.name {
		case "language":
			v.language = r.value
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
func (s *scan) attributed(path, name string, dir int32, size int64, ref Ref, globs []NameGlob, executable bool) {
	v := s.attrs.of(path)
	kind := v.kind(max(s.dirs[dir].kind, s.t.nameKind(name, dir == 0, true, globs)))
	if v.language != "" {
		if lang := s.t.find(v.language); lang != 0 {
			ref = Ref{Lang: lang}
		}
	}
	if kind != Own || v.detectable == "false" {
		if s.each != nil && ref.Lang != 0 {
			s.eachOf(path, ref.Lang, max(kind, Documentation), size)
		}
		return
	}
	if ref.Lang == 0 && ref.Count == 0 {
		if size > 0 && runnable(name, executable) {
			s.doubts = append(s.doubts, doubt{path: strings.Clone(path), size: size, dir: dir})
		}
		return
	}
	if ref.Count > 0 && size > 0 && s.worthOpening(path, ref) {
		s.doubts = append(s.doubts, doubt{path: strings.Clone(path), size: size, ref: ref, dir: dir, lang: ref.Lang})
		return
	}
	if v.detectable == "true" && ref.Lang != 0 {
		s.detectable(ref.Lang)
	}
	if size >= bigFile && v.language == "" && v.generated == "" && s.t.Language(ref.Lang).Counts() {
		s.big = append(s.big, doubt{path: strings.Clone(path), size: size, dir: dir, lang: ref.Lang, big: true})
		return
	}
	s.count(path, dir, ref.Lang, size)
}

// detectable makes a language that does not count by itself (data, prose) count.
func (s *scan) detectable(lang int16) {
	if s.counts == nil {
		s.counts = map[int16]bool{}
	}
	s.counts[s.t.counted(lang)] = true
}
