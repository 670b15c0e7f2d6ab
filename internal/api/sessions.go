package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/history"
	"github.com/modu-ai/moai/internal/monitor"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/store"
	"github.com/modu-ai/moai/internal/undo"
	"github.com/modu-ai/moai/internal/verify"
)

// Session is what is known of a session, of its events and of its record.
type Session struct {
	store.Session
	State    string            `json:"state"`    // waiting, working, idle, stale or gone: see session.Doing
	Inferred bool              `json:"inferred"` // nobody said so
	SinceAt  time.Time         `json:"since"`    // when it began to be so
	Client   string            `json:"client"`
	Model    string            `json:"model"`
	Mode     string            `json:"permission_mode"`
	Prompt   string            `json:"prompt"`
	Turn     int               `json:"turn"`
	Tree     string            `json:"worktree"`
	Branch   string            `json:"branch"`
	Port     string            `json:"port_id"`
	Link     *session.Link     `json:"link"`
	Saved    *session.Snapshot `json:"snapshot"`
	Tests    *session.Tests    `json:"tests"`
	Sub      []session.Agent   `json:"agents"`
	Wrote    []session.Write   `json:"wrote"`
	Context  *Context          `json:"context"`    // null where the conversation tells nothing of it
	Runs     *Running          `json:"running"`    // null where no command is known to run
	Asks     []store.Event     `json:"asks"`       // the last questions of a session that waits, the newest first
	Failed   string            `json:"failed"`     // what ended the last turn of an idle session before its time, as the client names it
	NotRun   []string          `json:"not_run"`    // commands of this turn that somebody was asked about, and the session went on without
	Open     []string          `json:"unverified"` // files that nobody else has looked at, relative to the project
}

// Context is how full a session's window is.
type Context struct {
	Tokens int `json:"tokens"`
	Window int `json:"window"` // tokens that the model takes in
}

