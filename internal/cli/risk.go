package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/work"
)

// newRisk holds what only asks, which agents may do as well (ownVerb in internal/risk): who can find out beforehand what
// would be stopped need not try it. Only allow is for people.
func newRisk(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "risk",
		Short: "Ask the guard what it would do, and why; make exceptions",
		Long: `The guard judges commands and tool calls by rules. check, list and show (explain is
another word for it) ask it without running, creating or recording anything; log tells
what it did; allow makes an exception.`,
	}
	c.AddCommand(newRiskCheck(e), newRiskList(e), newRiskShow(e), newRiskAllow(e), newRiskLog(e))
	return c
}

// risks are all rules that hold in a project. Problems in added rules are told
// on stderr once; they never take a built-in rule away.
func (e *env) risks(root string) *risk.Set {
	set, err := policy.Load(risktable.Set(), e.places(root))
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(e.err, "moai: warning: %s\n", term.Text(strings.TrimSuffix(line, "\n")))
		}
	}
	return set
}

// riskInput describes a place to the guard as the hook does, but for the caller's
// variables: a set of labelled commands must give the same answers everywhere.
func (e *env) riskInput(dir, root string) risk.Input {
	places, cfg := e.places(root), e.cfg(root)
	in := ground.Place(dir, e.user().Home, cfg.String("guard.mode"), places, time.Now())
	in.Used = places.Spent()
	in.Denied, in.Only = cfg.Names("guard.tools_deny"), cfg.Names("guard.tools_allow")
	in.Verifiers = cfg.Names("verify.agents")
	return in
}

// look has the machine answer what rules ask about a call. It comes when the call is told, as in the hook: what is worth keeping
// depends on whether it is a command line.
func look(in *risk.Input) {
	if in.Command == "" {
		defer func() { in.Command = "" }() // what is judged, and shown, is the tool's input
		var one struct{ Command string }
		if json.Unmarshal(in.Args, &one) == nil { // another form of it is read where it is judged
			in.Command = one.Command
		}
	}
	ground.New(in.Root, work.New(work.Disk)).Answer(in)
}

// checkFlags are the options of moai risk check.
type checkFlags struct {
	batch, explain, exitCode bool
	tool, dir                string
}

// newRiskCheck takes a line as one word or as many: quoted it is judged to the byte, unquoted it is what the shell made
// of it. What stands behind the first word of a command is the command's, "--json" too.
func newRiskCheck(e *env) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [flags] COMMAND [ARG…]",
		Short: "Judge a command line without running it",
		Long: `Judges one command line, or with --batch JSON lines from stdin:
{"command": "...", "cwd": "..."} in, {"action", "rules", "reason", "span"} out,
or {"error", "line"} for a line that is no question. The variables of this shell
count, as in the hook; with --batch they do not, so that a set of lines gets the
same answers everywhere. Nothing is executed, created or recorded. Options go
before the command.`,
		Example: `  moai risk check 'rm -rf build && git push --force'
  moai risk check --explain sudo bash -c 'git reset --hard'
  moai risk check --tool Write '{"file_path": ".env", "content": "KEY=1"}'`,
		RunE: func(c *cobra.Command, args []string) error {
			if f.batch {
				if len(args) > 0 {
					return usagef("--batch reads commands from stdin")
				}
				return e.riskBatch(&f)
			}
			if len(args) == 0 {
				return hint(usagef("no command given"), "moai risk check 'git reset --hard'")
			}
			if args[0] == "-" {
				return hint(usagef("a command line is not read from stdin"), "moai risk check --batch")
			}
			// A word with blanks is a whole line. Taken for the name of a program, "allow" would be the answer to anything.
			if len(args) > 1 && strings.ContainsAny(args[0], " \t\n") {
				return hint(usagef("%s behind a whole command line is no part of it; options go before the command", args[1]), "moai risk check "+ownOption(c, args[1])+" 'git reset --hard'")
			}
			if own := ownBehind(c, args); own != "" {
				fmt.Fprintf(e.err, "moai: hint: %s is judged as %s's; for moai's own: moai risk check %s %s\n", own, term.Text(args[0]), own, term.Text(argv.Quote(without(args, own)...)))
			}
			return e.riskCheck(args, &f)
		},
	}
	// "moai risk check rm --json" asks about rm's --json.
	c.Flags().SetInterspersed(false) // what follows the command is the command's own
	c.Flags().BoolVar(&f.batch, "batch", false, "read JSON lines from stdin, answer JSON lines")
	c.Flags().BoolVar(&f.explain, "explain", false, "show every command that would run, and what led to it")
	c.Flags().BoolVar(&f.exitCode, "exit-code", false, "exit 1 when something would be stopped or snapshotted")
	c.Flags().StringVar(&f.tool, "tool", "", "judge the input of this tool (JSON) instead of a Bash command")
	c.Flags().StringVar(&f.dir, "cwd", "", "judge as if in this folder")
	return c
}

