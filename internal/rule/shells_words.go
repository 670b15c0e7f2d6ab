package rule

import (
	"reflect"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/toml"
)

// Words is a list of names, sorted.
type Words []string

// Has reports whether a name is in the list.
func (w Words) Has(name string) bool {
	_, ok := slices.BinarySearch(w, name)
	return ok
}

// Begun reports whether one of them begins with a text.
func (w Words) Begun(text string) bool {
	i, _ := slices.BinarySearch(w, text)
	return i < len(w) && strings.HasPrefix(w[i], text)
}

// Lexicon is what the shell engine knows word by word: one table for each grammar, in a rule
// file that is named after it.
type Lexicon struct {
	Hidden     []string // programs that a pattern is taken to mean, in that order
	Prefixed   []string // programs that a Mac has under g and their own name
	Destroyers []string // programs that text is taken to run when it begins as a call of one, sorted
	Prefixes   []string // parts of the names of variables that stand in front of a command
	Folders    []string // where the programs of a system lie, each with a slash at the end
	Globals    []Globals
	Image      []Image
	Same       []Same
	Parameters Parameters
	Sh         Sh
	Cmd        BatchWords
	Batch      []Batch
	PowerShell PowerShell
	Windows    Windows
	Find       Find
	Fd         Fd
	Xargs      Xargs
	Parallel   Parallel
	Git        Git
	Awk        Editor
	Sed        Editor
	Tmux       []Tmux
	Tcl        Tcl
	Vim        Vim
	Code       Code
	Remote     Remote
	Functions  Functions
	Methods    Methods
	Lisp       Lisp
	Makefile   Makefile
	Justfile   Justfile
}

// Sh is the words of shells.
type Sh struct {
	Keywords  Words // begin or join commands and are none
	Opens     Words // begin what may hold others of its kind
	Closes    Words // end it
	Makes     Words // programs that make folders which commands behind them enter
	Unpacks   Words // programs that make what an archive from a pipe says
	Declares  Words // builtins whose operands NAME=value are assignments
	Fills     Words // programs that set variables for what they run
	Leaves    Words // builtins behind which the commands that follow may not run
	Again     Words // those that end the round of a loop
	Ends      Words // that end the shell
	Returns   Words // that end a function
	Reads     Words // builtins that may set any variable
	Gives     Words // that set those which their operands name
	Aside     Words // that do so behind an option: "printf -v"
	Unasked   Words // those that some of these set unasked
	Shifts    Words // that change the words of a script
	Moves     Words // that go to another folder
	Plainly   Words // that stand before a builtin
	Own       Words // variables that shells set by themselves
	Succeeds  Words // commands that end well whatever happens
	Fails     Words // and those that never do
	Seldom    Words // that seldom fail
	Hides     Words // programs that do not end as what they run does
	Sets      Words // the builtin that sets options
	Pipefail  Words // with which a pipe ends as all of its parts do
	Options   Words // builtins whose operands are names of options
	Exporting Words // options of set with which all that is set is exported
	Physical  Words // those with which cd goes where links lead
	Source    Words // the parameter that names the file which is read
	Volatile  Words // parameters that differ in each run
	Home      Words // spellings of the home folder at the beginning of a word
	Input     Words // names under which programs find their standard input
	Fds       Words // folders in which descriptors have names
	Itself    Words // words that name the shell which reads them
	Others    Words // shells with a grammar of their own
	Forms     Words // of them, which this grammar takes for something else
	Takes     Words // programs that take something away
	Scripts   Words // endings of the names of scripts
	Tests     Words // what [ is called without a bracket at the end

	Value   string // options with a value, as a [Wrapper]'s
	Command Words  // options with which the first operand is the script
}

// BatchWords is the words of cmd.exe.
type BatchWords struct {
	Before   Words // stand before a command: if, call
	Compares Words // stands between two words of "if"
	Each     Words // programs that run a command of cmd.exe for each file
	Found    Words // what stands for the file there
	Glued    Words // builtins that are written without a blank before a switch
}

// Batch is a builtin of cmd.exe that works on files.
type Batch struct {
	Names Words
	As    string   // the command of Unix that it equals
	Flat  string   // the one that it equals without /s
	Flags []string // a switch and the option of that command: "s -r"
}

