package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// questions are what only moai can tell: it is asked, as a person would, and the page shows the answer.
var questions = []struct {
	name string
	args string
	of   []about // what the question is about, as arguments
	text bool    // the answer is no JSON but a patch
}{
	{name: "status", args: "status"},
	{name: "doctor", args: "doctor"},
	{name: "detect", args: "detect"},
	{name: "specs", args: "spec list"},
	{name: "progress", args: "spec progress"},
	{name: "tags", args: "tags verify"},
	{name: "chains", args: "tags list --definitions"},
	{name: "verify", args: "verify status", of: []about{ofTheSession}},
	{name: "board", args: "port board"},
	{name: "port", args: "port show", of: []about{thePort}},
	{name: "turns", args: "undo --list"},
	{name: "undo", args: "undo --dry-run", of: []about{ofTheSession, backTo}},
	{name: "lines", args: "undo --patch", of: []about{ofTheSession, backTo}, text: true},
	{name: "checkpoints", args: "checkpoint list"},
	{name: "usage", args: "checkpoint usage"},
	{name: "plan", args: "checkpoint restore --dry-run", of: []about{theCheckpoint}},
	{name: "check", args: "risk check", of: []about{theCommand}},
	{name: "rule", args: "risk show", of: []about{theRule}},
	{name: "diff", args: "checkpoint diff", of: []about{theCheckpoint}, text: true},
}

func questionNames() string {
	names := make([]string, len(questions))
	for i := range questions {
		names[i] = questions[i].name
	}
	return strings.Join(names, ", ")
}

// about reads what a question is about, and gives the arguments that say so.
type about func(url.Values) ([]string, error)

func theCheckpoint(q url.Values) ([]string, error) {
	name, err := checkpoint(q.Get("checkpoint"))
	return []string{"--", name}, err
}

// theCommand is a command line that is only judged.
func theCommand(q url.Values) ([]string, error) {
	text := q.Get("command")
	if text == "" || len(text) > 16<<10 || strings.Contains(text, "\x00") {
		return nil, &answerError{http.StatusBadRequest, "that is no command line"}
	}
	return []string{"--", text}, nil
}

// theRule is the name of one.
func theRule(q url.Values) ([]string, error) {
	id := q.Get("rule")
	if !ruleName.MatchString(id) {
		return nil, &answerError{http.StatusBadRequest, "that is no name of a rule"}
	}
	return []string{"--", id}, nil
}

