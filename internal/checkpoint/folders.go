package checkpoint

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// Folders are what Git has no place for, in the bits of Unix: 2755 is a folder whose group its files get.
type Folders struct {
	Usual uint16            // the mode of folders that Modes does not name; zero says nothing of them
	Modes map[string]uint16 // of folders with another mode
	Empty []string          // folders in which nothing was
}

// settleFolders keeps what the walk has seen of folders within the bounds of a message.
func (s *snapshot) settleFolders(st repo.Folders) {
	f := &s.folders
	own := path.Dir(LogName) // ours: it comes with the first checkpoint
	f.Empty = slices.DeleteFunc(st.Empty, func(p string) bool { return p == own })
	leftOut := func(path, what string, n int) {
		s.skipped = append(s.skipped, Skip{Path: path, Why: fmt.Sprintf("%s, as %d others: over the limit of %d", what, n-1, maxNamed), safe: true})
	}
	if n := len(f.Empty) - maxNamed; n > 0 {
		leftOut(f.Empty[maxNamed], "an empty folder", n)
		f.Empty = f.Empty[:maxNamed]
	}
	if !hasPermissions {
		return
	}
	// What most folders have is the usual mode.
	count := map[uint16]int{}
	for _, m := range st.Modes {
		if m.Path != own && m.Perm != 0 { // zero is named, since it says nothing as the usual one
			count[m.Perm]++
		}
	}
	for perm, n := range count {
		if most := count[f.Usual]; n > most || n == most && perm < f.Usual {
			f.Usual = perm
		}
	}
	var odd []repo.OddPermission
	for _, m := range st.Modes {
		if (m.Perm != f.Usual || m.Perm == 0) && m.Path != own {
			odd = append(odd, m)
		}
	}
	if st.Unlisted {
		f.Usual = 0
	}
	if n := len(odd) - maxNamed; n > 0 {
		// As with files: what is most private matters most, and of the others nothing can be said.
		slices.SortFunc(odd, func(a, b repo.OddPermission) int {
			return cmp.Or(cmp.Compare(a.Perm&0o077, b.Perm&0o077), cmp.Compare(a.Path, b.Path))
		})
		leftOut(odd[maxNamed].Path, "a folder's mode", n)
		odd, f.Usual = odd[:maxNamed], 0
	}
	f.Modes = map[string]uint16{}
	for _, o := range odd {
		f.Modes[o.Path] = o.Perm
	}
}

func (f *Folders) equal(g *Folders) bool {
	return f.Usual == g.Usual && maps.Equal(f.Modes, g.Modes) && slices.Equal(f.Empty, g.Empty)
}

// add takes in one that Git ignores, out of the vault.
func (f *Folders) add(d vaultFile) {
	if i, found := slices.BinarySearch(f.Empty, d.Path); !found && d.Size == 0 {
		f.Empty = slices.Insert(f.Empty, i, d.Path)
	}
	if f.Modes == nil {
		f.Modes = map[string]uint16{}
	}
	f.Modes[d.Path] = folderBits(d.Mode)
}

// mode gives the mode that a folder had, false when it is not known.
func (f *Folders) mode(path string) (fs.FileMode, bool) {
	bits, ok := f.Modes[path]
	if !ok {
		bits = f.Usual
	}
	return folderMode(bits), hasPermissions && (ok || bits != 0)
}

// FolderMode is the mode that a snapshot has of a folder, false where it has no such folder, or says nothing of its mode.
func (c *Checkpoint) FolderMode(r *repo.Repo, path string) (bits uint16, known bool) {
	bits, named := c.Folders.Modes[path]
	if !named {
		bits = c.Folders.Usual
	}
	if !named && !c.Folders.empty(path) {
		if side, err := c.At(r, path); err != nil || side.Mode != repo.ModeDir {
			return 0, false
		}
	}
	return bits, hasPermissions && (named || bits != 0)
}

