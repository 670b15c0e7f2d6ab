package checkpoint

import (
	"cmp"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// hasPermissions says that files have the nine bits: on Windows they are made up from one.
const hasPermissions = runtime.GOOS != "windows"

// permission notes what the walk has not seen as it is stored: untracked files, and those that have changed.
func (s *snapshot) permission(it *item) {
	name := strings.TrimSuffix(it.path, "/")
	delete(s.modes, name)
	if !hasPermissions || it.fi == nil || it.skip != "" || it.leave || !it.fi.Mode().IsRegular() {
		return
	}
	if perm := it.fi.Mode().Perm(); perm != usual(s.usual, it.side.Mode) {
		s.modes[name] = perm
	}
}

// usual are the permissions that go without saying.
func usual(plain fs.FileMode, mode uint32) fs.FileMode {
	if mode == repo.ModeExec {
		return fs.FileMode(repo.Executable(uint16(plain)))
	}
	return plain
}

// settlePermissions takes what most files have for the usual, and keeps the list of the others within the bounds of a message.
func (s *snapshot) settlePermissions(items []item) {
	if !hasPermissions {
		s.usual = 0
		return
	}
	if 2*len(s.modes) > s.ix.Len()+len(items) {
		s.turnPermissions(items)
	}
	if len(s.modes) <= maxNamed {
		return
	}
	// Too many to say of all others what they are. What is most private is what matters most.
	list := slices.Collect(maps.Keys(s.modes))
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.modes[a]&0o077, s.modes[b]&0o077), cmp.Compare(a, b))
	})
	for _, p := range list[maxNamed:] {
		delete(s.modes, p)
	}
	s.usual = 0
}

// turnPermissions makes usual what most of the unusual files have, so that the others are listed.
func (s *snapshot) turnPermissions(items []item) {
	count := map[fs.FileMode]int{}
	for _, perm := range s.modes {
		if perm&0o100 == 0 {
			count[perm]++
		}
	}
	most := s.usual
	for perm, n := range count {
		if n > count[most] || n == count[most] && perm < most {
			most = perm
		}
	}
	odd := map[string]fs.FileMode{}
	add := func(path string, perm fs.FileMode) {
		// Without core.fileMode the tree does not say what is executable, so such files are named.
		mode := uint32(repo.ModeFile)
		if s.fileMode && perm&0o100 != 0 && !s.isLink(path) {
			mode = repo.ModeExec
		}
		if perm != usual(most, mode) {
			odd[path] = perm
		}
	}
	for path, perm := range s.modes {
		add(path, perm)
	}
	for en := range s.ix.Entries() {
		if _, named := s.modes[en.Path]; !named && (en.Mode == repo.ModeFile || en.Mode == repo.ModeExec || en.Mode == repo.ModeLink && !s.links) {
			add(en.Path, usual(s.usual, en.Mode))
		}
	}
	for _, it := range items { // these have been looked at
		delete(odd, it.path)
		if it.fi != nil && it.fi.Mode().IsRegular() && it.skip == "" && !it.leave {
			add(it.path, it.fi.Mode().Perm())
		}
	}
	s.usual, s.modes = most, odd
}

// isLink says whether the index has a link at a path, which may be a plain file on disk (core.symlinks).
func (s *snapshot) isLink(path string) bool {
	i, found := s.ix.Find(path)
	return found && s.ix.At(i).Mode == repo.ModeLink
}

// perm gives the permissions that a file had, false when they are not known. What is executable by its owner the tree says, so that
// Git finds nothing changed.
func (c *Checkpoint) perm(path string, s Side, fileMode bool) (fs.FileMode, bool) {
	perm, ok := c.Modes[path]
	if !ok {
		if c.Usual == 0 {
			return 0, false
		}
		perm = usual(c.Usual, s.Mode)
	}
	if fileMode && s.Mode != repo.ModeLink { // a link that is a plain file here (core.symlinks) has its bits like others
		perm &^= 0o100
		if s.Mode == repo.ModeExec {
			perm |= 0o100
		}
	}
	return perm, true
}

