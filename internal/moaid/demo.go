package moaid

import (
	"bufio"
	"bytes"
	"context"
	_ "embed" // the recorded session
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
)

//go:embed demo.jsonl
var recorded []byte

// played is a line of the recording: an event, and when it was, in seconds before the recording ended.
type played struct {
	Before int `json:"before"`
	journal.Event
}

// demo has the server show a recorded session, in folders that are made for it and gone with it: nothing of the user's is
// read or written. What was long ago is there at once, the rest comes one by one.
func (e *env) demo(ctx context.Context) (remove func(), err error) {
	dir, err := os.MkdirTemp("", "moai-demo-")
	if err != nil {
		return nil, fmt.Errorf("make folder of the demo: %w", err)
	}
	e.state, e.project = dir+"/state", dir+"/shop"
	if err := os.MkdirAll(e.project, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of the demo: %w", err)
	}
	var list []played
	for in := bufio.NewScanner(bytes.NewReader(recorded)); in.Scan(); {
		var p played
		if err := json.Unmarshal(in.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("read the recording: %w", err)
		}
		list = append(list, p)
	}
	at := len(list) * 3 / 4
	for i := range list[:at] {
		if err := e.play(&list[i], time.Now().Add(-time.Duration(list[i].Before)*time.Second)); err != nil {
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

// play writes an event as if it happened at that time.
func (e *env) play(p *played, at time.Time) error {
	p.Created = at.UTC()
	err := session.Change(e.state, p.Session, at, func() *session.Session {
		place := session.Place{Dir: e.project, WorkTree: e.project}
		return &session.Session{ID: p.Session, Project: e.project, Start: place, Now: place, Started: at, Seen: time.Now(), Model: "sonnet"}
	}, func(s *session.Session) bool {
		switch p.Type {
		case "user_request":
			s.Turn = session.Turn{Number: p.Turn, Began: at, Prompt: p.Summary}
		case "turn_end":
			s.End("", at)
		}
		s.Seen = time.Now()
		return true
	})
	if err != nil {
		return err
	}
	return journal.Log{Path: state.JournalPath(e.state, e.project)}.Append(p.Event)
}
