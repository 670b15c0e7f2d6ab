package undo

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// Turn is what a session did for one prompt, as the timeline of a work tree has it.
type Turn struct {
	Key     string // of the session and the number, as steps name it
	Session string
	Number  int
	Prompt  string // masked
	Began   time.Time
	Ended   time.Time   // zero while it goes on
	From    repo.Hash   // the snapshot with which it began; zero where there is none
	To      repo.Hash   // the one that it left; zero where it goes on
	Vault   repo.Hash   // the snapshot with the copies of what Git ignores, of its beginning
	Copies  repo.Hash   // the same of its end
	Found   []repo.Hash // the same before its calls, the oldest first: more may have been copied then than at its beginning
	Told    repo.Hash   // what Git was told by its settings when it began; zero where that is not known

	Commands []Command // that changed something, the newest first
	Undone   bool
	Missing  string // why there is no snapshot of it

	unheard []Command // calls of whose end nobody told

	found time.Time // when the snapshot with which it began was first seen
}

// Command is one that changed something.
type Command struct {
	Key         string
	Command     string // masked
	At          time.Time
	Since, Left repo.Hash // the snapshots before and after it
	Were, Vault repo.Hash // the same of what Git ignores
	Made        []string  // files that Git ignores, where there was nothing before
	Undone      bool

	window
	behind bool      // it goes on in the background
	until  repo.Hash // the snapshot with which the next turn began, where it did so until then; zero where it has not ended
}

