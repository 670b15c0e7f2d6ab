package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// Words behind hook that are no events of a client: agents and scripts call them, and nothing comes on standard input. They
// keep to the exit codes of hooks, since 2 would block where somebody registers one.
const (
	hookEvent = "event"
	hookSync  = "sync"
	portStart = "port-start"
	portEnd   = "port-end"
)

// isOwnHook reports one of them.
func isOwnHook(word string) bool {
	switch word {
	case hookEvent, hookSync:
		return true
	}
	return word == portStart || word == portEnd
}

// ownHook runs one of them.
func (e *env) ownHook(word string, args []string) int {
	var err error
	switch word {
	case hookEvent:
		err = e.hookEvent(args)
	case hookSync:
		err = e.hookSync(args)
	default:
		err = e.hookPort(word, args)
	}
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(e.err, term.Text(risktable.Set().Mask(oneLine(err.Error()))))
	return 1
}

// wrongHook is a line of how to write one of them, and what is wrong.
func wrongHook(usage, format string, a ...any) error {
	return hookUsage(usage + ": " + fmt.Sprintf(format, a...))
}

type hookUsage string

func (w hookUsage) Error() string { return "Usage: moai hook " + string(w) }

// ownWords parts the words from the options that these take.
func (e *env) ownWords(usage string, args []string, options map[string]*string) (words []string, err error) {
	for i := 0; i < len(args); i++ {
		name, value, valued := strings.Cut(args[i], "=")
		into := options[name]
		switch {
		case args[i] == "--":
			return append(words, args[i+1:]...), nil
		case args[i] == "--json":
			e.json = true
		case into != nil && valued:
			*into = value
		case into != nil && i+1 < len(args):
			i++
			*into = args[i]
		case strings.HasPrefix(args[i], "--") && len(words) < 2: // a message may say what it likes
			return nil, wrongHook(usage, "%s is no option of it, or needs a value", term.Clip(args[i], 60))
		default:
			words = append(words, args[i])
		}
	}
	return words, nil
}

const eventUsage = "event TYPE MESSAGE [--session ID]"

// hookEvent writes down what an agent or a script has to say.
func (e *env) hookEvent(args []string) error {
	var id, dialect string
	words, err := e.ownWords(eventUsage, args, map[string]*string{"--session": &id, "--dialect": &dialect})
	if err != nil {
		return err
	}
	if len(words) < 2 || strings.TrimSpace(strings.Join(words[1:], "")) == "" {
		return wrongHook(eventUsage, "it needs a type and a message; see moai hook event --help")
	}
	entry, err := loggable(words[0])
	if err != nil {
		return err
	}
	s := e.current()
	if id != "" {
		if s = session.Read(e.stateDir(), handle.Session(risktable.Set(), id)); s == nil {
			return wrongHook(eventUsage, "no session %s is known; see moai session list", term.Clip(id, 60))
		}
	}
	// Said by whoever called it: what moai itself found out has no such field.
	details, message := map[string]string{"via": "moai hook event"}, term.OneLine(strings.Join(words[1:], " "), 500)
	if err := e.enter(s, entry, message, details); err != nil {
		return fmt.Errorf("moai: %w", err)
	}
	if s != nil && entry.Name == (types.Decision{}).Entry().Name { // is given back after a compaction
		what, now := risktable.Set().Mask(message), time.Now().UTC()
		err := session.Change(e.stateDir(), s.ID, now, func() *session.Session { return s }, func(s *session.Session) bool {
			s.Decide(what, now)
			return true
		})
		if err != nil {
			return fmt.Errorf("moai: %w", err)
		}
	}
	if !e.json {
		return nil
	}
	q := &journal.Query{Types: []string{entry.Name}, Last: 1}
	_, err = q.Run(e.journal().Path, e.printEvent)
	return err
}

// loggable is a type that others than moai may write: those of the specification. What moai tells of itself is its own.
func loggable(name string) (*rule.Entry, error) {
	for i := range types.Types {
		t := &types.Types[i]
		if rule.Squeeze(t.Name) != rule.Squeeze(name) {
			continue
		}
		if !forOthers(t) {
			return nil, wrongHook(eventUsage, "%s is written by moai alone", t.Name)
		}
		return t, nil
	}
	meant := "see moai hook event --help"
	if near := nearestType(name); near != "" {
		meant = "was " + near + " meant?"
	}
	return nil, wrongHook(eventUsage, "no type is named %q; %s", term.Clip(name, 60), meant)
}

