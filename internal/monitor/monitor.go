// Package monitor puts what the journal tells of sub-agents together: each run with its call, its times, what it cost and what
// came of it. It keeps nothing itself.
//
// A run is known by the id of its agent and by the id of the call that began it, and by nothing else: several of one type at
// once are told apart. Where a client does not say which call a run came from, the run has no call rather than a guessed one.
package monitor

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// State is what became of a run.
type State string

// The states.
const (
	Called  State = "called"  // asked for; nothing more is known
	Running State = "running" // it has not answered yet
	Done    State = "done"
	Empty   State = "empty"  // it answered nothing
	Failed  State = "failed" // it could not answer, or not even begin
)

// Run is one run of a sub-agent.
type Run struct {
	Agent      string    `json:"agent_id,omitempty"`
	Call       string    `json:"tool_use_id,omitempty"`
	Session    string    `json:"session_id"`
	Turn       int       `json:"turn,omitempty"`
	Type       string    `json:"agent_type"`
	Caller     string    `json:"caller,omitempty"` // the sub-agent that called it
	State      State     `json:"state"`
	Why        string    `json:"why,omitempty"` // it failed
	Started    time.Time `json:"started_at"`
	Ended      time.Time `json:"ended_at,omitzero"`
	Prompt     string    `json:"prompt,omitempty"` // as much as the journal keeps
	Model      string    `json:"model,omitempty"`
	Tokens     int       `json:"tokens,omitempty"` // that its last answer took in and gave
	Transcript string    `json:"transcript,omitempty"`

	name  string // as a teammate: clients tell of its run by that
	timed bool   // its conversation said when it began or ended
}

// Over reports a run that has an end.
func (r *Run) Over() bool { return !r.Ended.IsZero() }

// Log collects runs from the entries of a journal, given in their order. What belongs together is of one session, so that each
// has a list of its own: looking through all of a long journal for each of its entries took minutes.
type Log struct{ sessions map[string]*runs }

// runs are those of one session.
type runs struct{ list []*Run }

// of is the list of a session.
func (l *Log) of(session string) *runs {
	s := l.sessions[session]
	if s == nil {
		if l.sessions == nil {
			l.sessions = map[string]*runs{}
		}
		s = &runs{}
		l.sessions[session] = s
	}
	return s
}

// Asked takes in that a sub-agent was called. Name is that of a teammate.
func (l *Log) Asked(r Run, name string) {
	r.State, r.name = Called, name
	l.of(r.Session).add(&r)
}

// Began takes in that a run began.
func (l *Log) Began(r Run) {
	r.State = Running
	l.of(r.Session).add(&r)
}

func (s *runs) add(r *Run) { s.list = append(s.list, r) }

// ahead is how long before its hook ran a run can have begun, or ended: a busy machine starts hooks late. What is older is of an earlier run.
const ahead = time.Minute

// Stopped takes in when the last answer of a run came, by its conversation.
func (r *Run) Stopped(at time.Time) {
	if r.Over() && at.After(r.Started) && at.Before(r.Ended) && r.Ended.Sub(at) < ahead {
		r.Ended = at
	}
}

// Took is how long a run has taken that is over.
func (r *Run) Took() time.Duration {
	if !r.Over() {
		return 0
	}
	return r.Ended.Sub(r.Started)
}

// Answered takes in that a run ended: State and Why of it say how. When its conversation began, and when the last answer in it
// came, is nearer than when hooks ran, where it is known.
func (l *Log) Answered(end Run, began, stopped time.Time) {
	s := l.of(end.Session)
	r, again := s.agent(end.Agent), false
	if r == nil {
		r = &Run{Agent: end.Agent, Session: end.Session, Turn: end.Turn, Started: end.Ended}
		s.add(r)
	} else {
		again = slices.ContainsFunc(s.list, func(o *Run) bool { return o != r && o.Agent == r.Agent })
	}
	if !again && began.Before(r.Started) && r.Started.Sub(began) < ahead {
		r.Started = began
	}
	r.State, r.Why, r.Ended, r.timed = end.State, end.Why, end.Ended, !began.IsZero() || !stopped.IsZero()
	r.Stopped(stopped)
	r.Type, r.Model, r.Transcript = cmp.Or(end.Type, r.Type), cmp.Or(end.Model, r.Model), cmp.Or(end.Transcript, r.Transcript)
	r.Tokens = cmp.Or(end.Tokens, r.Tokens)
	if end.Call != "" && !again {
		r.Call = end.Call
		if c := s.call(r.Call); c != nil {
			r.comesFrom(c)
			s.drop(c)
		}
	}
}

