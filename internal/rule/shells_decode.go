package rule

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// rawShells is one file of rules/shells as it is spelled.
type rawShells struct {
	Program     []rawShellProgram
	Family      []rawFamily
	Variable    []rawVariable
	Escape      []rawEscape
	Wrapper     []rawWrapper
	Setting     []rawSetting
	Recipes     []rawRecipes
	Cmdlet      []Cmdlet
	Interpreter *rawInterpreter
	Calls       map[string][]string
	Lexicon
}

// claims are what a row says for the tests.
type claims struct{ Hits, Misses []string }

// Rows as they are spelled, each with its claims.
type (
	rawFamily struct {
		Family
		claims
	}
	rawVariable struct {
		Variable
		claims
	}
	rawEscape struct {
		Escape
		claims
	}
	rawWrapper struct {
		Wrapper
		claims
	}
	rawSetting struct {
		Setting
		claims
	}
	rawInterpreter struct {
		Interpreter
		claims
	}
)

// LoadShells reads rules/shells/*.toml below fsys and reports the problems of all
// files at once.
func LoadShells(fsys fs.FS) (*Shells, error) {
	all := &Shells{}
	d := &shellDecoder{out: all}
	if err := load(&d.report, fsys, "shells", d.tables); err != nil {
		return nil, err
	}
	all.markRecipes()
	slices.SortFunc(all.Programs, func(a, b ShellProgram) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(all.Wrappers, func(a, b Wrapper) int { return strings.Compare(a.Word(), b.Word()) })
	return all, d.err()
}

// lineIn is the line of a key below the header of a table, 0 where it is written in another way.
func lineIn(data []byte, table, key string) int {
	n, inside := 0, false
	for line := range bytes.Lines(data) {
		n++
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "[\"") {
			inside = text == "["+table+"]"
		}
		if name, _, ok := strings.Cut(text, "="); ok && inside && strings.Trim(name, " \t\"") == key {
			return n
		}
	}
	return 0
}

// shellDecoder reads the tables of files.
type shellDecoder struct {
	report
	out *Shells
}

// tables adds those of one file.
func (d *shellDecoder) tables(raw *rawShells) {
	s := d.out
	d.lexicon(&raw.Lexicon)
	rows(&d.report, "program", raw.Program, d.program)
	rows(&d.report, "cmdlet", raw.Cmdlet, d.cmdlet)
	rows(&d.report, "wrapper", raw.Wrapper, d.wrapper)
	rows(&d.report, "variable", raw.Variable, func(v *rawVariable) {
		if len(v.Names) == 0 {
			d.problem("a variable needs names")
			return
		}
		s.Variables = append(s.Variables, v.Variable)
		d.example(v.Names[0], v.claims)
	})
	rows(&d.report, "escape", raw.Escape, func(v *rawEscape) {
		s.Escapes = append(s.Escapes, v.Escape)
		d.example(strings.Join(v.Programs, " "), v.claims)
	})
	rows(&d.report, "family", raw.Family, func(f *rawFamily) {
		if f.Program == "" || len(f.Hits) == 0 {
			d.id = "family"
			d.problem("a family needs a program, and hits that show what it is for")
			return
		}
		s.Families = append(s.Families, f.Family)
		d.example("family of "+f.Program, f.claims)
	})
	rows(&d.report, "setting", raw.Setting, func(r *rawSetting) {
		if r.Program == "" || len(r.Keys) == 0 {
			d.id = "setting"
			d.problem("a setting needs a program and keys")
			return
		}
		s.Settings = append(s.Settings, r.Setting)
		d.example("settings of "+r.Program, r.claims)
	})
	rows(&d.report, "recipes", raw.Recipes, d.recipes)
	d.interpreter(raw)
}

// example keeps what a table claims for the tests.
func (d *shellDecoder) example(id string, c claims) {
	if len(c.Hits)+len(c.Misses) > 0 {
		d.out.Examples = append(d.out.Examples, ShellExample{File: d.file, ID: id, Line: d.line, Hits: c.Hits, Misses: c.Misses})
	}
}

// cmdlet adds one; a name that two share would mean the first alone.
func (d *shellDecoder) cmdlet(c *Cmdlet) {
	d.id = c.Name
	known := func(name string) bool {
		return slices.ContainsFunc(d.out.Cmdlets, func(o Cmdlet) bool { return o.Name == name || slices.Contains(o.Aliases, name) })
	}
	switch {
	case c.Name == "":
		d.problem("a cmdlet needs a name")
	case known(c.Name) || slices.ContainsFunc(c.Aliases, known):
		d.problem("duplicate cmdlet or alias")
	case c.As == "" && (c.Piped || len(c.Flags) > 0):
		d.problem("flags and piped are about the command that as names")
	default:
		d.out.Cmdlets = append(d.out.Cmdlets, *c)
	}
}

func (d *shellDecoder) wrapper(w *rawWrapper) {
	d.id = w.Name
	switch {
	case w.Name == "":
		d.problem("a wrapper needs a name")
	case slices.ContainsFunc(d.out.Wrappers, func(o Wrapper) bool { return o.Name == w.Name }):
		d.problem("duplicate wrapper")
	case w.Skip < -1:
		d.problem("skip counts the operands before the command; -1: no operand is one")
	case w.Gives && w.Aside == "":
		d.problem("gives is about the options of aside")
	default:
		d.out.Wrappers = append(d.out.Wrappers, w.Wrapper)
		d.example(w.Name, w.claims)
	}
}

// optionsOf are the options of a list: letters first, then whole words.
func optionsOf(list string) (names []string) {
	letters, words, _ := strings.Cut(list, " ")
	for _, letter := range letters {
		names = append(names, "-"+string(letter))
	}
	for word := range strings.FieldsSeq(words) {
		names = append(names, "--"+word)
	}
	return names
}

// interpreter reads the one that a file may describe, and the library calls of its language.
func (d *shellDecoder) interpreter(raw *rawShells) {
	lang := strings.TrimSuffix(path.Base(d.file), ".toml")
	d.id = lang
	in := raw.Interpreter
	if in == nil {
		if len(raw.Calls) > 0 {
			d.problem("calls need an [interpreter]")
		}
		return
	}
	// An empty list is said on purpose: text of SQL, for instance, comes from other interpreters.
	if in.Programs == nil {
		d.problem("an interpreter needs programs; [] if others hand it its text")
	}
	if loops := oneOf(in.Interpreter, "Loop"); !slices.Contains(loops, in.Loop) {
		d.problem("loop %q is unknown; there are%s", in.Loop, strings.Join(loops, " "))
	}
	for _, name := range optionsOf(in.Loads) {
		if !slices.Contains(optionsOf(in.Values), name) {
			d.problem("%s of loads is not among values, though a name stands behind it", name)
		}
	}
	in.Lang = lang
	d.out.Interpreters = append(d.out.Interpreters, in.Interpreter)
	d.example(lang, in.claims)
	seen := map[string]bool{}
	// By deed and not by the map's order, so that the generated table is the same each time.
	for deed, key := range deeds {
		for _, name := range raw.Calls[key] {
			if seen[name] {
				d.problem("duplicate call %s", name)
			}
			seen[name] = true
			d.out.Calls = append(d.out.Calls, LibCall{Lang: lang, Name: name, Does: Deed(deed)})
		}
	}
	for key := range raw.Calls {
		if !slices.Contains(deeds[1:], key) {
			d.line = lineIn(d.data, "calls", key)
			d.problem("calls do not know %q; there are %s", key, strings.Join(deeds[1:], ", "))
		}
	}
}
