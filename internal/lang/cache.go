package lang

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// cache keeps one answer for a folder. It holds as long as nothing that the
// answer was read from has changed: the index, the folder's own listing, every
// manifest, and the rules themselves.
type cache struct {
	file, dir, stamp string
	projects         bool // only an answer with projects will do
}

// form is raised whenever the engine answers differently for the same rules, or
// package pack writes another field: an answer of an older moai is none.
const form = "/8"

// maxCache bounds the file that is read back.
const maxCache = 4 << 20

// newCache is nil where nothing is to be kept; its methods know that. The file is
// named after the folder's path alone: a stale answer is overwritten, not piled up.
func newCache(t *Table, dir string, o Options) *cache {
	if o.Cache == "" || o.Each != nil || o.Rev != "" {
		return nil
	}
	return &cache{file: filepath.Join(o.Cache, "lang-"+strconv.FormatUint(sum(dir), 36)), dir: dir, stamp: t.stamp() + form, projects: o.Projects}
}

// load returns the answer if it still holds, nil otherwise.
func (c *cache) load() *Report {
	if c == nil {
		return nil
	}
	data, _, err := disk.ReadHead(c.file, maxCache)
	if err != nil {
		return nil
	}
	body, check, _ := strings.Cut(string(data), checkMark)
	if check != strconv.FormatUint(sum(body), 36) {
		return nil
	}
	r := &Report{}
	p := &pack{in: body, reading: true}
	kept, inputs := cache{}, []input(nil)
	p.kept(&kept, &inputs)
	if p.bad || kept.stamp != c.stamp || kept.dir != c.dir || c.projects && !kept.projects {
		return nil
	}
	// Most inputs are one stat each; reading comes only for those that were fresh.
	for i := range inputs {
		if !inputs[i].same(c.dir) {
			return nil
		}
	}
	if p.report(r); p.bad {
		return nil
	}
	r.Scan.Cached = true
	return r
}

// checkMark stands before the sum that tells a whole file from a torn one.
const checkMark = "\n\x00sum "

// kept is the head of the file: what must still be true for the rest to be read.
func (p *pack) kept(c *cache, inputs *[]input) {
	p.text("stamp", &c.stamp)
	p.text("dir", &c.dir)
	p.flag("projects", &c.projects)
	list(p, "inputs", inputs, func(in *input) {
		p.text("path", &in.path)
		p.num("size", &in.state.size)
		p.num("mod", &in.state.mod)
		p.num("change", &in.state.change)
		p.size("kind", (*int)(&in.kind))
		p.flag("fresh", &in.fresh)
		p.text("sum", &in.sum)
	})
}

// store keeps an answer. Failing to is no failure: the next run asks again.
func (c *cache) store(r *Report, inputs []input) {
	if c == nil {
		return
	}
	p := &pack{}
	p.kept(c, &inputs)
	p.report(r)
	if len(p.out) > maxCache {
		return
	}
	data := fmt.Appendf(p.out, "%s%s", checkMark, strconv.FormatUint(sum(string(p.out)), 36))
	// No fsync: what a crash leaves of it fails its sum.
	f, err := os.CreateTemp(filepath.Dir(c.file), ".lang-*")
	if err != nil {
		if os.MkdirAll(filepath.Dir(c.file), 0o700) != nil {
			return
		}
		if f, err = os.CreateTemp(filepath.Dir(c.file), ".lang-*"); err != nil {
			return
		}
	}
	_, err = f.Write(data)
	if f.Close() != nil || err != nil || state.Rename(f.Name(), c.file) != nil {
		_ = os.Remove(f.Name())
	}
}

// input is a file or folder whose change makes a kept answer old.
type input struct {
	path  string // below the folder, or absolute
	state fileState
	kind  inputKind
	// fresh: it had changed so shortly before it was read that another change may
	// have left the same time. Then what it holds is compared too.
	fresh bool
	sum   string // of what it held, if fresh; "" when it cannot be told
}

// fileState is what a kept answer remembers of a file.
type fileState struct{ size, mod, change int64 } // bytes; Unix nanoseconds; change is 0 where the system has no such time

func stateOf(st *disk.Stat) fileState {
	return fileState{st.Size, st.ModifiedNano(), st.ChangedNano()}
}

type inputKind int

const (
	inputFile inputKind = iota
	inputFolder
	inputIndex
	inputPresence // only whether it is there matters
)

// presence is the state of an input of that kind.
func presence(is, folder bool) (s fileState) {
	if is {
		s.size = 1
	}
	if folder {
		s.mod = 1
	}
	return s
}

// settled is how long ago a change must be for times to tell it from a later
// one: the coarsest file systems count in two seconds.
const settled = 2 * time.Second

// newInput notes what was read. held says what it held, and is asked only if that
// matters.
func newInput(path string, kind inputKind, s fileState, held func() string) input {
	in := input{path: path, kind: kind, state: s}
	if s.mod != 0 && max(s.mod, s.change) > time.Now().Add(-settled).UnixNano() {
		in.fresh, in.sum = true, held()
	}
	return in
}

// same says whether the file is as it was.
func (in *input) same(dir string) bool {
	path := in.path
	if !filepath.IsAbs(path) {
		path = dir + string(filepath.Separator) + filepath.FromSlash(path)
	}
	if in.kind == inputPresence {
		fi, err := os.Lstat(path)
		folder := in.state.mod != 0
		return in.state == presence(err == nil && (!folder || fi.IsDir()), folder)
	}
	st, err := disk.At(path)
	if err != nil {
		return in.state.mod == 0
	}
	now := stateOf(&st)
	if in.kind == inputFolder {
		now.size = 0 // says nothing
	}
	return now == in.state && (!in.fresh || in.sum != "" && in.sum == in.held(path))
}

// held is the sum of what lies there now.
func (in *input) held(path string) string {
	switch in.kind {
	case inputFolder:
		f := newFolder(nil, disk.NewRoot(path), "", new([]input))
		f.list()
		return namesSum(f)
	case inputIndex:
		data, _, done, err := disk.Map(path, true)
		if err != nil {
			return ""
		}
		defer done()
		return indexSum(data)
	}
	data, _, err := disk.ReadHead(path, limitOf(in.path))
	if err != nil {
		return ""
	}
	return textSum(data)
}

// indexSum is the hash that Git writes behind an index. With index.skipHash it
// is all zeros, and tells nothing.
func indexSum(data []byte) string {
	const size = 20
	if len(data) < size {
		return ""
	}
	if end := string(data[len(data)-size:]); strings.Trim(end, "\x00") != "" {
		return end
	}
	return ""
}

// textSum and namesSum stand for what a file or folder held in the two seconds
// after a change, when its times cannot tell another change.
func textSum(data []byte) string { return strconv.FormatUint(sum(string(data)), 36) }

func namesSum(f *folder) string {
	var all []byte
	for _, e := range f.ordered() {
		all = append(append(all, e.name...), 0, byte(e.mode>>24))
	}
	return textSum(all)
}

// sum is FNV-1a. Nobody gains by a collision: it says that one's own file has not
// changed.
func sum(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
