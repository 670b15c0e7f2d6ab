package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	risktable "github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/when"
)

// turnJSON is a turn in a list.
type turnJSON struct {
	ID       string    `json:"id"`
	Session  string    `json:"session"`
	Turn     int       `json:"turn"`
	Prompt   string    `json:"prompt"`
	Began    time.Time `json:"began_at,omitzero"`
	Ended    time.Time `json:"ended_at,omitzero"`
	Commands []string  `json:"commands"`
	// Changes are of the session alone; none where they are not known, or lie too far back to be looked into.
	Changes *undo.Size `json:"changes,omitempty"`
	Undone  bool       `json:"undone"`
	Missing string     `json:"no_snapshot,omitempty"`
	Partly  string     `json:"partly_no_snapshot,omitempty"`
	From    string     `json:"from,omitempty"` // the commit with the files as the turn found them
	To      string     `json:"to,omitempty"`   // and as it left them
}

// listTurns prints the timeline.
func (e *env) listTurns(u *undoing) error {
	turns := u.line.Turns
	if u.session != "" {
		turns = u.line.Of(u.session)
	}
	sizes := e.sizes(u, turns)
	if e.json {
		out := []turnJSON{}
		for i := range turns {
			t := &turns[i]
			j := turnJSON{ID: turnID(t), Session: t.Session, Turn: t.Number, Prompt: t.Prompt, Began: t.Began, Ended: t.Ended, Commands: []string{}, Changes: sizes[i], Undone: t.Undone}
			if j.Began.IsZero() { // its prompt found nothing new, and left no step
				j.Began = t.Ended
			}
			if t.From.IsZero() {
				j.Missing = cmp.Or(t.Missing, "nobody knows why")
			} else {
				j.From, j.Partly = t.From.String(), t.Missing
			}
			if !t.To.IsZero() {
				j.To = t.To.String()
			}
			j.Commands = append(j.Commands, commandsOf(t)...)
			out = append(out, j)
		}
		return e.printJSON(out)
	}
	if u.line.Cut != nil {
		e.cutOff(u.line.Cut)
		fmt.Fprintln(e.err, "moai: hint: moai undo finishes it")
	}
	if len(turns) == 0 {
		fmt.Fprintln(e.err, "moai: nothing was done here yet that could be taken back")
		fmt.Fprintln(e.err, "moai: hint:", cmp.Or(e.wasOutside(u.r, "moai undo --list"), whetherCalled))
		return nil
	}
	if e.printTurns(turns, sizes, u.meant()) {
		fmt.Fprintln(e.err, "moai: hint: moai undo N goes by the numbers, moai undo ID by the others")
	}
	return nil
}

// whetherCalled is what to look at where nothing is known: an agent may have worked here without moai.
const whetherCalled = "moai doctor says whether agents here call moai"

// listOrDoctor leads to the list of turns, unless nothing is in it.
func (u *undoing) listOrDoctor() string {
	if len(u.line.Turns) == 0 {
		return whetherCalled
	}
	return "moai undo --list"
}

// commandsOf are the commands of a turn that changed something, the newest first; what tools wrote is counted with its files.
func commandsOf(t *undo.Turn) (list []string) {
	rules := risktable.Set()
	for _, c := range t.Commands {
		tool, _, _ := strings.Cut(c.Command, " ")
		if _, writes := rules.Writes(tool); !writes {
			list = append(list, c.Command)
		}
	}
	return list
}

// sizedTurns is of how many turns a list says how much they changed.
const sizedTurns = 50

// sizes says how much turns changed, as far as that is known.
func (e *env) sizes(u *undoing, turns []undo.Turn) []*undo.Size {
	sizes := make([]*undo.Size, len(turns))
	if part := turns[:min(len(turns), sizedTurns)]; len(part) > 0 {
		list, err := u.line.Sizes(u.r, part, e.edits(u.r, part))
		if err != nil {
			fmt.Fprintf(e.err, "moai: warning: how much was changed is not known: %s\n", oneLine(err.Error()))
		}
		copy(sizes, list)
	}
	return sizes
}

// printTurns prints a line for each. Those have numbers that `moai undo N` would count; others reports that some have their IDs alone.
func (e *env) printTurns(turns []undo.Turn, sizes []*undo.Size, meant string) (others bool) {
	s := e.style()
	number := 0
	for i := range turns {
		t := &turns[i]
		no := ""
		if own := strings.HasPrefix(t.Session, meant); own && !t.Undone {
			number++
			no = strconv.Itoa(number)
		} else if !own && !t.Undone {
			others = true
		}
		at := "goes on"
		if !t.Ended.IsZero() {
			at = when.Ago(time.Since(t.Ended))
		} else if s := session.Read(e.stateDir(), t.Session); s == nil || !s.Turn.Runs() || s.Standing(time.Now()) != session.Running {
			at = "stopped" // without a word: its client was, or its user did
		}
		var about []string
		if t.Undone {
			about = append(about, "undone")
		}
		if n := len(commandsOf(t)); n > 0 {
			about = append(about, term.Count(n, "command"))
		}
		if size := sizes[i]; size != nil && size.Files > 0 {
			about = append(about, fmt.Sprintf("%s +%d −%d", term.Count(size.Files, "file"), size.Added, size.Removed))
		}
		switch {
		case t.From.IsZero():
			about = append(about, "no snapshot: "+term.Text(cmp.Or(t.Missing, "nobody knows why")))
		case t.Missing != "":
			about = append(about, "not all of it has a snapshot: "+term.Text(t.Missing))
		}
		text := term.Text(t.Label())
		if len(about) > 0 {
			text += s.Dim(" (" + strings.Join(about, ", ") + ")")
		}
		e.entry(s.Cyan(term.Pad(no, 3))+s.Dim(term.Pad(at, len("59 minutes ago")))+" "+term.Pad(turnID(t), 8)+" ", text)
	}
	return others
}
