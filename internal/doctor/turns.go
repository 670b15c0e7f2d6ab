package doctor

import (
	"errors"
	"time"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/undo"
)

// inUse is longer than the lock of a timeline is held.
const inUse = 200 * time.Millisecond

// turns checks that what turns do is saved, so that `moai undo` can take it back.
func turns(e *Env) Result {
	r, err := repo.Open(e.Project)
	if errors.Is(err, repo.ErrNone) {
		r, err = checkpoint.FindShadow(e.StateDir, e.Dir)
	}
	if err != nil || r.Bare() {
		return Result{Status: Skip, Detail: "nothing is saved here for moai undo"}
	}
	held := checkpoint.TurnsLock(r)
	if held != nil {
		time.Sleep(inUse)
		held = checkpoint.TurnsLock(r)
	}
	why := undo.Why(e.StateDir, r.WorkTree)
	switch {
	case held != nil:
		return Result{Status: Warn, Detail: "nothing is saved for moai undo while this lasts: " + held.Error(), Fix: "rm " + argv.Quote(held.Path)}
	case why != "":
		return Result{Status: Warn, Detail: "not all of the last turn was saved for moai undo: " + why, Fix: "moai undo --list"}
	}
	if steps, err := checkpoint.Steps(r); err == nil && len(steps) == 0 {
		return Result{Status: Skip, Detail: "no agent that calls moai has worked here yet, so nothing is saved for moai undo"}
	}
	return Result{Detail: "what the last turn did is saved for moai undo"}
}
