package handle

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/generated/events"
	types "github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/term"
)

// longestPort bounds what the model is told of a port, in characters: it comes with every session.
const longestPort = 400

// Ports is the room of a project's ports.
func Ports(cfg *config.Config, stateDir, root string) port.Room {
	return port.In(stateDir, root, cfg.Bool("ports.shared"))
}

// room is that of an event's project; false where there are no ports, which is found out with one look.
func (h *Handlers) room(e *hook.Event) (port.Room, bool) {
	if !h.Config.Bool("ports.shared") && !port.Anywhere(h.StateDir) {
		return port.Room{}, false
	}
	r := Ports(h.Config, h.StateDir, root(e))
	return r, r.Used()
}

// ports is about the units of work of a project: which one a session runs, and which edits belong to none.
func (h *Handlers) ports(_ context.Context, e *hook.Event) (hook.Answer, error) {
	switch e.Name {
	case "PreToolUse":
		return h.tracked(e), nil
	case "SessionStart":
		return h.portAtStart(e), nil
	case "UserPromptSubmit":
		return h.portAtPrompt(e), nil
	case "TaskCreated", "TaskCompleted":
		h.portTask(e)
	}
	return hook.Answer{}, nil
}

// running is the port that the session of an event runs, nil for none.
func (h *Handlers) running(e *hook.Event, r *port.Room) *port.Port {
	s := h.who(e)
	if r.Runs(s.Port, s.ID) == nil {
		return nil
	}
	p, err := r.Read(s.Port)
	if err != nil { // its file is gone, or broken: the claim counts, and there is nothing to be told of it
		h.Log.Info("port not read", "err", err)
		return &port.Port{ID: s.Port, Title: s.Port}
	}
	if p.Over() {
		return nil
	}
	return p
}

// portAtStart takes up the port of the session from which this one comes, and tells the model where it stands.
func (h *Handlers) portAtStart(e *hook.Event) hook.Answer {
	r, used := h.room(e)
	if !used {
		if h.Config.String("tracking.mode") != "strict" || events.AgentID(e) != "" {
			return hook.Answer{}
		}
		r = Ports(h.Config, h.StateDir, root(e))
	}
	if source := events.Source(e); (source == "clear" || source == "resume") && !h.DryRun && used {
		h.adopt(e, &r)
	}
	p := h.running(e, &r)
	if p != nil {
		h.remember(e.SessionID, root(e), func(m *memory) bool { m.Port = p.ID; return true })
		return hook.Answer{Context: []string{h.aboutPort(&r, p, h.userFolder(h.settingsFolder(e)))}}
	}
	text := h.aboutReady(&r)
	if text == "" {
		return hook.Answer{}
	}
	return hook.Answer{Context: []string{text}}
}

// adopt has a new session that goes on with another one go on with its port.
func (h *Handlers) adopt(e *hook.Event, r *port.Room) {
	s := h.who(e)
	if !h.isNew() { // one that is taken up again under its own id has what it had
		return
	}
	from := ""
	if s.Link != nil {
		from = s.Link.Parent
	}
	c, err := r.Adopt(ClaimOf("", s), from, h.now().UTC())
	if err != nil || c == nil {
		if err != nil {
			h.Log.Warn("port not taken up", "err", err)
		}
		return
	}
	h.learn(e, func(s *session.Session) { s.Port = c.Port })
	h.note(e, "port "+c.Port+" goes on in this session", types.PortStart{PortID: c.Port})
}

// ClaimOf is what a session would claim a port with.
func ClaimOf(id string, s *session.Session) port.Claim {
	c := port.Claim{Port: id, Session: s.ID, WorkTree: s.Now.Tree(), Turn: s.Turn.Number}
	if r, err := repo.Open(s.Now.Dir); err == nil {
		c.Branch, _, _ = headline(r)
		if head, err := r.Head(); err == nil && !head.Unborn {
			c.Head = head.Hash.String()
		}
	}
	return c
}

