package port

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/state"
)

// Work is what is known of the work on a port: which sessions were at it, and the tasks that their clients kept for it.
type Work struct {
	Stints []Stint `json:"stints,omitempty"`
	Tasks  []Task  `json:"tasks,omitempty"`
}

// Stint is a time in which one session ran the port.
type Stint struct {
	Claim
	Until time.Time `json:"until,omitzero"`     // zero while it goes on
	Last  int       `json:"last_turn,omitzero"` // of the session
}

// Task is one of the client's own list.
type Task struct {
	Session string `json:"session"`
	ID      string `json:"id"`
	Subject string `json:"subject"`
	Done    bool   `json:"done"`
}

// Bounds of what is kept.
const (
	keepStints = 100
	keepTasks  = 200
)

func (r *Room) work(id string) string {
	return state.File(filepath.Join(r.Kept, "work"), id)
}

// Work is what is known of a port's work, the running stint last.
func (r *Room) Work(id string) Work {
	w := Work{}
	state.Read(r.work(id), 0, &w)
	if c, _ := r.claimed(id); c != nil && c.Session != "" {
		w.Stints = append(w.Stints, Stint{Claim: *c})
	}
	return w
}

// finish keeps the stint of a claim that ends.
func (r *Room) finish(c Claim, until time.Time, turn int) error {
	return state.Update(r.work(c.Port), 0, func(w *Work) bool {
		w.Stints = append(w.Stints, Stint{c, until, max(turn, c.Turn)})
		if over := len(w.Stints) - keepStints; over > 0 {
			w.Stints = slices.Delete(w.Stints, 0, over)
		}
		return true
	})
}

// Track notes a task of the client's own list.
func (r *Room) Track(id string, t Task) error {
	return state.Update(r.work(id), 0, func(w *Work) bool {
		i := slices.IndexFunc(w.Tasks, func(old Task) bool { return old.Session == t.Session && old.ID == t.ID })
		switch {
		case i >= 0:
			w.Tasks[i] = t
		case len(w.Tasks) < keepTasks:
			w.Tasks = append(w.Tasks, t)
		default:
			return false
		}
		return true
	})
}

// Time is how long sessions were at it, and in how many turns.
func (w *Work) Time(now time.Time, turn func(session string) int) (spent time.Duration, turns int) {
	for _, s := range w.Stints {
		until, last := s.Until, s.Last
		if until.IsZero() {
			until, last = now, max(turn(s.Session), s.Turn)
		}
		spent += max(until.Sub(s.At), 0)
		if last > 0 {
			turns += last - max(s.Turn, 1) + 1
		}
	}
	return spent, turns
}

// About reports whether a port is about a file, by its patterns; one without any is about all. Rel is relative to the project.
func (p *Port) About(rel string) bool {
	return len(p.Files) == 0 || Fits(p.Files, rel)
}

// Fits compares a path with patterns: what ends with a slash is all that is below it.
func Fits(patterns []string, rel string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if strings.HasSuffix(p, "/") {
			p += "**"
		}
		ok, err := doublestar.Match(p, rel)
		return err == nil && ok
	})
}

// Over ends a port, as complete or dropped, whoever runs it, and returns it with those that can begin now. Turn is the last one of the
// session that ran it.
func (r *Room) Over(id string, as Status, why string, proof *Proof, turn int, now time.Time) (p *Port, free []string, err error) {
	before, _ := r.Board(now)
	p, err = r.Change(id, func(p *Port) error {
		p.Status, p.Why, p.Proof, p.Ended = as, why, proof, now
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if c, _ := r.claimed(id); c != nil {
		if err := r.Leave(id, c.Session, turn, now); err != nil {
			return nil, nil, err
		}
	}
	after, _ := r.Board(now)
	return p, freed(before, after, id), nil
}

func list(ids []string) string { return strings.Join(ids, ", ") }
