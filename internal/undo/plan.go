package undo

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/diff"
	"github.com/modu-ai/moai/internal/repo"
)

// Span is a piece of a timeline that is taken back: from the snapshot behind it to the one before it.
type Span struct {
	Turn     int       // its number; 0 where it is none
	From, To repo.Hash // To is zero for now
	// Whose says who changed a path in it; nil where all of it is to go back.
	Whose func(path string) (Whose, string)
	// Left is what the session itself left of a path: what differs from that at the end of the span is somebody else's.
	Left func(path string) (Last, bool)
	// Moved are the snapshots around commands, which alone may have moved references; nil where all that moved goes back.
	Moved []Command
	All   bool
	// Pieces are what the session's commands did to a path, one after another; nil where they alone do not tell.
	Pieces func(path string) []piece
	// Touched are the paths that the session's commands changed, in their order: what somebody made and they took away again does not show
	// at the ends of the span.
	Touched []string
	own     []window // the session's commands
	beside  []window // others' commands meanwhile
	late    bool     // it is what commands did behind the end of the turn that comes next
}

// piece is where a command changed a path: from one snapshot to another.
type piece [2]repo.Hash

func (s *Span) pieces(path string) []piece {
	if s.Pieces == nil {
		return nil
	}
	return s.Pieces(path)
}

// Whose says who changed a path.
type Whose int

// Who it was.
const (
	Nobody   Whose = iota // known: an editor may have, or a command in the background
	Mine                  // the session's own tools, or one of its commands
	Other                 // another session, which is named, and this one, too
	Stranger              // another session alone
	Mixed                 // this session, and somebody else between two calls of its tools
	Either                // this session, or another one, which is named: commands of both ran at the same time
	Unheard               // a command, which is named, of whose end nobody told, or somebody else
)

// Options say what is undone besides what is sure.
type Options struct {
	Paths []string // these alone, relative to the work tree; files, or folders
	Force bool     // also what somebody else has changed since, and what nobody is known to have changed
	Guess bool     // also what nobody is known to have changed
	Stays string   // the folder that the user stands in, which is not removed; "" for the work tree itself
	// Returns reports a file whose content comes back from elsewhere, under the name that it had; nil for none.
	Returns func(path string) bool
	// Copied reports a path at which nothing is, and to which a copy comes back; nil for none.
	Copied func(path string) bool
	// NotThen reports a path at which no file was before the turns, as a copy tells that lay below it, or in the place of a folder above it; nil for none.
	NotThen func(path string) bool
	// Goes reports a file that Git ignores, of which there is a copy, and which goes; nil for none.
	Goes func(path string) bool
	// Made reports a file that Git ignores and that the turns have made where there was nothing; nil for none.
	Made func(path string) bool
	// Left reports a file that Git ignores by now, and that nobody has written to since the turns ended; nil for none.
	Left func(path string) bool
	// Gone are files that were there, are no more, and of which neither the snapshot before the turns nor a copy tells.
	Gone []string
}

// A Path is a file that changes.
type Path struct {
	Path   string `json:"path"`
	Does   string `json:"does"` // writes, deletes, brings back, merges, mode
	Bytes  int64  `json:"bytes"`
	Added  int    `json:"added"`
	Remove int    `json:"removed"`
}

// What becomes of a path.
const (
	Writes  = "writes"
	Deletes = "deletes"
	Returns = "brings back"
	Merges  = "merges"
)

// Kept is a path or reference that stays, and why.
type Kept struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	// Unsure says that nobody is known to have changed it: --force, or a word, takes it along.
	Unsure bool `json:"unsure,omitempty"`
	// Forced says that it is somebody else's: --force takes it along.
	Forced bool `json:"with_force,omitempty"`
	// InWay says that something stands there of which no snapshot has a copy: it has to be moved away first.
	InWay bool `json:"in_the_way,omitempty"`
	// Turn is the number of the turn whose part of it stays, 0 where that is not one alone.
	Turn int `json:"turn,omitempty"`
}

