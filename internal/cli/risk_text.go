package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// actionText is an action in its colour.
func actionText(s term.Style, a risk.Action) string {
	switch a {
	case risk.Deny:
		return s.Red(a.String())
	case risk.Ask:
		return s.Yellow(a.String())
	case risk.Checkpoint:
		return s.Cyan(a.String())
	}
	return s.Green(a.String())
}

// printVerdict shows a verdict with the span underlined, for people.
func (e *env) printVerdict(in *risk.Input, v *risk.Verdict, explain bool) {
	s := e.style()
	fmt.Fprintln(e.out, actionText(s, v.Action))
	if v.Warned != risk.Allow {
		fmt.Fprintf(e.out, "guard.mode is warn; otherwise: %s\n", actionText(s, v.Warned))
	}
	for i := range v.Hits {
		h := &v.Hits[i]
		fmt.Fprintln(e.out)
		underline(e, s, in.Command, h.Span)
		fmt.Fprintf(e.out, "%s %s: %s\n", actionText(s, h.Action), s.Bold(h.Rule.ID), h.Rule.Why)
		if h.Detail != "" {
			fmt.Fprintf(e.out, "  seen: %s\n", h.Detail)
		}
		fmt.Fprintf(e.out, "  instead: %s\n", h.Rule.Instead)
		if h.Allowed != nil {
			fmt.Fprintf(e.out, "  allowed by %s:%d: %s\n", h.Allowed.File, h.Allowed.Line, h.Allowed.Reason)
		} else {
			fmt.Fprintf(e.out, "  %s\n", s.Dim("to allow it: moai risk allow "+h.Rule.ID+" --reason WHY"))
		}
		if !explain {
			continue
		}
		for _, step := range h.Via {
			fmt.Fprintf(e.out, "  through: %s\n", step.Name)
		}
		for _, t := range h.Targets {
			fmt.Fprintf(e.out, "  path: %s (%s", t.Path, t.Class)
			if t.Names != 0 {
				fmt.Fprintf(e.out, "; %s", t.Names)
			}
			fmt.Fprintln(e.out, ")")
		}
	}
	for _, d := range v.Doubts {
		fmt.Fprintf(e.out, "\nnot followed: %s\n", d)
	}
}

// underline prints the line that holds a span and marks the span below it, by
// columns, so that wide characters line up.
func underline(e *env, s term.Style, line string, span [2]int) {
	if line == "" || span[0] < 0 || span[1] > len(line) || span[0] >= span[1] {
		return
	}
	start := strings.LastIndexByte(line[:span[0]], '\n') + 1
	end := len(line)
	if i := strings.IndexByte(line[start:], '\n'); i >= 0 {
		end = start + i
	}
	stop := min(span[1], end)
	fmt.Fprintf(e.out, "  %s\n", line[start:end])
	fmt.Fprintf(e.out, "  %s%s\n", strings.Repeat(" ", term.Width(line[start:span[0]])), s.Red(strings.Repeat("^", max(1, term.Width(line[span[0]:stop])))))
}

// ruleJSON is one rule of risk list --json.
type ruleJSON struct {
	ID      string   `json:"id"`
	Action  string   `json:"action"`
	Why     string   `json:"why"`
	Instead string   `json:"instead"`
	Since   string   `json:"since,omitempty"`
	Hits    []string `json:"hits"`
	Misses  []string `json:"misses"`
}

// allRules lists the rules that hold here, added ones last.
func allRules(set *risk.Set) []*rule.Risk {
	var list []*rule.Risk
	for ; set != nil; set = set.More {
		for i := range set.Rules {
			list = append(list, &set.Rules[i])
		}
	}
	return list
}

func newRiskList(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "list [FAMILY]",
		Short: "List the rules that hold here",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list := []ruleJSON{}
			for _, r := range allRules(e.risks(e.projectRoot())) {
				if len(args) == 0 || strings.HasPrefix(r.ID, args[0]) {
					list = append(list, ruleJSON{r.ID, r.Action.String(), r.Why, r.Instead, r.Since, r.Hits, r.Misses})
				}
			}
			if e.json {
				return e.printJSON(list)
			}
			if len(list) == 0 {
				return hint(fmt.Errorf("no rule is named %q", args[0]), "moai risk list")
			}
			s := e.style()
			for _, r := range list {
				action, _ := rule.ParseAction(r.Action)
				fmt.Fprintf(e.out, "%s %s %s\n", term.Pad(r.ID, 34), actionText(s, action)+strings.Repeat(" ", 10-len(r.Action)), r.Why)
			}
			return nil
		},
	}
}

func newRiskShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show one rule with its examples",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r := e.risks(e.projectRoot()).Rule(args[0])
			if r == nil {
				return hint(usagef("no rule is named %q", args[0]), "moai risk list")
			}
			if e.json {
				return e.printJSON(ruleJSON{r.ID, r.Action.String(), r.Why, r.Instead, r.Since, r.Hits, r.Misses})
			}
			fmt.Fprintf(e.out, "%s\n\n%s", e.style().Bold(r.ID), risk.Describe(r))
			return nil
		},
	}
}

func newRiskAllow(e *env) *cobra.Command {
	var a rule.Allowed
	var everywhere bool
	c := &cobra.Command{
		Use:   "allow RULE",
		Short: "Make an exception, as narrow as you like",
		Long: `Adds an exception to your own rules folder. A project cannot make exceptions,
and neither can an agent: the guard stops this verb inside a session.`,
		Example: "  moai risk allow git.push-force --argument topic --until 2026-12-31 --reason 'own branch'\n  moai risk allow fs.delete-outside --path ~/scratch --once --reason 'tidy up'",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			root := e.projectRoot()
			a.Rule = args[0]
			if !strings.Contains(a.Rule, "*") && e.risks(root).Rule(a.Rule) == nil {
				return hint(usagef("no rule is named %q", a.Rule), "moai risk list")
			}
			if strings.TrimSpace(a.Reason) == "" {
				return usagef("an exception needs a reason: --reason TEXT")
			}
			if a.Until != "" {
				if _, err := parseDay(a.Until); err != nil {
					return usagef("--until is %q, want a day such as 2026-12-31", a.Until)
				}
			}
			if !everywhere {
				a.Project = root
			}
			a.Given = time.Now().UTC().Format(time.RFC3339Nano)
			file, err := e.places(root).AppendAllowed(a)
			if err != nil {
				return err
			}
			fmt.Fprintf(e.out, "added to %s\n", file)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&a.Path, "path", "", "only for paths that fit this glob")
	f.StringVar(&a.Argument, "argument", "", "only when an argument fits this glob")
	f.StringVar(&a.Until, "until", "", "only until this day (YYYY-MM-DD)")
	f.StringVar(&a.Session, "session", "", "only in this session")
	f.BoolVar(&a.Once, "once", false, "only the next time")
	f.BoolVar(&everywhere, "everywhere", false, "in every project, not only this one")
	f.StringVar(&a.Reason, "reason", "", "why (required)")
	return c
}
