package handle

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// untrackedFiles is how many files of one call are told.
const untrackedFiles = 20

// edited is a file that a call is to write; one without a path is that of a tool that names none.
type edited struct {
	path, rel string
}

// tracking is how edits outside of ports are met here, and the room; "" for not at all. In the usual project, which has none, it
// costs one look.
func (h *Handlers) tracking(e *hook.Event) (mode string, r port.Room) {
	mode = h.Config.String("tracking.mode")
	switch mode {
	case "off":
		return "", r
	case "auto":
		r, used := h.room(e)
		if !used {
			return "", r
		}
		return "warn", r
	}
	return mode, Ports(h.Config, h.StateDir, root(e))
}

// tracked judges a call that writes by the port that the session runs. What only reads costs no look at anything.
func (h *Handlers) tracked(e *hook.Event) hook.Answer {
	if h.Tables.Risks == nil {
		return hook.Answer{}
	}
	writes := h.writes(e.ToolName)
	command := e.ToolName != "" && h.Tables.Risks.RunsCommand(e.ToolName)
	if !writes && !command {
		return hook.Answer{}
	}
	mode, r := h.tracking(e)
	if mode == "" {
		return hook.Answer{}
	}
	files := h.writesWhat(e, command)
	if len(files) == 0 {
		return hook.Answer{}
	}
	if p := h.running(e, &r); p != nil {
		return h.beside(e, &r, p, files)
	}
	if h.Config.String("tracking.auto_create") == "start" {
		if p, err := h.autoStart(e, &r, files[0].rel); err == nil {
			text := fmt.Sprintf("moai: port %s was started for %s (tracking.auto_create); when it is done: moai port end", term.Text(p.ID), shownWrite(e, files[0]))
			a := hook.Answer{System: text, Context: []string{text}}
			if e.Dialect == hook.Pal {
				a.Work.Port = palPort(p)
			}
			return a
		}
	}
	if mode == "strict" {
		return h.refuseEdit(e, &r, files)
	}
	if command {
		return hook.Answer{} // what it really changed is told when it is done
	}
	return h.tellEdit(e, &r, files)
}

// writesWhat are the files that a call would write and that need a port.
func (h *Handlers) writesWhat(e *hook.Event, command bool) (list []edited) {
	add := func(path string, temporary bool) {
		if slices.ContainsFunc(list, func(w edited) bool { return w.path == path }) {
			return
		}
		rel, inside := h.inProject(e, path)
		if !h.exempt(rel, path, inside, temporary) {
			list = append(list, edited{path, rel})
		}
	}
	if command {
		for _, one := range h.Tables.Risks.Edited(events.ToolInput(e).Get("command").Text(), e.CWD, h.Home) {
			if one.Path == "" {
				list = append(list, edited{})
				continue
			}
			add(one.Path, one.Class&rule.Temp != 0 || h.Tables.Risks.Temporary(one.Path))
		}
		return list
	}
	paths := h.written(e)
	for _, path := range paths {
		add(path, h.Tables.Risks.Temporary(filepath.ToSlash(path)))
	}
	if len(paths) == 0 {
		list = append(list, edited{})
	}
	return list
}

// exempt reports an edit that needs no port.
func (h *Handlers) exempt(rel, path string, inside, temporary bool) bool {
	for _, one := range strings.Fields(h.Config.String("tracking.exempt")) {
		switch {
		case one == "plans":
			if h.Tables.Verify.Agents != nil && h.Tables.Verify.Plan(filepath.ToSlash(path)) {
				return true
			}
		case one == "scratchpad":
			if temporary && !inside {
				return true
			}
		case port.Fits([]string{one}, rel):
			return true
		}
	}
	return false
}

// shownWrite names a write for people.
func shownWrite(e *hook.Event, w edited) string {
	if w.rel == "" {
		return strings.TrimSpace(term.Text(e.ToolName) + " " + term.Text(term.OneLine(events.ToolInput(e).Get("command").Text(), 60)))
	}
	return term.Text(e.ToolName) + " " + term.Name(w.rel)
}

// refuseEdit is the answer to an edit that belongs to no port where every one has to. The source's own dialect has two suggestions;
// others get the one command that opens a port.
func (h *Handlers) refuseEdit(e *hook.Event, r *port.Room, files []edited) hook.Answer {
	none := h.Tables.Locale.Say(h.Getenv).NoPort
	open, source, next := h.opens(e, r, files[0].rel)
	a := hook.Answer{Decision: hook.Deny, Reason: fmt.Sprintf("%s: %s (tracking.mode is strict)", none, h.mask(shownWrite(e, files[0])))}
	if e.Dialect == hook.Pal {
		a.Suggestions = []string{source, next}
	} else {
		a.Reason += "\n  to open one, then do it again: " + open
	}
	h.untracked.Store(&a)
	return a
}

// portWord is the name of a port for a command line.
func portWord(id string) string {
	if strings.HasPrefix(id, "-") {
		return "-- " + argv.Quote(id)
	}
	return argv.Quote(id)
}

// opens are the command that opens the port of an edit, the same in the words of the source, and where to look for others.
func (h *Handlers) opens(e *hook.Event, r *port.Room, rel string) (open, source, next string) {
	id, title, there := h.proposal(e, r, rel)
	quoted := portWord(id)
	if there {
		return "moai port start " + quoted, "moai hook port-start " + quoted, "moai port ready"
	}
	create := "moai port create " + quoted + " --title " + argv.Quote(title)
	return create + " --start", create + " && moai hook port-start " + quoted, "moai port ready"
}

