package handle

import (
	"context"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
)

// locks gives up what a moai that was killed left locked in the repository of a session. Git knows nothing of moai's mark
// and would wait for such a lock for ever, so this cannot be left to the next moai that wants the same one. Most events are
// those that come a few times in each turn and have time. Before a tool one look must do: at the lock that stops git gc and
// every deletion of a reference.
func (h *Handlers) locks(_ context.Context, e *hook.Event) (hook.Answer, error) {
	if h.DryRun {
		return hook.Answer{}, nil
	}
	if e.ToolName != "" {
		if _, err := os.Lstat(filepath.Join(root(e), ".git", "packed-refs.lock")); err != nil {
			return hook.Answer{}, nil
		}
	}
	r := h.around.Load()
	if r == nil || r.WorkTree != root(e) { // else another handler has opened it
		var err error
		if r, err = repo.Open(root(e)); err != nil {
			return hook.Answer{}, nil // no repository has no locks, and one that cannot be read is told by others
		}
	}
	refs := []string{"refs/stash"}
	if head, err := r.Head(); err == nil && head.Branch != "" {
		refs = append(refs, "refs/heads/"+head.Branch)
	}
	r.GiveUpLocks(refs...)
	return hook.Answer{}, nil
}
