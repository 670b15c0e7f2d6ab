package undo

import (
	"cmp"
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
		beside, own := t.beside(r, one), one.own()
		if late := one.late(); len(late) > 0 {
			span, err := v.lateSpan(one, late, t.behind(r, one), cmp.Or(t.Now, t.Newest))
			if err != nil {
				return nil, err
			}
			list = append(list, *span)
		}
		whose, pieces, touched, err := v.whose(one, own, edits, beside)
		if err != nil {
			return nil, err
		}
		left, err := v.lastLeft(one, own, edits)
		if err != nil {
			return nil, err
		}
		list = append(list, Span{Turn: one.Number, From: one.From, To: one.To, Whose: whose, Pieces: pieces, Touched: touched, Left: left, Moved: one.Commands, own: own, beside: beside})
	}
	return list, nil
}

// CommandSpan is what taking back one command of a turn means. What the session's own tools wrote meanwhile goes with it.
func (t *Timeline) CommandSpan(r *repo.Repo, one *Turn, c *Command, edits []Edit) (Span, error) {
	alone := *one
	alone.Commands, alone.Began, alone.Ended = []Command{*c}, c.began, c.At
	own := []window{c.window}
	v := look(r)
	edits = slices.DeleteFunc(slices.Clone(edits), func(e Edit) bool { // what its tools wrote before and behind the command stays
		return e.Session == one.Session && (e.At.Before(c.began) || !c.unheard && e.At.After(c.At))
	})
	if c.unheard {
		own = slices.DeleteFunc(one.gaps(), func(w window) bool { return w.key != c.Key })
		if alone.Ended = one.Ended; c.behind {
			late := v.lateWindow(one, c, cmp.Or(t.Now, t.Newest))
			own, alone.Ended = append(own, late), late.ended
		}
	}
	beside := t.beside(r, &alone)
	whose, pieces, touched, err := v.whose(&alone, own, edits, beside)
	return Span{From: c.Since, To: c.Left, Whose: whose, Pieces: pieces, Touched: touched, Moved: alone.Commands, own: own, beside: beside}, err
}

// whose says who changed a path in a turn, and in which pieces of it the session's commands did. A tool that is given a file is sure of it.
func (v *views) whose(one *Turn, own []window, edits []Edit, beside []window) (func(path string) (Whose, string), func(path string) []piece, []string, error) {
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
		case e.Session != one.Session && e.At.After(one.Since()) && e.At.Before(end):
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
	both := map[string][]piece{} // what tools of this session and of others wrote, where that can be parted
	for path := range others {
		if !mine[path] {
			continue
		}
		if both[path], err = v.shared(one, edits, own, beside, path, end); err != nil {
			return nil, nil, nil, err
		}
	}
	alone := func(path string) bool {
		_, told := tools[path]
		return (!mine[path] || told) && others[path] == "" && ran[path].whole
	}
	whose := func(path string) (Whose, string) {
		known, did := ran[path]
		rival, beside := rivals[path]
		if !mine[path] && !did && (beside || others[path] != "") {
			return Stranger, ""
		}
		if both[path] != nil {
			return Mine, others[path]
		}
		if name := others[path]; name != "" {
			return Other, name
		}
		switch told := tools[path]; {
		case mine[path] && told.mixed:
			return Mixed, ""
		case mine[path]:
			return Mine, ""
		case did && known.maybe != "":
			return Either, known.maybe
		case did && (alone(path) || !beside || known.at.Before(rival.at)):
			return Mine, ""
		case beside:
			return Other, names[path]
		}
		if by := doubt(own, path, false); by != "" {
			return Unheard, by
		}
		return Nobody, ""
	}
	pieces := func(path string) []piece {
		if both[path] != nil {
			return both[path]
		}
		if !alone(path) {
			return nil
		}
		if told, is := tools[path]; is {
			if told.mixed && !told.command { // a part of what tools wrote does not go back alone
				return nil
			}
			return told.pieces
		}
		return ran[path].pieces
	}
	return whose, pieces, slices.Sorted(maps.Keys(ran)), nil
}

// toolsDid is what a session's tools and commands did to a file that both have changed, or around whose changes by tools there are snapshots.
type toolsDid struct {
	pieces []piece // the newest first
	mixed  bool    // somebody else changed it behind one of the tools, and no snapshot parts that from what the tool did

	command bool // a command, and no tool, changed it last
}

// told is how much later than the end of a call its edit may be told of: two handlers of one event do so.
const told = 200 * time.Millisecond

