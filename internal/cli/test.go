package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/generated/quality"
	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/child"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/lint"
	"github.com/modu-ai/moai/internal/receipt"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// newTest runs what a project tests itself with, and keeps how it ended.
func newTest(e *env) *cobra.Command {
	var build, lint, typecheck, last bool
	c := &cobra.Command{
		Use:   "test [ARG…]",
		Short: "Run the project's tests and keep how they ended",
		Long: `Runs the project's own command in its root (moai detect --tools, or the setting
quality.test_command), or that of the project below it that the folder here belongs to,
which counts as some of the tests. Nothing can be typed to it, and CI=1 is set where CI
is not, so that no watch waits for keys. moai prints what it prints, and ends with its
exit code, 3 where its program is not installed.
What is behind it is handed on: moai test -- -run TestLogin.
A target of make hands no options on; moai says then how a single test is run.

How it ended is kept for the files as they are, tracked and untracked, not ignored ones:
a receipt. A commit of these very files, the end of a turn, verifiers and ports look
it up, and nothing is run again. Tests that an agent runs leave the same receipt.

Three things can come of it: clean, violation, or infrastructure error (the program is
missing, was ended by a signal, or failed before it ran a test: a task or a module is
missing), which says nothing against the files.`,
		Example: "  moai test\n  moai test --build\n  moai test -- -run TestLogin\n  moai test --last",
		RunE: func(_ *cobra.Command, args []string) error {
			kind, asked := receipt.Test, 0
			for _, one := range []struct {
				on   bool
				kind receipt.Kind
			}{{build, receipt.Build}, {lint, receipt.Lint}, {typecheck, receipt.Typecheck}} {
				if one.on {
					kind, asked = one.kind, asked+1
				}
			}
			switch {
			case asked > 1:
				return usagef("--build, --lint and --typecheck are one at a time")
			case last && len(args) > 0:
				return usagef("--last runs nothing, and takes no arguments")
			case last:
				return e.lastReceipt(kind)
			}
			return e.runTests(kind, args)
		},
	}
	c.Flags().BoolVar(&build, "build", false, "the build instead")
	c.Flags().BoolVar(&lint, "lint", false, "the linter instead")
	c.Flags().BoolVar(&typecheck, "typecheck", false, "the type check instead (quality.typecheck_command)")
	c.Flags().BoolVar(&last, "last", false, "run nothing; show how the last run on these files ended, exit code 1 for none or a failed one")
	c.Flags().SetInterspersed(false)
	c.ValidArgsFunction = cobra.NoFileCompletions
	return c
}

// commandFor is what runs for one kind, where, and why that: what the nearest project around the folder here says, else the root's.
func (e *env) commandFor(kind receipt.Kind, root string) (place, command, because string, err error) {
	key := map[receipt.Kind]string{
		receipt.Test: "quality.test_command", receipt.Build: "quality.build_command", receipt.Lint: "quality.lint_command", receipt.Typecheck: "quality.typecheck_command",
	}[kind]
	if own := e.cfg(root).String(key); own != "" {
		return root, own, key, nil
	}
	r, err := e.detect(root, &detectFlags{projects: true}, nil)
	if err != nil {
		return "", "", "", err
	}
	place, tool := root, toolFor(kind, &r.Tools)
	depth := 0
	for i := range r.Projects {
		dir := filepath.Join(root, filepath.FromSlash(r.Projects[i].Path))
		rel, err := filepath.Rel(dir, e.dir)
		if own := toolFor(kind, &r.Projects[i].Tools); dir != root && len(dir) > depth && err == nil && filepath.IsLocal(rel) && own != nil && own.Command != "" {
			place, tool, depth = dir, own, len(dir)
		}
	}
	if tool == nil || tool.Command == "" {
		return "", "", "", hint(nof("no %s command of this project is known", kind), fmt.Sprintf("moai config set %s 'COMMAND'", key))
	}
	return place, tool.Command, tool.Because, nil
}

// toolFor is a project's tool for one kind of run.
func toolFor(kind receipt.Kind, t *lang.Tools) *lang.Tool {
	return map[receipt.Kind]*lang.Tool{receipt.Test: t.Test, receipt.Build: t.Build, receipt.Lint: t.Linter, receipt.Typecheck: t.Typecheck}[kind]
}

