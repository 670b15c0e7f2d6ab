package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// newRiskAllowConfirm seals the very exceptions that it has shown: what is written into a file while somebody reads the
// question waits for the next one.
func newRiskAllowConfirm(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:   "confirm [NUMBER|RULE]",
		Short: "Let exceptions count that something else has written into your files",
		Long: `Exceptions that were not made by "moai risk allow", but written into your own
rule files, by hand, by a program or by a moai that did not seal them yet, do not count
until you have seen and confirmed them. Without a number or a rule it is about all of them.
A changed exception has to be confirmed again. The guard stops this verb inside
a session.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: e.completeExceptions(true),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := e.person("confirm an exception"); err != nil && !dry {
				return err
			}
			root := e.projectRoot()
			waiting, err := e.unconfirmed(root, args)
			if err != nil {
				return hint(err, "moai risk allow list")
			}
			if len(waiting) == 0 {
				if e.json {
					return e.printJSON([]allowJSON{})
				}
				fmt.Fprintln(e.out, "no exception waits for a confirmation")
				return nil
			}
			for i := range waiting {
				a := &waiting[i]
				fmt.Fprintf(e.err, "exception: %s\n  %s\n", allowedText(a), term.Text(policy.Came(a, policy.Seal{}, false)))
			}
			n := term.Count(len(waiting), "exception")
			switch {
			case dry && e.json:
				return e.printAllowed(waiting, root)
			case dry:
				fmt.Fprintf(e.out, "would confirm %s\n", n)
				return nil
			case !e.confirm(fmt.Sprintf("Let %s count?", n)):
				return e.unasked("nothing was confirmed", "moai risk allow confirm --yes"+quotedArgs(args))
			}
			if err := e.places(root).Confirm(waiting, time.Now().UTC()); err != nil {
				return err
			}
			if e.json {
				return e.printAllowed(waiting, root)
			}
			fmt.Fprintf(e.out, "confirmed %s\n", n)
			return nil
		},
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "show what waits and confirm nothing")
	return c
}

// unconfirmed are the exceptions that no person has answered for, or the one that a word means.
func (e *env) unconfirmed(root string, args []string) ([]rule.Allowed, error) {
	list := e.exceptions(root)
	if len(args) > 0 {
		one, err := pickException(list, args[0])
		if err != nil {
			return nil, err
		}
		list = []rule.Allowed{*one}
	}
	seals := e.places(root).Seals()
	var waiting []rule.Allowed
	for i := range list {
		if _, ok := seals(&list[i]); !ok {
			waiting = append(waiting, list[i])
		}
	}
	return waiting, nil
}

func (e *env) printAllowed(list []rule.Allowed, root string) error {
	out := make([]allowJSON, len(list))
	for i := range list {
		out[i] = e.jsonAllowed(&list[i], root)
	}
	return e.printJSON(out)
}

func quotedArgs(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return " " + argv.Quote(args...)
}
