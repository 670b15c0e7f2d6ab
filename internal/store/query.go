package store

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Pick says which rows are wanted; the zero Pick wants the newest of all.
type Pick struct {
	Project string    // the name of its journal
	Session string    // its id
	Turn    int       // of the session; negative: outside of its turns
	Types   []string  // of events: any of them
	Since   time.Time // from then on
	Before  int64     // older than this, negative for nothing at all: a number of an event, or a time in milliseconds where rows have no number
	Limit   int       // no more than so many; negative: none
}

// most bounds one answer.
const most = 1000

// columns are those of a table that a pick is about; "" for one that it has not. By order the newest come first.
type columns struct{ session, turn, kind, at, order string }

// where is the condition of a pick.
func (p *Pick) where(of columns) (text string, args []any) {
	var parts []string
	add := func(condition string, a ...any) {
		parts = append(parts, condition)
		args = append(args, a...)
	}
	if p.Project != "" {
		index := "" // with a session, that of the session finds far less
		if p.Session != "" && of.session != "" {
			index = "+"
		}
		add(index+"project = (select id from projects where key = ?)", p.Project)
	}
	if p.Session != "" && of.session != "" {
		add(of.session+" = ?", p.Session)
	}
	if p.Turn != 0 && of.turn != "" {
		add(of.turn+" = ?", max(0, p.Turn))
	}
	if len(p.Types) > 0 && of.kind != "" {
		marks := strings.TrimSuffix(strings.Repeat("?,", len(p.Types)), ",")
		parts = append(parts, of.kind+" in ("+marks+")")
		for _, t := range p.Types {
			args = append(args, t)
		}
	}
	if !p.Since.IsZero() {
		add(of.at+" >= ?", p.Since.UnixMilli())
	}
	if p.Before != 0 {
		add(of.order+" < ?", max(0, p.Before))
	}
	if len(parts) == 0 {
		return "", nil
	}
	return " where " + strings.Join(parts, " and "), args
}

func (p *Pick) limit() int {
	switch {
	case p.Limit < 0:
		return 0
	case p.Limit == 0 || p.Limit > most:
		return most
	}
	return p.Limit
}

// picked reads the newest rows of a table that fit.
func picked[T any](ctx context.Context, s *Store, p *Pick, what, table string, of columns) ([]T, error) {
	where, args := p.where(of)
	order := of.order
	if of.at != of.order && len(p.Types)+len(p.Session) > 0 {
		order = of.at + " desc, " + of.order // by the index of a type or of a session
	}
	return list[T](ctx, s.db(), "select "+what+" from "+table+where+" order by "+order+" desc limit ?", append(args, p.limit())...)
}

// Project is a project that has a journal.
type Project struct {
	ID   int64  `json:"-"`
	Key  string `json:"key"`
	Root string `json:"root"`
}

// Projects are all projects, by their names.
func (s *Store) Projects(ctx context.Context) ([]Project, error) {
	return list[Project](ctx, s.db(), "select id, key, root from projects order by key")
}

// Unknown says which name of a pick nothing here has, as in "session x"; "" where all are known. Types that known reports need no event.
func (s *Store) Unknown(ctx context.Context, p *Pick, known func(kind string) bool) (what string, err error) {
	type one struct{ N int }
	asks := []struct{ what, name, query string }{
		{"project", p.Project, "select 1 from projects where key = ?"},
		{"session", p.Session, "select 1 from sessions where id = ? limit 1"},
	}
	for _, kind := range p.Types {
		if !known(kind) {
			asks = append(asks, struct{ what, name, query string }{"type of events", kind, "select 1 from events where type = ? limit 1"})
		}
	}
	for _, a := range asks {
		if a.name == "" {
			continue
		}
		if found, err := list[one](ctx, s.db(), a.query, a.name); err != nil || len(found) == 0 {
			return a.what + " " + strconv.Quote(a.name), err
		}
	}
	return "", nil
}

