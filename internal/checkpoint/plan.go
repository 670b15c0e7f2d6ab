package checkpoint

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/rule"
)

// RestoreOptions say what comes back besides the files of the checkpoint.
type RestoreOptions struct {
	Index     bool            // the staged content and the conflicts, too
	DeleteNew bool            // delete files that the checkpoint does not have
	Refs      bool            // move pinned branches back and bring lost stash entries back
	Missing   bool            // nothing but pinned references and settings that are gone now; Paths and all of the above do not count
	Vault     bool            // nothing but ignored files, from the vault; of the above only Paths count
	Settings  []rule.Settings // what of the repository's settings may be set again
	VaultDir  string          // where ignored files were copied to; "" leaves them
	StateDir  string          // as in CreateOptions; "" where nothing may be written, as in a dry run
	Session   string          // for the safety checkpoint

	Limits    Limits                                 // of the safety checkpoint
	Branch    bool                                   // whether the safety checkpoint gets a branch
	Sensitive func(path string, content []byte) bool // as in CreateOptions
	Now       time.Time
	NoLog     bool
	NoSync    bool

	remember int // as in CreateOptions

	safety *Checkpoint // it was taken a moment ago, and holds what is overwritten
}

// A Plan is what a restore would do to the working tree as it is now.
type Plan struct {
	Checkpoint *Checkpoint
	Root       string // the work tree
	Paths      []string
	Options    RestoreOptions

	Write  []Change // files that get the checkpoint's content; Old is what is there now
	Delete []Change // files that go: in the way of others, or new and DeleteNew is set
	// Permissions are of files that have the checkpoint's content.
	Permissions []PermissionChange
	Folders     []FolderChange
	Keep        []string // files that the checkpoint does not have and that stay
	Blocked     []Skip   // files that cannot be restored, with the reason
	Vault       []string // ignored files that come back from the vault
	Index       bool     // the index will be replaced
	Patterns    bool     // what a sparse checkout leaves out is set again, and whether there is one
	Refs        []RefMove
	Settings    []string // sections of the repository's settings that are set again
	// Resumes is the operation that will be under way again, and Ends the one that is under way now and goes; both nil where
	// nothing changes.
	Resumes, Ends *Underway
	// TakenOn is the branch, or the commit, that the checkpoint is of, and CheckedOut the one that its files come into; both are
	// empty where that is the same.
	TakenOn, CheckedOut string

	tree  repo.Hash
	stale []string // left by a restore that was killed
	also  []string // files that git ignores now and that the safety checkpoint must hold
	same  []string // files that have the checkpoint's content, and that git ignores now
	// hidden are the entries that are marked now and whose files are not there, hid those of the checkpoint.
	hidden, hid hiding
	index       *repo.Index // of now
	held        []string    // files where then only a mark was, with a content that Git has
	// left are the trees of the commits that HEAD moves away from, that are no longer merged, and whose restore is undone.
	left       []repo.Hash
	refBlocked []Skip   // references that stay
	leave      []string // other work trees whose HEADs go back to where they stood, by their names
	state      *stateMove
	cleaner    *repo.Cleaner // once it is asked
	set        settingsMove
	// overwritten are ignored files that the vault would replace; the safety checkpoint's vault gets them.
	overwritten []string
	room        []Change    // files in folders that stand where the vault's files come
	unvault     []vaultFile // that the restore which is taken back has made
}

// RefMove is a reference that a restore sets back.
type RefMove struct {
	Ref      string
	From, To repo.Hash // From is zero when it does not exist, To when it goes

	from, to repo.Head  // of HEAD
	other    *repo.Repo // whose HEAD it is, if it is another work tree's
}

// Empty says that there is nothing to do.
func (p *Plan) Empty() bool {
	return len(p.Write)+len(p.Delete)+len(p.Permissions)+len(p.Folders)+len(p.Vault)+len(p.unvault)+len(p.Refs)+len(p.Settings) == 0 && !p.Index && !p.Patterns && p.state == nil
}

// Inside lists checkpoints in repositories inside that belong to what is restored; they are restored there.
func (p *Plan) Inside() (out []Inner) {
	if p.Options.Missing || p.Options.Vault {
		return nil
	}
	for _, in := range p.Checkpoint.Inside {
		if within(in.Path, p.Paths) || slices.ContainsFunc(p.Paths, func(asked string) bool { return within(asked, []string{in.Path}) }) {
			out = append(out, in)
		}
	}
	return out
}

