package recipe

import (
	"cmp"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A makefile is read as make does it, as far as that needs nothing to run: lines that go on, both sides of a condition, variables by
// their values, functions, rules with what they need. What the shell returns is known for few lines, and what a file of the machine says is not.

// Env is what a makefile gets from the call that reads it. Each function may be nil.
type Env struct {
	Given     func(name string) ([]Part, bool) // on the command line, which counts more than the file
	Names     []string                         // of those
	Inherited func(name string) ([]Part, bool) // from the environment, which counts less
	Builtin   []string                         // NAME=value that make knows by itself
	Words     *rule.Makefile
	Include   func(name string) (text string, ok bool)
	Fitting   func(pattern string) []string    // the files that a pattern stands for
	Shell     func(program string) bool        // it reads lines as every shell does
	Prints    func(line string) (string, bool) // what a command line prints
	Absolute  func(name string) (string, bool) // the whole path of a file
	File      string                           // its name
	Before    []string                         // what make reads in front of it
	Dry       bool                             // recipes are printed, but for what runs all the same
}

// variable is a name of a makefile.
type variable struct {
	raw     string
	parts   []Part // of one that was expanded where it was set
	done    bool
	unknown bool
	perhaps bool // set on a condition
	file    string
	at      int
}

// line is a line of a recipe.
type line struct {
	text, file string
	at         int
}

// targets is one rule.
type targets struct {
	names, needs []string
	lines        []line
	blank        bool // a recipe that does nothing: "%: common-% ;"
}

// setting is a value that a variable has for some targets.
type setting struct {
	name, op, value string
	export          bool
}

type maker struct {
	env      Env
	goals    []string
	vars     map[string]*variable
	rules    []*targets
	byTo     map[string][]*targets
	own      map[string][]setting // by target
	first    string
	steps    []Step
	later    []Step // calls of make
	open     bool   // a part was not read: a name that is not set here may be set there
	file     string
	at       int
	conds    int
	spent    int
	deep     int
	prefix   byte            // what a line of a recipe begins with
	exported map[string]bool // false where it is taken back
	all      bool            // whatever is set is exported
	vary     bool            // the variables of the environment may have changed
	passed   []Var
	made     []string        // makefiles that make would make first
	files    []string        // makefiles that were read, in the order in which they were
	forked   bool            // a condition could not be told
	other    bool            // then it does not hold
	started  map[string]bool // programs of rules that make has by itself
}

// OnLine is the file of what stands in Before.
const OnLine = "\x00"

// Bounds of what is read for one file.
const (
	maxSpent    = 512 << 10 // bytes that are put in the place of names
	maxIncludes = 32        // files that one line includes
	maxExports  = 64
	maxLine     = 64 << 10 // bytes of a command line
)

// Make lists what make runs for some goals of a makefile; without any it is the first one's.
func Make(text string, goals []string, env Env) []Step {
	m := &maker{
		env: env, goals: goals, vars: map[string]*variable{}, byTo: map[string][]*targets{}, own: map[string][]setting{}, prefix: '\t',
		exported: map[string]bool{}, started: map[string]bool{}, vary: true,
	}
	for _, name := range env.Names {
		m.exported[name] = true
	}
	for _, before := range env.Before {
		m.read(before, OnLine, 1, 0)
	}
	m.read(text, "", 0, 0)
	m.goal()
	return append(m.steps, m.later...)
}

// read goes through a makefile, one that another includes, or a text that is made where one line stands.
func (m *maker) read(text, file string, at, deep int) {
	lines := strings.Split(text, "\n")
	line := func(i int) int {
		if at > 0 {
			return at
		}
		return i + 1
	}
	if at == 0 {
		m.files = append(m.files, cmp.Or(file, m.env.File))
	}
	var now *targets
	for i := 0; i < len(lines); i++ {
		s, from := strings.TrimSuffix(lines[i], "\r"), line(i)
		for continued(s) && i+1 < len(lines) {
			i++
			s += "\n" + strings.TrimSuffix(lines[i], "\r")
		}
		if s != "" && s[0] == m.prefix && now != nil {
			now.add(s[1:], m.prefix, file, from)
			continue
		}
		m.file, m.at = file, from
		s = strings.TrimSpace(strings.ReplaceAll(uncommented(strings.ReplaceAll(s, "\\\n", " ")), `\#`, "#"))
		word, rest, _ := strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
		switch words := m.env.Words; {
		case word == "":
		case words.Ignored.Has(word):
			m.expand(rest, nil) // else ifeq ($(shell …),)
		case words.Conditions.Has(word):
			m.conds++
			m.expand(rest, nil)
		case word == "endif":
			m.conds = max(0, m.conds-1)
		case words.Includes.Has(word):
			m.include(rest, deep)
			now = nil
		default:
			if name, export, ok := m.defines(strings.ReplaceAll(s, "\t", " ")); ok {
				body := defined(lines[i+1:])
				m.define(name, strings.Join(body, "\n"), export)
				i += len(body) + 1
				continue
			}
			now = m.statement(s)
		}
	}
}

// continued reports a line that goes on in the next one.
func continued(s string) bool {
	return strings.HasSuffix(s, `\`) && (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1
}

// add notes a line of a recipe.
func (t *targets) add(s string, prefix byte, file string, at int) {
	body := strings.TrimSpace(strings.ReplaceAll(s, "\\\n"+string(prefix), "\\\n"))
	if body != "" && body[0] != '#' {
		t.lines = append(t.lines, line{body, file, at})
	}
}

// defines reports the head of a variable of several lines.
func (m *maker) defines(s string) (head string, export, ok bool) {
	for word, rest := "", s; ; {
		if word, rest, _ = strings.Cut(rest, " "); word == "define" {
			return strings.TrimSpace(rest), export, true
		}
		if !m.env.Words.Modifiers.Has(word) {
			return "", false, false
		}
		export = export || m.env.Words.Exports.Has(word)
		rest = strings.TrimSpace(rest)
	}
}

// defined are the lines up to the end of such a variable.
func defined(lines []string) []string {
	within := 0
	for i, l := range lines {
		word, _, _ := strings.Cut(strings.TrimSpace(l), " ")
		switch word {
		case "define":
			within++
		case "endef":
			if within--; within < 0 {
				return lines[:i]
			}
		}
	}
	return lines
}

// define sets a variable of several lines.
func (m *maker) define(head, value string, export bool) {
	name, op, _, is := assignment(head)
	if !is {
		name, op = head, "="
	}
	m.set(name, op, value)
	if export {
		m.export(name)
	}
}

// uncommented cuts a comment off.
func uncommented(s string) string {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '#':
			return s[:i]
		}
	}
	return s
}

// include reads other makefiles. What cannot be read may set any name.
func (m *maker) include(list string, deep int) {
	names, all := m.words(list)
	m.open = m.open || !all
	file, at := m.file, m.at
	for _, pattern := range names[:min(len(names), maxIncludes)] {
		files := []string{pattern}
		if strings.ContainsAny(pattern, "*?[") {
			if files = nil; m.env.Fitting != nil {
				files = m.env.Fitting(pattern)
			}
		}
		for _, name := range files[:min(len(files), maxIncludes)] {
			text, ok := "", false
			if m.env.Include != nil && deep < 4 {
				text, ok = m.env.Include(name)
			}
			if m.open = m.open || !ok; ok {
				m.read(text, name, 0, deep+1)
			}
			m.made = append(m.made, name)
		}
		m.open = m.open || len(files) == 0 || len(files) > maxIncludes
	}
	m.open = m.open || len(names) > maxIncludes
	m.file, m.at = file, at
}

// words are the names in a list; all is false where some come out only when make runs.
func (m *maker) words(s string) (list []string, all bool) {
	if !strings.Contains(s, "$") {
		return strings.Fields(s), true
	}
	var b strings.Builder
	all = true
	for _, p := range m.expand(s, nil) {
		if p.Unknown {
			b.WriteByte(0)
			all = false
		} else {
			b.WriteString(p.Text)
		}
	}
	for word := range strings.FieldsSeq(b.String()) {
		if strings.IndexByte(word, 0) < 0 {
			list = append(list, word)
		}
	}
	return list, all
}

// has reports a target that says something about all others: .ONESHELL.
func (m *maker) has(name string) bool { return len(m.byTo[name]) > 0 }

// runs reports a rule that has a recipe.
func (t *targets) runs() bool { return len(t.lines) > 0 }

// anyRuns reports one of some rules that has a recipe.
func anyRuns(rules []*targets) bool { return slices.ContainsFunc(rules, (*targets).runs) }
