package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/verify"
)

// newVerify shows what the gate at the end of a turn goes by.
func newVerify(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "verify",
		Short: "Show which of a session's work nobody else has looked at",
		Long: `What a session changes, another agent is to look at: a verifier, such as heimdall
for code and loki for plans (moai init --verify writes them). The end of a turn is
held up once for files that nobody looked at, as verify.stop says:

  auto    where a verifier is installed; elsewhere the user is told, once a session
          (the default)
  block   everywhere
  warn    the user is told
  off     nothing is kept, and nothing said`,
		Example: "  moai verify status\n  moai verify why",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var id string
	one := func(use, short string, run func(*verifyView) error) *cobra.Command {
		c := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
			v, err := e.verifyView(id)
			if err != nil {
				return err
			}
			if e.json {
				return e.printJSON(v)
			}
			return run(v)
		}}
		c.Flags().StringVar(&id, "session", "", "of this session, by its id or the beginning of it; without it, of this one or the last one here")
		_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
		return c
	}
	c.AddCommand(
		one("status", "List the files of a session, and who looked at each", e.verifyStatus),
		one("why", "Explain the last decision at the end of a turn", e.verifyWhy),
	)
	return e.reading(c, verify.Folder)
}

// verifyView is what both verbs show.
type verifyView struct {
	Session   string         `json:"session"`
	Project   string         `json:"project"`
	Mode      string         `json:"mode"`
	Files     []verifyFile   `json:"files"`
	Dropped   int            `json:"dropped,omitempty"`
	Verifiers []verify.Agent `json:"verifiers"`
	Runs      []verify.Run   `json:"runs"`
	Blocks    int            `json:"blocks_without_finding"`
	Last      *verify.Last   `json:"last_decision"`
}

// stateUnverified is the state of a file that waits for a look.
const stateUnverified = "unverified"

type verifyFile struct {
	Path     string    `json:"path"`
	Kind     string    `json:"kind,omitempty"`
	Needs    string    `json:"needs,omitempty"`
	Tool     string    `json:"tool"`
	Agent    string    `json:"agent,omitempty"`
	Turn     int       `json:"turn"`
	Changed  time.Time `json:"changed_at"`
	LookedBy string    `json:"looked_by,omitempty"`
	Removed  bool      `json:"removed,omitempty"`
	State    string    `json:"state"`
	Since    string    `json:"since,omitempty"`  // what became of it since somebody looked
	Untold   bool      `json:"untold,omitempty"` // a folder in which files changed that could not be listed
	over     bool      // nothing of the session is in it any more
}

// verifyView collects it.
func (e *env) verifyView(id string) (*verifyView, error) {
	root := e.projectRoot()
	s, err := e.verifyState(id, root)
	if err != nil {
		return nil, err
	}
	root = s.Project
	h := &handle.Handlers{Tables: e.handleTables(), Config: e.cfg(root), StateDir: e.stateDir(), Home: e.user().Home, Getenv: e.inherited}
	v := &verifyView{
		Session: s.Session, Project: root, Mode: h.Config.String("verify.stop"), Dropped: s.Dropped, Last: s.Last,
		Verifiers: []verify.Agent{}, Files: []verifyFile{}, Runs: []verify.Run{},
	}
	v.Verifiers = append(v.Verifiers, h.Verifiers(root)...)
	gate := verify.GateOf(e.stateDir(), root)
	v.Blocks = gate.Blocks
	names := h.WorkOf(context.Background(), root, s)
	for f := range s.All() {
		rel, counts := names(f)
		if f.Of != "" && !counts {
			continue // another file of the list stands for it, or no branch has it
		}
		one := verifyFile{Path: rel, Tool: f.Tool, Agent: f.Agent, Turn: f.Turn, Changed: f.At, Untold: f.Untold, State: "needs no look"}
		if k := h.Tables.Verify.Kind(f, rel); k != nil {
			one.Kind, one.Needs = k.Name, k.Needs
		}
		for _, l := range f.Looks {
			if l.Need == one.Needs && f.Looked(l.Need) {
				one.LookedBy = l.Agent
			}
		}
		switch {
		case f.Else:
			one.State, one.over = "in another repository; it counts once this one has it", true
		case f.Gone() && !f.Lost:
			one.State, one.over = "gone", true
		case f.TookBack():
			one.State, one.over = "holds what was there before", true
		case !counts:
			one.State, one.over = "not changed any more, or ignored", true
		case f.Removed() && !f.Waits() && e.backByUndo(s.Session, f.Path, f.At):
			one.State = "removed, and brought back by moai undo"
		case f.Removed() && !f.Waits():
			one.State = "removed, and there again by no call of this session"
		case one.LookedBy != "":
			one.State = "looked at by " + one.LookedBy
		case one.Needs != "":
			one.State, one.Since = stateUnverified, f.Since(one.Needs)
		}
		one.Removed = counts && f.Lost && f.Gone()
		v.Files = append(v.Files, one)
	}
	for _, r := range s.Runs {
		r.Saw = nil
		v.Runs = append(v.Runs, r)
	}
	return v, nil
}

