package rule

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Shells is what rules/shells says about programs that run other programs. The
// shell engine finds with it what a command line would run.
type Shells struct {
	Wrappers     []Wrapper // sorted by name
	Globals      []Globals
	Variables    []Variable
	Escapes      []Escape
	Settings     []Setting
	Interpreters []Interpreter
	Calls        []LibCall // of all interpreters, by language
	Hidden       []string  // programs that a pattern is taken to mean, in that order
	Cmdlets      []Cmdlet
	Objects      []string // parameters of cmdlets whose value names what they work on, sorted
	Values       []string // parameters of cmdlets with another value, sorted

	// Examples are for tests alone: they are in no generated table.
	Examples []ShellExample
}

// Wrapper is a program that runs the command among its arguments. Lists of options
// hold short ones as letters in the first field and long ones after it: "ug user
// group".
type Wrapper struct {
	Name  string // with the subcommands that lead to the command: "docker compose exec"; "*" is any word
	Value string // options that take a value
	Info  string // options with which nothing is run
	Text  string // options whose value is a command line
	Aside string // options whose value is a command line that runs beside the rest: see [Wrapper.Beside]
	Only  string // the command counts only if it is one of these programs
	Files string // commands that end so are files for a program: ".py python3"
	Dir   string // options whose value is the working directory
	Skip  int    // operands before the command: timeout 5; -1: operands are no command

	Sep     bool // the command begins only after "--"
	Assigns bool // VAR=v operands may stand before the command
	Script  bool // the operands are joined and given to a shell
	Each    bool // each operand is a command line of its own
	Gives   bool // the command of Aside is given a file as its last argument
	Also    bool // the wrapper itself is judged as well
	Remote  bool // the command runs on another machine or in a container
	Shell   bool // without a command it runs a shell
}

// Word is the program's name without subcommands.
func (w *Wrapper) Word() string {
	name, _, _ := strings.Cut(w.Name, " ")
	return name
}

// Beside looks an option up in Aside, which names one option a word: "e" and "rsh"
// for any value, "o=ProxyCommand" for values that begin with that word, "+" for
// operands such as +TEXT. It returns the length of what precedes the command line
// in the value, -1 if the value is none. Long options may be abbreviated; "-ex" is
// a long one behind a single dash.
func (w *Wrapper) Beside(name, value string) (cut int, ok bool) {
	cut = -1
	for entry := range strings.FieldsSeq(w.Aside) {
		option, word, has := strings.Cut(entry, "=")
		if option != name && (len(name) < 3 || !strings.HasPrefix(option, name)) {
			continue
		}
		ok = true
		if !has {
			return 0, true
		}
		if n := leading(value, word); n > 0 {
			cut = n
		}
	}
	return cut, ok
}

// leading returns how much of a value the word takes that makes it a command line,
// with the blank or "=" behind it; 0 if it does not begin with that word.
func leading(value, word string) int {
	if len(value) < len(word) || !strings.EqualFold(value[:len(word)], word) {
		return 0
	}
	rest := strings.TrimLeft(value[len(word):], "= \t")
	if n := len(value) - len(rest); n > len(word) || word == "!" {
		return n
	}
	return 0
}

// Globals are the options with a value that stand between programs and their
// subcommands, listed as a wrapper's.
type Globals struct {
	Programs []string
	Value    string
}

// Variable is a family of environment variables whose value other programs run.
type Variable struct {
	Names []string
	Gives bool // the command is given a file as its last argument, as editors are
	Word  bool // no command line: the shell expands it, and runs the $(…) in it
}

// Escape is a family of clients that leave lines with a mark in front to a shell.
type Escape struct {
	Programs []string
	Marks    []string
}

// Setting is a family of settings of a program whose value it runs.
type Setting struct {
	Program  string
	Keys     []string // in lower case; "*" is any text: "filter.*.smudge"
	Harmless []string // values that run nothing, or nothing but what was asked for
}

// RunsSetting reports a setting of a program whose value it runs as a command line.
func (s *Shells) RunsSetting(program, key, value string) bool {
	key = strings.ToLower(key)
	for i := range s.Settings {
		r := &s.Settings[i]
		if r.Program != program || slices.Contains(r.Harmless, value) {
			continue
		}
		for _, k := range r.Keys {
			head, tail, glob := strings.Cut(k, "*")
			if key == k || glob && len(key) > len(head)+len(tail) && strings.HasPrefix(key, head) && strings.HasSuffix(key, tail) {
				return true
			}
		}
	}
	return false
}

// Cmdlet is a command of PowerShell, in lower case.
type Cmdlet struct {
	Name    string
	Aliases []string
	As      string   // the command of Unix that it equals: "truncate -s 0"; empty: the engine knows more of it
	Flags   []string // a parameter and the option of that command: "recurse -r"
	Piped   bool     // what no parameter names comes through the pipe
}

// ShellExample is what an entry claims: rm is among the commands of each hit, and
// of no miss.
type ShellExample struct {
	File, ID     string
	Line         int
	Hits, Misses []string
}

