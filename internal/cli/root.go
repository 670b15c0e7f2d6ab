package cli

import (
	"crypto/fips140"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/slip"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/work"
)

// Exit codes of every verb but hook, which follows the hook protocol.
const (
	exitDone   = slip.Done
	exitNo     = slip.No
	exitUsage  = slip.Usage
	exitFailed = slip.Failed
)

// verb is a top-level command. Its name stands here so that a call for one verb
// need not make the others: building them all costs more than most answers.
type verb struct {
	name string
	make func(*env) *cobra.Command
}

// verbs lists every top-level command; help sorts them by itself.
var verbs = []verb{
	{"hook", newHook},
	{"init", newInit},
	{"doctor", newDoctor},
	{"status", newStatus},
	{"session", newSession},
	{"port", newPort},
	{"events", newEvents},
	{"log", newLog},
	{"replay", newReplay},
	{"checkpoint", newCheckpoint},
	{"undo", newUndo},
	{"risk", newRisk},
	{"rules", newRules},
	{"agents", newAgents},
	{"test", newTest},
	{"verify", newVerify},
	{"loop", newLoop},
	{"detect", newDetect},
	{"tags", newTags},
	{"spec", newSpec},
	{"context", newContext},
	{"lib", newLib},
	{"config", newConfig},
	{statuslineVerb, newStatusline},
	{"serve", newServe},
	{"stats", newStats},
	{"timeline", newTimeline},
	{"export", newExport},
	{"version", newVersion},
}

// env is what a verb may touch: its streams, its place and its environment.
type env struct {
	in       io.Reader
	out, err io.Writer
	screen   io.Writer // behind out where that is a buffer
	dir      string    // working directory, absolute
	getenv   func(string) string
	process  process // the real one's; see door.go
	json     bool    // --json
	yes      bool    // --yes
	pre      bool    // --before-git

	waited   time.Duration // for the first of the hook's input
	patience time.Duration // for a status line

	exit func(code int) // ends the process where no caller can be returned to

	asHook, dry bool
	accountHome string
	asked       state.Asked
	folders     *state.Folders
	taken       map[string]string // variables that this process does not obey
	roots       []string          // further projects that a hook's call is judged for

	languageTable func() *lang.Table // see languages
	beginning     *seat.Beginning    // see began
}

// ownMemory takes Go's collector back from the environment, which belongs to strangers: with GOMEMLIMIT=1 a call takes a hundred
// times as long. Where neither is set, nothing is called: it would cost more than judging does.
func ownMemory(getenv func(string) string) {
	if getenv("GOMEMLIMIT") != "" || getenv("GOGC") != "" {
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(100)
	}
}

// brief reports a command line that is over in milliseconds, mostly.
func brief(args []string) bool {
	return len(args) > 0 && (args[0] == "hook" || args[0] == "statusline" || args[0] == "detect")
}

// Main runs the process's command line and returns its exit code.
func Main() int { return Start(state.Account, seat.Here(), lineTime) }

// Start is Main with another way to find the account's own home and who sits in front, and with more
// patience for a status line: tests have those that are not the tester's, and run on machines that are
// busy with others. No variable has a say in them.
func Start(account func(named string) string, sight seat.Sight, patience time.Duration) int {
	ownMemory(os.Getenv)
	if !brief(os.Args[1:]) {
		work.Processors()
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "." // the folder was removed under us: Run says so, and hook goes on with what the client names
	}
	e := &env{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, dir: dir, getenv: os.Getenv, exit: os.Exit, patience: patience,
		process: process{environ: os.Environ, setenv: os.Setenv, unset: os.Unsetenv, account: account, seat: sight},
	}
	if !fips140.Enforced() {
		return Run(os.Args[1:], e)
	}
	// GODEBUG=fips140=only makes SHA-1 panic, which names every object of Git: the guard would fail on
	// each look at a repository. It names here, and protects nothing.
	code := exitFailed
	fips140.WithoutEnforcement(func() { code = Run(os.Args[1:], e) })
	return code
}

// Run executes one command line. The verbs hook and statusline are taken before
// the command tree is built: they are called hundreds of times a session and
// must cost next to nothing.
func Run(args []string, e *env) int {
	if len(args) > 0 && args[0] == "hook" && !(len(args) > 1 && (args[1] == hookContract || args[1] == hookSchema)) && !asksForHelp(args[1:]) {
		return e.hook(args[1:])
	}
	if len(args) == 1 && args[0] == statuslineVerb {
		return e.statusline()
	}
	if len(args) == 0 && !term.IsTerminal(e.in) {
		if code, answered := e.bare(); answered {
			return code
		}
	}
	// Whatever a verb forgets to make harmless: names, titles and messages come from strangers.
	out, talk := term.NewFilter(e.out, e.getenv), term.NewFilter(e.err, e.getenv)
	defer func() { _, _ = out.Close(), talk.Close() }()
	e.out, e.err = out, talk
	args = whyAll(args)
	root := newRoot(e, args)
	root.SetArgs(args)
	if err := stray(root, args); err != nil {
		return e.report(err, root)
	}
	// A word that is no verb is said before options that no verb has told of. Those for completion come with a run.
	if c, rest, err := root.Find(args); err == nil && c == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && !strings.HasPrefix(rest[0], "__") {
		return e.report(unknownCommand(root, rest[0]), root)
	}
	if v := verbOf(args); v != nil && v.name != "version" && !filepath.IsAbs(e.dir) && !asksForHelp(args) {
		// Every path that a verb makes would be relative to nowhere, an exception's project, too.
		return e.report(hint(nof("the folder in which this runs is gone"), "cd"), root)
	}
	if v := verbOf(args); v != nil && v.name != "version" && !asksForHelp(args) {
		for _, d := range e.user().Doubts {
			fmt.Fprintln(e.err, "moai: warning:", shown(d.String()))
		}
	}
	c, err := root.ExecuteC()
	if lost := out.Err(); lost != nil && (err == nil || errors.Is(err, errNo)) {
		err = fmt.Errorf("print the answer: %w", lost)
	}
	return e.report(err, c)
}

