package lang

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/disk"
)

const (
	// maxListing bounds how many names of one folder are read.
	maxListing = 20_000
	// maxManifest bounds a manifest; maxLock a lock file that is searched for one line.
	maxManifest = 2 << 20
	maxLock     = 8 << 20
)

// folder is a project's root as its rules see it: the names in it, and files
// read at most once.
type folder struct {
	t        *Table
	at       string // relative to the reader's root, "" or "a/b"
	read     reader
	listed   bool
	sorted   bool
	entries  []item // by name once they are sorted, see ordered
	files    map[string][]byte
	there    map[string]bool    // whether something has a path of several parts: rules of several tools and languages ask for the same
	known    map[string]version // by language; projects below ask for it again and again
	managers map[managing]manager
	tested   map[*Tool]testsRun
	subs     map[string]*folder // of those in it, what patterns have asked for
	seen     *[]input           // files and folders that the answer depends on
	above    *folder            // the project that this one lies in, nil for none
	depth    int                // how many folders below the one that was asked about it lies; negative: above
}

// item is a name in a folder, with its type bits.
type item struct {
	name string
	mode fs.FileMode
}

// newFolder reads nothing yet. seen grows by every file and folder that is asked
// for, there or not: a file that appears later must make a kept answer old.
func newFolder(t *Table, r reader, at string, seen *[]input) *folder {
	depth := 0
	if at != "" {
		depth = strings.Count(at, "/") + 1
	}
	return &folder{t: t, at: at, read: r, files: map[string][]byte{}, there: map[string]bool{}, seen: seen, depth: depth}
}

func (f *folder) path(name string) string { return path.Join(f.at, name) }

// input is how a kept answer calls a file or folder.
func (f *folder) input(path string) string {
	if f.depth < 0 {
		return filepath.Join(f.read.Dir(), filepath.FromSlash(path))
	}
	return path
}

// up is the way from a folder to one above it: "../../".
func (f *folder) up(to *folder) string { return strings.Repeat("../", f.depth-to.depth) }

// list reads the folder's names; a folder that cannot be read has none.
func (f *folder) list() {
	if f.listed {
		return
	}
	f.listed = true
	state := f.look()
	*f.seen = append(*f.seen, newInput(f.input(f.at), inputFolder, state, func() string { return namesSum(f) }))
}

// ordered are the names in order. Who looks for an ending alone need not wait for that: a folder may have thousands.
func (f *folder) ordered() []item {
	f.list()
	if !f.sorted {
		f.sorted = true
		slices.SortFunc(f.entries, byName)
	}
	return f.entries
}

func byName(a, b item) int { return strings.Compare(a.name, b.name) }

// look reads the folder's names, and its state.
func (f *folder) look() (state fileState) {
	switch read := f.read.(type) {
	case *tree:
		read.list(f.at, func(name string, mode fs.FileMode) bool {
			f.entries = append(f.entries, item{name, mode})
			return len(f.entries) < maxListing
		})
	case *disk.Root:
		length := 0
		st, ok := read.List(f.at, func(name string, kind disk.Kind) bool {
			length += len(name)
			f.entries = append(f.entries, item{name, modes[kind]})
			return len(f.entries) < maxListing
		})
		if ok {
			state = stateOf(&st)
			state.size = 0 // says nothing
		}
		f.ownNames(length)
	}
	return state
}

// ownNames copies the names, so many bytes in all, out of the memory that the next listing takes.
func (f *folder) ownNames(length int) {
	var all strings.Builder
	all.Grow(length)
	for i := range f.entries {
		at := all.Len()
		all.WriteString(f.entries[i].name)
		f.entries[i].name = all.String()[at:]
	}
}

// item is the type of what has a name in the folder; not ok where nothing has.
func (f *folder) item(name string) (mode fs.FileMode, ok bool) {
	entries := f.ordered()
	i, ok := slices.BinarySearchFunc(entries, name, func(e item, name string) int { return strings.Compare(e.name, name) })
	if !ok {
		return 0, false
	}
	return entries[i].mode, true
}

// modes are the type bits of what a listing says.
var modes = [...]fs.FileMode{disk.KindUnknown: fs.ModeIrregular, disk.KindDir: fs.ModeDir, disk.KindFile: 0, disk.KindLink: fs.ModeSymlink, disk.KindOther: fs.ModeIrregular}

// note remembers a file that the answer rests on.
func (f *folder) note(name string, s fileState, data []byte) {
	*f.seen = append(*f.seen, newInput(f.input(f.path(name)), inputFile, s, func() string { return textSum(data) }))
}

