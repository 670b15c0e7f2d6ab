package rule

import (
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
	Interpreters []Interpreter
	Calls        []LibCall // of all interpreters, by language
	Hidden       []string  // programs that a pattern is taken to mean, in that order
}

// Wrapper is a program that runs the command among its arguments. Lists of options
// hold short ones as letters in the first field and long ones after it: "ug user
// group".
type Wrapper struct {
	Name  string // with the subcommands that lead to the command: "docker compose exec"
	Value string // options that take a value
	Info  string // options with which nothing is run
	Text  string // options whose value is a command line
	Dir   string // options whose value is the working directory
	Skip  int    // operands before the command: timeout 5; -1: operands are no command

	Sep     bool // the command begins only after "--"
	Assigns bool // VAR=v operands may stand before the command
	Script  bool // the operands are joined and given to a shell
	Each    bool // each operand is a command line of its own
	Also    bool // the wrapper itself is judged as well
	Remote  bool // the command runs on another machine or in a container
	Shell   bool // without a command it runs a shell
}

// Word is the program's name without subcommands.
func (w *Wrapper) Word() string {
	name, _, _ := strings.Cut(w.Name, " ")
	return name
}

// Globals are the options with a value that stand between programs and their
// subcommands, listed as a wrapper's.
type Globals struct {
	Programs []string
	Value    string
}

// Interpreter is a family of programs that run text of one language.
type Interpreter struct {
	Lang     string // the name of its file
	Programs []string
	Code     string // letters of the options that hold program text
	Long     string // long options that do
	Values   string // letters of the options with another value
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
)

// deeds are the names of the deeds in rule files, in their order.
var deeds = [...]string{
	"shell", "argv", "spawn", "code", "remove", "tree", "rmdir", "move", "copy", "mode", "mode-of", "owner", "write", "open", "read",
	"perl-open", "truncate", "kill", "option", "map",
}

type rawShells struct {
	Hidden      []string            `toml:"hidden"`
	Globals     []rawGlobals        `toml:"globals"`
	Wrapper     []rawWrapper        `toml:"wrapper"`
	Interpreter *rawInterpreter     `toml:"interpreter"`
	Calls       map[string][]string `toml:"calls"`
}

type rawGlobals struct {
	Programs []string `toml:"programs"`
	Value    string   `toml:"value"`
}

type rawWrapper struct {
	Name    string `toml:"name"`
	Value   string `toml:"value"`
	Info    string `toml:"info"`
	Text    string `toml:"text"`
	Dir     string `toml:"dir"`
	Skip    int    `toml:"skip"`
	Sep     bool   `toml:"sep"`
	Assigns bool   `toml:"assigns"`
	Script  bool   `toml:"script"`
	Each    bool   `toml:"each"`
	Also    bool   `toml:"also"`
	Remote  bool   `toml:"remote"`
	Shell   bool   `toml:"shell"`
}

type rawInterpreter struct {
	Programs []string `toml:"programs"`
	Code     string   `toml:"code"`
	Long     string   `toml:"long"`
	Values   string   `toml:"values"`
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

// decode adds the tables of one file.
func (s *Shells) decode(file string, data []byte) error {
	var raw rawShells
	if err := Decode(file, data, &raw); err != nil {
		return err
	}
	var problems []*Problem
	problem := func(line int, id, text string) {
		problems = append(problems, &Problem{File: file, Line: line, ID: id, Text: text})
	}
	s.Hidden = append(s.Hidden, raw.Hidden...)
	for _, g := range raw.Globals {
		s.Globals = append(s.Globals, Globals(g))
	}
	lines := Headers(data, "wrapper")
	for i, w := range raw.Wrapper {
		line := 0
		if i < len(lines) {
			line = lines[i]
		}
		switch {
		case w.Name == "":
			problem(line, "", "a wrapper needs a name")
		case slices.ContainsFunc(s.Wrappers, func(o Wrapper) bool { return o.Name == w.Name }):
			problem(line, w.Name, "duplicate wrapper")
		case w.Skip < -1:
			problem(line, w.Name, "skip counts the operands before the command; -1: no operand is one")
		default:
			s.Wrappers = append(s.Wrappers, Wrapper(w))
		}
	}
	lang := strings.TrimSuffix(path.Base(file), ".toml")
	if raw.Interpreter == nil {
		if len(raw.Calls) > 0 {
			problem(0, lang, "calls need an [interpreter]")
		}
		return Join(problems)
	}
	in := raw.Interpreter
	if len(in.Programs) == 0 {
		problem(0, lang, "an interpreter needs programs")
	}
	s.Interpreters = append(s.Interpreters, Interpreter{Lang: lang, Programs: in.Programs, Code: in.Code, Long: in.Long, Values: in.Values})
	seen := map[string]bool{}
	for i, deed := range deeds {
		for _, name := range raw.Calls[deed] {
			if seen[name] {
				problem(0, lang, "duplicate call "+name)
			}
			seen[name] = true
			s.Calls = append(s.Calls, LibCall{Lang: lang, Name: name, Does: Deed(i + 1)})
		}
	}
	for key := range raw.Calls {
		if !slices.Contains(deeds[:], key) {
			problem(0, lang, fmt.Sprintf("calls do not know %q; there are %s", key, strings.Join(deeds[:], ", ")))
		}
	}
	return Join(problems)
}
