package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// newPort keeps the units of work of a project.
func newPort(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:     "port",
		Aliases: []string{"ports"},
		Short:   "Keep units of work: what is ready, who runs what, what came of it",
		Long: `A port is a unit of work. A session runs one at a time, and its sub-agents with
it; tracking.mode says what an edit meets that belongs to none. Who is silent for
15 minutes, outside of a turn, or dead, holds no port. All work trees of a
repository have the same ports, in moai's state folder; with ports.shared they
are files of the tree, .moai/ports/ID.md.

An ID is any text. Without one a port gets a short one that no clone makes again.`,
		Example: "  moai port create login --title 'Log in by e-mail' --start\n  moai port ready\n  moai port end",
	}
	c.AddCommand(newPortCreate(e), newPortStart(e), newPortEnd(e), newPortList(e), newPortShow(e), newPortReady(e), newPortBoard(e), newPortBlock(e), newPortDrop(e), newPortEdit(e))
	return e.reading(c, port.Folder)
}

// ports is the room of this project's ports.
func (e *env) ports() port.Room {
	root := e.projectRoot()
	return handle.Ports(e.cfg(root), e.stateDir(), root)
}

// board is how the ports here stand; files that cannot be read are said.
func (e *env) board() (port.Room, port.Board) {
	r := e.ports()
	board, broken := r.Board(time.Now().UTC())
	for _, err := range broken {
		fmt.Fprintf(e.err, "moai: warning: %s\n", term.Text(e.portTrouble(err)))
	}
	if own := port.In(e.stateDir(), e.projectRoot(), false); r.Shared && len(board) == 0 && own.Used() {
		fmt.Fprintf(e.err, "moai: this project has ports from before ports.shared, in %s: files of the same form\n", term.Name(own.Ports))
	}
	return r, board
}

// portIDs are the ids of a board.
func portIDs(board port.Board) (ids []string) {
	for _, s := range board {
		ids = append(ids, s.ID)
	}
	return ids
}

// openPort finds one that is not over, and where it lies.
func (e *env) openPort(word string) (port.Room, *port.Standing, error) {
	r, board := e.board()
	s, err := e.port(board, word)
	if err == nil && s.Over() {
		err = hint(nof("port %s is %s", s.ID, s.Status), "moai port edit --reopen "+argv.Quote(s.ID))
	}
	return r, s, err
}

// port finds one by its id or the beginning of it.
func (e *env) port(board port.Board, word string) (*port.Standing, error) {
	id, err := port.CheckID(word)
	if err != nil {
		return nil, usagef("%q: %v", term.Clip(word, 60), err)
	}
	if s := board.Of(id); s != nil {
		return s, nil
	}
	var found []string
	for _, one := range portIDs(board) {
		if strings.HasPrefix(strings.ToLower(one), strings.ToLower(id)) {
			found = append(found, one)
		}
	}
	switch len(found) {
	case 1:
		return board.Of(found[0]), nil
	case 0:
		r := e.ports()
		if _, err := r.Read(id); err != nil && !errors.Is(err, port.ErrNone) {
			return nil, e.portFault(err)
		}
		return nil, unknownName(nof("there is no port %s", term.Clip(id, 60)), id, portIDs(board), "moai port show", "moai port list --all")
	}
	return nil, hint(nof("%d ports begin with %s: %s and %s among them", len(found), id, found[0], found[1]), "moai port list --all")
}

