package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/when"
)

// From here on an undo is asked about: what is meant is mostly less.
const (
	manyUndone  = 500
	muchUndone  = 50 << 20
	shownUndone = 30
)

// undoing are the options of moai undo.
type undoing struct {
	list, dry, patch, command, force bool
	to, session                      string
	files                            []string
	asked                            []string    // the same, as they are written here
	shown                            bool        // the plan, before a question
	drops                            []undo.Kept // what is not the session's, and goes with --force
	written                          bool        // what it says

	r    *repo.Repo
	line *undo.Timeline
	lost []lostTree
	ctx  context.Context

	beyond *beyond // nil before anything is written
}

// newUndo takes back what an agent did.
func newUndo(e *env) *cobra.Command {
	var u undoing
	c := &cobra.Command{
		Use:        "undo [N | ID | redo]",
		SuggestFor: []string{"redo"},
		Short:      "Take back what the agent did for your last prompt",
		Long: `Brings back what there was before the last prompt, or the last N, whatever ran:
files, permissions, links, the index, and branches, the stash and HEAD where a
command has moved them. Only what that session did is taken back; what somebody
else has changed since stays and is named, or is merged where that is clean. A turn
of which such a thing stays, while others are taken back, is not undone: the list
and --force reach it, which says what of others it drops.
Where commands of two sessions ran at the same moment, their words and times tell
whose a change is; what nothing tells stays and is named, and --force takes it.
What you do between two calls of the agent is yours, what you do while a command
of it runs is taken for the command's. Of a command of whose end nobody told (its
client was killed, or it runs in the background) what it was judged to change counts,
as far as no work of anybody goes with it; else the file stays and is named. Stash
entries that the agent made go, with their content back in the files; one of your own
that it dropped or popped comes back, whenever you made it. What nothing else would
have stays and is named. A branch brings its settings along, such as from where it
pulls. Tags, notes, what was last seen of remotes, other settings of Git and other
repositories stay as they are; what changed there is named, but for what a fetch
moves or prunes. So does build output that Git ignores, which is not named: a build
makes it again.
The list counts a file in each turn that changed it, and none that a turn leaves as it
was; moai session show counts it once for the session, and what Git ignores as well.
An undo can be undone: moai undo redo. A second undo goes further back. Where the
last prompt changed nothing, that is said, and moai undo 1 takes back the one before.`,
		Example:           "  moai undo\n  moai undo --list\n  moai undo 3 --dry-run\n  moai undo --to '10 minutes ago'\n  moai undo --file src/main.go src/other.go\n  moai undo redo",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: e.completeTurns,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if u.r, err = e.repository(); err != nil {
				if why := undo.Why(e.stateDir(), ground.Follow(e.dir)); why != "" {
					return nof("there is nothing to go back to here: %s", term.Text(why))
				}
				return err
			}
			handle.NoCollection() // the process ends with this verb
			u.r.GiveUpLocks("refs/stash")
			u.ctx = cmd.Context()
			if err = e.forgetRefused(u.r.WorkTree); err != nil {
				return err
			}
			if u.line, err = undo.Read(u.r, e.stateDir()); err != nil {
				return err
			}
			if args, err = u.read(cmd, args); err != nil {
				return err
			}
			if u.list {
				return e.listTurns(&u)
			}
			err = e.undo(&u, cmd, args)
			if !u.dry && !u.patch {
				e.looksLeft(e.projectRoot())
			}
			return err
		},
	}
	f := c.Flags()
	f.BoolVarP(&u.list, "list", "l", false, "list what can be taken back, the newest first")
	f.BoolVarP(&u.dry, "dry-run", "n", false, "show what would change and change nothing")
	f.BoolVarP(&u.patch, "patch", "p", false, "show the lines that would change, as a patch, and change nothing")
	f.BoolVar(&u.command, "command", false, "take back just the last command")
	f.BoolVar(&u.force, "force", false, "also what somebody else has changed since, and what nobody is known to have changed")
	e.beforeGit(f)
	f.StringVar(&u.to, "to", "", "back to a moment, to before a turn of the list (its ID), or to before the prompt with these words")
	f.StringVar(&u.session, "session", "", "of this session; else of the one that had the last prompt here")
	_ = c.RegisterFlagCompletionFunc("session", e.completeSessions)
	_ = c.RegisterFlagCompletionFunc("to", e.completeTurns)
	f.StringArrayVar(&u.files, "file", nil, "this file or folder alone; more of them may follow")
	return c
}

