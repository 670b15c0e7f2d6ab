package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

func parseDay(s string) (time.Time, error) { return time.Parse("2006-01-02", s) }

func newRules(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "Check, test, approve and begin rules of your own",
		Long: `Rules are TOML files: yours in the configuration folder, a project's in
.moai/rules. A project's can only tighten. rules/README.md describes the format.`,
	}
	c.AddCommand(newRulesCheck(e), newRulesTest(e), newRulesTrust(e), newRulesNew(e))
	return c
}

// added reads the rule files that were added here, or the ones named, with all
// problems in them.
func (e *env) added(files []string) (*rule.Risks, []string, error) {
	p := e.places(e.projectRoot())
	all := &rule.Risks{}
	var problems []error
	named := len(files) > 0
	if !named {
		found, err := p.Files()
		if err != nil {
			problems = append(problems, err)
		}
		files = found
	}
	for _, f := range files {
		// The guard skips what is no plain file; reading a pipe would never end.
		if info, err := os.Lstat(f); !named && err == nil && !info.Mode().IsRegular() {
			problems = append(problems, &rule.Problem{File: f, Text: "is not a plain file: the guard ignores it"})
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			var bad *fs.PathError
			if errors.As(err, &bad) {
				return nil, nil, hint(usagef("cannot read %s: %v", f, bad.Err), "moai rules check")
			}
			return nil, nil, err
		}
		source := rule.ByUser
		if strings.HasPrefix(f, p.ProjectRules()+string(filepath.Separator)) {
			source = rule.ByProject
		}
		one, err := rule.DecodeRisks(f, data, source)
		if err != nil {
			problems = append(problems, err)
		}
		if one != nil {
			all.Add(one)
		}
	}
	for i := range all.Rules {
		r := &all.Rules[i]
		for _, name := range append(append([]string{}, r.When.Is...), r.When.Not...) {
			if !risk.KnownPredicate(name) {
				problems = append(problems, &rule.Problem{File: r.File, Line: r.Line, ID: r.ID, Text: fmt.Sprintf("no predicate is named %q", name)})
			}
		}
		if risktable.Set().Rule(r.ID) != nil {
			problems = append(problems, &rule.Problem{File: r.File, Line: r.Line, ID: r.ID, Text: "a built-in rule has this id"})
		}
	}
	all.Sort()
	return all, files, errors.Join(problems...)
}

// complain prints problems as the answer of a check.
func (e *env) complain(err error) error {
	fmt.Fprintln(e.out, err)
	return errNo
}

func newRulesCheck(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Check the form of added rules",
		RunE: func(_ *cobra.Command, args []string) error {
			all, files, err := e.added(args)
			if all == nil {
				return err
			}
			if err != nil {
				return e.complain(err)
			}
			fmt.Fprintf(e.out, "%d rules and %d exceptions in %d files: fine\n", len(all.Rules), len(all.Allows), len(files))
			return nil
		},
	}
}

func newRulesTest(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "test [FILE…]",
		Short: "Run added rules over their own examples",
		RunE: func(_ *cobra.Command, args []string) error {
			all, files, err := e.added(args)
			if all == nil {
				return err
			}
			if err != nil {
				return e.complain(err)
			}
			set := risktable.Set()
			set.More = risk.NewSet(all)
			if problems := risk.VerifyIn(set, all.Rules); len(problems) > 0 {
				return e.complain(rule.Join(problems))
			}
			examples := 0
			for i := range all.Rules {
				examples += len(all.Rules[i].Hits) + len(all.Rules[i].Misses) + len(all.Rules[i].KnownMiss)
			}
			fmt.Fprintf(e.out, "%d examples of %d rules in %d files: all as they should be\n", examples, len(all.Rules), len(files))
			return nil
		},
	}
}

func newRulesTrust(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "trust FILE",
		Short: "Approve a project's rule file as it is, exceptions included",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := args[0]
			if !filepath.IsAbs(file) {
				file = filepath.Join(e.dir, file)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			one, err := rule.DecodeRisks(file, data, rule.ByUser)
			if err != nil {
				return e.complain(err)
			}
			for _, a := range one.Allows {
				fmt.Fprintf(e.err, "exception: %s %s %s (%s)\n", a.Rule, a.Path, a.Argument, a.Reason)
			}
			if !e.confirm(fmt.Sprintf("Approve %s with %d rules and %d exceptions?", file, len(one.Rules), len(one.Allows))) {
				return errNo
			}
			hash, err := e.places(e.projectRoot()).Trust(file)
			if err != nil {
				return err
			}
			fmt.Fprintf(e.out, "approved %s %s\n", hash[:12], file)
			return nil
		},
	}
}

func newRulesNew(e *env) *cobra.Command {
	var write bool
	c := &cobra.Command{
		Use:   "new risk FAMILY.HAZARD",
		Short: "Begin a rule: print its stanza with the fields to fill in",
		Args:  cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] != "risk" {
				return usagef("only risk rules can be begun here, not %q", args[0])
			}
			id := args[1]
			family, _, ok := strings.Cut(id, ".")
			if !ok {
				return usagef("the id is %q, want family.hazard such as deploy.skip-tests", id)
			}
			stanza := fmt.Sprintf(`
[[rule]]
id      = %q
program = %q
args    = { subcommand = "", flags = [""] }
action  = "ask"
why     = ""
instead = ""
hits    = ["", ""]
misses  = ["", ""]
`, id, family)
			if !write {
				fmt.Fprint(e.out, stanza[1:])
				return nil
			}
			dir := e.places(e.projectRoot()).ProjectRules()
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			file := filepath.Join(dir, family+".toml")
			f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			if err != nil {
				return err
			}
			_, err = f.WriteString(stanza)
			fmt.Fprintf(e.out, "added to %s; fill it in, then: moai rules test %s\n", file, file)
			return errors.Join(err, f.Close())
		},
	}
	c.Flags().BoolVar(&write, "write", false, "append it to .moai/rules/FAMILY.toml")
	return c
}
