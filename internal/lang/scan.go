package lang

import (
	"context"
	"strings"
	"unsafe"
)

// scan adds up the files of one tree.
type scan struct {
	t     *Table
	read  *reader
	attrs *attributes
	each  func(path, id string, kind PathKind, size int64)

	total []tally // by Ref.Lang
	cells []cell
	last  []int32 // by language: its newest cell
	dirs  []dirNode
	top   int32   // the current folder
	here  string  // its path, "" or "a/b/"
	kept  []byte  // where paths of folders are
	big   []doubt // large enough to matter if a program wrote them

	rootNames map[string]bool // files at the root

	memo   [16]memo // of extensions, by a cheap hash
	newest *memo    // most files have the extension of the one before
	stems  [4]uint64

	counts    map[int16]bool // data and prose that .gitattributes makes count
	attrFiles []string       // .gitattributes below the root
	deciders  map[int16]*decider
	samples   []*sample // of the deciders, in the order of their making
	report    Scan

	open  []doubt   // the batch that is being filled
	lists [][]doubt // all batches
	*opening
}

// memo is what the table says of one extension.
type memo struct {
	ext   string
	ref   Ref
	globs []NameGlob
	plain bool  // the extension decides: no special names, no attributes by name, and if there are claims, worth says no
	into  int16 // the language that a plain file counts for
	owned bool  // that language takes part in shares

	// Claims depend on folders: the last answer of worthOpening, and where it holds.
	at    int32
	worth bool
}

// tally is one language's part.
type tally struct {
	bytes int64
	files int
}

// cell is one language's part of one folder; a folder may have several.
type cell struct {
	dir  int32
	lang int16
	tally
}

// dirNode is a folder that holds files, or folders that do.
type dirNode struct {
	path     string // "" or "a/b/"
	up       int32
	kind     PathKind
	manifest string // a name that roots a project here
	ruled    bool   // attributes may speak of files in it
}

// doubt is a file whose name is not enough.
type doubt struct {
	path   string
	size   int64
	decide *decider // the claims on its name; nil when its first line decides
	dir    int32
	lang   int16 // the answer
	big    bool  // the language is known; the question is who wrote it
}

// bigFile is the size from which on it is worth asking who wrote a file: a few
// generated ones can outweigh the rest of a tree. Of those, the largest are
// opened: one in bigPart of the tree's files, each of at least that part of its bytes.
const (
	bigFile  = 48 << 10
	bigLeast = 16
	bigPart  = 500

	signSize = 4 << 10 // programs sign what they write near its start
)

// newScan makes an empty scan. Room for folders is made at once: growing step by
// step costs a small tree as much as looking at its names.
func newScan(ctx context.Context, t *Table, r *reader) *scan {
	s := &scan{
		t: t, read: r, total: make([]tally, len(t.Languages)+1), last: make([]int32, len(t.Languages)+1),
		dirs: append(make([]dirNode, 0, 256), dirNode{up: -1}), deciders: map[int16]*decider{}, rootNames: map[string]bool{},
	}
	s.newest = &s.memo[0]
	s.opening = newOpening(ctx)
	for i := range len(t.StemStarts) {
		c := t.StemStarts[i]
		s.stems[c>>6] |= 1 << (c & 63)
	}
	return s
}

// enter makes the folder dir ("a/b/") the current one. Folders come in an order
// that keeps each one's files and sub-folders together, so going up and
// down from the one before is all that is needed. It says false for a path that leads out of the tree.
func (s *scan) enter(dir string) bool {
	top := s.top
	for !strings.HasPrefix(dir, s.dirs[top].path) {
		top = s.dirs[top].up
	}
	for at := len(s.dirs[top].path); at < len(dir); at = len(s.dirs[top].path) {
		up := &s.dirs[top]
		name, parent := dir[at:at+strings.IndexByte(dir[at:], '/')], ""
		if name == "" || name == "." || name == ".." || strings.IndexByte(name, 0) >= 0 {
			return false
		}
		if up.up >= 0 {
			parent = up.path[len(s.dirs[up.up].path) : len(up.path)-1]
		}
		kind := s.t.dirKind(name, parent, top == 0, up.kind)
		s.dirs = append(s.dirs, dirNode{path: s.keep(dir[:at+len(name)+1]), up: top, kind: kind, ruled: s.attrs.onFolder(dir[:at+len(name)+1])})
		top = int32(len(s.dirs) - 1)
	}
	s.top, s.here = top, s.dirs[top].path
	return true
}