// Move is a reference that goes back.
type Move struct {
	Ref  string    `json:"ref"`
	From repo.Hash `json:"-"`
	To   repo.Hash `json:"-"`
}

// Away is a folder in place of which a file comes back, with the files in it that are put aside, relative to the work tree, and where they go.
type Away struct {
	Folder string
	Files  []string
	To     string
}

// Names are the new names of the files.
func (a *Away) Names() (names []string) {
	for _, p := range a.Files {
		names = append(names, a.To+strings.TrimPrefix(p, a.Folder))
	}
	return names
}

// Plan is what an undo comes to.
type Plan struct {
	Paths    []Path
	Kept     []Kept
	Moves    []Move
	Head     string // where HEAD goes, "" where it stays
	Index    bool   // what is staged changes
	Underway string // what becomes of an operation that waits to be finished, "" for nothing
	Bytes    int64
	// Folders are those that are there and get other permissions; those that come with a file are not among them.
	Folders []string
	Blend   checkpoint.Blend
	// Spans are what became of each span.
	Spans []Became
	// Aside are files that no snapshot has and that stand where others come back: they get another name first.
	Aside []Away
	// Hidden are files that are there, that the snapshot of now does not have, since Git ignores them by now, and that may be taken back where it does.
	Hidden []string
}

// Empty says that there is nothing to do.
func (p *Plan) Empty() bool {
	b := &p.Blend
	return len(p.Paths)+len(p.Moves)+len(b.Modes)+len(b.Empty)+len(b.FolderModes)+len(b.Unmade) == 0 && p.Head == "" && !p.Index && b.Underway == nil && b.Conflicts == nil
}

// Patch writes what the plan does to lines of files in Git's format, fit for git apply.
func (p *Plan) Patch(w io.Writer, r *repo.Repo) error {
	stored := checkpoint.Stored(r)
	return checkpoint.Patch(w, func(path string, s checkpoint.Side) ([]byte, bool, error) {
		for _, text := range p.Blend.Texts {
			if repo.HashObject(s.Hash.Size(), repo.KindBlob, text) == s.Hash {
				return text, true, nil
			}
		}
		return stored(path, s)
	}, p.Blend.Files)
}

// planner plans one undo.
type planner struct {
	r       *repo.Repo
	views   *views
	trees   *checkpoint.Trees
	now     *checkpoint.Checkpoint
	o       Options
	p       *Plan
	files   map[string]checkpoint.Side // as they will be
	staged  map[string]checkpoint.Side
	stood   []repo.Hash          // the commits on which that was staged so, the newest first
	texts   map[repo.Hash][]byte // that no snapshot has
	merged  map[string]bool
	begun   repo.Hash // the unmerged paths of an operation that is given up
	refs    map[string]repo.Hash
	stashed map[repo.Hash]string
	order   []repo.Hash         // of the stash, the newest first; with entries that go
	unseen  *checkpoint.Unseen  // of the snapshot that a span goes back to
	returns map[repo.Hash]bool  // what was in files that a span has changed or taken away
	taken   []repo.Hash         // of those that it has taken away
	remote  []repo.Hash         // where branches of remotes stood; nil until asked for
	names   map[string]bool     // the last parts of their names
	alone   []checkpoint.Change // what was there unseen when a span began, and cannot come back

	span   *Span // that is taken back; nil behind them
	became Became

	emptied []string // submodules that a line brings back, with what lay in them

	froms []*checkpoint.Checkpoint // what spans go back to, the newest first
}

