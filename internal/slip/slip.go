// Package slip puts what a parser of command lines complains about into moai's words, for both programs: a word too few or too many, an
// option that does not exist, a value that is no number. It names what was probably meant. The errors of both programs are here, too:
// what each is worth as an exit code, and how it is said.
package slip

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/modu-ai/moai/internal/term"
)

// Exit codes of every verb but hook, which follows the hook protocol.
const (
	Done   = 0
	No     = 1
	Usage  = 2
	Failed = 3
)

// coded is an error with the exit code that it ends a program with.
type coded struct {
	error
	code int
}

func (c *coded) Unwrap() error { return c.error }

// Usagef is a command line that cannot be taken.
func Usagef(format string, a ...any) error { return &coded{fmt.Errorf(format, a...), Usage} }

// Nof is the answer no in words: what the user named is not there, or may not be. Neither the command line nor the program is at fault.
func Nof(format string, a ...any) error { return &coded{fmt.Errorf(format, a...), No} }

// hinted carries a command that the user can paste next.
type hinted struct {
	error
	paste string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint adds the moai: hint: line to an error.
func Hint(err error, paste string) error { return &hinted{err, paste} }

// HintOf is the command that an error carries, "" for none.
func HintOf(err error) string {
	var h *hinted
	if errors.As(err, &h) {
		return h.paste
	}
	return ""
}

// Report prints an error in moai's voice and returns the exit code for it. A usage error without a hint of its own points to the help of
// the command that was called.
func Report(w io.Writer, getenv func(string) string, err error, called *cobra.Command) (code int) {
	code = Failed
	var c *coded
	if errors.As(err, &c) {
		code = c.code
	}
	style := term.StyleFor(w, getenv)
	fmt.Fprintf(w, "moai: %s %s\n", style.Red("error:"), term.Text(OneLine(err.Error())))
	paste := HintOf(err)
	if paste == "" && code == Usage {
		paste = called.CommandPath() + " --help"
	}
	if paste != "" {
		fmt.Fprintf(w, "moai: %s %s\n", style.Cyan("hint:"), term.Text(paste))
	}
	return code
}

// OneLine keeps an error on its line: cobra adds suggestions below its own.
func OneLine(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "\n", "; ") }

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
