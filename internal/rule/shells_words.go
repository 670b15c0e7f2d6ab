package rule

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
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
	Hidden     []string   `toml:"hidden"`     // programs that a pattern is taken to mean, in that order
	Prefixed   []string   `toml:"prefixed"`   // programs that a Mac has under g and their own name
	Destroyers []string   `toml:"destroyers"` // programs that text is taken to run when it begins as a call of one, sorted
	Prefixes   []string   `toml:"prefixes"`   // parts of the names of variables that stand in front of a command
	Folders    []string   `toml:"folders"`    // where the programs of a system lie, each with a slash at the end
	Globals    []Globals  `toml:"globals"`
	Parameters Parameters `toml:"parameters"`
	Sh         Sh         `toml:"sh"`
	Cmd        BatchWords `toml:"cmd"`
	Batch      []Batch    `toml:"batch"`
	PowerShell PowerShell `toml:"powershell"`
	Windows    Windows    `toml:"windows"`
	Find       Find       `toml:"find"`
	Fd         Fd         `toml:"fd"`
	Xargs      Xargs      `toml:"xargs"`
	Parallel   Parallel   `toml:"parallel"`
	Git        Git        `toml:"git"`
	Awk        Editor     `toml:"awk"`
	Sed        Editor     `toml:"sed"`
	Tmux       []Tmux     `toml:"tmux"`
	Tcl        Tcl        `toml:"tcl"`
	Vim        Vim        `toml:"vim"`
	Code       Code       `toml:"code"`
	Functions  Functions  `toml:"functions"`
	Methods    Methods    `toml:"methods"`
	Lisp       Lisp       `toml:"lisp"`
}

// Sh is the words of shells.
type Sh struct {
	Keywords Words `toml:"keywords"` // begin or join commands and are none
	Declares Words `toml:"declares"` // builtins whose operands NAME=value are assignments
	Leaves   Words `toml:"leaves"`   // builtins behind which the commands that follow may not run
	Volatile Words `toml:"volatile"` // parameters that differ in each run
	Home     Words `toml:"home"`     // spellings of the home folder at the beginning of a word
	Input    Words `toml:"input"`    // names under which programs find their standard input
	Fds      Words `toml:"fds"`      // folders in which descriptors have names
	Itself   Words `toml:"itself"`   // words that name the shell which reads them

	Value   string `toml:"value"`   // options with a value, as a [Wrapper]'s
	Command Words  `toml:"command"` // options with which the first operand is the script
}

// BatchWords is the words of cmd.exe.
type BatchWords struct {
	Before Words `toml:"before"` // stand before a command: if, call
	Asks   Words `toml:"asks"`   // what "if" asks in two words
	Glued  Words `toml:"glued"`  // builtins that are written without a blank before a switch
}

// Batch is a builtin of cmd.exe that works on files.
type Batch struct {
	Names Words    `toml:"names"`
	As    string   `toml:"as"`    // the command of Unix that it equals
	Flat  string   `toml:"flat"`  // the one that it equals without /s
	Flags []string `toml:"flags"` // a switch and the option of that command: "s -r"
}

// PowerShell is the words of PowerShell, in lower case.
type PowerShell struct {
	Keywords   Words `toml:"keywords"`   // begin a statement and name no command
	Scopes     Words `toml:"scopes"`     // stand before the name of a variable
	Properties Words `toml:"properties"` // of a file that are its name once more
	Unix       Words `toml:"unix"`       // options that tell the program of Unix from the alias, as written
	Containers Words `toml:"containers"` // what new-item makes that has no content
	Current    Words `toml:"current"`    // variables that hold what comes through the pipe
	Options    Words `toml:"options"`    // of the program itself, with a value
	Short      Words `toml:"short"`      // of those the ones that are no beginning of another
	Writes     Words `toml:"writes"`     // cmdlets that write their first operand anew
	Appends    Words `toml:"appends"`    // that write to its end
	Requests   Words `toml:"requests"`   // that send a request
	Enters     Words `toml:"enters"`     // that change the folder
	Prints     Words `toml:"prints"`     // that print their operands
	Lists      Words `toml:"lists"`      // that list a folder
	Runs       Words `toml:"runs"`       // that run text
	Starts     Words `toml:"starts"`     // that start a program
	Creates    Words `toml:"creates"`    // that make a file, and empty one by force
	Passes     Words `toml:"passes"`     // that pass some of what they get on
	Joins      Words `toml:"joins"`      // that join the parts of a path
	Resolves   Words `toml:"resolves"`   // that return the path that they are given
}

