package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/specs"
	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/doctor"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/loop"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/spec"
	"github.com/modu-ai/moai/internal/tag"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/when"
)

// statusReport is what moai status says.
type statusReport struct {
	Project   string          `json:"project"`
	Sessions  []sessionJSON   `json:"sessions"`
	Guard     guardStanding   `json:"guard"`
	Snapshots snapshotsHere   `json:"snapshots"`
	Loops     []loopView      `json:"loops"`
	Ports     []port.Standing `json:"ports"` // that are run, or ready
	Chains    int             `json:"open_chains"`
	Needs     []statusConcern `json:"needs"`
}

type guardStanding struct {
	Mode       string   `json:"mode"`
	Registered bool     `json:"registered"` // the client calls moai here
	Loosened   []string `json:"loosened,omitempty"`
}

// on reports that calls are judged.
func (g *guardStanding) on() bool { return g.Registered && g.Mode != "off" }

type snapshotsHere struct {
	Last   string    `json:"last,omitempty"`
	At     time.Time `json:"at,omitzero"`
	WhyNot string    `json:"why_none,omitempty"`
	Missed string    `json:"missed,omitempty"` // why the last turn here has none, or not of all that it did
}

// statusConcern is something that a person should look at, and what to type.
type statusConcern struct {
	Text string `json:"text"`
	Hint string `json:"hint"`
}

// newStatus is for people: how things are here, and what needs them.
func newStatus(e *env) *cobra.Command {
	return e.reading(&cobra.Command{
		Use:   "status",
		Short: "Tell how things are here: sessions, guard, snapshots, and what needs you",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s := e.statusHere()
			if e.json {
				return e.printJSON(s)
			}
			e.printStanding(s)
			return nil
		},
	}, loop.Folder, port.Folder)
}

func (e *env) statusHere() *statusReport {
	root := e.projectRoot()
	cfg := e.cfg(root)
	s := &statusReport{Project: root, Sessions: []sessionJSON{}, Loops: []loopView{}, Needs: []statusConcern{}}
	needs := func(text, hint string) { s.Needs = append(s.Needs, statusConcern{text, hint}) }
	s.Guard = guardStanding{Mode: cfg.String("guard.mode"), Registered: e.callsIn(root), Loosened: cfg.Loosened()}
	switch {
	case !s.Guard.Registered:
		needs("nothing calls moai here: no command is judged and nothing is saved", "moai init")
	case s.Guard.Mode == "off":
		needs("the guard is off", cmp.Or(e.tighten(cfg, root), "moai config set guard.mode standard"))
	case len(s.Guard.Loosened) > 0:
		needs("the guard protects less than its standard: "+strings.Join(s.Guard.Loosened, ", "), cmp.Or(e.tighten(cfg, root), "moai config list"))
	}
	if why := doctor.Unkept(e.stateDir()); why != "" {
		needs("sessions and turns are not kept: "+why+" ("+e.stateDir()+")", "moai doctor")
	}
	if n := len(cfg.Problems); n > 0 {
		needs(term.Count(n, "setting")+" cannot be read: "+cfg.Problems[0], "moai doctor")
	}
	if n := len(cfg.Held); n > 0 {
		needs(term.Count(n, "setting")+" of yours waits for your word: "+cfg.Held[0].Said(), "moai config confirm")
	}
	if list := e.ruleProblems(); len(list) > 0 {
		needs(term.Count(len(list), "rule problem")+": "+list[0], "moai rules check")
	}
	current, gone := e.currentID(), 0
	for _, one := range e.sessions(false, false) {
		told := e.sessionOf(one, current)
		s.Sessions = append(s.Sessions, told)
		if !told.Waits.IsZero() {
			needs("session "+session.Short(one.ID)+" waits for your answer since "+waitedSince(told.Waits), "moai session show "+session.Short(one.ID))
		}
		if one.Standing(time.Now()) == session.Gone {
			gone++
		}
	}
	for _, c := range e.unproven(root, s.Sessions) {
		needs(c.Text, c.Hint)
	}
	if gone > 0 {
		needs(term.Count(gone, "session")+" of which the process is gone, without an end", "moai session end --gone")
	}
	for _, l := range loop.All(e.stateDir(), root) {
		if l.Runs() {
			s.Loops = append(s.Loops, loopView{l, true})
		}
	}
	if s.Snapshots = e.lastSnapshot(); s.Snapshots.Missed != "" {
		needs("not all of the last turn here was saved for moai undo: "+s.Snapshots.Missed, "moai doctor")
	}
	s.Ports = e.portsHere()
	if s.Chains = e.openChains(root); s.Chains > 0 {
		needs(term.Count(s.Chains, "TAG chain")+" open", "moai tags verify")
	}
	return s
}

