package rule

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

// languageChecks gathers what is wrong with the language files.
type languageChecks struct {
	report
	files     []string                        // of the languages, in the order of the list
	at        []func(table string, i int) int // the line of a table in them
	own       map[string]bool                 // for a user's files: the ids of the built-in languages; nil for those themselves
	systemsIn string                          // the file with the ecosystems
}

// tasks checks the names of tasks.
func (c *languageChecks) tasks(w *LanguageTasks) {
	for i, r := range w.Runners {
		at := Headers(c.data, "runner")[i]
		if r.Name == "" || len(r.Files) == 0 || !slices.Contains(oneOf(r, "Form"), r.Form) || !strings.Contains(r.Command, "{task}") {
			c.add(c.file, at, r.Name, "a runner needs a name, files, one of the forms %s and a command with {task}", strings.Join(oneOf(r, "Form"), ", "))
		}
		if r.Field == "" && r.Form != "make" && r.Form != "just" {
			c.add(c.file, at, r.Name, "field is missing: whose members the tasks are")
		}
		if r.Form == "text" && strings.Count(r.Field, "{}") != 1 {
			c.add(c.file, at, r.Name, "form text needs a field with one {}")
		}
		c.named(r.Also, at)
	}
	c.named(w.Tasks, 1)
	c.named(w.Steps, 1)
	for i, s := range w.Services {
		if s.Name == "" || len(s.Files) == 0 || !s.Lines && s.Begins == "" && (s.Run == "") == (s.Script == "") {
			c.add(c.file, Headers(c.data, "service")[i], s.Name, "a service needs a name, files, and run, script, begins or lines")
		}
	}
}

// named checks the purposes of names.
func (c *languageChecks) named(list []TaskName, line int) {
	for _, t := range list {
		if !slices.Contains(oneOf(t, "Purpose"), t.Purpose) || len(t.Names) == 0 {
			c.add(c.file, line, t.Purpose, "want one of the purposes %s, and names", strings.Join(oneOf(t, "Purpose"), ", "))
		}
	}
}

// one checks what can be seen in a single file.
func (c *languageChecks) one(l *Language) {
	file, data := c.file, c.data
	c.files = append(c.files, file)
	at := func(table string, i int) int {
		if lines := Headers(data, table); i < len(lines) {
			return lines[i]
		}
		return 1
	}
	c.at = append(c.at, at)
	idLine := keyLine(data, "id")
	if want := strings.TrimSuffix(path.Base(file), ".toml"); l.ID != want {
		c.add(file, idLine, l.ID, "id must be the file's name, %q", want)
	}
	adds := c.own[l.ID] // what it does not say is said already
	if l.Name == "" && !adds {
		c.add(file, idLine, l.ID, "name is missing")
	}
	if !slices.Contains(oneOf(*l, "Kind"), l.Kind) && (l.Kind != "" || !adds) {
		c.add(file, keyLine(data, "kind"), l.ID, "kind %q is none of programming, markup, data, prose", l.Kind)
	}
	// Looked up in lower case and with its dot: another spelling would never be found.
	for _, e := range l.Extensions {
		if !strings.HasPrefix(e, ".") || e != strings.ToLower(e) || strings.ContainsAny(e, "/*") || len(e) < 2 {
			c.add(file, keyLine(data, "extensions"), l.ID, "extension %q must be lower case and begin with a dot", e)
		}
	}
	for i, m := range l.Manifests {
		if m.File == "" || m.Weight < 1 || m.Weight > 3 {
			c.add(file, at("manifest", i), l.ID, "a manifest needs a file and a weight of 1, 2 or 3")
		}
		if m.Alone && m.Weight > 1 {
			c.add(file, at("manifest", i), l.ID, "alone is for a weight of 1: what weighs more tells the language anyway")
		}
	}
	// A claim decides between languages of one extension by the file's content; without a pattern it decides nothing.
	for i, k := range l.Claims {
		if len(k.On) == 0 || len(k.Line)+len(k.Text)+len(k.Word)+len(k.Start) == 0 {
			c.add(file, at("claim", i), l.ID, "a claim needs on, and one of line, text, word, start")
		}
	}
	for i, n := range l.Needs {
		if !slices.Contains(oneOf(n, "Form"), n.Form) || len(n.Files) == 0 || n.Form == "text" && len(n.Words) < 2 || n.Form == "fields" && len(n.Words) == 0 {
			c.add(file, at("needs", i), l.ID, "needs must have files, one of the forms %s, and words where the form asks for them", strings.Join(oneOf(n, "Form"), ", "))
		}
	}
	for i, v := range l.Versions {
		c.version(file, at("version", i), l.ID, v)
	}
	c.toolset(file, l.ID, &l.Toolset, at)
	c.examples(file, l, at)
}