// portLinks are ports that are named as links; several may stand in one word.
func (e *env) portLinks(board port.Board, words []string) ([]string, error) {
	ids := []string{}
	for _, word := range words {
		parts := []string{word}
		if id, err := port.CheckID(word); err != nil || board.Of(id) == nil {
			parts = strings.FieldsFunc(word, func(r rune) bool { return r == ',' || r == ' ' })
		}
		for _, part := range parts {
			s, err := e.port(board, part)
			if err != nil {
				return nil, err
			}
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

// portLink is one link, "" for none.
func (e *env) portLink(board port.Board, word string) (string, error) {
	if word == "" {
		return "", nil
	}
	s, err := e.port(board, word)
	if err != nil {
		return "", err
	}
	return s.ID, nil
}

// portFault puts what ports say of themselves into an answer.
func (e *env) portFault(err error) error {
	var circle *port.Circle
	var unknown *port.Unknown
	var broken *port.Broken
	var held *port.Held
	var waiting *port.Waiting
	switch {
	case err == nil:
		return nil
	case errors.As(err, &circle), errors.Is(err, port.ErrLeads):
		return nof("%s", err.Error())
	case errors.As(err, &unknown):
		return hint(nof("%s", err.Error()), "moai port list --all")
	case errors.Is(err, port.ErrThere):
		return hint(nof("%s", err.Error()), "moai port list --all")
	case errors.As(err, &broken):
		return hint(nof("%s", e.portTrouble(err)), "mend that line in an editor")
	case errors.As(err, &held):
		return hint(nof("%s", err.Error()), "moai port ready")
	case errors.As(err, &waiting):
		next := "moai port show " + argv.Quote(waiting.ID)
		if waiting.Status == port.Blocked {
			next = "moai port block --undo " + argv.Quote(waiting.ID)
		}
		return hint(nof("%s", err.Error()), next)
	}
	return err
}

// portTrouble says what is wrong with a file, by its name from here.
func (e *env) portTrouble(err error) string {
	var broken *port.Broken
	if errors.As(err, &broken) {
		return fmt.Sprintf("%s:%d: %s", e.fromHere(broken.Path), broken.Line, broken.Text)
	}
	return err.Error()
}

// portSession is the session that is meant: the one that is named, the one in which this runs, or the one that was last seen of those at work here. An
// agent takes no other than its own where there are several.
func (e *env) portSession(id string) (*session.Session, error) {
	if id != "" {
		return e.session(id)
	}
	if s := e.current(); s != nil {
		return s, nil
	}
	var here []*session.Session
	for _, s := range e.sessions(false, false) {
		if s.Standing(time.Now()) == session.Running && time.Since(s.Seen) < port.Lease {
			here = append(here, s)
		}
	}
	if len(here) == 1 || len(here) > 1 && !e.byAgent() {
		which := "the only one at work here"
		if len(here) > 1 {
			which = fmt.Sprintf("the last seen of %d here (--session takes another)", len(here))
		}
		fmt.Fprintf(e.err, "moai: for session %s, %s\n", term.Text(session.Short(here[0].ID)), which)
		return here[0], nil
	}
	why := nof("no session of an agent is at work here, and a port is run by one")
	if len(here) > 1 {
		why = nof("%d sessions are at work here: which one is meant?", len(here))
	}
	return nil, hint(why, "moai session list; --session SESSION says which one")
}

// knowPort writes into the record of a session which port it runs, "" for none.
func (e *env) knowPort(s *session.Session, id string) error {
	seen := s.Seen
	err := session.Change(e.stateDir(), s.ID, time.Now().UTC(), func() *session.Session { return s }, func(s *session.Session) bool {
		s.Port = id
		return true
	})
	if s.Port = id; err == nil && s.ID != e.currentID() {
		session.Silenced(e.stateDir(), s.ID, seen) // this terminal is no sign of its life
	}
	return err
}

// completePorts offers ids of ports that a verb can be about.
func (e *env) completePorts(wanted func(*port.Standing) bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		_, board := e.quiet().board()
		var out []string
		for i := range board {
			if s := &board[i]; wanted(s) && strings.HasPrefix(s.ID, word) && !slices.Contains(args, s.ID) {
				out = append(out, s.ID+"\t"+term.Text(s.Title))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

func anyPort(*port.Standing) bool    { return true }
func openPort(s *port.Standing) bool { return !s.Over() }

// portOptions are what create and edit can say of a port.
type portOptions struct {
	title, parent, found, text string
	depends, files             []string
}

func (o *portOptions) add(e *env, c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.title, "title", "t", "", "what it is, in a line")
	f.StringArrayVar(&o.depends, "depends", nil, "a port that has to be over first; again for more")
	f.StringArrayVar(&o.files, "files", nil, "a pattern of the files that it is about, such as 'src/**'; again for more")
	f.StringVar(&o.parent, "parent", "", "the port of which it is a part: it waits for what that waits for")
	f.StringVar(&o.found, "found-in", "", "the port during which it was found; nothing waits for that")
	f.StringVar(&o.text, "text", "", "all that there is to say about it")
	for _, name := range []string{"depends", "parent", "found-in"} {
		_ = c.RegisterFlagCompletionFunc(name, e.completePorts(anyPort))
	}
}

// apply takes over what was given.
func (o *portOptions) apply(e *env, c *cobra.Command, board port.Board, p *port.Port) (err error) {
	mask := risktable.Set().Mask
	given := c.Flags().Changed
	if given("title") {
		p.Title = mask(o.title)
	}
	if given("text") {
		p.Text = strings.TrimSpace(mask(o.text))
	}
	if given("depends") {
		if p.Needs, err = e.portLinks(board, o.depends); err != nil {
			return err
		}
	}
	if given("parent") {
		if p.Parent, err = e.portLink(board, o.parent); err != nil {
			return err
		}
	}
	if given("found-in") {
		if p.Found, err = e.portLink(board, o.found); err != nil {
			return err
		}
	}
	if given("files") {
		p.Files = []string{}
		for _, one := range o.files {
			one = strings.TrimPrefix(strings.TrimSpace(one), "./")
			if one == "" {
				continue
			}
			if !doublestar.ValidatePattern(one) {
				return usagef("%q is no pattern of files: want such as 'src/**' or '*.go'", one)
			}
			p.Files = append(p.Files, one)
		}
	}
	return nil
}

func newPortCreate(e *env) *cobra.Command {
	var o portOptions
	var start bool
	var id string
	c := &cobra.Command{
		Use:     "create [ID]",
		Short:   "Make a port",
		Example: "  moai port create login --title 'Log in by e-mail' --files 'src/login/**' --start\n  moai port create --title 'Mail server' --depends login",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			r, board := e.board()
			p := &port.Port{}
			if err := o.apply(e, c, board, p); err != nil {
				return err
			}
			if len(args) > 0 {
				checked, err := port.CheckID(risktable.Set().Mask(args[0]))
				if err != nil {
					return usagef("%q: %v", term.Clip(args[0], 60), err)
				}
				p.ID = checked
			}
			if p.Title == "" {
				p.Title = p.ID
			}
			if strings.TrimSpace(p.Title) == "" {
				return hint(usagef("a port needs a title, or an id"), "moai port create --title TITLE")
			}
			if start { // before anything is made: whose it is may be a question
				s, err := e.portSession(id)
				if err != nil {
					return err
				}
				id = s.ID
			}
			if err := r.Create(p, time.Now().UTC()); err != nil {
				return e.portFault(err)
			}
			if start {
				return e.startPort(&r, p.ID, id)
			}
			return e.tellPort(&r, p.ID, "created")
		},
	}
	o.add(e, c)
	c.Flags().BoolVar(&start, "start", false, "and start it")
	c.Flags().StringVar(&id, "session", "", "the session that starts it; without it the one in which this runs")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// tellPort prints a port after something was done to it.
func (e *env) tellPort(r *port.Room, id, did string) error {
	board, _ := r.Board(time.Now().UTC())
	s := board.Of(id)
	if s == nil {
		return fmt.Errorf("port %s is gone", id)
	}
	if e.json {
		return e.printJSON(s)
	}
	fmt.Fprintf(e.out, "%s %s\n", did, term.Text(s.ID))
	return nil
}

func newPortEdit(e *env) *cobra.Command {
	var o portOptions
	var reopen bool
	c := &cobra.Command{
		Use:               "edit ID",
		Short:             "Change what a port says",
		Long:              "Changes what is given; an empty text takes a thing out. What else stands in the\nfile of a port stays as it is.",
		Example:           "  moai port edit login --title 'Log in' --depends ''\n  moai port edit login --reopen",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: e.completePorts(anyPort),
		RunE: func(c *cobra.Command, args []string) error {
			r, board := e.board()
			s, err := e.port(board, args[0])
			if err != nil {
				return err
			}
			if _, err = r.Change(s.ID, func(p *port.Port) error {
				if reopen {
					p.Status, p.Why, p.Proof, p.Ended = port.Pending, "", nil, time.Time{}
				}
				return o.apply(e, c, board, p)
			}); err != nil {
				return e.portFault(err)
			}
			return e.tellPort(&r, s.ID, "changed")
		},
	}
	o.add(e, c)
	c.Flags().BoolVar(&reopen, "reopen", false, "take it up again that was ended, dropped or blocked")
	return c
}

func newPortBlock(e *env) *cobra.Command {
	var undo bool
	c := &cobra.Command{
		Use:               "block ID [WHY]",
		Short:             "Say that a port cannot go on, and why",
		Example:           "  moai port block login 'the mail server has no account yet'\n  moai port block --undo login",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: e.completePorts(openPort),
		RunE: func(_ *cobra.Command, args []string) error {
			r, s, err := e.openPort(args[0])
			if err != nil {
				return err
			}
			why := risktable.Set().Mask(strings.Join(args[1:], " "))
			if _, err = r.Change(s.ID, func(p *port.Port) error {
				p.Status, p.Why = port.Blocked, why
				if undo {
					p.Status, p.Why = port.Pending, ""
				}
				return nil
			}); err != nil {
				return e.portFault(err)
			}
			if undo {
				return e.tellPort(&r, s.ID, "not blocked any more:")
			}
			if err := e.freePort(&r, s); err != nil {
				return err
			}
			return e.tellPort(&r, s.ID, "blocked")
		},
	}
	c.Flags().BoolVar(&undo, "undo", false, "it can go on")
	return c
}

// freePort ends the claim of the session that runs a port.
func (e *env) freePort(r *port.Room, s *port.Standing) error {
	if s.Session == "" {
		return nil
	}
	now, turn := time.Now().UTC(), 0
	owner := session.Read(e.stateDir(), s.Session)
	if owner != nil {
		turn = owner.Turn.Number
	}
	if err := r.Leave(s.ID, s.Session, turn, now); err != nil {
		return err
	}
	e.recordOf(owner, "port "+s.ID+" is left by its session", types.PortEnd{PortID: s.ID, Status: string(port.Pending)})
	handle.ForgetPort(e.stateDir(), s.Session, s.ID, now)
	return nil
}
