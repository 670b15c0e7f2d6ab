package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// newRules holds nothing that changes a verdict but trust: check and test only read, and new adds a stanza that its own check
// refuses until somebody has filled it in.
func newRules(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "Check, test, approve and begin rules",
		Long: `Rules are TOML files: yours in the configuration folder, a project's in
.moai/rules. A project's can only tighten. Inside moai's own source tree these
verbs are about the rules that are built in. rules/README.md describes the format.`,
	}
	c.AddCommand(newRulesCheck(e), newRulesTest(e), newRulesTrust(e), newRulesDistrust(e), newRulesNew(e))
	return c
}

// rulesReport is the answer of rules check and rules test.
type rulesReport struct {
	OK         bool          `json:"ok"`
	Files      []string      `json:"files"`
	Rules      int           `json:"rules"`
	Exceptions int           `json:"exceptions"`
	Languages  []string      `json:"languages,omitempty"` // those of Files that add to the languages
	Examples   int           `json:"examples,omitempty"`  // that were run
	Problems   []problemJSON `json:"problems"`
	Waiting    []problemJSON `json:"waiting,omitempty"` // what of a project counts once it is approved
}

// problemJSON is one thing wrong with a rule file.
type problemJSON struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
}

// add takes over every problem that err joins.
func (r *rulesReport) add(err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			r.add(one)
		}
		return
	}
	var p *rule.Problem
	if !errors.As(err, &p) {
		p = &rule.Problem{Text: err.Error()}
	}
	list := &r.Problems
	if p.Cost == rule.Waiting {
		list = &r.Waiting
	}
	// What is wrong with the form may have been said before the examples ran.
	if one := (problemJSON{p.File, p.Line, p.ID, p.Text}); !slices.Contains(*list, one) {
		*list = append(*list, one)
	}
}

// lines are problems as people read them.
func lines(problems []problemJSON) []string {
	var list []string
	for _, p := range problems {
		list = append(list, (&rule.Problem{File: p.File, Line: p.Line, ID: p.ID, Text: p.Text}).Error())
	}
	return list
}

// printRules answers in both forms; a report with problems is the answer no.
func (e *env) printRules(r *rulesReport, fine string) error {
	r.OK = len(r.Problems) == 0
	switch {
	case e.json:
		if r.Files == nil {
			r.Files = []string{}
		}
		if r.Problems == nil {
			r.Problems = []problemJSON{}
		}
		if err := e.printJSON(r); err != nil {
			return err
		}
	case r.OK:
		fmt.Fprintln(e.out, fine)
	default:
		for _, line := range lines(r.Problems) {
			fmt.Fprintln(e.out, term.Text(line))
		}
	}
	if !e.json {
		for _, line := range lines(r.Waiting) {
			fmt.Fprintf(e.err, "moai: waits for you: %s\n", term.Text(line))
		}
	}
	if !r.OK {
		return errNo
	}
	return nil
}

// newRulesCheck looks at the form, and runs the examples of what was added: a rule that does not fire on what it says that it fires on
// protects from nothing, and looks as if it did.
func newRulesCheck(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Check the form of rules, and added ones against their examples",
		RunE: func(_ *cobra.Command, args []string) error {
			r, risks, err := e.readRules(args)
			if err != nil {
				return err
			}
			r.Examples += risks.glance(r)
			text := term.Count(len(r.Files), "file") + ": fine"
			if r.Rules+r.Exceptions > 0 || len(r.Files) == 0 { // other families are not counted, only read
				text = fmt.Sprintf("%s and %s in %s", term.Count(r.Rules, "rule"), term.Count(r.Exceptions, "exception"), text)
			}
			for i, file := range r.Languages {
				text += term.Text([]string{"; languages: ", ", "}[min(i, 1)] + filepath.Base(file))
			}
			return e.printRules(r, text)
		},
	}
}

