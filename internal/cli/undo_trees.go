package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// lostTree is a linked work tree whose folder is gone since a turn began. An undo is about one work tree: another one comes back by its
// own snapshot, and needs its folder free.
type lostTree struct {
	Path    string `json:"path"`
	Command string `json:"command"` // brings it back
}

// lostTrees lists them, those with a snapshot since then.
func (e *env) lostTrees(u *undoing, ch *change) (out []lostTree) {
	if len(u.files) > 0 {
		return nil
	}
	var all []checkpoint.Checkpoint
	since := ch.began()
	for _, t := range e.treesGone(u, ch) {
		if all == nil {
			all, _ = checkpoint.List(u.r)
		}
		var last *checkpoint.Checkpoint
		for j := range all {
			if c := &all[j]; c.Worktree == t.Name && !c.Time.Before(since) && (last == nil || c.Time.After(last.Time)) {
				last = c
			}
		}
		if last != nil {
			out = append(out, lostTree{t.Dir, "(" + handle.LinkAnew("git", t.Dir, last.On, last.Head) + "cd " + argv.Quote(t.Dir) + " && " + checkpoint.Way{ID: last.Short(), Index: last.Staged}.String() + ")"})
		}
	}
	return out
}

// treesGone are the linked work trees whose folders are gone, also those of which Git knows nothing any more. One that was moved is where it is now.
func (e *env) treesGone(u *undoing, ch *change) (gone []undo.Linked) {
	known := map[string]bool{}
	linked := u.r.Linked()
	for i := range linked {
		t := &linked[i]
		if known[t.Name] = true; t.Gone(u.r) {
			gone = append(gone, undo.Linked{Name: t.Name, Dir: t.Dir})
		}
	}
	if open := undo.ReadOpen(e.stateDir(), ch.session); u.spanned(ch)(open.Turn) { // else what was there when another turn began
		for _, t := range open.Linked {
			if _, err := os.Lstat(t.Dir); !known[t.Name] && errors.Is(err, fs.ErrNotExist) {
				gone = append(gone, t)
			}
		}
	}
	return gone
}

// began is when the first turn of a change did.
func (ch *change) began() (at time.Time) {
	for i := range ch.turns {
		if t := ch.turns[i].Since(); at.IsZero() || t.Before(at) {
			at = t
		}
	}
	return at
}

// told names what Git was told by its settings then; zero where that is not known.
func (ch *change) told() (settings repo.Hash) {
	began := ch.began()
	for i := range ch.turns {
		if ch.turns[i].Since().Equal(began) {
			settings = ch.turns[i].Told
		}
	}
	return settings
}

// inLost reports a path of the work tree that lies in a lost one.
func (u *undoing) inLost(path string) bool {
	for _, t := range u.lost {
		if rel, err := filepath.Rel(t.Path, u.r.Path(path)); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// showLost says what became of them, and how they come back.
func (e *env) showLost(list []lostTree) {
	for _, t := range list {
		fmt.Fprintf(e.err, "moai: gone: %s, a work tree of its own, with a snapshot of its own\nmoai: hint: %s\n", term.Name(strings.TrimSuffix(t.Path, "/")), term.Text(t.Command))
	}
}