// toolset checks managers, tools and frameworks.
func (c *languageChecks) toolset(file, id string, s *Toolset, at func(table string, i int) int) {
	for i, m := range s.Managers {
		if m.Name == "" || len(m.When) == 0 {
			c.add(file, at("manager", i), id, "a manager needs a name and when")
		}
	}
	for _, group := range s.Purposes() {
		for i, t := range group.Tools {
			if t.Name == "" || t.Command == "" && t.File == "" {
				c.add(file, at(group.Purpose, i), id, "a %s needs a name and a command", group.Purpose)
			}
			for _, p := range t.Programs {
				if n := strings.Count(p.Text, "{}"); p.File == "" || n > 1 || p.Text != "" && n == 0 && len(t.Called) == 0 {
					c.add(file, at(group.Purpose, i), id, "programs need a file, and a text one {}, or none beside called")
				}
			}
		}
	}
	for i, f := range s.Frameworks {
		if f.Name == "" || len(f.When) == 0 {
			c.add(file, at("framework", i), id, "a framework needs a name and when")
		}
	}
}

// systems checks what is no language.
func (c *languageChecks) systems(s *Ecosystems) {
	heads := Headers(c.data, "ecosystem")
	for i := range s.List {
		e, at := &s.List[i], heads[i]
		if e.Name == "" || len(e.When) == 0 || !slices.Contains(oneOf(*e, "Kind"), e.Kind) {
			c.add(c.file, at, e.Name, "an ecosystem needs a name, when, and one of the kinds %s, if any", strings.Join(oneOf(*e, "Kind"), ", "))
		}
		for _, v := range e.Versions {
			c.version(c.file, at, e.Name, v)
		}
		c.toolset(c.file, e.Name, &e.Toolset, func(string, int) int { return at })
	}
}

// facts checks what else is worth knowing.
func (c *languageChecks) facts(s *Facts) {
	for i, f := range s.List {
		if f.Name == "" || len(f.When) == 0 || !slices.Contains(oneOf(f, "Kind"), f.Kind) {
			c.add(c.file, Headers(c.data, "fact")[i], f.Name, "a fact needs a name, when, and one of the kinds %s", strings.Join(oneOf(f, "Kind"), ", "))
		}
	}
}

// examples: every language proves itself; one that may become a project's
// primary language does so twice, with two near misses.
func (c *languageChecks) examples(file string, l *Language, at func(string, int) int) {
	hits, misses := 1, 0
	switch {
	case c.own != nil:
		hits = 0
	case l.Primary:
		hits, misses = 2, 2
	}
	if len(l.Examples) < hits {
		c.add(file, 1, l.ID, "needs at least %d [[example]]", hits)
	}
	if len(l.Near) < misses {
		c.add(file, 1, l.ID, "needs at least %d [[near]]: files that look like it and are not", misses)
	}
	for i, e := range l.Examples {
		if e.Path == "" || e.Is != "" {
			c.add(file, at("example", i), l.ID, "an example needs a path, and no is")
		}
	}
	for i, e := range l.Near {
		if e.Path == "" || e.Is == l.ID {
			c.add(file, at("near", i), l.ID, "a near miss needs a path, and is another language")
		}
	}
}

func (c *languageChecks) version(file string, line int, id string, v Version) {
	switch {
	case v.File == "":
		c.add(file, line, id, "a version source needs a file")
	// A pin says which version is used, a floor which is the least that will do, a hint something near it.
	case v.Kind != "pin" && v.Kind != "floor" && v.Kind != "hint":
		c.add(file, line, id, "version kind %q is none of pin, floor, hint", v.Kind)
	case v.Format == "line" && strings.Count(v.Match, "{}") != 1:
		c.add(file, line, id, "format line needs a match with one {}")
	case v.Format != "line" && (len(v.Lookup) > 0 || v.Agree || v.After != "" || v.Match != ""):
		c.add(file, line, id, "after, match, lookup and agree belong to format line")
	case v.Within != "" && v.Format != "xml":
		c.add(file, line, id, "within belongs to format xml")
	case v.Format == "toml" || v.Format == "json" || v.Format == "yaml" || v.Format == "xml" || v.Format == "yarn-lock":
		if v.Field == "" {
			c.add(file, line, id, "format %s needs a field", v.Format)
		}
	case v.Format != "line" && v.Format != "first-line":
		c.add(file, line, id, "version format %q is none of first-line, toml, json, yaml, xml, line, yarn-lock", v.Format)
	}
}

