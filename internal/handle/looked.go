package handle

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// A pull, an archive, a script or a link can bring settings in which moai is not called any more. Of some of them the client reports no
// change, and keeps its hooks until the session ends: no later session would say a word. So each hook of a session looks whether the
// files are still those that it saw last, which costs three looks at the disk, and judges them where they are not.

// maxSeen is more than the lines of three files take.
const maxSeen = 1 << 10

// seenFiles are the files that are looked at: of the ones that the client reads, those that lie in known places.
func (h *Handlers) seenFiles(e *hook.Event) [3]string {
	folder := h.settingsFolder(e)
	return [...]string{filepath.Join(folder, "settings.local.json"), filepath.Join(folder, "settings.json"), filepath.Join(h.userFolder(folder), "settings.json")}
}

// stamp says which files there are and when they changed, a line each. Links count as what they lead to: who puts another folder in
// the place of one changes no file in it.
func stamp(files []string) []byte {
	var b []byte
	for _, path := range files {
		st, err := disk.At(path)
		if err != nil {
			b = append(b, "-\n"...)
			continue
		}
		b = fmt.Appendf(b, "%d %d %d %d %d\n", st.Dev, st.Ino, st.Size, st.ModifiedNano(), st.ChangedNano())
	}
	return b
}

func (h *Handlers) seenPath(session string) string {
	return filepath.Join(h.StateDir, "told", state.SafeName(session)+".seen")
}

// The line behind a stamp of files that do not call moai.
const (
	uncalled = "uncalled\n" // they did before
	outside  = "outside\n"  // they never did, and yet a hook ran: settings of a company, a plugin, --settings, a program that calls moai
)

// called reports that the client calls moai by the files as they are now.
func (h *Handlers) called(e *hook.Event) bool {
	folder := h.settingsFolder(e)
	return settings.Called(scopesOf(h.userFolder(folder), folder))
}

// sawSettings remembers the files as they are, and what their not calling moai means.
func (h *Handlers) sawSettings(e *hook.Event, not string) {
	if e.SessionID == "" || h.DryRun || e.Dialect != hook.Claude {
		return
	}
	files := h.seenFiles(e)
	seen := stamp(files[:])
	if !h.called(e) {
		seen = append(seen, not...)
	}
	if err := state.Replace(h.seenPath(e.SessionID), seen); err != nil {
		h.Log.Warn("settings not remembered", "err", err)
	}
}

// lookAgain tells user and model, once for each change, that the client would not call moai with the settings as they are now.
func (h *Handlers) lookAgain(_ context.Context, e *hook.Event) (hook.Answer, error) {
	if e.SessionID == "" || h.DryRun || e.Dialect != hook.Claude {
		return hook.Answer{}, nil
	}
	files := h.seenFiles(e)
	now := stamp(files[:])
	old, _, err := disk.ReadFile(h.seenPath(e.SessionID), maxSeen)
	if bytes.HasPrefix(old, now) { // nearly always
		return hook.Answer{}, nil
	}
	not := uncalled
	if bytes.HasSuffix(old, []byte(outside)) {
		not = outside
	}
	h.sawSettings(e, not)
	was := h.recallSession(e.SessionID)
	if err != nil || was.Guard == nil { // a session that began with an older moai: nobody knows what it was
		return hook.Answer{}, nil
	}
	file := files[0]
	before, after := bytes.Split(old, []byte("\n")), bytes.Split(now, []byte("\n"))
	for i := range files {
		if i < len(before) && !bytes.Equal(before[i], after[i]) {
			file = files[i]
			break
		}
	}
	folder := h.settingsFolder(e)
	scopes := scopesOf(h.userFolder(folder), folder)
	stands := settings.Stands(scopes, "PreToolUse", guarded(), was.Guard.Calls, h.callsGuard)
	why, back := h.lost(was.Guard, &stands, file, scopes)
	if why == was.Lost || settings.Announced(h.StateDir, file) {
		return hook.Answer{}, nil
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool { m.Lost = why; return true })
	if why == "" {
		return hook.Answer{}, nil
	}
	text := "moai: THE GUARD IS BEING SWITCHED OFF: the settings have changed, and in a new session the client would not call moai: " + why +
		"\n  changed: " + term.Text(file) + "; this session is guarded as long as the client keeps the hooks that it has read" +
		"\n  to keep the guard: bring the file back, or " + back +
		"\n  to be rid of it: moai init --uninstall, in a terminal of your own"
	h.noteAs(e, "warn", "settings would take the guard away: "+why, types.Decision{})
	return hook.Answer{System: text, Context: []string{text}}, nil
}

// Left reports that the client does not call moai, or will not in a new session: it is registered nowhere, or was taken out, and no hook
// will say so. Nothing but the files is looked at, and those are read only where they are not the ones that a hook of the session saw.
func (h *Handlers) Left(e *hook.Event) bool {
	files := h.seenFiles(e)
	var old []byte
	if e.SessionID != "" {
		old, _, _ = disk.ReadFile(h.seenPath(e.SessionID), maxSeen)
	}
	now := stamp(files[:])
	if bytes.HasSuffix(old, []byte(outside)) {
		return false
	}
	if bytes.HasPrefix(old, now) {
		return string(old[len(now):]) == uncalled
	}
	if len(old) > 0 {
		if was := h.recallSession(e.SessionID).Guard; was != nil {
			folder := h.settingsFolder(e)
			stands := settings.Stands(scopesOf(h.userFolder(folder), folder), "PreToolUse", guarded(), was.Calls, h.callsGuard)
			return len(stands.Tools) == 0
		}
	}
	return !h.called(e)
}