// filesHere names the files of the work tree around a folder; "" where they have no name.
func (e *env) filesHere(root string) (r *repo.Repo, name string) {
	r, err := repo.Open(root)
	if err != nil || r.Bare() {
		return nil, ""
	}
	files, err := receipt.Look(context.Background(), r, r.DirCacheIn(e.stateDir()))
	if err != nil {
		return r, ""
	}
	return r, files.Work()
}

func (e *env) runTests(kind receipt.Kind, args []string) error {
	root := e.projectRoot()
	place, command, because, err := e.commandFor(kind, root)
	if err != nil {
		return err
	}
	if err := e.reachesTests(kind, place, command, args); err != nil {
		return err
	}
	shown := command
	if len(args) > 0 {
		shown += " " + argv.Quote(args...)
	}
	fmt.Fprintf(e.err, "moai: %s  (%s)\n", term.Text(shown), term.Text(because))
	r, before := e.filesHere(root)
	out := receipt.NewOutput(&quality.Table.Tests)
	stdout := e.data()
	if e.json { // the document is the result
		stdout = term.Unfiltered(e.err)
	}
	began := time.Now()
	var begins beginning
	ended, err := e.runLine(place, command, args, io.MultiWriter(stdout, out, &begins), io.MultiWriter(term.Unfiltered(e.err), out, &begins))
	if err != nil {
		return fmt.Errorf("run %s: %w", kind, err)
	}
	exit := ended.Exit
	missing := e.lacksProgram(place, command, exit)
	none := kind == receipt.Test && out.NoTests()
	mask := risktable.Set().Mask
	one := receipt.Receipt{
		Kind: kind, Tree: before, Command: term.Clip(term.OneLine(mask(shown), 400), 400), At: time.Now().UTC(), TookMS: time.Since(began).Milliseconds(),
		Exit: exit, Outcome: receipt.OutcomeOf(exit, none || out.CouldNotBegin(place) || out.Misnamed(args)), NoTests: none, Tail: mask(out.Tail()), Failing: out.Failing(mask), Session: e.currentID(),
		Part: kind == receipt.Test && (place != root || e.someTests(command, args)),
	}
	one.Found = begins.findings(kind, root, place)
	_, after := e.filesHere(root)
	asks := asksOnly(command, args)
	if asks {
		fmt.Fprintf(e.err, "moai: %s runs nothing, so nothing is kept\n", term.Text(shown))
	}
	kept := before != "" && before == after && !asks
	if kept {
		if err := receipt.Put(e.stateDir(), r.WorkTree, &one); err != nil {
			fmt.Fprintf(e.err, "moai: warning: %s\n", oneLine(err.Error()))
		}
	}
	if e.json {
		if err := e.printJSON(&receiptView{&one, kept}); err != nil {
			return err
		}
	}
	if !asks {
		e.noteRun(&one)
		e.sayRun(&one, kept, before, r != nil)
		e.sayNeeds(place, command, missing == "" && exit > 0 && (out.CouldNotBegin(place) || receipt.NeverRan(exit)), out.Broken())
	}
	return ranWith(kind, exit, missing)
}

// sayNeeds says how a project gets what it needs, where a run found something missing. Where the program of the command itself is broken, it cannot
// get anything either.
func (e *env) sayNeeds(root, command string, missing, broken bool) {
	if !missing {
		return
	}
	first := func(line string) string { word, _, _ := strings.Cut(line, " "); return word }
	if r, err := e.detect(root, &detectFlags{}, nil); err == nil && r.Tools.Manager != nil && r.Tools.Manager.Command != "" && !(broken && first(command) == first(r.Tools.Manager.Command)) {
		fmt.Fprintln(e.err, "moai: hint: what it needs may be missing:", term.Text(r.Tools.Manager.Command))
	}
}

// asksOnly reports arguments with which the command of a project says something, and runs nothing: its help, its version, the names of its tests.
func asksOnly(command string, args []string) bool {
	words := strings.Fields(command)
	return len(args) > 0 && risk.Kind(types.Commands, words) != "" && risk.Kind(types.Commands, slices.Concat(words, args)) == ""
}