// Names are the files that a command names, by the words on its line, relative to the work tree.
func (c *Command) Names() (list []string) {
	for _, word := range slices.Concat(c.words.Files, words(c.Command)) {
		if name := path.Clean(word); filepath.IsLocal(name) && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// Undo is one that was made.
type Undo struct {
	Keys         []string
	undone       []string // those of Keys that were taken back as a whole
	Again        bool
	Forced       bool // also over what somebody else had changed
	At           time.Time
	Before, Left repo.Hash // the snapshots before and after it
	Were, Copies repo.Hash // the same of what Git ignores
	Session      string
	Partly       bool // some of it failed, so that it can be done once more
	parts        []Undo
	Done         bool // else it was stopped in the middle, and counts for nothing: what is left of it can be done again
}

// Timeline is what happened in a work tree.
type Timeline struct {
	Turns  []Turn    // that changed something, or may have, the newest first
	Undos  []Undo    // the newest first
	Last   *Turn     // the newest of all, also one that changed nothing; nil for none
	Newest repo.Hash // the newest snapshot
	Cut    *Undo     // one that was stopped in the middle, and nothing came behind it
	Now    repo.Hash // the snapshot of now, where one was made

	running []window                // commands that go on
	first   map[repo.Hash]time.Time // when each snapshot was first seen
}

// settingsAt is what the repository's settings were where a turn began that a step is of. Where that step is not the prompt's, nothing had changed
// by then: they are as the step before left them.
func settingsAt(steps []checkpoint.Step, i int) repo.Hash {
	switch {
	case steps[i].Kind == checkpoint.StepPrompt:
		return steps[i].Settings
	case i+1 < len(steps):
		return steps[i+1].Settings
	}
	return repo.Hash{}
}

// Read puts the timeline of a work tree together.
func Read(r *repo.Repo, stateDir string) (*Timeline, error) {
	steps, err := checkpoint.Steps(r)
	if err != nil && len(steps) == 0 {
		return nil, err
	}
	has, first := savedIn(r, steps), appeared(steps)
	t := &Timeline{first: first}
	at := map[string]int{}
	turn := func(session string, number int) *Turn {
		key := session + ":" + strconv.Itoa(number)
		i, known := at[key]
		if !known {
			i = len(t.Turns)
			at[key] = i
			t.Turns = append(t.Turns, Turn{Key: key, Session: session, Number: number})
		}
		return &t.Turns[i]
	}
	known := func(session string, number int) bool { _, ok := at[session+":"+strconv.Itoa(number)]; return ok }
	finished, partly := false, false
	var copies repo.Hash // behind the undo that has come to its end
	var whole []string   // what it took back as a whole
	for i := range steps {
		st := &steps[i]
		if t.Newest.IsZero() {
			t.Newest = st.Snapshot
		}
		switch st.Kind {
		case checkpoint.StepUndone:
			finished, partly, copies, whole = true, st.Why != "", st.Vault, st.Undoes
			continue
		case checkpoint.StepUndo:
			u := Undo{Keys: st.Undoes, undone: st.Undoes, Again: st.Again, Forced: st.Forced, At: st.Time, Before: st.Since, Left: st.Snapshot, Were: st.Were, Copies: copies, Session: st.Session, Partly: partly, Done: finished}
			if finished && len(whole) > 0 {
				u.undone = whole
			}
			if !finished && len(t.Undos) == 0 && len(t.Turns) == 0 {
				t.Cut = &u
			}
			t.Undos, finished, partly = append(t.Undos, u), false, false
			continue
		case checkpoint.StepNow:
			continue
		}
		if st.Turn == 0 {
			continue
		}
		one := turn(st.Session, st.Turn)
		one.add(st, first)
		one.Told = settingsAt(steps, i)
	}
	goes := map[string]bool{}
	for _, o := range allOpen(stateDir) {
		for _, hole := range o.Holes {
			if hole.Tree == r.WorkTree {
				turn(o.Session, hole.Turn).misses(&hole)
			}
		}
		for i := range o.Lost {
			l := &o.Lost[i]
			if since, _ := repo.ParseHash(l.Since); l.Tree != r.WorkTree || !has(since) {
				continue
			}
			turn(o.Session, l.Turn).loses(l, first)
		}
		if o.Tree != r.WorkTree || o.Turn == 0 || o.Closed && !has(o.Start()) && !known(o.Session, o.Turn) { // all of it was elsewhere
			continue
		}
		one := turn(o.Session, o.Turn)
		goes[one.Key] = !o.Closed
		t.running = append(t.running, o.windows(has, first)...)
		one.goesOn(&o, has, first)
	}
	t.settle(goes, has)
	v := look(r)
	for i := range t.Turns {
		if err := v.hear(&t.Turns[i], t.Newest); err != nil {
			return nil, err
		}
	}
	t.undone()
	t.order()
	return t, nil
}

// goesOn adds to a turn what the session's own file knows of it.
func (one *Turn) goesOn(o *Open, has func(repo.Hash) bool, first map[repo.Hash]time.Time) {
	if one.From.IsZero() {
		one.From = o.Start()
	}
	if h, ok := repo.ParseHash(o.Vault); ok {
		one.Vault = h
	}
	one.Prompt, one.Began = cmp.Or(one.Prompt, o.Prompt), o.Began
	one.Missing = cmp.Or(one.Missing, o.Why)
	for i := range o.Calls {
		if since, _ := repo.ParseHash(o.Calls[i].Since); has(since) {
			one.unheardOf(&o.Calls[i], "", first)
		}
	}
	if !o.Closed {
		one.To, one.Copies, one.Ended = repo.Hash{}, repo.Hash{}, time.Time{}
	}
}

// settle ends the turns that do not go on, and takes out of all what is not in this repository.
func (t *Timeline) settle(goes map[string]bool, has func(repo.Hash) bool) {
	for i := range t.Turns {
		one := &t.Turns[i]
		if one.Ended.IsZero() && !goes[one.Key] { // nothing has changed until its end
			one.To, one.Copies, one.Ended = one.From, one.Vault, one.Began
		}
		one.found = t.first[one.From]
		one.elsewhere(has)
	}
}

// order puts the newest turn first, says which was the last, and leaves out those that changed nothing.
func (t *Timeline) order() {
	slices.SortStableFunc(t.Turns, func(a, b Turn) int { return b.last().Compare(a.last()) })
	if len(t.Turns) > 0 { // of the last prompt: an undo ends a turn that goes on, and that is none
		last := slices.MaxFunc(t.Turns, func(a, b Turn) int { return cmp.Or(a.prompted().Compare(b.prompted()), a.last().Compare(b.last())) })
		t.Last = &last
	}
	t.Turns = slices.DeleteFunc(t.Turns, func(one Turn) bool { return one.Still() })
}

// add takes in a step of the turn; the newest comes first.
func (one *Turn) add(st *checkpoint.Step, first map[repo.Hash]time.Time) {
	one.Prompt = cmp.Or(one.Prompt, st.Prompt)
	switch st.Kind {
	case checkpoint.StepMissing:
		one.Missing = st.Why
		if one.Began.IsZero() {
			one.Began = st.Time
		}
		one.finds(st.Vault)
		return
	case checkpoint.StepPrompt:
		one.Began, one.From, one.Vault = st.Time, st.Snapshot, st.Vault
		return
	}
	if st.Kind == checkpoint.StepBefore {
		one.finds(st.Vault)
	}
	if one.To.IsZero() {
		one.To, one.Copies, one.Ended = st.Snapshot, st.Vault, st.Time
	}
	if one.Vault = st.Were; one.Vault.IsZero() && len(st.Made) == 0 { // what the call made was not there before it
		one.Vault = st.Vault // nothing was copied before, or an older moai wrote it
	}
	if !st.From.IsZero() { // a turn may come back to a work tree that it went out of: where it began there first counts
		one.From = st.From
	}
	if st.Kind == checkpoint.StepStop && one.Missing == "" {
		one.Missing = st.Why
	}
	if st.Changed() || st.Kind == checkpoint.StepAfter && !st.Since.IsZero() && st.Were != st.Vault {
		one.Commands = append(one.Commands, Command{
			Key: one.Key + "#" + st.Call, Command: st.Command, At: st.Time, Since: st.Since, Left: st.Snapshot, Were: st.Were, Vault: st.Vault, Made: st.Made,
			window: windowOf(st, first, true),
		})
	}
}

// finds notes a snapshot with copies of what a call found, older than those before.
func (one *Turn) finds(vault repo.Hash) {
	if !vault.IsZero() && !slices.Contains(one.Found, vault) {
		one.Found = append([]repo.Hash{vault}, one.Found...)
	}
}

// misses notes that not all of the turn has a snapshot. Where the timeline has nothing of it, this is all that is known.
func (one *Turn) misses(hole *Hole) {
	one.Prompt, one.Missing = cmp.Or(one.Prompt, hole.Prompt), cmp.Or(one.Missing, hole.Why)
	if one.Began.IsZero() {
		one.Began = hole.Began
	}
}

// savedIn tells which snapshots are in the repository. The zero hash is none, and is everywhere.
func savedIn(r *repo.Repo, steps []checkpoint.Step) func(repo.Hash) bool {
	saved := map[repo.Hash]bool{{}: true}
	for i := range steps {
		saved[steps[i].Snapshot], saved[steps[i].Vault] = true, true
	}
	return func(h repo.Hash) bool { return saved[h] || r.HasObject(h) }
}

// elsewhere takes out snapshots that another repository has: a session begins before git init, or its id comes again in another clone.
func (one *Turn) elsewhere(has func(repo.Hash) bool) {
	if !has(one.From) {
		one.From, one.Missing = repo.Hash{}, cmp.Or(one.Missing, "it began in another repository, or in a folder without Git")
	}
	for _, h := range []*repo.Hash{&one.To, &one.Vault, &one.Copies} {
		if !has(*h) {
			*h = repo.Hash{}
		}
	}
	one.Found = slices.DeleteFunc(one.Found, func(h repo.Hash) bool { return !has(h) })
	one.unheard = slices.DeleteFunc(one.unheard, func(c Command) bool { return !has(c.Since) || !has(c.until) })
	one.Commands = slices.DeleteFunc(one.Commands, func(c Command) bool {
		return slices.ContainsFunc([]repo.Hash{c.Since, c.Left, c.Were, c.Vault}, func(h repo.Hash) bool { return !has(h) })
	})
}

// Since is when the turn began, or a time before that from which on nothing else has changed: a prompt that finds nothing new leaves no step.
func (one *Turn) Since() time.Time {
	if one.Began.IsZero() {
		return one.found
	}
	return one.Began
}

// last is when something was heard of the turn last.
func (one *Turn) last() time.Time {
	if one.Ended.IsZero() {
		return one.Began
	}
	return one.Ended
}

// prompted is when the turn began, as far as that is known.
func (one *Turn) prompted() time.Time {
	if one.Began.IsZero() {
		return one.last()
	}
	return one.Began
}

// Still reports a turn that has changed nothing.
func (one *Turn) Still() bool {
	if one.Ended.IsZero() || one.From != one.To || len(one.late()) > 0 || one.Missing != "" || slices.ContainsFunc(one.Commands, func(c Command) bool { return c.Were != c.Vault }) {
		return false
	}
	return one.Vault == one.Copies || slices.Contains(one.Found, one.Copies) // more was copied, and all of it stays
}

// undone settles what was taken back, and not brought again since. A turn that went on after that is there again.
func (t *Timeline) undone() {
	gone := map[string]time.Time{}
	for _, u := range slices.Backward(t.Undos) {
		if !u.Done || u.Partly {
			continue
		}
		for _, key := range u.Keys {
			delete(gone, key)
		}
		if u.Again {
			continue
		}
		for _, key := range u.undone {
			gone[key] = u.At
		}
	}
	for i := range t.Turns {
		one := &t.Turns[i]
		at, was := gone[one.Key]
		one.Undone = was && !one.last().After(at)
		for j := range one.Commands {
			c := &one.Commands[j]
			_, alone := gone[c.Key]
			c.Undone = alone || was && !c.At.After(at)
		}
	}
}

// Pick names the session that a person means who names none: that of the newest turn, also where that has changed nothing, which still says.
// Another one's work is not taken for it. Several says that others have turns here which could be taken back.
func (t *Timeline) Pick() (session string, still, several bool) {
	if t.Last == nil {
		return "", false, false
	}
	session = t.Last.Session
	several = slices.ContainsFunc(t.Turns, func(one Turn) bool { return !one.Undone && one.Session != session })
	return session, t.Last.Still(), several
}

// Named are the sessions of the timeline whose names begin so, in the order of their last turns; the one of that very name alone.
func (t *Timeline) Named(begin string) (list []string) {
	add := func(session string) {
		if strings.HasPrefix(session, begin) && !slices.Contains(list, session) {
			list = append(list, session)
		}
	}
	for i := range t.Turns {
		add(t.Turns[i].Session)
	}
	for i := range t.Undos {
		add(t.Undos[i].Session)
	}
	if slices.Contains(list, begin) {
		return []string{begin}
	}
	return list
}

// Of are the turns of the sessions whose names begin so, the newest first.
func (t *Timeline) Of(session string) (list []Turn) {
	for _, one := range t.Turns {
		if strings.HasPrefix(one.Session, session) {
			list = append(list, one)
		}
	}
	return list
}

// Again is the newest undo of a session, or of any, that was not brought again; nil for none.
func (t *Timeline) Again(session string) *Undo {
	state := map[string]bool{} // as the newest that names a key has left it
	for i := range t.Undos {
		u := &t.Undos[i]
		if cut := t.Cut != nil && i == 0 && !u.Again; !u.Done && !cut || len(u.undone) == 0 || session != "" && u.Session != session || u.Again && u.Partly {
			continue
		}
		if _, known := state[u.undone[0]]; !known && !u.Again {
			return t.whole(i)
		}
		for _, key := range u.undone {
			state[key] = true
		}
	}
	return nil
}

// Redone is the last thing that was done with some turns where it brought all of them again over what somebody else had changed, and they have not
// gone on since: to take them back then is to take that back. Nil for anything else.
func (t *Timeline) Redone(turns []Turn, keys []string) *Undo {
	for i := range t.Undos {
		u := &t.Undos[i]
		if !u.Done || !slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(u.Keys, key) }) {
			continue
		}
		if !u.Again || !u.Forced || u.Partly || !slices.Equal(u.Keys, keys) || slices.ContainsFunc(turns, func(one Turn) bool { return one.last().After(u.At) }) {
			return nil
		}
		return u
	}
	return nil
}