// Parameters are those of cmdlets that take a value.
type Parameters struct {
	Object Words `toml:"object"` // it names what they work on
	Value  Words `toml:"value"`  // another one
}

// Windows is the variables of Windows, in upper case.
type Windows struct {
	Home      Words       `toml:"home"`
	Temporary Words       `toml:"temporary"`
	Known     [][2]string `toml:"known"` // the same on nearly every machine, with their values
}

// Find is the words of find's expressions.
type Find struct {
	Start  Words `toml:"start"`  // options before the starting points
	Runs   Words `toml:"runs"`   // a command follows
	Writes Words `toml:"writes"` // the name of a file that is written follows
	Acts   Words `toml:"acts"`   // do something, or say how to search, and leave no file out
	Says   Words `toml:"says"`   // of those the ones with a value
	Plain  Words `toml:"plain"`  // tests without a value
	Not    Words `toml:"not"`    // take back what another test says, or put it beside others
}

// Fd is the options of fd. Lists of options are those of a [Wrapper].
type Fd struct {
	Value   string   `toml:"value"`
	Narrows string   `toml:"narrows"` // leave files out
	Marks   []string `toml:"marks"`   // stand for the file in a command
	All     Words    `toml:"all"`     // patterns that every name fits
	Runs    Words    `toml:"runs"`    // the rest of the line is a command
	Start   Words    `toml:"start"`   // their value is a folder to look in
	Base    Words    `toml:"base"`    // their value is one where no other is named
	Ending  Words    `toml:"ending"`  // their value is what names end in
	Ignored Words    `toml:"ignored"` // what Git ignores counts, too
}

// Xargs is the options of xargs.
type Xargs struct {
	Value     string `toml:"value"`
	Marks     Words  `toml:"marks"` // name the mark for which an operand stands
	Given     Words  `toml:"given"` // do so, or mean {}, where the value may be left out
	Zero      Words  `toml:"zero"`  // operands end with a zero byte
	Separator Words  `toml:"separator"`
	File      Words  `toml:"file"` // its value takes the place of the input
	Rest      Words  `toml:"rest"` // old ones whose value is attached or missing, never the next word
	Info      Words  `toml:"info"` // nothing is run
}

// Parallel is the options of GNU parallel.
type Parallel struct {
	Value string   `toml:"value"`
	File  Words    `toml:"file"`  // its value takes the place of the input
	Dry   Words    `toml:"dry"`   // nothing is run but what operands hold of perl
	Info  Words    `toml:"info"`  // alone, nothing is run
	Lists Words    `toml:"lists"` // operands follow
	Files Words    `toml:"files"` // names of files with operands follow
	Marks []string `toml:"marks"`
}

// Editor is the options of awk or sed. Lists of options are those of a [Wrapper].
type Editor struct {
	Value    string `toml:"value"`
	Attached string `toml:"attached"` // the rest of their word alone is their value
	Text     string `toml:"text"`     // the value is program text
	Files    string `toml:"files"`    // the value is a file with some
	Permutes bool   `toml:"permutes"` // options may follow operands
}

// Git is the words of Git's own programs that run commands.
type Git struct {
	Filters  Words `toml:"filters"`  // options of filter-branch whose value is a command line
	Commands Words `toml:"commands"` // its own: no alias has such a name
}

// Tmux is commands of tmux that are alike.
type Tmux struct {
	Names Words  `toml:"names"`
	Value string `toml:"value"` // their options with a value
	Types bool   `toml:"types"` // their operands are typed; else they are a command line
}

// Tcl is the commands of Tcl and of expect.
type Tcl struct {
	Starts Words `toml:"starts"` // another program
	Types  Words `toml:"types"`  // what a terminal is given
}

