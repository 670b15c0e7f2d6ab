package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/loop"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/when"
)

// newLoop begins, shows and ends the loop of a session.
func newLoop(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "loop",
		Short: "Have a session go on until its work is done",
		Long: `A loop has one session of an agent go on: whenever it would end its turn, it is told
to do the next part. It is over, and says how, with the first of these:

  marker      the model says the word (loop.marker, COMPLETE): by itself, not in
              code or quotes, and not as "not COMPLETE yet"
  tasks       there were tasks in the model's own list, and all are done
  command     the command of --until passed (then marker and tasks end nothing)
  cap         it was asked to go on as often as --max says (loop.max, 20)
  time        the minutes of --minutes are over, or six hours without a turn
  cancelled   moai loop cancel, or its session ended
  stagnation  a round changed nothing, and ended with the same words

It waits, and counts no round, while the model asks you something, in plan mode, while
work runs in the background, after you stopped the model, and after errors and limits
of the service. The client itself ends a turn that was held up eight times in a row
without a tool in between; the loop goes on with your next prompt.

moai runs the command of --until nowhere: the model runs it, as you would see it, and
what counts is that the client reports exactly that line as passed, in the folder
where you began the loop, with nothing changed since.

loop.enabled = true (RALPH_ENABLED=true in the shell that starts the client) begins
one with every prompt.`,
		Example: "  moai loop start --until 'go test ./...' make the tests pass\n  moai loop start --max 5 --minutes 30\n  moai loop status\n  moai loop cancel",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newLoopStart(e), newLoopStatus(e), newLoopCancel(e))
	return e.reading(c, loop.Folder)
}

// loopAsked is what a new loop is to be.
type loopAsked struct {
	session, until string
	untilGiven     bool
	max, minutes   int
}

