package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/internal/history"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/store"
)

// route is one question. The description in /openapi.json is made from it, so that it cannot say anything else.
type route struct {
	method, path, text string
	params             []param
	answer             func(*Server, *http.Request) (any, error)
	body, gives        any // of what types the request and the answer are
	raw                func(*Server, http.ResponseWriter, *http.Request)
	kind               string // of a raw answer
	open               bool   // the cookie is enough
}

// param is one parameter.
type param struct {
	name, in, text string
	whole          bool // a number
	must           bool // without it there is no answer
}

// several may be given more than once.
func (p *param) several() bool { return p.name == ofType.name }

var (
	ofProject = param{name: "project", in: "query", text: "the key of a project, as /api/projects has it"}
	inProject = param{name: "project", in: "query", text: ofProject.text, must: true}
	ofSession = param{name: "session", in: "query", text: "the id of a session"}
	ofTurn    = param{name: "turn", in: "query", text: "the number of a turn of the session", whole: true}
	ofType    = param{name: "type", in: "query", text: "a type of events; may be given several times"}
	since     = param{name: "since", in: "query", text: "from this time on, in the form of RFC 3339"}
	before    = param{name: "before", in: "query", text: "older than this number (seq), or this time in milliseconds where rows have none", whole: true}
	limit     = param{name: "limit", in: "query", text: "no more than so many; 1000 is the most, and what counts without it", whole: true}
	inPath    = param{name: "id", in: "path", text: "the id", must: true}
	picks     = []param{ofProject, ofSession, ofTurn, ofType, since, before, limit}
)

const streamPath = "/api/events/stream"

// all are the routes; openapi reads them, too.
func all() []route {
	return []route{
		{method: "GET", path: "/api/me", text: "This server, and the token that changes need", answer: (*Server).me, gives: Me{}},
		{method: "GET", path: proofPath, text: "What a page has to answer with its key", answer: (*Server).challenge, gives: Challenge{}, open: true},
		{method: "POST", path: proofPath, text: "The answer, for what a page says with each request", body: Proof{}, answer: (*Server).prove, gives: Proved{}, open: true},
		{method: "GET", path: "/api/projects", text: "Projects that have a journal", answer: (*Server).projects, gives: []store.Project{}},
		{method: "GET", path: "/api/types", text: "Types of events, and how they are told", answer: (*Server).types, gives: []Type{}},
		{method: "GET", path: "/api/sessions", text: "Sessions, those first that wait for somebody", params: picks, answer: (*Server).sessions, gives: []Session{}},
		{method: "GET", path: "/api/events", text: "Events, the newest first", params: picks, answer: picked((*store.Store).Events), gives: []store.Event{}},
		{method: "GET", path: streamPath, text: "Events as they come: server-sent events by the name session.event, or by their types with as=type", params: []param{
			ofProject, ofSession, ofType,
			{name: "as", in: "query", text: "type: events have the names of their types"},
			{name: lastHeader, in: "header", text: "the id that the stream gave the last event that the reader has: it goes on behind it"},
			{name: "after", in: "query", text: "the same, where a reader cannot set the header " + lastHeader},
			{name: "key", in: "query", text: "what a page was given for its proof, where it cannot set the header " + keyHeader},
		}, raw: (*Server).stream, kind: "text/event-stream"},
		{method: "GET", path: "/api/events/{id}", text: "One event", params: []param{inPath}, answer: (*Server).event, gives: store.Event{}},
		{method: "GET", path: "/api/turns", text: "Turns, the newest first", params: picks, answer: picked((*store.Store).Turns), gives: []store.Turn{}},
		{method: "GET", path: "/api/decisions", text: "What the guard decided, the newest first", params: picks, answer: picked((*store.Store).Decisions), gives: []store.Decision{}},
		{method: "GET", path: "/api/agents", text: "Runs of sub-agents, the newest first", params: picks, answer: picked((*store.Store).Agents), gives: []store.Agent{}},
		{method: "GET", path: "/api/files", text: "What turns did to files, the newest first", params: picks, answer: picked((*store.Store).Files), gives: []store.File{}},
		{method: "GET", path: "/api/verifications", text: "Looks at work, and ends of turns without one", params: picks, answer: picked((*store.Store).Verifications), gives: []store.Verification{}},
		{method: "GET", path: "/api/ports", text: "Units of work", params: []param{ofProject}, answer: picked((*store.Store).Ports), gives: []store.Port{}},
		{method: "GET", path: "/api/stats", text: "Sums", params: []param{ofProject, ofSession, since}, answer: (*Server).stats, gives: store.Stats{}},
		{method: "GET", path: "/api/commits", text: "Commits of a project, the newest first", params: []param{inProject, since}, answer: inTurn((*Server).commits), gives: []history.Commit{}},
		{method: "GET", path: "/api/commits/{id}", text: "What a commit changed", params: []param{inPath, inProject}, answer: inTurn((*Server).patch), gives: Patch{}},
		{method: "GET", path: "/api/diff", text: "What two commits differ in, such as the snapshots of a turn", params: []param{
			inProject, {name: "from", in: "query", text: "the hash of a commit"}, {name: "to", in: "query", text: "the hash of a commit; without it, the files as they are now"},
		}, answer: inTurn((*Server).diff), gives: Patch{}},
		{method: "GET", path: "/api/gaps", text: "Times without a guard, as far as this server was asked how it stands, the newest first", params: []param{ofProject}, answer: (*Server).gapsSeen, gives: []Gap{}},
		{method: "GET", path: "/api/left", text: "Processes that began in a project since then, without a terminal, and still run (Linux)", params: []param{inProject, ofSession, since}, answer: (*Server).left, gives: []Left{}},
		{method: "GET", path: "/api/blame", text: "The commit that touched each line of a file last, and the turn whose command made it", params: []param{inProject, {name: "path", in: "query", text: "a file of the project"}}, answer: inTurn((*Server).blame), gives: []Line{}},
		{method: "GET", path: "/api/ask/{id}", text: "What moai itself answers: " + questionNames(), params: []param{
			inPath, inProject,
			{name: "checkpoint", in: "query", text: "the name of a checkpoint"},
			ofSession,
			{name: "to", in: "query", text: "the id of a turn, as the question turns gives it"},
			{name: "port", in: "query", text: "the id of a port, for the question port"},
			{name: "command", in: "query", text: "a command line, for the question check: it is judged, and not run"},
		}, answer: (*Server).ask, gives: json.RawMessage{}},
		{method: "POST", path: "/api/restore", text: "Bring a project back to a checkpoint; moai saves what is there first", body: Restore{}, answer: (*Server).restore, gives: json.RawMessage{}},
		{method: "POST", path: "/api/undo", text: "Take back what a session's turns did, or bring it again; what others changed since stays", body: Undo{}, answer: (*Server).undo, gives: json.RawMessage{}},
		{method: "POST", path: "/api/port", text: "Move a port: block, unblock, drop, reopen or end it", body: Move{}, answer: (*Server).movePort, gives: json.RawMessage{}},
		{method: "GET", path: "/openapi.json", text: "This description", answer: (*Server).openapi, gives: json.RawMessage{}},
		{method: "GET", path: "/metrics", text: "Sums in the form of Prometheus", params: []param{ofProject, ofSession, since}, raw: (*Server).metrics, kind: "text/plain"},
	}
}