// PowerShell is the words of PowerShell, in lower case.
type PowerShell struct {
	Keywords   Words // begin a statement and name no command
	Scopes     Words // stand before the name of a variable
	Properties Words // of a file that are its name once more
	Unix       Words // options that tell the program of Unix from the alias, as written
	Containers Words // what new-item makes that has no content
	Current    Words // variables that hold what comes through the pipe
	Options    Words // of the program itself, with a value
	Short      Words // of those the ones that are no beginning of another
	Writes     Words // cmdlets that write their first operand anew
	Appends    Words // that write to its end
	Requests   Words // that send a request
	Enters     Words // that change the folder
	Prints     Words // that print their operands
	Lists      Words // that list a folder
	Runs       Words // that run text
	Starts     Words // that start a program
	Unpacks    Words // that unpack their first operand into the second, over what is there only by force
	Creates    Words // that make a file, and empty one by force
	Passes     Words // that pass some of what they get on
	Joins      Words // that join the parts of a path
	Resolves   Words // that return the path that they are given
}

// Parameters are those of cmdlets that take a value.
type Parameters struct {
	Object Words // it names what they work on
	Value  Words // another one
}

// Windows is the variables of Windows, in upper case.
type Windows struct {
	Home      Words
	Temporary Words
	Known     [][2]string // the same on nearly every machine, with their values
}

// Find is the words of find's expressions.
type Find struct {
	Start  Words // options before the starting points
	Runs   Words // a command follows
	Writes Words // the name of a file that is written follows
	Acts   Words // do something, or say how to search, and leave no file out
	Says   Words // of those the ones with a value
	Plain  Words // tests without a value
	Not    Words // take back what another test says, or put it beside others
	Spares Words // of those the ones that take back the one test behind them
}

// HasValue reports a test of find's with a word behind it.
func (f *Find) HasValue(word string) bool {
	return strings.HasPrefix(word, "-") && word != "-delete" && !f.Plain.Has(word) && !f.Acts.Has(word) && !f.Runs.Has(word)
}

// Fd is the options of fd. Lists of options are those of a [Wrapper].
type Fd struct {
	Value   string
	Narrows string   // leave files out
	Marks   []string // stand for the file in a command
	All     Words    // patterns that every name fits
	Runs    Words    // the rest of the line is a command
	Start   Words    // their value is a folder to look in
	Base    Words    // their value is one where no other is named
	Ending  Words    // their value is what names end in
	Ignored Words    // what Git ignores counts, too
}

// Xargs is the options of xargs.
type Xargs struct {
	Value     string
	Marks     Words // name the mark for which an operand stands
	Given     Words // do so, or mean {}, where the value may be left out
	Zero      Words // operands end with a zero byte
	Separator Words
	File      Words // its value takes the place of the input
	Rest      Words // old ones whose value is attached or missing, never the next word
	Info      Words // nothing is run
}

// Parallel is the options of GNU parallel.
type Parallel struct {
	Value string
	File  Words // its value takes the place of the input
	Dry   Words // nothing is run but what operands hold of perl
	Info  Words // alone, nothing is run
	Pipe  Words // the input goes to the command
	Lists Words // operands follow
	Files Words // names of files with operands follow
	Marks []string
}

// Editor is the options of awk or sed. Lists of options are those of a [Wrapper].
type Editor struct {
	Value    string
	Attached string // the rest of their word alone is their value
	Text     string // the value is program text
	Files    string // the value is a file with some
	Permutes bool   // options may follow operands
}

// Git is the words of Git's own programs that run commands.
type Git struct {
	Filters  Words // options of filter-branch whose value is a command line
	Commands Words // its own: no alias has such a name
	// Hooks are what runs by itself, "commit: pre-commit commit-msg" behind a subcommand. Unhooked says with which options some of that does not:
	// "commit -n: pre-commit".
	Hooks    []string
	Unhooked []string
}

// Tmux is commands of tmux that are alike.
type Tmux struct {
	Names Words
	Value string // their options with a value
	// What the operands are, where they are no command line: text that is typed, text for the buffer, a file of such text, several commands
	// of tmux's or lines, a file of commands.
	Types, Holds, Reads, Nested, Commands bool
	Pastes                                bool     // it types what the buffer holds
	Unseen                                string   // options with which what it types does not stand among the operands
	Keys                                  []string // names of keys, and what each types; \b takes a letter back
	Own                                   []string // files of commands that people keep for tmux
}

