package lang

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/rule"
)

// version is what a file says about a language's version.
type version struct {
	shown, kind, source string
	inherit             []string // conditions under which it holds in projects below; none: always
}

// version is a language's version, looked up once.
func (f *folder) version(l *rule.Language) version {
	if v, ok := f.known[l.ID]; ok {
		return v
	}
	if f.known == nil {
		f.known = map[string]version{}
	}
	v := f.findVersion(l)
	f.known[l.ID] = v
	return v
}

// findVersion looks a language's version up: its own pins, pins shared by all tools,
// then floors, then hints. The zero value means that no file states one.
func (f *folder) findVersion(l *rule.Language) version {
	if v := f.versionOf(l, "pin"); v.shown != "" {
		if least := f.versionOf(l, "floor"); !strings.ContainsAny(v.shown, "0123456789") && least.shown != "" {
			return least // "stable" moves on, and says less than a number
		}
		return v
	}
	// A language's own pin beats these: it is what its own version manager reads.
	if v := f.shared(l); v.shown != "" {
		return v
	}
	if v := f.versionOf(l, "floor"); v.shown != "" || f.sets(l) {
		return v
	}
	if v := f.hinted(l); v.shown != "" {
		return v
	}
	if f.disagree(l) {
		return version{}
	}
	return f.versionOf(l, "hint")
}

// shared is the version that a file for many tools pins.
func (f *folder) shared(l *rule.Language) version {
	for _, file := range f.t.Projects.Pins {
		for _, tool := range l.Tools {
			var v string
			if strings.HasSuffix(file, ".toml") {
				v = tomlField(f.data(file), "tools."+tool)
			} else {
				v = toolVersion(f.data(file), tool)
			}
			if v = strings.TrimPrefix(v, "v"); f.t.stated(v) && legible(v) {
				return version{shown: v, kind: "pin", source: file + ": " + tool}
			}
		}
	}
	return version{}
}

// contradicted is what a file for many tools says against the pin of the language's own, the zero value where it says the same or less.
func (f *folder) contradicted(l *rule.Language, v version) version {
	if v.kind != "pin" || !f.pins(v.source) {
		return version{}
	}
	other := f.shared(l)
	a, b := v.shown[digitAt(v.shown):], other.shown[digitAt(other.shown):]
	a, b = a[:numbers(a)], b[:numbers(b)]
	if a == "" || b == "" || other.source == v.source || strings.HasPrefix(a+".", b+".") || strings.HasPrefix(b+".", a+".") {
		return version{}
	}
	return other
}

// pins reports that version managers read a file: a lock file says what is installed, and is not at odds with them.
func (f *folder) pins(source string) bool { return strings.HasPrefix(source, ".") }

// digitAt is where the first digit of a text stands, its end without one.
func digitAt(s string) int {
	if i := strings.IndexFunc(s, unicode.IsDigit); i >= 0 {
		return i
	}
	return len(s)
}

// disagree reports that the parts of a project state versions of l, each its own: a hint would hide them.
func (f *folder) disagree(l *rule.Language) bool {
	return slices.ContainsFunc(l.Versions, func(s rule.Version) bool {
		files := f.find(s.File)
		return s.Kind == "floor" && len(files) > 0 && f.differ(&s, files[0])
	})
}

// sets reports that a file of l states a version that cannot be read: a hint would contradict it.
func (f *folder) sets(l *rule.Language) bool {
	for i := range l.Versions {
		s := &l.Versions[i]
		if len(s.Lookup) == 0 {
			continue
		}
		for _, file := range f.find(s.File) {
			if _, _, set := f.stated(s, f.data(file)); set {
				return true
			}
		}
	}
	return false
}

// versionOf asks the sources of one kind in order; the first that holds something
// plausible is the answer, so that no two files are ever mixed.
func (f *folder) versionOf(l *rule.Language, kind string) version {
	// A file sets the version to what nobody can read: anything else in it would be a
	// guess, but for another way to write the same field.
	var unread struct{ file, field string }
	for i := range l.Versions {
		s := &l.Versions[i]
		if s.Kind != kind && (s.Kind != "pin" || kind == "hint") {
			continue
		}
		for _, file := range f.find(s.File) {
			if f.differ(s, file) {
				break
			}
			data := f.data(file)
			if data == nil {
				continue
			}
			v, field, set := f.stated(s, data)
			if unread.file == file && unread.field != field && len(s.Lookup) > 0 {
				continue
			}
			if set && v == "" {
				unread.file, unread.field = file, field
			}
			if name, ok := strings.CutPrefix(v, "catalog:"); ok {
				v, file, field = f.catalog(name, s.Field[strings.LastIndexByte(s.Field, '.')+1:])
			}
			// Files for pins may hold a range all the same: ruby "~> 3.1".
			if !f.t.plausible(v) || s.Format == "first-line" && !f.t.stated(v) || kind == "pin" && ranged(v) || kind == "floor" && s.Kind == "pin" && !ranged(v) {
				continue
			}
			if s.Show != "" {
				v = strings.Replace(s.Show, "{}", v, 1)
			}
			source := file
			if field != "" {
				source += ": " + field
			}
			return version{v, kind, source, s.Inherit}
		}
	}
	return version{}
}