// all checks the family as a whole: unique ids, names and aliases, groups that
// exist, and for each extension and file name at most one language that takes it
// when no claim holds.
// Of builtin, to which a user's languages are added, names alone are asked: an extension may be taken from it.
func (c *languageChecks) all(list, builtin []Language) {
	ids, names, owner := map[string]bool{}, map[string]string{}, map[string]string{}
	for i := range builtin {
		for _, n := range builtin[i].names() {
			names[n] = builtin[i].ID
		}
	}
	for i := range list {
		l := &list[i]
		if ids[l.ID] {
			c.add(c.files[i], 1, l.ID, "duplicate id")
		}
		ids[l.ID] = true
		// linguist-language in .gitattributes names a language by any of these.
		for _, n := range l.names() {
			// One of them could never be asked for by that name.
			if o, ok := names[n]; ok && o != l.ID {
				c.add(c.files[i], 1, l.ID, "%q is also a name of %s", n, o)
			}
			names[n] = l.ID
		}
		// Which of two would win depended on the order of files otherwise.
		for _, e := range slices.Concat(l.Extensions, l.Filenames) {
			// Claims decide between languages that share an extension; without one the order of the files would.
			if o, ok := owner[e]; ok && o != l.ID {
				c.add(c.files[i], 1, l.ID, "%q is also taken by %s without a claim", e, o)
			}
			owner[e] = l.ID
		}
	}
	for i := range builtin {
		ids[builtin[i].ID] = true
	}
	for i := range list {
		if r := list[i].Runtime; r != "" && !ids[r] {
			c.add(c.files[i], 1, list[i].ID, "runtime %q is no language", r)
		}
		if g := list[i].Group; g != "" && !ids[g] {
			c.add(c.files[i], 1, list[i].ID, "group %q is no language", g)
		}
		for j, n := range list[i].Near {
			if n.Is != "" && !ids[n.Is] {
				c.add(c.files[i], c.at[i]("near", j), list[i].ID, "is = %q is no language", n.Is)
			}
		}
	}
}

// names are what the language is called, in lower case.
func (l *Language) names() (list []string) {
	for _, n := range append([]string{l.ID, l.Name}, l.Aliases...) {
		if n != "" {
			list = append(list, strings.ToLower(n))
		}
	}
	return list
}

func (c *languageChecks) paths(p *LanguagePaths) {
	c.line = 1
	for _, list := range [][]string{p.Vendored, p.Generated, p.Documentation, p.Ignored} {
		for _, s := range list {
			if s == "" || strings.Contains(s, "**") || strings.Count(s, "{") != strings.Count(s, "}") {
				c.problem("path pattern %q is not understood", s)
			}
		}
	}
	for _, e := range p.Examples {
		if e.Path == "" || !slices.Contains(oneOf(e, "Is"), e.Is) {
			c.problem("path example %q: is must be vendored, generated, documentation or empty", e.Path)
		}
	}
}

// known checks that ecosystems name languages that there are.
func (c *languageChecks) known(list []Language, s *Ecosystems) {
	ids := map[string]bool{}
	for i := range list {
		ids[list[i].ID] = true
	}
	names := slices.Clone(s.Settings)
	for i := range s.List {
		names = append(names, s.List[i].Languages...)
	}
	for _, id := range names {
		if !ids[id] {
			c.add(c.systemsIn, 1, id, "%q is no language", id)
		}
	}
}

// keyLine is the line of a top-level key, for messages; 1 when it is not there.
func keyLine(data []byte, key string) int {
	// Only when there is something to report, and in the generator: never at the start of a hook.
	loc := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `\s*=`).FindIndex(data)
	if loc == nil {
		return 1
	}
	return 1 + bytes.Count(data[:loc[0]], []byte("\n"))
}