// ranWith is how moai ends where what it ran ended with an exit code; missing is a program that is not there.
func ranWith(kind receipt.Kind, exit int, missing string) error {
	if exit == 0 {
		return nil
	}
	if missing != "" {
		return hint(fmt.Errorf("run %s: the program %s is not installed", cmp.Or(string(kind), "test"), missing), "moai detect --tools")
	}
	if exit < 0 {
		exit = exitFailed
	}
	return exitCode(exit)
}

// reachesTests refuses an option that a task runner would take for its own: its answer would be about the wrong thing.
func (e *env) reachesTests(kind receipt.Kind, root, command string, args []string) error {
	program, option, behind := receipt.Kept(&quality.Table.Tests, strings.Fields(command), args)
	if program == "" {
		return nil
	}
	way := "moai detect --tools"
	if behind != "" {
		way = argv.Quote(append(append(testVerb(kind), "--", behind), args...)...)
	} else if r, err := e.detect(root, &detectFlags{}, nil); kind == receipt.Test && err == nil && r.Tools.Test != nil && r.Tools.Test.One != "" {
		way = r.Tools.Test.One
	}
	return hint(usagef("`%s` takes %s for an option of %s, and no test would see it", term.Text(command), term.Text(option), program), way)
}

// testVerb is moai test for what it runs of a kind.
func testVerb(kind receipt.Kind) []string {
	verb := []string{"moai", "test"}
	if kind != receipt.Test {
		verb = append(verb, "--"+string(kind))
	}
	return verb
}

// beginning keeps as much of what is written to it as is read for findings.
type beginning struct{ strings.Builder }

func (b *beginning) Write(p []byte) (int, error) {
	b.Builder.Write(p[:max(min(len(p), receipt.MostText-b.Len()), 0)])
	return len(p), nil
}

// findings are those of what a linter or a type check printed.
func (b *beginning) findings(kind receipt.Kind, root, dir string) []lint.Finding {
	if kind != receipt.Lint && kind != receipt.Typecheck {
		return nil
	}
	return receipt.Findings(b.String(), root, dir, risktable.Set().Mask)
}

// lacksProgram is the program of a command that ended as one does that is not there, "" where it is: then the exit code is its own.
func (e *env) lacksProgram(dir, command string, exit int) string {
	words := strings.Fields(command)
	if !receipt.NeverRan(exit) || len(words) == 0 || strings.ContainsAny(words[0], "=$\\\"'(") {
		return ""
	}
	if strings.ContainsRune(words[0], '/') { // of the project, as vendor/bin/phpunit before an installation
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(words[0]))); !errors.Is(err, fs.ErrNotExist) || filepath.IsAbs(words[0]) {
			return ""
		}
	} else if _, found := child.Find(words[0], nil, e.getenv); found {
		return ""
	}
	return words[0]
}

// someTests reports a run that may not have run all tests, or not have said that they failed: by its arguments, or by what its
// environment steers. A person's own variables, and those that the agent's client began with, are how the tests are run there.
func (e *env) someTests(command string, args []string) bool {
	words := &quality.Table.Tests
	whole := strings.Fields(command)
	return receipt.Picks(words, whole, slices.Concat(whole, args)) || slices.ContainsFunc(words.Steered, func(name string) bool {
		now := e.getenv(name)
		if now == "" || !e.byAgent() {
			return false
		}
		was, known := e.beganWith(name)
		return !known || was != now
	})
}

// receiptView is a receipt as it is shown.
type receiptView struct {
	*receipt.Receipt
	Kept bool `json:"kept"`
}

// runLine runs a command line as the project's shell would, with arguments behind it. It is given no terminal to read from: test runners that
// find one watch files for ever.
func (e *env) runLine(dir, line string, args []string, out, err io.Writer) (child.Ended, error) {
	run, failed := child.Line(dir, line, args, e.getenv)
	if failed != nil {
		return child.Ended{}, failed
	}
	nothing, failed := os.Open(os.DevNull)
	if failed != nil {
		return child.Ended{}, failed
	}
	defer nothing.Close()
	run.Stdin, run.Env, run.Out, run.Err = nothing, e.fullEnvironment(), out, err
	if !slices.ContainsFunc(run.Env, func(one string) bool { return strings.HasPrefix(one, alone+"=") }) {
		run.Env = append(run.Env, alone+"=1")
	}
	return run.Run(context.Background())
}

// alone is the variable that tells test runners that no person watches: they end, and do not wait for changes.
const alone = "CI"

