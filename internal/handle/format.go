package handle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/format"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/work"
)

// formats is the folder of what is known of formatters in sessions, and keptTexts the one in it of files as they were before they changed.
const (
	formats   = "format"
	keptTexts = "kept"
)

// Bounds of formatting.
const (
	formatTime = format.Patience + 500*time.Millisecond // after an edit
	tidyTime   = 2 * formatTime                         // at the end of a turn
	mostFormat = 1 << 20
	keepClean  = 200
	tookSome   = -1
	mayRefuse  = 3 // texts, before a formatter that took none is held to be at fault
)

// formatted is what a session knows of formatters.
type formatted struct {
	Off   map[string]string `json:"off,omitempty"`   // formatters that are not run again, and why
	Clean map[string]bool   `json:"clean,omitempty"` // committed contents that a formatter leaves as they are, or not
	Taken map[string]int    `json:"taken,omitempty"` // how often a formatter has refused, which has taken nothing yet; once it has, tookSome
}

// format has a file that a tool wrote formatted as its project does it. It is the one place in which a hook starts a program, and only where the user's
// own settings say so. It comes before those that note what the tool wrote, so that its change is no other one.
func (h *Handlers) format(ctx context.Context, e *hook.Event) (hook.Answer, error) {
	if !h.mayFormat(e) {
		return hook.Answer{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, formatTime)
	defer cancel()
	var a hook.Answer
	for _, path := range h.written(e) {
		a.Merge(h.formatFile(ctx, e, absolute(e, path), format.Edited))
	}
	return a, nil
}

// mayFormat reports a tool that wrote a file, where files are formatted.
func (h *Handlers) mayFormat(e *hook.Event) bool {
	return h.Config.String("quality.format") == "auto" && !h.DryRun && e.SessionID != "" && h.Tables.Quality != nil && h.Tables.Risks != nil && h.writes(e.ToolName)
}

// Longer is how much more time than its budget an event has: that of a formatter, where there is one for a file that was written, and that of what is run
// before a commit and at the end of a turn.
func (h *Handlers) Longer(e *hook.Event) time.Duration {
	switch {
	case e.Name == "Stop" && h.checks(), e.Name == "PreToolUse" && h.testsCommit() && strings.Contains(events.ToolInput(e).Get("command").Text(), "commit"):
		return h.runTime(e)
	case e.Name == "Stop" && h.Config.String("quality.format") == "auto":
		return tidyTime
	case e.Name != "PostToolUse" || !h.mayFormat(e):
		return 0
	}
	for _, path := range h.written(e) {
		if c := format.Choose(h.Tables.Quality, disk.Real(root(e)), disk.Real(absolute(e, path)), format.Edited); c != nil && c.Builtin == "" {
			return formatTime
		}
	}
	return 0
}

// formatFile formats one file, unless the committed version of it would change as well: else what the model changed could not be told from the rest.
func (h *Handlers) formatFile(ctx context.Context, e *hook.Event, path string, when format.When) hook.Answer {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > mostFormat {
		return hook.Answer{}
	}
	base, path := disk.Real(root(e)), disk.Real(path)
	rel, err := filepath.Rel(base, path)
	if err != nil || !filepath.IsLocal(rel) || h.Tables.Risks.Sensitive(path) {
		return hook.Answer{}
	}
	choice := format.Choose(h.Tables.Quality, base, path, when)
	if choice == nil {
		return hook.Answer{}
	}
	was, err := readOriginal(path)
	if err != nil {
		return hook.Answer{}
	}
	text := was.text
	if h.Tables.Languages != nil && notOwn(h.Tables.Languages().Classify(filepath.ToSlash(rel), text[:min(len(text), 4<<10)], false).Kind) {
		return hook.Answer{}
	}
	keep := state.File(filepath.Join(h.StateDir, formats), e.SessionID)
	var known formatted
	state.Read(keep, sessionTTL, &known)
	if known.Off[choice.ID] != "" {
		return hook.Answer{}
	}
	old, ours := committed(path)
	if !ours {
		return hook.Answer{}
	}
	out, err := h.better(ctx, keep, choice, path, text, old, &known)
	if !was.unchanged() {
		return h.meddled(e, keep, choice, was)
	}
	if err != nil {
		return h.formatFailed(keep, choice, err)
	}
	if known.Taken[choice.ID] != tookSome {
		h.noteFormat(keep, func(f *formatted) { f.counts(choice.ID, tookSome) })
	}
	if out == nil {
		return hook.Answer{}
	}
	if when == format.Ended {
		return h.tidied(ctx, e, was, out, choice, rel)
	}
	if err := was.replace(out); err != nil { // errChanged: the formatter has ended, so it was somebody else
		h.Log.Warn("formatted file not written", "err", err)
		return hook.Answer{}
	}
	return hook.Answer{Context: []string{fmt.Sprintf("moai: %s formatted %s, as this project does (%s): it is no longer as you wrote it; read what you edit next.",
		choice.ID, term.Name(filepath.ToSlash(rel)), changedLines(text, out))}}
}

// notOwn are kinds of files that nobody formats by hand.
func notOwn(k lang.PathKind) bool {
	return k == lang.Generated || k == lang.Vendored || k == lang.Ignored
}

// childEnv is nil, which means this process's own variables: a formatter runs as the model's own commands do.
func (h *Handlers) childEnv() []string { return nil }

// committed is what HEAD has of a file, nil for nothing; ours is false where Git ignores the file, or cannot be asked.
func committed(path string) (old []byte, ours bool) {
	r, err := repo.Open(filepath.Dir(path))
	if err != nil || r.Bare() {
		return nil, errors.Is(err, repo.ErrNone)
	}
	rel, err := filepath.Rel(disk.Real(r.WorkTree), path)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, false
	}
	rel = filepath.ToSlash(rel)
	head, err := r.Head()
	if err != nil {
		return nil, false
	}
	if !head.Unborn {
		if old, found := blobAt(r, head.Hash, rel); found {
			return old, old != nil
		}
	}
	return nil, !r.Ignore().Match(rel, false)
}

