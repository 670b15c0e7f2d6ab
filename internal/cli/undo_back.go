package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/undo"
)

// backBy are the lines that bring back files which stay, from the newest snapshots that were taken for the session since its turns began.
func (e *env) backBy(u *undoing, ch *change, kept []undo.Kept) (lines []string) {
	kept = slices.DeleteFunc(slices.Clone(kept), func(k undo.Kept) bool { return !k.Unsure && !k.Forced })
	if ch.again || len(kept) == 0 {
		return nil
	}
	list, err := checkpoint.Last(u.r, shownUndone)
	if err != nil {
		return nil
	}
	for i := range list {
		c := &list[i]
		if c.Session != ch.session || c.Time.Before(ch.began()) {
			continue
		}
		way := checkpoint.Way{ID: c.Brief()}
		kept = slices.DeleteFunc(kept, func(k undo.Kept) bool {
			was, err := c.At(u.r, k.Path)
			now, is := checkpoint.OnDisk(u.r, k.Path)
			path, bad := filepath.Rel(e.dir, u.r.Path(k.Path))
			has := err == nil && bad == nil && was.Mode != 0 && !(is && now == was)
			if has {
				way.Paths = append(way.Paths, filepath.ToSlash(path))
			}
			return has
		})
		if len(way.Paths) > 0 {
			lines = append(lines, way.String())
		}
	}
	return lines
}

// showBack prints them.
func (e *env) showBack(u *undoing, ch *change, kept []undo.Kept) {
	for _, line := range e.backBy(u, ch, kept) {
		fmt.Fprintf(e.err, "moai: hint: %s brings back what was saved before the agent's command\n", line)
	}
}
