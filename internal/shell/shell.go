// Package shell turns a command line into the simple commands that it would
// run: wrappers, nested scripts, substitutions, pipes, loops, functions and
// variables of the line are seen through, text that is only data is not. It is
// not a shell, reads no file, runs nothing and knows nothing about risk.
//
// Its invariant: it never fails and never hangs, and the same line always has the
// same result, however busy the machine is. What it could not understand
// is named in [Result.Incomplete], next to everything that was seen before.
//
// It alone imports the parser of mvdan.cc/sh, which has no bounds of its own: text is cut where it nests too deeply
// (nesting) and priced (afford) before it is parsed.
package shell

import "github.com/modu-ai/moai/internal/rule"

// Dialect is the language of a command line.
type Dialect uint8

// The dialects of the tools that agents offer.
const (
	Bash       Dialect = iota // bash, and what sh, dash, ksh and zsh share with it
	PowerShell                // Windows PowerShell and pwsh
	Cmd                       // cmd.exe and batch lines
)

// Options is what is known about the place in which a line would run. The zero
// value is usable: everything that depends on the place is unknown then.
type Options struct {
	Dir     string                      // working directory, absolute; "" if unknown
	Home    string                      // home directory; "" leaves "~" in words
	Env     func(string) (string, bool) // inherited environment; nil: all unknown
	Dialect Dialect
	Limits  Limits
	// Alias is what a name stands for as a subcommand of Git in a folder, by the settings there, "" for nothing; nil: none is known. It is asked for names
	// that Git itself has no command for.
	Alias func(dir, name string) (text string, known bool)
	// Hooks is what Git runs by itself at some events when it works in a folder: in top the files folder/EVENT of those events in there, and the command
	// lines of its settings. folder is that of the settings, or a path that the line itself gives; "" for no repository. nil: nobody can look.
	Hooks func(dir, given string, events []string) (top, folder string, there, lines []string)
	// Missing tells of a folder, by its absolute path, that it is not there now: cd fails, and what runs behind it runs where it was; nil: every cd
	// is taken to succeed.
	Missing func(dir string) bool
	// Folders lists the folders that an absolute pattern fits now, and whether these are all; nil: nobody can look.
	Folders func(pattern string) (list []string, all bool)
	// Top is the top of the repository around a folder, "" for none or where nobody can tell; nil: nobody can look.
	Top func(dir string) string
	// Submodules lists the folders of the submodules that the repository around a folder has checked out, with deep those in them as well; nil: nobody can look.
	Submodules func(dir string, deep bool) []string
	// Root is the project's folder, absolute; "" for none. Source is the text of a file in it that the line runs; ok is false for what is no such file, or is
	// not read. nil: no file is looked into.
	Root   string
	Source func(path string) (text string, ok bool)
	// Fitting lists the files that an absolute pattern fits now, in the order of a shell. It is nil where Source is nil, or where folders
	// cannot be listed.
	Fitting func(pattern string) []string
	// Tables are rules/shells: which programs run others, and how. Without them
	// sudo and python are programs like any other.
	Tables *rule.Shells
}

// Limits bounds the work on one line. A field of zero means the default.
type Limits struct {
	Depth    int // nesting of scripts and substitutions, default 64
	Bytes    int // length of the line, default 128 KiB
	Commands int // simple commands, default 4096
	Work     int // units of about 50 ns, default 33,500 (2 ms at worst, measured); negative: no limit
}

// Span is a half-open range of byte offsets in the line given to [Parse].
// Commands of a nested script that was not written down literally carry the
// span of the outermost word that holds the script.
type Span [2]int

// Result is what a line would run.
type Result struct {
	Commands   []Command // in source order, callee after caller
	Incomplete []Doubt   // what could not be followed; empty: all was understood
	// Runs says that files of the project are run which Options.Source could tell the text of. Text is the line, and behind it what was
	// looked into; Looked says what is from where.
	Runs bool
	// Running are the first commands that do, where it is known which.
	Running []int
	Text    string
	Looked  []Looked
	work    int // units used up
}

// Reason is why a part of a line was not followed.
type Reason uint8

// The reasons.
const (
	Syntax  Reason = iota + 1 // does not parse
	TooDeep                   // nested beyond Limits.Depth
	TooLong                   // longer than Limits.Bytes
	TooMany                   // more than Limits.Commands
	TooMuch                   // Limits.Work is used up
	Failed                    // a bug of this package
)

