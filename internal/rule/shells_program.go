package rule

import (
	"slices"
	"strings"
)

// ShellProgram is what the shell engine knows of one program by its name: how its arguments
// and its input are read, what it prints, and which files it writes.
type ShellProgram struct {
	Name    string
	Grammar Grammar
	Prints  Printed
	Writes  Written
	Value   string // options with a value, as a [Wrapper]'s
	Output  string // of those the ones that name the file which it writes
	Files   string // what it looks for where it stands, and runs recipes of
	Brings  Texts  // files that it runs by themselves, and their language: "conftest.py python"; "*.py python": operands that end so; "./*_test.go go": all that do; "{}/setup.py python": in folders that are operands; ": python": modules
	Builds  Texts  // what it compiles, and its language: "*.c c", "build *.go go" behind a subcommand
	Tops    Texts  // words behind which it prints the top of the repository around, or what lies in it: "rev-parse --show-toplevel", "rev-parse --git-dir /.git", or a folder in the home: "cache dir ~/.cache/pip"
	Calls   Texts  // subcommands of Git that it calls, behind subcommands of its own: "pr checkout: fetch checkout"
	Tasks   bool   // it runs what is asked for of files: see [Recipes]
}

// Grammar is how a program's arguments and input say what it runs. Each but the first
// has a file of its own in package shell.
type Grammar uint8

// The grammars.
const (
	NoGrammar        Grammar = iota // it runs nothing, as far as is known
	GrammarShell                    // sh -c, a script, its input
	GrammarFind                     // find -exec
	GrammarFd                       // fd -x
	GrammarXargs                    // xargs
	GrammarParallel                 // GNU parallel
	GrammarApplet                   // the first operand is the program
	GrammarGit                      // aliases, hooks of a call, bisect run
	GrammarMake                     // recipes
	GrammarMercurial                // hooks and aliases of a call
	GrammarMacro                    // %(command)
	GrammarEntr                     // what follows its options, for each change
	GrammarWindows                  // cmd /c, powershell -Command
	GrammarVim                      // :!command
	GrammarSed                      // e and w
	GrammarAwk                      // system() and pipes
	GrammarNix                      // nix run, shell -c
	GrammarTmux                     // new-session and its like, send-keys
	GrammarScreen                   // -X stuff
	GrammarExpect                   // spawn and exec
)

// Printed is what the output of a program follows from.
type Printed uint8

// What programs print.
const (
	PrintsUnknown   Printed = iota
	PrintsArguments         // echo
	PrintsFormat            // printf
	PrintsInput             // its input or the files that it is given, or some of it
	PrintsBase64            // what its input decodes to
	PrintsHex               // what its input decodes to
	PrintsCipher            // openssl base64
	PrintsFolder            // the working directory
	PrintsProgram           // the path of the program that is its last argument
	PrintsParent            // its operand without the last part
	PrintsLast              // the last part of its operand
	PrintsPath              // its last argument, resolved
	PrintsTemporary         // a new path in a temporary folder
	PrintsNumbers           // seq
	PrintsFound             // names below its starting points
	PrintsLines             // lines of its input, changed or not
	PrintsMatches           // grep: lines, or the names of its operands
	PrintsDeep              // rg: as grep -r
	PrintsNames             // ls: what lies in its operands
	PrintsTracked           // git ls-files and its like
	PrintsNothing
	PrintsWhole      // cat: all of its input or of the files that it is given
	PrintsPassed     // tee: all of its input
	PrintsReversed   // rev
	PrintsTranslated // tr
)

// Written is which files a program writes that the line may run later.
type Written uint8

// What programs write.
const (
	WritesNothing  Written = iota
	WritesOperands         // its input, to each operand
	WritesDownload         // what it fetches, as curl -o
	WritesOutput           // what it fetches, as wget -O
	WritesCopy             // its last operand, from the one before
	WritesBlocks           // of=, from if=
)