// OtherFolders are the folders whose modes differ between two snapshots.
func OtherFolders(r *repo.Repo, a, b *Checkpoint) (list []string, err error) {
	if !hasPermissions || a.Folders.Usual == b.Folders.Usual && maps.Equal(a.Folders.Modes, b.Folders.Modes) {
		return nil, nil
	}
	look := map[string]bool{}
	for _, c := range [...]*Checkpoint{a, b} {
		for path := range c.Folders.Modes {
			look[path] = true
		}
		if a.Folders.Usual == b.Folders.Usual {
			continue
		}
		if err := c.everyFolder(r, look); err != nil {
			return nil, err
		}
	}
	for path := range look {
		was, known := a.FolderMode(r, path)
		is, both := b.FolderMode(r, path)
		if known && both && was != is {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list, nil
}

// everyFolder adds the folders of a snapshot.
func (c *Checkpoint) everyFolder(r *repo.Repo, to map[string]bool) error {
	for _, path := range c.Folders.Empty {
		for _, d := range append(parents(path), path) {
			to[d] = true
		}
	}
	return files(r, c.Tree, func(path string, _ Side) {
		for _, d := range parents(path) {
			to[d] = true
		}
	})
}

// empty says whether a folder was there with nothing in it but such folders.
func (f *Folders) empty(path string) bool {
	i, found := slices.BinarySearch(f.Empty, path)
	// Names between may be those that go on without a slash: "a-b" stands before "a/b".
	return found || slices.ContainsFunc(f.Empty[i:], func(e string) bool { return strings.HasPrefix(e, path+"/") })
}

// folderMode reads the bits of Unix. That a folder belongs to who made it (set-user-ID) means nothing.
func folderMode(bits uint16) fs.FileMode {
	m := fs.FileMode(bits & 0o777)
	if bits&0o2000 != 0 {
		m |= fs.ModeSetgid
	}
	if bits&0o1000 != 0 {
		m |= fs.ModeSticky
	}
	return m
}

// folderModes are the bits of FileMode that come back.
const folderModes = fs.ModePerm | fs.ModeSetgid | fs.ModeSticky

// A FolderChange is a folder that is made again, or gets its mode back.
type FolderChange struct {
	Path     string
	Make     bool
	Remove   bool        // it came, empty, with the restore that is taken back
	Old, New fs.FileMode // of one that is there
}

// Octal writes a folder's mode as chmod has it.
func (FolderChange) Octal(m fs.FileMode) string {
	return fmt.Sprintf("%03o", folderBits(m))
}

// folderBits are the bits of Unix.
func folderBits(m fs.FileMode) uint16 {
	bits := uint16(m.Perm())
	if m&fs.ModeSetgid != 0 {
		bits |= 0o2000
	}
	if m&fs.ModeSticky != 0 {
		bits |= 0o1000
	}
	return bits
}

// foldersOf finds empty folders that are gone, and folders with another mode. Those that a restore makes for files get theirs as well.
func (p *Plan) foldersOf(r *repo.Repo, s *snapshot) error {
	p.Folders = nil
	then := &p.Checkpoint.Folders
	ours := func(path string) bool {
		return within(path, p.Paths) && safePath(path)
	}
	for _, path := range then.Empty {
		if !ours(path) {
			continue
		}
		fi, err := lstat(r, path)
		switch {
		case err != nil, !fi.IsDir() && slices.ContainsFunc(p.Delete, func(c Change) bool { return c.Path == path }):
			p.Folders = append(p.Folders, FolderChange{Path: path, Make: true})
		case !fi.IsDir():
			p.Blocked = append(p.Blocked, Skip{Path: path, Why: "it was an empty folder, and something else is there now"})
		}
	}
	if !hasPermissions || then.Usual == 0 && len(then.Modes) == 0 {
		return nil
	}
	look := map[string]bool{}
	for path := range then.Modes {
		look[path] = true
	}
	if then.Usual != 0 {
		for path := range s.folders.Modes {
			look[path] = true
		}
	}
	if then.Usual != 0 && then.Usual != s.folders.Usual { // any folder may differ
		if err := p.Checkpoint.everyFolder(r, look); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(look)) {
		if !ours(path) {
			continue
		}
		fi, err := lstat(r, path)
		want, known := then.mode(path)
		if err != nil || !known || !fi.IsDir() || fi.Mode()&folderModes == want {
			continue
		}
		_, named := then.Modes[path]
		if !named && !then.empty(path) { // a folder that the checkpoint does not know keeps its mode
			side, err := lookup(r.Tree, p.Checkpoint.Tree, path)
			if err != nil {
				return err
			}
			if side.Mode != repo.ModeDir {
				continue
			}
		}
		p.Folders = append(p.Folders, FolderChange{Path: path, Old: fi.Mode() & folderModes, New: want})
	}
	return nil
}

// folders makes the empty ones, and gives all folders their modes, the deepest first: a folder that may not be entered would hide those below it.
func (w *restorer) folders(list []FolderChange) {
	for _, c := range list {
		if !c.Make {
			continue
		}
		if err := w.makeParents(c.Path + "/"); err != nil {
			w.res.Failed = append(w.res.Failed, Skip{Path: c.Path, Why: why(err)})
			continue
		}
		w.res.Folders = append(w.res.Folders, c)
	}
	for _, c := range slices.Backward(list) {
		if !c.Make && !c.Remove && w.chmod(c.Path, folderModes, fs.ModeDir|c.Old, c.New) {
			w.res.Folders = append(w.res.Folders, c)
		}
	}
	// Those that are new here: the mask of who restores may differ from that of who made them.
	slices.Sort(w.made)
	for _, d := range slices.Backward(w.made) {
		want, known := w.of.Folders.mode(d)
		if !known {
			continue
		}
		name := filepath.FromSlash(d)
		fi, err := w.root.Lstat(name)
		if err == nil && fi.IsDir() && fi.Mode()&folderModes != want {
			err = w.root.Chmod(name, want)
		}
		if err != nil && !disk.Absent(err) {
			w.res.Failed = append(w.res.Failed, Skip{Path: d, Why: why(err)})
		}
	}
}
