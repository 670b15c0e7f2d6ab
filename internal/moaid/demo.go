package moaid

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/verify"
)

// recording is a recorded day of one project: its events, the records of its sessions, its ports, and what moai answered.
//
//go:embed demo
var recording embed.FS

// played is an event, and when it was, in seconds before the recording ended.
type played struct {
	Before int `json:"before"`
	journal.Event
}

// acting is a session of the recording.
type acting struct {
	ID     string   `json:"id"`
	Tree   string   `json:"tree"` // the folder it works in
	Branch string   `json:"branch"`
	Model  string   `json:"model"`
	TTY    string   `json:"tty"`
	Port   string   `json:"port"`
	Tokens int      `json:"tokens"` // in its window
	Wrote  []string `json:"wrote"`
	Tests  *struct {
		Passed  bool   `json:"passed"`
		Command string `json:"command"`
	} `json:"tests"`
}

// oneByOne is how many seconds before the recording's end the part begins that comes one by one.
const oneByOne = 310

// demo has the server show a recorded day, in folders that are made for it and gone with it: nothing of the user's is
// read or written. What was long ago is there at once, the rest comes one by one.
func (e *env) demo(ctx context.Context) (remove func(), err error) {
	dir, err := os.MkdirTemp("", "moai-demo-")
	if err != nil {
		return nil, fmt.Errorf("make folder of the demo: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	home := filepath.Join(dir, "home")
	e.state, e.project = filepath.Join(home, "state", "moai"), filepath.Join(dir, "ledger")
	e.shut = []string{"HOME=" + home, "USERPROFILE=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config")}
	list, err := events()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	sessions, err := recorded[[]acting]("sessions")
	if err != nil {
		return nil, err
	}
	for i := range sessions {
		if err := e.act(dir, &sessions[i], begun); err != nil {
			return nil, err
		}
	}
	if err := e.ports(begun); err != nil {
		return nil, err
	}
	if e.answers, err = answers(begun); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(p played) bool { return p.Before < oneByOne })
	for i := range list[:at] {
		if err := e.play(&list[i], begun.Add(-time.Duration(list[i].Before)*time.Second)); err != nil {
			return nil, err
		}
	}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(done)
		for i := range list[at:] {
			select {
			case <-ctx.Done():
				return
			case <-time.After(2 * time.Second):
				_ = e.play(&list[at+i], time.Now()) // what fails is not shown
			}
		}
	}()
	return func() { cancel(); <-done; _ = os.RemoveAll(dir) }, nil
}

func recorded[T any](name string) (v T, err error) {
	data, err := recording.ReadFile("demo/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		return v, fmt.Errorf("read the recording: %w", err)
	}
	return v, nil
}

func events() (list []played, err error) {
	data, err := recording.ReadFile("demo/events.jsonl")
	if err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	for in := json.NewDecoder(bytes.NewReader(data)); ; {
		var p played
		switch err := in.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("read the recording: %w", err)
		}
		list = append(list, p)
	}
}

