// Package recipe reads files that give work names: makefiles, justfiles, scripts of manifests. What a name
// stands for comes out as command lines with the lines of the file in which they stand.
//
// It knows how such files are written, and nothing of shells and programs. Texts are strangers': what it cannot
// make out is absent, and all that it does is bounded.
package recipe

import "strings"

// Part is a stretch of a command line: text, or what only comes out when it runs.
type Part struct {
	Text    string // as it is written, where it is not known
	Unknown bool
	Maybe   bool   // when it runs, nothing of it may be left
	Prints  []Part // of what is not known: the command line whose output it is
}

// Step is one command line.
type Step struct {
	Parts   []Part
	File    string // the file that was included, "" for the one that was read
	Line    int
	Whole   bool     // a program of its own, which says in its first line who reads it
	Rows    bool     // its lines are lines of the file
	Service bool     // it stands for a service that the file describes
	Lang    string   // the language of which it is a program; "" for a command line
	Dir     []string // folders below the one in which the program stands, one after another
	Env     []Var    // what the program puts into its environment; steps with the same have the same list
}

// Var is a variable of the environment.
type Var struct {
	Name  string
	Parts []Part
	Weak  bool // one that is there already stays
}

// Bounds of what comes out of one file.
const (
	maxTasks = 2_000
	maxSteps = 20_000   // no file that is read (64 KiB) has more: what the lines cost bounds them, which says so where it is too much
	maxText  = 16 << 10 // bytes of one command line
)

// Task is what a name stands for.
type Task struct {
	Name    string
	Needs   []string // what runs as well
	Borrows bool     // it has parts of others put into its own
	Steps   []Step
}

// Book is a file that was read.
type Book struct {
	Tasks    []Task
	First    string   // the task that runs without a name
	Listed   []string // the names that the document lists
	Unlisted bool     // some of that list only comes out when it runs
	Always   []Step   // what runs whatever is asked for
}

// Task finds one by its name; nil where there is none.
func (b *Book) Task(name string) *Task {
	for i := range b.Tasks {
		if b.Tasks[i].Name == name {
			return &b.Tasks[i]
		}
	}
	return nil
}

// Run lists what runs for some names, and for what those need.
func (b *Book) Run(names []string) []Step {
	steps := append([]Step(nil), b.Always...)
	seen := map[string]bool{}
	var add func(name string, deep int)
	add = func(name string, deep int) {
		t := b.Task(name)
		if t == nil || seen[name] || deep > 64 {
			return
		}
		seen[name] = true
		for _, need := range t.Needs {
			add(need, deep+1)
		}
		steps = append(steps, t.Steps[:min(len(t.Steps), max(0, maxSteps-len(steps)))]...)
	}
	for _, name := range names {
		add(name, 0)
	}
	return steps
}

// text is a line that is known as it is written.
func text(s string) []Part { return []Part{{Text: s}} }

// filled is a line in which what stands between two marks only comes out when it runs, but for what value knows.
func filled(s, open, end string, value func(name string) ([]Part, bool)) (parts []Part) {
	for {
		before, rest, ok := strings.Cut(s, open)
		inner, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			return append(parts, Part{Text: s})
		}
		parts = append(parts, Part{Text: before})
		if v, known := value(strings.TrimSpace(inner)); known {
			parts = append(parts, v...)
		} else {
			parts = append(parts, Part{Text: open + inner + end, Unknown: true})
		}
		s = after
	}
}

// joined is the text of parts; known is false where one of them is not.
func joined(parts []Part) (s string, known bool) {
	var b strings.Builder
	for i := range parts {
		if parts[i].Unknown {
			return "", false
		}
		b.WriteString(parts[i].Text)
	}
	return b.String(), true
}
