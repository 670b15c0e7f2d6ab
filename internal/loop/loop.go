// Package loop has a session go on, turn after turn, until what it is to reach is reached.
//
// A loop belongs to one session and is one small file, changed under its lock (store.go). At the end of a turn it either asks
// the model to go on, or is over, for one of seven reasons: the model says the marker (marker.go), its tasks are done, a
// command passes, the rounds or the time are used up, somebody cancels it, or nothing changes any more.
//
// It runs nothing and prints nothing: package handle brings what a turn ended with, and says what this package decides.
//
// Its invariants:
//   - A loop without a session, without a cap or without an end does not exist.
//   - A loop that is over stays over.
//   - What is no answer of the model's (a question, an error, work in the background) uses up no round and ends nothing.
//
// # With others
//
//   - Order: at the end of a turn loop, verification and warnings are asked (handle/loop.go, stop.go, warned.go), and
//     the first that has the model go on is the only one that speaks. While a loop goes on, nobody else does; when it
//     is over, its end and the next one's word are one answer.
//   - The command is run by the model. A hook starts none of the model's commands, has two seconds, and the user sees
//     what the model runs, under the guard. What counts is a receipt: the client reported that very line as passed, in
//     the loop's folder, and HEAD, Git's status with contents, and the number of the session's changes are as that run
//     left them. Lines that could pass without it (`… || true`, a pipe, the background) are none.
package loop

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Loop is one of a session.
type Loop struct {
	Session string    `json:"session"`
	Project string    `json:"project"`
	Began   time.Time `json:"began_at"`
	By      Starter   `json:"by"`
	Turn    int       `json:"turn,omitempty"` // that a setting began it in

	Words  string    `json:"prompt,omitempty"` // what the model is told each time
	Marker string    `json:"marker,omitempty"`
	Until  string    `json:"until,omitempty"` // the command line that must pass
	Dir    string    `json:"dir,omitempty"`   // where it runs, links followed
	Max    int       `json:"max"`
	Ends   time.Time `json:"ends_at,omitzero"` // when its time is over

	Round int       `json:"round"`             // how often the model was asked to go on
	Last  time.Time `json:"last_at,omitzero"`  // when a turn ended last
	Stood string    `json:"stood,omitempty"`   // the tree and the message at that end
	Done  []string  `json:"done,omitempty"`    // tasks that were done when it began
	Ran   *Receipt  `json:"receipt,omitempty"` // the last run of Until

	Ended time.Time `json:"ended_at,omitzero"`
	How   End       `json:"how,omitempty"`
	Why   string    `json:"why,omitempty"`
	Told  bool      `json:"told,omitempty"` // the session was told that it is over
}

// Receipt is how a run of the command ended.
type Receipt struct {
	At     time.Time `json:"at"`
	Passed bool      `json:"passed"`
	Tree   string    `json:"tree"` // as the run left it
}

// Starter is who began a loop.
type Starter string

// The starters.
const (
	User    Starter = "user"
	Agent   Starter = "agent"
	Setting Starter = "setting"
)

// End is how a loop ended.
type End string

// The ends.
const (
	ByMarker  End = "marker"
	ByTasks   End = "tasks"
	ByCommand End = "command"
	ByCap     End = "cap"
	ByTime    End = "time"
	ByCancel  End = "cancelled"
	ByStand   End = "stagnation"
)

// Reached reports an end at which the work is done, as far as the loop can tell.
func (e End) Reached() bool { return e == ByMarker || e == ByTasks || e == ByCommand }

// Idle is after how long without the end of a turn a loop is over: a session that is taken up again the next day is not to be
// taken over by what was begun in it the day before.
const Idle = 6 * time.Hour

// Runs reports a loop that is not over.
func (l *Loop) Runs() bool { return l != nil && l.Session != "" && l.Ended.IsZero() }

// Over ends it.
func (l *Loop) Over(how End, why string, now time.Time) {
	l.Ended, l.How, l.Why = now, how, why
}

// Task is one of the model's own list.
type Task struct {
	ID   string
	Done bool
}

// Turn is what a turn ended with.
type Turn struct {
	Now     time.Time
	Message string // the last one of the model's
	Tree    string // what the work tree is like, "" where nobody knows
	Tasks   []Task
	Except  []string // words that take a marker in their sentence back
}

// Next decides at the end of a turn whether the model is to go on. Otherwise the loop is over, and says how.
func (l *Loop) Next(t *Turn) (goOn bool) {
	if how, why := l.end(t); how != "" {
		l.Over(how, why, t.Now)
		return false
	}
	l.Round++
	l.Last, l.Stood = t.Now, stands(t)
	return true
}

// end is how the loop ends with this turn, "" where it does not. Where a command is to pass, the model's own word is none: it
// would be the easier way.
func (l *Loop) end(t *Turn) (how End, why string) {
	switch {
	case l.Until != "":
		if l.Ran != nil && l.Ran.Passed && l.Ran.Tree == t.Tree {
			return ByCommand, l.Until + " passed"
		}
	case Says(t.Message, l.Marker, t.Except):
		return ByMarker, "the model said " + l.Marker
	case l.allDone(t.Tasks):
		return ByTasks, "all tasks are done"
	}
	idle := l.Last
	if idle.IsZero() {
		idle = l.Began
	}
	switch {
	case !l.Ends.IsZero() && !t.Now.Before(l.Ends):
		return ByTime, "its time was over at " + l.Ends.Local().Format("15:04")
	case t.Now.Sub(idle) >= Idle:
		return ByTime, fmt.Sprintf("nothing happened for %d hours", int(Idle.Hours()))
	case l.Round > 0 && l.Stood == stands(t):
		return ByStand, "nothing changed in the last round, and the model said the same"
	case l.Round >= l.Max:
		return ByCap, fmt.Sprintf("the cap of %d was reached", l.Max)
	}
	return "", ""
}

// allDone reports that there were tasks to do since the loop began, and that all are done.
func (l *Loop) allDone(tasks []Task) bool {
	some := false
	for _, t := range tasks {
		if !t.Done {
			return false
		}
		some = some || !slices.Contains(l.Done, t.ID)
	}
	return some
}

// DoneOf are the tasks that are done.
func DoneOf(tasks []Task) (ids []string) {
	for _, t := range tasks {
		if t.Done {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// Is reports a command line that runs what is to pass, and nothing that could pass in its place: the words as they were given,
// behind a change to the folder at most.
func (l *Loop) Is(line, dir string) bool {
	line = strings.TrimSpace(line)
	if into, rest, ok := strings.Cut(line, "&&"); ok {
		into = strings.TrimSpace(into)
		if to, ok := strings.CutPrefix(into, "cd "); ok && strings.Trim(strings.TrimSpace(to), `"'`) == l.Dir {
			line, dir = strings.TrimSpace(rest), l.Dir
		}
	}
	line = strings.TrimSpace(strings.TrimSuffix(line, "2>&1"))
	return l.Until != "" && line == l.Until && dir == l.Dir
}
