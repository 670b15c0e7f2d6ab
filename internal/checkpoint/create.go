package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// CreateOptions say why a checkpoint is made and what goes into it. The zero value is a full snapshot without a branch.
type CreateOptions struct {
	Operation string // what is about to happen, as the rule names it: rm, reset-hard, critical-file; "" is manual
	Command   string // the command line, as Mask leaves it
	Program   string // the program that is about to run, if it is a known one: all that a branch says of the command
	Session   string // the agent's session
	Message   string // the user's own words; a new message never reuses an old checkpoint

	// Mask hides secrets in Command; nil: nothing but its first word is kept.
	Mask func(string) string

	// Branch also writes refs/heads/checkpoint/…, without files that Sensitive names and HEAD does not hold as they are.
	Branch bool
	// The content is that of the snapshot where it is at hand, else nil. It is asked from several goroutines.
	Sensitive func(path string, content []byte) bool

	// Look is a look at the work tree that was just taken for something else; nil: there is none. Another try takes its own.
	Look *repo.Look

	Limits Limits // the zero value stands for DefaultLimits
	Now    time.Time

	// PinRefs are references that the command may make unreachable: branches, tags, "HEAD" where the command may move it, "refs/stash"
	// for every stash entry, ReflogPins for what reflogs hold, WorktreePins for where linked work trees stand, and UnderwayPin where it may end or change an operation under way.
	PinRefs []string
	// Ignored are files or directories that git ignores and the command would destroy, relative to the work tree. They are copied
	// to a folder below VaultDir, not into the repository.
	Ignored  []string
	VaultDir string
	// Shared are snapshots that have copies of such files: what is as it was then needs no other one.
	Shared []repo.Hash
	// Recheck takes the files that the last step of a timeline has copies of for ignored ones, too: another session may have found them.
	Recheck bool
	// Sections are the kinds of sections of the repository's settings, such as branch, that the command may take along; Settings says
	// what of them a restore may set again. They are kept below VaultDir.
	Sections []string
	Settings []rule.Settings
	// Also are files of the work tree that the snapshot holds though Git ignores them.
	Also []string
	// StateDir is moai's folder for this user, where the walk remembers what need not be listed again; "" remembers nothing.
	StateDir string

	// Keep deletes older checkpoints afterwards, as Prune does, with the first checkpoint of each hour; the zero value keeps all.
	Keep Retention

	// Submodules tells which submodules what comes next moves or empties: those without changes get a checkpoint, too, which keeps where
	// HEAD and its branch stand. Nil: none.
	Submodules func(path string) bool
	// Hidden are repositories inside that Git does not list, since it ignores them.
	Hidden []string
	// Searched tells in which repositories inside what comes next changes or deletes what it finds. They get a checkpoint even
	// without changes of their own, so that the printed way back covers them.
	Searched func(path string) bool

	// InDanger tells which of the paths left out what comes next would destroy. A path that ends in a slash stands for files below
	// it, "/" for any untracked ones. Nil: none.
	InDanger func(Skip) bool

	// Made hears of each checkpoint in a repository inside as soon as it is there: the one around it may yet fail. It is called by
	// the goroutine that runs Create.
	Made func(Inner)

	// Spare tells a checkpoint that is not worth it: then there is none, and ErrNothing. Nil: each one is.
	Spare func(*Checkpoint) bool

	NoLog  bool // leave .moai/checkpoints.log alone
	NoSync bool // do not wait for the disk: tests only

	sections []string // of settings that a restore is about to set
	branches int      // how many stay at once, where that is not maxBranches
	remember int      // size of an index from which on the directory cache is used
	judge    bool     // a branch will be written: ask Sensitive
	apart    bool     // a gc ran into the last try: store all in a pack of its own
	alone    bool     // leave repositories inside to themselves
	depth    int      // of a repository inside others
	glance   bool     // errChanged where there are changes, without a look at them

	brings Brings // of the restore that is about to happen

	leftovers bool // keep what git has left of operations that have ended, too

	mark *marking // it becomes a step of the timeline, and no checkpoint of its own
}