// MakePlan compares the working tree with a checkpoint. Nothing is written, not even objects, but for what StateDir remembers. Paths are files or directories
// relative to the work tree, with slashes; none means everything.
func MakePlan(ctx context.Context, r *repo.Repo, c *Checkpoint, paths []string, o RestoreOptions) (*Plan, error) {
	p := &Plan{Checkpoint: c, Root: r.WorkTree, Paths: paths, Options: o}
	plan := p.all
	if err := c.Here(r); err != nil && !o.Missing {
		return nil, fmt.Errorf("plan restore: %w", err)
	}
	switch {
	case o.Missing:
		plan = p.missing
	case o.Vault:
		plan = p.vaultAlone
	}
	if err := plan(ctx, r); err != nil {
		return nil, fmt.Errorf("plan restore: %w", err)
	}
	return p, nil
}

// all plans what brings back files, and with them what the options say.
func (p *Plan) all(ctx context.Context, r *repo.Repo) error {
	c, o, paths := p.Checkpoint, &p.Options, p.Paths
	// Contents are named to be compared; what is asked about must not leave objects behind.
	w := r.NewWriter(repo.WriteOptions{DryRun: true})
	s, err := take(ctx, r, w, p.safety())
	if err != nil {
		return err
	}
	if o.Refs {
		p.refs(r, &s.head)
	}
	p.stood(&s.head)
	// An index that stays behind a branch which moves would undo, with the next commit, what the branch brings back. That of a
	// merge which ends would keep its conflicts.
	moves := p.state != nil
	for _, m := range p.Refs {
		away := m.Ref == "HEAD" || s.head.Branch != "" && m.Ref == "refs/heads/"+s.head.Branch
		moves = moves || len(paths) == 0 && away
		if away && len(paths) == 0 {
			p.left = append(p.left, s.headTree)
		}
	}
	p.undone(r)
	p.index = s.ix
	p.hidden, p.hid = hiding{s.readTree, s.marks, s.index}, hiding{r.Tree, c.Marks, c.Index}
	if err := p.files(r, s); err != nil {
		return err
	}
	if err := p.permissions(r, s); err != nil {
		return err
	}
	if o.VaultDir != "" {
		if err := p.vault(r, s); err != nil {
			return err
		}
		p.unbringFiles(r, s)
	}
	if err := p.foldersOf(r, s); err != nil {
		return err
	}
	p.unbringFolders(r)
	p.tree, p.stale = s.tree, s.stale
	if o.Index || moves {
		p.Index = !c.Index.IsZero() && (s.index != c.Index || s.unmerged != c.Unmerged || !slices.Equal(s.intent, c.Intent) || !slices.Equal(s.intentModes, c.IntentModes) || !s.marks.cover(&c.Marks) || p.unmarks())
	}
	if o.Index && len(paths) == 0 && c.Marks.Sparse.Patterns != "" {
		now, err := r.Sparse()
		p.Patterns = err != nil || now != c.Marks.Sparse
	}
	if o.Refs {
		if err := p.settings(r); err != nil {
			return err
		}
	}
	return nil
}

// undone finds what a restore has brought if this one undoes it: its files go, as far as they are still what the checkpoint holds
// that they came from.
func (p *Plan) undone(r *repo.Repo) {
	if h, ok := p.undoes(r); ok {
		if from, err := r.Commit(h); err == nil {
			p.left = append(p.left, from.Tree)
		}
	}
}