// block says in the source's dialect that the edit is blocked, once all others have been asked.
func (h *Handlers) block(_ context.Context, e *hook.Event) (hook.Answer, error) {
	a := h.untracked.Load()
	if a == nil || e.Dialect != hook.Pal {
		return hook.Answer{}, nil
	}
	return hook.Answer{Decision: hook.Block, Reason: a.Reason}, nil
}

// tellEdit tells of edits that belong to no port, and writes each down. People and model are told once a turn where somebody has
// asked for it, else once a session.
func (h *Handlers) tellEdit(e *hook.Event, r *port.Room, files []edited) hook.Answer {
	for i, one := range files {
		if i == untrackedFiles {
			break
		}
		h.note(e, shownWrite(e, one), types.UntrackedEdit{Path: one.rel, Tool: e.ToolName})
	}
	none := h.Tables.Locale.Say(h.Getenv).NoPort
	text := none + ": " + h.mask(shownWrite(e, files[0]))
	if n := len(files) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	action := ""
	if h.Config.String("tracking.auto_create") != "off" || e.Dialect == hook.Pal {
		open, source, _ := h.opens(e, r, files[0].rel)
		if action = open; e.Dialect == hook.Pal {
			action = source
		}
	}
	if e.Dialect == hook.Pal { // its source tells each time
		a := hook.Answer{Notifications: []hook.Notification{{Level: "warn", Title: "moai", Message: text, Action: action}}}
		if h.Config.String("tracking.auto_create") != "off" {
			a.Suggestions = []string{action}
		}
		return a
	}
	text = "moai: " + text
	asked, said := h.Config.String("tracking.mode") != "auto", "untracked"
	if asked {
		said = fmt.Sprintf("turn %d", h.who(e).Turn.Number)
	}
	if !h.once(e, said) {
		return hook.Answer{}
	}
	if action != "" {
		text += "\n  to open one: " + action
	}
	if !asked {
		text += h.wayOn(r, files[0].rel)
	}
	return hook.Answer{System: text, Context: []string{text}}
}

// wayOn says which port could be begun, and how to hear no more of it.
func (h *Handlers) wayOn(r *port.Room, rel string) string {
	off := "that no edit needs one: moai config set tracking.mode off"
	board, _ := r.Board(h.now())
	ready := board.Ready()
	if len(ready) == 0 {
		return "\n  " + off
	}
	next := ready[max(slices.IndexFunc(ready, func(s port.Standing) bool { return len(s.Files) > 0 && s.About(rel) }), 0)]
	return "\n  to begin one: moai port start " + portWord(next.ID) + "; " + off
}

// ranUntracked tells of what a command changed that said nothing of it before: builds, formatters, scripts.
func (h *Handlers) ranUntracked(e *hook.Event, changed []string) hook.Answer {
	mode, r := h.tracking(e)
	if mode == "" || len(changed) == 0 {
		return hook.Answer{}
	}
	var files []edited
	for _, path := range changed {
		if rel, inside := h.inProject(e, path); !h.exempt(rel, path, inside, h.Tables.Risks.Temporary(path)) {
			files = append(files, edited{path, rel})
		}
	}
	if len(files) == 0 || h.running(e, &r) != nil {
		return hook.Answer{}
	}
	return h.tellEdit(e, &r, files)
}

// beside tells, once a file, of an edit that the running port is not about, and of another running port that has the same file.
func (h *Handlers) beside(e *hook.Event, r *port.Room, p *port.Port, files []edited) (a hook.Answer) {
	said := func(text string) {
		a.System = addSystem(a.System, []string{text})
		a.Context = append(a.Context, "moai: "+text)
	}
	var others []port.Claim
	asked := false
	for _, one := range files {
		if one.rel == "" {
			continue
		}
		if !p.About(one.rel) && h.once(e, "outside "+p.ID+" "+one.rel) {
			said(fmt.Sprintf("%s is outside of what port %s is about (%s)", term.Name(one.rel), term.Text(p.ID), term.Clip(term.Text(strings.Join(p.Files, " ")), 80)))
		}
		if !asked {
			others, asked = r.Others(e.SessionID, h.now()), true
		}
		for _, c := range others {
			if h.touches(r, c, one) && h.once(e, "shared "+c.Port+" "+one.rel) {
				said(fmt.Sprintf("port %s, which session %s runs, is at %s too", term.Text(c.Port), term.Text(session.Short(c.Session)), term.Name(one.rel)))
			}
		}
	}
	return a
}

// touches reports that a running port has a file: it is about it, or its session has changed it.
func (h *Handlers) touches(r *port.Room, c port.Claim, w edited) bool {
	if p, err := r.Read(c.Port); err == nil && len(p.Files) > 0 && p.About(w.rel) {
		return true
	}
	s := session.Read(h.StateDir, c.Session)
	if s == nil {
		return false
	}
	path := h.hidePath(disk.Real(w.path))
	for _, one := range s.Wrote {
		if one.Path == path && !one.At.Before(c.At) {
			return true
		}
	}
	return false
}

// palPort is a port as the source's dialect has it.
func palPort(p *port.Port) *hook.Port {
	return &hook.Port{ID: p.ID, Title: p.Title, Status: string(port.Running)}
}