// newRulesTest runs nothing where the form is wrong: an example of a rule that was not read says nothing about it.
func newRulesTest(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "test [FILE…]",
		Short: "Run rules over their own examples",
		RunE: func(_ *cobra.Command, args []string) error {
			r, risks, err := e.readRules(args)
			if err != nil {
				return err
			}
			if len(r.Problems) == 0 {
				r.Examples += risks.run(r)
			}
			return e.printRules(r, fmt.Sprintf("%s of %s in %s: all as they should be", term.Count(r.Examples, "example"), term.Count(r.Rules, "rule"), term.Count(len(r.Files), "file")))
		},
	}
}

// loosens names everything in a file that would make the guard stop less: not only
// exceptions, but also what programs do and which files are worth something. The
// words are a stranger's, who must not be able to write over them.
func (e *env) loosens(r *rule.Risks) {
	for i := range r.Allows {
		fmt.Fprintf(e.err, "exception: %s\n", allowedText(&r.Allows[i]))
	}
	for i := range r.Programs {
		fmt.Fprintf(e.err, "says what a program does: %s\n", term.Text(strings.Join(r.Programs[i].Names.List(), ", ")))
	}
	for i := range r.Files {
		fmt.Fprintf(e.err, "says what files are: %s: %s\n", r.Files[i].Is, term.Text(strings.Join(r.Files[i].Globs, ", ")))
	}
	for i := range r.Groups {
		fmt.Fprintf(e.err, "says what programs are: %s: %s\n", term.Text(r.Groups[i].ID), term.Text(strings.Join(r.Groups[i].Words.List(), ", ")))
	}
	if r.Secrets != nil && len(r.Secrets.Known) > 0 {
		fmt.Fprintf(e.err, "takes for example keys: %s\n", term.Text(strings.Join(r.Secrets.Known, ", ")))
	}
}

// newRulesTrust is the one way for a project's exceptions to count. What is
// approved are the very bytes that were shown, so that a later pull cannot add to
// them.
func newRulesTrust(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:   "trust FILE",
		Short: "Approve a project's rule file as it is, exceptions included",
		Long: `Approves a project's rule file as it is now, its exceptions included: changed in a
byte, it waits again. It wants a person at a terminal.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := args[0]
			if !filepath.IsAbs(file) {
				file = filepath.Join(e.dir, file)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return unreadable(args[0], err)
			}
			one, err := rule.DecodeRisks(file, data, rule.ByUser)
			if err != nil {
				r := &rulesReport{Files: []string{file}}
				r.add(err)
				return e.printRules(r, "")
			}
			for i := range one.Allows {
				if root := e.projectRoot(); one.Allows[i].Project == "" && filepath.Dir(file) == e.places(root).ProjectRules() {
					one.Allows[i].Project = root // in which alone they count
				}
			}
			// Shown before the question, and also with --yes: the log of a script then says what was approved.
			e.loosens(one)
			if dry {
				fmt.Fprintf(e.out, "would approve %s\n", term.Name(file))
				return nil
			}
			if !e.confirm(fmt.Sprintf("Approve %s with %s and %s?", term.Name(file), term.Count(len(one.Rules), "rule"), term.Count(len(one.Allows), "exception"))) {
				return e.unasked("nothing was approved", "moai rules trust --yes "+argv.Quote(args[0]))
			}
			if err := e.person("approve rules"); err != nil {
				return err
			}
			hash, err := e.places(e.projectRoot()).Trust(file, data)
			if err != nil {
				return homeless(err)
			}
			e.record("approved "+e.fromHere(file), types.RulesTrusted{Path: file, Hash: hash})
			if e.json {
				return e.printJSON(struct {
					Exceptions int    `json:"exceptions"`
					File       string `json:"file"`
					Rules      int    `json:"rules"`
					Hash       string `json:"sha256"`
				}{len(one.Allows), file, len(one.Rules), hash})
			}
			fmt.Fprintf(e.out, "approved %s %s\n", hash[:12], term.Name(file))
			return nil
		},
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "show the exceptions and approve nothing")
	return c
}