// forgetRefused takes from the sessions here the calls that were refused, which did nothing that could be taken back: their next events may be yet to come.
func (e *env) forgetRefused(tree string) error {
	for _, id := range undo.Unended(e.stateDir(), tree) {
		if s := session.Read(e.stateDir(), id); s != nil {
			if err := undo.NeverRan(e.stateDir(), id, handle.NeverRan(s.Talk)); err != nil {
				return err
			}
		}
	}
	return nil
}

// read takes an ID of the list for what --to names, and what follows a file for another one, as shells write src/*.go. It refuses what means
// nothing.
func (u *undoing) read(cmd *cobra.Command, args []string) (rest []string, err error) {
	u.dry = u.dry || u.patch
	isID := func(arg string) bool {
		return slices.ContainsFunc(u.line.Turns, func(t undo.Turn) bool { return isTurn(&t, arg) })
	}
	for _, arg := range args {
		if _, err := strconv.Atoi(arg); len(u.files) == 0 || err == nil || arg == "redo" || isID(arg) {
			rest = append(rest, arg)
		} else {
			u.files = append(u.files, arg)
		}
	}
	switch {
	case u.list && (len(args) > 0 || u.patch || u.to != "" || u.command || u.force || len(u.files) > 0):
		return nil, usagef("--list shows what there is, of all sessions or of --session, and takes nothing else")
	case cmd.Flags().Changed("to") && strings.TrimSpace(u.to) == "":
		return nil, usagef("--to wants a moment, an ID of moai undo --list, or words of a prompt, and got none")
	case cmd.Flags().Changed("session") && u.session == "":
		return nil, usagef("--session wants an id, and got none")
	case slices.Contains(u.files, ""): // a variable that is not set must not mean everything
		return nil, usagef("--file wants a path, and got none")
	case len(rest) > 1:
		return nil, usagef("%s and %s: only one of them says how far back", rest[0], rest[1])
	case len(rest) == 1 && u.to == "" && rest[0] != "redo":
		id, err := u.idOf(rest[0])
		if id == "" {
			return rest, err
		}
		return nil, cmd.Flags().Set("to", id)
	}
	return rest, nil
}

// stands is the folder of a work tree in which the user is, "" for the work tree itself, or for a place outside.
func (e *env) stands(r *repo.Repo) string {
	if rel, err := checkpoint.Relative(r, "", e.dir); err == nil && rel != "." {
		return rel
	}
	return ""
}

// whole makes the beginning of a session's id that id.
func (u *undoing) whole(stateDir string) error {
	if u.session != "" && session.Read(stateDir, u.session) == nil {
		switch list := u.line.Named(u.session); {
		case len(list) > 1: // work of one is not taken for another's
			return hint(nof("several sessions have an id that begins with %s: %s", term.Text(u.session), term.Text(strings.Join(list, ", "))), "moai undo --list")
		case len(list) == 1:
			u.session = list[0]
		}
	}
	return nil
}

