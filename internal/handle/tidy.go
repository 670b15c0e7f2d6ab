package handle

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/format"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

// mostTidied bounds how many files are tidied at the end of a turn.
const mostTidied = 50

// tidy has what a turn has changed cleaned up at its end as the project does it, where files are formatted: imports that nothing needs are taken out now
// and not after an edit, since the next one may be what needs them.
func (h *Handlers) tidy(ctx context.Context, e *hook.Event) (a hook.Answer) {
	if h.Config.String("quality.format") != "auto" || h.DryRun || h.Tables.Quality == nil || h.Tables.Risks == nil || h.yields(e) != "" {
		return a
	}
	r, err := repo.Open(root(e))
	if err != nil || r.Bare() {
		return a
	}
	ctx, cancel := context.WithTimeout(ctx, tidyTime)
	defer cancel()
	begun, enough := context.WithTimeout(ctx, tidyTime-formatTime) // the last one begins no later
	defer enough()
	base, done, left := disk.Real(root(e)), 0, 0
	for _, rel := range h.turnChanged(e, r) {
		switch {
		case format.Choose(h.Tables.Quality, base, disk.Real(r.Path(rel)), format.Ended) == nil:
		case done == mostTidied || begun.Err() != nil:
			left++
		default:
			done++
			a.Merge(h.formatFile(ctx, e, r.Path(rel), format.Ended))
		}
	}
	if left > 0 {
		a.Merge(hook.Answer{System: fmt.Sprintf("moai: %d changed files were not cleaned up, since the end of a turn has time for so many alone (%d)", left, done)})
	}
	if a.System != "" {
		h.leaveModelWord(e, a.System)
	}
	return a
}

// tidied writes a file that was cleaned up, in the form that the project's formatter gives it. Looks of verifiers at it stay.
func (h *Handlers) tidied(ctx context.Context, e *hook.Event, was *original, out []byte, c *format.Choice, rel string) hook.Answer {
	if form := format.Choose(h.Tables.Quality, c.Root, was.path, format.Edited); form != nil {
		if formed, err := form.Run(ctx, was.path, out, h.childEnv(), h.Getenv); err == nil {
			out = formed
		}
	}
	if bytes.Equal(out, was.text) {
		return hook.Answer{}
	}
	path := disk.Real(was.path)
	before := verify.Sum(path)
	edits := &h.who(e).Edits
	own := stillWrote(edits, path)
	if err := was.replace(out); err != nil {
		h.Log.Warn("tidied file not written", "err", err)
		return hook.Answer{}
	}
	h.work(e, func(s *verify.State) bool { return s.Rewrote(path, before, verify.Sum(path)) })
	w, _, plain := left(path)
	if _, known := edits.As(path); known && plain {
		h.learn(e, func(s *session.Session) { s.Edits.Leave(w) })
	}
	if own && plain { // an undo takes it for the session's
		h.note(e, c.ID+" "+rel, types.FileEdit{Path: filepath.ToSlash(rel), Tool: c.ID, Sum: w.Sum})
	}
	return hook.Answer{System: fmt.Sprintf("moai: %s cleaned up %s, as this project does (%s)", c.ID, term.Name(filepath.ToSlash(rel)), changedLines(was.text, out))}
}