// String returns the reason as a clause for messages.
func (r Reason) String() string {
	switch r {
	case Syntax:
		return "it does not parse"
	case TooDeep:
		return "it is nested too deeply"
	case TooLong:
		return "it is too long"
	case TooMany:
		return "it runs too many commands"
	case TooMuch:
		return "it takes too much work to analyse"
	case Failed:
		return "the analysis itself failed"
	}
	return "unknown reason"
}

// Doubt is a part of the line whose commands are not, or not all, in the result.
type Doubt struct {
	Reason Reason
	Text   string // detail for people, such as the parser's message
	Span   Span
}

// Command is one simple command, unwrapped. Alternatives (a variable or a
// directory that has one of several values) are commands of their own.
type Command struct {
	// Args are the program and its arguments after all expansions. It is
	// empty for a bare redirection such as "> file" or "{ …; } > file".
	Args []Word
	// Name is the base name of the program, with ".exe", ".cmd" and ".bat"
	// dropped and, where it had one of those, in lower case; "" if unknown or
	// if there is no program. PowerShell aliases keep their own names.
	Name string

	Assigns   []Assign   // VAR=v prefixes, env VAR=v and exports, in order
	Redirects []Redirect // of this command alone
	Dir       Word       // working directory in force
	Stdin     *Input     // nil: inherited from whoever runs the line
	Code      *Code      // program text of a shell or interpreter, else nil

	PipeFrom, PipeTo []int // commands whose output it reads, that read its output

	Conditional bool // may not run: behind &&, ||, in if, loop, case, trap …
	Undecided   bool // in a program, behind a test of the environment that nothing here tells the end of
	Background  bool // started with & or coproc
	Remote      bool // runs elsewhere: ssh, docker exec, kubectl exec …
	Bare        bool // gets no variables but those that the line gives it: env -i
	Recursive   bool // calls a function from inside that function
	Endless     bool // started in the background by a loop that neither ends nor waits
	Substituted bool // its output becomes a word: $(…), `…`, <(…)
	// Absent are files that are not there if it runs at all: [ -f x ] || cp a x.
	Absent []string

	Dialect Dialect // language of the text that holds it
	Via     []Step  // how it was reached, outermost first; empty: plainly
	Span    Span
}

// Step is one layer that led to a command.
type Step struct {
	Name string // "sudo", "bash -c", "$(…)", "xargs", "function f" …
	Span Span
}

// Assign is a variable set for a command.
type Assign struct {
	Name  string
	Value Word
}

// Redirect is a redirection. For <<, <<- and <<< Target is the text itself.
type Redirect struct {
	Op     string // > >> >| < <> &> &>> >& <& << <<- <<<
	Fd     int    // file descriptor, -1 for &> and &>>
	Target Word
}

// Input is what flows into a command's standard input.
type Input struct {
	Text Word   // the text where it is known
	From []int  // commands that produce it, if it is a pipe
	File Word   // the file, if it is redirected from one (no parts otherwise)
	Op   string // "|", "<", "<<" or "<<<"
}

// Origin is where program text comes from.
type Origin uint8

// The origins.
const (
	FromArg   Origin = iota + 1 // bash -c, python -e, eval
	FromStdin                   // pipe, heredoc, here-string
	FromFile                    // script.sh, source file, <(…)
)

// Languages with a reader of their own here, and SQL, whose text a client sends.
const (
	LangSh         = "sh"
	LangPowerShell = "powershell"
	LangCmd        = "cmd"
	LangMake       = "make"
	LangSQL        = "sql"
)

// Code is the program text that a shell or an interpreter runs.
type Code struct {
	Lang string // one of the shells', SQL, or the name of the rule file of another language
	From Origin
	// Text is the program. For a file it is what the line itself put into the
	// file, if it did, and else the name of the file again.
	Text Word
	File Word // the file, if From is FromFile
	// Seen tells that the text is known and the commands in it are in the
	// result. For interpreters: the literal calls in it are.
	Seen bool
	// Fed tells that a list which xargs or parallel reads decides what the
	// program is: the text is an item of it, or an item may be an option.
	Fed bool
	// Unread tells that a shell reads the text by a grammar that is not known here, and that
	// it names what takes something away.
	Unread bool
}

// Shell reports that the text is a command line, in whatever dialect.
func (c *Code) Shell() bool {
	return c.Lang == LangSh || c.Lang == LangPowerShell || c.Lang == LangCmd
}