// safety are the options of the checkpoint that is taken before anything is overwritten.
func (p *Plan) safety() *CreateOptions {
	o := &CreateOptions{
		Operation: "restore", Command: restoreWords + p.Checkpoint.Short(), Session: p.Options.Session,
		Program: "moai", Mask: func(own string) string { return own },
		Limits: p.Options.Limits, Branch: p.Options.Branch, Sensitive: p.Options.Sensitive, Now: p.Options.Now,
		NoLog: p.Options.NoLog, NoSync: p.Options.NoSync, Also: p.also, Ignored: slices.Clone(p.overwritten), alone: true, VaultDir: p.Options.VaultDir,
		StateDir: p.Options.StateDir, remember: cmp.Or(p.Options.remember, manyFiles), leftovers: p.state != nil,
		Sections: p.kinds(), Settings: p.Options.Settings, sections: p.set.sections,
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	for _, c := range p.Folders {
		if !c.Make && !c.Remove { // Git may ignore it, and then nothing else has its mode
			o.Ignored = append(o.Ignored, c.Path+"/")
		}
	}
	for _, m := range p.Refs {
		switch {
		case m.From.IsZero():
		case strings.HasPrefix(m.Ref, "stash@{"): // all of them are kept at once
			if !slices.Contains(o.PinRefs, "refs/stash") {
				o.PinRefs = append(o.PinRefs, "refs/stash")
			}
		default:
			o.PinRefs = append(o.PinRefs, m.Ref)
		}
	}
	return o
}

// files sorts the differences between now and then.
func (p *Plan) files(r *repo.Repo, s *snapshot) error {
	p.Write, p.Delete, p.Keep, p.same, p.Blocked = nil, nil, nil, nil, slices.Clone(p.refBlocked)
	changes, unread, err := diffReadable(s.readTree, s.tree, p.Checkpoint.Tree)
	if err != nil {
		return err
	}
	for _, u := range unread {
		if within(u.Path, p.Paths) {
			p.Blocked = append(p.Blocked, u)
		}
	}
	if changes, err = p.unhidden(r, changes); err != nil {
		return err
	}
	// What goes is decided last, when it is known which directories what comes needs.
	var gone []Change
	dirs := map[string]bool{}  // directories that writes need
	files := map[string]bool{} // files that will be written
	for _, c := range changes {
		// The log goes on growing whatever is restored.
		if !within(c.Path, p.Paths) || c.Path == LogName {
			continue
		}
		if p.hid.has(c.Path) {
			c.New = Side{} // the tree holds what the index had, and nothing was there
		}
		if c.New.Mode == 0 {
			gone = append(gone, c)
			continue
		}
		switch why := p.blocked(r, s, &c); {
		case why == same:
			p.same = append(p.same, c.Path)
		case why != "":
			p.Blocked = append(p.Blocked, Skip{Path: c.Path, Why: why})
		default:
			p.Write = append(p.Write, c)
			files[c.Path] = true
			for i := range c.Path {
				if c.Path[i] == '/' {
					dirs[c.Path[:i]] = true
				}
			}
		}
	}
	if gone, err = p.inTheWay(r, gone, dirs); err != nil {
		return err
	}
	unseen := NewUnseen(r, p.Checkpoint)
	for _, c := range gone {
		above := slices.ContainsFunc(parents(c.Path), func(d string) bool { return files[d] })
		switch {
		// A whole repository, whose history no checkpoint of this one holds.
		case (dirs[c.Path] || above) && c.Old.Mode == repo.ModeGitlink:
			p.Blocked = append(p.Blocked, Skip{Path: c.Path, Why: "a nested repository is in the way"})
		case dirs[c.Path] || above:
			p.Delete = append(p.Delete, c)
		case p.deletedThen(r, c), p.committed(r, c), p.unmarkedBy(r, c): // Git knows these by now: they are new
			p.Delete = append(p.Delete, c)
		// A repository inside is never deleted: its history is in no checkpoint.
		case p.Options.DeleteNew && c.Old.Mode != repo.ModeGitlink && !skipped(p.Checkpoint.Skipped, c.Path):
			if why := p.unseen(unseen, c.Path); why != "" {
				p.Blocked = append(p.Blocked, Skip{Path: c.Path, Why: stays + why})
				continue
			}
			p.Delete = append(p.Delete, c)
		default:
			p.Keep = append(p.Keep, c.Path)
		}
	}
	if p.Options.DeleteNew {
		for _, k := range s.skipped {
			if then, err := lookup(r.Tree, p.Checkpoint.Tree, strings.TrimSuffix(k.Path, "/")); err == nil && then.Mode == 0 && within(k.Path, p.Paths) {
				p.Blocked = append(p.Blocked, Skip{Path: k.Path, Why: notSaved + k.Why})
			}
		}
	}
	return nil
}

// notSaved begins why a file stays that would go.
const notSaved = "it is new, and cannot be saved first: "

// stays begins why a file stays that may have been there then.
const stays = "it may have been there before, and stays: "

// unseen says why a file that the checkpoint does not hold need not be new. An undo has asked that itself, of each turn.
func (p *Plan) unseen(u *Unseen, path string) string {
	if p.Options.safety != nil {
		return ""
	}
	return u.Why(path)
}

// inTheWay adds files that git ignores and that stand where a directory is needed: the snapshot of now does not hold them.
func (p *Plan) inTheWay(r *repo.Repo, gone []Change, dirs map[string]bool) ([]Change, error) {
	for d := range dirs {
		fi, err := lstat(r, d)
		if err != nil || fi.IsDir() || slices.ContainsFunc(gone, func(c Change) bool { return c.Path == d }) {
			continue
		}
		now, err := onDisk(r, d, fi)
		if err != nil {
			return nil, err
		}
		p.also = append(p.also, d)
		gone = append(gone, Change{Path: d, Old: now})
	}
	return gone, nil
}

// deletedThen says whether a file was deleted in the working tree of the checkpoint and has come back as it was staged then, as a
// reset brings it back. Such a file is known, and its content is not new.
func (p *Plan) deletedThen(r *repo.Repo, c Change) bool {
	if p.Checkpoint.Index.IsZero() {
		return false
	}
	was, err := lookup(r.Tree, p.Checkpoint.Index, c.Path)
	return err == nil && was.Mode != 0 && (was.Hash == c.Old.Hash || p.stores(r, c, was))
}

// committed says whether a file is there only because of another commit, on which HEAD stands, which is being merged or which was
// restored, and which holds it as it is: Git, too, takes such files along when it goes back.
func (p *Plan) committed(r *repo.Repo, c Change) bool {
	return slices.ContainsFunc(p.left, func(tree repo.Hash) bool {
		is, err := lookup(r.Tree, tree, c.Path)
		return err == nil && is.Mode != repo.ModeGitlink && (is == c.Old || is.Mode == c.Old.Mode && p.stores(r, c, is))
	})
}

// stores says whether a file is what Git writes for a blob where it converts contents: line ends, $Id$, filters.
func (p *Plan) stores(r *repo.Repo, c Change, blob Side) bool {
	if blob.Mode != repo.ModeFile && blob.Mode != repo.ModeExec || c.Old.Mode != repo.ModeFile && c.Old.Mode != repo.ModeExec {
		return false
	}
	if p.cleaner == nil {
		var err error
		if p.cleaner, err = r.Cleaner(); err != nil {
			return false
		}
	}
	return p.cleaner.Stores(c.Path, blob.Hash)
}

// same stands for a path that differs in the trees but not on disk.
const same = "same"

// blocked says why a path cannot be written, "" when it can. Files that git ignores now are noted for the safety checkpoint.
func (p *Plan) blocked(r *repo.Repo, s *snapshot, c *Change) string {
	// The tree holds what the index had at such a path, which is not what was on disk.
	for _, k := range p.Checkpoint.Skipped {
		if k.Path == c.Path {
			return "it was not in the checkpoint: " + k.Why
		}
	}
	switch {
	case !safePath(c.Path):
		return "its name is not safe to write"
	case c.New.Mode == repo.ModeGitlink:
		return "a nested repository; it stood on " + c.New.Hash.String()[:10]
	case c.Old.Mode == repo.ModeGitlink:
		return "a nested repository is there now"
	}
	for _, k := range s.skipped {
		if k.Path == c.Path || strings.HasSuffix(k.Path, "/") && strings.HasPrefix(c.Path, k.Path) {
			fi, err := lstat(r, c.Path)
			if limit := s.opts.Limits.UntrackedFile; err == nil && fi.Mode().IsRegular() && limit > 0 && fi.Size() > limit {
				c.Aside = true
				return ""
			}
			return "what is there now cannot be saved first: " + k.Why
		}
	}
	if c.Old.Mode != 0 {
		return ""
	}
	// The snapshot of now does not hold it: nothing is there, or something that git ignores.
	fi, err := lstat(r, c.Path)
	if err != nil {
		return ""
	}
	if fi.IsDir() {
		return "" // its files are listed for themselves; ignored ones stop the removal of the directory
	}
	// It may be the very same content under an ignore rule that came later; then there is nothing to do.
	now, err := onDisk(r, c.Path, fi)
	if err != nil {
		return "what is there now cannot be read: " + why(err)
	}
	if now.Hash == c.New.Hash && (now.Mode == c.New.Mode || !s.fileMode) {
		return same
	}
	// It would have to be read and stored first, within the same limits as any other file that Git does not know.
	if limit := s.opts.Limits.UntrackedFile; limit > 0 && fi.Size() > limit {
		return "what is there now is ignored by git and too big to save first"
	}
	c.Old = now
	p.also = append(p.also, c.Path)
	return ""
}

// onDisk names what is at a path, without storing it.
func onDisk(r *repo.Repo, path string, fi os.FileInfo) (Side, error) {
	w := r.NewWriter(repo.WriteOptions{DryRun: true})
	if fi.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(r.Path(path))
		if err != nil {
			return Side{}, err
		}
		h, err := w.Add(repo.KindBlob, []byte(filepath.ToSlash(target)))
		return Side{repo.ModeLink, h}, err
	}
	h, fi, err := store(w, r.Path(path), nil)
	if err != nil {
		return Side{}, err
	}
	mode := uint32(repo.ModeFile)
	if fi.Mode()&0o100 != 0 {
		mode = repo.ModeExec
	}
	return Side{mode, h}, nil
}

// skipped says whether a checkpoint left the path out, so that its absence there means nothing.
func skipped(list []Skip, path string) bool {
	return slices.ContainsFunc(list, func(s Skip) bool {
		return s.Path == "/" || s.Path == path || strings.HasSuffix(s.Path, "/") && strings.HasPrefix(path, s.Path)
	})
}

// parents lists the directories above a path.
func parents(path string) []string {
	var out []string
	for i := range path {
		if path[i] == '/' {
			out = append(out, path[:i])
		}
	}
	return out
}
