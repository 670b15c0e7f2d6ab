package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/tag"
	"github.com/modu-ai/moai/internal/term"
)

// chainKinds are the kinds of the chain, in its order.
func chainKinds() []string {
	var kinds []rule.TagKind
	for _, k := range tables.Kinds {
		if k.Family == rule.TagChain {
			kinds = append(kinds, k)
		}
	}
	slices.SortFunc(kinds, func(a, b rule.TagKind) int { return a.Order - b.Order })
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].Name
	}
	return names
}

// newTagsShow is one chain with every place: what a reviewer opens one after the other.
func newTagsShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:               "show ID",
		ValidArgsFunction: e.completeTags,
		Short:             "Show the chain of one id as a tree with places",
		Example:           "  moai tags show AUTH-001",
		Args:              cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			id := idOf(args[0])
			if !tag.ValidID(id) {
				return usagef("%q is not an id like AUTH-001", args[0])
			}
			set, _, err := e.tagSet()
			if err != nil {
				return err
			}
			c := set.Chain(id)
			if c == nil {
				return nowhere(id)
			}
			if e.json {
				return e.printJSON(c)
			}
			e.chainTree(c)
			return nil
		},
	}
}

// nowhere says that no TAG has an id, and how to see those of its domain.
func nowhere(id string) error {
	return hint(nof("%s occurs nowhere", term.Text(id)), "moai tags list --id "+term.Text(tag.Domain(id)))
}

// chainTree keeps the order of the chain and names what is missing in it: a gap is what the tree is looked at for.
// Mentions come last, since they are no part of the chain.
func (e *env) chainTree(c *tag.Chain) {
	s := e.style()
	branch, last, bar := "├─ ", "└─ ", "│  "
	if e.cfg(e.projectRoot()).Bool("ui.ascii") {
		branch, last, bar = "|- ", "`- ", "|  "
	}
	head := s.Bold(c.ID)
	if c.Title != "" {
		head += "  " + term.Text(c.Title)
	}
	state := c.State
	if c.Status != "" {
		state += ", " + term.Text(c.Status)
	}
	fmt.Fprintf(e.out, "%s  (%s)\n", head, state)
	kinds := chainKinds()
	// A mention in a comment or a document is a link to the chain, and completes nothing.
	mentions := slices.DeleteFunc(slices.Clone(c.Tags), func(t tag.Tag) bool { return t.Definition })
	for i, k := range kinds {
		end := i == len(kinds)-1 && len(mentions) == 0
		lead, pad := branch, bar
		if end {
			lead, pad = last, "   "
		}
		n := 0
		for _, t := range c.Tags {
			if !t.Definition || t.Kind != k {
				continue
			}
			line := fmt.Sprintf("%s:%d", term.Name(t.Path), t.Line)
			if t.Sub != "" {
				line += "  " + s.Dim(t.Sub)
			}
			if n == 0 {
				fmt.Fprintf(e.out, "%s%s%s\n", lead, term.Pad(k, 6), line)
			} else {
				fmt.Fprintf(e.out, "%s%s%s\n", pad, strings.Repeat(" ", 6), line)
			}
			n++
		}
		if n == 0 {
			note := s.Dim("none")
			if slices.Contains(c.Missing, k) {
				note = s.Red("missing")
			}
			fmt.Fprintf(e.out, "%s%s%s\n", lead, term.Pad(k, 6), note)
		}
	}
	if len(mentions) > 0 {
		fmt.Fprintf(e.out, "%smentioned in\n", last)
		for _, t := range mentions {
			fmt.Fprintf(e.out, "      %s:%d  %s\n", term.Name(t.Path), t.Line, s.Dim(t.String()))
		}
	}
}

