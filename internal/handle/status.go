package handle

import (
	"context"
	"time"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/line"
	"github.com/modu-ai/moai/internal/repo"
)

// A status line may not look at the files of a project: that takes too long for something that is asked for every second. So
// hooks look for it, where somebody has such a line in front of him, and no more often than costs a twentieth of the time.
const (
	statusRest  = time.Second
	statusShare = 20
)

// keepStatus looks what has changed in the work tree, for the status line.
func (h *Handlers) keepStatus(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if h.DryRun || !line.Watched(h.StateDir, e.SessionID, h.now()) {
		return hook.Answer{}, nil
	}
	r, err := repo.Open(e.CWD)
	if err != nil || r.Bare() {
		return hook.Answer{}, nil
	}
	head, err := r.Head()
	if err != nil {
		return hook.Answer{}, nil
	}
	if k, _ := r.Kept(h.StateDir, head); h.now().Sub(k.At) < max(statusRest, statusShare*k.Took) {
		return hook.Answer{}, nil
	}
	until, cancel := beforeDeadline(ctx)
	defer cancel()
	_, err = r.Keep(h.StateDir, func() (*repo.Status, error) {
		return r.Status(until, repo.StatusOptions{Untracked: repo.UntrackedNormal, DirCache: r.DirCacheIn(h.StateDir)})
	})
	if err != nil {
		h.Log.Debug("status not kept", "err", err)
	}
	return hook.Answer{}, nil
}
