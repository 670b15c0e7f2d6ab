package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/term"
)

// checked puts cobra's complaints about arguments in moai's words, as usage errors,
// and makes groups of commands complain at all: by themselves they print their help
// and succeed, which a script takes for an answer.
func checked(c *cobra.Command) *cobra.Command {
	if c.HasSubCommands() && c.RunE == nil && c.Run == nil {
		c.Args = nil
		c.RunE = groupHelp
	}
	args := c.Args
	if args == nil && !c.HasSubCommands() {
		args = cobra.ArbitraryArgs // what cobra does with none
	}
	if args != nil {
		c.Args = func(c *cobra.Command, given []string) error {
			if err := swallowed(c); err != nil {
				return err
			}
			if args(c, given) != nil {
				return usagef("%s", slip.Words(c, given))
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		checked(sub)
	}
	return c
}

// swallowed finds an option without its value, which has taken the next option for it: `--why --json`.
func swallowed(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, v := range values {
			name, long := strings.CutPrefix(v, "--")
			if long && err == nil && c.Flags().Lookup(name) != nil {
				err = hint(usagef("--%s needs a value, and %s is an option", f.Name, v), c.CommandPath()+" --help")
			}
		}
	})
	return err
}

// groupHelp is what a command answers that has only further commands below it.
func groupHelp(c *cobra.Command, given []string) error {
	if len(given) > 0 {
		return unknownCommand(c, given[0])
	}
	return c.Help()
}

// unknownCommand names the command that was probably meant, else all that there are.
func unknownCommand(c *cobra.Command, word string) error {
	if err := slipOf(c, word); err != nil {
		return err
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return hint(usagef("unknown command %q for %q; there are %s", word, c.CommandPath(), strings.Join(names, ", ")), c.CommandPath()+" --help")
}

// slipOf names the command that was probably meant; nil where none looks like the word.
func slipOf(c *cobra.Command, word string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	meant := c.CommandPath() + " " + term.Nearest(word, names)
	if deeper := below(c, word); len(deeper) == 1 {
		meant = deeper[0]
	} else if strings.HasSuffix(meant, " ") {
		return nil
	}
	return hint(usagef("unknown command %q for %q", word, c.CommandPath()), meant)
}

// below lists the commands of a name at any depth, and those that take it as their word: people type moai redo.
func below(c *cobra.Command, name string) (paths []string) {
	for _, sub := range c.Commands() {
		switch {
		case !sub.IsAvailableCommand():
		case sub.Name() == name:
			paths = append(paths, sub.CommandPath())
		case slices.Contains(sub.SuggestFor, name):
			paths = append(paths, sub.CommandPath()+" "+name)
		}
		paths = append(paths, below(sub, name)...)
	}
	return paths
}

// wrongOption puts what the parser of options says in moai's words, and names the one that was probably meant. In front of a command
// that does not exist, its options are no better known: that is said then.
func wrongOption(c *cobra.Command, err error) error {
	if args := c.Flags().Args(); len(args) > 0 && c.HasSubCommands() && c.Args == nil {
		return unknownCommand(c, args[0])
	}
	text, help := slip.Option(c, err)
	return hint(usagef("%s", text), help)
}

// unknownName is the answer no about a name that does not exist, with the command for the one that was probably meant, else for all of them.
func unknownName(err error, word string, names []string, command, list string) error {
	if meant := term.Nearest(word, names); meant != "" {
		return hint(err, command+" "+argv.Quote(meant))
	}
	return hint(err, list)
}

// stray finds a call for help with something that does not exist. Cobra answers
// "nosuch --help" and "help nosuch" with the help of what is above, and success.
func stray(root *cobra.Command, args []string) error {
	asked := len(args) > 0 && args[0] == "help"
	if asked {
		args = args[1:]
	}
	words := args
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "-h" || a == "--help" {
			words, asked = args[:i:i], true
			break
		}
	}
	if !asked {
		return nil
	}
	c, rest, err := root.Find(words)
	if err != nil {
		return usagef("%v", err)
	}
	// What takes words of its own, as risk allow does, may be given any.
	if c != root && (!c.HasSubCommands() || c.Args != nil) {
		return nil
	}
	if c.ParseFlags(rest) != nil || len(c.Flags().Args()) == 0 {
		return nil
	}
	return unknownCommand(c, c.Flags().Args()[0])
}
