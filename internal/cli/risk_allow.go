package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// allowJSON is one exception for --json.
type allowJSON struct {
	Rule     string `json:"rule"`
	Path     string `json:"path,omitempty"`
	Argument string `json:"argument,omitempty"`
	Project  string `json:"project,omitempty"` // empty: in every project
	Session  string `json:"session,omitempty"`
	Until    string `json:"until,omitempty"`
	Once     bool   `json:"once,omitempty"`
	Reason   string `json:"reason"`
	State    string `json:"state"`        // holds, unconfirmed, used, expired, elsewhere
	By       string `json:"by,omitempty"` // allow, confirm, trust; empty: nobody has answered for it
	Given    string `json:"given,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// newRiskAllow demands a reason: an exception without one is an exception that
// nobody dares to take back.
func newRiskAllow(e *env) *cobra.Command {
	var a rule.Allowed
	var everywhere, dry bool
	c := &cobra.Command{
		Use:   "allow RULE… --reason WHY",
		Short: "Make an exception, as narrow as you like",
		Long: `Adds an exception to your own rules folder: for one rule (or a family, "git.*"),
in this project, and as narrow as its options say. All of them must fit. Several
rules, as one question may name them, get an exception each. A
project cannot make exceptions, and neither can an agent: this verb wants a
person at a terminal, with no agent above it. What something else writes into your
rule files does not count until you have confirmed it.`,
		Example: `  moai risk allow git.push-force --argument topic --until 2027-01-31 --reason 'own branch'
  moai risk allow fs.delete-outside --path ~/scratch --once --reason 'tidy up'
  moai risk allow list
  moai risk allow confirm
  moai risk allow remove 2`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: e.completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := e.person("make an exception"); err != nil && !dry {
				return err
			}
			root := e.projectRoot()
			// Checked before anything is written: an exception that can never count looks like protection
			// that was taken away, and is none.
			for _, a.Rule = range args {
				if err := e.checkAllowed(root, &a); err != nil {
					return err
				}
			}
			// Narrow by default: who means every project says so.
			if !everywhere {
				in := e.riskInput(e.dir, root)
				look(&in)
				a.Project, a.Path = root, risk.RealGlob(fromRoot(root, e.dir, a.Path), &in)
			}
			// Without it a second "once" would be the first, which is used up.
			a.Given = time.Now().UTC().Format(time.RFC3339Nano)
			list := make([]rule.Allowed, len(args))
			for i, id := range args {
				list[i] = a
				list[i].Rule = id
			}
			if !dry {
				if err := e.appendAllowed(root, list); err != nil {
					return err
				}
			}
			switch {
			case e.json && len(list) == 1:
				return e.printJSON(e.jsonAllowed(&list[0], root))
			case e.json:
				return e.printAllowed(list, root)
			}
			for i := range list {
				if dry {
					fmt.Fprintf(e.out, "would allow %s\n", allowedText(&list[i]))
					continue
				}
				fmt.Fprintf(e.out, "allowed: %s\n", allowedText(&list[i]))
				fmt.Fprintf(e.out, "  added to %s; take it back: moai risk allow remove %s\n", term.Name(list[i].File), argv.Quote(list[i].Rule))
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&a.Reason, "reason", "", "why (required)")
	f.StringVar(&a.Path, "path", "", "only for paths that fit this glob, or lie in this folder; links are followed now")
	f.StringVar(&a.Argument, "argument", "", "only when an argument fits this glob")
	f.BoolVar(&a.Once, "once", false, "only the next time")
	f.StringVar(&a.Session, "session", "", "only in this session (moai risk log --json names sessions)")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	f.StringVar(&a.Until, "until", "", "only until then: 2h, 3d, 18:00, 'tomorrow 9:00', or the end of a day: tomorrow, friday, 2027-01-31")
	f.BoolVar(&everywhere, "everywhere", false, "in every project, not only this one")
	f.BoolVarP(&dry, "dry-run", "n", false, "say what would be allowed and change nothing")
	c.AddCommand(newRiskAllowList(e), newRiskAllowRemove(e), newRiskAllowConfirm(e))
	return c
}

// appendAllowed writes exceptions down and notes in each where it is.
func (e *env) appendAllowed(root string, list []rule.Allowed) error {
	file, err := e.places(root).AppendAllowed(list...)
	if p := (*rule.Problem)(nil); errors.As(err, &p) { // the file as it was
		return hint(nof("nothing was added, since no exception of a file that cannot be read counts: %w", p), editing(p.File))
	}
	if err != nil {
		return homeless(err)
	}
	for i := range list {
		list[i].File = file
	}
	return nil
}

// homeless tells who has no home how to have one for the length of a command; other
// errors stay as they are.
func homeless(err error) error {
	if errors.Is(err, policy.ErrNoHome) {
		return hint(nof("%w", err), "export HOME=/a/folder/of/yours")
	}
	return err
}

// fromRoot makes a relative glob, which a person means from where they stand, one
// from the project's root, where exceptions begin.
func fromRoot(root, dir, glob string) string {
	if glob == "" || filepath.IsAbs(glob) || strings.HasPrefix(glob, "~/") {
		return glob
	}
	full := filepath.Join(dir, glob)
	if rel, err := filepath.Rel(root, full); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(full)
}

// checkAllowed refuses exceptions that could never let anything through, or that
// nobody could judge later.
func (e *env) checkAllowed(root string, a *rule.Allowed) error {
	if !slices.ContainsFunc(allRules(e.risks(root)), func(r *rule.Risk) bool { return risk.Named(a.Rule, r.ID) }) {
		return unknownName(nof("no rule is named %q", a.Rule), a.Rule, slices.DeleteFunc(ruleIDs(e.risks(root)), func(id string) bool { return !risk.Excusable(e.risks(root).Rule(id)) }), "moai risk allow", "moai risk list")
	}
	if strings.TrimSpace(a.Reason) == "" {
		return hint(usagef("an exception needs a reason"), "moai risk allow "+argv.Quote(a.Rule)+" --reason 'why it is fine here'")
	}
	if a.Until != "" {
		end, err := untilOption(a.Until)
		if err != nil {
			return err
		}
		a.Until = end
	}
	return nil
}

// newRiskAllowList shows those that no longer count, too: a person who wonders why they are asked again finds out here.
func newRiskAllowList(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the exceptions, and which of them hold here",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root := e.projectRoot()
			list := e.exceptions(root)
			if e.json {
				out := make([]allowJSON, len(list))
				for i := range list {
					out[i] = e.jsonAllowed(&list[i], root)
				}
				return e.printJSON(out)
			}
			if len(list) == 0 {
				fmt.Fprintln(e.err, "moai: no exception counts: every rule holds")
			}
			s, waiting := e.style(), 0
			states, width := make([]string, len(list)), 0
			for i := range list {
				states[i] = e.standing(&list[i], root)
				width = max(width, term.Width(states[i]))
			}
			for i, state := range states {
				mark := s.Green(term.Pad(state, width))
				switch state {
				case "holds":
				case "unconfirmed":
					mark = s.Yellow(term.Pad(state, width))
					waiting++
				default:
					mark = s.Dim(term.Pad(state, width))
				}
				e.row("%3d  %s  %s", i+1, mark, allowedText(&list[i]))
			}
			if waiting > 0 {
				fmt.Fprintf(e.err, "moai: %s: written by something else than moai risk allow\n", term.Count(waiting, "exception does not count", "exceptions do not count"))
				fmt.Fprintln(e.err, "moai: hint: moai risk allow confirm")
			}
			return nil
		},
	}
}

// newRiskAllowRemove takes a number, or a rule's id where that names one exception alone. It never guesses which of
// two is meant: taking the wrong one back leaves the other open.
func newRiskAllowRemove(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:               "remove NUMBER|RULE",
		Aliases:           []string{"rm"},
		ValidArgsFunction: e.completeExceptions(false),
		Short:             "Take an exception back",
		Long: `Takes the exception back that has this number in "moai risk allow list", or the
only one for this rule.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			root := e.projectRoot()
			a, err := pickException(e.exceptions(root), args[0])
			if err != nil {
				return hint(err, "moai risk allow list")
			}
			word := "would take back"
			if dry && filepath.Dir(a.File) != e.places(root).UserRules() {
				return hint(nof("%w: %s is a project's file that was approved as a whole", policy.ErrApproved, a.File), "moai rules distrust "+argv.Quote(a.File))
			}
			if !dry {
				if err := e.places(root).RemoveAllowed(a); errors.Is(err, policy.ErrApproved) {
					return hint(nof("%w", err), "moai rules distrust "+argv.Quote(a.File))
				} else if err != nil {
					return err
				}
				word = "taken back"
			}
			if e.json {
				return e.printJSON(e.jsonAllowed(a, root))
			}
			fmt.Fprintf(e.out, "%s: %s\n", word, allowedText(a))
			return nil
		},
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "say what would be taken back and change nothing")
	return c
}

