package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/when"
)

// overHoles are the newest n of turns, but for such without a snapshot from before them: what these did is taken for somebody else's, and stays.
// The oldest must have one.
func (e *env) overHoles(r *repo.Repo, turns []undo.Turn, n int) ([]undo.Turn, error) {
	hole := func(t undo.Turn) bool { return t.From.IsZero() }
	text := func(t *undo.Turn) string {
		return fmt.Sprintf("there is no snapshot from before %q: %s", term.Text(t.Label()), term.Text(cmp.Or(t.Missing, "nobody knows why")))
	}
	if oldest := &turns[n-1]; hole(*oldest) {
		next := cmp.Or(e.wasOutside(r, "moai undo"), "moai checkpoint list")
		if since := e.sinceGit(r, turns[n-1:n]); since != "" {
			if before := e.beforeGitToo(r, oldest); before != "" {
				fmt.Fprintf(e.err, "moai: hint: %s\n", before)
			}
			next = since
		}
		if at := slices.IndexFunc(turns[n:], func(t undo.Turn) bool { return !hole(t) }); at >= 0 {
			next = fmt.Sprintf("moai undo %d", n+at+1)
		}
		return nil, hint(nof("%s", text(oldest)), next)
	}
	picked := slices.Clone(turns[:n])
	for i := range picked {
		if hole(picked[i]) {
			fmt.Fprintf(e.err, "moai: %s; what it did stays\n", text(&picked[i]))
		}
	}
	return slices.DeleteFunc(picked, hole), nil
}

// meant is the session whose turns are counted.
func (u *undoing) meant() string {
	if u.session != "" {
		return u.session
	}
	picked, _, _ := u.line.Pick()
	if u.line.Cut != nil {
		picked = u.line.Cut.Session
	}
	return picked
}

// turnsOf are the turns that can be taken back of the session that is meant, the newest first. Where others have such, too, it is said whose they
// are, and no other's are taken where that session did nothing for its last prompt.
func (e *env) turnsOf(u *undoing, args []string) ([]undo.Turn, error) {
	of := func(t *undo.Turn) bool { return t.Session == u.session }
	if u.session == "" {
		picked, still, several := u.line.Pick()
		for i := range u.line.Turns { // an ID of the list names its session
			if t := &u.line.Turns[i]; isTurn(t, u.to) {
				picked, still, several = t.Session, false, false
			}
		}
		if u.line.Cut != nil {
			picked, still, several = u.line.Cut.Session, false, false
		}
		name := term.Text(session.Short(picked))
		switch {
		case several && still && len(args) == 0 && u.to == "" && !u.command && !slices.ContainsFunc(u.line.Turns, func(t undo.Turn) bool { return t.Session == picked && !t.Undone }):
			what := "nothing here"
			if e.showLast(u, u.line.Last) {
				what = "nothing else here"
			}
			return nil, hint(nof("the last prompt, of session %s, changed %s, and others are not taken for it", name, what), cmp.Or(u.next(), "moai undo --list"))
		case several && !e.json:
			fmt.Fprintf(e.err, "moai: of session %s, which had the last prompt here (--session takes another)\n", name)
		}
		of = func(t *undo.Turn) bool { return t.Session == picked }
	}
	return slices.DeleteFunc(slices.Clone(u.line.Turns), func(t undo.Turn) bool { return t.Undone || !of(&t) }), nil
}

// atRest is the last turn where moai undo without more words is asked for, and that turn changed nothing which could be taken back: "before the last
// prompt" is now, and no older turn is taken for it. Whoever has taken something back since it ended goes further back. Nil for anything else.
func (u *undoing) atRest(cmd *cobra.Command, args []string) *undo.Turn {
	last := u.line.Last
	if last == nil || !last.Still() || len(args) > 0 || u.to != "" || u.command || u.line.Cut != nil || u.session != "" && u.session != last.Session {
		return nil
	}
	if len(u.line.Undos) > 0 && u.line.Undos[0].At.After(last.Ended) {
		return nil
	}
	return last
}

