package checkpoint

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// A Blend is a state that never was: one snapshot, but for some paths, references and the like, which are as another one has them. An undo
// leads to one, since what others have changed meanwhile stays.
type Blend struct {
	Files []Change // New is what each gets
	Index []Change // the same of what is staged
	// Assume and Skip are those of these that Git was told not to look at (assume-unchanged, skip-worktree).
	Assume, Skip []string
	Texts        [][]byte // contents of files that no snapshot has
	Links        []string // of those that come, links on disk where core.symlinks is off
	Modes        map[string]fs.FileMode
	// Empty are folders that come with nothing in them, Unmade such that go, FolderModes modes of folders.
	Empty       []string
	Unmade      []string
	FolderModes map[string]uint16

	Refs  []Pin       // that come back, or move back
	Gone  []Pin       // that go, as far as they are still that
	Stash []repo.Hash // its entries, the newest first: those that are there, and those that come back

	// Head is the snapshot that says where HEAD stands, nil for the one that the blend is of; Conflicts the same of unmerged paths and
	// what was announced, Underway of an operation under way.
	Head, Conflicts, Underway *Checkpoint
}

// Write stores what a blend of a snapshot comes to as a snapshot of its own, and adds it to the timeline as a step.
func (b *Blend) Write(r *repo.Repo, now *Checkpoint, step Step, at time.Time) (*Step, *Checkpoint, error) {
	w := r.NewWriter(repo.WriteOptions{})
	defer w.Abort()
	s := &snapshot{r: r, w: w, opts: &CreateOptions{Now: at}}
	c, err := b.snapshot(s, now)
	if err != nil {
		return nil, nil, fmt.Errorf("write undo: %w", err)
	}
	tip, last, err := lastStep(r)
	if err != nil {
		return nil, nil, fmt.Errorf("write undo: %w", err)
	}
	step.Time, step.Snapshot = at.Truncate(time.Millisecond), c.Commit
	if last != nil {
		step.before, step.Vault = last.Link, last.Vault
	}
	if err := s.link(&step, tip); err != nil {
		return nil, nil, fmt.Errorf("write undo: %w", err)
	}
	return &step, c, nil
}

// snapshot stores the blend.
func (b *Blend) snapshot(s *snapshot, now *Checkpoint) (*Checkpoint, error) {
	c := *now
	c.Operation, c.Time = "undo", s.opts.Now.Truncate(time.Millisecond)
	c.Pins, c.Brings = slices.Concat(b.Refs, b.stash()), Brings{Refs: b.Gone}
	for _, text := range b.Texts {
		if _, err := s.w.Add(repo.KindBlob, text); err != nil {
			return nil, err
		}
	}
	var err error
	if c.Tree, err = b.tree(s, now.Tree, b.Files); err != nil {
		return nil, err
	}
	if c.Index, err = b.tree(s, now.Index, b.Index); err != nil {
		return nil, err
	}
	b.modes(&c, now)
	if of := b.Head; of != nil {
		c.Head, c.On = of.Head, of.On
	}
	for _, p := range b.Refs { // HEAD goes along with its branch
		if p.Ref == "refs/heads/"+c.On {
			c.Head = p.Hash
		}
	}
	if slices.ContainsFunc(b.Gone, func(p Pin) bool { return p.Ref == "refs/heads/"+c.On }) {
		c.Head = repo.Hash{} // the branch is without a commit again
	}
	if of := b.Conflicts; of != nil {
		c.Unmerged, c.Intent, c.IntentModes = of.Unmerged, of.Intent, of.IntentModes
	}
	if of := b.Underway; of != nil {
		c.Underway, c.state, c.texts = of.Underway, of.state, of.texts
	}
	// Paths that a snapshot has left out are as they are; what it says of them would keep these from coming back.
	comes := map[string]bool{}
	for _, ch := range b.Files {
		comes[ch.Path] = true
	}
	c.Skipped = slices.DeleteFunc(slices.Clone(now.Skipped), func(k Skip) bool { return comes[k.Path] })
	c.Links = append(slices.DeleteFunc(slices.Clone(now.Links), func(p string) bool { return comes[p] }), b.Links...)
	// A file that is not checked out, and comes back, is there again in spite of its mark.
	hidden := hiding{s.readTree, now.Marks, now.Index}
	for _, ch := range b.Files {
		if ch.New.Mode != 0 && hidden.has(ch.Path) {
			c.Marks.Skip = append(slices.Clip(c.Marks.Skip), ch.Path)
		}
	}
	c.Marks.Skip = sorted(c.Marks.Skip, b.Skip)
	c.Marks.Assume = sorted(c.Marks.Assume, b.Assume)
	c.Marks.Absent = slices.DeleteFunc(slices.Clone(now.Marks.Absent), func(p string) bool { return comes[p] })
	return &c, b.commit(s, &c, now)
}