// Tcl is the commands of Tcl and of expect.
type Tcl struct {
	Starts Words    // another program
	Types  Words    // what a terminal is given
	Files  []string // members of file and what they amount to: "copy cp -r"
}

// Vim is the words of vim's command line.
type Vim struct {
	Value  string   // options with a value, as a [Wrapper]'s
	Runs   Words    // those whose value is a command
	Reads  Words    // those whose value is a file of commands
	Ex     Words    // options with which the input is a list of commands
	Quiet  []string // stand before a command, in the order in which they are taken off
	Writes Words    // write to the file that follows
	Opens  Words    // open or read the files that follow
	Each   Words    // run the command that follows for each file
	Files  Words    // options with the name of a file that is written
	Adds   Words    // and of one that is written behind what is in it
}

// Code is words that mean the same in the languages that have them.
type Code struct {
	Before    Words // in front of a value that they leave what it is
	Leads     Words // a value stands behind them, so that / begins a pattern there
	Modifiers Words // end the arguments of a call without brackets
	Own       Words // the object whose method runs, or its class
	Defines   Words // begin a function of the program: a name and its parameters follow
	Classes   Words // begin a class: its name follows
	Makers    Words // methods that make an object of it
	Loops     Words // stand in the head of a loop
	Listers   Words // list names for a block
	Blocks    Words // methods that hand each item to a block
	Opens     Words // connect to a database, whose file is their argument
	Operators Words // of two bytes
	Modules   Words // whose members are looked up behind the module's name
	Files     Words // modules of files, whose members stand without it
	Roots     Words // what programs call those
	Ambiguous Words // names of members that other things have, too
	Telling   Words // names of members that nothing else has
	First     Words // what the first argument of most calls is named
	Cuts      Words // they cut a file off that is open
	Really    Words // options with which a program does what it would otherwise only say
	Parsed    Words // what programs call the options that they were given
	Leaves    Words // they end the program, the function, or the round of a loop
	Rounds    Words // those of them that are no calls
	Ranges    Words // stand before what a loop runs over
	Tests     Words // they begin a condition
	Unless    Words // those of them that turn it round
	Within    Words // begin a part of a statement: x do … end
	Others    Words // begin what runs else
	Chained   Words // begin another condition, which is tested else
	Switches  Words // begin a choice of several
	Labels    Words // begin one of those
	Through   Words // run on into the next one
	Equals    Words // words that compare as == does
	Differs   Words // as != does
	Picks     Words // they give a block each item, and tell whether it holds of one: grep { $_ eq "x" } @list
	Holds     Words // they tell whether a list has an item
	Lists     Words // what makes another list of it that has the same items
	Counts    Words // functions that tell how many it has
	Sizes     Words // members that do
	Places    Words // … that say where an item of it stands
	Looks     Words // members of a list that leave it as it is
	Unsets    Words // words that take a variable, or a member of a list, away
	Fills     Words // libraries that set variables of the environment
	Resets    Words // what a program says in which options are set in other ways
	Functions Words // begin a function, with a name or without
	Names     Words // a name behind them gets a value
	Declared  Words // stand in front of a name that is set for the first time
	Defaults  Words // what an option is where it is not given
	Kinds     Words // what says that an option has no value
	Toggles   Words // and what it says then
	Texts     Words // a kind that leaves it a text
	Otherwise Words // operators between a value and what counts where there is none, by their marks
	Remarks   Words // what changes nothing of an option
	Unvalued  Words // kinds of options without a value
	Amounts   Words // how many words it takes
	Dests     Words // under which name it is found
	Required  Words // whether it must be given
	Operands  Words // what a library calls the words that are no options
	Shows     Words // functions that print what they are given
	Wholes    Words // functions that give it back as it is, in another shape
	Keeps     Words // arguments with the caller's own credential
	Fetches   Words // functions that return what stands at an address
	Returns   Words // give back a value
	Overrides Words // with what they say, even of those that are set
	Handlers  Words // calls that say which function a command has
	Commands  Words // decorators that make a function one
	Decorates Words // that only say what one takes
	Suffixes  Words // ends of such a function's name which some versions leave out
	Aliases   Words // how a call says that a command has other names
	Stores    Words // and where the name is kept
	Reaches   Words // by what functions are reached that nothing names
	Globals   Words // functions that return all names of the program, with what they stand for
	Pairs     Words // a member that gives both
	Begins    Words // and one that tells how a name begins
	Matches   Words // match of Python
	Unhelped  Words // what a program says which goes on behind one of Helps
	Helps     Words // options with which a program only says what it knows
}