var ruleName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,100}$`)

// thePort is a port by its id, which is any text of one line.
func thePort(q url.Values) ([]string, error) {
	id := q.Get("port")
	if id == "" || len(id) > maxPortID || strings.ContainsAny(id, "\x00\n") {
		return nil, &answerError{http.StatusBadRequest, "that names no port"}
	}
	return []string{"--", id}, nil
}

// maxPortID bounds what is taken for the id of a port, in bytes.
const maxPortID = 1600

func ofTheSession(q url.Values) ([]string, error) { return option("--session", q.Get("session")) }
func backTo(q url.Values) ([]string, error)       { return option("--to", q.Get("to")) }

// option is an option with the value that somebody gave, nothing without one.
func option(name, value string) ([]string, error) {
	if len(value) > 300 || strings.ContainsAny(value, "\x00\n") {
		return nil, &answerError{http.StatusBadRequest, "that is no value of " + name}
	}
	if value == "" {
		return nil, nil
	}
	return []string{name + "=" + value}, nil
}

// checkpoint is a name that is no option and no path.
func checkpoint(name string) (string, error) {
	if name == "" || len(name) > 300 || strings.ContainsAny(name, " \x00\n") || strings.HasPrefix(name, "-") || strings.Contains(name, "..") {
		return "", &answerError{http.StatusBadRequest, "that is no name of a checkpoint"}
	}
	return name, nil
}

// maxAnswer bounds what is taken from moai.
const maxAnswer = 16 << 20

func (s *Server) ask(r *http.Request) (any, error) {
	for _, q := range questions {
		if q.name != r.PathValue("id") {
			continue
		}
		if said, ok := s.Answers[q.name]; ok {
			return said, nil
		}
		root, err := s.root(r)
		if err != nil {
			return nil, err
		}
		args := strings.Fields(q.args)
		if !q.text {
			args = append(args, "--json")
		}
		for _, of := range q.of {
			one, err := of(r.URL.Query())
			if err != nil {
				return nil, err
			}
			args = append(args, one...)
		}
		if q.text {
			text, err := s.output(r.Context(), root, args)
			return Patch{strings.ToValidUTF8(string(text), "\ufffd")}, err
		}
		answer, err := s.run(r.Context(), root, args)
		if err == nil && q.name == "status" {
			s.gaps.saw(r.URL.Query().Get("project"), answer, time.Now())
		}
		return answer, err
	}
	return nil, &answerError{http.StatusNotFound, "that is nothing that moai is asked"}
}

// errRecorded refuses to change what is only shown.
var errRecorded = &answerError{http.StatusForbidden, "this is a recorded session: nothing in it can be changed"}

// Restore says what is to be brought back.
type Restore struct {
	Project    string `json:"project"`
	Checkpoint string `json:"checkpoint"`
	DeleteNew  bool   `json:"delete_new"`
	Refs       bool   `json:"refs"`
}

func (s *Server) restore(r *http.Request) (any, error) {
	var want Restore
	if err := body(r, &want); err != nil {
		return nil, err
	}
	named, err := checkpoint(want.Checkpoint)
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
	return s.change(r, want.Project, nil, append(args, "--", named))
}

// Undo says whose turns are to be taken back, and how far: to before one of them, as its id says, or the last one alone.
type Undo struct {
	Project string `json:"project"`
	Session string `json:"session"`
	To      string `json:"to"`
	Redo    bool   `json:"redo"`    // bring again what was taken back last
	Running bool   `json:"running"` // also while a session is in the middle of a turn there, as the plan says
}

func (s *Server) undo(r *http.Request) (any, error) {
	var want Undo
	if err := body(r, &want); err != nil {
		return nil, err
	}
	if want.Session == "" {
		return nil, &answerError{http.StatusBadRequest, "say of which session"}
	}
	args := strings.Fields("undo --json --yes")
	if want.Redo {
		args, want.To = append(args, "redo"), ""
	}
	for _, o := range [][2]string{{"--session", want.Session}, {"--to", want.To}} {
		one, err := option(o[0], o[1])
		if err != nil {
			return nil, err
		}
		args = append(args, one...)
	}
	return s.change(r, want.Project, want.planned, append(slices.Clone(args), "--dry-run"), args)
}

// planned gives an error where a plan is about another session than was named, since moai takes the beginning of an id as well, or says
// that a session is in the middle of a turn: it goes on with the files.
func (u *Undo) planned(plan any) error {
	var told struct{ Session, Running string }
	raw, ok := plan.(json.RawMessage)
	switch {
	case !ok || json.Unmarshal(raw, &told) != nil || told.Session != u.Session:
		return &answerError{http.StatusNotFound, "there is no session " + strconv.Quote(u.Session) + "; a change names one by its whole id"}
	case told.Running != "" && !u.Running:
		return &answerError{http.StatusConflict, "session " + told.Running + " is in the middle of a turn and goes on with the files: running says that this is meant"}
	}
	return nil
}

// moves are the ways to move a port, and moai's words for them. To run one is a session's own: no page can.
var moves = []struct {
	name, args string
	why        bool // it takes a reason
}{
	{name: "block", args: "port block", why: true},
	{name: "unblock", args: "port block --undo"},
	{name: "drop", args: "port drop", why: true},
	{name: "reopen", args: "port edit --reopen"},
	{name: "end", args: "port end"},
}

// Move says how a port is to stand.
type Move struct {
	Project string `json:"project"`
	Port    string `json:"port"`
	Move    string `json:"move"`
	Why     string `json:"why"`
}

func (s *Server) movePort(r *http.Request) (any, error) {
	var want Move
	if err := body(r, &want); err != nil {
		return nil, err
	}
	if want.Port == "" || len(want.Port) > maxPortID || len(want.Why) > 2000 || strings.ContainsAny(want.Port+want.Why, "\x00\n") {
		return nil, &answerError{http.StatusBadRequest, "that names no port, or gives no reason of one line"}
	}
	for _, m := range moves {
		if m.name != want.Move {
			continue
		}
		args := append(strings.Fields(m.args), "--json", "--yes", "--", want.Port)
		if m.why && want.Why != "" {
			args = append(args, want.Why)
		}
		return s.change(r, want.Project, nil, args)
	}
	return nil, &answerError{http.StatusBadRequest, "that is no move of a port"}
}

// change has moai change a project. Where there are several commands, all but the last are plans: the next one runs only where
// planned has nothing against them. The request does not bound it, since a restore must not stop in the middle when somebody closes the page.
func (s *Server) change(r *http.Request, project string, planned func(plan any) error, commands ...[]string) (done any, err error) {
	if s.Feed.Me.Demo {
		return nil, errRecorded
	}
	root, err := s.rootOf(r, project)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 5*time.Minute)
	defer cancel()
	leave, err := s.changing.enter(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	for i, args := range commands {
		if i > 0 {
			if err := planned(done); err != nil {
				return nil, err
			}
		}
		if done, err = s.run(ctx, root, args); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// run has moai answer in a project, as JSON.
func (s *Server) run(ctx context.Context, root string, args []string) (any, error) {
	out, err := s.output(ctx, root, args)
	if !json.Valid(out) {
		return nil, err
	}
	var refused struct{ Error, Hint string }
	if err != nil && json.Unmarshal(out, &refused) == nil && refused.Error != "" {
		status := http.StatusConflict
		if no, ok := errors.AsType[*answerError](err); ok {
			status = no.status
		}
		return nil, &answerError{status, strings.TrimSuffix(refused.Error+"; "+refused.Hint, "; ")}
	}
	return json.RawMessage(out), nil
}

// output is what moai prints in a project, and its words where it failed.
func (s *Server) output(ctx context.Context, root string, args []string) ([]byte, error) {
	if fi, err := os.Stat(root); root != "" && (err != nil || !fi.IsDir()) {
		return nil, &answerError{http.StatusNotFound, "the folder " + root + " is gone: only the journal still tells of it"}
	}
	c := exec.CommandContext(ctx, s.Moai, args...)
	c.Dir, c.Env = root, s.Env
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
	status := http.StatusBadGateway
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		switch ended.ExitCode() {
		case 1: // moai's answer no: what is asked about is not there
			status = http.StatusNotFound
		case 2:
			status = http.StatusBadRequest
		}
	}
	return out.Bytes(), &answerError{status, text}
}