// Vim is the words of vim's command line.
type Vim struct {
	Value  string   `toml:"value"`  // options with a value, as a [Wrapper]'s
	Runs   Words    `toml:"runs"`   // those whose value is a command
	Ex     Words    `toml:"ex"`     // options with which the input is a list of commands
	Quiet  []string `toml:"quiet"`  // stand before a command, in the order in which they are taken off
	Writes Words    `toml:"writes"` // write to the file that follows
}

// Code is words that mean the same in the languages that have them.
type Code struct {
	Before    Words `toml:"before"`    // in front of a value that they leave what it is
	Modifiers Words `toml:"modifiers"` // end the arguments of a call without brackets
	Loops     Words `toml:"loops"`     // stand in the head of a loop
	Listers   Words `toml:"listers"`   // list names for a block
	Blocks    Words `toml:"blocks"`    // methods that hand each item to a block
	Opens     Words `toml:"opens"`     // connect to a database, whose file is their argument
	Operators Words `toml:"operators"` // of two bytes
	Modules   Words `toml:"modules"`   // whose members are looked up behind the module's name
	Files     Words `toml:"files"`     // modules of files, whose members stand without it
	Roots     Words `toml:"roots"`     // what programs call those
	Ambiguous Words `toml:"ambiguous"` // names of members that other things have, too
	Telling   Words `toml:"telling"`   // names of members that nothing else has
}

// Functions is what functions return, by the last part of their names.
type Functions struct {
	Environment Words `toml:"environment"` // a variable; names in full
	Constants   Words `toml:"constants"`   // no functions: kept as they are written
	Loads       Words `toml:"loads"`       // the module that is named
	Argument    Words `toml:"argument"`    // their first argument in another type or spelling
	Expands     Words `toml:"expands"`     // it, with the home folder for a tilde
	Home        Words `toml:"home"`
	Temporary   Words `toml:"temporary"` // the folder for temporary files
	Fresh       Words `toml:"fresh"`     // a new folder
	Joins       Words `toml:"joins"`     // a path of its parts, where the whole name is about paths
	Parts       Words `toml:"parts"`     // a path of its parts, in some languages
	Formats     Words `toml:"formats"`
	Splits      Words `toml:"splits"`
	Base64      Words `toml:"base64"`  // what their argument decodes to
	Hex         Words `toml:"hex"`     // what their argument decodes to
	Encoded     Words `toml:"encoded"` // what it decodes to by the encoding that the second argument names
	Patterns    Words `toml:"patterns"`
	Entries     Words `toml:"entries"` // what lies in a folder, as names alone
	Within      Words `toml:"within"`  // what lies in the folder that is named
	Same        Words `toml:"same"`    // the same list
	Folder      Words `toml:"folder"`  // what lies in a folder, this one if none is named
	Paths       Words `toml:"paths"`   // of those the ones that return whole paths
}

// Lisp is what calls within a call stand for, by the last part of their names.
type Lisp struct {
	Environment Words `toml:"environment"` // the variable that is named
	Home        Words `toml:"home"`
	Joins       Words `toml:"joins"` // their arguments in one text
	Asks        Words `toml:"asks"`  // the home folder, where it is asked for by one of these names
	Names       Words `toml:"names"`
}

// Methods is what methods return of the value that they are called on.
type Methods struct {
	Plain    Words `toml:"plain"`    // itself, and no brackets are needed
	Same     Words `toml:"same"`     // itself
	Picks    Words `toml:"picks"`    // some of its items
	Patterns Words `toml:"patterns"` // the files in it that fit
	Inside   Words `toml:"inside"`   // what lies in it
	Appends  Words `toml:"appends"`  // a path of it and what is given
	Replaces Words `toml:"replaces"` // its text with other parts
}

// lexicon adds the tables of one file: each stands in one file, and each word once in its list.
func (d *shellDecoder) lexicon(raw *Lexicon) {
	from, to := reflect.ValueOf(raw).Elem(), reflect.ValueOf(&d.out.Lexicon).Elem()
	for i := range from.NumField() {
		if from.Field(i).IsZero() {
			continue
		}
		name := from.Type().Field(i).Tag.Get("toml")
		if !to.Field(i).IsZero() {
			d.problem(name, "this table stands in another file as well")
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
				d.problem(name, fmt.Sprintf("%q stands twice in a list", words[i]))
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