// undo picks what is taken back, and does it.
func (e *env) undo(u *undoing, cmd *cobra.Command, args []string) error {
	again := len(args) == 1 && args[0] == "redo"
	if err := u.whole(e.stateDir()); err != nil {
		return err
	}
	cut := u.line.Cut
	if cut != nil {
		e.cutOff(cut)
		fmt.Fprintln(e.err, map[bool]string{true: "moai: redo brings it back to what it began with", false: "moai: this finishes it"}[again && !cut.Again])
	}
	if again || cut != nil && cut.Again && len(args) == 0 {
		return e.redo(u, cmd, args)
	}
	n := 1
	if len(args) == 1 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
			return usagef("%q is no number of turns, no ID of moai undo --list, and not redo", args[0])
		}
	}
	turns, err := e.turnsOf(u, args)
	if err != nil {
		return err
	}
	if last := u.atRest(cmd, args); last != nil {
		if err := e.nothingLast(u, cmd, args, turns, last); err != nil {
			return err
		}
	}
	newest := u.line.Newest
	if at := slices.IndexFunc(turns, func(t undo.Turn) bool { return !t.From.IsZero() }); at >= 0 {
		newest = turns[at].From
	}
	if err := u.here(newest); err != nil {
		return err
	}
	if len(turns) == 0 {
		return e.nothingThere(u, args)
	}
	now, err := e.presently(u, turns, turns[0].Session)
	if err != nil {
		return err
	}
	if u.command {
		return e.undoCommand(u, cmd, args, turns, now)
	}
	switch {
	case cut != nil && len(args) == 0 && u.to == "": // the rest of it
		n = len(cut.Keys)
	case u.to != "" && len(args) > 0:
		return usagef("--to says how far back, and so does %s", args[0])
	case u.to != "":
		if n, err = u.turnsSince(turns, u.to); err != nil {
			return err
		}
	case len(args) == 1:
	case !u.dry && !e.json && !e.yes && len(u.files) == 0 && term.IsTerminal(e.in) && len(turns) > 1:
		if n = e.pickTurn(u, turns); n == 0 {
			return errNo
		}
	}
	if n > len(turns) {
		return hint(nof("%s can be taken back here, and no more%s", term.Count(len(turns), "turn"), u.others(turns)), cmp.Or(e.wasOutside(u.r, "moai undo"), fmt.Sprintf("moai undo %d", len(turns))))
	}
	if turns, err = e.overHoles(u.r, turns, n); err != nil {
		return err
	}
	ch, err := e.changeOf(u, turns, now)
	if err != nil {
		return err
	}
	return e.takeBack(u, cmd, args, ch)
}

// nothingThere says why there is no turn to take back.
func (e *env) nothingThere(u *undoing, args []string) error {
	if u.to != "" && !u.names(u.to) {
		return unknownTo(u.to)
	}
	told := false
	if last := u.line.Last; last != nil && len(args) == 0 {
		told = e.showLast(u, last)
	}
	text := nothingHere(told)
	switch err := u.undoneAt(u.to); {
	case err != nil:
		return err
	case len(args) == 1:
		text += u.others(nil)
	}
	next := cmp.Or(e.behindGit(), u.next(), e.wasOutside(u.r, "moai undo"))
	if !told { // else agents do call moai, and what was told names its own way back
		next = cmp.Or(next, u.listOrDoctor())
	}
	return hint(nof("%s", text), next)
}

// nothingHere is what an undo says that finds nothing to take back; told is whether it has named what it does not take back.
func nothingHere(told bool) string {
	if told {
		return "nothing else is there to take back here"
	}
	return "there is nothing to take back here"
}

// showLast tells what the last turn did that no undo takes back, where there is nothing else to take back, and whether there was any.
func (e *env) showLast(u *undoing, last *undo.Turn) (told bool) {
	ch := &change{session: last.Session, turns: []undo.Turn{*last}}
	u.lost = e.lostTrees(u, ch)
	b := e.beyondOf(u, ch, &undo.Plan{}, &copiesPlan{})
	if last.Undone { // the undo has said it
		b.lost = e.refsGone(u.r, last.Session, last.Since())
	}
	e.showBeyond(u, b)
	return len(b.gone)+len(b.altered)+len(u.lost)+len(b.pushed)+len(b.lost)+len(b.elsewhere) > 0
}

// changeOf is what taking turns back comes to, the newest first.
func (e *env) changeOf(u *undoing, turns []undo.Turn, now *checkpoint.Step) (*change, error) {
	edits := e.edits(u.r, turns)
	spans, err := u.line.Spans(u.r, turns, edits)
	if err != nil {
		return nil, err
	}
	var keys []string
	for i := range turns {
		keys = append(keys, turns[i].Key+u.part())
	}
	oldest := &turns[len(turns)-1]
	what := oldest.Label()
	if last := u.line.Redone(turns, keys); last != nil {
		return &change{turns: turns, keys: keys, spans: last.Spans(), now: now, what: what, mirrors: true, vault: last.Were, copies: last.Copies, session: last.Session}, nil
	}
	return &change{turns: turns, keys: keys, spans: spans, edits: edits, now: now, what: what, vault: oldest.Vault, copies: turns[0].Copies, session: oldest.Session}, nil
}