// keep clones a path into a larger block: an allocation for each folder is half
// the cost of entering it.
func (s *scan) keep(path string) string {
	if cap(s.kept)-len(s.kept) < len(path) {
		s.kept = make([]byte, 0, max(keepBlock, len(path)))
	}
	at := len(s.kept)
	s.kept = append(s.kept, path...)
	return unsafe.String(&s.kept[at], len(path))
}

// keepBlock is the size of those blocks, in bytes.
const keepBlock = 8 << 10

// file counts one file by its name, or puts it off until its content is known.
// path may be a view of memory that changes later: what is kept of it is cloned.
// It says false for a path that leads out of the tree, as a damaged index may hold.
//
// This is what a scan of an index does for each of its files, so it is written
// for the usual one: in the folder of the file before, with a well-known extension.
func (s *scan) file(path string, size int64, executable bool) bool {
	s.report.Files++
	// One pass from the end finds all that cuts the path: a call of package strings
	// for each would take longer than all the rest.
	cut, dot := len(path)-1, -1
	for ; cut >= 0 && path[cut] != '/'; cut-- {
		switch c := path[cut]; {
		case c == '.' && dot < 0:
			dot = cut
		case c == 0:
			return false // no file system has such a name
		}
	}
	cut++
	if path[:cut] != s.here && !s.enter(path[:cut]) {
		return false
	}
	dir, name := s.top, path[cut:]
	if dot -= cut; dot > 0 && dot < len(name)-1 && dir != 0 && !s.dirs[dir].ruled && s.each == nil {
		m := s.newest
		if name[dot:] != m.ext {
			m = s.extension(name[dot:])
			s.newest = m
		}
		if m.plain && (m.ref.Count == 0 || !s.worth(m, path)) {
			switch {
			case m.ref.Lang == 0 || s.dirs[dir].kind != Own || m.owned && !s.own(name, m.globs):
			case size >= bigFile && m.owned:
				s.big = append(s.big, doubt{path: strings.Clone(path), size: size, dir: dir, lang: m.ref.Lang, big: true})
			default:
				s.add(dir, m.into, size)
			}
			return true
		}
	}
	if name == "" || name == "." || name == ".." {
		return false
	}
	s.special(path, name, dir, size, executable)
	return true
}

// own is nameKind for a plain file: whether its name leaves it Own.
func (s *scan) own(name string, globs []NameGlob) bool {
	if c := name[0]; s.stems[c>>6]&(1<<(c&63)) != 0 && s.t.stemKind(name, false) != Own {
		return false
	}
	return len(globs) == 0 || globKind(globs, name, Own) == Own
}

// special is file for names that need more than their extension.
func (s *scan) special(path, name string, dir int32, size int64, executable bool) {
	if dir == 0 {
		s.rootNames[strings.Clone(name)] = true
	}
	ref, globs, named := s.look(name)
	if ref.Flags&(ManifestExt|ManifestAny) != 0 || named && strings.IndexByte(name, '.') < 0 {
		s.manifest(dir, name, ref)
	}
	kind := s.dirs[dir].kind
	if name == ".gitattributes" && kind == Own && dir != 0 {
		s.attrFiles = append(s.attrFiles, strings.Clone(path))
	}
	if s.attrs != nil {
		s.attributed(path, name, dir, size, ref, globs, executable)
		return
	}
	if ref.Lang == 0 && ref.Count == 0 {
		if size > 0 && kind == Own && runnable(name, executable) && s.t.nameKind(name, dir == 0, true, nil) == Own {
			s.doubt(doubt{path: strings.Clone(path), size: size, dir: dir})
		}
		return
	}
	if kind == Own && (ref.Count > 0 || s.t.Language(ref.Lang).Counts()) {
		kind = s.t.nameKind(name, dir == 0, named, globs)
	}
	if s.each != nil && kind != Own {
		s.eachOf(path, ref.Lang, kind, size)
	}
	if kind != Own {
		return
	}
	if ref.Count > 0 && s.worthOpening(path, ref) && size > 0 {
		s.unsure(doubt{path: strings.Clone(path), size: size, decide: s.decider(ref), dir: dir, lang: ref.Lang})
		return
	}
	if size >= bigFile && s.t.Language(ref.Lang).Counts() {
		s.big = append(s.big, doubt{path: strings.Clone(path), size: size, dir: dir, lang: ref.Lang, big: true})
		return
	}
	s.count(path, dir, ref.Lang, size)
}

