package recipe

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// Source says how a program that is a source of its own names its tasks: aliases in mix.exs, tasks in build.gradle. What belongs to a task is
// told by how far to the right it stands; what stands elsewhere runs whatever is asked for.
type Source struct {
	Heads  []string // what begins a task, {} for its name, which may be in quotes: "register({}"
	Mark   string   // what stands in front of a command line
	Before string   // what other texts of a task have to get in front of them to be one: "mix"; "" where most texts are none
	Always []string // patterns of tasks that others run without naming them
	Named  bool     // a task runs as well where another one, or what stands outside of tasks, names it
	Calls  []string // functions with the command line whose further words are what a task gives them: "delete rm -rf --"
}

// Read finds the tasks of such a source.
func (f *Source) Read(s string) *Book {
	r := &sourceReader{Source: f, calls: map[string]string{}, words: map[string][]string{}, steps: map[string][]Step{}}
	for at, l := range strings.Split(s, "\n") {
		if body := strings.TrimLeft(l, " \t"); body != "" && !strings.HasPrefix(body, "#") && !strings.HasPrefix(body, "//") {
			r.row(l, len(l)-len(body), at+1)
		}
	}
	b, always := &Book{Tasks: r.tasks}, []string(nil)
	for i := range b.Tasks {
		t := &b.Tasks[i]
		if t.Steps = r.steps[t.Name]; f.Named {
			t.Needs = r.needs(t.Name)
		}
		for _, pattern := range f.Always {
			if is, _ := path.Match(pattern, t.Name); is {
				always = append(always, t.Name)
			}
		}
	}
	if f.Named {
		always = append(always, r.needs("")...)
	}
	b.Always = append(r.steps[""], b.Run(always)...)
	return b
}

// sourceReader is what is known of a source so far, by the names of tasks; "" is what stands outside of them.
type sourceReader struct {
	*Source
	tasks []Task
	open  []block           // tasks in which the row may stand, the innermost last
	calls map[string]string // names, and variables that hold a task, to the task
	words map[string][]string
	steps map[string][]Step
}

type block struct {
	indent int
	task   string
}

// row reads one that is neither empty nor a comment.
func (r *sourceReader) row(l string, indent, line int) {
	for len(r.open) > 0 && r.open[len(r.open)-1].indent >= indent {
		r.open = r.open[:len(r.open)-1]
	}
	owner := ""
	if len(r.open) > 0 {
		owner = r.open[len(r.open)-1].task
	}
	heads := r.heads(l)
	whose := func(col int) string {
		task := owner
		for _, h := range heads {
			if h.at <= col {
				task = h.name
			}
		}
		return task
	}
	list := quotedIn(l)
	for i := 0; i < len(list); i++ {
		q := list[i]
		task := whose(q.at)
		if command, n := r.called(l, list[i:]); n > 0 && task != "" && len(r.steps[task]) < maxSteps {
			if i += n - 1; command != "" {
				r.steps[task] = append(r.steps[task], Step{Parts: text(command), Line: line})
			}
			continue
		}
		if len(r.steps[task]) < maxSteps && !slices.ContainsFunc(heads, func(h head) bool { return h.name == q.text }) {
			if one := r.step(q.text, line, task != ""); one != nil {
				r.steps[task] = append(r.steps[task], *one)
			}
		}
	}
	first := len(l)
	for _, h := range heads {
		if first = min(first, h.at); r.calls[h.name] != h.name && len(r.tasks) < maxTasks {
			r.calls[h.name] = h.name
			r.tasks = append(r.tasks, Task{Name: h.name})
		}
		if left, _, is := strings.Cut(l[:h.at], "="); is { // def x = tasks.register("deploy")
			if list := names(left); len(list) > 0 {
				r.calls[list[len(list)-1]], first = h.name, 0
			}
		}
		if strings.Contains(l[:h.at], "(") { // it is given to something at once
			r.words[owner] = append(r.words[owner], h.name)
		}
		r.open = append(r.open, block{indent, h.name})
	}
	r.words[owner] = append(r.words[owner], names(l[:first])...)
	last := whose(len(l))
	r.words[last] = append(r.words[last], names(l[first:])...)
}

// needs are the tasks that one names.
func (r *sourceReader) needs(of string) (list []string) {
	for _, w := range r.words[of] {
		if task := r.calls[w]; task != "" && task != of {
			list = append(list, task)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// step is the command line that a text stands for; nil where it is none.
func (f *Source) step(s string, line int, inTask bool) *Step {
	after, marked := strings.CutPrefix(s, f.Mark)
	switch {
	case after == "":
		return nil
	case f.Before != "" && inTask && !marked:
		after = f.Before + " " + s
	}
	return &Step{Parts: text(after), Line: line}
}

// head is the beginning of a task.
type head struct {
	name string
	at   int
}

func (f *Source) heads(l string) (list []head) {
	plain := untyped(l)
	for _, pattern := range f.Heads {
		before, after, _ := strings.Cut(pattern, "{}") // one of them is empty
		for from := 0; ; {
			mark := before
			if mark == "" {
				mark = after
			}
			i := strings.Index(plain[from:], mark)
			if i < 0 {
				break
			}
			i += from
			from = i + len(mark)
			one := head{at: i}
			if before == "" {
				one.name = lastName(plain[:i])
				one.at = strings.LastIndex(plain[:i], one.name)
			} else if i == 0 || !isName(rune(plain[i-1])) || plain[i-1] == '.' {
				one.name = firstName(plain[from:])
			}
			if one.name != "" {
				list = append(list, one)
			}
		}
	}
	slices.SortFunc(list, func(a, b head) int { return a.at - b.at })
	return list
}

// untyped is a line without what stands between < and > behind a name, the innermost first: register<Exec>("x"). Its length stays.
func untyped(l string) string {
	const most = 4 << 10 // bytes of a line that people write
	for at := len(l); len(l) <= most; {
		if at = strings.LastIndexByte(l[:at], '<'); at < 0 {
			break
		}
		if end := at + strings.IndexByte(l[at:]+">", '>'); end < len(l) && !strings.ContainsFunc(l[at+1:end], func(r rune) bool { return !isName(r) }) {
			l = l[:at] + l[end+1:] + strings.Repeat(" ", end+1-at)
		}
	}
	return l
}

func isName(r rune) bool {
	return r == '_' || r == '-' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// Abbreviates reports that a word may stand for the name of a task, as Gradle reads it: dA is deployAll.
func Abbreviates(word, name string) bool {
	for word != "" {
		end := 1 + strings.IndexFunc(word[1:]+"A", unicode.IsUpper)
		if !strings.HasPrefix(name, word[:end]) {
			return false
		}
		word, name = word[end:], name[end:]
		name = name[strings.IndexFunc(name+"A", unicode.IsUpper):]
	}
	return true
}

// firstName is the name with which a text begins, in quotes or not.
func firstName(s string) string {
	s = strings.TrimLeft(s, " \"'")
	end := strings.IndexFunc(s+" ", func(r rune) bool { return !isName(r) })
	return s[:end]
}

// lastName is the one with which it ends.
func lastName(s string) string {
	s = strings.TrimRight(s, "\"'")
	return s[strings.LastIndexFunc(s, func(r rune) bool { return !isName(r) })+1:]
}

// names are the words of a line that may name a task.
func names(s string) []string {
	list := strings.FieldsFunc(s, func(r rune) bool { return !isName(r) })
	for _, w := range list {
		if _, after, dotted := strings.Cut(w, "."); dotted { // tasks.deploy
			list = append(list, after)
		}
	}
	return list
}