// forOthers says that the specification lets anybody write events of a type.
func forOthers(t *rule.Entry) bool { return strings.HasPrefix(t.Source, "S4-") }

// hookPort starts or ends a port.
func (e *env) hookPort(word string, args []string) error {
	usage := word + " ID [--session SESSION]"
	var id, dialect string
	words, err := e.ownWords(usage, args, map[string]*string{"--session": &id, "--dialect": &dialect})
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return wrongHook(usage, "it needs the id of a port; see moai port list")
	}
	r, board := e.board()
	s, err := e.port(board, words[0])
	if err != nil {
		return err
	}
	if word == portEnd {
		return e.endPort(&r, s, false)
	}
	return e.startPort(&r, s.ID, id)
}

// syncTime bounds what hook sync does.
const syncTime = 2 * time.Second

// hookSync brings the kept state in line with what is: sessions whose processes are gone, files and events that are too old.
func (e *env) hookSync(args []string) error {
	const usage = "sync"
	var dialect string
	words, err := e.ownWords(usage, args, map[string]*string{"--dialect": &dialect})
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return wrongHook(usage, "%q takes no words, and got %s", usage, term.Clip(words[0], 60))
	}
	now := time.Now()
	deadline := now.Add(syncTime)
	closed := session.CloseStale(e.stateDir(), now.UTC(), deadline)
	for _, s := range closed {
		e.recordOf(s, "session closed: "+session.WhyClosed, types.SessionEnd{Reason: session.WhyClosed})
	}
	removed := handle.Sweep(e.stateDir(), deadline)
	dropped, err := e.journal().Prune(now)
	if err != nil {
		return fmt.Errorf("moai: %w", err)
	}
	if e.json {
		return e.printJSON(map[string]int{"sessions_closed": len(closed), "files_removed": removed, "journal_files_dropped": dropped})
	}
	fmt.Fprintf(e.out, "closed %s, removed %s, dropped %s of the journal\n", term.Count(len(closed), "session"), term.Count(removed, "old file"), term.Count(dropped, "file"))
	return nil
}

// newHookEvent and newHookSync exist for help and completion; Run takes their words before the tree.
func newHookEvent(e *env) *cobra.Command {
	var names []string
	for i := range types.Types {
		if t := &types.Types[i]; forOthers(t) {
			names = append(names, t.Name)
		}
	}
	c := &cobra.Command{
		Use:   hookEvent + " TYPE MESSAGE",
		Short: "Write an event into the journal",
		Long: `Writes an event into the journal of this project, for the session in which it is
called or the one that is named. Nothing is read from standard input. Secrets are
masked. A mistake is exit code 1 and one line. Types are
` + wrapped(names) + `.`,
		Example: "  moai hook event decision 'SQLite, not PostgreSQL: one file to deploy'",
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, name := range names {
				if len(args) == 0 && strings.HasPrefix(name, word) {
					out = append(out, name+"\t"+types.Types[types.Find(name)].Text)
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
	}
	id := c.Flags().String("session", "", "the session that it belongs to; without it the one in which this runs")
	c.RunE = func(_ *cobra.Command, args []string) error { // reached when another flag came first
		return exitCode(e.ownHook(hookEvent, append(args, "--session="+*id)))
	}
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// newHookPort is the same for the verbs of ports.
func newHookPort(e *env, word, short string) *cobra.Command {
	c := &cobra.Command{
		Use:   word + " ID",
		Short: short,
		Long: short + `, as moai port does, with the exit codes of hooks: a mistake is
exit code 1 and one line. Nothing is read from standard input.`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: e.completePorts(openPort),
	}
	id := c.Flags().String("session", "", "the session that runs it; without it the one in which this is called")
	c.RunE = func(_ *cobra.Command, args []string) error {
		return exitCode(e.ownHook(word, append(args, "--session="+*id)))
	}
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

func newHookSync(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   hookSync,
		Short: "Close sessions that are gone, drop what is too old",
		Long: `Brings what moai keeps in line with what is: closes sessions whose processes are
gone and that were silent for a day, removes state that nobody asks for again, and
drops what is older in the journal than journal.keep_days and journal.keep_mb say.
Each end of a session does so, too. Nothing is read from standard input.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return exitCode(e.ownHook(hookSync, args)) },
	}
}
