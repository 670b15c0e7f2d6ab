package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

func newPortStart(e *env) *cobra.Command {
	var id string
	var next bool
	c := &cobra.Command{
		Use:   "start [ID]",
		Short: "Run a port in a session",
		Long: `The session in which this is called runs the port from now on; one that it ran
before waits again. A port of a session that is silent or dead can be taken over.`,
		Example:           "  moai port start login\n  moai port start --next\n  moai port start login --session 01a2b3c4",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: e.completePorts(func(s *port.Standing) bool { return s.Ready }),
		RunE: func(c *cobra.Command, args []string) error {
			if next == (len(args) == 1) {
				return hint(usagef("%s takes the id of a port, or --next", c.CommandPath()), "moai port ready")
			}
			r, board := e.board()
			if next {
				return e.startNext(&r, board, id)
			}
			s, err := e.port(board, args[0])
			if err != nil {
				return err
			}
			return e.startPort(&r, s.ID, id)
		},
	}
	c.Flags().StringVar(&id, "session", "", "the session that runs it; without it the one in which this is called")
	c.Flags().BoolVar(&next, "next", false, "the oldest one that is ready and that nobody else gets first")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// startNext starts the first port that is free.
func (e *env) startNext(r *port.Room, board port.Board, sessionID string) error {
	for _, s := range board.Ready() {
		err := e.startPort(r, s.ID, sessionID)
		var held *port.Held
		var waiting *port.Waiting
		if !errors.As(err, &held) && !errors.As(err, &waiting) {
			return err
		}
	}
	return hint(nof("no port is ready"), "moai port board")
}

// startPort has a session run a port, and says what else that means.
func (e *env) startPort(r *port.Room, id, sessionID string) error {
	s, err := e.portSession(sessionID)
	if err != nil {
		return err
	}
	runs := s.Port == id && r.Runs(id, s.ID) != nil
	b, err := handle.StartPort(r, s, id, time.Now().UTC())
	if err != nil {
		if fault := e.portFault(err); fault != nil {
			return &startFault{fault, err}
		}
	}
	if b.Aside != "" {
		e.recordOf(s, "port "+b.Aside+" waits again", types.PortEnd{PortID: b.Aside, Status: string(port.Pending)})
	}
	if err := e.knowPort(s, id); err != nil {
		return err
	}
	if !runs {
		e.recordOf(s, "port "+id+": "+b.Port.Title, types.PortStart{PortID: id})
	}
	if b.Lost != nil {
		fmt.Fprintf(e.err, "moai: taken over from session %s, which was silent\n", term.Text(session.Short(b.Lost.Session)))
	}
	if b.Aside != "" {
		fmt.Fprintf(e.err, "moai: port %s waits again: moai port start %s\n", term.Text(b.Aside), term.Text(argv.Quote(b.Aside)))
	}
	return e.tellPort(r, id, "started")
}

// startFault is an answer of which the cause can be asked.
type startFault struct{ error, cause error }

func (f *startFault) Error() string   { return f.error.Error() }
func (f *startFault) Unwrap() []error { return []error{f.error, f.cause} }

// endedPort is what ending a port came to.
type endedPort struct {
	*port.Standing
	Freed []string `json:"can_begin_now"`
}

func newPortEnd(e *env) *cobra.Command {
	var id string
	var dry bool
	c := &cobra.Command{
		Use:   "end [ID]",
		Short: "End a port, and say whether it is verified",
		Long: `Without an ID the port of this session. The port is complete then: verified, if
tests have passed and verifiers have looked since its files were changed last,
else it is said what is missing. ports.require_green refuses that instead.`,
		Example:           "  moai port end\n  moai port end login --dry-run",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: e.completePorts(openPort),
		RunE: func(_ *cobra.Command, args []string) error {
			r, board := e.board()
			s, err := e.endable(&r, board, args, id)
			if err != nil {
				return err
			}
			return e.endPort(&r, s, dry)
		},
	}
	c.Flags().StringVar(&id, "session", "", "the session whose port is meant")
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "only say what would be missing")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	return c
}

// endable is the port that is to end.
func (e *env) endable(r *port.Room, board port.Board, args []string, sessionID string) (*port.Standing, error) {
	if len(args) > 0 {
		return e.port(board, args[0])
	}
	s, err := e.portSession(sessionID)
	if err != nil {
		return nil, err
	}
	if r.Runs(s.Port, s.ID) == nil {
		return nil, hint(nof("session %s runs no port", term.Text(session.Short(s.ID))), "moai port list")
	}
	return e.port(board, s.Port)
}