// Interpreter is a family of programs that run text of one language.
type Interpreter struct {
	Lang     string // the name of its file
	Programs []string
	Code     string // letters of the options that hold program text
	Long     string // long options that do
	Values   string // letters of the options with another value
	Modules  string // modules of -m whose operands are program text
	Lisp     bool   // calls are written (name "argument")
}

// LibCall is a library call of a language, named as programs write it. A name that
// begins with a dot is a method: what it is called on is the file.
type LibCall struct {
	Lang string
	Name string
	Does Deed
}

// Deed is what a library call amounts to.
type Deed uint8

// The deeds, each with the command of Unix that it equals.
const (
	DoShell    Deed = iota + 1 // run a command line, or an argument list
	DoArgv                     // run a program with arguments, without a shell
	DoSpawn                    // run(program, [arguments])
	DoCode                     // run program text of the same language
	DoRemove                   // rm
	DoTree                     // rm -r
	DoRmdir                    // rmdir
	DoMove                     // mv
	DoCopy                     // cp
	DoMode                     // chmod mode file
	DoModeOf                   // chmod, the arguments the other way round
	DoOwner                    // chown
	DoWrite                    // > file
	DoOpen                     // open: <, > or >> by its mode
	DoRead                     // cat file
	DoPerl                     // perl's open: the mode may be part of the name
	DoTruncate                 // truncate to nothing
	DoKill                     // kill
	DoOption                   // rm, or rm -r if the options say recursive
	DoMap                      // call the function named first for each of a list
	DoSQL                      // send a statement to a database
	DoUnpack                   // tar -x
)

// deeds are the names of the deeds in rule files, in their order.
var deeds = [...]string{
	"shell", "argv", "spawn", "code", "remove", "tree", "rmdir", "move", "copy", "mode", "mode-of", "owner", "write", "open", "read",
	"perl-open", "truncate", "kill", "option", "map", "sql", "unpack",
}

type rawShells struct {
	Hidden      []string            `toml:"hidden"`
	Globals     []rawGlobals        `toml:"globals"`
	Variable    []rawVariable       `toml:"variable"`
	Escape      []rawEscape         `toml:"escape"`
	Wrapper     []rawWrapper        `toml:"wrapper"`
	Setting     []rawSetting        `toml:"setting"`
	Cmdlet      []rawCmdlet         `toml:"cmdlet"`
	Parameters  rawParameters       `toml:"parameters"`
	Interpreter *rawInterpreter     `toml:"interpreter"`
	Calls       map[string][]string `toml:"calls"`
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
	Hits     []string `toml:"hits"`
	Misses   []string `toml:"misses"`
}

type rawWrapper struct {
	Name    string `toml:"name"`
	Value   string `toml:"value"`
	Info    string `toml:"info"`
	Text    string `toml:"text"`
	Aside   string `toml:"aside"`
	Only    string `toml:"only"`
	Files   string `toml:"files"`
	Dir     string `toml:"dir"`
	Skip    int    `toml:"skip"`
	Sep     bool   `toml:"sep"`
	Assigns bool   `toml:"assigns"`
	Script  bool   `toml:"script"`
	Each    bool   `toml:"each"`
	Gives   bool   `toml:"gives"`
	Also    bool   `toml:"also"`
	Remote  bool   `toml:"remote"`
	Shell   bool   `toml:"shell"`

	Hits   []string `toml:"hits"`
	Misses []string `toml:"misses"`
}

// wrapper is what a row says without its examples.
func (w *rawWrapper) wrapper() Wrapper {
	return Wrapper{
		Name: w.Name, Value: w.Value, Info: w.Info, Text: w.Text, Aside: w.Aside, Only: w.Only, Files: w.Files, Dir: w.Dir, Skip: w.Skip,
		Sep: w.Sep, Assigns: w.Assigns, Script: w.Script, Each: w.Each, Gives: w.Gives, Also: w.Also, Remote: w.Remote, Shell: w.Shell,
	}
}

type rawInterpreter struct {
	Programs []string `toml:"programs"`
	Code     string   `toml:"code"`
	Long     string   `toml:"long"`
	Values   string   `toml:"values"`
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
		s.Escapes = append(s.Escapes, Escape{Programs: v.Programs, Marks: v.Marks})
		d.example(strings.Join(v.Programs, " "), v.Hits, v.Misses)
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
	d.out.Interpreters = append(d.out.Interpreters, Interpreter{Lang: lang, Programs: in.Programs, Code: in.Code, Long: in.Long, Values: in.Values, Modules: in.Modules, Lisp: in.Lisp})
	d.example(lang, in.Hits, in.Misses)
	seen := map[string]bool{}
	// By deed and not by the map's order, so that the generated table is the same each time.
	for i, deed := range deeds {
		for _, name := range raw.Calls[deed] {
			if seen[name] {
				d.problem(lang, "duplicate call "+name)
			}
			seen[name] = true
			d.out.Calls = append(d.out.Calls, LibCall{Lang: lang, Name: name, Does: Deed(i + 1)})
		}
	}
	for key := range raw.Calls {
		if !slices.Contains(deeds[:], key) {
			d.line = lineIn(data, "calls", key)
			d.problem(lang, fmt.Sprintf("calls do not know %q; there are %s", key, strings.Join(deeds[:], ", ")))
		}
	}
}