// asksForHelp looks anywhere on the line, as cobra does: "moai hook pre-tool --help" is a person's question and no event.
func asksForHelp(args []string) bool {
	for _, a := range args {
		if a == "-h" || a == "--help" {
			return true
		}
	}
	return false
}

// newRoot builds the command tree for a command line: the one verb that its first
// word names, or all of them for help, completion, aliases and slips of the pen.
func newRoot(e *env, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "moai",
		Short: "A coding agent's hooks, answered",
		Long: `moai answers a coding agent's hooks: it shows what the project is, hands over
the right documents, stops or snapshots risky commands, and brings back what
was lost. The same questions can be asked from a shell.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          groupHelp,
	}
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.err)
	root.PersistentFlags().BoolVar(&e.json, "json", false, "print one JSON document")
	root.PersistentFlags().BoolVarP(&e.yes, "yes", "y", false, "answer yes to every question")
	root.SetFlagErrorFunc(wrongOption)
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, words []string) {
		foldOptions(c)
		help(c, words)
	})
	if v := verbOf(args); v != nil {
		root.CompletionOptions.DisableDefaultCmd = true // makes five more commands, with long texts
		root.AddCommand(checked(v.make(e)))
		return root
	}
	// Cobra would write the version by a template. One call of text/template, which finds methods by their names, has the linker keep every
	// exported method of the program: 2 MB that each hook call reads its way through.
	version := root.Flags().BoolP("version", "v", false, "version for moai")
	root.RunE = func(c *cobra.Command, given []string) error {
		if *version {
			return e.showVersion()
		}
		return groupHelp(c, given)
	}
	for i := range verbs {
		root.AddCommand(checked(verbs[i].make(e)))
	}
	root.InitDefaultCompletionCmd(args...)
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			aloneInBash(c)
			checked(c)
		}
	}
	root.InitDefaultHelpCmd()
	return root
}

// helpColumns is how wide a help text is at most.
const helpColumns = 100

// foldOptions has what options are about stand in several lines where one would be too wide. Completion shows it on one, whatever there is.
func foldOptions(c *cobra.Command) {
	for _, set := range []*pflag.FlagSet{c.LocalFlags(), c.InheritedFlags()} {
		left := 0
		set.VisitAll(func(f *pflag.Flag) {
			kind, _ := pflag.UnquoteUsage(f)
			left = max(left, len("  -x, --")+len(f.Name)+len(" ")+len(kind)+len("   "))
		})
		set.VisitAll(func(f *pflag.Flag) { f.Usage = term.Wrap(f.Usage, helpColumns-left, 0) })
	}
}

// verbOf is the verb that a command line begins with; nil when that cannot be told
// from its first word alone.
func verbOf(args []string) *verb {
	if len(args) == 0 {
		return nil
	}
	for i := range verbs {
		if verbs[i].name == args[0] {
			return &verbs[i]
		}
	}
	return nil
}

// errNo ends a verb with exit code 1 and no further words.
var errNo = errors.New("the answer is no")

// exitCode ends the process with a code of its own: hook's, when flags came first.
type exitCode int

func (c exitCode) Error() string { return "exit " + strconv.Itoa(int(c)) }

// The errors of moai: a command line that it cannot take, the answer no in words, and either with a command that the user can paste next.
func usagef(format string, a ...any) error { return slip.Usagef(format, a...) }
func nof(format string, a ...any) error    { return slip.Nof(format, a...) }
func hint(err error, paste string) error   { return slip.Hint(err, paste) }

// oneLine keeps an error on its line.
func oneLine(s string) string { return slip.OneLine(s) }

// report prints err and returns the exit code for it.
func (e *env) report(err error, called *cobra.Command) int {
	if err == nil {
		return exitDone
	}
	if errors.Is(err, errNo) {
		e.answerNo("", "")
		return exitNo
	}
	var own exitCode
	if errors.As(err, &own) {
		return int(own)
	}
	var damaged *repo.Damaged
	if errors.As(err, &damaged) && damaged.Advice != "" && slip.HintOf(err) == "" {
		err = hint(err, damaged.Advice)
	}
	code := slip.Report(e.err, e.getenv, err, called)
	if code == exitNo {
		e.answerNo(oneLine(err.Error()), slip.HintOf(err))
	}
	return code
}

// answerNo is the JSON of an answer no, where the verb has printed nothing: who asked for a document gets one.
func (e *env) answerNo(why, hint string) {
	if out, ok := e.out.(*term.Filter); !e.json || !ok || out.Wrote() {
		return
	}
	_ = e.printJSON(struct {
		Answer string `json:"answer"`
		Error  string `json:"error,omitempty"`
		Hint   string `json:"hint,omitempty"`
	}{"no", why, hint}) // standard error has the words, too
}