// act makes the record of a session, the folder it works in, and the end of its conversation.
func (e *env) act(dir string, a *acting, now time.Time) error {
	tree := filepath.Join(dir, a.Tree)
	files := map[string]string{
		filepath.Join(tree, ".git", "HEAD"):         "ref: refs/heads/" + a.Branch + "\n",
		filepath.Join(tree, ".git", "objects", "x"): "",
		filepath.Join(tree, ".git", "refs", "x"):    "",
		filepath.Join(dir, a.ID+".jsonl"):           fmt.Sprintf(`{"type":"assistant","message":{"model":"claude-%s","usage":{"input_tokens":%d,"output_tokens":1}}}`+"\n", a.Model, a.Tokens),
	}
	for _, f := range a.Wrote {
		files[filepath.Join(e.project, filepath.FromSlash(f))] = "package x\n"
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("make folder of the demo: %w", err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("write the demo: %w", err)
		}
	}
	err := session.Change(e.state, a.ID, now, func() *session.Session {
		place := session.Place{Dir: tree, WorkTree: tree}
		return &session.Session{
			ID: a.ID, Project: e.project, Start: place, Now: place, Started: now, Seen: now,
			Model: a.Model, TTY: a.TTY, Port: a.Port, Talk: filepath.Join(dir, a.ID+".jsonl"),
		}
	}, func(s *session.Session) bool {
		if a.Tests != nil {
			s.Tested(a.Tests.Command, a.Tests.Passed, now.Add(-4*time.Minute))
		}
		return true
	})
	if err != nil {
		return err
	}
	return verify.Change(e.state, a.ID, e.project, now, func(s *verify.State) bool {
		for _, f := range a.Wrote {
			path := filepath.Join(e.project, filepath.FromSlash(f))
			s.Changed(verify.Edit{Path: path, Sum: verify.Sum(path), Turn: 1, At: now, Tool: "Edit"})
		}
		return true
	})
}

// ports makes the units of work of the recording.
func (e *env) ports(now time.Time) error {
	list, err := recorded[[]struct {
		ID    string   `json:"id"`
		Title string   `json:"title"`
		Needs []string `json:"needs"`
		Done  bool     `json:"done"`
	}]("ports")
	if err != nil {
		return err
	}
	room := port.In(e.state, e.project, false)
	for _, p := range list {
		if err := room.Create(&port.Port{ID: p.ID, Title: p.Title, Status: port.Pending, Needs: p.Needs}, now); err != nil {
			return err
		}
		if !p.Done {
			continue
		}
		if _, err := room.Change(p.ID, func(q *port.Port) error { q.Status, q.Ended = port.Complete, now; return nil }); err != nil {
			return err
		}
	}
	return nil
}

// answers are what moai said in the recording, with times counted from now.
func answers(now time.Time) (map[string]json.RawMessage, error) {
	all, err := recorded[map[string]any]("answers")
	if err != nil {
		return nil, err
	}
	for _, at := range [][3]string{{"turns", "before", "began_at"}, {"turns", "ended", "ended_at"}, {"checkpoints", "before", "time"}} {
		list, _ := all[at[0]].([]any)
		for _, one := range list {
			row, _ := one.(map[string]any)
			if before, ok := row[at[1]].(float64); ok {
				row[at[2]] = now.Add(-time.Duration(before) * time.Second).UTC().Format(time.RFC3339)
				delete(row, at[1])
			}
		}
	}
	said := map[string]json.RawMessage{}
	for name, v := range all {
		if said[name], err = json.Marshal(v); err != nil {
			return nil, fmt.Errorf("read the recording: %w", err)
		}
	}
	return said, nil
}

// play writes an event as if it happened at that time.
func (e *env) play(p *played, at time.Time) error {
	p.Created = at.UTC()
	err := session.Change(e.state, p.Session, at, func() *session.Session {
		return &session.Session{ID: p.Session, Project: e.project, Started: at, Seen: time.Now()}
	}, func(s *session.Session) bool {
		s.Asks = nil // whatever it does, it goes on
		var agent struct {
			ID   string `json:"agent_id"`
			Type string `json:"agent_type"`
		}
		_ = json.Unmarshal(p.Details, &agent) // few have one
		switch p.Type {
		case "user_request":
			s.Turn = session.Turn{Number: p.Turn, Began: at, Prompt: p.Summary}
		case "turn_end":
			s.End("", at)
		case "escalation":
			s.Asks = &session.Question{At: at}
		case "agent_activated":
			s.Begun(agent.ID, agent.Type, "", at)
		case "agent_deactivated":
			s.Finished(agent.ID, at)
		}
		s.Seen = time.Now()
		return true
	})
	if err != nil {
		return err
	}
	return journal.Log{Path: state.JournalPath(e.state, e.project)}.Append(p.Event)
}
