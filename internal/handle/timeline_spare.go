package handle

import (
	"context"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// thinOut takes old steps out of the timeline, with the first turn that ends in an hour, and what killed processes have left.
func (h *Handlers) thinOut(ctx context.Context, r *repo.Repo, st *checkpoint.Step) {
	if before := st.Before(r); before.IsZero() || before.Truncate(time.Hour).Equal(st.Time.Truncate(time.Hour)) {
		return
	}
	o := checkpoint.PruneOptions{Limits: Retention(h.Config), VaultDir: filepath.Join(h.StateDir, "vault"), Now: h.now()}
	gone, err := checkpoint.ThinOut(r, o)
	if err != nil {
		h.Log.Warn("timeline not thinned out", "err", err)
	}
	checkpoint.Sweep(r, o.VaultDir, o.Now)
	if gone > 0 {
		h.spareTime(ctx, func(ctx context.Context) error { _, err := checkpoint.Tidy(ctx, r, o.Now); return err })
	}
}

// pack puts the many small files of snapshots into one, before Git's own gc finds that there are too many.
func (h *Handlers) pack(ctx context.Context, r *repo.Repo) {
	h.spareTime(ctx, func(ctx context.Context) error { _, err := checkpoint.Pack(ctx, r, true); return err })
}

// spareTime does work that can wait. It runs at the end of a turn, and ends when the hook has to.
func (h *Handlers) spareTime(ctx context.Context, work func(context.Context) error) {
	limit := h.Config.Duration("checkpoint.timeout")
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-spare)
	}
	if limit <= 0 {
		return
	}
	until, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := work(until); err != nil && until.Err() == nil {
		h.Log.Warn("snapshots not tidied up", "err", err)
	}
}