// fullEnvironment is what this process was started with: the variables that moai itself does not obey are the tests' all the same.
func (e *env) fullEnvironment() []string {
	list := os.Environ()
	for name, value := range e.taken {
		list = append(list, name+"="+value)
	}
	return list
}

// sessionsIn are a session, where there is one, and those that go on in the work tree here: a run is about their files as well.
func (e *env) sessionsIn(s *session.Session) (list []*session.Session) {
	if s != nil {
		list = append(list, s)
	}
	place := herePlace(e.dir)
	here := place.Tree()
	for _, other := range e.sessions(false, false) {
		if (s == nil || other.ID != s.ID) && other.Now.Tree() == here {
			list = append(list, other)
		}
	}
	return list
}

// learnOutcome notes for a session how a run ended.
func (e *env) learnOutcome(s *session.Session, one *receipt.Receipt) error {
	short := term.Clip(one.Command, 80)
	return session.Change(e.stateDir(), s.ID, time.Now().UTC(), func() *session.Session { return s }, func(s *session.Session) bool {
		switch one.Kind {
		case receipt.Test:
			s.Tested(short, one.Outcome == receipt.Clean, one.At)
			s.Tests.Part = one.Part
		case receipt.Build:
			s.Builds(short, one.Outcome == receipt.Clean, one.At)
		default:
			return false
		}
		return true
	})
}

// noteRun keeps a run for the sessions that it is about, and in the journal where it failed.
func (e *env) noteRun(one *receipt.Receipt) {
	s := e.current()
	if one.Outcome != receipt.Failure {
		for _, here := range e.sessionsIn(s) {
			if err := e.learnOutcome(here, one); err != nil {
				fmt.Fprintf(e.err, "moai: warning: the session was not told: %s\n", oneLine(err.Error()))
			}
		}
	}
	if !one.Red() {
		return
	}
	code := one.Exit
	switch one.Kind {
	case receipt.Test:
		e.recordOf(s, one.Command, types.TestFailed{Command: one.Command, ExitCode: &code})
	case receipt.Build:
		e.recordOf(s, one.Command, types.BuildFailed{Command: one.Command, ExitCode: &code})
	}
}

// sayRun says what a run came to.
func (e *env) sayRun(one *receipt.Receipt, kept bool, tree string, git bool) {
	text := string(one.Outcome)
	switch {
	case one.NoTests && one.Outcome == receipt.Clean:
		text += ", but no test was run"
	case one.Part:
		text += ", of some of the tests"
	}
	text += " after " + (time.Duration(one.TookMS) * time.Millisecond).Round(10*time.Millisecond).String()
	switch {
	case kept:
		text += "; kept for these files"
	case !git:
		text += "; not kept: this is no Git repository"
	case tree == "":
		text += "; not kept: too much is changed here to name it, or a merge waits to be finished"
	default:
		text += "; not kept: files changed meanwhile"
	}
	fmt.Fprintln(e.err, "moai: "+text)
}

// lastReceipt shows what is known of the files as they are.
func (e *env) lastReceipt(kind receipt.Kind) error {
	r, name := e.filesHere(e.projectRoot())
	if r == nil {
		return nof("this is no Git repository")
	}
	found := receipt.Find(e.stateDir(), r.WorkTree, kind, name)
	if found == nil {
		return hint(nof("no run of the %s is known for the files as they are", cmp.Or(string(kind), "test")), strings.Join(testVerb(kind), " "))
	}
	if e.json {
		if err := e.printJSON(&receiptView{found, true}); err != nil {
			return err
		}
	} else {
		part := ""
		switch {
		case found.Part && found.Beside != "":
			part = ", by another command than " + term.Text(found.Beside) + ","
		case found.Part:
			part = ", of some of the tests,"
		}
		fmt.Fprintf(e.out, "%s%s %s: %s, exit code %d\n", found.Outcome, part, when.Ago(time.Since(found.At)), term.Text(found.Command), found.Exit)
		if found.Outcome != receipt.Clean {
			for _, line := range found.Above(strings.Split(found.Tail, "\n")) {
				fmt.Fprintln(e.out, line)
			}
			fmt.Fprint(e.out, found.Tail)
		}
	}
	if found.Outcome != receipt.Clean {
		return errNo
	}
	return nil
}