// sorted are the names of two lists.
func sorted(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// InTheWay are the folders that go and stand where a file comes.
func (b *Blend) InTheWay() (out []string) {
	for _, d := range b.Unmade {
		if slices.ContainsFunc(b.Files, func(ch Change) bool { return ch.New.Mode != 0 && strings.HasPrefix(d, ch.Path+"/") }) {
			out = append(out, d)
		}
	}
	return out
}

// modes says what permissions and folders there will be.
func (b *Blend) modes(c, now *Checkpoint) {
	c.Modes = maps.Clone(now.Modes)
	if c.Modes == nil {
		c.Modes = map[string]fs.FileMode{}
	}
	for _, ch := range b.Files { // what now stands there says nothing of what comes
		delete(c.Modes, ch.Path)
	}
	maps.Copy(c.Modes, b.Modes)
	c.Folders.Modes = maps.Clone(now.Folders.Modes)
	if c.Folders.Modes == nil {
		c.Folders.Modes = map[string]uint16{}
	}
	maps.Copy(c.Folders.Modes, b.FolderModes)
	stay := slices.DeleteFunc(slices.Clone(now.Folders.Empty), func(d string) bool { return slices.Contains(b.Unmade, d) })
	c.Folders.Empty = slices.Compact(slices.Sorted(slices.Values(slices.Concat(stay, b.Empty))))
}

// commit stores the commit of a blend, with all that it speaks of as parents.
func (b *Blend) commit(s *snapshot, c, now *Checkpoint) (err error) {
	var parents []repo.Hash
	if !c.Head.IsZero() {
		parents = append(parents, c.Head)
	}
	for _, tree := range [...]repo.Hash{c.Index, c.Unmerged, c.state} {
		if !tree.IsZero() && tree != c.Tree {
			h, err := s.commitObject(tree, nil, "undo\n")
			if err != nil {
				return err
			}
			parents = append(parents, h)
		}
	}
	if c.refs, err = s.keepRefs(b.references(now.Pins), nil); err != nil {
		return err
	}
	if !c.refs.IsZero() {
		parents = append(parents, c.refs)
	}
	c.Commit, err = s.commitObject(c.Tree, parents, c.encode())
	c.Name = c.Commit.String()[:10]
	return err
}

// references are those that there will be.
func (b *Blend) references(now []Pin) []Pin {
	out := slices.DeleteFunc(slices.Clone(now), func(p Pin) bool {
		return slices.Contains(b.Gone, p) || strings.HasPrefix(p.Ref, "stash@{") || slices.ContainsFunc(b.Refs, func(q Pin) bool { return q.Ref == p.Ref })
	})
	return slices.Concat(out, b.Refs, b.stash())
}

// stash is what a checkpoint says of the entries.
func (b *Blend) stash() []Pin {
	out := make([]Pin, len(b.Stash))
	for i, h := range b.Stash {
		out[i] = Pin{fmt.Sprintf("stash@{%d}", i), h}
	}
	return out
}

func (b *Blend) tree(s *snapshot, tree repo.Hash, list []Change) (repo.Hash, error) {
	if len(list) == 0 || tree.IsZero() {
		return tree, nil
	}
	e := &edits{}
	for _, ch := range list {
		e.set(ch.Path, ch.New)
	}
	return retree(s.w, s.readTree, s.r.HashSize(), tree, e)
}

// Reach carries out what leads from a snapshot that was taken a moment ago to a blend of it. What has changed since stays, and is said.
func Reach(ctx context.Context, r *repo.Repo, now, blend *Checkpoint, o RestoreOptions) (*RestoreResult, error) {
	o.Index, o.DeleteNew, o.Refs, o.safety = true, true, true, now
	p, err := MakePlan(ctx, r, blend, nil, o)
	if err != nil {
		return nil, err
	}
	// It is about what the blend names and nothing else.
	p.Blocked = slices.DeleteFunc(p.Blocked, func(k Skip) bool { return strings.HasPrefix(k.Why, notSaved) })
	return Restore(ctx, r, p)
}

// passedOver adds to what is blocked the files of a blend that are to come, and for which a plan does nothing: they would be told as back.
func (p *Plan) passedOver(r *repo.Repo, now *Checkpoint) error {
	files, _, err := Differences(r, now, p.Checkpoint)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, c := range p.Write {
		known[c.Path] = true
	}
	for _, k := range p.Blocked {
		known[k.Path] = true
	}
	for _, c := range files {
		if c.New.Mode == 0 || known[c.Path] {
			continue
		}
		if is, there := OnDisk(r, c.Path); !there || is.Hash != c.New.Hash {
			p.Blocked = append(p.Blocked, Skip{Path: c.Path, Why: "moai does not know how to bring it back here"})
		}
	}
	return nil
}

// Refill brings back files that Git ignores from the copies of a snapshot, where nothing is now.
func Refill(ctx context.Context, r *repo.Repo, now, from *Checkpoint, paths []string, o RestoreOptions) (*RestoreResult, error) {
	o.Vault, o.safety = true, now
	p, err := MakePlan(ctx, r, from, paths, o)
	if err != nil {
		return nil, err
	}
	return Restore(ctx, r, p)
}

// Differences lists the paths in which two snapshots differ: those of the work tree, and those of the index.
func Differences(r *repo.Repo, a, b *Checkpoint) (files, index []Change, err error) {
	if files, err = diffTrees(r.Tree, a.Tree, b.Tree); err != nil {
		return nil, nil, fmt.Errorf("compare snapshots: %w", err)
	}
	if !a.Index.IsZero() && !b.Index.IsZero() {
		if index, err = diffTrees(r.Tree, a.Index, b.Index); err != nil {
			return nil, nil, fmt.Errorf("compare snapshots: %w", err)
		}
	}
	return files, index, nil
}

// Trees look paths up in snapshots, and read each folder of them once.
type Trees struct {
	r     *repo.Repo
	known map[repo.Hash]map[string]Side
}

// NewTrees have read nothing yet.
func NewTrees(r *repo.Repo) *Trees { return &Trees{r, map[repo.Hash]map[string]Side{}} }

// At is Checkpoint.At.
func (t *Trees) At(c *Checkpoint, path string) (Side, error) { return t.at(c.Tree, path) }

// AsCommitted reports that a snapshot holds at and below a path, in the work tree and in the index, what the commit holds on which it was taken.
func (c *Checkpoint) AsCommitted(r *repo.Repo, path string) (bool, error) {
	if len(c.Intent) > 0 || !c.Marks.none() {
		return false, nil // Git was told something about paths, and which ones is not looked at here
	}
	on, err := r.Commit(c.Head)
	if err != nil {
		return false, err
	}
	was, err := lookup(r.Tree, on.Tree, path)
	if err != nil {
		return false, err
	}
	now, err := c.At(r, path)
	if err != nil || now != was || !c.Staged {
		return err == nil && now == was, err
	}
	staged, err := c.StagedAt(r, path)
	return staged == was, err
}

// StagedAt is Checkpoint.StagedAt.
func (t *Trees) StagedAt(c *Checkpoint, path string) (Side, error) {
	if c.Index.IsZero() {
		return Side{}, nil
	}
	return t.at(c.Index, path)
}

func (t *Trees) at(tree repo.Hash, path string) (Side, error) {
	return descend(tree, path, func(tree repo.Hash, name string) (Side, error) {
		folder, known := t.known[tree]
		if !known {
			list, err := t.r.Tree(tree)
			if err != nil {
				return Side{}, err
			}
			folder = make(map[string]Side, len(list))
			for _, e := range list {
				folder[e.Name] = Side{e.Mode, e.Hash}
			}
			t.known[tree] = folder
		}
		return folder[name], nil
	})
}

// At is what a snapshot holds at a path; no mode for nothing.
func (c *Checkpoint) At(r *repo.Repo, path string) (Side, error) { return lookup(r.Tree, c.Tree, path) }

// StagedAt is what the index of a snapshot holds at a path.
func (c *Checkpoint) StagedAt(r *repo.Repo, path string) (Side, error) {
	if c.Index.IsZero() {
		return Side{}, nil
	}
	return lookup(r.Tree, c.Index, path)
}

// Permission is what a snapshot says of a file's permissions, false where that is nothing.
func (c *Checkpoint) Permission(r *repo.Repo, path string, s Side) (fs.FileMode, bool) {
	return c.perm(path, s, fileMode(r))
}

// SameState reports that two snapshots have the same operation under way.
func (c *Checkpoint) SameState(d *Checkpoint) bool { return c.state == d.state }

// Left reports a path that a snapshot has left out, and why.
func (c *Checkpoint) Left(path string) (why string, left bool) {
	for _, k := range c.Skipped {
		if k.Path == path || strings.HasSuffix(k.Path, "/") && strings.HasPrefix(path, k.Path) {
			return k.Why, true
		}
	}
	return "", false
}