// Me is what a page needs to know of the server.
type Me struct {
	Token   string `json:"token"`   // for changes
	Build   string `json:"build"`   // of moai
	Project string `json:"project"` // the one in which serve was started
	Seq     int64  `json:"seq"`     // of the last event
	Skipped int64  `json:"skipped"` // lines of journals that could not be read
	Demo    bool   `json:"demo"`
}

// Patch is what a commit changed.
type Patch struct {
	Patch string `json:"patch"`
}

func (s *Server) me(r *http.Request) (any, error) {
	seq, err := s.Store.Last(r.Context())
	me := s.Feed.Me
	if err != nil {
		return nil, err
	}
	me.Token, me.Seq = s.derive("write"), seq
	me.Skipped, err = s.Store.Skipped(r.Context())
	return me, err
}

// Type is how events of a type are told.
type Type struct {
	Name   string `json:"type"`
	Text   string `json:"description"`
	Title  string `json:"title"`
	Korean string `json:"korean"` // the title in Korean
	Shows  string `json:"shows"`  // what is told behind the title, with {field} for a field of the details; empty: the summary
}

func (s *Server) types(*http.Request) (any, error) {
	list := make([]Type, len(journal.Types))
	for i := range list {
		e := &journal.Types[i]
		list[i] = Type{e.Name, e.Text, e.Title, e.Korean, e.Shows}
	}
	return list, nil
}

func (s *Server) projects(r *http.Request) (any, error) { return s.Store.Projects(r.Context()) }

// pick reads the parameters, and refuses names that nothing here has: an empty list would look as if nothing had happened.
func (s *Server) pick(r *http.Request) (*store.Pick, error) {
	p, err := read(r)
	if err != nil {
		return nil, err
	}
	return p, s.missing(r, p)
}

// missing gives an error where a pick has a name that nothing here has.
func (s *Server) missing(r *http.Request, p *store.Pick) error {
	what, err := s.Store.Unknown(r.Context(), p, known)
	if err == nil && what != "" {
		err = &answerError{http.StatusNotFound, "there is no " + what}
	}
	return err
}

// known reports a type of events that this moai writes.
func known(name string) bool { return journal.Find(name) >= 0 }

