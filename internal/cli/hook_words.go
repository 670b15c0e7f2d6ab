package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/wire"
)

// hookArgs reads the few words that may follow: [EVENT] [--dialect NAME], and more that no event
// takes. What could be read comes back with an error too: the event decides what it means.
func hookArgs(args []string) (verb, dialect string, more []string, err error) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--dialect" && i+1 < len(args):
			i++
			dialect = args[i]
		case strings.HasPrefix(a, "--dialect="):
			dialect = a[len("--dialect="):]
		case strings.HasPrefix(a, "-"):
			err = fmt.Errorf("%w: unknown flag %s", wire.ErrUsage, a)
		case verb == "":
			verb = a
		default:
			more = append(more, a)
		}
	}
	return verb, dialect, more, err
}

// misread answers words that are wrong and name no event: the input tells whether a call waits to be judged.
func (e *env) misread(verb, dialect string, wrong error, log *hookLog) wire.Output {
	event, ready, err := e.readEvent(verb, dialect, log)
	if err != nil {
		return e.failed(verb, dialect, wrong)
	}
	ready()
	if !event.Known && handle.Unjudged(risktable.Set(), event) == nil {
		return wire.Failed(eventTables(), event, wrong)
	}
	return e.failed(event.Name, event.Dialect, wrong)
}

// strayLimit is how long an input is waited for behind a word that names no event: a client writes it at once, and a script that
// misspelt a verb leaves open what it has itself.
const strayLimit = 250 * time.Millisecond

// spoken reports that something comes on standard input, or that it has ended.
func (e *env) spoken() bool {
	first, err := e.begin(strayLimit)
	e.in = io.MultiReader(bytes.NewReader(first), e.in)
	return !errors.Is(err, hook.ErrTimeout)
}

// notAnEvent says that the first word names none that is known.
func notAnEvent(verb string) error {
	if verb == "" {
		return wire.ErrNoEvent
	}
	see := "see moai hook --help"
	if meant := term.Nearest(verb, eventVerbs()); meant != "" {
		see = "was it moai hook " + meant + "?"
	}
	return fmt.Errorf("%w: no event is named %q; %s", wire.ErrUsage, term.Clip(verb, 60), see)
}

// eventVerbs are the names that the command line has for the events, and the client's own.
func eventVerbs() (list []string) {
	for _, event := range eventTables().Events {
		list = append(list, event.Verb, event.Name)
	}
	return list
}

// dialectNames lists the dialects.
func dialectNames() string { return strings.Join(eventTables().Names(), ", ") }

// eventNames lists the events.
func eventNames() string {
	var names []string
	for i := range eventTables().Events {
		names = append(names, eventTables().Events[i].Name)
	}
	return wrapped(names)
}

// wrapped lists names in lines of a terminal.
func wrapped(names []string) string {
	var b strings.Builder
	width := 0
	for i, name := range names {
		switch n := len(name) + len(", "); {
		case i == 0:
			width = n
		case width+n > 78:
			b.WriteString(",\n")
			width = n
		default:
			b.WriteString(", ")
			width += n
		}
		b.WriteString(name)
	}
	return b.String()
}

// newHook exists for help and completion; Run takes the verb before the tree.
func newHook(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "hook [EVENT]",
		Short: "Answer one hook event of a coding agent",
		Long: `hook reads one event as JSON on standard input and writes the answer in the
dialect of the question. EVENT may be spelled in any way (PreToolUse, pre-tool,
pre-tool-use); without it the input names the event. There are
` + eventNames() + `.

Exit codes follow the hook protocol: 0 go on, 2 block, 1 failure. What a hook
may rely on, and what it does without, is printed by moai hook contract.`,
		Args:    cobra.ArbitraryArgs,
		Example: "  echo '{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf /\"}}' | moai hook pre-tool",
	}
	dialect := c.Flags().String("dialect", "", "whose words input and answer are in: "+dialectNames())
	c.RunE = func(_ *cobra.Command, args []string) error { // reached when another flag came first
		return exitCode(e.hook(append(args, "--dialect="+*dialect)))
	}
	c.AddCommand(newHookContract(e), newHookSchema(e), newHookEvent(e), newHookSync(e), newHookPort(e, portStart, "Start a port"), newHookPort(e, portEnd, "End a port"))
	return c
}

// hookContract is a word behind hook that names no event.
const hookContract = "contract"

// hookSchema is another one.
const hookSchema = "schema"

func newHookSchema(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   hookSchema,
		Short: "Print the JSON Schema of --dialect generic, for your own programs",
		Long: `schema prints the JSON Schema of what moai hook --dialect generic reads and writes: a
tool, its command and a folder go in; what to do, why and the way back come out.
It serves whatever can start a process and wait for it.`,
		Example: "  echo '{\"command\":\"git push --force\",\"cwd\":\".\"}' | moai hook --dialect generic",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(e.out, wire.GenericSchema)
			return err
		},
	}
}

func newHookContract(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   hookContract,
		Short: "Print what a hook may rely on, and what it does without",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if e.json {
				return e.printJSON(map[string][]string{"guarantees": hook.Guarantees, "non_guarantees": hook.NonGuarantees})
			}
			fmt.Fprintf(e.out, "A hook may rely on:\n- %s\n\nIt does without:\n- %s\n", strings.Join(hook.Guarantees, "\n- "), strings.Join(hook.NonGuarantees, "\n- "))
			return nil
		},
	}
}