// Returned takes in what the client says when the call of a run returns: which call it was and, where the conversation did not say that, what it took.
func (l *Log) Returned(said Run, took time.Duration) {
	s := l.of(said.Session)
	r := s.agent(said.Agent)
	if r == nil {
		return
	}
	r.Tokens, r.Model = cmp.Or(r.Tokens, said.Tokens), cmp.Or(r.Model, said.Model)
	if r.Over() && !r.timed && took > 0 && took < r.Took() {
		r.Started = r.Ended.Add(-took)
	}
	if c := s.call(said.Call); c != nil && r.Call == "" {
		r.comesFrom(c)
		s.drop(c)
	}
}

// Refused takes in that a call failed: the agent could not begin, or could not answer.
func (l *Log) Refused(session, call, why string, at time.Time) {
	for _, r := range l.of(session).list {
		if r.Call != call || call == "" {
			continue
		}
		if r.State, r.Why = Failed, cmp.Or(r.Why, why); !r.Over() {
			r.Ended = at
		}
	}
}

// agent is the newest run of an agent, nil for none.
func (s *runs) agent(id string) *Run {
	for _, r := range slices.Backward(s.list) {
		if r.Agent == id && id != "" {
			return r
		}
	}
	return nil
}

// call is a call whose run is not known yet, nil for none.
func (s *runs) call(id string) *Run {
	for _, r := range slices.Backward(s.list) {
		if r.Agent == "" && r.Call == id {
			return r
		}
	}
	return nil
}

func (s *runs) drop(one *Run) {
	s.list = slices.DeleteFunc(s.list, func(r *Run) bool { return r == one })
}

// comesFrom takes over what a call says of its run.
func (r *Run) comesFrom(c *Run) {
	r.Call, r.Prompt, r.Caller = c.Call, cmp.Or(r.Prompt, c.Prompt), cmp.Or(r.Caller, c.Caller)
}

// Runs are all of them, in the order in which they began. A call that has become a run is no row of its own, be it only known
// that one of several calls has.
func (l *Log) Runs() []Run {
	list := []Run{}
	for _, s := range l.sessions {
		s.join()
		for _, r := range s.list {
			list = append(list, *r)
		}
	}
	slices.SortStableFunc(list, func(a, b Run) int {
		return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.Session, b.Session))
	})
	return list
}

// join gives runs the calls that began them, where nobody said so and only one can have.
func (s *runs) join() {
	for _, r := range slices.Clone(s.list) {
		if r.Agent == "" || r.Call != "" {
			continue
		}
		switch calls := s.callsOf(r); {
		case len(calls) == 0:
			s.failed(r)
		case len(calls) == 1 && s.alone(r, calls[0]):
			r.comesFrom(calls[0])
			s.drop(calls[0])
		default:
			s.drop(calls[0])
		}
	}
}

// failed gives a run the call that failed after the run began. Where the run has no end of its own, it ends with the call. The client reports the
// two ends in either order.
func (s *runs) failed(r *Run) {
	for _, c := range slices.Backward(s.list) {
		if c.State == Failed && c.fits(r) && (r.State == Failed || !r.Over()) && !c.Ended.Before(r.Started) {
			if r.comesFrom(c); !r.Over() {
				r.State, r.Why, r.Ended = c.State, c.Why, c.Ended
			}
			s.drop(c)
			return
		}
	}
}

// callsOf are the calls that a run may come from.
func (s *runs) callsOf(r *Run) (list []*Run) {
	for _, c := range s.list {
		if c.mayBegin(r) {
			list = append(list, c)
		}
	}
	return list
}

// alone reports that no other run can come from a call.
func (s *runs) alone(r, c *Run) bool {
	return !slices.ContainsFunc(s.list, func(o *Run) bool { return o != r && o.Agent != "" && o.Call == "" && c.mayBegin(o) })
}

// mayBegin reports a call without a run that fits to one.
func (r *Run) mayBegin(run *Run) bool { return r.State == Called && r.fits(run) }

// fits reports a call without a run that is of the type of one, and came before it.
func (r *Run) fits(run *Run) bool {
	return r.Agent == "" && r.Session == run.Session && !r.Started.After(run.Started) &&
		(r.Type+r.name == "" || strings.EqualFold(cmp.Or(r.name, r.Type), run.Type))
}