// Make plans what taking spans back comes to, the newest first, from a snapshot of now. Nothing is written.
func Make(r *repo.Repo, now *checkpoint.Checkpoint, spans []Span, o Options) (*Plan, error) {
	l := &planner{
		r: r, views: look(r), trees: checkpoint.NewTrees(r), now: now, o: o, p: &Plan{}, files: map[string]checkpoint.Side{}, staged: map[string]checkpoint.Side{},
		texts: map[repo.Hash][]byte{}, merged: map[string]bool{}, refs: map[string]repo.Hash{}, stashed: map[repo.Hash]string{},
		order: ordered(now.Pins),
	}
	for _, pin := range now.Pins {
		if entry(pin.Ref) {
			l.stashed[pin.Hash] = pin.Ref
		} else {
			l.refs[pin.Ref] = pin.Hash
		}
	}
	for i := range spans {
		if l.span = &spans[i]; i == 0 || !spans[i-1].late {
			l.became = Became{}
		}
		if err := l.back(&spans[i]); err != nil {
			return nil, fmt.Errorf("plan undo: %w", err)
		}
		if !spans[i].late {
			l.p.Spans = append(l.p.Spans, l.became)
		}
	}
	l.span = nil
	l.p.Kept = slices.DeleteFunc(l.p.Kept, func(k Kept) bool {
		return slices.ContainsFunc(l.emptied, func(dir string) bool { return strings.HasPrefix(k.Path, dir+"/") })
	})
	if err := l.settle(); err != nil {
		return nil, fmt.Errorf("plan undo: %w", err)
	}
	return l.p, nil
}

func entry(ref string) bool { return strings.HasPrefix(ref, "stash@{") }

// back takes one span back.
func (l *planner) back(s *Span) error {
	from, err := checkpoint.SnapshotAt(l.r, s.From)
	if err != nil {
		return err
	}
	to := l.now
	if !s.To.IsZero() {
		if to, err = checkpoint.SnapshotAt(l.r, s.To); err != nil {
			return err
		}
	}
	for _, c := range [...]*checkpoint.Checkpoint{from, to, l.now} {
		if err := c.Here(l.r); err != nil {
			return err
		}
	}
	files, err := l.differing(from, to)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	if err := l.seenBetween(s, taken); err != nil {
		return err
	}
	if err := l.unseenBack(s, from, taken); err != nil {
		return err
	}
	for _, ch := range files {
		ok, err := l.file(s, from, to, ch)
		if err != nil {
			return err
		}
		taken[ch.Path] = ok
		l.became.Took = l.became.Took || ok
	}
	if err := l.between(s, taken); err != nil {
		return err
	}
	l.unsaved(from, to)
	if err := l.modes(s, from, to, taken); err != nil {
		return err
	}
	if err := l.folders(s, from, to); err != nil {
		return err
	}
	if len(l.o.Paths) > 0 {
		return nil
	}
	return l.references(s, from, to)
}

// references takes back what moved, but for what alone has somebody's work.
func (l *planner) references(s *Span, from, to *checkpoint.Checkpoint) error {
	were := maps.Clone(l.refs)
	if err := l.moves(s, from, to); err != nil {
		return err
	}
	return l.holdOnly(were, from)
}

// differing are the files that a span changed, which are noted for what is asked of all of them together.
func (l *planner) differing(from, to *checkpoint.Checkpoint) ([]checkpoint.Change, error) {
	files, _, err := checkpoint.Differences(l.r, to, from)
	if err != nil {
		return nil, err
	}
	l.unseen = checkpoint.NewUnseen(l.r, from)
	l.froms, l.returns, l.taken, l.names = append(l.froms, from), map[repo.Hash]bool{}, nil, map[string]bool{}
	for _, ch := range files {
		if ch.New.Mode != 0 {
			l.returns[ch.New.Hash] = true
		}
		if ch.Old.Mode == 0 {
			l.taken, l.names[path.Base(ch.Path)] = append(l.taken, ch.New.Hash), true
		}
	}
	return files, nil
}

func (l *planner) conflicts() *checkpoint.Checkpoint {
	if c := l.p.Blend.Conflicts; c != nil {
		return c
	}
	return l.now
}

func (l *planner) underway() *checkpoint.Checkpoint {
	if c := l.p.Blend.Underway; c != nil {
		return c
	}
	return l.now
}

// asked says whether a path is among those that were asked for.
func (l *planner) asked(path string) bool {
	return len(l.o.Paths) == 0 || slices.ContainsFunc(l.o.Paths, func(p string) bool {
		return p == "." || path == p || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/")
	})
}

