package handle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/ground"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/settings"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// standing is what a session remembers of its guard: what Stands said when it began,
// or after the last change that was let through.
type standing struct {
	Tools []string `json:"tools"`           // moai is called before these
	Calls []string `json:"calls,omitempty"` // in these words
	Off   string   `json:"off,omitempty"`   // the file that says so, although moai is called
}

// configChange keeps a change of settings from taking the guard away from a running
// session. The client reads all files again with any change that passes, also those
// whose change was stopped before: so all of them are judged as they are now, and not
// the one that has changed. What leaves moai in its place passes without a word.
func (h *Handlers) configChange(_ context.Context, e *hook.Event) (hook.Answer, error) {
	folder := h.settingsFolder(e)
	file := h.changed(e, folder)
	var scopes []settings.Scoped
	switch events.Source(e) {
	case "user_settings":
		scopes = scopesOf(filepath.Dir(file), folder)
	case "project_settings", "local_settings":
		scopes = scopesOf(h.userFolder(folder), folder)
	default: // a policy cannot be refused, and skills hold no hooks of ours
		return hook.Answer{}, nil
	}
	m := h.recallSession(e.SessionID)
	was := m.Guard
	if was == nil && h.DryRun {
		return hook.Answer{}, nil // no session stands behind it, so nothing can be lost
	}
	if was == nil { // hooks that came while the session ran, or a lost memory: all is asked for
		was = &standing{Tools: guarded()}
	}
	now := settings.Stands(scopes, "PreToolUse", guarded(), was.Calls, h.callsGuard)
	why, back := h.lost(was, &now, file, scopes)
	if why == "" || settings.Announced(h.StateDir, file) {
		h.remember(e.SessionID, root(e), func(m *memory) bool { m.Guard, m.Lost = h.passed(scopes, &now, was), ""; return true })
		h.leaveWord(e, "")
		return hook.Answer{}, nil
	}
	reason := "moai keeps the guard in this session: a change of settings would take it away: " + why +
		"\n  changed: " + term.Text(file) + "; it does not count in this session, but in every new one" +
		"\n  to keep the guard: bring the file back, or " + back +
		"\n  to be rid of it: moai init --uninstall, in a terminal of your own"
	h.noteAs(e, "warn", "kept the guard in the session: "+why, types.Decision{})
	if m.Lost != why { // else lookAgain has said so
		h.leaveWord(e, reason)
		h.remember(e.SessionID, root(e), func(m *memory) bool { m.Lost = why; return true })
	}
	return hook.Answer{Decision: hook.Block, Reason: reason}, nil
}

// changed is the file that a change is about.
func (h *Handlers) changed(e *hook.Event, folder string) string {
	if file := events.FilePath(e); filepath.IsAbs(file) {
		return file
	}
	switch events.Source(e) { // the field may be missing
	case "user_settings":
		return filepath.Join(h.userFolder(folder), "settings.json")
	case "local_settings":
		return filepath.Join(folder, "settings.local.json")
	}
	return filepath.Join(folder, "settings.json")
}

// lost says what the guard would lose, "" for nothing, and what puts it back: moai init where it can, else the line
// that somebody has to edit, since moai init keeps what it did not write.
func (h *Handlers) lost(was *standing, now *settings.Standing, file string, scopes []settings.Scoped) (why, back string) {
	if now.Off != "" && was.Off == "" {
		return fmt.Sprintf("%s is on in %s:%d", settings.HooksOff, term.Text(now.Off), now.OffLine), byHand(now.Off, now.OffLine, "take "+settings.HooksOff+" out")
	}
	var gone []string
	for _, tool := range was.Tools {
		if !slices.Contains(now.Tools, tool) {
			gone = append(gone, tool)
		}
	}
	if len(gone) == 0 {
		return "", ""
	}
	before := "before " + strings.Join(gone[:min(len(gone), 5)], ", ")
	for _, one := range now.Skipped {
		if one.Path == file {
			return "the client skips " + term.Clip(term.Text(one.String()), 300), byHand(one.Path, one.Line, "mend it")
		}
	}
	// The file that has changed explains it, if one does.
	seen := slices.Clone(now.Seen)
	slices.SortStableFunc(seen, func(a, b settings.Sighting) int {
		switch mine := a.Path == file; {
		case mine == (b.Path == file):
			return 0
		case mine:
			return -1
		}
		return 1
	})
	for _, s := range seen {
		at := fmt.Sprintf("%s:%d", term.Text(s.Path), s.Line)
		switch {
		case s.Bent != "" && strings.HasPrefix(s.Bent, "timeout"):
			return fmt.Sprintf("%s: %s is too short to judge in, so its verdict would not count", at, term.Clip(term.Text(s.Bent), 100)), h.initAgain(s.Path, scopes)
		case s.Bent != "":
			return fmt.Sprintf("%s: with %s its verdict would not count", at, term.Clip(term.Text(s.Bent), 100)), byHand(s.Path, s.Line, "take that out")
		case s.Foreign != "":
			return fmt.Sprintf("%s: it calls %s, which is not this moai", at, term.Clip(term.Text(s.Foreign), 200)), h.initAgain(s.Path, scopes)
		case s.Path == file:
			return fmt.Sprintf("%s: the matcher %s leaves moai uncalled %s", at, term.Clip(term.Text(strconv.Quote(s.Matcher)), 100), before), h.initAgain(s.Path, scopes)
		}
	}
	if slices.Contains(now.Others, file) {
		return "moai's hook for PreToolUse is gone from " + term.Text(file) + ", so it would not be called any more " + before, h.initAgain(file, scopes)
	}
	if len(now.Tools) > 0 {
		return "moai would not be called any more " + before, h.initAgain(file, scopes)
	}
	return "no settings file registers moai any more", h.initAgain(file, scopes)
}