// limitOf is how much of a file is read. Lock files may be long.
func limitOf(name string) int64 {
	if strings.Contains(name, "lock") {
		return maxLock
	}
	return maxManifest
}

// data is the content of a file, nil when there is none, cut at limitOf.
func (f *folder) data(name string) []byte {
	if data, ok := f.files[name]; ok {
		return data
	}
	f.files[name] = nil
	if !f.within(name) {
		return nil
	}
	data, st, err := f.read.File(f.path(name), limitOf(name))
	if err != nil {
		f.note(name, fileState{}, nil)
		return nil
	}
	f.note(name, stateOf(&st), data)
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	f.files[name] = data
	return data
}

// within says whether the first part of a path is there, which the listing knows:
// nearly nothing that rules ask for is.
func (f *folder) within(name string) bool {
	top, _, deep := strings.Cut(name, "/")
	mode, ok := f.item(top)
	return ok && (!deep || mode.IsDir() || mode&fs.ModeSymlink != 0)
}

// exists says whether there is an entry of that name; one that ends in a slash
// must be a folder.
func (f *folder) exists(name string) bool {
	asked := name
	name, wantDir := strings.CutSuffix(name, "/")
	if !strings.Contains(name, "/") {
		mode, ok := f.item(name)
		return ok && (!wantDir || mode.IsDir())
	}
	if !f.within(name) {
		return false
	}
	if t, ok := f.read.(*tree); ok {
		e, is := t.find(f.path(name), false)
		return is && (!wantDir || modeOf(e.Mode).IsDir())
	}
	if is, known := f.there[asked]; known {
		return is
	}
	at := filepath.Join(f.read.Dir(), filepath.FromSlash(f.path(name)))
	is := disk.There(at)
	if is && wantDir {
		fi, err := os.Lstat(at)
		is = err == nil && fi.IsDir()
	}
	*f.seen = append(*f.seen, input{path: f.input(f.path(name)), kind: inputPresence, state: presence(is, wantDir)})
	f.there[asked] = is
	return is
}

// glob lists what matches a pattern, at most a handful: "*.csproj", "src/*/*.csproj".
func (f *folder) glob(pattern string) []string { return f.some(pattern, maxGlob) }

// some lists what matches a name or pattern, no more than a number of them.
func (f *folder) some(pattern string, most int) []string {
	dir := strings.HasSuffix(pattern, "/")
	head, rest, deep := strings.Cut(strings.TrimSuffix(pattern, "/"), "/")
	f.list()
	var out []string
	for _, e := range f.matching(head) {
		switch {
		case deep && (!e.mode.IsDir() || e.name == ".git"):
			continue
		case deep && f.subs[e.name] == nil && !isPattern(rest) && !strings.Contains(rest, "/"):
			f.sub(e.name)
			if f.exists(e.name + "/" + rest) { // asked once, this costs less than to list the folder; a second pattern about it lists it
				out = append(out, e.name+"/"+rest)
			}
		case deep:
			for _, s := range f.sub(e.name).some(rest, most) {
				out = append(out, e.name+"/"+s)
			}
		case !dir || e.mode.IsDir():
			out = append(out, e.name)
		}
		if len(out) >= most {
			return out[:most]
		}
	}
	return out
}

// sub is a folder in this one, whose names are read once.
func (f *folder) sub(name string) *folder {
	sub := f.subs[name]
	if sub == nil {
		sub = newFolder(f.t, f.read, f.path(name), f.seen)
		sub.depth = f.depth
		if f.subs == nil {
			f.subs = map[string]*folder{}
		}
		f.subs[name] = sub
	}
	return sub
}

// maxGlob is how many files one condition or version source looks into.
const maxGlob = 8

// matching is for one step of a pattern. Nearly all are "*.ext", which needs no
// matcher.
func (f *folder) matching(pattern string) []item {
	if !isPattern(pattern) {
		if mode, ok := f.item(pattern); ok {
			return []item{{pattern, mode}}
		}
		return nil
	}
	var out []item
	end, plain := strings.CutPrefix(pattern, "*")
	plain = plain && !isPattern(end)
	for _, e := range f.entries {
		if plain {
			if strings.HasSuffix(e.name, end) {
				out = append(out, e)
			}
		} else if ok, _ := doublestar.Match(pattern, e.name); ok {
			out = append(out, e)
		}
	}
	if !f.sorted {
		slices.SortFunc(out, byName)
	}
	return out
}

// isPattern tells a pattern from a name.
func isPattern(text string) bool { return strings.ContainsAny(text, "*?[{") }

