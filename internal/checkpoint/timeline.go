package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
)

// A timeline is what a work tree looked like when turns of agents began and ended, and around their commands. Its steps have one
// reference together, however many they are, so that nothing that lists references gets slower: each is a small commit with the
// step before it and its snapshot among the parents. The snapshot is a commit like that of a checkpoint, which also holds where branches
// and stash entries stood; steps between which nothing has changed share one.
const stepRefs = Hidden + "turns/"

// stepRef is the timeline of a work tree.
func stepRef(r *repo.Repo) string {
	if name := Worktree(r); name != "" {
		return stepRefs + "trees/" + name
	}
	return stepRefs + "main"
}

// The kinds of steps.
const (
	StepPrompt  = "prompt"  // a turn begins
	StepStop    = "stop"    // a turn has ended
	StepBefore  = "before"  // a command is about to run
	StepAfter   = "after"   // a command has run
	StepNow     = "now"     // somebody is about to undo: what was there then
	StepUndo    = "undo"    // what an undo leads to, before the first file of it is touched
	StepUndone  = "undone"  // that undo has come to its end
	StepMissing = "missing" // there is no snapshot; Why says so
)

// A Step is one moment of a timeline.
type Step struct {
	Kind    string
	Time    time.Time
	Session string
	Turn    int    // of the session
	Prompt  string // the first words of the turn's prompt, masked
	Command string // masked; of steps around a command
	Call    string // the client's name of that call
	Why     string // of a missing one
	Words   Words  // of the command; nothing is known of one that ran while no other session was there

	// From is the snapshot with which the turn began, and Since the one before the command, or before an undo; zero where that is not known.
	From, Since repo.Hash
	Undoes      []string // keys of what an undo takes back, or brings again
	Again       bool     // it brings them again

	// Vault is the snapshot whose copies in the vault are the files that Git ignores, as they are now; zero for none.
	Vault repo.Hash
	// Were is the one whose copies are what there was before: before the command, before the undo, else when the turn began.
	Were repo.Hash

	Link     repo.Hash // the step itself
	Snapshot repo.Hash // zero for a missing one

	before repo.Hash
}

// Words are what a command changes by its own words. Two that ran at the same time are told apart by them.
type Words struct {
	Files []string // relative to the work tree; of a folder, all that is in it
	Only  bool     // it changes no other file
	Still bool     // it moves no reference and stages nothing
}

// maxWords bounds the files that a step names: from there on the words tell nothing.
const maxWords = 50

// marking is a step that is about to be added.
type marking struct {
	step   Step
	tip    repo.Hash   // what the reference says
	last   *Step       // the newest of the timeline; nil where there is none that can be read
	held   *Checkpoint // its snapshot
	always bool        // also where nothing has changed
	fresh  bool        // it was added
}

// Mark adds a step with a snapshot of the work tree as it is now. Where that is what the last step holds, none is added unless
// always is set, and the last one is given back: fresh tells which. Ignored, where it is not nil, are all files that Git ignores and
// that are worth a copy; else those that the last step knows of count.
func Mark(ctx context.Context, r *repo.Repo, o CreateOptions, step Step, always bool) (_ *Step, fresh bool, err error) {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	o.Operation, o.Session, o.NoLog, o.Branch, o.alone, o.remember = "turn", step.Session, true, false, true, manyFiles
	step.Time = o.Now.Truncate(time.Millisecond)
	for again := 0; ; again++ {
		m := &marking{step: step, always: always}
		if m.tip, m.last, err = lastStep(r); err != nil {
			return nil, false, fmt.Errorf("timeline: %w", err)
		}
		if m.last != nil && !m.last.Snapshot.IsZero() {
			m.held, _ = SnapshotAt(r, m.last.Snapshot) // one that cannot be read is not used again
		}
		if err := m.here(r); err != nil {
			return nil, false, err
		}
		one := o
		one.Ignored, m.step.Vault = ignoredNow(r, &o, m.last)
		one.Ignored = slices.DeleteFunc(slices.Clone(one.Ignored), func(p string) bool { return inTheWay(r, p) != "" }) // moved, and a link left behind
		one.mark = m
		_, err = create(ctx, r, one)
		switch {
		case err == nil:
			return &m.step, m.fresh, nil
		case again == 2:
			return nil, false, err
		case errors.Is(err, errPruned):
			o.apart = true
		case errors.Is(err, repo.ErrLocked):
			r.GiveUpLocks(stepRef(r))
		case !errors.Is(err, repo.ErrRefMoved) && !errors.Is(err, repo.ErrRefExists): // else another session was faster
			return nil, false, err
		}
	}
}

