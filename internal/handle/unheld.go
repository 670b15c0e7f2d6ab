package handle

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/term"
)

// Outside of every repository nothing brings a file back, and to ask about each would make work in such a folder a chain of
// questions. So a person is asked once a session, and told of further folders; of a tool that writes files the client shows what it
// replaces.

// held is a file as it was when the user was asked about it.
type held struct {
	Path string    `json:"path"`
	Size int64     `json:"size"`
	At   time.Time `json:"at"`
}

// same reports a file that is still as it was: what the user was asked about has not run.
func (f *held) same(other held) bool {
	return !f.At.IsZero() && f.Path == other.Path && f.Size == other.Size && f.At.Equal(other.At)
}

// unheld answers a call outside of every repository that is about single files.
func (h *Handlers) unheld(in *risk.Input, v *risk.Verdict) (answer hook.Answer, plain bool) {
	var files []string
	for i := range v.Hits {
		hit := &v.Hits[i]
		if !slices.Contains(hit.Rule.When.Is, "unsaved") || len(hit.Targets) == 0 {
			return answer, false
		}
		for _, t := range hit.Targets {
			what := []string{t.Path}
			if t.Pattern != "" { // what is picked, and not where
				what = []string{t.Pattern}
			} else if fi, err := os.Lstat(t.Through); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
				what = []string{t.Through, t.Path} // `>` writes through a link, and sed -i puts a file in its place
			}
			for _, name := range what {
				if !slices.Contains(files, name) {
					files = append(files, name)
				}
			}
		}
	}
	if in.Command == "" {
		return answer, true
	}
	ask, tell := h.firstUnheld(in, files, h.asksUnheld(v))
	for i, name := range files {
		files[i] = term.Name(name)
	}
	what := "nothing brings back " + strings.Join(files[:min(len(files), 3)], ", ")
	if more := len(files) - 3; more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	what += ": " + cause(repo.ErrNone)
	const next = "once a session; after `git init` moai takes a snapshot by itself"
	switch {
	case ask:
		v = withoutGit(v, "keep a copy somewhere else first")
		return hook.Answer{Decision: hook.Ask, Reason: h.reason(in, v, asks) + "\n  " + what + "\n  asked " + next, Suggestions: instead(v)}, true
	case tell:
		return hook.Answer{System: "moai: " + what + "\n  said " + next}, true
	}
	return answer, true
}

// asksUnheld reports whether somebody would answer. Where nobody would, a question is a refusal, and one that is asked once would
// stop the first file and let the next one go.
func (h *Handlers) asksUnheld(v *risk.Verdict) bool {
	p := h.pending.Load()
	return h.Config.String("guard.no_checkpoint") != "allow" && v.Lost == "" && p != nil && !h.unattended(p.event)
}

// firstUnheld reports whether this session's user is to be asked: once, and again about files that are as they were when they were asked
// about; else whether to tell of one of the folders.
func (h *Handlers) firstUnheld(in *risk.Input, files []string, asks bool) (ask, tell bool) {
	if in.Session == "" || h.DryRun {
		return asks && in.Session != "", true
	}
	var now []held
	for _, p := range files {
		f := held{Path: p} // a pattern is no file, and is never known to be as it was
		if fi, err := os.Lstat(p); err == nil {
			f.Size, f.At = fi.Size(), fi.ModTime()
		}
		now = append(now, f)
	}
	h.remember(in.Session, in.Root, func(m *memory) bool {
		again := slices.ContainsFunc(now, func(f held) bool { return slices.ContainsFunc(m.Asked, f.same) })
		if ask = asks && (len(m.Asked) == 0 || again); ask {
			m.Asked = append(m.Asked, now...)
			m.Asked = slices.Delete(m.Asked, 0, max(0, len(m.Asked)-keepUnheld))
		}
		for _, p := range files {
			tell = m.toldUnheld(filepath.Dir(p)) || tell
		}
		return ask || tell
	})
	return ask, tell
}

// toldUnheld notes that the user was told of a folder in no repository; false if that is known.
func (m *memory) toldUnheld(dir string) bool {
	if slices.Contains(m.Unheld, dir) {
		return false
	}
	m.Unheld = append(m.Unheld, dir)
	if over := len(m.Unheld) - keepUnheld; over > 0 {
		m.Unheld = slices.Delete(m.Unheld, 0, over)
	}
	return true
}
