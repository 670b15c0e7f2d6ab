package lang

import (
	"context"
	"math/bits"
	"strings"
)

// scan adds up the files of one tree.
type scan struct {
	t     *Table
	read  *reader
	attrs *attributes
	each  func(path, id string, kind PathKind, size int64)

	total []tally // by Ref.Lang
	folders
	big []doubt // large enough to matter if a program wrote them

	closed   bool // nothing in the current folder counts
	byFolder bool // cells are wanted
	cells    []cell
	last     []int32 // by language: its newest cell

	rootNames map[string]bool // files at the root
	aside     int64           // bytes of vendored pages and style sheets at the root

	memo  [64]memo // of extensions, by a cheap hash
	stems uint64   // bit c&63 for first bytes c of Table.StemStarts

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
	word  uint64 // the extension, see extWord
	ref   Ref
	globs []NameGlob
	plain bool   // the extension decides: no special names, no attributes by name, and if there are claims, worth says no
	into  int16  // the language that a plain file counts for
	owned bool   // that language takes part in shares
	heads uint64 // bit c&63 for bytes c that some globs want at the start of the name
	tails uint64 // and others before the extension

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
// generated ones can outweigh the rest of a tree. Of those that hold bigPart of the
// tree's bytes or more, the largest are opened, one in bigFiles of all files.
const (
	bigFile  = 48 << 10
	bigLeast = 16
	bigFiles = 500
	bigPart  = 333

	signSize = 4 << 10 // programs sign what they write near its start
)

// newScan makes an empty scan.
func newScan(ctx context.Context, t *Table, r *reader) *scan {
	s := &scan{
		t: t, read: r, total: make([]tally, len(t.Languages)+1), folders: newFolders(), big: make([]doubt, 0, 2*bigLeast),
		deciders: map[int16]*decider{}, rootNames: map[string]bool{},
	}
	s.opening = newOpening(ctx)
	for i := range len(t.StemStarts) {
		s.stems |= 1 << (t.StemStarts[i] & 63)
	}
	return s
}

// perFolder makes the scan note what each folder holds, for the answers of sub-projects.
func (s *scan) perFolder() {
	s.byFolder, s.last = true, make([]int32, len(s.total))
}

// file counts one file by its name, or puts it off until its content is known.
// path may be a view of memory that changes later: what is kept of it is cloned.
// It says false for a path that leads out of the tree, as a damaged index may hold.
//
// This is what a scan of an index does for each of its files, so it is written
// for the usual one: in the folder of the file before, with a well-known extension.
func (s *scan) file(path string, size int64, executable bool) bool {
	s.report.Files++
	at := len(s.path)
	if len(path) <= at || path[:at] != s.here() || strings.IndexByte(path[at:], '/') >= 0 {
		at = strings.LastIndexByte(path, '/') + 1
		if !s.enter(s.t, s.attrs, path[:at]) {
			return false
		}
		s.closed = s.nodes[s.top].kind != Own && s.attrs == nil && s.each == nil
	}
	if s.closed {
		return true
	}
	dir, name := s.top, path[at:]
	if dot, word := lastDot(path, at); dot > 0 && dir != 0 && !s.nodes[dir].ruled && s.each == nil {
		m := &s.memo[memoAt(word)]
		if m.word != word {
			s.learn(m, word, name[dot:])
		}
		if m.plain && (m.ref.Count == 0 || !s.worth(m, path)) {
			switch {
			case m.into == 0 || s.nodes[dir].kind != Own || m.owned && !s.own(name, dot, m):
			case size >= bigFile && m.owned:
				s.big = append(s.big, doubt{path: strings.Clone(path), size: size, dir: dir, lang: m.ref.Lang, big: true})
			default:
				s.add(dir, m.into, size)
			}
			return true
		}
	}
	if name == "" || name == "." || name == ".." || strings.IndexByte(name, 0) >= 0 {
		return false // no file system has such a name
	}
	s.special(path, name, dir, size, executable)
	return true
}

// own is nameKind for a plain file whose extension begins at dot: whether its name
// leaves it Own. The bits of two bytes tell for nearly all names.
func (s *scan) own(name string, dot int, m *memo) bool {
	first, before := name[0]&63, name[dot-1]&63
	if s.stems>>first&1 != 0 && s.t.stemKind(name, false) != Own {
		return false
	}
	return m.heads>>first&1 == 0 && m.tails>>before&1 == 0 || globKind(m.globs, name, Own) == Own
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
	kind := s.nodes[dir].kind
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
		if kind == Vendored && dir == 0 && ref.Lang != 0 && s.t.pages(ref.Lang) {
			s.aside += size
		}
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

// lastDot finds where in path[at:] the extension begins, and returns the extension
// as a word: 0, 0 when there is none of one to seven letters. It looks at the last
// eight bytes at once, since a loop that ends elsewhere for each name is mispredicted
// for each name.
func lastDot(path string, at int) (dot int, word uint64) {
	if len(path) < 8 {
		return 0, 0
	}
	p := path[len(path)-8:]
	w := uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 | uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
	const low, dots = 0x7f7f7f7f7f7f7f7f, 0x2e2e2e2e2e2e2e2e
	x := w ^ dots
	// The top bit of each byte that is a dot; exact for all, since no carry leaves a byte.
	found := ^((x&low + low) | x | low)
	i := (63 - bits.LeadingZeros64(found)) >> 3 // -1 for none
	if dot = len(path) - 8 + i - at; i < 0 || i == 7 || dot <= 0 {
		return 0, 0
	}
	return dot, w >> (8 * i)
}

// extWord is an extension of one to seven letters, its dot in the lowest byte; 0
// for a longer one.
func extWord(ext string) (w uint64) {
	if len(ext) > 8 {
		return 0
	}
	for i := range len(ext) {
		w |= uint64(ext[i]) << (8 * i)
	}
	return w
}

// memoAt mixes all letters: the place of an extension in scan.memo.
func memoAt(word uint64) uint64 { return word * 0x9e3779b97f4a7c15 >> 58 }

// extension is what the table says of an extension ("." and at least a letter).
func (s *scan) extension(ext string) *memo {
	word := extWord(ext)
	m := &s.memo[memoAt(word)]
	if word == 0 || m.word != word {
		s.learn(m, word, ext)
	}
	return m
}

// learn asks the table for an extension.
func (s *scan) learn(m *memo, word uint64, ext string) {
	low := lowered(ext)
	*m = memo{word: word, ref: s.t.Extension(low), globs: s.t.Globs(low)}
	m.plain, m.at = m.ref.Flags == 0 && !s.attrs.onExtension(ext), -1
	if m.plain && m.ref.Lang != 0 {
		m.into, m.owned = s.t.counted(m.ref.Lang), s.t.Language(m.ref.Lang).Counts()
	}
	for i := range m.globs {
		switch g := &m.globs[i]; {
		case len(g.Tail) > len(ext):
			m.tails |= 1 << (g.Tail[len(g.Tail)-len(ext)-1] & 63)
		case g.Head != "":
			m.heads |= 1 << (g.Head[0] & 63)
		default:
			m.heads = ^uint64(0)
		}
	}
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
	if n := &s.nodes[dir]; n.manifest == 0 && n.kind == Own && (ref.Flags&ManifestAny != 0 || s.t.Manifest(name)) {
		s.rooted(dir, strings.Clone(name))
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
	if !s.byFolder {
		return
	}
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