// ErrNothing says that a checkpoint would hold nothing which is not there anyway.
var ErrNothing = errors.New("there is nothing to keep")

// Create takes a checkpoint. Objects are written first and the reference last, so that a process killed in between leaves nothing
// but objects that the next gc removes. When the newest checkpoint is equal in everything – tree, HEAD, index, pins – it is given
// back with Reused set.
func Create(ctx context.Context, r *repo.Repo, o CreateOptions) (*Checkpoint, error) {
	o.Operation = slug(o.Operation)
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	o.remember = cmp.Or(o.remember, manyFiles)
	o.judge = o.Branch && o.Sensitive != nil
	for again := 0; ; again++ {
		c, err := create(ctx, r, o)
		if err == nil || again == 2 || !errors.Is(err, errPruned) {
			return c, err
		}
		o.apart, o.Look = true, nil
	}
}

func create(ctx context.Context, r *repo.Repo, o CreateOptions) (*Checkpoint, error) {
	w := r.NewWriter(repo.WriteOptions{NoSync: o.NoSync, Apart: o.apart})
	defer w.Abort()
	s, err := take(ctx, r, w, &o)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if !o.alone {
		s.inside(ctx)
	}
	c, err := s.commit(ctx)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	s.remember()
	return c, nil
}

// commit turns the snapshot into commits and references.
func (s *snapshot) commit(ctx context.Context) (*Checkpoint, error) {
	o := s.opts
	c := &Checkpoint{
		Time: o.Now.Truncate(time.Millisecond), Operation: o.Operation, Command: line(o.Command, o.Mask), Program: o.Program, Session: term.Clip(o.Session, 100), Message: note(o.Message, o.Mask),
		Worktree: Worktree(s.r), On: s.head.Branch, Head: s.head.Hash, Tree: s.tree, Index: s.index, Unmerged: s.unmerged,
		Stats: s.stats, Nested: s.nested, Torn: s.torn, Usual: s.usual, Modes: s.modes, Folders: s.folders, Marks: s.marks, Intent: s.intent, IntentModes: s.intentModes, Links: s.realLinks, Inside: s.inner, Repositories: s.repos,
		Brings: o.brings,
	}
	var err error
	var over []Skip
	if c.Pins, over, err = pins(s.r, o.PinRefs); err != nil {
		return nil, err
	}
	c.Symbolic = symbolic(s.r, c.Pins)
	if len(o.PinRefs) > 0 {
		c.Trees = treeHeads(s.r)
	}
	s.keepState(c)
	v, err := openVault(s.r, o.VaultDir, slices.Concat(o.Ignored, s.removed()), o.Shared...)
	if err != nil {
		return nil, err
	}
	defer v.drop()
	s.keepSettings(c, v)
	c.Vaulted, c.vault = v.paths(), v.mark()
	c.Skipped = fold(slices.Concat(over, s.stateLost, s.skipped, v.skipped))
	c.Lost, c.Staged = append(over, s.lost(v)...), s.index != s.headTree && s.ix.Len() > 0 || len(s.intent) > 0 || !s.marks.none()
	c.Linked, c.Raised, c.Resolved = s.linked, s.raisedInDanger(), s.ix.Resolved && c.Underway != nil
	if slices.Contains(o.PinRefs, UnderwayPin) {
		c.Lost = append(c.Lost, s.stateLost...)
	}
	if o.Spare != nil && o.Spare(c) {
		return nil, ErrNothing
	}
	if o.mark != nil {
		return c, s.chain(c, v)
	}
	if o.judge && (s.last == nil || s.last.Branch == "" || s.last.Head != s.head.Hash) {
		c.Unbranched = s.withheld()
		if o.Mask != nil && c.Unbranched != "" { // it may name a file, and a name can hold a key
			c.Unbranched = term.Clip(o.Mask(c.Unbranched), maxCommand)
		}
		o.Branch = c.Unbranched == ""
		o.judge = o.Branch
	}
	if last := s.last; last != nil {
		// An agent runs many commands that change nothing; each would cost a reference.
		if s.same(c, last, v) {
			return s.again(c, last, v), nil
		}
		// Names say which one is newer, also when a clock has gone back a little.
		if ahead := last.Time.Sub(c.Time); ahead >= 0 && ahead < time.Minute {
			c.Time = last.Time.Add(time.Millisecond)
		}
	}
	return c, s.write(c, v)
}