// nothingLast says that the last turn changed nothing, what it lost all the same, and how the one before it is meant. Who can be asked is.
func (e *env) nothingLast(u *undoing, cmd *cobra.Command, args []string, turns []undo.Turn, last *undo.Turn) error {
	if len(turns) == 0 {
		return e.nothingThere(u, args)
	}
	e.showLast(u, last)
	if len(u.files) > 0 {
		return e.nothingIn(u, last, turns)
	}
	text := fmt.Sprintf("the last prompt, %q, changed nothing that can be taken back", term.Text(last.Label()))
	if !u.dry && !e.json && !e.yes && term.IsTerminal(e.in) { // it is shown what would be taken back, and asked
		fmt.Fprintln(e.err, "moai: "+text)
		return nil
	}
	return hint(nof("%s", text), fmt.Sprintf("%s is about the one before: %q", again(cmd, append(args, "1")), term.Text(turns[0].Label())))
}

// nothingIn says of files that the last turn left alone which turn changed one last, and where none did.
func (e *env) nothingIn(u *undoing, last *undo.Turn, turns []undo.Turn) error {
	ch := &change{session: turns[0].Session}
	now, err := e.presently(u, turns, turns[0].Session)
	if err != nil {
		return err
	}
	snapshot, err := checkpoint.SnapshotAt(u.r, now.Snapshot)
	if err != nil {
		return err
	}
	asked, err := e.askedFiles(u, ch, snapshot)
	if err != nil {
		return err
	}
	for i, f := range u.files {
		if n := e.touchedBefore(u, ch, asked[i]); n > 0 {
			return hint(nof("the last prompt, %q, changed nothing of %s that can be taken back", term.Text(last.Label()), term.Name(f)), u.withFile(n, f)+" is about the last prompt for which it was changed")
		}
	}
	return hint(nof("no turn that can be taken back here changed %s", term.Name(u.files[0])), "moai undo --list")
}

// others says of how many turns in a list a number does not speak.
func (u *undoing) others(turns []undo.Turn) string {
	undone, more := 0, len(u.line.Turns)-len(turns)
	for i := range u.line.Turns {
		if u.line.Turns[i].Undone {
			undone++
		}
	}
	var list []string
	if undone > 0 {
		list = append(list, fmt.Sprintf("%d of the list were taken back already", undone))
	}
	if more > undone {
		list = append(list, fmt.Sprintf("%d are of other sessions (--session takes one)", more-undone))
	}
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, ", ")
}

// turnsSince is how many turns lie behind a moment, a turn or a prompt.
func (u *undoing) turnsSince(turns []undo.Turn, to string) (int, error) {
	for i := range turns {
		if isTurn(&turns[i], to) || len(to) >= 7 && strings.HasPrefix(turns[i].From.String(), to) {
			return i + 1, nil
		}
	}
	at, err := when.Past(to, time.Now())
	if err == nil {
		n := 0
		for n < len(turns) && turns[n].Ended.After(at.Time) {
			n++
		}
		if n == 0 {
			return 0, hint(nof("nothing was done since %s", at.Time.Format("2006-01-02 15:04")), "moai undo --list")
		}
		return n, nil
	}
	for i := range turns {
		if strings.Contains(strings.ToLower(turns[i].Prompt), strings.ToLower(to)) {
			return i + 1, nil
		}
	}
	if err := u.undoneAt(to); err != nil {
		return 0, err
	}
	return 0, unknownTo(to)
}

func unknownTo(to string) error {
	return hint(nof("%q is no moment, no ID of the list and no words of a prompt", term.Text(to)), "moai undo --list")
}

// undoneAt says that the turn which an ID or words of a prompt name was taken back already; nil where none is named, or one that was not.
func (u *undoing) undoneAt(to string) error {
	if to == "" {
		return nil
	}
	for i := range u.line.Turns {
		if t := &u.line.Turns[i]; isTurn(t, to) || strings.Contains(strings.ToLower(t.Prompt), strings.ToLower(to)) {
			if !t.Undone {
				return nil
			}
			return hint(nof("%s was taken back already: %q", term.Text(turnID(t)), term.Text(t.Label())), "moai undo redo")
		}
	}
	return nil
}

// names reports that --to names a moment, or one of the turns, whether it was taken back or not.
func (u *undoing) names(to string) bool {
	_, err := when.Past(to, time.Now())
	return err == nil || slices.ContainsFunc(u.line.Turns, func(t undo.Turn) bool {
		return isTurn(&t, to) || strings.Contains(strings.ToLower(t.Prompt), strings.ToLower(to))
	})
}

