package lang

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// scan adds up the files of one tree.
type scan struct {
	t     *Table
	read  *reader
	attrs *attributes
	each  func(path, id string, kind PathKind, size int64)

	total  []tally // by Ref.Lang
	cells  []cell
	last   []int32 // by language: its newest cell
	dirs   []dirNode
	stack  []int32 // folders from the root to the current file's
	doubts []doubt
	big    []doubt // large enough to matter if a program wrote them

	rootNames map[string]bool // files at the root

	memo [16]memo // of extensions, by a cheap hash

	counts   map[int16]bool // data and prose that .gitattributes makes count
	deciders map[int16]*decider
	report   Scan
}

// memo is what the table says of one extension.
type memo struct {
	ext   string
	ref   Ref
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

// dirNode is a folder that holds files, or folders that do.
type dirNode struct {
	path     string // "" or "a/b/"
	up       int32
	kind     PathKind
	manifest string // a name that roots a project here
}

// doubt is a file whose name is not enough.
type doubt struct {
	path string
	size int64
	ref  Ref
	dir  int32
	lang int16 // the answer
	big  bool  // the language is known; the question is who wrote it
}

// bigFile is the size from which on it is worth asking who wrote a file: a few
// generated ones can outweigh the rest of a tree. Of those, the largest are
// opened, a small part of the tree's files.
const (
	bigFile  = 48 << 10
	bigLeast = 16
	bigPart  = 500

	signSize = 4 << 10 // programs sign what they write near its start
)

func newScan(t *Table, r *reader) *scan {
	return &scan{
		t: t, read: r, total: make([]tally, len(t.Languages)+1), last: make([]int32, len(t.Languages)+1),
		dirs: []dirNode{{up: -1}}, stack: []int32{0}, deciders: map[int16]*decider{}, rootNames: map[string]bool{},
	}
}

// enter makes the folder of path ("a/b/c.go") the current one. Paths come in an
// order that keeps each folder's together, so a stack is all that is needed.
func (s *scan) enter(path string) (dir int32, name string) {
	top := s.stack[len(s.stack)-1]
	for !strings.HasPrefix(path, s.dirs[top].path) {
		s.stack = s.stack[:len(s.stack)-1]
		top = s.stack[len(s.stack)-1]
	}
	for {
		at := len(s.dirs[top].path)
		i := strings.IndexByte(path[at:], '/')
		if i < 0 {
			return top, path[at:]
		}
		up := &s.dirs[top]
		name, parent := path[at:at+i], ""
		if up.up >= 0 {
			parent = up.path[len(s.dirs[up.up].path) : len(up.path)-1]
		}
		kind := s.t.dirKind(name, parent, top == 0, up.kind)
		s.dirs = append(s.dirs, dirNode{path: strings.Clone(path[:at+i+1]), up: top, kind: kind})
		top = int32(len(s.dirs) - 1)
		s.stack = append(s.stack, top)
	}
}

// file counts one file by its name, or puts it off until its content is known.
// path may be a view of memory that changes later: what is kept of it is cloned.
func (s *scan) file(path string, size int64, executable bool) {
	s.report.Files++
	dir, name := s.enter(path)
	if dir == 0 {
		s.rootNames[strings.Clone(name)] = true
	}
	ref, globs, named := s.look(name)
	if ref.Flags&(ManifestExt|ManifestAny) != 0 || named && strings.IndexByte(name, '.') < 0 {
		s.manifest(dir, name, ref)
	}
	kind := s.dirs[dir].kind
	if s.attrs != nil {
		s.attributed(path, name, dir, size, ref, globs, executable)
		return
	}
	if ref.Lang == 0 && ref.Count == 0 {
		if size > 0 && kind == Own && runnable(name, executable) && s.t.nameKind(name, dir == 0, true, nil) == Own {
			s.doubts = append(s.doubts, doubt{path: strings.Clone(path), size: size, dir: dir})
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
		s.doubts = append(s.doubts, doubt{path: strings.Clone(path), size: size, ref: ref, dir: dir, lang: ref.Lang})
		return
	}
	if size >= bigFile && s.t.Language(ref.Lang).Counts() {
		s.big = append(s.big, doubt{path: strings.Clone(path), size: size, dir: dir, lang: ref.Lang, big: true})
		return
	}
	s.count(path, dir, ref.Lang, size)
}

// look is byName with a memo: a tree has few extensions. named says that the
// whole name may be in a list of its own.
func (s *scan) look(name string) (ref Ref, globs []NameGlob, named bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || i == len(name)-1 {
		return s.t.Filename(name), nil, true
	}
	ext := name[i:]
	m := &s.memo[(len(ext)*5+int(ext[len(ext)-1])+int(ext[1])*3)%len(s.memo)]
	if m.ext != ext {
		low := lowered(ext)
		*m = memo{strings.Clone(ext), s.t.Extension(low), s.t.Globs(low)}
	}
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

func (s *scan) count(path string, dir int32, lang int16, size int64) {
	if lang == 0 {
		return
	}
	if s.each != nil {
		s.eachOf(path, lang, Own, size)
	}
	lang = s.t.counted(lang)
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

func (s *scan) eachOf(path string, lang int16, kind PathKind, size int64) {
	id := ""
	if lang != 0 {
		id = s.t.Language(lang).ID
	}
	s.each(strings.Clone(path), id, kind, size)
}

// settle opens the files in doubt, a few kilobytes each, on all processors when
// there are many, and counts them.
func (s *scan) settle(ctx context.Context) error {
	for i := range s.doubts {
		if r := s.doubts[i].ref; r.Count > 0 && s.deciders[r.First] == nil {
			s.deciders[r.First] = newDecider(s.t.Claims[r.First : r.First+r.Count])
		}
	}
	if most := bigLeast + s.report.Files/bigPart; len(s.big) > most {
		slices.SortFunc(s.big, func(a, b doubt) int { return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.path, b.path)) })
		for _, d := range s.big[most:] {
			s.count(d.path, d.dir, d.lang, d.size)
		}
		s.big = s.big[:most]
	}
	s.doubts = append(s.doubts, s.big...)
	s.big = nil
	const batch = 128
	jobs := min(runtime.GOMAXPROCS(0), 8, len(s.doubts)/batch+1)
	faults := make([]error, jobs)
	var wg sync.WaitGroup
	for j := range jobs {
		work := func() {
			faults[j] = guard(func() {
				buf := make([]byte, headSize)
				for at := j * batch; at < len(s.doubts) && ctx.Err() == nil; at += jobs * batch {
					for i := at; i < min(at+batch, len(s.doubts)); i++ {
						s.resolve(&s.doubts[i], buf)
					}
				}
			})
		}
		if j == jobs-1 {
			work()
			break
		}
		wg.Go(work)
	}
	wg.Wait()
	if err := cmp.Or(faults...); err != nil {
		return err
	}
	s.report.Opened += len(s.doubts)
	if ctx.Err() != nil {
		s.report.Partial = true
	}
	for i := range s.doubts {
		d := &s.doubts[i]
		s.count(d.path, d.dir, d.lang, d.size)
	}
	s.doubts = s.doubts[:0]
	return nil
}

func (s *scan) resolve(d *doubt, buf []byte) {
	if d.big {
		buf = buf[:signSize]
	}
	head := buf[:s.read.head(d.path, buf)]
	switch {
	case d.big && (notText(head) || s.t.written(d.path, head)):
		d.lang = 0
		return
	case d.big:
		return
	case d.ref.Count == 0:
		d.lang, _ = s.t.shebang(head)
		return
	case notText(head) || d.size >= bigFile && s.t.written(d.path, head):
		d.lang = 0
		return
	}
	k := s.deciders[d.ref.First]
	if lang, _ := s.t.byContent(k, k.claims, d.path, head); lang != 0 {
		d.lang = lang
	}
}
