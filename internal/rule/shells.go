package rule

import (
	"slices"
	"strings"
)

// Shells is what rules/shells says about programs that run other programs. The
// shell engine finds with it what a command line would run.
type Shells struct {
	Programs     []ShellProgram // sorted by name
	Sources      []string       // what compilers take, with its language: all rows of builds
	Wrappers     []Wrapper      // sorted by name
	Variables    []Variable
	Escapes      []Escape
	Settings     []Setting
	Interpreters []Interpreter
	Calls        []LibCall // of all interpreters, by language
	Families     []Family
	Cmdlets      []Cmdlet
	Recipes      []Recipes
	Lexicon

	// Examples are for tests alone: they are in no generated table.
	Examples []ShellExample
}

// Family is a program whose subcommands are programs, too: git-reset is "git reset".
type Family struct {
	Program string
	Except  []string // subcommands that are programs of their own
}

// Dashed takes a name such as git-reset apart; program is "" if it is none of a family.
func (s *Shells) Dashed(name string) (sub, program string) {
	for i := range s.Families {
		f := &s.Families[i]
		sub, ok := strings.CutPrefix(name, f.Program+"-")
		if ok && sub != "" && !strings.Contains(sub, ".") && !slices.Contains(f.Except, sub) {
			return sub, f.Program
		}
	}
	return "", ""
}

// Wrapper is a program that runs the command among its arguments. Lists of options
// hold short ones as letters in the first field and long ones after it: "ug user
// group".
type Wrapper struct {
	Name     string // with the subcommands that lead to the command: "docker compose exec"; "*" is any word
	Value    string // options that take a value
	Pair     string // long options that take two values
	Info     string // options with which nothing is run
	Text     string // options whose value is a command line
	Aside    string // options whose value is a command line that runs beside the rest: see [Wrapper.Beside]
	Only     string // the command counts only if it is one of these programs
	Files    string // commands that end so are files for a program: ".py python3"
	Envfile  string // options with a file of variables for the command
	Envs     string // the file that is read where none of them is given
	Place    string // options that name the place whose variables the command gets: doppler run --config prd
	Placed   string // the place where none of them is given
	Dir      string // options whose value is the working directory
	Clears   string // options with which the command gets none of the variables that there are
	Login    string // options with which it starts a shell where there is no command
	Scripts  string // options with which the command is a file, see Files
	Operands string // options with which the operands are a command after all
	Entry    string // options that name the program of a container's image, to which the operands are given: see [Image]
	Here     string // of what is Remote: names by which the first operand is this machine
	Skip     int    // operands before the command: timeout 5; -1: operands are no command

	Into    bool // the first operand is the working directory
	Names   bool // operands before the command name such a place: chamber exec prod -- x
	Sep     bool // the command begins only after "--"
	Assigns bool // VAR=v operands may stand before the command
	Script  bool // the operands are joined and given to a shell
	Types   bool // the operands are typed where perhaps a shell reads them
	Each    bool // each operand is a command line of its own
	Gives   bool // the command of Aside is given a file as its last argument
	Also    bool // the wrapper itself is judged as well
	Remote  bool // the command runs on another machine or in a container
	Shell   bool // without a command it runs a shell
	Joins   bool // what follows the value of Text belongs to it
	Plus    bool // an operand that begins with + is an option
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
	if n := len(value) - len(rest); n > len(word) || word == "!" || word == "|" {
		return n
	}
	return 0
}

// Globals are the options with a value that stand between programs and their
// subcommands, listed as a wrapper's.
type Globals struct {
	Programs []string
	Value    string
	Dir      string // those of them whose value is the folder that the program works in
}

// Image is a family of images of containers that run a program, to which the words behind the image are given.
type Image struct {
	Names []string // without registry and tag; "*" is any text
	Runs  string
}

// Same is a program that is another one by other names.
type Same struct {
	Names []string // programs, and packages that bring it under another name: firebase-tools, @sentry/cli
	As    string   // that program, perhaps with the words that come first: docker compose
}

// Variable is a family of environment variables whose value other programs run.
type Variable struct {
	Names  []string
	Gives  bool   // the command is given a file as its last argument, as editors are
	Word   bool   // no command line: the shell expands it, and runs the $(…) in it
	Behind string // it is options, as if they stood behind this; with = at its end, the value is one word
}

// Escape is a family of clients that leave lines with a mark in front to a shell.
type Escape struct {
	Programs []string
	Marks    []string
	Reads    []string // commands that read statements from the file that follows
	Ending   string   // what its name may lack
	Operands []string // endings of operands that are such files
	Writes   []string // commands that write to the file that follows
	Appends  []string // and those that write behind what is in it
	Follows  []string // commands whose rest is text in the language Lang
	Lang     string
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
	Aliases []string `toml:"alias"`
	As      string   // the command of Unix that it equals: "truncate -s 0"; empty: the engine knows more of it
	Flags   []string // a parameter and the option of that command: "recurse -r"
	Piped   bool     // what no parameter names comes through the pipe
}