// misread is what is wrong with the names of a query's parameters, "" for nothing: a filter that is misspelled would show more than was
// asked for, and of one given twice only the first would count.
func (r *route) misread(q url.Values) string {
	for name, values := range q {
		at := slices.IndexFunc(r.params, func(p param) bool { return p.in == "query" && p.name == name })
		switch {
		case at < 0:
			return "there is no parameter " + strconv.Quote(name) + " here; /openapi.json has them all"
		case len(values) > 1 && !r.params[at].several():
			return name + " is given twice"
		}
	}
	return ""
}

// read reads the parameters.
func read(r *http.Request) (*store.Pick, error) {
	q := r.URL.Query()
	p := &store.Pick{Project: q.Get("project"), Session: q.Get("session"), Types: q["type"]}
	if len(p.Types) > 100 {
		return nil, &answerError{http.StatusBadRequest, "too many types"}
	}
	for name, into := range map[string]func(int64){
		"turn": func(n int64) { p.Turn = int(n) }, "before": func(n int64) { p.Before = n }, "limit": func(n int64) { p.Limit = int(n) },
	} {
		if text := q.Get(name); text != "" {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil || n < 0 {
				return nil, &answerError{http.StatusBadRequest, name + " is " + strconv.Quote(text) + ", and can only be a whole number from 0 on"}
			}
			into(cmp.Or(n, -1)) // zero said is not nothing said
		}
	}
	if text := q.Get("since"); text != "" {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return nil, &answerError{http.StatusBadRequest, "since is no time: it wants RFC 3339, such as 2026-11-28T21:00:00Z"}
		}
		p.Since = at
	}
	return p, nil
}

func (s *Server) event(r *http.Request) (any, error) {
	e, err := s.Store.Event(r.Context(), r.PathValue("id"))
	if err == nil && e == nil {
		return nil, &answerError{http.StatusNotFound, "there is no event of that id"}
	}
	return e, err
}

func (s *Server) stats(r *http.Request) (any, error) {
	p, err := s.pick(r)
	if err != nil {
		return nil, err
	}
	return s.Store.Stats(r.Context(), p)
}

// root is the folder of the project that a request names by its key.
func (s *Server) root(r *http.Request) (string, error) {
	return s.rootOf(r, r.URL.Query().Get("project"))
}

func (s *Server) rootOf(r *http.Request, key string) (string, error) {
	if key == "" {
		return "", &answerError{http.StatusBadRequest, "say which project, by its key: project=KEY, as /api/projects has it"}
	}
	all, err := s.Store.Projects(r.Context())
	if err != nil {
		return "", err
	}
	for _, p := range all {
		if p.Key == key && p.Root != "" {
			if state.ProjectKey(p.Root) != key { // a link leads elsewhere now
				return "", &answerError{http.StatusConflict, "another folder is in the place of this project now"}
			}
			return p.Root, nil
		}
	}
	return "", &answerError{http.StatusNotFound, "no session has told where this project lies"}
}

// inTurn is an answer that waits until there is room to read history.
func inTurn(answer func(*Server, *http.Request) (any, error)) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) {
		leave, err := s.reading.enter(r.Context())
		if err != nil {
			return nil, err
		}
		defer leave()
		return answer(s, r)
	}
}

func (s *Server) commits(r *http.Request) (any, error) {
	p, err := s.pick(r)
	if err != nil {
		return nil, err
	}
	root, err := s.root(r)
	if err != nil {
		return nil, err
	}
	list, err := history.Log(r.Context(), root, p.Since)
	return list, unreadable(err)
}

func (s *Server) patch(r *http.Request) (any, error) {
	root, err := s.root(r)
	if err != nil {
		return nil, err
	}
	text, err := history.Patch(r.Context(), root, r.PathValue("id"))
	return Patch{text}, unreadable(err)
}

func (s *Server) diff(r *http.Request) (any, error) {
	if said, ok := s.Answers["turn"]; ok {
		return said, nil
	}
	root, err := s.root(r)
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	text, err := history.Diff(r.Context(), root, s.Store.StateDir, q.Get("from"), q.Get("to"))
	return Patch{text}, unreadable(err)
}

// Line is a line of a file, and the turn that touched it last, where a command of one made the commit.
type Line struct {
	history.Line
	Session string `json:"session_id"`
	Turn    int    `json:"turn"`
}

func (s *Server) blame(r *http.Request) (any, error) {
	root, err := s.root(r)
	if err != nil {
		return nil, err
	}
	found, err := history.Blame(root, r.URL.Query().Get("path"))
	if err != nil {
		return nil, unreadable(err)
	}
	makers, err := s.Store.Makers(r.Context(), r.URL.Query().Get("project"))
	if err != nil {
		return nil, err
	}
	by := map[string]store.Maker{}
	for _, m := range makers {
		by[m.Commit] = m
	}
	lines := make([]Line, len(found))
	for i, l := range found {
		m := by[l.Hash]
		lines[i] = Line{l, m.Session, m.Turn}
	}
	return lines, nil
}

// unreadable is a repository, or a part of it, that is not there or cannot be read: an answer no and no failure of ours.
func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &answerError{http.StatusNotFound, err.Error()}
}