// again is the last checkpoint in the place of an equal one that is asked for.
func (s *snapshot) again(c, last *Checkpoint, v *vault) *Checkpoint {
	last.Reused, last.Repositories, last.Lost, last.Vaulted, last.Staged, last.Linked, last.Raised, last.Resolved = true, s.repos, c.Lost, c.Vaulted, c.Staged, c.Linked, c.Raised, c.Resolved
	last.Unbranched = c.Unbranched
	last.Settings, last.SettingsLeft = c.Settings, c.SettingsLeft
	v.note(s.r)
	if !s.opts.NoLog {
		if err := logReused(s.r, last, c); err != nil {
			last.Warnings = append(last.Warnings, "the log was not written: "+err.Error())
		}
	}
	return last
}

// write stores a checkpoint, gives it its names, and makes room for it.
func (s *snapshot) write(c *Checkpoint, v *vault) error {
	// After the question whether an older one is equal: comparing with HEAD is for new ones alone.
	public, err := s.publicTree(c)
	if err != nil {
		return err
	}
	if err := s.writeCommits(c, public); err != nil {
		return err
	}
	if err := v.keep(c.Commit); err != nil {
		return err
	}
	older := s.older(*c)
	if err := s.publish(c); err != nil {
		v.forget(c.Commit)
		return err
	}
	if !s.settled() {
		v.forget(c.Commit)
		return s.withdraw(c)
	}
	v.note(s.r)
	s.retain(c, older)
	if !s.opts.NoLog {
		if err := logCreated(s.r, c); err != nil {
			c.Warnings = append(c.Warnings, "the log was not written: "+err.Error())
		}
	}
	return nil
}

// Bare reports a checkpoint of a work tree as HEAD has it, with nothing beside it.
func (c *Checkpoint) Bare() bool {
	pinned := slices.ContainsFunc(c.Pins, func(p Pin) bool { return !strings.HasPrefix(p.Ref, "worktrees/") }) // a rule of its own is about these
	return !pinned && c.Clean()
}

// Clean is Bare whatever references the checkpoint keeps.
func (c *Checkpoint) Clean() bool {
	return c.Stats == (Stats{}) && !c.Staged && c.Underway == nil && !c.Head.IsZero() && len(c.Skipped)+len(c.Folders.Empty)+len(c.Settings)+len(c.Vaulted)+len(c.Inside)+len(c.Repositories) == 0
}

// like says whether two checkpoints hold the same, but for references and what lies in the vault.
func (c *Checkpoint) like(d *Checkpoint) bool {
	return c.elsewhere == d.elsewhere && c.Tree == d.Tree && c.Head == d.Head && c.On == d.On && c.Index == d.Index && c.Unmerged == d.Unmerged && slices.Equal(c.Intent, d.Intent) && slices.Equal(c.IntentModes, d.IntentModes) && slices.Equal(c.Links, d.Links) &&
		slices.Equal(c.Inside, d.Inside) && c.state == d.state && c.refs == d.refs && c.Usual == d.Usual && maps.Equal(c.Modes, d.Modes) && c.Folders.equal(&d.Folders) &&
		c.Marks.equal(&d.Marks) && c.Brings.equal(&d.Brings)
}