func newLoopStart(e *env) *cobra.Command {
	var asked loopAsked
	c := &cobra.Command{
		Use:   "start [PROMPT…]",
		Short: "Begin a loop in a session",
		Long: `The words behind the options are what the model is told each time. Without --session
it is the session in which this runs, else the one that was last seen here. The loop begins
with the end of the turn that runs, or of the next one.`,
		Example: "  moai loop start --until 'npm test' --max 10 port the parser, one rule after another",
		RunE: func(c *cobra.Command, args []string) error {
			if asked.max == 0 && !c.Flags().Changed("max") {
				asked.max = e.cfg(e.projectRoot()).Int("loop.max")
			}
			asked.untilGiven = c.Flags().Changed("until")
			return e.startLoop(&asked, strings.Join(args, " "))
		},
	}
	c.Flags().IntVar(&asked.max, "max", 0, "how often it goes on at most; without it, loop.max")
	c.Flags().StringVar(&asked.until, "until", "", "the command `CMD` that must pass; the model runs it")
	c.Flags().IntVar(&asked.minutes, "minutes", 0, "for how long it goes on at most; 0 sets no end")
	c.Flags().StringVar(&asked.session, "session", "", "of this session, by its id or the beginning of it")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// mostRounds and mostMinutes bound a loop: a week of rounds is a slip of the hand.
const (
	mostRounds  = 10_000
	mostMinutes = 7 * 24 * 60
)

// startLoop begins one.
func (e *env) startLoop(asked *loopAsked, words string) error {
	switch {
	case asked.max < 1 || asked.max > mostRounds:
		return usagef("--max is %d, want 1 to %d", asked.max, mostRounds)
	case asked.minutes < 0 || asked.minutes > mostMinutes:
		return usagef("--minutes is %d, want 0 to %d", asked.minutes, mostMinutes)
	case asked.untilGiven && strings.TrimSpace(asked.until) == "":
		return hint(usagef("--until is empty: a variable without a value?"), "leave --until out for a loop that ends by its marker")
	case strings.ContainsFunc(asked.until, func(r rune) bool { return r < ' ' }):
		return usagef("--until is no command on one line")
	}
	s, err := e.loopSession(asked.session)
	if err != nil {
		return err
	}
	if how := s.Standing(time.Now()); how != session.Running {
		return hint(nof("session %s is %s: nothing would go on in it", term.Text(session.Short(s.ID)), how), "moai session list")
	}
	cfg := e.cfg(s.Project)
	by := loop.User
	if e.byAgent() {
		if by = loop.Agent; asked.max > cfg.Int("loop.max") {
			return hint(nof("an agent starts this, and loop.max is %d", cfg.Int("loop.max")), "run it in a terminal of your own")
		}
	}
	now := time.Now().UTC()
	h := &handle.Handlers{StateDir: e.stateDir(), Home: e.user().Home, Getenv: e.inherited}
	fresh := loop.Loop{
		Session: s.ID, Project: s.Project, Began: now, By: by, Max: asked.max, Dir: e.loopDir(s),
		Words: cmp.Or(strings.TrimSpace(words), cfg.String("loop.prompt")), Until: strings.TrimSpace(asked.until),
		Done: loop.DoneOf(h.TasksOf(s.ID, e.clientDir())),
	}
	if reason := e.neverRuns(fresh.Until, fresh.Dir); reason != "" {
		return hint(nof("the guard never lets --until run: %s", reason), "moai risk check "+argv.Quote(fresh.Until))
	}
	if fresh.Until == "" {
		fresh.Marker = cfg.String("loop.marker")
	}
	if asked.minutes > 0 {
		fresh.Ends = now.Add(time.Duration(asked.minutes) * time.Minute)
	}
	running := 0
	err = loop.Change(e.stateDir(), s.ID, func(l *loop.Loop) bool {
		if l.Runs() {
			running = max(l.Round, 1)
			return false
		}
		*l = fresh
		return true
	})
	if err != nil {
		return err
	}
	if running > 0 {
		return hint(nof("a loop runs in session %s already", term.Text(session.Short(s.ID))), "moai loop cancel")
	}
	e.recordOf(s, fmt.Sprintf("loop of %s begins", term.Count(fresh.Max, "round")), types.LoopStarted{By: string(by), Max: fresh.Max, Until: fresh.Until})
	if e.json {
		return e.printJSON(&fresh)
	}
	e.say(2, "loop of %s in session %s (%s)", term.Count(fresh.Max, "round"), term.Text(session.Short(s.ID)), e.turnOf(s))
	e.say(4, "  over when %s", loopGoal(&fresh))
	if !s.Turn.Runs() {
		fmt.Fprintln(e.err, "moai: it begins with your next prompt there")
	}
	return nil
}

// neverRuns is why the guard stops a command always, "" where it does not: a loop would never be over.
func (e *env) neverRuns(command, dir string) string {
	if command == "" {
		return ""
	}
	in := e.riskInput(dir, findRoot(dir, e.home()))
	in.Command = command
	look(&in)
	v := e.risks(in.Root).Check(&in)
	if v.Action != risk.Deny {
		return ""
	}
	for i := range v.Hits {
		if hit := &v.Hits[i]; hit.Rule.Action == rule.Deny && hit.Allowed == nil {
			return hit.Rule.Why + " (" + hit.Rule.ID + ")"
		}
	}
	return "it is stopped"
}

// loopGoal says in words when a loop is over.
func loopGoal(l *loop.Loop) string {
	goal := "the model says " + term.Text(l.Marker) + ", or its tasks are done"
	switch {
	case l.Until != "":
		goal = term.Text(l.Until) + " passes in " + term.Name(l.Dir)
	case l.Marker == "":
		goal = "its tasks are done"
	}
	if !l.Ends.IsZero() {
		goal += ", or at " + l.Ends.Local().Format("15:04")
	}
	return goal
}

// loopDir is where the command of a loop runs: where this was typed, if the session works there.
func (e *env) loopDir(s *session.Session) string {
	here := disk.Real(e.dir)
	for _, dir := range []string{s.Now.Tree(), s.Start.Tree(), s.Project} {
		if contains(disk.Real(dir), here) {
			return here
		}
	}
	return disk.Real(s.Now.Dir)
}

// loopSession finds the session that is meant: the one that is named, the one in which this runs, else the live one that was
// seen last here. What an agent runs speaks of its own alone.
func (e *env) loopSession(id string) (*session.Session, error) {
	current := e.current()
	if id != "" {
		s, err := e.session(id)
		if err == nil && e.byAgent() && (current == nil || current.ID != s.ID) {
			return nil, hint(nof("an agent runs this, and %s is not its session", term.Text(session.Short(s.ID))), "run it in a terminal of your own")
		}
		return s, err
	}
	if current != nil {
		return current, nil
	}
	if s := e.livesHere(); s != nil {
		return s, nil
	}
	return nil, hint(nof("no session of an agent runs here"), "moai session list --everywhere, then --session ID")
}

// livesHere is the session that was seen last here and goes on, nil for none, and for an agent. One whose process is there comes before
// one of which nobody can tell, as with a client of another machine: that one is taken with a word.
func (e *env) livesHere() *session.Session {
	if e.byAgent() {
		return nil
	}
	now := time.Now()
	var doubtful *session.Session
	for _, s := range e.sessions(false, false) { // the last seen first
		switch {
		case s.Standing(now) != session.Running:
		case s.Known():
			return s
		case doubtful == nil:
			doubtful = s
		}
	}
	if s := doubtful; s != nil {
		fmt.Fprintf(e.err, "moai: warning: nobody can tell whether session %s still runs: it was last seen %s\n", term.Text(session.Short(s.ID)), when.Ago(now.Sub(s.Seen)))
	}
	return doubtful
}

// loopView is a loop as it is shown.
type loopView struct {
	*loop.Loop
	Runs bool `json:"running"`
}

func newLoopStatus(e *env) *cobra.Command {
	var id string
	c := &cobra.Command{
		Use:   "status",
		Short: "Show the loops of this project, and how the last ones ended",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list, err := e.loopsHere(id)
			if err != nil {
				return err
			}
			if e.json {
				out := []loopView{}
				for _, l := range list {
					out = append(out, loopView{l, l.Runs()})
				}
				return e.printJSON(out)
			}
			if len(list) == 0 {
				fmt.Fprintln(e.err, "moai: no loop is known here")
				fmt.Fprintln(e.err, "moai: hint: moai loop start --help")
			}
			for _, l := range list {
				e.printLoop(l)
			}
			return nil
		},
	}
	c.Flags().StringVar(&id, "session", "", "of this session alone")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// shownLoops is how many loops that are over are listed.
const shownLoops = 5

// loopsHere are the loops of a session, or of the project around the working directory.
func (e *env) loopsHere(id string) (list []*loop.Loop, err error) {
	if id != "" {
		s, err := e.session(id)
		if err != nil {
			return nil, err
		}
		if l := loop.Read(e.stateDir(), s.ID); l != nil {
			list = append(list, l)
		}
		return list, nil
	}
	over := 0
	for _, l := range loop.All(e.stateDir(), e.projectRoot()) {
		if !l.Runs() {
			if over++; over > shownLoops {
				break
			}
		}
		list = append(list, l)
	}
	return list, nil
}

func (e *env) printLoop(l *loop.Loop) {
	head := "session " + term.Text(session.Short(l.Session)) + "  "
	began := "began " + when.Ago(time.Since(l.Began)) + " by the " + string(l.By)
	if !l.Runs() {
		e.say(2, "%s%s after %s, %s: %s; %s", head, l.How, term.Count(l.Round, "round"), when.Ago(time.Since(l.Ended)), term.Text(l.Why), began)
		return
	}
	e.say(2, "%s%s, %s", head, e.style().Green(loopRound(l)), began)
	e.say(4, "  over when %s", loopGoal(l))
	if l.Words != "" {
		e.say(4, "  told: %s", term.Text(term.OneLine(l.Words, 200)))
	}
	if r := l.Ran; r != nil {
		how := "failed"
		if r.Passed {
			how = "passed"
		}
		e.say(4, "  %s %s %s", term.Text(l.Until), how, when.Ago(time.Since(r.At)))
	}
}

// loopRound is where a loop is.
func loopRound(l *loop.Loop) string { return fmt.Sprintf("round %d of %d", l.Round, l.Max) }

func newLoopCancel(e *env) *cobra.Command {
	var id string
	c := &cobra.Command{
		Use:   "cancel",
		Short: "End the loop of a session",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := e.loopToCancel(id)
			if err != nil {
				return err
			}
			var over *loop.Loop
			err = loop.Change(e.stateDir(), s, func(l *loop.Loop) bool {
				if !l.Runs() {
					return false
				}
				l.Over(loop.ByCancel, "it was cancelled", time.Now().UTC())
				over = l
				return true
			})
			if err != nil {
				return err
			}
			if over == nil {
				return nof("no loop runs in session %s", term.Text(session.Short(s)))
			}
			if known := session.Read(e.stateDir(), s); known != nil {
				e.recordOf(known, "loop over: "+over.Why, types.LoopEnded{How: string(over.How), Rounds: over.Round, Why: over.Why})
			}
			if e.json {
				return e.printJSON(loopView{over, false})
			}
			fmt.Fprintf(e.out, "cancelled in session %s after %s\n", term.Text(session.Short(s)), term.Count(over.Round, "round"))
			return nil
		},
	}
	c.Flags().StringVar(&id, "session", "", "of this session; without it, of this one or the one that runs here")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// loopToCancel is the session whose loop is meant: the only one that runs here, where none is named.
func (e *env) loopToCancel(id string) (string, error) {
	if id != "" || e.byAgent() || loop.Read(e.stateDir(), e.currentID()).Runs() {
		s, err := e.loopSession(id)
		if err != nil {
			return "", err
		}
		return s.ID, nil
	}
	var running []string
	for _, l := range loop.All(e.stateDir(), e.projectRoot()) {
		if l.Runs() {
			running = append(running, l.Session)
		}
	}
	switch len(running) {
	case 0:
		return "", hint(nof("no loop runs here"), "moai loop status")
	case 1:
		return running[0], nil
	}
	return "", hint(nof("%d loops run here", len(running)), "moai loop status, then --session ID")
}