// whole is an undo with those before it that did a part of the same: some of it failed, or they were stopped in the middle.
func (t *Timeline) whole(at int) *Undo {
	u := t.Undos[at]
	for _, part := range t.Undos[at+1:] {
		if part.Done && !part.Partly || part.Again || !slices.Equal(part.Keys, u.Keys) {
			break
		}
		u.parts, u.Were = append(u.parts, part), part.Were
	}
	return &u
}

// Spans are what bringing it again means, the newest first.
func (u *Undo) Spans() []Span {
	list := []Span{{From: u.Before, To: u.Left, All: true}}
	for _, part := range u.parts {
		list = append(list, Span{From: part.Before, To: part.Left, All: true})
	}
	return list
}

// Returned reports a file that an undo, or a redo, brought back, and that is as it left it.
func (u *Undo) Returned(r *repo.Repo, path string) bool {
	was, wrote := u.wrote(r, path)
	return wrote && was.Mode == 0
}

// Wrote reports a file that an undo, or a redo, wrote, and that is as it left it.
func (u *Undo) Wrote(r *repo.Repo, path string) bool {
	_, wrote := u.wrote(r, path)
	return wrote
}

func (u *Undo) wrote(r *repo.Repo, path string) (was checkpoint.Side, wrote bool) {
	before, after, err := look(r).snapshots(u.Before, u.Left)
	if err != nil {
		return was, false
	}
	was, no := before.At(r, path)
	left, failed := after.At(r, path)
	now, is := checkpoint.OnDisk(r, path)
	return was, no == nil && failed == nil && is && now == left && was != left
}

// Label is how people know a turn.
func (one *Turn) Label() string {
	if one.Prompt == "" {
		return fmt.Sprintf("turn %d", one.Number)
	}
	return one.Prompt
}
