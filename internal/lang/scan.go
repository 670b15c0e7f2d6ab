package lang

import (
	"context"
	"strings"
)

// scan adds up the files of one tree.
type scan struct {
	t     *Table
	read  reader
	attrs *attributes
	each  func(path, id string, kind PathKind, size int64)

	total []tally // by Ref.Lang
	folders
	big []doubt // large enough to matter if a program wrote them

	own    bool    // the current folder's files are its own
	closed bool    // nothing in it counts
	usual  bool    // an extension may decide in it
	cells  []cell  // what each folder holds
	last   []int32 // by language: its newest cell

	rootNames map[string]bool // files at the root
	explains  int             // files that only explain
	aside     int64           // bytes of vendored pages and style sheets at the root

	memo [128]memo // of extensions, by a cheap hash; most stay untouched

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
	plain bool  // the extension decides for names that are not odd, unless worth says that claims do
	owned bool  // its language takes part in shares
	into  int16 // the language that a plain file counts for; 0 for none
	odd   oddNames

	// Claims depend on folders: the last answer of worthOpening, and the turn in which it holds.
	at    int32
	worth bool

	globs []NameGlob
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

	written bool // a program wrote it
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
func newScan(ctx context.Context, t *Table, r reader) *scan {
	s := &scan{
		t: t, read: r, total: make([]tally, len(t.Languages)+1), folders: newFolders(t), big: make([]doubt, 0, 2*bigLeast),
		deciders: map[int16]*decider{}, rootNames: map[string]bool{}, last: make([]int32, len(t.Languages)+1),
		cells: make([]cell, 0, roomy),
	}
	s.opening = newOpening(ctx)
	return s
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
	last := lastWord(path, min(at, len(path)))
	if len(path) <= at || path[:at] != s.here() || slashed(path, at, last) {
		if at = s.enter(s.t, s.attrs, path); at < 0 {
			return false
		}
		l := s.current()
		s.own = l.kind == Own
		s.closed = !s.own && s.attrs == nil && s.each == nil
		s.usual = !s.atRoot() && !l.ruled && !l.scripts && s.each == nil
		last = lastWord(path, at)
	}
	if s.closed {
		if s.current().kind == Documentation {
			s.explains++
			s.manifest(path[at:], Ref{}) // a workspace may name a folder of examples or documents (see member)
		}
		return true
	}
	name := path[at:]
	if dot, ext := lastDot(len(name), last); dot > 0 && s.usual {
		m := &s.memo[memoAt(ext)]
		if m.word != ext {
			s.learn(m, ext, name[dot:])
		}
		if m.plain && !m.odd.holds(name, dot, last) && (m.ref.Claims == 0 || !s.worth(m, path)) {
			switch {
			case m.into == 0 || !s.own:
			case size >= bigFile && m.owned:
				s.large(path, m.ref.Lang, size)
			default:
				s.add(m.into, size)
				s.addTo(s.node(), m.into, size)
			}
			return true
		}
	}
	if name == "" || name == "." || name == ".." || strings.IndexByte(name, 0) >= 0 {
		return false // no file system has such a name
	}
	s.special(path, name, size, executable)
	return true
}

// special is file for names that need more than their extension.
func (s *scan) special(path, name string, size int64, executable bool) {
	root, kind := s.atRoot(), s.current().kind
	if root {
		s.rootNames[strings.Clone(name)] = true
	}
	ref, globs, named := s.look(name)
	if ref.Flags&(ManifestExt|ManifestAny) != 0 || named && strings.IndexByte(name, '.') < 0 {
		s.manifest(name, ref)
	}
	if name == ".gitattributes" && kind == Own && !root {
		s.attrFiles = append(s.attrFiles, strings.Clone(path))
	}
	if s.attrs != nil {
		s.attributed(path, name, size, ref, globs, executable)
		return
	}
	if ref.Lang == 0 && ref.Claims == 0 {
		if size > 0 && kind == Own && s.t.runnable(name, executable) && s.t.nameKind(name, root, true, nil) == Own {
			s.doubt(doubt{path: strings.Clone(path), size: size, dir: s.node()})
		}
		return
	}
	if kind == Own && (ref.Claims != 0 || s.t.Language(ref.Lang).Counts()) {
		kind = s.t.nameKind(name, root, named, globs)
		if s.current().scripts && plainScript(name) {
			kind = max(kind, Vendored)
		}
	}
	if s.each != nil && kind != Own {
		s.eachOf(path, ref.Lang, kind, size)
	}
	if kind != Own {
		if kind == Documentation {
			s.explains++
		}
		if kind == Vendored && root && ref.Lang != 0 && s.t.pages(ref.Lang) {
			s.aside += size
		}
		return
	}
	if ref.Claims != 0 && s.worthOpening(path, ref) && size > 0 {
		s.unsure(doubt{path: strings.Clone(path), size: size, decide: s.decider(ref), dir: s.node(), lang: ref.Lang})
		return
	}
	if size >= bigFile && s.t.Language(ref.Lang).Counts() {
		s.large(path, ref.Lang, size)
		return
	}
	s.count(path, s.node(), ref.Lang, size)
}

// large puts a file off whose language is known, since a program may have written it.
func (s *scan) large(path string, lang int16, size int64) {
	s.big = append(s.big, doubt{path: strings.Clone(path), size: size, dir: s.node(), lang: lang, big: true})
}

// memoAt mixes all letters: the place of an extension in scan.memo.
func memoAt(word uint64) uint64 { return word * sieveMix >> 57 }

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
	*m = memo{word: word, ref: s.t.Extension(low), globs: s.t.globs(low), at: -1}
	m.plain = m.ref.Flags&ManifestAny == 0 && !s.attrs.onExtension(ext)
	if !m.plain {
		return
	}
	m.odd = s.t.odd(ext)
	if m.ref.Lang != 0 {
		m.into, m.owned = s.t.counted(m.ref.Lang), s.t.Language(m.ref.Lang).Counts()
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
		if f := s.t.Filename(name); f.Lang != 0 || f.Claims != 0 {
			f.Flags |= ref.Flags &^ Compound
			ref = f
		}
	}
	return ref, m.globs, named || i == 0
}

// manifest notes a name that makes its folder a project.
func (s *scan) manifest(name string, ref Ref) {
	kind := s.current().kind
	if kind == Own && ref.Flags&ManifestAny != 0 || (kind == Own || kind == Documentation) && s.t.Manifest(name) {
		s.rooted(s.node(), strings.Clone(name))
	}
}

// worth is worthOpening for a file in the current folder.
func (s *scan) worth(m *memo, path string) bool {
	if m.at != s.turn {
		m.at, m.worth = s.turn, s.worthOpening(path, m.ref)
	}
	return m.worth
}

// worthOpening says whether any claim on the name can hold where the file lies.
func (s *scan) worthOpening(path string, ref Ref) bool {
	claims := s.t.claims(ref)
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
	s.add(s.t.counted(lang), size)
	s.addTo(dir, s.t.counted(lang), size)
}

// add counts a file for a language that is no member of a group.
func (s *scan) add(lang int16, size int64) {
	s.total[lang].bytes += size
	s.total[lang].files++
}

// addTo counts it for its folder too.
func (s *scan) addTo(dir int32, lang int16, size int64) {
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