// blobAt is the content of a path in a commit; nil where it cannot be read, or is no file.
func blobAt(r *repo.Repo, commit repo.Hash, rel string) (content []byte, found bool) {
	c, err := r.Commit(commit)
	if err != nil {
		return nil, true
	}
	at := c.Tree
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		list, err := r.Tree(at)
		if err != nil {
			return nil, true
		}
		found = false
		for _, entry := range list {
			if entry.Name == part {
				at, found = entry.Hash, true
			}
		}
		if !found {
			return nil, false
		}
		if i < len(parts)-1 {
			continue
		}
		kind, b, err := r.Object(at)
		if err != nil || kind != repo.KindBlob {
			return nil, true
		}
		return append([]byte{}, b...), true
	}
	return nil, false
}

// better is what a formatter makes of a file, nil where that is nothing new, or where it would change the committed version old as well. Both are run at
// once: one after the other, programs that are slow to start would take too long.
func (h *Handlers) better(ctx context.Context, keep string, c *format.Choice, path string, text, old []byte, known *formatted) ([]byte, error) {
	enough, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		clean bool
		err   error
	}
	committed := make(chan answer, 1)
	go func() {
		var was answer
		if panicked := work.Guard(func() { was.clean, was.err = h.leavesAlone(enough, keep, c, path, old, known) }); panicked != nil {
			was = answer{err: panicked}
		}
		committed <- was
	}()
	out, err := c.Run(ctx, path, text, h.childEnv(), h.Getenv)
	if err != nil || bytes.Equal(out, text) {
		cancel() // what it was before matters no more
		<-committed
		return nil, err
	}
	if was := <-committed; was.err != nil || !was.clean {
		return nil, was.err
	}
	return out, nil
}

