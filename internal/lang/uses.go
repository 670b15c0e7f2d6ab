package lang

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// uses says whether a manifest names a package among what the project needs. Not
// its own name, not what only its dependencies need, and no longer name: a project
// that needs django-stubs is no Django project, and Flux does not use Flux.
func (t *Table) uses(file string, data []byte, name string) bool {
	base := path.Base(file)
	for i := range t.Needs {
		n := &t.Needs[i]
		if fits, _ := doublestar.Match(n.File, base); !fits {
			continue
		}
		switch n.Form {
		case "go":
			return goRequires(data, name)
		case "fields":
			return fieldsName(data, name, n.Words)
		case "toml":
			return tomlNeeds(data, name, n.Words)
		case "list":
			return listNames(data, name)
		case "text":
			return textNames(data, name, n.Words)
		}
		return quotedAfter(data, name, n.Words...)
	}
	return quotedAfter(data, name)
}

// textNames finds a package between the first two words, but for lines with one of the others: what only documents need.
func textNames(data []byte, name string, words []string) bool {
	lead := []byte(words[0] + name + words[1])
	for found := true; found; {
		if _, data, found = bytes.Cut(data, lead); found {
			line, _, _ := bytes.Cut(data, []byte("\n"))
			if !slices.ContainsFunc(words[2:], func(w string) bool { return bytes.Contains(line, []byte(w)) }) {
				return true
			}
		}
	}
	return false
}

// goRequires finds a module, in any major version, among those that go.mod requires
// directly.
func goRequires(data []byte, module string) bool {
	for line := range bytes.Lines(data) {
		text, _, _ := strings.Cut(strings.TrimSpace(string(line)), " // indirect")
		if len(text) < len(strings.TrimSpace(string(line))) {
			continue
		}
		text = strings.TrimPrefix(text, "require ")
		rest, ok := strings.CutPrefix(text, module)
		if major, deep := strings.CutPrefix(rest, "/v"); deep && major != "" && digit(major[0]) {
			rest = strings.TrimLeft(major, "0123456789")
		}
		// "module" and "exclude" stand before the name there; "=>" of replace is none either.
		if ok && strings.HasPrefix(rest, " v") {
			return true
		}
	}
	return false
}

// fieldsName finds a package in the fields of an R or Haskell package that list others.
func fieldsName(data []byte, name string, fields []string) bool {
	listing := false
	for line := range strings.Lines(string(data)) {
		// A field goes on in the lines below it, which hold no field of their own.
		if field, rest, ok := strings.Cut(line, ":"); ok && !strings.ContainsAny(strings.TrimSpace(field), " ,()") {
			if listing = slices.Contains(fields, strings.ToLower(strings.TrimSpace(field))); listing {
				line = rest
			}
		}
		if !listing {
			continue
		}
		for part := range strings.SplitSeq(line, ",") {
			if requirement(strings.TrimSpace(part), name) {
				return true
			}
		}
	}
	return false
}

// tomlNeeds finds a dependency in TOML: a key of a table of dependencies, as Cargo,
// Poetry and Julia have them, or an entry "name>=1" of a list, as in pyproject.toml.
func tomlNeeds(data []byte, name string, tables []string) bool {
	table := false // the section is one of dependencies
	key := ""      // of the list that a line belongs to
	for line := range strings.Lines(string(data)) {
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' {
			continue
		}
		if line[0] == '[' {
			owner, last := sectionOf(text)
			if strings.HasSuffix(owner, "dependencies") && sameName(last, name) {
				return true // [dependencies.name]
			}
			table = strings.Contains(last, "dependenc") || slices.Contains(tables, last) // dependency-groups too; Poetry's extras are groups of options
			key = ""
			continue
		}
		if left, _, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(left, `"[<>~!`) || ok && strings.Contains(text, "= [") {
			key, _, _ = strings.Cut(strings.Trim(strings.TrimSpace(left), `"'`), ".")
			if table && sameName(key, name) {
				return true
			}
		}
		if (table || strings.Contains(key, "dependencies")) && entryOf(text, name) {
			return true
		}
	}
	return false
}

// sectionOf parts the last name from a section's path: "[tool.poetry.dependencies]".
func sectionOf(head string) (owner, last string) {
	head, _, _ = strings.Cut(head, "]")
	head = strings.Trim(head, "[ ")
	i := strings.LastIndexByte(head, '.')
	return head[:max(i, 0)], strings.Trim(head[i+1:], `"' `)
}

// entryOf finds a requirement such as "name[extra]>=1" that stands in quotes.
func entryOf(text, name string) bool {
	for {
		i := strings.IndexAny(text, `"'`)
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if requirement(text, name) {
			return true
		}
		end := strings.IndexAny(text, `"'`)
		if end < 0 {
			return false
		}
		text = text[end+1:]
	}
}

// listNames finds a package in a list with one on each line.
func listNames(data []byte, name string) bool {
	for line := range strings.Lines(string(data)) {
		if requirement(strings.TrimSpace(line), name) {
			return true
		}
	}
	return false
}

// requirement says whether a text begins with a package's name, and the name ends there.
func requirement(text, name string) bool {
	return len(text) >= len(name) && sameName(text[:len(name)], name) && (len(text) == len(name) || nameEnds(text[len(name)]))
}

// nameEnds says whether a byte can follow a package's name.
func nameEnds(c byte) bool { return !wordByte(c) && c != '-' && c != '.' && c != '/' }

// sameName compares names as package registries do, which know no difference
// between letters, nor between a hyphen and an underscore.
func sameName(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		x, y := a[i]|0x20, b[i]|0x20
		if (a[i] == '_' || a[i] == '-') && (b[i] == '_' || b[i] == '-') {
			continue
		}
		if x != y {
			return false
		}
	}
	return true
}

// quotedAfter finds a name that stands in quotes, outside of comments, on a line
// that has one of the words before it, if any are given.
func quotedAfter(data []byte, name string, words ...string) bool {
	for line := range bytes.Lines(data) {
		text := string(line)
		at := strings.Index(text, name)
		if at < 1 || (&lineOf{data: line}).to(at).commented() {
			continue
		}
		lead := text[:at]
		if len(words) > 0 {
			found := false
			for _, w := range words {
				found = found || strings.Contains(lead, w)
			}
			if !found {
				continue
			}
		}
		end := at + len(name)
		if c := lead[at-1]; (c == '"' || c == '\'' || c == '>' || c == ':') && (end == len(text) || nameEnds(text[end])) {
			return true
		}
	}
	return false
}
