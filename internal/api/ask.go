package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"time"
)

// questions are what only moai can tell: it is asked, as a person would, and the page shows the answer.
var questions = []struct {
	name string
	args string
	of   bool // of a checkpoint
	text bool // the answer is no JSON but a patch
}{
	{"status", "status", false, false},
	{"doctor", "doctor", false, false},
	{"detect", "detect", false, false},
	{"specs", "spec list", false, false},
	{"tags", "tags verify", false, false},
	{"verify", "verify status", false, false},
	{"board", "port board", false, false},
	{"checkpoints", "checkpoint list", false, false},
	{"plan", "checkpoint restore --dry-run", true, false},
	{"diff", "checkpoint diff", true, true},
}

func questionNames() string {
	names := make([]string, len(questions))
	for i := range questions {
		names[i] = questions[i].name
	}
	return strings.Join(names, ", ")
}

// Restore says what is to be brought back.
type Restore struct {
	Project    string `json:"project"`
	Checkpoint string `json:"checkpoint"`
	DeleteNew  bool   `json:"delete_new"`
	Refs       bool   `json:"refs"`
}

// maxAnswer bounds what is taken from moai.
const maxAnswer = 16 << 20

func (s *Server) ask(r *http.Request) (any, error) {
	for _, q := range questions {
		if q.name != r.PathValue("id") {
			continue
		}
		root, err := s.root(r)
		if err != nil {
			return nil, err
		}
		args := strings.Fields(q.args)
		if !q.text {
			args = append(args, "--json")
		}
		if q.of {
			named, err := checkpoint(r.URL.Query().Get("checkpoint"))
			if err != nil {
				return nil, err
			}
			args = append(args, "--", named)
		}
		if q.text {
			text, err := s.output(r.Context(), root, args)
			return Patch{strings.ToValidUTF8(string(text), "\ufffd")}, err
		}
		return s.run(r.Context(), root, args)
	}
	return nil, &answerError{http.StatusNotFound, "that is nothing that moai is asked"}
}

// checkpoint is a name that is no option and no path.
func checkpoint(name string) (string, error) {
	if name == "" || len(name) > 300 || strings.ContainsAny(name, " \x00\n") || strings.HasPrefix(name, "-") || strings.Contains(name, "..") {
		return "", &answerError{http.StatusBadRequest, "that is no name of a checkpoint"}
	}
	return name, nil
}

func (s *Server) restore(r *http.Request) (any, error) {
	if s.Feed.Me.Demo {
		return nil, &answerError{http.StatusForbidden, "this is a recorded session: there is nothing to bring back"}
	}
	var want Restore
	if err := body(r, &want); err != nil {
		return nil, err
	}
	named, err := checkpoint(want.Checkpoint)
	if err != nil {
		return nil, err
	}
	root, err := s.rootOf(r, want.Project)
	if err != nil {
		return nil, err
	}
	args := strings.Fields("checkpoint restore --json --yes")
	if want.DeleteNew {
		args = append(args, "--delete-new")
	}
	if want.Refs {
		args = append(args, "--refs")
	}
	// Not bound to the request: who closes the page must not stop a restore in the middle.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 5*time.Minute)
	defer cancel()
	return s.run(ctx, root, append(args, "--", named))
}

// run has moai answer in a project, as JSON.
func (s *Server) run(ctx context.Context, root string, args []string) (any, error) {
	out, err := s.output(ctx, root, args)
	if json.Valid(out) {
		return json.RawMessage(out), nil // an answer no is one, too
	}
	return nil, err
}

// output is what moai prints in a project, and its words where it failed.
func (s *Server) output(ctx context.Context, root string, args []string) ([]byte, error) {
	c := exec.CommandContext(ctx, s.Moai, args...)
	c.Dir = root
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if out.Len() > maxAnswer {
		return nil, &answerError{http.StatusBadGateway, "moai's answer is too long"}
	}
	if err == nil {
		return out.Bytes(), nil
	}
	text := strings.TrimSpace(errs.String())
	if text == "" {
		text = err.Error()
	}
	return out.Bytes(), &answerError{http.StatusBadGateway, text}
}
