package lang

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// version is what a file says about a language's version.
type version struct{ shown, kind, source string }

// sharedPins are files that pin any tool by its name, in order of strength.
var sharedPins = [...]string{".tool-versions", "mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml"}

// version looks a language's version up: its own pins, pins shared by all tools,
// then floors. The zero value means that no file states one.
func (f *folder) version(l *rule.Language) version {
	if v := f.versionOf(l, "pin"); v.shown != "" {
		return v
	}
	// A language's own pin beats these: it is what its own version manager reads.
	for _, file := range sharedPins {
		for _, tool := range l.Tools {
			var v string
			if file == ".tool-versions" {
				v = toolVersion(f.data(file), tool)
			} else {
				v = tomlField(f.data(file), "tools."+tool)
			}
			if v = strings.TrimPrefix(v, "v"); strings.ContainsAny(v, "0123456789") {
				return version{v, "pin", file + ": " + tool}
			}
		}
	}
	return f.versionOf(l, "floor")
}

// versionOf asks the sources of one kind in order; the first that holds something
// plausible is the answer, so that no two files are ever mixed.
func (f *folder) versionOf(l *rule.Language, kind string) version {
	for i := range l.Versions {
		s := &l.Versions[i]
		if s.Kind != kind && s.Kind != "pin" {
			continue
		}
		for _, file := range f.find(s.File) {
			data := f.data(file)
			if data == nil {
				continue
			}
			v, field := "", s.Field
			switch s.Format {
			case "first-line":
				v = firstLine(data)
			case "toml":
				v = tomlField(data, s.Field)
			case "json":
				v = jsonField(data, s.Field)
			case "yaml":
				v = yamlField(data, s.Field)
			case "xml":
				v = xmlField(data, s.Field)
			case "line":
				v = lineField(data, s.After, s.Match)
				if field == "" {
					field = s.After
				}
				if field == "" {
					field, _, _ = strings.Cut(s.Match, "{}")
				}
				field = strings.Trim(field, "\n\"'=:([ @{>~")
			}
			if name, ok := strings.CutPrefix(v, "catalog:"); ok {
				v, file, field = f.catalog(name, s.Field[strings.LastIndexByte(s.Field, '.')+1:])
			}
			// Files for pins may hold a range all the same: ruby "~> 3.1".
			if !plausible(v) || kind == "pin" && ranged(v) || kind == "floor" && s.Kind == "pin" && !ranged(v) {
				continue
			}
			if s.Show != "" {
				v = strings.Replace(s.Show, "{}", v, 1)
			}
			source := file
			if field != "" {
				source += ": " + field
			}
			return version{v, kind, source}
		}
	}
	return version{}
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
func ranged(v string) bool { return strings.ContainsAny(v, "<>~^|") }

// plausible refuses what is a reference to something else, or no version at all.
func plausible(v string) bool {
	return v != "" && len(v) <= 60 && v != "*" && v != "true" && v != "any" && v != "latest" && v != "system" &&
		!strings.ContainsAny(v, "$%@\\`\x00\n") && !strings.HasPrefix(v, "workspace:") && !strings.HasPrefix(v, "catalog:") &&
		!strings.HasPrefix(v, "[") && !strings.HasPrefix(v, "{")
}

// firstLine is the first word that is no comment, without the prefixes that
// version managers allow: "v22.1", "ruby-3.3.0", "go1.22".
func firstLine(data []byte) string {
	for line := range strings.Lines(string(data[:min(len(data), 4096)])) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "[") {
			continue
		}
		w := strings.Fields(line)[0]
		for _, p := range []string{"v", "ruby-", "go", "python-", "cpython-", "php-", "lua-"} {
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