// backByUndo reports a file that an undo of a session's work brought back since a time, and that is as it left it: the user wanted it back.
func (e *env) backByUndo(session, path string, since time.Time) bool {
	r, err := e.repository()
	if err != nil {
		return false
	}
	line, err := undo.Read(r, e.stateDir())
	rel, outside := checkpoint.Relative(r, "", path)
	if err != nil || outside != nil {
		return false
	}
	return slices.ContainsFunc(line.Undos, func(u undo.Undo) bool {
		return u.Done && u.Session == session && u.At.After(since) && u.Returned(r, rel)
	})
}

// verifyState finds the session that is meant.
func (e *env) verifyState(id, root string) (*verify.State, error) {
	if id != "" {
		known, err := e.session(id)
		if err != nil {
			return nil, err
		}
		if s := verify.Read(e.stateDir(), known.ID); s.Shows() {
			return s, nil
		}
		return nil, nof("session %s has changed nothing that is known", term.Text(session.Short(known.ID)))
	}
	if known := e.current(); known != nil {
		if s := verify.Read(e.stateDir(), known.ID); s.Shows() {
			return s, nil
		}
	}
	if s := verify.Newest(e.stateDir(), root); s != nil {
		return s, nil
	}
	return nil, hint(nof("no session has changed anything in %s that is known here", term.Name(root)), "moai undo --list")
}

// fewOver is how many files are listed of those in which nothing of the session is any more: after an undo they are many.
const fewOver = 5

// verifyStatus lists the files.
func (e *env) verifyStatus(v *verifyView) error {
	w, over := 0, 0
	for i := range v.Files {
		if v.Files[i].over {
			over++
		}
	}
	shown := slices.DeleteFunc(slices.Clone(v.Files), func(f verifyFile) bool { return f.over && over > fewOver })
	for i := range shown {
		w = max(w, term.Width(term.Text(shown[i].Path)))
	}
	fmt.Fprintf(e.out, "session %s, %s\n", term.Text(session.Short(v.Session)), term.Name(v.Project))
	for i := range shown {
		f := &shown[i]
		if f.Removed {
			f.State = "removed, " + f.State
		}
		if f.Since != "" {
			f.State += ": " + f.Since
		}
		e.entry("  "+term.Pad(term.Text(f.Path), w)+" ", fmt.Sprintf("%-13s  %-12s  %s", orDash(f.Kind), term.Text(f.Tool), term.Text(f.State)))
	}
	if len(shown) < len(v.Files) {
		and := "and "
		if len(shown) == 0 {
			and = ""
		}
		fmt.Fprintf(e.out, "  %s%s in which nothing of the session is any more (--json names them)\n", and, term.Count(over, "file"))
	}
	if v.Dropped > 0 {
		fmt.Fprintf(e.out, "  and %d more, which were too many to keep\n", v.Dropped)
	}
	if slices.ContainsFunc(shown, func(f verifyFile) bool { return f.Untold && strings.HasPrefix(f.State, stateUnverified) }) {
		e.say(2, "%s", verify.UntoldHelp)
	}
	e.say(2, "verifiers here: %s", e.verifierNames(v))
	fmt.Fprintf(e.out, "verify.stop: %s\n", v.Mode)
	return nil
}

func (e *env) verifierNames(v *verifyView) string {
	if len(v.Verifiers) == 0 {
		return "none (moai init --verify)"
	}
	names := make([]string, len(v.Verifiers))
	for i, a := range v.Verifiers {
		names[i] = term.Text(a.Name) + " (" + strings.Join(a.Needs, ", ") + ")"
	}
	return strings.Join(names, ", ")
}

// verifyWhy explains.
func (e *env) verifyWhy(v *verifyView) error {
	if v.Last == nil {
		fmt.Fprintln(e.out, "no turn of this session has ended yet")
		return nil
	}
	did := map[verify.Action]string{verify.Pass: "let turn %d end", verify.Warn: "let turn %d end and told the user", verify.Block: "held the end of turn %d up"}[v.Last.Does]
	e.say(2, did+": %s (%s)", v.Last.Turn, term.Text(v.Last.Why), v.Last.At.Local().Format("2006-01-02 15:04:05"))
	for _, f := range v.Last.Files {
		fmt.Fprintf(e.out, "  %s\n", term.Text(f))
	}
	for i := range v.Runs {
		r := &v.Runs[i]
		what := map[verify.Finding]string{verify.Passed: "passed", verify.Found: "found what must change", verify.Unable: "could not look", verify.Working: "has not ended"}[r.Found]
		text := fmt.Sprintf("%s  %s %s", r.Began.Local().Format("15:04:05"), term.Text(r.Type), what)
		if r.Found != verify.Working {
			text += fmt.Sprintf(" (%s): %s", term.Count(r.Files, "file"), term.Text(r.Why))
		}
		if len(r.Missed) > 0 {
			missed := make([]string, len(r.Missed))
			for i, path := range r.Missed {
				missed[i], _ = verify.Shown([]string{disk.Real(v.Project)}, path)
			}
			text += "; it had not before it: " + term.Text(strings.Join(missed, ", "))
		}
		e.say(10, "%s", text)
	}
	e.say(2, "verify.stop: %s; verifiers here: %s", v.Mode, e.verifierNames(v))
	e.say(2, "blocks of this project since the last finding: %d; from %d on it only reminds", v.Blocks, verify.Patience)
	return nil
}