// vaultIsHere says whether the vault that a checkpoint speaks of belongs to this place: a copied repository has the checkpoints alone.
func (s *snapshot) vaultIsHere(c *Checkpoint) bool {
	if len(c.Vaulted) == 0 {
		return true
	}
	_, err := os.Lstat(filepath.Join(vaultHome(s.r, s.opts.VaultDir), c.Commit.String()))
	return err == nil
}

// same says whether the newest checkpoint holds all that this one would.
func (s *snapshot) same(c, last *Checkpoint, v *vault) bool {
	if !last.like(c) ||
		c.Message != "" && c.Message != last.Message || s.opts.Branch && last.Branch == "" || !leavesOut(last, c) || !v.same(last.Commit) || !s.vaultIsHere(last) {
		return false
	}
	for ref, to := range c.Symbolic {
		if last.Symbolic[ref] != to {
			return false
		}
	}
	// With more in it than this one, it would bring back what another call has taken.
	return (len(c.Pins) == 0 || slices.Equal(c.Pins, last.Pins)) && (len(c.Trees) == 0 || slices.Equal(c.Trees, last.Trees))
}

// leavesOut says whether an older checkpoint leaves out what a new one does, and has said so: content may go unsaved, never unnamed.
func leavesOut(last, c *Checkpoint) bool {
	return slices.EqualFunc(last.Skipped, c.Skipped, func(a, b Skip) bool { return a.Path == b.Path && a.Why == b.Why })
}

// lost lists what is left out and in danger.
func (s *snapshot) lost(v *vault) (out []Skip) {
	if s.opts.InDanger == nil {
		return nil
	}
	for _, k := range slices.Concat(s.skipped, v.skipped) {
		if !k.safe && s.opts.InDanger(k) {
			out = append(out, k)
		}
	}
	return fold(out)
}

