package rule

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// rawShells is one file of rules/shells as it is spelled; the other raw types are its tables.
type rawShells struct {
	Hidden      []string            `toml:"hidden"`
	Prefixed    []string            `toml:"prefixed"`
	Destroyers  []string            `toml:"destroyers"`
	Prefixes    []string            `toml:"prefixes"`
	Folders     []string            `toml:"folders"`
	Program     []rawShellProgram   `toml:"program"`
	Globals     []rawGlobals        `toml:"globals"`
	Family      []rawFamily         `toml:"family"`
	Variable    []rawVariable       `toml:"variable"`
	Escape      []rawEscape         `toml:"escape"`
	Wrapper     []rawWrapper        `toml:"wrapper"`
	Setting     []rawSetting        `toml:"setting"`
	Cmdlet      []rawCmdlet         `toml:"cmdlet"`
	Parameters  rawParameters       `toml:"parameters"`
	Interpreter *rawInterpreter     `toml:"interpreter"`
	Calls       map[string][]string `toml:"calls"`
	Lexicon
}

type rawFamily struct {
	Program string   `toml:"program"`
	Except  []string `toml:"except"`
	Hits    []string `toml:"hits"`
	Misses  []string `toml:"misses"`
}

type rawSetting struct {
	Program  string   `toml:"program"`
	Keys     []string `toml:"keys"`
	Harmless []string `toml:"harmless"`
	Hits     []string `toml:"hits"`
	Misses   []string `toml:"misses"`
}

type rawCmdlet struct {
	Name    string   `toml:"name"`
	Aliases []string `toml:"alias"`
	As      string   `toml:"as"`
	Flags   []string `toml:"flags"`
	Piped   bool     `toml:"piped"`
}

type rawParameters struct {
	Object []string `toml:"object"`
	Value  []string `toml:"value"`
}

type rawGlobals struct {
	Programs []string `toml:"programs"`
	Value    string   `toml:"value"`
}

type rawVariable struct {
	Names  []string `toml:"names"`
	Gives  bool     `toml:"gives"`
	Word   bool     `toml:"word"`
	Hits   []string `toml:"hits"`
	Misses []string `toml:"misses"`
}

type rawEscape struct {
	Programs []string `toml:"programs"`
	Marks    []string `toml:"marks"`
	Reads    []string `toml:"reads"`
	Hits     []string `toml:"hits"`
	Misses   []string `toml:"misses"`
}

type rawWrapper struct {
	Name     string `toml:"name"`
	Value    string `toml:"value"`
	Pair     string `toml:"pair"`
	Info     string `toml:"info"`
	Text     string `toml:"text"`
	Aside    string `toml:"aside"`
	Only     string `toml:"only"`
	Files    string `toml:"files"`
	Dir      string `toml:"dir"`
	Login    string `toml:"login"`
	Scripts  string `toml:"scripts"`
	Operands string `toml:"operands"`
	Skip     int    `toml:"skip"`
	Sep      bool   `toml:"sep"`
	Assigns  bool   `toml:"assigns"`
	Script   bool   `toml:"script"`
	Each     bool   `toml:"each"`
	Gives    bool   `toml:"gives"`
	Also     bool   `toml:"also"`
	Remote   bool   `toml:"remote"`
	Shell    bool   `toml:"shell"`
	Joins    bool   `toml:"joins"`
	Plus     bool   `toml:"plus"`

	Hits   []string `toml:"hits"`
	Misses []string `toml:"misses"`
}

// wrapper is what a row says without its examples.
func (w *rawWrapper) wrapper() Wrapper {
	return Wrapper{
		Name: w.Name, Value: w.Value, Pair: w.Pair, Info: w.Info, Text: w.Text, Aside: w.Aside, Only: w.Only, Files: w.Files, Dir: w.Dir, Login: w.Login, Scripts: w.Scripts, Operands: w.Operands, Skip: w.Skip,
		Sep: w.Sep, Assigns: w.Assigns, Script: w.Script, Each: w.Each, Gives: w.Gives, Also: w.Also, Remote: w.Remote, Shell: w.Shell, Joins: w.Joins, Plus: w.Plus,
	}
}

