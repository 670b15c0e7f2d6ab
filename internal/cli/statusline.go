package cli

import (
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/line"
	"github.com/modu-ai/moai/internal/term"
)

// statuslineVerb is what the client calls for every change on its screen: like hook it takes the short way.
const statuslineVerb = "statusline"

// lineTime is how long a status line may take. A later one is the last one again: the client drops what has not come when it
// wants the next, and then there is none.
const lineTime = 100 * time.Millisecond

// maxLineInput bounds what the client tells about a session; it is some two kilobytes.
const maxLineInput = 1 << 20

// margin is what the client keeps of the columns that it tells (measured on 2.1.329: of 60 it shows 56).
const margin = 4

// newStatusline is the verb for people; the client's call goes past it.
func newStatusline(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   statuslineVerb,
		Short: "Print the line that the agent client shows below its prompt",
		Long: `statusline reads what the client tells about a session from standard input, and
prints one line: guard, model, context, branch and changes, permission mode, the
last tests, other sessions in this work tree, the last snapshot, cost. What has
nothing to say is not there, and what matters least goes first where there is no
room. moai init --statusline registers it.

statusline.segments says what is shown, in which order; statusline.context_warn
and its kind when it gets loud. ui.ascii and NO_COLOR are obeyed.`,
		Example: "  moai init --statusline\n  moai config set statusline.segments 'guard context branch'\n  echo '{}' | moai statusline --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !e.json {
				return exitCode(e.statusline())
			}
			in, err := e.lineInput()
			if err != nil {
				return usagef("%v", err)
			}
			a := e.lineAbout(in)
			f, o := e.lineFacts(a)
			o.Columns, o.Style = 0, term.Style{} // a document is for programs
			return e.printJSON(struct {
				Line     string         `json:"line"`
				Segments []line.Segment `json:"segments"`
				Facts    *line.Facts    `json:"facts"`
			}{line.Render(f, o), line.Segments(f, o), f})
		},
	}
}

// statusline answers one call of the client. It never fails: a line without a word is an answer, too, and what is wrong is told elsewhere.
func (e *env) statusline() int {
	s := &lateLine{e: e, columns: term.Columns(e.out, e.getenv)}
	timer := time.AfterFunc(e.patience, s.late)
	defer func() {
		if p := recover(); p != nil {
			s.again()
		}
		timer.Stop()
	}()
	in, _ := e.lineInput()
	if !s.reads.CompareAndSwap(false, true) {
		runtime.Goexit() // the timer is answering already
	}
	a := e.lineAbout(in)
	last := line.ReadLast(e.stateDir(), a.session)
	s.last.Store(last)
	f, o := e.lineFacts(a)
	text := line.Render(f, o)
	s.say(text)
	last.Keep(text, f.Now)
	return exitDone
}

// lateLine says one line: the new one, or the last one where that takes too long.
type lateLine struct {
	e       *env
	columns int
	reads   atomic.Bool // the input has come, or will be waited for no more
	last    atomic.Pointer[line.Last]
	said    atomic.Bool
}

func (s *lateLine) say(text string) {
	if s.said.CompareAndSwap(false, true) && text != "" {
		_, _ = io.WriteString(s.e.out, text+"\n")
	}
}

// late is called when the time is over.
func (s *lateLine) late() {
	defer s.e.exit(exitDone)
	defer func() { _ = recover() }()
	if s.reads.CompareAndSwap(false, true) { // no input: which session it is, the client's variables say
		time.AfterFunc(s.e.patience, func() { s.e.exit(exitDone) }) // a disk may hang
		at := s.e.seat()
		if id := at.Session(); id != "" {
			s.last.Store(line.ReadLast(s.e.stateDir(), id))
		}
	}
	s.again()
}

// again says the last line. The terminal may have become smaller since.
func (s *lateLine) again() {
	last := s.last.Load()
	if last == nil {
		return
	}
	text := last.Text
	if !term.StyleBehind(s.e.getenv).On() {
		text = term.Plain(text)
	}
	if s.columns > margin {
		text = term.Fit(text, s.columns-margin)
	}
	s.say(text)
}

// lineInput is what the client tells; nothing at a terminal, where nobody tells anything.
func (e *env) lineInput() (hook.Value, error) {
	if term.IsTerminal(e.in) {
		return "", nil
	}
	text, err := io.ReadAll(io.LimitReader(e.in, maxLineInput))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	in, err := hook.Parse(string(text))
	if err != nil {
		return "", fmt.Errorf("standard input is no JSON: %w", err)
	}
	return in, nil
}