// byTools tells of files that tools wrote, and around other changes of which there are snapshots.
func (v *views) byTools(one *Turn, edits []Edit, own []window, ran map[string]written) (map[string]toolsDid, error) {
	loose := map[string][]*Edit{} // those without snapshots of their own
	for i := range edits {
		e := &edits[i]
		if _, did := ran[e.Path]; !did || e.Session != one.Session || e.Turn != one.Number {
			continue
		}
		list := loose[e.Path] // also where it is empty: a tool wrote it
		kept, err := v.keptBy(e, own)
		if err != nil {
			return nil, err
		}
		if !kept {
			list = append(list, e)
		}
		loose[e.Path] = list
	}
	out := map[string]toolsDid{}
	for path, list := range loose {
		if !ran[path].whole {
			continue
		}
		newest := ran[path].pieces[0]
		did, last := toolsDid{command: !slices.ContainsFunc(edits, func(e Edit) bool {
			return e.Path == path && e.Session == one.Session && slices.ContainsFunc(own, func(w window) bool {
				return w.since == newest[0] && w.left == newest[1] && !e.At.Before(w.began) && !e.At.After(w.at.Add(told))
			})
		})}, one.From
		// behind takes in what tools did until a snapshot.
		behind := func(until repo.Hash, at time.Time) error {
			n := 0
			for n < len(list) && (at.IsZero() || list[n].At.Before(at)) {
				n++
			}
			if n == 0 {
				return nil
			}
			left, err := v.leftBy(list[n-1], until, own)
			if err != nil {
				return err
			}
			did.mixed, did.pieces, list = did.mixed || left.IsZero(), append([]piece{{last, left}}, did.pieces...), list[n:]
			return nil
		}
		for _, p := range slices.Backward(ran[path].pieces) {
			i := slices.IndexFunc(own, func(w window) bool { return w.since == p[0] && w.left == p[1] })
			if i < 0 { // a part of a command, beside others'
				did = toolsDid{mixed: len(list) > 0, pieces: ran[path].pieces}
				list = nil
				break
			}
			if err := behind(p[0], own[i].at); err != nil {
				return nil, err
			}
			did.pieces, last = append([]piece{p}, did.pieces...), p[1]
		}
		if len(list) > 0 && !one.To.IsZero() {
			if err := behind(one.To, time.Time{}); err != nil {
				return nil, err
			}
		}
		out[path] = did
	}
	return out, nil
}

// keptBy reports an edit that has snapshots of its own. It may be told of just after the second of them was taken.
func (v *views) keptBy(e *Edit, own []window) (bool, error) {
	for i := range own {
		w := &own[i]
		switch {
		case e.At.Before(w.began) || e.At.After(w.at.Add(told)):
		case !e.At.After(w.at):
			return true, nil
		default:
			if is, err := v.leftAs(w.left, e.Path, e.Sum); is || err != nil {
				return is, err
			}
		}
	}
	return false, nil
}

// leftBy is a snapshot with a file as a tool left it: the next one that is known to differ, or one around a command that left it alone; zero where
// none has it.
func (v *views) leftBy(e *Edit, until repo.Hash, own []window) (repo.Hash, error) {
	snapshots := []repo.Hash{until}
	for i := range own {
		if own[i].at.After(e.At) {
			snapshots = append(snapshots, own[i].since, own[i].left)
		}
	}
	for _, h := range snapshots {
		if is, err := v.leftAs(h, e.Path, e.Sum); is || err != nil {
			return h, err
		}
	}
	return repo.Hash{}, nil
}

// leftAs reports a file that is in a snapshot as a tool left it.
func (v *views) leftAs(h repo.Hash, path, sum string) (bool, error) {
	at, err := v.snapshot(h)
	if err != nil {
		return false, err
	}
	side, err := at.At(v.r, path)
	if err != nil || side.Mode != repo.ModeFile && side.Mode != repo.ModeExec {
		return false, err
	}
	_, text, err := v.r.Object(side.Hash)
	return err == nil && sumOf(text) == sum, err
}

// lastLeft finds for each path how the last command of a turn that changed it, or the last tool that wrote it, left it.
func (v *views) lastLeft(one *Turn, own []window, edits []Edit) (func(path string) (Last, bool), error) {
	last, at := map[string]Last{}, map[string]time.Time{}
	var seen []repo.Hash
	for i := range own {
		w := &own[i]
		seen = append(seen, w.since, w.left)
		ch, _, err := v.own(w, nil)
		if err != nil {
			return nil, err
		}
		for _, path := range ch.Paths {
			if w.at.After(at[path]) {
				last[path], at[path] = Last{Snapshot: w.left}, w.at
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