// Remote is what a program says, or is called, in which calls that delete elsewhere are everyday.
type Remote struct {
	Local  Words // it works with what is on this machine
	Serves Words // it waits for others: what it deletes is asked for by them
	Trials Words // words of its path: it tries something, or puts in what is there to begin with
	Lives  Words // words that it is given: it does so where users work
	Hooks  Words // what addresses to which messages are posted are called
	Rows   Words // names of calls which delete what an argument picks; without one, everything
}

// Functions is what functions return, by the last part of their names.
type Functions struct {
	Environment Words // a variable; names in full
	Constants   Words // no functions: kept as they are written
	Records     Words // a table of what they are given by names
	Counted     Words // each item with its number in front
	Numbers     Words // the numbers up to one, or between two
	Loads       Words // the module that is named
	Builds      Words // a path of several parts; of one part they are in Argument
	Argument    Words // their first argument in another type or spelling
	Expands     Words // it, with the home folder for a tilde
	Home        Words
	Temporary   Words // the folder for temporary files
	Fresh       Words // a new folder
	Here        Words // the working directory
	Up          Words // the folder in which their argument lies
	Beside      Words // the first argument, from the folder of the file that the second one names
	Joins       Words // a path of its parts, where the whole name is about paths
	Parts       Words // a path of its parts, in some languages
	Formats     Words
	Splits      Words
	Base64      Words // what their argument decodes to
	Hex         Words // what their argument decodes to
	Encoded     Words // what it decodes to by the encoding that the second argument names
	Patterns    Words
	Entries     Words // what lies in a folder, as names alone
	Within      Words // what lies in the folder that is named
	Searches    Words // what lies in each of some folders
	Gathers     Words // the items of all lists that they are given
	Base        Words // the last part of a path, also as methods
	Same        Words // the same list
	Some        Words // some of the names that they are given, or one
	Folder      Words // what lies in a folder, this one if none is named
	Paths       Words // of those the ones that return whole paths
}

// Lisp is what calls within a call stand for, by the last part of their names.
type Lisp struct {
	Environment Words // the variable that is named
	Home        Words
	Joins       Words // their arguments in one text
	Asks        Words // the home folder, where it is asked for by one of these names
	Names       Words
}

// Methods is what methods return of the value that they are called on.
type Methods struct {
	Plain    Words // itself, and no brackets are needed
	Same     Words // itself
	Picks    Words // some of its items
	Maps     Words // what a function makes of each of its items
	Patterns Words // the files in it that fit
	Inside   Words // what lies in it
	Grows    Words // what is given is added to it
	Adds     Words // those of them that add it as one item, whatever it is
	Pairs    Words // of a table: names with their values
	Values   Words // and its values
	Gets     Words // and the value of a name
	Appends  Words // a path of it and what is given
	Up       Words // the folder in which it lies, and no brackets are needed
	Ups      Words // a list of those
	Beside   Words // what is given, in the folder in which it lies
	Replaces Words // its text with other parts
}

// lexicon adds the tables of one file: each stands in one file, and each word once in its list.
func (d *shellDecoder) lexicon(raw *Lexicon) {
	from, to := reflect.ValueOf(raw).Elem(), reflect.ValueOf(&d.out.Lexicon).Elem()
	for i := range from.NumField() {
		if from.Field(i).IsZero() {
			continue
		}
		name := toml.Key(from.Type().Field(i))
		if !to.Field(i).IsZero() {
			d.add(d.file, 0, name, "this table stands in another file as well")
		}
		d.sortWords(name, from.Field(i))
		to.Field(i).Set(from.Field(i))
	}
}

// sortWords sorts each list of words in a table.
func (d *shellDecoder) sortWords(name string, v reflect.Value) {
	switch words, ok := v.Interface().(Words); {
	case ok:
		slices.Sort(words)
		for i := 1; i < len(words); i++ {
			if words[i] == words[i-1] {
				d.add(d.file, 0, name, "%q stands twice in a list", words[i])
			}
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			d.sortWords(name, v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			d.sortWords(name+"."+strings.ToLower(v.Type().Field(i).Name), v.Field(i))
		}
	}
}
