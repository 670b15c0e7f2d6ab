package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

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
			list = append(list, set.Rules[i].Get())
		}
	}
	return list
}

// ruleIDs are the ids of the rules that hold here.
func ruleIDs(set *risk.Set) (ids []string) {
	for _, r := range append(allRules(set), risk.Own()...) {
		ids = append(ids, r.ID)
	}
	return ids
}

// ruleFamilies are the first parts of them.
func ruleFamilies(set *risk.Set) (list []string) {
	for _, id := range ruleIDs(set) {
		if family, _, _ := strings.Cut(id, "."); !slices.Contains(list, family) {
			list = append(list, family)
		}
	}
	return list
}

// newRiskList names rules by the beginning of their ids: a family, or one hazard.
func newRiskList(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "list [FAMILY]",
		Short: "List the rules that hold here",
		Args:  cobra.MaximumNArgs(1),

		ValidArgsFunction: e.completeFamilies,
		RunE: func(_ *cobra.Command, args []string) error {
			list, set := []ruleJSON{}, e.risks(e.projectRoot())
			for _, r := range append(allRules(set), risk.Own()...) {
				if len(args) == 0 || strings.HasPrefix(r.ID, args[0]) {
					list = append(list, ruleJSON{r.ID, r.Action.String(), r.Why, r.Instead, r.Since, r.Hits.List(), r.Misses.List()})
				}
			}
			// An empty list of rules can only be a slip in the name: the answer is no, and not an empty success.
			if len(list) == 0 {
				return unknownName(nof("no rule's id begins with %q", args[0]), args[0], append(ruleFamilies(set), ruleIDs(set)...), "moai risk list", "moai risk list")
			}
			if e.json {
				return e.printJSON(list)
			}
			s := e.style()
			for _, r := range list {
				action, _ := rule.ParseAction(r.Action)
				e.entry(term.Pad(r.ID, 34)+" "+actionText(s, action)+strings.Repeat(" ", 10-len(r.Action)), term.Text(r.Why))
			}
			return nil
		},
	}
}

// newRiskShow prints the words of RULES.md, so that the page, the verb and the
// message that an agent reads never say different things.
func newRiskShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Aliases: []string{"explain"},
		Short:   "Show one rule with its examples",
		Args:    cobra.ExactArgs(1),

		ValidArgsFunction: e.completeRule,
		RunE: func(_ *cobra.Command, args []string) error {
			set := e.risks(e.projectRoot())
			r := set.Rule(args[0])
			if r == nil {
				list := "moai risk list"
				family, _, _ := strings.Cut(args[0], ".")
				if slices.ContainsFunc(allRules(set), func(r *rule.Risk) bool { return strings.HasPrefix(r.ID, family+".") }) {
					list += " " + family
				}
				return unknownName(nof("no rule is named %q", args[0]), args[0], ruleIDs(set), "moai risk show", list)
			}
			if e.json {
				return e.printJSON(ruleJSON{r.ID, r.Action.String(), r.Why, r.Instead, r.Since, r.Hits.List(), r.Misses.List()})
			}
			s := e.style()
			// The page is Markdown; a terminal shows its emphasis itself.
			fmt.Fprintf(e.out, "%s\n\n%s", s.Bold(r.ID), strings.Replace(risk.Describe(ofLines(r)), "**"+r.Action.String()+"**", actionText(s, r.Action), 1))
			return nil
		},
	}
}

// plainest sorts examples by length: the shortest one says best what a rule is about. Examples with characters that no terminal shows are left out,
// unless there are no others.
func plainest(examples rule.Texts) rule.Texts {
	list := slices.DeleteFunc(examples.List(), func(line string) bool { return term.Text(line) != line && !strings.Contains(line, "\n") })
	if len(list) == 0 {
		list = examples.List()
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return rule.NewTexts(list...)
}

// ofLines is a rule whose words stay on their lines: a project's rule may come from a stranger.
func ofLines(r *rule.Risk) *rule.Risk {
	c := *r
	c.Why, c.Instead, c.Beyond, c.Keeps = term.Text(r.Why), term.Text(r.Instead), term.Text(r.Beyond), term.Text(r.Keeps)
	c.Hits, c.Misses, c.KnownMiss = plainest(r.Hits), plainest(r.Misses), plainest(r.KnownMiss)
	c.Advice = slices.Clone(r.Advice)
	for i := range c.Advice {
		a := &c.Advice[i]
		a.Program, a.Instead = term.Text(a.Program), term.Text(a.Instead)
	}
	return &c
}