// byHand is what a person does in an editor.
func byHand(path string, line int, what string) string {
	at := term.Text(argv.Quote(path))
	if line == 0 {
		return what + " by hand: " + at
	}
	return fmt.Sprintf("%s by hand, in line %d of %s", what, line, at)
}

// initAgain is the command that registers moai in a file anew.
func (h *Handlers) initAgain(path string, scopes []settings.Scoped) string {
	dir, base := filepath.Split(path)
	in := "cd " + term.Text(argv.Quote(filepath.Dir(filepath.Clean(dir)))) + " && "
	switch {
	case len(scopes) > 0 && path == scopes[0].Path: // the least specific is the user's
		return "run: moai init --user"
	case base == "settings.local.json":
		return "run: " + in + "moai init --local"
	}
	return "run: " + in + "moai init --shared"
}

// sessionGuard remembers how the guard stands when a session begins. In the middle of one
// (after a compaction, or clear) the files may be those that were refused: what is
// there already stays.
func (h *Handlers) sessionGuard(e *hook.Event) {
	middle := false
	switch events.Source(e) {
	case "compact", "clear":
		middle = true
	}
	folder := h.settingsFolder(e)
	scopes := scopesOf(h.userFolder(folder), folder)
	now := settings.Stands(scopes, "PreToolUse", guarded(), nil, h.callsGuard)
	// Somebody's own arrangement counts where there is no better one.
	var calls []string
	if words := settings.Wordings(scopes, "PreToolUse"); len(now.Tools) < len(guarded()) && len(words) > 0 {
		if all := settings.Stands(scopes, "PreToolUse", guarded(), words, h.callsGuard); len(all.Tools) > len(now.Tools) {
			now, calls = all, words
		}
	}
	if !middle {
		h.sawSettings(e, outside)
	}
	if middle && len(now.Tools) == 0 {
		return
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool {
		if middle && m.Guard != nil {
			return false
		}
		m.Guard, m.Lost = &standing{Tools: now.Tools, Calls: calls, Off: now.Off}, ""
		return true
	})
}

// passed is what to remember after a change that passed.
func (h *Handlers) passed(scopes []settings.Scoped, now *settings.Standing, was *standing) *standing {
	s := &standing{Tools: now.Tools, Off: now.Off}
	// Only words that were good before are good by themselves.
	for _, words := range settings.Wordings(scopes, "PreToolUse") {
		if slices.Contains(was.Calls, words) {
			s.Calls = append(s.Calls, words)
		}
	}
	return s
}

// scopesOf lists the files that the client reads its hooks from, the least specific first.
// In a linked work tree the local file of the main one is read, too.
func scopesOf(user, project string) []settings.Scoped {
	paths := []string{filepath.Join(user, "settings.json"), filepath.Join(project, "settings.json")}
	if r, err := repo.Open(filepath.Dir(project)); err == nil && r.GitDir != r.CommonDir {
		if main := r.Main(); main != "" {
			paths = append(paths, filepath.Join(main, ".claude", "settings.local.json"))
		}
	}
	paths = append(paths, filepath.Join(project, "settings.local.json"))
	var list []settings.Scoped
	for i, path := range paths {
		if !filepath.IsAbs(path) || slices.Contains(paths[:i], path) {
			continue
		}
		s := settings.Scoped{Path: path}
		f, err := settings.Open(path, "")
		if err == nil {
			s.Data = f.Data
		}
		s.Err = err
		list = append(list, s)
	}
	return list
}