// differ says that files of several folders say different things: projects of a
// solution are not the solution, and none of them speaks for it.
func (f *folder) differ(s *rule.Version, first string) bool {
	if i := strings.LastIndexByte(s.File, '/'); i < 0 || !isPattern(s.File[:i]) {
		return false
	}
	want, _, _ := f.stated(s, f.data(first))
	for _, file := range f.find(s.File) {
		if v, _, _ := f.stated(s, f.data(file)); v != want && v != "" {
			return true
		}
	}
	return false
}

// stated is what one source says in a file, and what to call the place. set says
// that the file sets it, whether or not it can be read.
func (f *folder) stated(s *rule.Version, data []byte) (v, field string, set bool) {
	switch s.Format {
	case "first-line":
		return f.t.firstLine(data), s.Field, false
	case "toml":
		return tomlField(data, s.Field), s.Field, false
	case "json":
		return jsonField(data, s.Field), s.Field, false
	case "yaml":
		v, _, _ := strings.Cut(yamlField(data, s.Field), "(") // pnpm adds what the package was resolved with
		field := strings.TrimSuffix(s.Field, "/version")
		return v, field[strings.LastIndexByte(field, '/')+1:], false
	case "xml":
		return xmlField(data, s.Within, s.Field), s.Field, false
	case "yarn-lock":
		return yarnLocked(data, s.Field, f.data("package.json")), s.Field, false
	}
	switch {
	case len(s.Lookup) > 0:
		v, set = settingField(data, s.Match, func(name string) string { return f.lookup(s.Lookup, name) })
		if s.Least && v != "" {
			v = cmp.Or(leastField(data, s.Match), v)
		}
	case s.Agree:
		v = agreedField(data, s.Match)
	case s.Least:
		v = leastField(data, s.Match)
	default:
		v = lineField(data, s.After, s.Match)
	}
	// Java's own spelling of its old versions, JavaVersion.VERSION_1_8.
	if strings.HasPrefix(v, "1_") {
		v = "1." + v[2:]
	}
	field = s.Field
	if field == "" {
		field = s.After
	}
	if field == "" {
		field, _, _ = strings.Cut(s.Match, "{}")
	}
	return v, strings.Trim(field, "\n\"'=:([ @{>~"), set
}

// lookup finds the version that a name stands for in the files of a rule.
func (f *folder) lookup(files []string, name string) string {
	for _, pattern := range files {
		for _, file := range f.find(pattern) {
			if v := defined(f.data(file), name); v != "" {
				return v
			}
		}
	}
	return ""
}

// catalog looks up what "catalog:name" in a package.json stands for: a version
// that a pnpm or yarn workspace states once for all its packages.
func (f *folder) catalog(name, pkg string) (v, file, field string) {
	fields := []string{"catalogs." + name + "." + pkg}
	if name == "" || name == "default" {
		fields = []string{"catalog." + pkg, "catalogs.default." + pkg}
	}
	for _, file := range []string{"pnpm-workspace.yaml", ".yarnrc.yml"} {
		for _, field := range fields {
			if v := yamlField(f.data(file), field); v != "" {
				return strings.TrimPrefix(v, "npm:"), file, field
			}
		}
	}
	return "", "", ""
}

// ranged says that a value allows more than one version.
func ranged(v string) bool { return strings.ContainsAny(v, "<>~^|") || v == "lts/*" || v == "lts" }

// stated says whether a file whose whole content is a version states one: version
// managers also take words there, most of which leave it open.
func (t *Table) stated(v string) bool {
	return v != "" && (digit(v[0]) || strings.ContainsAny(v[:1], "<>~^=") || t.named(v))
}

// plausible refuses what is a reference to something else, or no version at all:
// a number is in every version, and a word must be known. What a terminal would obey
// is no version either: it is shown to people and to agents.
func (t *Table) plausible(v string) bool {
	return v != "" && len(v) <= 60 && legible(v) && (strings.ContainsAny(v, "0123456789") || t.named(v)) &&
		!strings.ContainsAny(v, "$%@\\`\x00\n") && !strings.HasPrefix(v, "workspace:") && !strings.HasPrefix(v, "catalog:") &&
		!strings.HasPrefix(v, "[") && !strings.HasPrefix(v, "{")
}

// legible says that a text is all characters that can be seen, and blanks.
func legible(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// firstLine is the first word that is no comment, without the prefixes that
// version managers allow: "v22.1", "ruby-3.3.0", "go1.22".
func (t *Table) firstLine(data []byte) string {
	for line := range strings.Lines(string(data[:min(len(data), 4096)])) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "[") {
			continue
		}
		w := strings.Fields(line)[0]
		for _, p := range t.Projects.Prefixes {
			if rest, ok := strings.CutPrefix(w, p); ok && rest != "" && digit(rest[0]) {
				return rest
			}
		}
		return w
	}
	return ""
}

// toolVersion reads "python 3.12.1 3.11.9" of .tool-versions: the first counts.
func toolVersion(data []byte, tool string) string {
	for line := range strings.Lines(string(data)) {
		w := strings.Fields(strings.SplitN(line, "#", 2)[0])
		if len(w) >= 2 && w[0] == tool {
			return w[1]
		}
	}
	return ""
}