// here gives an error where what the step ends began in another folder.
func (m *marking) here(r *repo.Repo) error {
	if m.held != nil && m.held.elsewhere == r.Elsewhere { // nearly always
		return nil
	}
	for _, h := range [...]repo.Hash{m.step.From, m.step.Since} {
		if h.IsZero() {
			continue
		}
		if was, err := SnapshotAt(r, h); err == nil {
			if err := was.Here(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// MarkMissing adds a step that says why there is no snapshot.
func MarkMissing(r *repo.Repo, step Step, now time.Time) error {
	step.Kind, step.Time = StepMissing, now.Truncate(time.Millisecond)
	tip, last, err := lastStep(r)
	if err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	if last != nil {
		step.before = last.Link
	}
	w := r.NewWriter(repo.WriteOptions{})
	defer w.Abort()
	s := &snapshot{r: r, w: w, opts: &CreateOptions{Now: now}}
	if err := s.link(&step, tip); err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	return nil
}

// chain makes the snapshot a step. The checkpoint has no name and no reference of its own.
func (s *snapshot) chain(c *Checkpoint, v *vault) (err error) {
	m := s.opts.mark
	var known *Checkpoint
	if m.last != nil {
		known = m.held
	}
	pins, err := stepPins(s.r)
	if err != nil {
		return err
	}
	if c.refs, err = s.keepRefs(pins, known); err != nil {
		return err
	}
	same := m.held != nil && s.same(c, m.held, v) && (len(c.Vaulted) == 0 || slices.Equal(c.Vaulted, m.held.Vaulted)) // one that went is a change
	st := &m.step
	if same && len(c.Vaulted) > 0 {
		st.Vault = m.last.Snapshot
	}
	if same && !m.always && st.Vault == m.last.Vault && !st.tells(m.last) {
		m.step = *m.last
		return nil
	}
	if m.last != nil {
		st.before = m.last.Link
	}
	if same {
		st.Snapshot = m.last.Snapshot
	} else {
		if err := s.writeCommits(c, repo.Hash{}); err != nil {
			return err
		}
		st.Snapshot = c.Commit
		if err := v.keep(c.Commit); err != nil {
			return err
		}
		if len(c.Vaulted) > 0 {
			st.Vault = c.Commit
		}
	}
	if err := s.link(st, m.tip); err != nil {
		if !same {
			v.forget(c.Commit)
		}
		return err
	}
	if !same {
		v.note(s.r)
	}
	m.fresh = true
	return nil
}

// tells reports a step that is worth adding though the one before it holds the same: it is another session's, and would be taken for all that
// happened until then.
func (st *Step) tells(last *Step) bool {
	if last.Session == st.Session && last.Turn == st.Turn {
		return false
	}
	switch st.Kind {
	case StepStop:
		return st.From != last.Snapshot
	case StepAfter:
		return st.Since != last.Snapshot
	}
	return false
}

// link writes the commit of a step, waits for the disk, and moves the reference there.
func (s *snapshot) link(st *Step, old repo.Hash) (err error) {
	if st.Link, err = s.linkObject(st); err != nil {
		return err
	}
	return s.point(st.Link, old)
}

// point waits until all that was added is on disk, and moves the timeline there from where it was.
func (s *snapshot) point(to, old repo.Hash) error {
	ref := stepRef(s.r)
	p, err := s.r.PrepareMove(ref, old, to)
	if err != nil {
		return err
	}
	if err := s.w.Flush(p.Sync); err != nil {
		p.Rollback()
		return err
	}
	if err := p.Commit(); err != nil {
		return err
	}
	if s.settled() {
		return nil
	}
	// What a gc has taken away must not be named by what stays.
	if old.IsZero() {
		_, err = s.r.DeleteRefs([]repo.RefValue{{Name: ref, Hash: to}}, repo.PackedWait)
	} else {
		err = s.r.UpdateRef(ref, to, old)
	}
	return errors.Join(errPruned, err)
}

// linkObject adds the commit of a step. What it speaks of becomes its parents, so that nothing of that is collected.
func (s *snapshot) linkObject(st *Step) (repo.Hash, error) {
	var parents []repo.Hash
	for _, h := range [...]repo.Hash{st.before, st.Snapshot, st.From, st.Since, st.Vault, st.Were} {
		if !h.IsZero() && !slices.Contains(parents, h) {
			parents = append(parents, h)
		}
	}
	tree, err := s.w.Add(repo.KindTree, nil)
	if err != nil {
		return tree, err
	}
	return s.commitObject(tree, parents, st.encode())
}

// stepPins are the references that a turn may move: branches, but for those of checkpoints, and stash entries.
func stepPins(r *repo.Repo) ([]Pin, error) {
	refs, err := r.Refs("refs/heads/")
	if err != nil {
		return nil, err
	}
	list, err := stash(r)
	if err != nil {
		return nil, err // entries that are not seen would be taken for dropped
	}
	out := make([]Pin, 0, len(refs))
	for _, ref := range refs {
		if !strings.HasPrefix(ref.Name, branchRefs) {
			out = append(out, Pin{ref.Name, ref.Hash})
		}
	}
	out = out[:min(len(out), maxPins)]
	return append(out, list[:min(len(list), maxPins)]...), nil
}

// refsFile is the name of the file that says where references stood, in the tree of a commit that has them as its parents.
const refsFile = "references"

// keepRefs adds the commit that says where references stand. Nothing in it tells when it was made, so that snapshots share it.
func (s *snapshot) keepRefs(pins []Pin, known *Checkpoint) (repo.Hash, error) {
	var none repo.Hash
	if len(pins) == 0 {
		return none, nil
	}
	if known != nil && slices.Equal(known.Pins, pins) {
		return known.refs, nil
	}
	have := map[repo.Hash]bool{}
	if known != nil {
		for _, p := range known.Pins {
			have[p.Hash] = true // looked at before
		}
	}
	var text strings.Builder
	var tips []repo.Hash
	for _, p := range pins {
		fmt.Fprintf(&text, "%s %s\n", p.Hash, p.Ref)
		if slices.Contains(tips, p.Hash) {
			continue
		}
		if !have[p.Hash] {
			if k, _, err := s.r.Object(p.Hash); err != nil || k != repo.KindCommit {
				continue // broken, or not fetched: there is nothing to keep
			}
		}
		tips = append(tips, p.Hash)
	}
	h, err := s.w.Add(repo.KindBlob, []byte(text.String()))
	if err != nil {
		return none, err
	}
	tree, err := s.w.Add(repo.KindTree, repo.AppendTree(s.r.HashSize(), nil, []repo.TreeEntry{{Mode: repo.ModeFile, Name: refsFile, Hash: h}}))
	if err != nil {
		return none, err
	}
	whole := s.opts.Now
	s.opts.Now = time.Unix(0, 0).UTC()
	h, err = s.commitObject(tree, tips, "references\n")
	s.opts.Now = whole
	return h, err
}

// readReferences says where references stood.
func (c *Checkpoint) readReferences(r *repo.Repo) error {
	if c.refs.IsZero() {
		return nil
	}
	k, err := r.Commit(c.refs)
	if err != nil {
		return err
	}
	file, err := lookup(r.Tree, k.Tree, refsFile)
	if err != nil {
		return err
	}
	_, text, err := r.Object(file.Hash)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		hex, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if h, ok := repo.ParseHash(hex); ok {
			c.Pins = append(c.Pins, Pin{ref, h})
		}
	}
	return nil
}

// The message of a step is a subject and trailers, as that of a checkpoint.
func (st *Step) encode() string {
	var b strings.Builder
	fmt.Fprintf(&b, "turn: %s\n\n", st.Kind)
	put := func(key, val string) {
		if val != "" {
			fmt.Fprintf(&b, "Moai-%s: %s\n", key, val)
		}
	}
	hash := func(key string, h repo.Hash) {
		if !h.IsZero() {
			put(key, h.String())
		}
	}
	put("Time", st.Time.UTC().Format(stampFormat))
	put("Session", quote(term.Clip(st.Session, 100)))
	if st.Turn > 0 {
		put("Turn", strconv.Itoa(st.Turn))
	}
	put("Prompt", quote(term.Clip(st.Prompt, maxCommand)))
	put("Command", quote(term.Clip(st.Command, maxCommand)))
	put("Call", quote(term.Clip(st.Call, 100)))
	put("Why", quote(term.Clip(st.Why, maxCommand)))
	if w := &st.Words; len(w.Files) <= maxWords {
		for _, p := range w.Files {
			put("Names", quote(p))
		}
		if w.Only {
			put("Only", "yes")
		}
		if w.Still {
			put("Still", "yes")
		}
	}
	for _, key := range st.Undoes {
		put("Undoes", quote(key))
	}
	if st.Again {
		put("Again", "yes")
	}
	hash("Before", st.before)
	hash("Snapshot", st.Snapshot)
	hash("From", st.From)
	hash("Since", st.Since)
	hash("Copies", st.Vault)
	hash("Were", st.Were)
	return b.String()
}

// readStep reads a step from its commit.
func readStep(r *repo.Repo, h repo.Hash) (*Step, error) {
	k, err := r.Commit(h)
	if err != nil {
		return nil, err
	}
	kind, ok := strings.CutPrefix(strings.SplitN(k.Message, "\n", 2)[0], "turn: ")
	if !ok || k.Author != author {
		return nil, errors.New("it is no step of a timeline")
	}
	st := &Step{Kind: kind, Time: k.Time, Link: h}
	for line := range strings.Lines(k.Message) {
		key, val, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch key {
		case "Moai-Time":
			if t, err := time.Parse(stampFormat, val); err == nil {
				st.Time = t
			}
		case "Moai-Session":
			st.Session = unquote(val)
		case "Moai-Turn":
			st.Turn, _ = strconv.Atoi(val)
		case "Moai-Prompt":
			st.Prompt = unquote(val)
		case "Moai-Command":
			st.Command = unquote(val)
		case "Moai-Call":
			st.Call = unquote(val)
		case "Moai-Why":
			st.Why = unquote(val)
		case "Moai-Names":
			st.Words.Files = append(st.Words.Files, unquote(val))
		case "Moai-Only":
			st.Words.Only = true
		case "Moai-Still":
			st.Words.Still = true
		case "Moai-Undoes":
			st.Undoes = append(st.Undoes, unquote(val))
		case "Moai-Again":
			st.Again = true
		case "Moai-Before":
			st.before, _ = repo.ParseHash(val)
		case "Moai-Snapshot":
			st.Snapshot, _ = repo.ParseHash(val)
		case "Moai-From":
			st.From, _ = repo.ParseHash(val)
		case "Moai-Since":
			st.Since, _ = repo.ParseHash(val)
		case "Moai-Copies":
			st.Vault, _ = repo.ParseHash(val)
		case "Moai-Were":
			st.Were, _ = repo.ParseHash(val)
		}
	}
	return st, nil
}

// lastStep is the newest step of a work tree, and its name. One that cannot be read is named and no more: what comes next begins a timeline
// anew, since nothing would ever be saved again otherwise.
func lastStep(r *repo.Repo) (tip repo.Hash, st *Step, err error) {
	tip, err = r.Resolve(stepRef(r))
	if errors.Is(err, repo.ErrNoRef) {
		return tip, nil, nil
	}
	if err != nil {
		return tip, nil, err
	}
	if st, err = readStep(r, tip); err != nil {
		return tip, nil, nil
	}
	return tip, st, nil
}

// maxSteps bounds how many steps one question reads.
const maxSteps = 20_000

// Steps lists the timeline of a work tree, the newest first. Where a step cannot be read, those before it are not known.
func Steps(r *repo.Repo) ([]Step, error) {
	_, st, err := lastStep(r)
	var out []Step
	for st != nil && err == nil && len(out) < maxSteps {
		out = append(out, *st)
		if st.before.IsZero() {
			break
		}
		st, err = readStep(r, st.before)
	}
	if err != nil {
		return out, fmt.Errorf("timeline: %w", err)
	}
	return out, nil
}

// Changed reports the end of a command that changed something that snapshots hold.
func (st *Step) Changed() bool {
	return st.Kind == StepAfter && !st.Since.IsZero() && st.Since != st.Snapshot
}

// StepsSince lists the steps of the work tree's timeline since a time, the newest first, as far as they can be read.
func StepsSince(r *repo.Repo, since time.Time) []Step {
	tip, err := r.Resolve(stepRef(r))
	if err != nil {
		return nil
	}
	return stepsSince(r, tip, since, nil)
}

func stepsSince(r *repo.Repo, h repo.Hash, since time.Time, out []Step) []Step {
	for !h.IsZero() && len(out) < maxSteps {
		st, err := readStep(r, h)
		if err != nil || st.Time.Before(since) {
			break
		}
		out, h = append(out, *st), st.before
	}
	return out
}

// StepsElsewhere lists the steps of the repository's other work trees since a time, the newest of each first, as far as they can be read.
func StepsElsewhere(r *repo.Repo, since time.Time) (out []Step) {
	refs, err := r.Refs(stepRefs)
	if err != nil {
		return nil
	}
	for _, ref := range refs {
		if ref.Name == stepRef(r) {
			continue
		}
		out = stepsSince(r, ref.Hash, since, out)
	}
	return out
}

// SnapshotAt reads the snapshot of a step by its commit. It has no name among checkpoints; its pins are where references stood.
func SnapshotAt(r *repo.Repo, h repo.Hash) (*Checkpoint, error) {
	k, err := r.Commit(h)
	if err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	c := &Checkpoint{Name: h.String()[:10], Commit: h, Tree: k.Tree, Time: k.Time}
	c.decode(k.Message)
	if err := c.readReferences(r); err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	return c, nil
}

// Before is when the step before this one was added; zero without one.
func (st *Step) Before(r *repo.Repo) time.Time {
	if st.before.IsZero() {
		return time.Time{}
	}
	was, err := readStep(r, st.before)
	if err != nil {
		return time.Time{}
	}
	return was.Time
}