// settingsFolder is the folder of a project's settings: that of the folder in which
// the session began, which need not be the repository's root.
func (h *Handlers) settingsFolder(e *hook.Event) string {
	dir := h.Getenv("CLAUDE_PROJECT_DIR")
	if dir == "" {
		dir = root(e)
	}
	return filepath.Join(dir, ".claude")
}

// userFolder is the folder of the user's own settings. One inside the project is a
// stranger's, who has set a variable.
func (h *Handlers) userFolder(project string) string {
	if dir := h.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		rel, err := filepath.Rel(ground.Follow(filepath.Dir(project)), ground.Follow(dir))
		if err == nil && !filepath.IsLocal(rel) {
			return dir
		}
	}
	return filepath.Join(h.Home, ".claude")
}

// guarded are the tools before which moai wants to be called, by its registration.
func guarded() []string {
	known := &events.Events[events.Find("PreToolUse")]
	names := strings.Split(strings.Trim(known.Register.Matcher, "^()$"), "|")
	for i, name := range names {
		names[i] = strings.ReplaceAll(name, ".*", "server__tool")
	}
	return names
}

// callsGuard tells whether an entry runs this very program, to judge.
func (h *Handlers) callsGuard(e *settings.Entry) bool {
	if !e.Plain() || len(e.Args) > 2 || e.Args[0] != "hook" {
		return false
	}
	if len(e.Args) == 2 {
		i := events.Find(e.Args[1])
		if i < 0 || events.Events[i].Name != "PreToolUse" {
			return false
		}
	}
	self, err := os.Executable()
	if err != nil {
		return false
	}
	own, err := os.Stat(self)
	if err != nil {
		return false
	}
	candidates := []string{e.Program}
	if !strings.ContainsAny(e.Program, `/\`) {
		candidates = nil
		for _, dir := range filepath.SplitList(h.Getenv("PATH")) {
			candidates = append(candidates, filepath.Join(dir, e.Program))
			if runtime.GOOS == "windows" {
				candidates = append(candidates, filepath.Join(dir, e.Program+".exe"))
			}
		}
	}
	for _, c := range candidates {
		if info, err := os.Stat(c); err == nil && info.Mode().IsRegular() {
			return os.SameFile(own, info) // the first on PATH is what would run
		}
	}
	return false
}

// word is what is to be told to the people of a session: the client shows nobody
// what is said about a change of its settings.
type word struct {
	Text  string `json:"text,omitempty"`
	Model string `json:"model,omitempty"` // for the model alone, who was not told when the user was
}

// wordTTL is how long a word waits; a session that does nothing for a day has ended.
const wordTTL = 24 * time.Hour

func (h *Handlers) wordPath(session string) string {
	return state.File(filepath.Join(h.StateDir, "told"), session)
}

// leaveWord leaves a word for the next call of the session, or takes it back.
func (h *Handlers) leaveWord(e *hook.Event, text string) {
	if e.SessionID == "" || h.DryRun {
		return
	}
	path := h.wordPath(e.SessionID)
	if text == "" {
		_ = os.Remove(path)
		return
	}
	if err := state.Update(path, wordTTL, func(w *word) bool { w.Text = text; return true }); err != nil {
		h.Log.Warn("not told to the user", "err", err)
	}
}

// leaveModelWord leaves a word for the model, which hears nothing at the end of a turn.
func (h *Handlers) leaveModelWord(e *hook.Event, text string) {
	if err := state.Update(h.wordPath(e.SessionID), wordTTL, func(w *word) bool { w.Model = text; return true }); err != nil {
		h.Log.Warn("not told to the model", "err", err)
	}
}

// handWord hands the word over, once, to the user and to the model.
func (h *Handlers) handWord(_ context.Context, e *hook.Event) (hook.Answer, error) {
	path := h.wordPath(e.SessionID)
	if _, err := os.Lstat(path); err != nil || e.SessionID == "" { // nearly always, so it costs no more than this
		return hook.Answer{}, nil
	}
	var w word
	if !state.Read(path, wordTTL, &w) || w.Text+w.Model == "" {
		return hook.Answer{}, nil
	}
	if !h.DryRun {
		_ = os.Remove(path)
	}
	var context []string
	for _, text := range [...]string{w.Text, w.Model} {
		if text != "" {
			context = append(context, text)
		}
	}
	return hook.Answer{System: w.Text, Context: context}, nil
}