// leavesAlone reports that a formatter would not change the committed version of a file, as where there is none.
func (h *Handlers) leavesAlone(ctx context.Context, keep string, c *format.Choice, path string, old []byte, known *formatted) (bool, error) {
	if old == nil {
		return true, nil
	}
	key := c.ID + " " + path + " " + repo.HashObject(20, repo.KindBlob, old).String()
	clean, asked := known.Clean[key]
	if asked {
		return clean, nil
	}
	out, err := c.Run(ctx, path, old, h.childEnv(), h.Getenv)
	if err != nil && !errors.Is(err, format.ErrRefused) {
		return false, err
	}
	clean = err == nil && bytes.Equal(out, old)
	h.noteFormat(keep, func(f *formatted) {
		if f.Clean == nil || len(f.Clean) > keepClean {
			f.Clean = map[string]bool{}
		}
		f.Clean[key] = clean
	})
	return clean, nil
}

// formatFailed switches a formatter off that has a fault of its own. A file that it does not take, or a program that is not there, is nothing to tell; one
// that has taken none is not set up.
func (h *Handlers) formatFailed(keep string, c *format.Choice, err error) hook.Answer {
	why := err.Error()
	if !format.Faulty(err) {
		if !errors.Is(err, format.ErrRefused) {
			return hook.Answer{}
		}
		refused := 0
		h.noteFormat(keep, func(f *formatted) {
			if refused = f.Taken[c.ID]; refused != tookSome {
				refused++
				f.counts(c.ID, refused)
			}
		})
		if refused < mayRefuse {
			return hook.Answer{}
		}
		why = fmt.Sprintf("it took none of %d edits: %s", refused, h.mask(term.Clip(term.OneLine(strings.TrimPrefix(why, format.ErrRefused.Error()+": "), promptRunes), promptRunes)))
	}
	h.noteFormat(keep, func(f *formatted) { f.off(c.ID, why) })
	return hook.Answer{System: fmt.Sprintf("moai: %s is off for this session: %s", c.ID, why)}
}

// meddled answers a file that is another one after a formatter ran. The formatter was not asked to write it, and a person or another program may have: so
// what is there now stays, a copy of what was read is kept, and the formatter is not run again. Only a file that is gone comes back.
func (h *Handlers) meddled(e *hook.Event, keep string, c *format.Choice, was *original) hook.Answer {
	if c.Builtin != "" {
		return hook.Answer{} // moai's own writes nothing
	}
	why := "the file changed while it ran, and stays as it is now"
	if _, err := os.Lstat(was.path); errors.Is(err, os.ErrNotExist) && was.restore() == nil {
		why = "it took away the file, which is back"
	} else if now, err := reread(was.path); err != nil || !bytes.Equal(now.text, was.text) {
		if kept, err := was.keep(filepath.Join(h.StateDir, formats, keptTexts)); err == nil {
			why += "; as it was before: " + term.Name(kept)
		} else {
			h.Log.Warn("earlier text not kept", "err", err)
		}
	} else {
		return hook.Answer{} // saved again as it was
	}
	h.noteFormat(keep, func(f *formatted) { f.off(c.ID, why) })
	return hook.Answer{System: fmt.Sprintf("moai: %s is off for this session: %s: %s", c.ID, term.Name(relative(root(e), was.path)), why)}
}

func (f *formatted) counts(id string, n int) {
	if f.Taken == nil {
		f.Taken = map[string]int{}
	}
	f.Taken[id] = n
}

func (f *formatted) off(id, why string) {
	if f.Off == nil {
		f.Off = map[string]string{}
	}
	f.Off[id] = why
}

func (h *Handlers) noteFormat(keep string, change func(*formatted)) {
	if err := state.Update(keep, sessionTTL, func(f *formatted) bool { change(f); return true }); err != nil {
		h.Log.Warn("formatter not noted", "err", err)
	}
}

// changedLines says which lines a formatter changed: from the first to the last that differs.
func changedLines(was, now []byte) string {
	a, b := bytes.Split(was, []byte("\n")), bytes.Split(now, []byte("\n"))
	head := 0
	for head < min(len(a), len(b)) && bytes.Equal(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	if last := len(b) - tail; last > head+1 {
		return fmt.Sprintf("lines %d to %d", head+1, last)
	}
	return fmt.Sprintf("line %d", head+1)
}