const keyOf = "(select key from projects where projects.id = project)"

// Event is a line of a journal.
type Event struct {
	Seq      int64  `json:"seq"`
	Project  string `json:"project"`
	ID       string `json:"id"`
	Session  string `json:"session_id"`
	Turn     int    `json:"turn"`
	Port     string `json:"port_id"`
	Type     string `json:"event_type"`
	Severity string `json:"severity"`
	Created  Time   `json:"created_at"`
	Summary  string `json:"summary"`
	Details  JSON   `json:"details"`
}

const eventColumns = "seq, " + keyOf + ", id, session, turn, port, type, severity, created, summary, details"

// Events are the newest events that fit, the newest first.
func (s *Store) Events(ctx context.Context, p *Pick) ([]Event, error) {
	return picked[Event](ctx, s, p, eventColumns, "events", columns{session: "session", turn: "turn", kind: "type", at: "created", order: "seq"})
}

// After are the events that came behind a number, in their order.
func (s *Store) After(ctx context.Context, seq int64, limit int) ([]Event, error) {
	return list[Event](ctx, s.db(), "select "+eventColumns+" from events where seq > ? order by seq limit ?", seq, limit)
}

// Event is the event of an id; nil where there is none.
func (s *Store) Event(ctx context.Context, id string) (*Event, error) {
	found, err := list[Event](ctx, s.db(), "select "+eventColumns+" from events where project in (select id from projects) and id = ? limit 1", id)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Session is what is known of a session.
type Session struct {
	Project     string `json:"project"`
	ID          string `json:"id"`
	First       Time   `json:"first_event"`
	Last        Time   `json:"last_event"`
	Asked       *Time  `json:"asked_at"`
	Began       *Time  `json:"began_at"`
	Ended       *Time  `json:"ended_at"`
	Events      int    `json:"events"`
	Turns       int    `json:"turns"`
	Edits       int    `json:"edits"`
	Denied      int    `json:"denied"`
	Questions   int    `json:"asked"`
	Snapshots   int    `json:"snapshots"`
	Failures    int    `json:"failures"`
	TTY         string `json:"tty"`
	ParentPID   int    `json:"parent_pid"`
	Fingerprint string `json:"fingerprint"`
}

// sessionsAlone are the sessions of all projects together: one that worked in several is one row, of the project in which it was last.
const sessionsAlone = `(select (select project from sessions o where o.id = sessions.id order by o.last desc limit 1) project, id,
	min(first) first, max(last) last, max(asked) asked, min(began) began, max(ended) ended, sum(events) events, max(turns) turns,
	sum(edits) edits, sum(denied) denied, sum(questions) questions, sum(snapshots) snapshots, sum(failures) failures,
	max(tty) tty, max(parent_pid) parent_pid, max(fingerprint) fingerprint from sessions group by id)`

// Sessions are those that fit, the last active first.
func (s *Store) Sessions(ctx context.Context, p *Pick) ([]Session, error) {
	table := "sessions"
	if p.Project == "" {
		table = sessionsAlone
	}
	return picked[Session](ctx, s, p, keyOf+", id, first, last, asked, began, ended, events, turns, edits, denied, questions, snapshots, failures, tty, parent_pid, fingerprint",
		table, columns{session: "id", at: "last", order: "last"})
}

// Named are the ids of the sessions that begin so, the last active first, and no more than a few.
func (s *Store) Named(ctx context.Context, begins string) (ids []string, err error) {
	type row struct{ ID string }
	rows, err := list[row](ctx, s.db(), "select distinct id from sessions where substr(id, 1, ?) = ? order by id = ? desc, last desc limit 3", utf8.RuneCountInString(begins), begins, begins)
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids, err
}

// Turn is what came of a prompt.
type Turn struct {
	Project   string  `json:"project"`
	Session   string  `json:"session_id"`
	Number    int     `json:"turn"`
	Began     Time    `json:"began_at"`
	Last      Time    `json:"last_event"`
	Ended     *Time   `json:"ended_at"`
	Prompt    *string `json:"prompt"`
	Events    int     `json:"events"`
	Edits     int     `json:"edits"`
	Files     int     `json:"files"`
	Commands  int     `json:"commands"`
	Denied    int     `json:"denied"`
	Questions int     `json:"asked"`
	Snapshots int     `json:"snapshots"`
	Failures  int     `json:"failures"`
	Error     *string `json:"error"`         // what ended it before its time, as the client names it
	Beside    *string `json:"collides_with"` // another session that changed a file of this one meanwhile, or within ten minutes
	Ran       JSON    `json:"ran"`           // commands that the journal knows of: command, action of the guard, failed
	Undone    bool    `json:"undone"`        // taken back as a whole
}

// filesOf counts the files that a turn changed, in a query of turns.
const filesOf = "(select count(*) from files f where f.project = turns.project and f.session = turns.session and f.turn = number) + unnamed"

// ranIn are the first commands of a turn that an event names, in a query of turns. One before which nothing was to be saved was let through.
var ranIn = `(select json_group_array(json_object('command', substr(command, 1, 300), 'action', iif(action = 'checkpoint' and not saved, 'allow', action), 'failed', json(iif(kind like '%failed', 'true', 'false')))) from (
	select details ->> 'command' as command, details ->> 'action' as action, type as kind, details ->> 'action' = 'checkpoint' and ` + savedFor("e") + ` as saved from events e
		where e.session = turns.session and e.created between turns.began and turns.last and e.project = turns.project and e.turn = turns.number
		and type in ('decision', 'command_change', 'build_failed', 'test_failed', 'tool_failed') and command is not null
		and (type <> 'decision' or action in ('deny', 'ask') or coalesce(command not like details ->> 'tool' || ' %', true)) order by created, id limit 40))`

// besideMS is how far apart changes of a file are that count as beside each other, in milliseconds: ten minutes, as before a write.
const besideMS = "600000"

// Turns are those that fit, the newest first. What was changed beside one is looked up in the index of a file's changes by time, which
// needs one range: it holds both of those that count.
func (s *Store) Turns(ctx context.Context, p *Pick) ([]Turn, error) {
	turns, err := picked[Turn](ctx, s, p, keyOf+`, session, number, began, last, ended, substr(request, 21), events, edits,
		`+filesOf+`,
		commands, denied, questions, snapshots, failures,
		(select details ->> 'error' from events e where e.session = turns.session and e.created between turns.began and turns.last and e.project = turns.project and e.turn = turns.number
			and +e.type = 'turn_failed' order by created desc limit 1),
		(select o.session from files f join files o on o.project = f.project and o.path = f.path and o.session <> f.session
			and o.last between min(turns.began, f.last - `+besideMS+`) and max(turns.last, f.last + `+besideMS+`)
			and (o.last between turns.began and turns.last or abs(o.last - f.last) < `+besideMS+`)
			where f.project = turns.project and f.session = turns.session and f.turn = number limit 1), `+ranIn+`, false`,
		"turns", columns{session: "session", turn: "number", at: "began", order: "began"})
	if err != nil || len(turns) == 0 {
		return turns, err
	}
	return turns, s.undone(ctx, p, turns)
}

// undone marks the turns of which the last undo was not taken back. It goes by what moai undo wrote down; there are few undos.
func (s *Store) undone(ctx context.Context, p *Pick, turns []Turn) error {
	type undo struct {
		Project, Session string
		Turns            JSON
		Again            bool
	}
	q := Pick{Project: p.Project, Types: []string{"checkpoint_restored"}}
	where, args := q.where(columns{kind: "type"})
	all, err := list[undo](ctx, s.db(), "select "+keyOf+", details ->> 'session', details -> 'turns', coalesce(details ->> 'again', 0) from events"+
		where+" and json_type(details, '$.turns') = 'array' and json_type(details, '$.session') = 'text' order by created, id", args...)
	if err != nil {
		return err
	}
	type key struct{ project, session, turn string }
	back := map[key]bool{}
	for _, u := range all {
		var numbers []string
		if json.Unmarshal(u.Turns, &numbers) != nil {
			continue // nothing of moai's
		}
		for _, n := range numbers {
			back[key{u.Project, u.Session, n}] = !u.Again
		}
	}
	for i := range turns {
		t := &turns[i]
		t.Undone = back[key{t.Project, t.Session, strconv.Itoa(t.Number)}]
	}
	return nil
}

// Decision is what was decided about a call.
type Decision struct {
	Seq        int64   `json:"seq"`
	Project    string  `json:"project"`
	ID         string  `json:"id"`
	Session    string  `json:"session_id"`
	Turn       int     `json:"turn"`
	Type       string  `json:"event_type"`
	Severity   string  `json:"severity"`
	Created    Time    `json:"created_at"`
	Summary    string  `json:"summary"`
	Action     *string `json:"action"`
	Tool       *string `json:"tool"`
	Command    *string `json:"command"`
	Rules      JSON    `json:"rules"`
	Answer     *string `json:"answer"`
	Exceptions JSON    `json:"exceptions"`
	Where      *string `json:"where"` // what the first rule met, of a command that is longer than what is kept
	Call       *string `json:"call"`  // a sum of the client's name of the call
	Saved      bool    `json:"saved"` // a snapshot was taken before the call: none where there was nothing to save
	Ran        *bool   `json:"ran"`   // of a question: whether the call ran; null where that is not known, or not yet
}

// ranAfter says of a question whether the call ran, in a query of decisions. A command that was not heard of until its turn was over has not.
const ranAfter = `iif(answer is not 'ask' or call is null, null, coalesce(
	(select 1 from events o where o.type = 'asked_ran' and o.details ->> 'call' = call and o.session = decisions.session and o.project = decisions.project limit 1),
	(select 0 from events o where o.session = decisions.session and o.created >= decisions.created and o.project = decisions.project
		and (o.turn > decisions.turn or o.turn = decisions.turn and +o.type in ('turn_end', 'turn_failed', 'session_end')) and command not like tool || ' %' limit 1)))`

// savedFor says whether a snapshot was taken for an entry of the guard, in a query: it was written down before the entry, behind the one before
// that, and within the time that a call is judged in. Both may have the same millisecond: the order in which they came tells. A "+" keeps SQLite from going through a whole
// project in that order: a minute of a session has few entries.
func savedFor(entry string) string {
	return "coalesce((select o.type from events o where o.session = " + entry + ".session and o.created between " + entry + ".created - 60000 and " + entry + ".created and +o.project = " + entry + ".project and +o.seq < " + entry + `.seq
		and +o.type in ('decision', 'checkpoint_created') order by +o.seq desc limit 1) = 'checkpoint_created', false)`
}

// Decisions are the newest of the guard that fit.
func (s *Store) Decisions(ctx context.Context, p *Pick) ([]Decision, error) {
	q := *p
	q.Types = []string{"decision"}
	return picked[Decision](ctx, s, &q, "seq, "+keyOf+", id, session, turn, type, severity, created, summary, action, tool, command, rules, answer, exceptions, \"where\", call, "+savedFor("decisions")+", "+ranAfter,
		"decisions", columns{session: "session", turn: "turn", kind: "type", at: "created", order: "seq"})
}

// Called says when hooks of a project were last called between two times, as far as that left something, and counts the commands among the
// calls that ran without being judged. The time is zero where there were none.
func (s *Store) Called(ctx context.Context, project string, from, to time.Time) (last Time, unjudged int, err error) {
	type row struct {
		Last     Time
		Unjudged int
	}
	p := Pick{Project: project, Since: from}
	where, args := p.where(columns{at: "created"})
	got, err := list[row](ctx, s.db(), "select coalesce(max(created), 0), count(*) filter (where type = 'unjudged') from events"+where+" and created <= ? and type in ('unjudged', 'decision', 'user_request', 'turn_end', 'file_edit', 'command_change', 'tool_failed')", append(args, to.UnixMilli())...)
	if err != nil || len(got) == 0 {
		return 0, 0, err
	}
	return got[0].Last, got[0].Unjudged, nil
}

// Agent is a run of a sub-agent.
type Agent struct {
	Project string  `json:"project"`
	Session string  `json:"session_id"`
	ID      string  `json:"id"`
	Type    *string `json:"agent_type"`
	Turn    int     `json:"turn"`
	Began   *Time   `json:"began_at"`
	Ended   *Time   `json:"ended_at"`
	Model   *string `json:"model"`
	Tokens  *int64  `json:"tokens"`
	Error   *string `json:"error"`
	Empty   *int64  `json:"empty"`
}

// Agents are the newest runs that fit.
func (s *Store) Agents(ctx context.Context, p *Pick) ([]Agent, error) {
	return picked[Agent](ctx, s, p, keyOf+", session, id, type, turn, began, ended, model, tokens, error, empty",
		"agents", columns{session: "session", turn: "turn", at: "began", order: "began"})
}

// File is what a turn did to a file.
type File struct {
	Project string `json:"project"`
	Session string `json:"session_id"`
	Turn    int    `json:"turn"`
	Path    string `json:"path"`
	Edits   int    `json:"edits"`
	Last    Time   `json:"last_edit"`
}

// Files are those that fit, the last changed first.
func (s *Store) Files(ctx context.Context, p *Pick) ([]File, error) {
	return picked[File](ctx, s, p, keyOf+", session, turn, path, edits, last", "files", columns{session: "session", turn: "turn", at: "last", order: "last"})
}

// Verification is a look at work, or that there was none.
type Verification struct {
	Seq      int64   `json:"seq"`
	Project  string  `json:"project"`
	ID       string  `json:"id"`
	Session  string  `json:"session_id"`
	Turn     int     `json:"turn"`
	Type     string  `json:"event_type"`
	Created  Time    `json:"created_at"`
	Summary  string  `json:"summary"`
	Agent    *string `json:"agent"`
	Verifies *string `json:"verifies"`
	Found    *string `json:"found"`
	Files    *int64  `json:"files"`
	Paths    JSON    `json:"paths"` // the first of them
	Does     *string `json:"does"`
	Why      *string `json:"why"`
}

// Verifications are the newest that fit.
func (s *Store) Verifications(ctx context.Context, p *Pick) ([]Verification, error) {
	q := *p
	q.Types = []string{"verified", "unverified"}
	return picked[Verification](ctx, s, &q, "seq, "+keyOf+", id, session, turn, type, created, summary, agent, verifies, found, files, (select details -> 'paths' from events where events.seq = verifications.seq), does, why",
		"verifications", columns{session: "session", turn: "turn", kind: "type", at: "created", order: "seq"})
}

// Maker is the turn whose command made a commit.
type Maker struct {
	Commit  string
	Session string
	Turn    int
}

// maxMakers bounds how many commits are looked up, the newest.
const maxMakers = 10_000

// Makers are those of the commits of a project.
func (s *Store) Makers(ctx context.Context, project string) ([]Maker, error) {
	p := Pick{Project: project, Types: []string{"command_change"}}
	where, args := p.where(columns{kind: "type"})
	return list[Maker](ctx, s.db(), "select details ->> 'commit', session, turn from events"+where+" and details ->> 'commit' is not null order by created desc limit ?", append(args, maxMakers)...)
}

// Port is a unit of work.
type Port struct {
	Project string `json:"project"`
	ID      string `json:"id"`
	Title   string `json:"title"`
	Status  string `json:"status"`
	Why     string `json:"why"`
	Parent  string `json:"parent"`
	Needs   JSON   `json:"needs"`
}

// Ports are those of a project, or of all.
func (s *Store) Ports(ctx context.Context, p *Pick) ([]Port, error) {
	where, args := p.where(columns{at: "created", order: "created"})
	return list[Port](ctx, s.db(), "select "+keyOf+`, id, title, status, why, parent,
		(select json_group_array(needs) from port_dependencies d where d.project = ports.project and d.port = ports.id)
		from ports`+where+" order by project, id limit ?", append(args, p.limit())...)
}

// Stats is what happened, in numbers.
type Stats struct {
	Events    int `json:"events"`
	Sessions  int `json:"sessions"`
	Turns     int `json:"turns"`
	Edits     int `json:"edits"`
	Commands  int `json:"commands"`
	Denied    int `json:"denied"`
	Questions int `json:"asked"`
	Snapshots int `json:"snapshots"`
	Failures  int `json:"failures"`
	Agents    int `json:"agents"`
}

// eventKinds are the types of events that there are, each found by one step in the index.
const eventKinds = `with recursive kinds(t) as (select min(type) from events
	union all select (select min(e.type) from events e where e.type > kinds.t) from kinds where kinds.t is not null)
	`

// Stats sums up the turns that began at a time or later, and what is known of sessions and agents since then.
func (s *Store) Stats(ctx context.Context, p *Pick) (*Stats, error) {
	turns, args := p.where(columns{session: "session", at: "began", order: "began"})
	sessions, more := p.where(columns{session: "id", at: "last", order: "last"})
	agents, yet := p.where(columns{session: "session", at: "began", order: "began"})
	events, told := s.eventsOf(p)
	one := func(table, by, where string) string {
		if p.Project != "" {
			return table + where
		}
		return "(select 1 from " + table + where + " group by " + by + ")" // what goes on in several projects is one
	}
	began := strings.Replace(turns, " where ", " where number > 0 and ", 1)
	if began == "" {
		began = " where number > 0"
	}
	args = slices.Concat(told, more, args, yet, args)
	found, err := list[Stats](ctx, s.db(), eventKinds+`select (`+events+`) as events, (select count(*) from `+one("sessions", "id", sessions)+`), (select count(*) from `+one("turns", "session, number", began)+`), t.edits, t.commands, t.denied, t.asked, t.snapshots, t.failures,
		(select count(*) from `+one("agents", "session, id", agents)+`)
		from (select coalesce(sum(edits), 0) as edits, coalesce(sum(commands), 0) as commands,
			coalesce(sum(denied), 0) as denied, coalesce(sum(questions), 0) as asked, coalesce(sum(snapshots), 0) as snapshots, coalesce(sum(failures), 0) as failures
			from turns`+turns+`) t`, args...)
	if err != nil {
		return nil, err
	}
	return &found[0], nil
}

// hour is that of the table hours, in milliseconds.
const hour = 3_600_000

// eventsOf counts the events that fit, as a query, without a look at each of a large store: whole hours are counted already.
func (s *Store) eventsOf(p *Pick) (query string, args []any) {
	if p.Session != "" {
		where, args := p.where(columns{session: "session", at: "created", order: "seq"})
		return "select count(*) from events" + where, args
	}
	whole := *p
	whole.Since = time.Time{}
	where, args := whole.where(columns{})
	query = "select coalesce(sum(events), 0) from hours" + where
	if p.Since.IsZero() {
		return query, args
	}
	since := p.Since.UnixMilli()
	next := (since + hour - 1) / hour
	and := " and "
	if where == "" {
		and = " where "
	}
	// The rest of an hour is looked up by its types: there is no index of times alone.
	return "select (" + query + and + "hour >= ?) + (select count(*) from events" + where + and +
		"type in (select t from kinds) and created >= ? and created < ?)", slices.Concat(args, []any{next}, args, []any{since, next * hour})
}