// Running is a command that a session runs, one that may write: others are not written down.
type Running struct {
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// runs finds the command that began last, where nothing was heard of the session since. A command that a person was asked about and that
// never came back has not run where the session works again: its agent asked, and now does something else.
func (one *Session) runs(open *undo.Open) {
	if one.State != string(session.Working) || open.Closed || open.Turn != one.Turn {
		return
	}
	calls := slices.DeleteFunc(slices.Clone(open.Calls), func(c undo.Call) bool {
		asked := c.Command != "" && slices.Contains(open.Asked, c.ID)
		if asked {
			one.NotRun = append(one.NotRun, c.Command)
		}
		return asked
	})
	if len(calls) == 0 {
		return
	}
	last := calls[len(calls)-1]
	if last.Command != "" && !last.At.Before(one.Last.At().Add(-time.Second)) {
		one.Runs = &Running{last.Command, last.At}
	}
}

// order is how the states of sessions stand below each other.
var order = map[string]int{string(session.Waiting): 0, string(session.Working): 1, string(session.Idle): 2, stale: 3, gone: 4}

const (
	stale = string(session.Quiet)
	gone  = string(session.Gone) // or ended
)

// keptOpen is for how long after a session's end its unverified files are still listed.
const keptOpen = 24 * time.Hour

func (s *Server) sessions(r *http.Request) (any, error) {
	p, err := s.pick(r)
	if err != nil {
		return nil, err
	}
	rows, err := s.Store.Sessions(r.Context(), p)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	list := make([]Session, len(rows))
	branches := map[string]string{}
	trees := map[string]*verify.Tree{} // by project, each looked at once
	for i := range rows {
		one := &list[i]
		*one = Session{Session: rows[i], Asks: []store.Event{}, Sub: []session.Agent{}, Wrote: []session.Write{}, NotRun: []string{}, Open: []string{}}
		record := session.Read(s.Store.StateDir, rows[i].ID)
		one.stands(record, now)
		if err := s.needs(r.Context(), one); err != nil {
			return nil, err
		}
		if record != nil && one.State != gone {
			one.Context = s.window(record)
			open := undo.ReadOpen(s.Store.StateDir, record.ID)
			one.runs(&open)
		}
		if record != nil && (one.State != gone || now.Sub(one.SinceAt) < keptOpen) {
			one.Open = s.unverified(r.Context(), record, trees)
		}
		if one.Tree == "" || one.State == gone {
			continue
		}
		branch, known := branches[one.Tree]
		if !known {
			branch = history.Branch(one.Tree)
			branches[one.Tree] = branch
		}
		one.Branch = branch
	}
	slices.SortStableFunc(list, func(a, b Session) int {
		if a.State != b.State {
			return order[a.State] - order[b.State]
		}
		return cmp.Compare(a.SinceAt.UnixMilli(), b.SinceAt.UnixMilli()) * map[bool]int{true: -1, false: 1}[a.State == gone]
	})
	return list, nil
}

// needs says why a session needs a person: what it asks, or what ended its last turn before its time.
func (s *Server) needs(ctx context.Context, one *Session) (err error) {
	switch one.State {
	case string(session.Waiting):
		one.Asks, err = s.Store.Events(ctx, &store.Pick{Session: one.ID, Types: []string{"escalation", "permission_asked"}, Limit: 4})
	case string(session.Idle):
		last, e := s.Store.Events(ctx, &store.Pick{Session: one.ID, Types: []string{"turn_failed", "turn_end", "user_request"}, Limit: 1})
		var details struct{ Error string }
		if e == nil && len(last) > 0 && last[0].Type == "turn_failed" && json.Unmarshal(last[0].Details, &details) == nil {
			one.Failed = details.Error
		}
		err = e
	}
	return err
}

// stands says in which state a session is, and whether that was told or is concluded.
func (one *Session) stands(record *session.Session, now time.Time) {
	last := one.Last.At()
	one.State, one.Inferred, one.SinceAt = stale, true, last
	if one.Ended != nil && *one.Ended >= one.Last {
		one.State, one.Inferred = gone, false
	}
	if record == nil {
		return
	}
	one.Client, one.Model, one.Mode = record.Client.Name, record.Model, record.Mode
	one.Prompt, one.Turn, one.Tree, one.Port = record.Turn.Prompt, record.Turn.Number, record.Now.Tree(), record.Port
	one.Link, one.Saved, one.Tests = record.Link, record.Snapshot, record.Tests
	one.Sub, one.Wrote = append(one.Sub, record.Agents...), append(one.Wrote, record.Wrote...)
	does := record.Doing(now, last)
	one.State = string(does)
	switch does {
	case session.Doing(session.Over):
		one.State, one.Inferred, one.SinceAt = gone, false, record.Ended
	case session.Doing(session.Gone):
		one.SinceAt = record.Seen
	case session.Waiting:
		one.Inferred, one.SinceAt = false, record.Waits(now)
	case session.Working:
		one.Inferred, one.SinceAt = false, record.Turn.Began
	case session.Idle:
		one.Inferred = record.Turn.Number == 0
		if !record.Turn.Ended.IsZero() {
			one.SinceAt = record.Turn.Ended
		}
	}
}

// window is how full the window of a session is, by the end of its conversation.
func (s *Server) window(record *session.Session) *Context {
	if record.Talk == "" {
		return nil
	}
	main := monitor.ReadMain(record.Talk)
	if main.Tokens == 0 {
		return nil
	}
	return &Context{main.Tokens, monitor.WindowOf(s.Windows, main.Model, main.Tokens)}
}

// unverified are the files of a session that nobody else has looked at, as the end of a turn counts them.
func (s *Server) unverified(ctx context.Context, record *session.Session, trees map[string]*verify.Tree) []string {
	list := []string{}
	if s.Verify == nil {
		return list
	}
	work := verify.Read(s.Store.StateDir, record.ID)
	if work == nil {
		return list
	}
	look := func() *verify.Tree {
		if trees[work.Project] == nil {
			trees[work.Project] = verify.See(ctx, work.Project, s.Store.StateDir, false, work.Began)
		}
		return trees[work.Project]
	}
	for _, p := range work.Waiting(s.Verify, verify.Homes(work.Project, record), look) {
		list = append(list, p.Rel)
	}
	return list
}
