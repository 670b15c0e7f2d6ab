// Package slip puts what a parser of command lines complains about into moai's words, for both programs: a word too few or too many, an
// option that does not exist, a value that is no number. It names what was probably meant.
//
// It is no error type and prints nothing: each program has its own of both.
package slip

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/modu-ai/moai/internal/term"
)

// Words says what a command takes and what it got instead.
func Words(c *cobra.Command, given []string) string {
	_, takes, _ := strings.Cut(c.Use, " ")
	got := strings.Join(given, " ")
	switch {
	case takes == "":
		return fmt.Sprintf("%s takes options only, and got: %s", c.CommandPath(), got)
	case len(given) == 0:
		return fmt.Sprintf("%s needs more: %s %s", c.CommandPath(), c.CommandPath(), takes)
	}
	return fmt.Sprintf("%s takes %s, and got: %s", c.CommandPath(), takes, got)
}

// Option says what is wrong with an option, and the command that helps.
func Option(c *cobra.Command, err error) (text, help string) {
	// The name of Go's number parser ("strconv.ParseInt") does not help the user: it is cut off.
	text, _, number := strings.Cut(err.Error(), ": strconv.")
	if number {
		text += ", want a number"
	}
	help = c.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if meant := term.Nearest(unknown.GetSpecifiedName(), names); meant != "" {
			help = c.CommandPath() + " --" + meant
		}
	}
	return text, help
}