// find resolves a file name or pattern of a rule to existing names.
func (f *folder) find(pattern string) []string {
	if isPattern(pattern) {
		return f.glob(pattern)
	}
	if f.exists(pattern) {
		return []string{pattern}
	}
	return nil
}

// holds judges one condition and says in words why it holds:
//
//	"go.mod"                      there is such a file (patterns are fine)
//	"tests/"                      there is such a folder
//	"pyproject.toml: [tool.ruff"  a file holds a text
//	"package.json#scripts.test"   a file of JSON, TOML or INI has a field
//	"package.json#type=mod"       a field that begins so
//	"go.mod uses github.com/x/y"  a manifest has a dependency, see uses
func (f *folder) holds(condition string) (because string, ok bool) {
	if file, text, isText := strings.Cut(condition, ": "); isText {
		for _, name := range f.find(file) {
			if data := f.data(name); holdsText(data, text) {
				return name + " names " + closed(strings.TrimRight(strings.Join(strings.Fields(heading(data, strings.TrimSpace(text))), " "), " (=")), true // in one line
			}
		}
		return "", false
	}
	if file, name, isUse := strings.Cut(condition, " uses "); isUse {
		for _, at := range f.find(file) {
			if f.t.uses(at, f.data(at), name) {
				return at + " uses " + name, true
			}
		}
		return "", false
	}
	if file, field, isField := strings.Cut(condition, "#"); isField {
		if !isPattern(file) {
			return f.hasField(file, field)
		}
		for _, at := range f.find(file) {
			if because, ok := f.hasField(at, field); ok {
				return because, true
			}
		}
		return "", false
	}
	found := condition
	if isPattern(condition) {
		found = first(f.some(condition, 1))
	}
	return found, found != "" && f.exists(found)
}

// closed is a text without a quote at either end that has no other one in it: conditions end where a value begins.
func closed(text string) string {
	for _, quote := range []string{`"`, "'"} {
		if strings.Count(text, quote)%2 == 1 {
			text = strings.TrimSuffix(strings.TrimPrefix(text, quote), quote)
		}
	}
	return text
}

// hasField judges the field of one file: that it is there, or begins as it is said behind "=".
func (f *folder) hasField(file, field string) (because string, ok bool) {
	data := f.data(file)
	field, start, isValue := strings.Cut(field, "=")
	if !isValue {
		return file + " has " + field, isObject(data) && jsonHas(data, field) || !isObject(data) && tomlField(data, field) != ""
	}
	v := jsonField(data, field)
	if !isObject(data) {
		v = tomlField(data, field)
	}
	shown, _, _ := strings.Cut(v, "+sha") // of what npm's registry has, which is long
	return file + " says " + field + " " + shown, v != "" && strings.HasPrefix(v, start)
}

// isObject tells JSON from TOML and INI, in whose files fields stand in lines.
func isObject(data []byte) bool {
	data = bytes.TrimLeft(data, "\ufeff \t\r\n")
	return len(data) > 0 && (data[0] == '{' || bytes.HasPrefix(data, []byte("//")) || bytes.HasPrefix(data, []byte("/*")))
}

// holdsText finds a text; one that begins with a newline must begin a line, the
// first included.
func holdsText(data []byte, text string) bool {
	if bytes.Contains(data, []byte(text)) {
		return true
	}
	line, ok := strings.CutPrefix(text, "\n")
	return ok && bytes.HasPrefix(data, []byte(line))
}

// heading completes the name of a section that a condition gives the start of, for
// people to read.
func heading(data []byte, text string) string {
	if !strings.HasPrefix(text, "[") || strings.Contains(text, "]") {
		return text
	}
	rest := data[bytes.Index(data, []byte(text)):]
	if end := bytes.IndexByte(rest[:min(len(rest), 80)], ']'); end > 0 {
		return string(rest[:end+1])
	}
	return text
}

// both returns the first of some conditions that holds, where one of with does, too, and none of unless.
func (f *folder) both(conditions, with, unless []string) (because string, ok bool) {
	if because, ok = f.any(conditions); ok {
		_, ok = f.any(with)
	}
	if ok && len(unless) > 0 {
		_, no := f.any(unless)
		ok = !no
	}
	return because, ok
}

// any returns the first condition that holds. No conditions at all hold.
func (f *folder) any(conditions []string) (because string, ok bool) {
	if len(conditions) == 0 {
		return "", true
	}
	for _, c := range conditions {
		if because, ok := f.holds(c); ok {
			return because, true
		}
	}
	return "", false
}