// turnID names a turn in a list.
func turnID(t *undo.Turn) string { return session.Short(t.Session) + ":" + strconv.Itoa(t.Number) }

// shortest is how much of a session's name has to be there: other lists show less of it.
const shortest = 4

// isTurn reports the turn of an ID, in which the session's name may be cut off.
func isTurn(t *undo.Turn, id string) bool {
	name, number, is := strings.Cut(id, ":")
	return is && (len(name) >= shortest || name == t.Session) && strings.HasPrefix(t.Session, name) && number == strconv.Itoa(t.Number)
}

// idOf is the ID of the list that a word is, or the one that begins so; "" for none. A number that can be one of turns is that.
func (u *undoing) idOf(word string) (string, error) {
	if slices.ContainsFunc(u.line.Turns, func(t undo.Turn) bool { return isTurn(&t, word) }) {
		return word, nil
	}
	if n, err := strconv.Atoi(word); len(word) < shortest || err == nil && n <= len(u.line.Turns) {
		return "", nil
	}
	var list []string
	undone := ""
	for i := range u.line.Turns {
		t := &u.line.Turns[i]
		switch id := turnID(t); {
		case !strings.HasPrefix(t.Session, word):
		case t.Undone:
			undone = id
		default:
			list = append(list, id)
		}
	}
	switch {
	case len(list) == 1:
		return list[0], nil
	case len(list) > 1:
		more := ""
		if over := len(list) - maxIDs; over > 0 {
			more = fmt.Sprintf(" and %d more", over)
		}
		return "", hint(nof("several IDs of the list begin with %s: %s%s", term.Text(word), term.Text(strings.Join(list[:min(len(list), maxIDs)], ", ")), more), "moai undo "+argv.Quote(list[0])+" is the newest")
	case undone != "":
		return "", hint(nof("%s was taken back already", term.Text(undone)), "moai undo --list")
	}
	return "", nil
}

// maxIDs is how many of several an error names.
const maxIDs = 5

// next leads to the newest turn that can be taken back, whosever it is; "" where there is none.
func (u *undoing) next() string {
	at := slices.IndexFunc(u.line.Turns, func(t undo.Turn) bool { return !t.Undone && !t.From.IsZero() })
	if at < 0 {
		return ""
	}
	t := &u.line.Turns[at]
	return fmt.Sprintf("moai undo %s is about the next, of another session: %q", argv.Quote(turnID(t)), term.Text(t.Label()))
}

// pickTurn lists the turns and asks how far back; 0 is a no.
func (e *env) pickTurn(u *undoing, turns []undo.Turn) int {
	turns = turns[:min(len(turns), 20)]
	e.printTurns(turns, e.sizes(u, turns), "")
	numbers := "1"
	if len(turns) > 1 {
		numbers = fmt.Sprintf("1 to %d", len(turns))
	}
	fmt.Fprintf(e.err, "back to before which (%s, Enter for none)? ", numbers)
	line, _ := bufio.NewReader(e.in).ReadString('\n')
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || n < 1 || n > len(turns) {
		text := "nothing was changed"
		if line = strings.TrimSpace(line); line != "" {
			text = fmt.Sprintf("%q is no number of the list: %s", line, text)
		}
		fmt.Fprintln(e.err, "moai:", text)
		return 0
	}
	return n
}

// askedFiles are the files and folders that were asked for, as they are written now, or were before the turns.
func (e *env) askedFiles(u *undoing, ch *change, now *checkpoint.Checkpoint) (list []string, err error) {
	in := []*checkpoint.Checkpoint{now}
	for i := range ch.spans {
		if from, err := checkpoint.SnapshotAt(u.r, ch.spans[i].From); err == nil && len(u.files) > 0 {
			in = append(in, from)
		}
	}
	for _, f := range u.files {
		rel, err := checkpoint.Relative(u.r, e.dir, f)
		if err != nil {
			return nil, usagef("--file: %s", term.Text(err.Error()))
		}
		rel, _ = known(u.r, rel, in...)
		list = append(list, rel)
	}
	return list, nil
}
