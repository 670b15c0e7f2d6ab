package undo

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// Edit is a file that a tool of a session wrote, as the journal tells of it.
type Edit struct {
	Session string
	Turn    int
	Path    string // relative to the work tree
	At      time.Time
	Sum     string // of what the tool left; "" where that is not known
}

// Last is what a turn itself left of a path: what differs from it at the turn's end is somebody else's.
type Last struct {
	Snapshot repo.Hash   // behind the command that changed the path last; zero where a tool wrote it last
	Sum      string      // of what that tool left
	Seen     []repo.Hash // snapshots that may hold what it left
}

// SumText is how a sum of a file's content is written down.
func SumText(sha256 []byte) string { return hex.EncodeToString(sha256[:16]) }

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return SumText(sum[:])
}

// Spans are what taking turns back means, the newest first.
func (t *Timeline) Spans(r *repo.Repo, turns []Turn, edits []Edit) (list []Span, err error) {
	for i := range turns {
		one := &turns[i]
		beside := t.rivals(r, one)
		whose, err := t.whose(r, one, edits, beside)
		if err != nil {
			return nil, err
		}
		left, err := lastLeft(r, one, edits)
		if err != nil {
			return nil, err
		}
		list = append(list, Span{From: one.From, To: one.To, Whose: whose, Left: left, Moved: one.Commands, beside: beside})
	}
	return list, nil
}

// CommandSpan is what taking back one command of a turn means.
func (t *Timeline) CommandSpan(r *repo.Repo, one *Turn, c *Command) Span {
	return Span{From: c.Since, To: c.Left, Moved: []Command{*c}, beside: t.rivals(r, one)}
}

// whose says who changed a path in a turn. A tool that is given a file is sure of it; of commands that overlap in time, the one that ended
// first is taken for the writer.
func (t *Timeline) whose(r *repo.Repo, one *Turn, edits []Edit, meanwhile []rival) (func(path string) (Whose, string), error) {
	end := one.Ended
	if end.IsZero() {
		end = time.Now()
	}
	mine, others := map[string]bool{}, map[string]string{}
	sums := map[string]string{} // of what others' tools left
	for _, e := range edits {
		switch {
		case e.Session == one.Session && e.Turn == one.Number:
			mine[e.Path] = true
		case e.Session != one.Session && e.At.After(one.Began) && e.At.Before(end):
			others[e.Path], sums[e.Path] = e.Session, e.Sum
		}
	}
	foreign := func(path string, left checkpoint.Side) bool {
		if sums[path] == "" || left.Mode != repo.ModeFile && left.Mode != repo.ModeExec {
			return false
		}
		_, text, err := r.Object(left.Hash)
		return err == nil && sumOf(text) == sums[path]
	}
	ran, err := changedBy(r, one.Commands, meanwhile, foreign)
	if err != nil {
		return nil, err
	}
	rivals := map[string]time.Time{} // when a command of another session that changed it too has ended
	names := map[string]string{}
	for i := range t.Turns {
		o := &t.Turns[i]
		if o.Session == one.Session {
			continue
		}
		var beside []Command
		for _, c := range o.Commands {
			if c.At.After(one.Began) && c.At.Before(end) {
				beside = append(beside, c)
			}
		}
		theirs, err := changedBy(r, beside, nil, nil)
		if err != nil {
			return nil, err
		}
		for path, at := range theirs {
			if was, known := rivals[path]; !known || at.Before(was) {
				rivals[path], names[path] = at, o.Session
			}
		}
	}
	return func(path string) (Whose, string) {
		at, did := ran[path]
		rival, beside := rivals[path]
		if !mine[path] && !did && (beside || others[path] != "") {
			return Stranger, ""
		}
		if name := others[path]; name != "" {
			return Other, name
		}
		if mine[path] {
			return Mine, ""
		}
		switch {
		case did && (!beside || at.Before(rival)):
			return Mine, ""
		case beside:
			return Other, names[path]
		}
		return Nobody, ""
	}, nil
}

// lastLeft finds for each path how the last command of a turn that changed it, or the last tool that wrote it, left it.
func lastLeft(r *repo.Repo, one *Turn, edits []Edit) (func(path string) (Last, bool), error) {
	last, at := map[string]Last{}, map[string]time.Time{}
	var seen []repo.Hash
	for _, c := range one.Commands {
		seen = append(seen, c.Since, c.Left)
		paths, err := changedBy(r, []Command{c}, nil, nil)
		if err != nil {
			return nil, err
		}
		for path := range paths {
			if c.At.After(at[path]) {
				last[path], at[path] = Last{Snapshot: c.Left}, c.At
			}
		}
	}
	for _, e := range edits {
		if e.Session == one.Session && e.Turn == one.Number && e.At.After(at[e.Path]) {
			last[e.Path], at[e.Path] = Last{Sum: e.Sum, Seen: seen}, e.At
		}
	}
	return func(path string) (Last, bool) {
		l, known := last[path]
		return l, known && (l.Sum != "" || !l.Snapshot.IsZero())
	}, nil
}