// newTagsSuggest comes before next: two ids for one subject are the most frequent fault of chains, and nothing finds
// it later.
func newTagsSuggest(e *env) *cobra.Command {
	var most int
	c := &cobra.Command{
		Use:     "suggest KEYWORD...",
		Short:   "Rank the ids that already cover a subject, to reuse one",
		Example: "  moai tags suggest login session",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			set, _, err := e.tagSet()
			if err != nil {
				return err
			}
			list := set.Suggest(strings.Join(args, " "))
			// Ranked, so what is cut is what fits least.
			list = list[:min(len(list), most)]
			if e.json {
				return e.printJSON(list)
			}
			if len(list) == 0 {
				fmt.Fprintln(e.err, "moai: no id covers this yet\nmoai: hint: moai tags next DOMAIN")
			}
			for _, s := range list {
				e.row("%s %s %s", term.Pad(s.ID, 16), term.Pad(s.State, 10), strings.TrimSpace(term.Text(s.Title)+"  "+e.style().Dim(term.Name(s.Path))))
			}
			return nil
		},
	}
	c.Flags().IntVar(&most, "limit", 10, "at most so many")
	return c
}

// newTagsNext never fills a gap: an id that was deleted may still be spoken of in commits and tickets.
func newTagsNext(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "next DOMAIN",
		Short:   "Print the next free id of a domain",
		Example: "  moai tags next AUTH",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			set, _, err := e.tagSet()
			if err != nil {
				return err
			}
			id, err := set.Next(args[0])
			if err != nil {
				return usagef("%v", err)
			}
			if e.json {
				return e.printJSON(map[string]string{"id": id})
			}
			fmt.Fprintln(e.out, id)
			// A hint and no refusal: ids that exist already cannot be asked to be shorter.
			if strings.Count(tag.Domain(id), "-") >= 2 {
				fmt.Fprintln(e.err, "moai: warning: domains of three and more words are hard to remember")
			}
			return nil
		},
	}
}

// newTagsStats counts files as well, the first thing to look at when TAGs are fewer than expected.
func newTagsStats(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Count TAGs, chains and domains",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			set, r, err := e.tagSet()
			if err != nil {
				return err
			}
			st := set.Stats(r.Files, r.All())
			if e.json {
				return e.printJSON(st)
			}
			fmt.Fprintf(e.out, "%s in %s: %s complete, %d incomplete, %d without a SPEC; %d malformed\n", term.Count(st.Tags, "TAG"), term.Count(st.Files, "file"), term.Count(st.Complete, "chain"), st.Incomplete, st.Orphans, st.Malformed)
			for _, k := range st.Kinds {
				e.row("  %s %5d defined %5d mentioned", term.Pad("@"+k.Kind, 11), k.Definitions, k.Mentions)
			}
			for _, d := range st.Domains {
				e.row("  %s %9s", term.Pad(d.Domain, 11), term.Count(len(d.IDs), "id"))
			}
			return nil
		},
	}
}

// newTagsGraph writes text that other programs draw; of a thousand chains no picture can be read, hence the ids.
func newTagsGraph(e *env) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:               "graph [ID...]",
		ValidArgsFunction: e.completeTags,
		Short:             "Draw chains as dot or mermaid",
		Example:           "  moai tags graph --format mermaid AUTH-001",
		RunE: func(_ *cobra.Command, ids []string) error {
			if format != "dot" && format != "mermaid" {
				return usagef("format is %q; expected dot or mermaid", format)
			}
			set, _, err := e.tagSet()
			if err != nil {
				return err
			}
			// All chains by default, whole or not: gaps are what a drawing shows best.
			chains := set.Chains()
			if len(ids) > 0 {
				chains = nil
				for _, id := range ids {
					c := set.Chain(idOf(id))
					if c == nil {
						return nowhere(idOf(id))
					}
					chains = append(chains, c)
				}
			}
			if e.json {
				return e.printJSON(append([]*tag.Chain{}, chains...)) // [] where there are none, as everywhere
			}
			fmt.Fprint(e.out, tag.Graph(format, chains, chainKinds()))
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "dot", "dot or mermaid")
	return c
}
