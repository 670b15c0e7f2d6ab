package recipe

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Just reads a justfile in a folder: what begins a line and ends, behind its parameters, with a colon, has the lines that are indented below it. include
// reads one that another imports, or has as a module; know tells the value of a call, or of a command in backquotes, in one of the files.
func Just(s, base string, words *rule.Justfile, include func(name string) (text string, ok bool), know func(term, file string) (string, bool)) *Book {
	j := &just{Book: &Book{}, base: base, words: words, include: include, know: know, vars: map[string][]Part{}}
	j.read(s, "", 0)
	j.loads()
	for i := range j.Tasks {
		for k := range j.Tasks[i].Steps {
			j.Tasks[i].Steps[k].Env = j.env
		}
	}
	return j.Book
}

type just struct {
	*Book
	base    string // the folder of the file that was read first
	words   *rule.Justfile
	include func(name string) (text string, ok bool)
	know    func(term, file string) (string, bool)
	vars    map[string][]Part
	env     []Var
	named   []Var    // what is exported only where a setting says so
	all     bool     // it does
	dotenv  []string // files of variables
	files   int
	within  string // what the names of a module begin with
	dir     string // the folder of a module
}

// maxImports bounds the files that one reads.
const maxImports = 32

// read goes through a justfile, or one that another imports.
func (j *just) read(s, file string, deep int) {
	value := func(expr string) ([]Part, bool) { return j.value(expr, file) }
	now := -1
	lines := strings.Split(s, "\n")
	for i := 0; i < len(lines) && len(j.Tasks) < maxTasks; i++ {
		l, at := strings.TrimSuffix(lines[i], "\r"), i+1
		for strings.HasSuffix(l, `\`) && i+1 < len(lines) {
			i++
			l = strings.TrimSuffix(l, `\`) + " " + strings.TrimSpace(lines[i])
		}
		body := strings.TrimSpace(l)
		switch {
		case body == "" || l[0] == '#':
		case l[0] != ' ' && l[0] != '\t':
			now = j.line(body, file, at, deep)
		case now < 0:
		case len(j.Tasks[now].Steps) == 0 && strings.HasPrefix(body, "#!"):
			end := i + 1
			for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || lines[end][0] == ' ' || lines[end][0] == '\t') {
				end++
			}
			j.add(now, Step{Parts: filled(undented(lines[i:end]), "{{", "}}", value), File: file, Line: at, Whole: true, Rows: true})
			i = end - 1
		default:
			if body = strings.TrimLeft(body, "@- "); body != "" && body[0] != '#' {
				parts := spoken(filled(body, "{{", "}}", value))
				j.ticks(now, body, shown(parts), file, at)
				j.add(now, Step{Parts: parts, File: file, Line: at})
			}
		}
	}
}

// add puts a step behind those of a task, or among those that always run.
func (j *just) add(to int, s Step) {
	list := &j.Always
	if to >= 0 {
		list = &j.Tasks[to].Steps
	}
	if j.dir != "" {
		s.Dir = []string{j.dir}
	}
	if len(*list) < maxSteps {
		*list = append(*list, s)
	}
}

// ticks adds what just has a shell run for what stands between the braces of a line, `…` and shell('…'), unless the line as it is followed has it.
func (j *just) ticks(to int, s, line, file string, at int) {
	for {
		_, rest, ok := strings.Cut(s, "{{")
		if !ok {
			return
		}
		inner, after, _ := strings.Cut(rest, "}}")
		j.runs(to, inner, line, file, at)
		s = after
	}
}

// runs adds the commands within one expression, but for those that a line has.
func (j *just) runs(to int, s, line, file string, at int) {
	for _, mark := range shellMarks {
		for rest := s; ; {
			_, behind, ok := strings.Cut(rest, mark)
			body, after, closed := strings.Cut(behind, mark[len(mark)-1:])
			if !ok || !closed {
				break
			}
			if !strings.Contains(line, "$("+body+")") {
				j.add(to, Step{Parts: text(body), File: file, Line: at})
			}
			rest = after
		}
	}
}

// line reads a line that is not indented: a variable, another file, or the head of a recipe, whose place it returns; -1 for all else.
func (j *just) line(s, file string, at, deep int) int {
	word, more, _ := strings.Cut(s, " ")
	switch {
	case j.words.Settings.Has(word):
		j.set(more, file)
		return -1
	case s[0] == '[' || j.words.Ignored.Has(word):
		return -1
	case j.words.Imports.Has(word):
		j.imports(more, file, deep)
		return -1
	case j.words.Modules.Has(word) && !strings.Contains(s, ":"):
		j.module(more, file, deep)
		return -1
	}
	head, rest, ok := strings.Cut(s, ":")
	word, more, _ = strings.Cut(strings.TrimSpace(head), " ")
	switch {
	case !ok:
		return -1
	case strings.HasPrefix(rest, "="):
		v := strings.TrimSpace(rest[1:])
		name := word
		switch {
		case word == "alias":
			j.Tasks = append(j.Tasks, Task{Name: j.within + strings.TrimSpace(more), Needs: []string{j.within + v}})
			return -1
		case j.words.Modifiers.Has(word):
			name = strings.TrimSpace(more)
		}
		if n := len(v); n < 2 || v[0] != '\'' && v[0] != '"' || strings.IndexByte(v[1:], v[0]) != n-2 {
			j.runs(-1, v, "", file, at)
		}
		if known, ok := j.value(v, file); ok {
			if j.vars[name] = known; len(j.env) < maxExports {
				list := &j.named
				if name != word {
					list = &j.env
				}
				*list = append(*list, Var{Name: name, Parts: known})
			}
		}
		return -1
	}
	t := Task{Name: j.within + strings.TrimPrefix(word, "@")}
	if j.First == "" {
		j.First = t.Name
	}
	for _, need := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t()&", r) }) {
		t.Needs = append(t.Needs, j.within+need)
	}
	j.Tasks = append(j.Tasks, t)
	j.runs(len(j.Tasks)-1, more, "", file, at)
	return len(j.Tasks) - 1
}

// imports reads another file as if it stood here.
func (j *just) imports(s, file string, deep int) {
	if name := beside(j.base, file, unquoted(s)); j.include != nil && deep < 4 && j.files < maxImports {
		j.files++
		if text, ok := j.include(name); ok {
			j.read(text, name, deep+1)
		}
	}
}

// module reads another file whose names have the module's in front of them, and which runs in its own folder.
func (j *just) module(s, file string, deep int) {
	name, at, given := strings.Cut(strings.TrimSpace(s), " ")
	files := []string{name + ".just", name + "/mod.just", name + "/justfile", name + "/.justfile"}
	if at = unquoted(at); given && at != "" {
		files = []string{at, at + "/mod.just", at + "/justfile", at + "/.justfile"}
	}
	for _, one := range files {
		one = beside(j.base, file, one)
		if j.include == nil || deep >= 4 || j.files >= maxImports {
			return
		}
		j.files++
		text, ok := j.include(one)
		if !ok {
			continue
		}
		inner := just{Book: &Book{}, base: j.base, words: j.words, include: j.include, know: j.know, vars: map[string][]Part{}, files: j.files, within: j.within + name + "::", dir: path.Dir(one)}
		inner.read(text, one, deep+1)
		j.files = inner.files
		j.Tasks = append(j.Tasks, inner.Tasks[:min(len(inner.Tasks), maxTasks-len(j.Tasks))]...)
		j.Tasks = append(j.Tasks, Task{Name: j.within + name, Needs: []string{inner.First}, Steps: inner.Always})
		return
	}
}

// beside is a file that another names, which is "" for the first one, whose folder is known.
func beside(base, file, name string) string {
	switch {
	case path.IsAbs(name):
		return name
	case file == "":
		return path.Join(base, name)
	}
	return path.Join(path.Dir(file), name)
}

// unquoted is a name in quotes.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '\'' && s[0] != '"' {
		return s
	}
	s, _, _ = strings.Cut(s[1:], s[:1])
	return s
}

// undented joins lines without the blanks that the first of them begins with.
func undented(lines []string) string {
	by := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " \t"))]
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimPrefix(strings.TrimSuffix(l, "\r"), by) + "\n")
	}
	return b.String()
}