// extension is what the table says of an extension ("." and at least a letter).
func (s *scan) extension(ext string) *memo {
	m := &s.memo[(len(ext)*5+int(ext[len(ext)-1])+int(ext[1])*3)%len(s.memo)]
	if m.ext != ext {
		low := lowered(ext)
		*m = memo{ext: strings.Clone(ext), ref: s.t.Extension(low), globs: s.t.Globs(low)}
		m.plain, m.at = m.ref.Flags == 0 && !s.attrs.onExtension(ext), -1
		if m.plain && m.ref.Lang != 0 {
			m.into, m.owned = s.t.counted(m.ref.Lang), s.t.Language(m.ref.Lang).Counts()
		}
	}
	return m
}

// look is byName with a memo: a tree has few extensions. named says that the
// whole name may be in a list of its own.
func (s *scan) look(name string) (ref Ref, globs []NameGlob, named bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || i == len(name)-1 {
		return s.t.Filename(name), nil, true
	}
	m := s.extension(name[i:])
	ref = m.ref
	if ref.Flags&Compound != 0 {
		ref, _ = s.t.byExtension(name, i)
	}
	named = m.ref.Flags&WholeName != 0
	if named {
		if f := s.t.Filename(name); f.Lang != 0 || f.Count != 0 {
			f.Flags |= ref.Flags &^ Compound
			ref = f
		}
	}
	return ref, m.globs, named || i == 0
}

// manifest notes a name that makes its folder a project.
func (s *scan) manifest(dir int32, name string, ref Ref) {
	d := &s.dirs[dir]
	if d.manifest == "" && d.kind == Own && (ref.Flags&ManifestAny != 0 || s.t.Manifest(name)) {
		d.manifest = strings.Clone(name)
	}
}

// worth is worthOpening for a file in the current folder.
func (s *scan) worth(m *memo, path string) bool {
	if m.at != s.top {
		m.at, m.worth = s.top, s.worthOpening(path, m.ref)
	}
	return m.worth
}

// worthOpening says whether any claim on the name can hold where the file lies.
func (s *scan) worthOpening(path string, ref Ref) bool {
	claims := s.t.Claims[ref.First : ref.First+ref.Count]
	for i := range claims {
		if claims[i].below(path) {
			return true
		}
	}
	return false
}

// count counts a file whose language is known, for the group that the language is in.
func (s *scan) count(path string, dir int32, lang int16, size int64) {
	if lang == 0 {
		return
	}
	if s.each != nil {
		s.eachOf(path, lang, Own, size)
	}
	s.add(dir, s.t.counted(lang), size)
}

// add counts a file for a language that is no member of a group.
func (s *scan) add(dir int32, lang int16, size int64) {
	s.total[lang].bytes += size
	s.total[lang].files++
	if c := s.last[lang]; int(c) < len(s.cells) && s.cells[c].dir == dir && s.cells[c].lang == lang {
		s.cells[c].bytes += size
		s.cells[c].files++
		return
	}
	s.last[lang] = int32(len(s.cells))
	s.cells = append(s.cells, cell{dir, lang, tally{size, 1}})
}

// eachOf tells the caller of a file. The path may be a view of the index, and the
// caller may keep what it gets.
func (s *scan) eachOf(path string, lang int16, kind PathKind, size int64) {
	id := ""
	if lang != 0 {
		id = s.t.Language(lang).ID
	}
	s.each(strings.Clone(path), id, kind, size)
}
