package shell

import (
	"path"
	"slices"
	"strings"
)

// A file of the project that a line runs is text of the line, as far as it may be read: scripts, recipes, statements, programs. What
// the line itself writes into a file counts more than what is there.
//
// Texts of files are put behind the line, one after another, so that a span of a command leads to its file and its line there.

// Bounds of what is looked into.
const (
	maxLooks  = 8  // files that are run
	maxPassed = 4  // files whose text is handed to something that runs it
	maxLevels = 8  // files that run files: a chain may be as long as there are files
	maxProbes = 64 // names that are tried
)

// Looked is a stretch of Result.Text that is from a file.
type Looked struct {
	Span  Span
	Path  string // absolute
	Line  int    // of the file, where the stretch begins
	Fixed bool   // all of it is from that line: it was put together
}

// looker is what was read of the project.
type looker struct {
	texts  map[string]Word // by path; empty for what is not read
	read   int
	data   int
	packs  int // manifests of packages
	tried  int // files that a pattern of a program finds, and in which a command may be defined, and their bytes
	bytes  int
	list   []Looked
	runs   bool   // the line runs a file that it has not written
	at     []int  // the commands that do, as far as they are of the line itself
	copies bool   // it gives a file another name
	passed bool   // it hands the text of one on
	hooks  string // a folder of Git's hooks, which may lie beside the project
}

// At tells which file a span is from, and from which line; ok is false for what stands on the line itself.
func (r *Result) At(s Span) (at *Looked, line int, ok bool) {
	for i := len(r.Looked) - 1; i >= 0; i-- {
		l := &r.Looked[i]
		if s[0] < l.Span[0] || s[0] > l.Span[1] {
			continue
		}
		if line = l.Line; !l.Fixed {
			line += strings.Count(r.Text[l.Span[0]:min(s[0], l.Span[1])], "\n")
		}
		return l, line, true
	}
	return nil, 0, false
}

// reader is what reads a file that a command runs: textOf or textFound.
type reader = func(file *Word, how string, c *ctx) (text Word, n *ctx, ok bool)

// textOf returns the text of a file that a command runs, and the context to follow it in. how tells uses of one file apart that may
// stand within each other.
func (e *engine) textOf(file *Word, how string, c *ctx) (text Word, n *ctx, ok bool) {
	return e.textBy(file, how, &e.look.read, maxLooks, c)
}

// textFound is textOf for a file that no word names, but a pattern of the program's own: such files are many, and leave those that the line names
// their turn.
func (e *engine) textFound(file *Word, how string, c *ctx) (text Word, n *ctx, ok bool) {
	if e.look.bytes > definingBytes {
		return Word{}, c, false
	}
	before := e.look.tried
	if text, n, ok = e.textBy(file, how, &e.look.tried, maxDefining, c); e.look.tried > before {
		e.look.bytes += len(text.Text)
	}
	return text, n, ok
}

// textBy is textOf with the count of files that it is held to.
func (e *engine) textBy(file *Word, how string, count *int, most int, c *ctx) (text Word, n *ctx, ok bool) {
	if text, ok = c.st.written(file.Text); ok {
		m := *c
		m.script = c.st.path(file.Text)
		return text, &m, true
	}
	if list := e.searched(file, c); len(list) > 0 {
		return e.textsOf(list, how, c)
	}
	p, mine := e.projectFile(file, c)
	if !mine {
		if e.look.copies || isListing(file) { // names that are looked up then
			e.running(c)
		}
		return Word{}, c, false
	}
	e.running(c)
	key := p + "\x00" + how
	if e.opt.Source == nil || c.files.has(key) || c.levels == maxLevels {
		return Word{}, c, false
	}
	if text, ok = e.reads(p, count, most, c); !ok {
		return Word{}, c, false
	}
	m := *c
	m.files, m.levels, m.script = &frame{key, c.files}, c.levels+1, p
	return text, &m, true
}

// textsOf returns the texts of several files one behind another, as they run. What is told of one of them is told of the first.
func (e *engine) textsOf(list []Word, how string, c *ctx) (text Word, n *ctx, ok bool) {
	var texts []string
	for i := range list {
		if one, m, there := e.textOf(&list[i], how, c); there {
			text, n, texts = one, m, append(texts, one.Text)
		}
	}
	if len(texts) > 1 {
		text = e.places([]string{strings.Join(texts, "\n")}, []Looked{{Path: list[0].Text, Line: 1}})[0]
	}
	return text, n, len(texts) > 0
}