// ShellExample is what an entry claims: rm x is among the commands of each hit, and
// rm of no miss. A comment at the end of a hit names what it removes in place of x.
type ShellExample struct {
	File, ID     string
	Line         int
	Hits, Misses []string
}

// Interpreter is a family of programs that run text of one language.
type Interpreter struct {
	Lang       string `toml:"-"` // the name of its file
	Programs   []string
	Code       string   // options that hold program text
	Values     string   // options with another value
	Attached   string   // options whose value is the rest of their word alone
	Pairs      bool     // letters of Code may follow each other
	Ends       bool     // what follows program text belongs to the program
	Colons     bool     // a colon stands between a long option and its value
	Words      bool     // words behind one dash are options as a whole: -eval
	Fetched    []string // what an operand that names a package begins with, whose program runs; @: it says the version, too
	Subs       []string // subcommands behind which options go on: "bun run"
	Mixed      bool     // operands end no options
	Behind     bool     // it runs files behind those alone
	Evals      []string // subcommands behind which stands program text: "deno eval"
	Reads      []string // what a program says that reads its arguments or its input
	Input      []string // names of what its input says
	Each       string   // letters with which it is run for each file that is named
	Modules    string   // modules of -m whose operands are program text
	Stands     []string // names and what they stand for: "__file__ {file}" the file that runs, "__dirname {folder}" its folder, "os.pardir .."
	Argv       []string // names of its arguments, and the number of the first one: "sys.argv 1"; without a number the name is the first
	Itself     bool     // a file that it runs is an argument more
	Own        string   // modules of -m that are its own, and not the program of that name
	Named      []string // "MODULE PROGRAM": modules of -m that are a program of another name
	Prompts    string   // modules of -m that read a program as the interpreter itself does
	Utilities  []string // "MODULE WORD PROGRAM…": with that module loaded, program text of this word is that program
	Forms      []string // files in which a module of -m, or a program that is named without its ending, is: "{}.py"
	Loads      string   // options with a file that is run before the program
	Checks     []string // "PROGRAM OPTIONS": those with which one of them reads a program and does not run it
	Lisp       bool     // calls are written (name "argument")
	Comments   []string // what begins one that ends with the line
	Sigils     bool     // names begin with $ or @
	Environ    bool     // $NAME is a variable of the environment
	Gaps       bool     // text in double quotes has gaps
	Raw        bool     // in single quotes a backslash escapes itself and the quote alone
	Backquoted bool     // text in backquotes is no command
	Join       string   // joins strings, a dot or two
	Loose      bool     // calls need no brackets
	Parts      bool     // functions named path join the parts of one
	Over       string   // stands between the variable of a loop and what it runs over
	Processes  []string // methods of text that run it as a command

	// How text is written.
	Letters  string   // that may stand before a string: r"", f""
	Triple   bool     // """ begins a string that runs over lines
	Lines    bool     // a string ends with its line, whether it is closed or not
	Patterns bool     // /…/ is a pattern where a value may stand
	Percent  bool     // %w[…], %x(…), %q{…} quote
	Tildes   bool     // ~c"…" is a string
	Quotes   []string // words that quote what follows: qw(…)
	Hole     string   // begins an expression in a string; without it, names with a sigil are filled in
	Tagged   bool     // $`…` runs a command
	Adjacent bool     // "a" "b" is one string
	Bangs    bool     // names may end in ! or ?

	// What operators and calls mean.
	Operators string   // of text and paths: % fills in, / joins
	Spreads   string   // marks in front of a value that leave it what it is: *list, &function
	Captures  bool     // &1 is what a loop hands to a function
	Pipes     bool     // x |> f() is f(x)
	Topic     string   // what a call without arguments is about
	Linked    string   // stands between a module and its function, beside the dot
	Getters   bool     // a().b() is a member of what a names: Runtime.getRuntime().exec
	Tasks     string   // the program to which calls of `task` hand their arguments: "php artisan"
	Chained   []string // methods that hand a program on its way more arguments: Command::new("rm").arg("x")
	Lists     bool     // several arguments for a shell are a program and its arguments
	Members   bool     // the name of a member tells, whatever the module is called
	Imports   bool     // import a as b, from a import b
	Renames   bool     // run = os.system gives a call another name
	Attribute string   // the function that returns a member by its name
	Computed  string   // the member that is a table of all members: os.__dict__["remove"]; AnyValue: each value is one
	Table     string   // the function that returns that table: vars(os)["remove"]
	Unpacks   bool     // {member: name} = module gives a member another name
	Magics    []string // lines that are commands, "MAGIC COMMAND" with "*" for what follows the magic; no command: it is one itself
	Cells     []string // the same for what begins a text that is meant for another program
	Phrases   []string // what stands before the text of a command, where that is all that is read
	Bracket   bool     // that text ends with the bracket in which it stands, and may be quoted `so'

	Libraries []string // of them a program needs one in its text for the calls that are remote; none: their names tell
	Services  []string // the same for the calls that reach people

	// Conditions that the line decides.
	Blocks    string   `one:"- colon end paren brace"` // how what stands behind a condition is written, see BlocksColon and the rest
	Modifiers bool     // x if y: a condition may stand behind what it is about
	Declares  []string // calls that declare an option
	Adds      []string // calls that add a command
	Groups    []string // calls that make the group of these
	Hands     []string // those that declare one which is a parameter of the function behind them
	Commands  []string // calls that stand for a command, in programs that say a text: "Repo(: .git.* git *"
	Sends     []string // names, the text behind which is a statement
	Parses    []string // calls that return the options which are given, by the last part of their names
	Flags     []string // calls that declare an option, and whether it is on or off ("switch") or has a value ("value")

	// Files and their names.
	Glob     string   // the function of patterns: it needs no brackets, and blanks stand between patterns
	Tilde    bool     // patterns know ~
	Homes    bool     // so do all names of files
	Index    string   // NAME["*.c"] lists files
	Joins    bool     // functions named join join the parts of a path, whatever they belong to
	Prefixed bool     // a new folder is named by a prefix with the folder in it
	Bare     bool     // a listing has names without their folder
	Orders   []string // words before a list that leave its names what they are, with a block or without: sort { … } glob("*")
	Braces   bool     // patterns know {a,b}
	Visits   []string // what the function of a finder calls the file that it is at
	Handles  []string // they list names of a handle, without their folder

	// Loops.
	Loop      string   `one:"- in as block topic"` // how they are written, see LoopIn and the rest
	Arrows    bool     // x.forEach(f => …)
	Iterators bool     // what a loop runs over returns names, without their folder
	Finders   []string // they call their first argument for all that is below the last one
}

