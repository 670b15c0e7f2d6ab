package undo

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
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
	v := look(r)
	for i := range turns {
		one := &turns[i]
		beside := t.beside(r, one)
		whose, pieces, touched, err := v.whose(one, edits, beside)
		if err != nil {
			return nil, err
		}
		left, err := v.lastLeft(one, edits)
		if err != nil {
			return nil, err
		}
		list = append(list, Span{From: one.From, To: one.To, Whose: whose, Pieces: pieces, Touched: touched, Left: left, Moved: one.Commands, beside: beside})
	}
	return list, nil
}

// CommandSpan is what taking back one command of a turn means. What the session's own tools wrote meanwhile goes with it.
func (t *Timeline) CommandSpan(r *repo.Repo, one *Turn, c *Command, edits []Edit) (Span, error) {
	alone := *one
	alone.Commands, alone.Began, alone.Ended = []Command{*c}, c.began, c.At
	beside := t.beside(r, &alone)
	whose, pieces, touched, err := look(r).whose(&alone, edits, beside)
	return Span{From: c.Since, To: c.Left, Whose: whose, Pieces: pieces, Touched: touched, Moved: alone.Commands, beside: beside}, err
}

// whose says who changed a path in a turn, and in which pieces of it the session's commands did. A tool that is given a file is sure of it.
func (v *views) whose(one *Turn, edits []Edit, beside []window) (func(path string) (Whose, string), func(path string) []piece, []string, error) {
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
		_, text, err := v.r.Object(left.Hash)
		return err == nil && sumOf(text) == sums[path]
	}
	var own []window
	for i := range one.Commands {
		own = append(own, one.Commands[i].window)
	}
	ran, err := v.changedBy(own, beside, foreign)
	if err != nil {
		return nil, nil, nil, err
	}
	rivals := map[string]written{} // of other sessions' commands
	names := map[string]string{}
	for i := range beside {
		if d := &beside[i]; !d.here || d.left.IsZero() {
			continue
		}
		theirs, err := v.changedBy(beside[i:i+1], own, nil)
		if err != nil {
			return nil, nil, nil, err
		}
		for path, w := range theirs {
			if was, known := rivals[path]; !known || w.at.Before(was.at) {
				rivals[path], names[path] = w, beside[i].session
			}
		}
	}
	tools, err := v.byTools(one, edits, own, ran)
	if err != nil {
		return nil, nil, nil, err
	}
	alone := func(path string) bool {
		_, told := tools[path]
		return (!mine[path] || told) && others[path] == "" && ran[path].whole
	}
	whose := func(path string) (Whose, string) {
		own, did := ran[path]
		rival, beside := rivals[path]
		if !mine[path] && !did && (beside || others[path] != "") {
			return Stranger, ""
		}
		if name := others[path]; name != "" {
			return Other, name
		}
		switch told := tools[path]; {
		case mine[path] && told.mixed:
			return Mixed, ""
		case mine[path]:
			return Mine, ""
		case did && own.maybe != "":
			return Either, own.maybe
		case did && (alone(path) || !beside || own.at.Before(rival.at)):
			return Mine, ""
		case beside:
			return Other, names[path]
		}
		return Nobody, ""
	}
	pieces := func(path string) []piece {
		if !alone(path) {
			return nil
		}
		return append(slices.Clone(tools[path].behind), ran[path].pieces...)
	}
	return whose, pieces, slices.Sorted(maps.Keys(ran)), nil
}

// toolsDid is what a session's tools did to a file that somebody else has changed before one of their calls, around which there are snapshots.
type toolsDid struct {
	behind []piece // what they did after the last of these calls
	mixed  bool    // somebody else changed it between two of their calls, and no snapshot parts that from what the first did
}

// byTools tells of files that tools wrote, and around a call of which there are snapshots, as around commands.
func (v *views) byTools(one *Turn, edits []Edit, own []window, ran map[string]written) (map[string]toolsDid, error) {
	within := func(e *Edit) *window {
		i := slices.IndexFunc(own, func(w window) bool { return !e.At.Before(w.began) && !e.At.After(w.at) })
		if i < 0 {
			return nil
		}
		return &own[i]
	}
	out, last := map[string]toolsDid{}, map[string]*window{}
	loose := map[string]*Edit{} // the newest without snapshots, of each file
	for i := range edits {
		e := &edits[i]
		if _, did := ran[e.Path]; !did || e.Session != one.Session || e.Turn != one.Number {
			continue
		}
		w := within(e)
		if w == nil {
			loose[e.Path] = e
			continue
		}
		out[e.Path] = toolsDid{mixed: out[e.Path].mixed || loose[e.Path] != nil}
		last[e.Path], loose[e.Path] = w, nil
	}
	for path, w := range last {
		e := loose[path]
		if e == nil || one.To.IsZero() {
			continue
		}
		to, err := v.snapshot(one.To)
		if err != nil {
			return nil, err
		}
		side, err := to.At(v.r, path)
		if err != nil {
			return nil, err
		}
		is := side.Mode == repo.ModeFile || side.Mode == repo.ModeExec
		if is {
			_, text, err := v.r.Object(side.Hash)
			is = err == nil && sumOf(text) == e.Sum
		}
		did := out[path]
		did.mixed, did.behind = did.mixed || !is, []piece{{w.left, one.To}}
		out[path] = did
	}
	return out, nil
}

// lastLeft finds for each path how the last command of a turn that changed it, or the last tool that wrote it, left it.
func (v *views) lastLeft(one *Turn, edits []Edit) (func(path string) (Last, bool), error) {
	last, at := map[string]Last{}, map[string]time.Time{}
	var seen []repo.Hash
	for i := range one.Commands {
		c := &one.Commands[i]
		seen = append(seen, c.Since, c.Left)
		ch, err := v.change(c.Since, c.Left)
		if err != nil {
			return nil, err
		}
		for _, path := range ch.Paths {
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
