package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/specs"
	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/spec"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// A completion answers while somebody waits with a finger on the key: it says
// nothing on stderr, never fails, and reads no more than the word needs.

// completeRule offers the ids of the rules that hold here, for one.
func (e *env) completeRule(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return e.completeRules(c, args, word)
}

// completeRules does so for as many as are wanted.
func (e *env) completeRules(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, r := range allRules(e.quietRules()) {
		if !slices.Contains(args, r.ID) && strings.HasPrefix(r.ID, word) {
			out = append(out, r.ID+"\t"+r.Action.String()+": "+r.Why)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeFamilies offers the first parts of rule ids.
func (e *env) completeFamilies(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	out := slices.DeleteFunc(ruleFamilies(e.quietRules()), func(family string) bool { return !strings.HasPrefix(family, word) })
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeExceptions offers the rules that exceptions are for: all, or those that wait for
// a confirmation.
func (e *env) completeExceptions(waiting bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		q, root := e.quiet(), e.projectRoot()
		list := q.exceptions(root)
		if waiting {
			list, _ = q.unconfirmed(root, nil) // without a word to look for nothing can be wrong
		}
		var out []string
		for i := range list {
			if strings.HasPrefix(list[i].Rule, word) {
				out = append(out, list[i].Rule+"\t"+list[i].Reason)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeApproved offers the files that rules distrust can be about.
func (e *env) completeApproved(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for file := range e.places(e.projectRoot()).Trusted() {
		for _, name := range []string{e.fromHere(file), file} {
			if strings.HasPrefix(name, word) {
				out = append(out, name)
				break
			}
		}
	}
	slices.Sort(out)
	return out, cobra.ShellCompDirectiveNoFileComp
}

// quietRules are the rules that hold here, without what is wrong in added files.
func (e *env) quietRules() *risk.Set { return e.quiet().risks(e.projectRoot()) }

// quiet is e without a voice.
func (e *env) quiet() *env {
	q := *e
	q.err = io.Discard
	return &q
}

// completeTags offers the ids of the project's chains. The index makes that a
// matter of milliseconds after the first time.
func (e *env) completeTags(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	set, _, err := e.quiet().tagSet()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, c := range set.Chains() {
		if strings.HasPrefix(c.ID, strings.ToUpper(word)) {
			out = append(out, c.ID+"\t"+c.Title)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeSpecs offers the ids of the project's SPECs.
func (e *env) completeSpecs(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, s := range spec.List(e.projectRoot(), &specs.Table) {
		if strings.HasPrefix(s.ID, strings.ToUpper(word)) {
			out = append(out, s.ID+"\t"+s.Title)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeWhy offers what detect --why can be asked: what the answer has a line for first, and languages where they have been begun.
func (e *env) completeWhy(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	out := []string{"language\tthe language of the project", "version\tits version", "framework\twhat it is built on"}
	for _, p := range (&lang.Tools{}).Purposes() {
		out = append(out, p.Name+"\tthe command for it")
	}
	out = slices.DeleteFunc(out, func(row string) bool { return !strings.HasPrefix(row, word) })
	if word == "" {
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	for i := range e.languages().Languages {
		if l := e.languages().Languages[i]; strings.HasPrefix(l.ID, word) {
			out = append(out, l.ID+"\t"+l.Name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeKinds offers the kinds of TAGs.
func completeKinds(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	out := []string{"all"}
	for i := range tables.Kinds {
		out = append(out, tables.Kinds[i].Name)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeTurns offers what undo can go back to.
func (e *env) completeTurns(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	out := []string{"redo\tbring back what the last undo took"}
	r, err := e.quiet().repository()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	line, err := undo.Read(r, e.stateDir())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for i := range line.Turns {
		if t := &line.Turns[i]; !t.Undone && strings.HasPrefix(turnID(t), word) && len(out) < 20 {
			out = append(out, turnID(t)+"\t"+term.OneLine(term.Text(t.Label()), 60))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