// How the loops of a language are written.
const (
	LoopIn    = "in"    // for x in y, also behind what it repeats
	LoopAs    = "as"    // foreach (y as x)
	LoopBlock = "block" // y { |x| … }
	LoopTopic = "topic" // for my x (y), and without x for $_
)

// How a language writes what stands behind a condition.
const (
	BlocksColon = "colon" // if x: and lines that begin further to the right
	BlocksEnd   = "end"   // such lines, and end
	BlocksParen = "paren" // if (x) { … }
	BlocksBrace = "brace" // if x { … }
)

// LibCall is a library call of a language, named as programs write it. A name that
// begins with a dot is a method: what it is called on is the file.
type LibCall struct {
	Lang string
	Name string
	Does Deed
}

// AnyValue stands for each value of a program.
const AnyValue = "*"

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
	DoTrees                    // rm -r of several
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
	DoAppend                   // >> file
	DoWriteTo                  // write a whole file, the second argument
	DoExec                     // run(program, [argv0, arguments])
	DoExecMode                 // run(mode, program, [argv0, arguments])
	DoFlagged                  // rm, or rm -r if there is a second argument
	DoSignal                   // kill, the arguments the other way round
	DoCopyTree                 // cp -r, what is in a folder into another one
	DoChdir                    // cd
	DoMoveTo                   // mv, where the method has one argument alone: text has methods of such names, too
	DoOwner                    // chown user, group, files
	DoOwnerOf                  // chown file, user, group
	DoLink                     // ln -s target, link
	DoLinkOf                   // ln -s, the arguments the other way round
	DoHardLink                 // ln file, link
	DoOpenAs                   // open, behind the handle that it gets
	DoOpenOf                   // open, as a method of the file
	DoWriteOf                  // > file, as a method of files and of much else: where the file is known
	DoDelete                   // curl -X DELETE, where an argument is an address
	DoRequest                  // the same, where another argument says that method
	DoTask                     // run a command of the framework: see Tasks
	DoLoad                     // run a file of the same language
	DoRemote                   // what others may use goes, in a file that has such a library: see Remote
	DoReach                    // people get a message, or money moves, in a file that has such a service
	DoPost                     // the same, where the file names an address to which messages are posted
	DoAlter                    // rows of the application change, in a file that has such a library: what matters in production alone
)

// deeds are the names of the deeds in rule files.
var deeds = [...]string{
	DoShell: "shell", DoArgv: "argv", DoSpawn: "spawn", DoCode: "code", DoRemove: "remove", DoTree: "tree", DoRmdir: "rmdir", DoMove: "move",
	DoCopy: "copy", DoMode: "mode", DoModeOf: "mode-of", DoTrees: "trees", DoWrite: "write", DoWriteTo: "write-to", DoOpen: "open", DoRead: "read", DoPerl: "perl-open",
	DoTruncate: "truncate", DoKill: "kill", DoOption: "option", DoMap: "map", DoSQL: "sql", DoUnpack: "unpack", DoAppend: "append",
	DoExec: "exec", DoExecMode: "mode-exec", DoFlagged: "flagged", DoSignal: "signal", DoCopyTree: "copy-tree",
	DoChdir: "chdir", DoMoveTo: "move-to", DoOwner: "owner", DoOwnerOf: "owner-of",
	DoLink: "link", DoLinkOf: "link-of", DoHardLink: "hard-link",
	DoOpenAs: "open-as", DoOpenOf: "open-of", DoWriteOf: "write-of",
	DoDelete: "delete-address", DoRequest: "request", DoLoad: "load", DoTask: "task", DoRemote: "remote", DoReach: "reaches", DoPost: "posts", DoAlter: "alters",
}