// aboutPort tells the model of the port that it works on.
func (h *Handlers) aboutPort(r *port.Room, p *port.Port, folder string) string {
	text := fmt.Sprintf("This session runs port %s", term.Text(p.ID))
	if p.Title != p.ID && p.Title != "" {
		text += fmt.Sprintf(": %q", term.Clip(term.Text(p.Title), 120))
	}
	if len(p.Files) > 0 {
		text += ", about " + term.Clip(term.Text(strings.Join(p.Files, " ")), 80)
	}
	text += ". When it is done: moai port end"
	board, _ := r.Board(h.now())
	open := []string{}
	for _, s := range board.Children(p.ID) {
		if !s.Over() {
			open = append(open, term.Text(s.ID))
		}
	}
	for _, t := range h.PortTasks(r, p.ID, folder) {
		if !t.Done {
			open = append(open, term.Text(t.Subject))
		}
	}
	if len(open) > 0 {
		text += ". Open in it: " + strings.Join(open, "; ")
	}
	return term.Clip(text, longestPort)
}

// aboutReady tells the model which ports somebody could begin, where edits are to belong to one.
func (h *Handlers) aboutReady(r *port.Room) string {
	mode := h.Config.String("tracking.mode")
	if mode == "off" {
		return ""
	}
	board, _ := r.Board(h.now())
	var ready []string
	for _, s := range board.Ready() {
		ready = append(ready, term.Text(s.ID))
	}
	text := "Edits in this project belong to ports, and this session runs none"
	switch {
	case len(ready) > 0:
		text += ". Ready: " + term.Clip(strings.Join(ready, ", "), 200) + ". To begin: moai port start ID"
	case mode == "strict":
		text += ". To begin: moai port create ID --title TITLE --start"
	default:
		return ""
	}
	return term.Clip(text, longestPort)
}

// shownPort is the port that the session of an event runs, for people; "" for none.
func (h *Handlers) shownPort(e *hook.Event) string {
	r, used := h.room(e)
	if !used {
		return ""
	}
	p := h.running(e, &r)
	switch {
	case p == nil:
		return ""
	case p.Title == "" || p.Title == p.ID:
		return term.Text(p.ID)
	}
	return term.Text(p.ID) + ", " + term.Text(p.Title)
}

// portAtPrompt tells the model once of a port that was started or ended beside it.
func (h *Handlers) portAtPrompt(e *hook.Event) hook.Answer {
	if !h.prompted(e) || h.who(e).Port == "" {
		return hook.Answer{}
	}
	r, used := h.room(e)
	if !used {
		return hook.Answer{}
	}
	p := h.running(e, &r)
	if p == nil || h.recallSession(e.SessionID).Port == p.ID {
		return hook.Answer{}
	}
	h.remember(e.SessionID, root(e), func(m *memory) bool { m.Port = p.ID; return true })
	return hook.Answer{Context: []string{h.aboutPort(&r, p, h.userFolder(h.settingsFolder(e)))}}
}

// PortTasks are the tasks that were made while a port ran, as they stand in the client's own files now, or as its events told
// where it keeps none any more. Folder is the client's own at home.
func (h *Handlers) PortTasks(r *port.Room, id, folder string) (list []port.Task) {
	files := map[string][]task{}
	for _, t := range r.Work(id).Tasks {
		if _, read := files[t.Session]; !read {
			files[t.Session] = taskFiles(filepath.Join(folder, "tasks"), t.Session)
		}
		i := slices.IndexFunc(files[t.Session], func(f task) bool { return f.ID == t.ID })
		if i >= 0 {
			f := &files[t.Session][i]
			if f.Status == taskGone {
				continue
			}
			t.Subject, t.Done = orText(h.taskWords(f.Subject), t.Subject), f.Status == taskDone
		}
		list = append(list, t)
	}
	return list
}

// portTask keeps a task of the client's own list with the port during which it was made.
func (h *Handlers) portTask(e *hook.Event) {
	r, used := h.room(e)
	id := h.head(events.TaskID(e))
	if !used || h.DryRun || id == "" {
		return
	}
	if p := h.running(e, &r); p != nil {
		t := port.Task{Session: e.SessionID, ID: id, Subject: h.head(events.TaskSubject(e)), Done: e.Name == "TaskCompleted"}
		if err := r.Track(p.ID, t); err != nil {
			h.Log.Warn("task not kept", "err", err)
		}
	}
}