// portProof is what came of a port so far.
func (e *env) portProof(r *port.Room, p *port.Port) *port.Proof {
	root := e.projectRoot()
	return e.portHandlers(root).Proof(context.Background(), root, r, p, time.Now().UTC())
}

// portHandlers find out what is known of ports as hooks do.
func (e *env) portHandlers(root string) *handle.Handlers {
	return &handle.Handlers{Tables: e.handleTables(), Config: e.cfg(root), StateDir: e.stateDir(), Home: e.user().Home, Getenv: e.inherited}
}

func (e *env) endPort(r *port.Room, s *port.Standing, dry bool) error {
	if s.Over() {
		fmt.Fprintf(e.err, "moai: port %s is %s already\n", term.Text(s.ID), term.Text(string(s.Status)))
		if e.json {
			return e.printJSON(endedPort{s, []string{}})
		}
		return nil
	}
	now := time.Now().UTC()
	proof := e.portProof(r, s.Port)
	if e.cfg(e.projectRoot()).Bool("ports.require_green") && !proof.Verified {
		return hint(nof("port %s is not verified: %s (ports.require_green)", s.ID, strings.Join(proof.Missing, "; ")), "moai port show "+argv.Quote(s.ID))
	}
	if dry {
		return e.tellEnd(endedPort{&port.Standing{Port: &port.Port{ID: s.ID, Title: s.Title, Proof: proof}, Status: s.Status, Waits: s.Waits}, []string{}}, "would be")
	}
	return e.overPort(r, s, port.Complete, "", proof, now)
}

// overPort ends a port, tells its session, and those that waited for it.
func (e *env) overPort(r *port.Room, s *port.Standing, as port.Status, why string, proof *port.Proof, now time.Time) error {
	var owner *session.Session
	turn := 0
	if s.Session != "" {
		owner = session.Read(e.stateDir(), s.Session)
	} else if s.Last != nil {
		owner = session.Read(e.stateDir(), s.Last.Session)
	}
	if owner != nil {
		turn = owner.Turn.Number
	}
	p, freed, err := r.Over(s.ID, as, why, proof, turn, now)
	if err != nil {
		return e.portFault(err)
	}
	by := owner
	if by == nil {
		by = e.current()
	}
	end := types.PortEnd{PortID: p.ID, Status: string(as)}
	if proof != nil {
		end.Verified, end.Missing = proof.Verified, proof.Missing
	}
	e.recordOf(by, "port "+p.ID+" is "+string(as), end)
	for _, id := range freed {
		e.recordOf(by, "port "+id+" can begin: "+p.ID+" is over", types.DependencyResolved{PortID: id})
	}
	if owner != nil {
		handle.ForgetPort(e.stateDir(), owner.ID, p.ID, now)
	}
	if freed == nil {
		freed = []string{}
	}
	board, _ := r.Board(now)
	return e.tellEnd(endedPort{board.Of(p.ID), freed}, "is")
}

func (e *env) tellEnd(d endedPort, verb string) error {
	if e.json {
		return e.printJSON(d)
	}
	text := fmt.Sprintf("port %s %s %s", term.Text(d.ID), verb, term.Text(string(d.Status)))
	if verb != "is" {
		text = fmt.Sprintf("port %s %s complete", term.Text(d.ID), verb)
	}
	if f := d.Proof; f != nil {
		if f.Verified {
			text += ", " + e.style().Green("verified")
		} else {
			text += ", " + e.style().Yellow("not verified")
		}
	}
	fmt.Fprintln(e.out, text)
	if d.Proof != nil {
		for _, m := range d.Proof.Missing {
			e.say(4, "  missing: %s", term.Text(m))
		}
	}
	for _, id := range d.Freed {
		fmt.Fprintf(e.out, "  can begin now: %s\n", term.Text(id))
	}
	return nil
}

func newPortDrop(e *env) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:               "drop ID [WHY]",
		Short:             "Say that a port is not to be done after all",
		Long:              "What waits for it waits no more. Nothing is deleted: moai port edit --reopen ID\ntakes it up again.",
		Example:           "  moai port drop login 'sign-on is done by the proxy'",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: e.completePorts(openPort),
		RunE: func(_ *cobra.Command, args []string) error {
			r, s, err := e.openPort(args[0])
			if err != nil {
				return err
			}
			if dry {
				fmt.Fprintf(e.err, "moai: port %s is %s\n", term.Text(s.ID), term.Text(string(s.Status)))
				return nil
			}
			return e.overPort(&r, s, port.Dropped, risktable.Set().Mask(strings.Join(args[1:], " ")), nil, time.Now().UTC())
		},
	}
	c.Flags().BoolVarP(&dry, "dry-run", "n", false, "only say how it stands")
	return c
}