// exceptions lists the user's exceptions and those of approved project files, in
// an order that only editing changes: their numbers are typed back.
func (e *env) exceptions(root string) []rule.Allowed {
	var list []rule.Allowed
	for set := e.risks(root); set != nil; set = set.More {
		list = append(list, set.Allows...)
	}
	// By file and line, not by rule: adding one must not move the numbers of the others.
	slices.SortStableFunc(list, func(a, b rule.Allowed) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return list
}

// pickException finds the exception that a word means.
func pickException(list []rule.Allowed, word string) (*rule.Allowed, error) {
	if n, err := strconv.Atoi(word); err == nil {
		if n < 1 || n > len(list) {
			return nil, nof("there is no exception %d", n)
		}
		return &list[n-1], nil
	}
	var found *rule.Allowed
	for i := range list {
		if list[i].Rule == word {
			if found != nil {
				return nil, usagef("several exceptions are for %s: give the number of one", word)
			}
			found = &list[i]
		}
	}
	if found == nil {
		return nil, nof("there is no exception for %q", word)
	}
	return found, nil
}

// standing says whether an exception counts in a project now.
func (e *env) standing(a *rule.Allowed, root string) string {
	// In the order in which they end: what is used up is so everywhere, whatever its day or place.
	switch {
	case a.Once && e.places(root).Spent()(a):
		return "used"
	case a.Over(time.Now()):
		return "expired"
	case a.Project != "" && a.Project != root:
		return "elsewhere"
	}
	if _, ok := e.places(root).Seals()(a); !ok {
		return "unconfirmed"
	}
	return "holds"
}

// allowedText is an exception in words.
func allowedText(a *rule.Allowed) string { return term.Text(policy.AllowedText(a)) }

// jsonAllowed adds what only a moment and a place can tell: whether the exception counts.
func (e *env) jsonAllowed(a *rule.Allowed, root string) allowJSON {
	var seal policy.Seal
	if a.File != "" { // a dry run has made none
		seal, _ = e.places(root).Seals()(a)
	}
	return allowJSON{a.Rule, a.Path, a.Argument, a.Project, a.Session, a.Until, a.Once, a.Reason, e.standing(a, root), seal.By, a.Given, a.File, a.Line}
}