// callsIn reports that the client calls moai in a project.
func (e *env) callsIn(root string) bool {
	if noHooksIn(root) {
		return false
	}
	files := []string{settings.Local.Path("", root), settings.Shared.Path("", root)}
	if client := e.clientDir(); client != "" {
		files = append(files, settings.User.Path(client, root))
	}
	if r, err := repo.Open(root); err == nil && r.Main() != "" { // the client reads its local file in all work trees
		files = append(files, settings.Local.Path("", r.Main()))
	}
	return slices.ContainsFunc(files, settings.Calls)
}

func (e *env) lastSnapshot() (s snapshotsHere) {
	r, err := e.openAny(e.dir)
	var declined *repo.Declined
	if err == nil {
		s.Missed = undo.Why(e.stateDir(), r.WorkTree)
	}
	switch {
	case errors.Is(err, repo.ErrNone):
		s.WhyNot = cmp.Or(undo.Why(e.stateDir(), ground.Follow(e.dir)), "this folder is in no Git repository, and no session has worked in it yet")
	case errors.As(err, &declined):
		s.WhyNot = declined.Reason
	case err != nil:
		s.WhyNot = err.Error()
	default:
		list, err := checkpoint.Last(r, 1)
		if len(list) > 0 {
			s.Last, s.At = list[0].Name, list[0].Time
		} else if s.WhyNot = "none was needed yet"; err != nil {
			s.WhyNot = err.Error()
		}
	}
	return s
}

// portsHere are the ports that are run, and those that somebody could begin.
func (e *env) portsHere() []port.Standing {
	list := []port.Standing{}
	_, board := e.board()
	for _, s := range board {
		if s.Status == port.Running {
			list = append(list, s)
		}
	}
	return append(list, board.Ready()...)
}

// openChains counts in projects that work with SPECs alone: elsewhere the whole tree would be read for nothing.
func (e *env) openChains(root string) int {
	if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(spec.Dir))); err != nil || !info.IsDir() {
		return 0
	}
	r, err := tag.Collect(e.tagOptions(root))
	if err != nil {
		return 0
	}
	return tag.Open(tables.Kinds, r.All(), handle.SpecDocs(root, &specs.Table))
}

func (e *env) printStanding(s *statusReport) {
	style := e.style()
	line := func(label, text string) { e.say(11, "%s %s", term.Pad(label, 10), text) }
	line("project", term.Name(s.Project))
	guard := style.Green("on") + ", mode " + term.Text(s.Guard.Mode)
	if !s.Guard.on() {
		guard = style.Red("OFF")
	}
	line("guard", guard)
	if s.Snapshots.Last != "" {
		line("snapshot", when.Ago(time.Since(s.Snapshots.At))+": "+term.Text(s.Snapshots.Last))
	} else {
		line("snapshot", "none: "+term.Text(s.Snapshots.WhyNot))
	}
	if len(s.Sessions) == 0 {
		line("sessions", "none here")
	} else {
		line("sessions", fmt.Sprintf("%d here", len(s.Sessions)))
	}
	var list []*session.Session
	for _, one := range s.Sessions {
		list = append(list, one.Session)
	}
	wide := widthsOf(list...)
	for i := range s.Sessions {
		e.sessionLine("", &s.Sessions[i], wide)
	}
	for _, l := range s.Loops {
		line("loop", loopRound(l.Loop)+" in session "+term.Text(session.Short(l.Session))+", over when "+loopGoal(l.Loop)+" (moai loop cancel)")
	}
	for i := range s.Ports {
		if i == shownOver {
			line("", fmt.Sprintf("and %d more: moai port board", len(s.Ports)-i))
			break
		}
		label := ""
		if i == 0 {
			label = "port"
		}
		e.portLine(term.Pad(label, 10)+" ", &s.Ports[i])
	}
	for _, n := range s.Needs {
		e.say(11, "%s  %s", style.Yellow("needs you"), term.Text(n.Text))
		fmt.Fprintf(e.out, "%s %s\n", term.Pad("", 10), term.Text(n.Hint))
	}
}