// OtherPermissions are the files that two snapshots hold with the same content and other permissions.
func OtherPermissions(r *repo.Repo, a, b *Checkpoint) (list []string, err error) {
	if a.Usual == b.Usual && maps.Equal(a.Modes, b.Modes) {
		return nil, nil
	}
	look := map[string]bool{}
	for _, c := range [...]*Checkpoint{a, b} {
		for path := range c.Modes {
			look[path] = true
		}
		if a.Usual == b.Usual {
			continue
		}
		if err := files(r, c.Tree, func(path string, _ Side) { look[path] = true }); err != nil { // any file may differ
			return nil, err
		}
	}
	at, then, keeps := NewTrees(r), Side{}, fileMode(r)
	for path := range look {
		side, err := at.At(a, path)
		if err == nil {
			then, err = at.At(b, path)
		}
		if err != nil {
			return nil, err
		}
		was, known := a.perm(path, side, keeps)
		is, both := b.perm(path, then, keeps)
		if side == then && (side.Mode == repo.ModeFile || side.Mode == repo.ModeExec) && known && both && was != is {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list, nil
}

// A PermissionChange is a file that has its content and gets its permissions back.
type PermissionChange struct {
	Path     string
	Old, New fs.FileMode
}

// permissions finds the files that differ in nothing else.
func (p *Plan) permissions(r *repo.Repo, s *snapshot) error {
	p.Permissions = nil
	c := p.Checkpoint
	if !hasPermissions || c.Usual == 0 && len(c.Modes) == 0 {
		return nil
	}
	written := map[string]bool{}
	for _, list := range [...][]Change{p.Write, p.Delete} {
		for _, ch := range list {
			written[ch.Path] = true
		}
	}
	look := func(path string, side Side) {
		if side.Mode != repo.ModeFile && side.Mode != repo.ModeExec && (side.Mode != repo.ModeLink || s.links) || written[path] || !within(path, p.Paths) || !safePath(path) || skipped(c.Skipped, path) {
			return
		}
		want, known := c.perm(path, side, s.fileMode)
		if !known {
			return
		}
		fi, err := lstat(r, path)
		if err == nil && fi.Mode().IsRegular() && fi.Mode().Perm() != want {
			p.Permissions = append(p.Permissions, PermissionChange{path, fi.Mode().Perm(), want})
		}
	}
	trees := NewTrees(r)
	// The snapshot of now does not hold these; the safety checkpoint must, so that undoing gives them back as they are.
	for _, path := range p.same {
		side, err := trees.At(c, path)
		if err != nil {
			return err
		}
		look(path, side)
		written[path] = true
	}
	for _, change := range p.Permissions {
		if !slices.Contains(p.also, change.Path) {
			p.also = append(p.also, change.Path)
		}
	}
	if c.Usual != 0 && c.Usual != s.usual {
		return files(r, c.Tree, look) // any file may differ
	}
	names := map[string]fs.FileMode{}
	maps.Copy(names, c.Modes)
	if c.Usual != 0 {
		maps.Copy(names, s.modes)
	}
	for _, path := range slices.Sorted(maps.Keys(names)) {
		side, err := trees.At(c, path)
		if err != nil {
			return err
		}
		look(path, side)
	}
	return nil
}

// chmodAll brings permissions back.
func (w *restorer) chmodAll(list []PermissionChange) {
	for _, c := range list {
		if w.chmod(c.Path, fs.ModePerm, c.Old, c.New) {
			w.res.Permissions = append(w.res.Permissions, c)
		}
	}
}

// chmod gives a file or folder its mode back, if it is what it has been found to be: old tells its type and the bits of mask.
func (w *restorer) chmod(path string, mask, old, mode fs.FileMode) bool {
	name := filepath.FromSlash(path)
	fi, err := w.root.Lstat(name)
	if err == nil && fi.Mode()&(mask|fs.ModeType) != old {
		err = errMoved
	}
	if err == nil {
		err = w.root.Chmod(name, mode)
	}
	if err != nil {
		w.res.Failed = append(w.res.Failed, Skip{Path: path, Why: why(err)})
	}
	return err == nil
}