// searched are the files that a search by a name stands for, where it begins and a few folders below: sub/{}/*.sh of find.
func (e *engine) searched(w *Word, c *ctx) (list []Word) {
	if w.Kind != Partial || len(w.Parts) < 2 || len(w.Parts) > 3 || !w.Parts[1].Listed || e.opt.Fitting == nil || e.opt.Folders == nil || !e.tick(c) {
		return nil
	}
	written := w.Parts[1].Text
	base := written[strings.LastIndexByte(written, '/')+1:]
	if len(w.Parts) == 3 {
		base = strings.TrimPrefix(w.Parts[2].Text, "/")
	}
	if base == written || strings.Contains(base, "/") {
		return nil
	}
	e.running(c)
	top := path.Clean(c.st.path(w.Parts[0].Text))
	dirs := []string{top}
	for _, deep := range []string{"/*", "/*/*"} {
		more, _ := e.opt.Folders(top + deep)
		dirs = append(dirs, more...)
	}
	for _, dir := range dirs {
		files := []string{path.Join(dir, base)}
		if globbing(base) {
			files = e.opt.Fitting(files[0])
		}
		for _, p := range files {
			if len(list) < maxLooks {
				list = append(list, lit(p, w.Span))
			}
		}
	}
	return list
}

// running notes that the command which comes next runs a file.
func (e *engine) running(c *ctx) {
	e.look.runs = true
	if n := len(e.res.Commands); c.files == nil && len(e.look.at) < maxLooks && (len(e.look.at) == 0 || e.look.at[len(e.look.at)-1] != n) {
		e.look.at = append(e.look.at, n)
	}
}

// dataOf returns the text of a file that a command passes on.
func (e *engine) dataOf(file *Word, c *ctx) (text Word, ok bool) {
	if text, ok = c.st.written(file.Text); ok {
		return text, true
	}
	p, mine := e.projectFile(file, c)
	if !mine {
		return Word{}, false
	}
	if e.look.passed = true; e.opt.Source == nil {
		return Word{}, false
	}
	return e.reads(p, &e.look.data, maxPassed, c)
}

// projectFile is the path of a file in the project that a word names.
func (e *engine) projectFile(file *Word, c *ctx) (p string, ok bool) {
	if e.opt.Root == "" || file.Kind != Literal || file.Text == "" || c.remote || len(file.Text) > 4*longestName {
		return "", false
	}
	p = c.st.named(c.st.path(file.Text))
	if list := e.fitting(file, c); len(list) > 0 {
		p = list[0]
	}
	return p, inFolder(p, e.opt.Root) || e.look.hooks != "" && inFolder(p, e.look.hooks)
}

// inFolder reports a path below a folder.
func inFolder(p, dir string) bool {
	return len(p) > len(dir) && strings.HasPrefix(p, dir) && (p[len(dir)] == '/' || strings.HasSuffix(dir, "/"))
}

// fitting are the files that a pattern stands for, which are looked up where files are read.
func (e *engine) fitting(w *Word, c *ctx) []string {
	if !w.Glob || w.Kind != Literal || e.opt.Fitting == nil || !e.tick(c) {
		return nil
	}
	return e.opt.Fitting(c.st.path(w.Text))
}

// reads returns the text at a path, which is read once.
func (e *engine) reads(p string, count *int, most int, c *ctx) (Word, bool) {
	if w, seen := e.look.texts[p]; seen {
		return w, w.Text != ""
	}
	if e.look.texts == nil {
		e.look.texts = map[string]Word{}
	}
	if *count == most || len(e.look.texts) >= maxProbes+e.look.tried || !e.tick(c) {
		return Word{}, false
	}
	w := Word{}
	if text, ok := e.opt.Source(p); ok && e.spend(len(text)/copyBytes, c) {
		*count++
		text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
		w = e.places([]string{text}, []Looked{{Path: p, Line: 1}})[0]
	}
	e.look.texts[p] = w
	return w, w.Text != ""
}

// places puts texts behind the line and returns them as words.
func (e *engine) places(texts []string, from []Looked) []Word {
	var b strings.Builder
	b.WriteString(e.line)
	list := make([]Word, len(texts))
	for i, text := range texts {
		b.WriteByte('\n')
		at := b.Len()
		b.WriteString(text)
		from[i].Span = Span{at, b.Len()}
		list[i] = lit(text, from[i].Span)
	}
	e.line = b.String()
	e.look.list = append(e.look.list, from...)
	return list
}

// looks settles what the result says of files.
func (e *engine) looks() {
	r := &e.res
	r.Text, r.Looked, r.Runs = e.line, e.look.list, e.look.runs
	r.Running = slices.DeleteFunc(e.look.at, func(i int) bool { return i >= len(r.Commands) })
	for i := 0; i < len(r.Commands) && e.look.passed && len(r.Running) < maxLooks; i++ {
		cmd := &r.Commands[i]
		if cmd.Code != nil && cmd.Code.From == FromStdin && !cmd.Code.Seen || cmd.Stdin != nil && e.escapeOf(cmd.Name) != nil {
			r.Runs, r.Running = true, append(r.Running, i)
		}
	}
}