type rawInterpreter struct {
	Programs []string `toml:"programs"`
	Code     string   `toml:"code"`
	Values   string   `toml:"values"`
	Attached string   `toml:"attached"`
	Pairs    bool     `toml:"pairs"`
	Ends     bool     `toml:"ends"`
	Subs     []string `toml:"subs"`
	Evals    []string `toml:"evals"`
	Reads    []string `toml:"reads"`
	Over     string   `toml:"over"`
	Modules  string   `toml:"modules"`
	Lisp     bool     `toml:"lisp"`
	Hits     []string `toml:"hits"`
	Misses   []string `toml:"misses"`
}

// LoadShells reads rules/shells/*.toml below fsys and reports the problems of all
// files at once.
func LoadShells(fsys fs.FS) (*Shells, error) {
	names, err := Files(fsys, "shells")
	if err != nil {
		return nil, err
	}
	all := &Shells{}
	var problems []*Problem
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if err := all.decode(name, data); err != nil {
			problems = append(problems, unjoin(name, err)...)
		}
	}
	slices.SortFunc(all.Programs, func(a, b ShellProgram) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(all.Wrappers, func(a, b Wrapper) int { return strings.Compare(a.Word(), b.Word()) })
	return all, Join(problems)
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

// decode adds the tables of one file.
func (s *Shells) decode(file string, data []byte) error {
	var raw rawShells
	if err := Decode(file, data, &raw); err != nil {
		return err
	}
	d := &shellDecoder{file: file, out: s}
	s.Hidden = append(s.Hidden, raw.Hidden...)
	s.Prefixed, s.Destroyers = append(s.Prefixed, raw.Prefixed...), append(s.Destroyers, raw.Destroyers...)
	s.Prefixes, s.Folders = append(s.Prefixes, raw.Prefixes...), append(s.Folders, raw.Folders...)
	d.lexicon(&raw.Lexicon)
	headers := Headers(data, "program")
	for i := range raw.Program {
		d.line = 0
		if i < len(headers) {
			d.line = headers[i]
		}
		d.program(&raw.Program[i])
	}
	d.line = 0
	for _, g := range raw.Globals {
		s.Globals = append(s.Globals, Globals(g))
	}
	lines := Headers(data, "variable")
	for i, v := range raw.Variable {
		d.line = 0
		if i < len(lines) {
			d.line = lines[i]
		}
		if len(v.Names) == 0 {
			d.problem("", "a variable needs names")
			continue
		}
		s.Variables = append(s.Variables, Variable{Names: v.Names, Gives: v.Gives, Word: v.Word})
		d.example(v.Names[0], v.Hits, v.Misses)
	}
	d.line = 0
	for _, v := range raw.Escape {
		s.Escapes = append(s.Escapes, Escape{Programs: v.Programs, Marks: v.Marks, Reads: v.Reads})
		d.example(strings.Join(v.Programs, " "), v.Hits, v.Misses)
	}
	for _, f := range raw.Family {
		if f.Program == "" || len(f.Hits) == 0 {
			d.problem("family", "a family needs a program, and hits that show what it is for")
			continue
		}
		s.Families = append(s.Families, Family{Program: f.Program, Except: f.Except})
		d.example("family of "+f.Program, f.Hits, f.Misses)
	}
	for _, r := range raw.Setting {
		if r.Program == "" || len(r.Keys) == 0 {
			d.problem("setting", "a setting needs a program and keys")
			continue
		}
		s.Settings = append(s.Settings, Setting{Program: r.Program, Keys: r.Keys, Harmless: r.Harmless})
		d.example("settings of "+r.Program, r.Hits, r.Misses)
	}
	lines = Headers(data, "cmdlet")
	for i, c := range raw.Cmdlet {
		d.line = 0
		if i < len(lines) {
			d.line = lines[i]
		}
		d.cmdlet(Cmdlet(c))
	}
	d.line = 0
	for _, list := range [...][]string{raw.Parameters.Object, raw.Parameters.Value} {
		if !slices.IsSorted(list) {
			d.problem("parameters", "parameters are sorted by name, so that each has one place")
		}
	}
	s.Objects, s.Values = append(s.Objects, raw.Parameters.Object...), append(s.Values, raw.Parameters.Value...)
	lines = Headers(data, "wrapper")
	for i := range raw.Wrapper {
		d.line = 0
		if i < len(lines) {
			d.line = lines[i]
		}
		d.wrapper(&raw.Wrapper[i])
	}
	d.line = 0
	d.interpreter(strings.TrimSuffix(path.Base(file), ".toml"), data, &raw)
	return Join(d.problems)
}

// shellDecoder reads the tables of one file. line is that of the table at hand, 0 where one stands for the whole file.
type shellDecoder struct {
	file     string
	line     int
	out      *Shells
	problems []*Problem
}

func (d *shellDecoder) problem(id, text string) {
	d.problems = append(d.problems, &Problem{File: d.file, Line: d.line, ID: id, Text: text})
}

// example keeps what a table claims for the tests.
func (d *shellDecoder) example(id string, hits, misses []string) {
	if len(hits)+len(misses) > 0 {
		d.out.Examples = append(d.out.Examples, ShellExample{File: d.file, ID: id, Line: d.line, Hits: hits, Misses: misses})
	}
}

// cmdlet adds one; a name that two share would mean the first alone.
func (d *shellDecoder) cmdlet(c Cmdlet) {
	known := func(name string) bool {
		return slices.ContainsFunc(d.out.Cmdlets, func(o Cmdlet) bool { return o.Name == name || slices.Contains(o.Aliases, name) })
	}
	switch {
	case c.Name == "":
		d.problem("", "a cmdlet needs a name")
	case known(c.Name) || slices.ContainsFunc(c.Aliases, known):
		d.problem(c.Name, "duplicate cmdlet or alias")
	case c.As == "" && (c.Piped || len(c.Flags) > 0):
		d.problem(c.Name, "flags and piped are about the command that as names")
	default:
		d.out.Cmdlets = append(d.out.Cmdlets, c)
	}
}

func (d *shellDecoder) wrapper(w *rawWrapper) {
	switch {
	case w.Name == "":
		d.problem("", "a wrapper needs a name")
	case slices.ContainsFunc(d.out.Wrappers, func(o Wrapper) bool { return o.Name == w.Name }):
		d.problem(w.Name, "duplicate wrapper")
	case w.Skip < -1:
		d.problem(w.Name, "skip counts the operands before the command; -1: no operand is one")
	case w.Gives && w.Aside == "":
		d.problem(w.Name, "gives is about the options of aside")
	default:
		d.out.Wrappers = append(d.out.Wrappers, w.wrapper())
		d.example(w.Name, w.Hits, w.Misses)
	}
}

// interpreter reads the one that a file may describe, and the library calls of its language.
func (d *shellDecoder) interpreter(lang string, data []byte, raw *rawShells) {
	in := raw.Interpreter
	if in == nil {
		if len(raw.Calls) > 0 {
			d.problem(lang, "calls need an [interpreter]")
		}
		return
	}
	// An empty list is said on purpose: text of SQL, for instance, comes from other interpreters.
	if in.Programs == nil {
		d.problem(lang, "an interpreter needs programs; [] if others hand it its text")
	}
	d.out.Interpreters = append(d.out.Interpreters, Interpreter{
		Lang: lang, Programs: in.Programs, Code: in.Code, Values: in.Values, Attached: in.Attached, Pairs: in.Pairs, Ends: in.Ends,
		Subs: in.Subs, Evals: in.Evals, Reads: in.Reads, Over: in.Over, Modules: in.Modules, Lisp: in.Lisp,
	})
	d.example(lang, in.Hits, in.Misses)
	seen := map[string]bool{}
	// By deed and not by the map's order, so that the generated table is the same each time.
	for deed, key := range deeds {
		for _, name := range raw.Calls[key] {
			if seen[name] {
				d.problem(lang, "duplicate call "+name)
			}
			seen[name] = true
			d.out.Calls = append(d.out.Calls, LibCall{Lang: lang, Name: name, Does: Deed(deed)})
		}
	}
	for key := range raw.Calls {
		if !slices.Contains(deeds[1:], key) {
			d.line = lineIn(data, "calls", key)
			d.problem(lang, fmt.Sprintf("calls do not know %q; there are %s", key, strings.Join(deeds[1:], ", ")))
		}
	}
}
