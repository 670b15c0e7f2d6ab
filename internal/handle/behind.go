package handle

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/walk"
)

// behindOf is what the scripts that a call runs take of what Git ignores, by the verdict on it.
func (h *Handlers) behindOf(e *hook.Event) []risk.Target {
	if p := h.pending.Load(); p != nil && p.event == e {
		return p.verdict.Behind
	}
	return nil
}

// filesBehind are the files among it that are there, relative to the work tree: of a folder those in it, but for what a build makes again. Whoever
// names `rm -rf local` on the line is told of a snapshot; of a script that does so nothing is said, and an undo is to have them all the same. What
// is beyond the bounds, or too large for the vault, is not copied: the undo names it as gone.
func (h *Handlers) filesBehind(ctx context.Context, r *repo.Repo, list []risk.Target) (files []string) {
	ctx, cancel := context.WithTimeout(ctx, doomedTime)
	defer cancel()
	var mu sync.Mutex
	add := func(p string) {
		mu.Lock()
		defer mu.Unlock()
		if len(files) < ignoredNames && !h.Tables.Risks.Rebuilt(p) {
			files = append(files, p)
		}
	}
	for i := range list {
		t := &list[i]
		at, picks := t.Path, func(string) bool { return true }
		if n := strings.IndexAny(t.Pattern, "*?["); n >= 0 {
			at, picks = filepath.Dir(t.Pattern[:n]+"x"), t.Picks
		}
		p, err := checkpoint.Relative(r, "", filepath.FromSlash(at))
		if err != nil || p == "" || p == "." {
			continue
		}
		info, err := os.Lstat(r.Path(p))
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			add(p)
		case info.IsDir():
			_, _ = walk.Files(ctx, r.WorkTree, walk.Options{Below: p, Skip: h.Tables.Risks.Rebuilt, Links: true, Files: doomedFiles}, func(f walk.File) {
				if picks(filepath.ToSlash(r.Path(f.Path))) {
					add(f.Path)
				}
			})
		}
	}
	return files
}