// raisedInDanger lists the files that would come back without the rights of their owner or group.
func (s *snapshot) raisedInDanger() (out []string) {
	if s.opts.InDanger == nil {
		return nil
	}
	for _, p := range s.raised {
		_, tracked := s.ix.Find(p)
		if s.opts.InDanger(Skip{Path: p, Tracked: tracked}) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// publicTree gives the tree for the branch: every sensitive path that the snapshot or the index holds and HEAD does not hold as it
// is goes back to what HEAD has. It is the snapshot's own tree when there is none.
func (s *snapshot) publicTree(c *Checkpoint) (repo.Hash, error) {
	if !s.opts.judge {
		return s.tree, nil
	}
	// What differs from HEAD is what differs from the index, which is known, and what the index holds otherwise: comparing the
	// snapshot with HEAD would read hundreds of trees.
	paths := append(s.secret, s.sensitive(s.stored)...)
	changes, err := diffTrees(s.readTree, s.headTree, s.index)
	if err != nil {
		return repo.Hash{}, err
	}
	var staged []string
	for _, ch := range changes {
		staged = append(staged, ch.Path)
	}
	paths = append(paths, s.sensitive(staged)...)
	slices.Sort(paths)
	back := &edits{}
	for _, p := range slices.Compact(paths) {
		head, other, err := s.sides(p)
		if err != nil {
			return repo.Hash{}, err
		}
		if other {
			back.set(p, head)
			c.Sensitive = append(c.Sensitive, p)
		}
	}
	for _, p := range s.stages {
		if s.opts.Sensitive(p, nil) {
			c.Sensitive = append(c.Sensitive, p)
		}
	}
	if len(c.Sensitive) == 0 {
		return s.tree, nil
	}
	return retree(s.w, s.readTree, s.r.HashSize(), s.tree, back)
}

// sensitive gives those of the paths that must not get into a branch.
func (s *snapshot) sensitive(paths []string) (out []string) {
	for _, p := range paths {
		if s.keepsOut(p, nil) {
			out = append(out, p)
		}
	}
	return out
}

// keepsOut says whether a path must not get into a branch. Where the judge panics, it must not.
func (s *snapshot) keepsOut(path string, content []byte) (out bool) {
	if repo.Parallel(1, func(int) { out = s.opts.Sensitive(path, content) }) != nil {
		return true
	}
	return out
}

// sides gives what HEAD holds at a path, and says whether snapshot or index hold something else there.
func (s *snapshot) sides(path string) (head Side, other bool, err error) {
	if head, err = lookup(s.readTree, s.headTree, path); err != nil {
		return head, false, err
	}
	for _, t := range [...]repo.Hash{s.tree, s.index} {
		now, err := lookup(s.readTree, t, path)
		if err != nil {
			return head, false, err
		}
		other = other || now.Mode != 0 && now != head
	}
	return head, other, nil
}

// writeCommits adds the commits of index, conflicts, snapshot and, where it differs, the branch.
func (s *snapshot) writeCommits(c *Checkpoint, public repo.Hash) error {
	var head []repo.Hash
	if !s.head.Unborn {
		head = append(head, s.head.Hash)
	}
	parents := append([]repo.Hash(nil), head...)
	side := func(tree repo.Hash, what string) error {
		h, err := s.commitObject(tree, head, what+" before "+c.Operation+"\n")
		parents = append(parents, h)
		return err
	}
	// A tree that HEAD or the snapshot holds anyway needs no commit to stay reachable.
	if s.index != s.headTree && s.index != s.tree && s.ix.Len() > 0 {
		if err := side(s.index, "index"); err != nil {
			return err
		}
	}
	if !s.unmerged.IsZero() {
		if err := side(s.unmerged, "unmerged paths"); err != nil {
			return err
		}
	}
	if !c.state.IsZero() {
		h, err := s.commitObject(c.state, slices.Concat(head, s.stateTips), "operation under way before "+c.Operation+"\n")
		if err != nil {
			return err
		}
		parents = append(parents, h)
	}
	if !c.refs.IsZero() {
		parents = append(parents, c.refs)
	}
	err := s.pin(c)
	if err != nil {
		return err
	}
	if c.Commit, err = s.commitObject(s.tree, parents, c.encode()); err != nil || !s.opts.Branch {
		return err
	}
	// Branches get published: this commit says no more than what was about to happen, and has no parent but HEAD, since the one of
	// the index could hold what the branch must not.
	c.public, err = s.commitObject(public, head, c.announce())
	return err
}

// commitObject adds a commit in moai's own name: a program's snapshots are not the user's commits.
func (s *snapshot) commitObject(tree repo.Hash, parents []repo.Hash, msg string) (repo.Hash, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	// Author and committer are one: prune tells an untouched branch by that.
	at := fmt.Sprintf("%s %d %s", author, s.opts.Now.Unix(), s.opts.Now.Format("-0700"))
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", at, at, msg)
	return s.w.Add(repo.KindCommit, []byte(b.String()))
}

// fold bounds the list of what was left out. Beyond maxNamed paths the rest is counted by top-level directory.
func fold(list []Skip) []Skip {
	if len(list) <= maxNamed {
		return list
	}
	type group struct {
		Skip  // the first of the group speaks for all
		count int
	}
	var groups []*group
	at := map[string]*group{}
	for _, s := range list {
		top, _, deep := strings.Cut(s.Path, "/")
		if deep {
			top += "/"
		}
		g := at[top]
		if g == nil {
			g = &group{Skip: Skip{Path: top, Why: s.Why}}
			at[top] = g
			groups = append(groups, g)
		}
		g.count++
	}
	out := make([]Skip, 0, min(len(groups), maxNamed+1))
	for _, g := range groups {
		if len(out) == maxNamed {
			return append(out, Skip{Path: "/", Why: "and more"})
		}
		if g.count > 1 {
			g.Why = fmt.Sprintf("%d files: %s", g.count, g.Why)
		}
		out = append(out, g.Skip)
	}
	return out
}