// part tells an undo of some files from one of all that a turn did, which is not undone with it.
func (u *undoing) part() string {
	if len(u.files) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(u.files, "\x00")))
	return "#files:" + hex.EncodeToString(sum[:8])
}

// cutOff says that an undo was stopped in the middle, and how it is finished.
func (e *env) cutOff(cut *undo.Undo) {
	what := "undo"
	if cut.Again {
		what = "redo"
	}
	fmt.Fprintf(e.err, "moai: the last %s was stopped in the middle, %s: some files are as before it, others as after it\n", what, when.Ago(time.Since(cut.At)))
}

// undoCommand takes back the last command that changed something.
func (e *env) undoCommand(u *undoing, cmd *cobra.Command, args []string, turns []undo.Turn, now *checkpoint.Step) error {
	if u.to != "" || len(args) > 0 {
		return usagef("--command is about the last command alone")
	}
	for i := range turns {
		for _, c := range turns[i].Commands {
			if c.Undone {
				continue
			}
			edits := e.edits(u.r, turns[i:i+1])
			span, err := u.line.CommandSpan(u.r, &turns[i], &c, edits)
			if err != nil {
				return err
			}
			return e.takeBack(u, cmd, args, &change{turns: turns[i : i+1], keys: []string{c.Key}, spans: []undo.Span{span}, now: now, what: c.Command, vault: c.Were, copies: c.Vault, only: c.Key, session: turns[i].Session})
		}
	}
	return hint(nof("no command is known that changed something"), "moai undo --list")
}

// redo brings again what the last undo took back.
func (e *env) redo(u *undoing, cmd *cobra.Command, args []string) error {
	last := u.line.Again(u.session)
	if last == nil {
		return hint(nof("there is no undo to take back"), u.listOrDoctor())
	}
	if err := u.here(last.Before); err != nil {
		return err
	}
	now, err := e.presently(u, nil, last.Session)
	if err != nil {
		return err
	}
	var turns []undo.Turn
	for _, t := range u.line.Turns {
		if slices.ContainsFunc(last.Keys, func(key string) bool { return strings.HasPrefix(key+"#", t.Key+"#") }) {
			turns = append(turns, t)
		}
	}
	what := "what was taken back"
	if len(turns) > 0 {
		what = turns[0].Label()
	}
	return e.takeBack(u, cmd, args, &change{turns: turns, keys: last.Keys, spans: last.Spans(), now: now, what: what, again: true, mirrors: true, forced: last.Forced, vault: last.Were, copies: last.Copies, session: last.Session})
}

// edits are the files that tools wrote since the oldest of the turns, as the journal has them.
func (e *env) edits(r *repo.Repo, turns []undo.Turn) (list []undo.Edit) {
	since := turns[len(turns)-1].Since()
	roots := []string{e.projectRoot()}
	for i := range turns {
		if s := session.Read(e.stateDir(), turns[i].Session); s != nil && s.Project != "" && !slices.Contains(roots, s.Project) {
			roots = append(roots, s.Project)
		}
	}
	for _, root := range roots {
		q := journal.Query{Types: []string{types.FileEdit{}.Entry().Name}, Since: since}
		_, err := q.Run(state.JournalPath(e.stateDir(), root), func(one *journal.Event) error {
			var d types.FileEdit
			if json.Unmarshal(one.Details, &d) != nil {
				return nil
			}
			path := d.Path
			if !filepath.IsAbs(path) {
				path = filepath.Join(root, filepath.FromSlash(path))
			}
			if rel, err := checkpoint.Relative(r, "", path); err == nil {
				list = append(list, undo.Edit{Session: one.Session, Turn: one.Turn, Path: rel, At: one.Created, Sum: d.Sum})
			}
			return nil
		})
		if err != nil {
			fmt.Fprintf(e.err, "moai: warning: the journal cannot be read, so nobody knows which files tools wrote: %s\n", oneLine(err.Error()))
		}
	}
	return list
}