// grammars, prints and writes are the names of these in rule files.
var (
	grammars = [...]string{
		GrammarShell: "shell", GrammarFind: "find", GrammarFd: "fd", GrammarXargs: "xargs", GrammarParallel: "parallel", GrammarApplet: "applet",
		GrammarGit: "git", GrammarMake: "make", GrammarMercurial: "mercurial", GrammarMacro: "macro", GrammarEntr: "entr", GrammarWindows: "windows",
		GrammarVim: "vim", GrammarSed: "sed", GrammarAwk: "awk", GrammarNix: "nix", GrammarTmux: "tmux", GrammarScreen: "screen", GrammarExpect: "expect",
	}
	prints = [...]string{
		PrintsArguments: "arguments", PrintsFormat: "format", PrintsInput: "input", PrintsBase64: "base64", PrintsHex: "hex", PrintsCipher: "cipher",
		PrintsFolder: "folder", PrintsProgram: "program", PrintsParent: "parent", PrintsLast: "last", PrintsPath: "path", PrintsTemporary: "temporary",
		PrintsNumbers: "numbers", PrintsFound: "found", PrintsLines: "lines", PrintsMatches: "matches", PrintsDeep: "deep-matches", PrintsNames: "names",
		PrintsTracked: "tracked", PrintsNothing: "nothing", PrintsWhole: "whole", PrintsPassed: "passed", PrintsReversed: "reversed", PrintsTranslated: "translated",
	}
	writes = [...]string{
		WritesOperands: "operands", WritesDownload: "download", WritesOutput: "output", WritesCopy: "copy", WritesBlocks: "blocks",
	}
)

// rawShellProgram is a row of [[program]]: programs that are alike in all of this.
type rawShellProgram struct {
	Names                                         []string
	Grammar, Prints, Writes, Value, Output, Files string
	Brings, Builds, Calls, Tops                   []string
	claims
}

// Program finds one by its name; what nothing is known of is a program without a grammar.
func (s *Shells) Program(name string) ShellProgram {
	i, ok := slices.BinarySearchFunc(s.Programs, name, func(p ShellProgram, name string) int { return strings.Compare(p.Name, name) })
	if !ok {
		return ShellProgram{Name: name}
	}
	return s.Programs[i]
}

// program adds the programs of one row.
func (d *shellDecoder) program(r *rawShellProgram) {
	d.id = strings.Join(r.Names, " ")
	word := func(key, value string, known []string) int {
		i := slices.Index(known, value)
		if i < 0 {
			d.problem("%s does not know %q; there are %s", key, value, strings.Join(known[1:], ", "))
		}
		return max(i, 0)
	}
	p := ShellProgram{
		Grammar: Grammar(word("grammar", r.Grammar, grammars[:])),
		Prints:  Printed(word("prints", r.Prints, prints[:])),
		Writes:  Written(word("writes", r.Writes, writes[:])),
		Value:   r.Value, Output: r.Output, Files: r.Files,
		Brings: NewTexts(r.Brings...), Builds: NewTexts(r.Builds...), Calls: NewTexts(r.Calls...), Tops: NewTexts(r.Tops...),
	}
	switch {
	case len(r.Names) == 0:
		d.problem("a program needs names")
	case r.Grammar == "" && r.Prints == "" && r.Writes == "" && r.Files == "" && len(r.Brings) == 0 && len(r.Builds) == 0 && len(r.Calls) == 0 && len(r.Tops) == 0:
		d.problem("a program needs a grammar, or what it prints, writes or runs")
	case slices.ContainsFunc(slices.Concat(r.Brings, r.Builds), func(b string) bool { n := len(strings.Fields(b)); return n < 2 || n > 4 }):
		d.problem("brings and builds have a file and its language each, as in \"conftest.py python\", behind subcommands perhaps")
	}
	for _, row := range r.Builds {
		if !slices.Contains(d.out.Sources, row) {
			d.out.Sources = append(d.out.Sources, row)
		}
	}
	for _, name := range r.Names {
		if slices.ContainsFunc(d.out.Programs, func(o ShellProgram) bool { return o.Name == name }) {
			d.add(d.file, d.line, name, "duplicate program")
		}
		p.Name = name
		d.out.Programs = append(d.out.Programs, p)
	}
	d.example(d.id, r.claims)
}