// text is the content of a file.
func (l *planner) text(h repo.Hash) ([]byte, error) {
	if b, ok := l.texts[h]; ok {
		return b, nil
	}
	_, b, err := l.r.Object(h)
	return slices.Clone(b), err
}

func (l *planner) fileNow(path string) (checkpoint.Side, error) {
	if side, ok := l.files[path]; ok {
		return side, nil
	}
	return l.fileAt(l.now, path)
}

// fileAt is the file that a snapshot holds. A folder is none: whether all in it goes, so that a file may come, is settled at the end.
func (l *planner) fileAt(c *checkpoint.Checkpoint, path string) (checkpoint.Side, error) {
	side, err := l.trees.At(c, path)
	if side.Mode == repo.ModeDir {
		return checkpoint.Side{}, err
	}
	return side, err
}

func (l *planner) stagedNow(path string) (checkpoint.Side, error) {
	if side, ok := l.staged[path]; ok {
		return side, nil
	}
	return l.trees.StagedAt(l.now, path)
}

// settle turns what was found into a blend, and counts.
func (l *planner) settle() error {
	if err := l.inTheWay(); err != nil {
		return err
	}
	b := &l.p.Blend
	for _, path := range slices.Sorted(maps.Keys(l.files)) {
		side := l.files[path]
		was, err := l.fileAt(l.now, path)
		if err != nil {
			return err
		}
		if was == side {
			continue
		}
		b.Files = append(b.Files, checkpoint.Change{Path: path, Old: was, New: side})
		if side.Mode == repo.ModeLink && slices.ContainsFunc(l.froms, func(c *checkpoint.Checkpoint) bool { return slices.Contains(c.Links, path) }) {
			b.Links = append(b.Links, path)
		}
		one := Path{Path: path, Does: Writes}
		switch {
		case side.Mode == 0:
			one.Does = Deletes
		case was.Mode == 0:
			one.Does = Returns
		case l.merged[path]:
			one.Does = Merges
		}
		if err := l.count(&one, was, side); err != nil {
			return err
		}
		l.p.Paths = append(l.p.Paths, one)
		l.p.Bytes += one.Bytes
		if text, ok := l.texts[side.Hash]; ok {
			b.Texts = append(b.Texts, text)
		}
	}
	// A mode that a file has anyway is no change.
	changed := map[string]bool{}
	for _, ch := range b.Files {
		changed[ch.Path] = true
	}
	for path, perm := range b.Modes {
		side, err := l.trees.At(l.now, path)
		if now, known := l.now.Permission(l.r, path, side); err == nil && !changed[path] && known && now == perm {
			delete(b.Modes, path)
		}
	}
	l.settleFolders()
	if err := l.settleRefs(); err != nil {
		return err
	}
	return l.settleIndex()
}

// maxCounted bounds the files whose lines are counted.
const maxCounted = 200

// count says how much of a file changes.
func (l *planner) count(one *Path, was, side checkpoint.Side) error {
	if side.Mode == repo.ModeFile || side.Mode == repo.ModeExec {
		if text, ok := l.texts[side.Hash]; ok {
			one.Bytes = int64(len(text))
		} else {
			n, err := l.r.BlobSize(side.Hash)
			if err != nil {
				return err
			}
			one.Bytes = n
		}
	}
	if len(l.p.Paths) >= maxCounted || one.Bytes > 1<<20 {
		return nil
	}
	var texts [2][]byte
	for i, s := range [...]checkpoint.Side{was, side} {
		if s.Mode != repo.ModeFile && s.Mode != repo.ModeExec {
			continue
		}
		if n, err := l.r.BlobSize(s.Hash); err == nil && n > 1<<20 {
			return nil
		}
		var err error
		if texts[i], err = l.text(s.Hash); err != nil {
			return err
		}
		if slices.Contains(texts[i], 0) {
			return nil
		}
	}
	one.Added, one.Remove = diff.Count(texts[0], texts[1])
	return nil
}
