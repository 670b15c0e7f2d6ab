package cli

import (
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// maxSaved bounds the snapshots of another repository that are looked at.
const maxSaved = 100

// wayIn is what takes back what turns did in another repository, or in another work tree: the undo there, else what the guard saved in it before
// a command; "" where there is neither.
func (e *env) wayIn(r *repo.Repo, ch *change) string {
	in := "cd " + argv.Quote(r.WorkTree) + " && "
	if e.canUndo(r, ch) {
		return in + "moai undo --session " + argv.Quote(ch.session)
	}
	if c := savedIn(r, ch.session, ch.began()); c != nil {
		return in + checkpoint.Way{ID: c.Short(), Refs: c.Restorable() || c.Underway != nil, Index: c.Staged}.String()
	}
	return ""
}

// savedIn is the first snapshot of a session since a moment: nothing has what was there at that moment better.
func savedIn(r *repo.Repo, session string, since time.Time) *checkpoint.Checkpoint {
	list := savedSince(r, session, since)
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// savedSince are the snapshots of a session since a moment, the newest first.
func savedSince(r *repo.Repo, session string, since time.Time) []checkpoint.Checkpoint {
	list, err := checkpoint.Last(r, maxSaved)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(list, func(c checkpoint.Checkpoint) bool { return c.Session != session || c.Time.Before(since) })
}