// riskCheck judges one call as the hook would, environment included: "$BUILD" in a
// shell of one's own is what it is there.
func (e *env) riskCheck(args []string, f *checkFlags) error {
	dir := f.dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(e.dir, dir)
	}
	dir = filepath.Clean(dir) // completion leaves a slash at its end
	// A slip in --cwd would otherwise go unnoticed.
	// Judged all the same: the answer for a folder that is yet to be made is one, too.
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		fmt.Fprintf(e.err, "moai: warning: there is no folder %s\n", term.Text(dir))
	}
	in := e.riskInput(dir, findRoot(dir, e.home()))
	in.Env = func(name string) (string, bool) {
		v := e.inherited(name)
		return v, v != ""
	}
	in.Command = args[0]
	if len(args) > 1 {
		in.Command = argv.Quote(args...)
	}
	if f.tool != "" {
		in.Tool = f.tool
		e.unknownTool(f.tool)
		switch object := strings.HasPrefix(in.Command, "{") && json.Valid([]byte(in.Command)); {
		case object:
			in.Command, in.Args = "", []byte(in.Command)
		case !risktable.Set().RunsCommand(f.tool): // for those that do, "{ ls; }" is a command line
			return hint(usagef("the input of %s is a JSON object", f.tool), `moai risk check --tool Write '{"file_path": ".env", "content": ""}'`)
		}
	}
	look(&in)
	v := e.risks(in.Root).Check(&in)
	if e.json {
		if err := e.printJSON(riskJSON(&in, &v, f.explain)); err != nil {
			return err
		}
	} else {
		e.printVerdict(&in, &v, f.explain)
	}
	if f.exitCode && stops(&v) {
		return errNo
	}
	return nil
}

// ownBehind is an option of this verb that stands behind the command, where it is the command's; "" for none. What asks nothing of moai
// is meant for the command.
func ownBehind(c *cobra.Command, args []string) string {
	for _, a := range args[1:] {
		if name, ok := strings.CutPrefix(a, "--"); ok && (name == "json" || c.LocalNonPersistentFlags().Lookup(name) != nil && c.LocalNonPersistentFlags().Lookup(name).NoOptDefVal != "") {
			return a
		}
	}
	return ""
}

// without are the words but one.
func without(words []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == word })
}

// unknownTool warns about a name that no table has: what is then judged are the arguments that look like a command line.
func (e *env) unknownTool(name string) {
	known, there := toolNames(name)
	if there {
		return
	}
	text := fmt.Sprintf("moai: warning: no table knows a tool %s: only what looks like a command line in its input is judged", term.Text(name))
	if meant := term.Nearest(name, known); meant != "" {
		text += "; was it " + meant + "?"
	}
	fmt.Fprintln(e.err, text)
}

// toolNames lists the tools that the tables name, and tells whether this is one of them, in any case of letters.
func toolNames(name string) (list []string, there bool) {
	add := func(names []string) {
		for _, known := range names {
			if !strings.Contains(known, "*") {
				list = append(list, known)
			}
			there = there || known != "*" && risk.Named(known, name)
		}
	}
	set := risktable.Set()
	for _, t := range eventTables().Tools {
		add([]string{t.Name})
	}
	for i := range set.Tools {
		add(set.Tools[i].Names)
	}
	return list, there || set.RunsCommand(name)
}

// ownOption is the option that somebody put behind a command line, if it is one of this verb's; else an example of one.
func ownOption(c *cobra.Command, word string) string {
	if name, ok := strings.CutPrefix(word, "--"); ok && c.Flags().Lookup(name) != nil {
		return word
	}
	return "--json"
}