// Begun is what came of a start.
type Begun struct {
	Port  *port.Port
	Lost  *port.Claim // the session that had it, and was silent
	Aside string      // the port that this session ran until now
}

// StartPort has a session run a port; one that it ran before waits again. The session's own record is for the caller to write.
func StartPort(r *port.Room, s *session.Session, id string, now time.Time) (b Begun, err error) {
	if b.Port, b.Lost, err = r.Start(ClaimOf(id, s), now); err != nil {
		return b, err
	}
	if b.Lost != nil {
		ForgetPort(r.StateDir, b.Lost.Session, id, now)
	}
	if s.Port != "" && s.Port != id && r.Runs(s.Port, s.ID) != nil {
		b.Aside = s.Port
		err = r.Leave(s.Port, s.ID, s.Turn.Number, now)
	}
	return b, err
}

// ForgetPort takes a port out of the record of a session that runs it no more. Trouble there costs a word in a list.
func ForgetPort(stateDir, sessionID, id string, now time.Time) {
	s := session.Read(stateDir, sessionID)
	if s == nil || s.Port != id {
		return
	}
	seen := s.Seen
	_ = session.Change(stateDir, sessionID, seen, func() *session.Session { return s }, func(s *session.Session) bool {
		s.Port = ""
		return true
	})
	session.Silenced(stateDir, sessionID, seen)
}

// relativeTo is a path as patterns have it; false for one outside of the project.
func (h *Handlers) inProject(e *hook.Event, path string) (rel string, inside bool) {
	for _, dir := range h.homes(e) {
		if rel, err := filepath.Rel(dir, disk.Real(path)); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return filepath.ToSlash(path), false
}

// proposal is the port that an edit could belong to: one that is ready and about the file, else a new one, named by the file and
// by what the user asked for.
func (h *Handlers) proposal(e *hook.Event, r *port.Room, rel string) (id, title string, there bool) {
	board, _ := r.Board(h.now())
	for _, s := range board.Ready() {
		if len(s.Files) > 0 && s.About(rel) {
			return s.ID, s.Title, true
		}
	}
	base := filepath.Base(h.mask(rel))
	id = port.Slug(strings.TrimSuffix(base, filepath.Ext(base)))
	title = h.head(h.who(e).Turn.Prompt)
	if title == "" {
		title = strings.TrimSpace(e.ToolName + " " + rel)
	}
	if id == "" {
		if id = port.Slug(term.Clip(title, 30)); id == "" {
			id = "work"
		}
	}
	for name, n := id, 2; board.Of(id) != nil; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	return id, term.Clip(title, 60), false
}

var errLost = errors.New("nobody runs it")

// autoStart creates and starts the port of an edit, once a turn.
func (h *Handlers) autoStart(e *hook.Event, r *port.Room, rel string) (*port.Port, error) {
	s := h.who(e)
	if m := h.recallSession(e.SessionID); s.ID == "" || m.AutoPort == s.Turn.Number+1 || h.DryRun {
		return nil, errLost
	}
	id, title, there := h.proposal(e, r, rel)
	now := h.now().UTC()
	if !there {
		if err := r.Create(&port.Port{ID: id, Title: title}, now); err != nil {
			return nil, err
		}
	}
	b, err := StartPort(r, s, id, now)
	if err != nil {
		return nil, err
	}
	h.learn(e, func(s *session.Session) { s.Port = id })
	h.remember(e.SessionID, root(e), func(m *memory) bool { m.AutoPort, m.Port = s.Turn.Number+1, id; return true })
	h.note(e, "port "+id+": "+title, types.PortStart{PortID: id})
	return b.Port, nil
}

// once remembers that something about a port was said; false if it was before.
func (h *Handlers) once(e *hook.Event, what string) bool {
	first := !slices.Contains(h.recallSession(e.SessionID).Ports, what)
	if first {
		h.remember(e.SessionID, root(e), func(m *memory) bool {
			m.Ports = append(m.Ports, what)
			if over := len(m.Ports) - keepPorts; over > 0 {
				m.Ports = slices.Delete(m.Ports, 0, over)
			}
			return true
		})
	}
	return first
}
