package recipe

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A makefile is read as make does it, as far as that needs nothing to run: lines that go on, both sides of a condition, variables by
// their values, rules with what they need. What a function of make's returns is not known, but for a few.

// Env is what a makefile gets from the call that reads it. Each function may be nil.
type Env struct {
	Given     func(name string) ([]Part, bool) // on the command line, which counts more than the file
	Inherited func(name string) ([]Part, bool) // from the environment, which counts less
	Name      string                           // of the file
	Shell     func(line string) (string, bool) // what a command line prints
	Absolute  func(name string) (string, bool) // the whole path of a file
	Builtin   []string                         // NAME=value that make knows by itself
	Words     *rule.Makefile
	Include   func(name string) (text string, ok bool)
}

// variable is a name of a makefile.
type variable struct {
	raw     string
	parts   []Part // of one that was expanded where it was set
	done    bool
	unknown bool
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
}

type maker struct {
	env   Env
	vars  map[string]*variable
	rules []*targets
	byTo  map[string][]*targets
	first string
	steps []Step
	open  bool   // a part was not read: a name that is not set here may be set there
	files string // those that were read, in the order in which they were
	file  string
	at    int
	conds int
	spent int
	deep  int
}

// maxSpent bounds the bytes that are put in the place of names for one file.
const maxSpent = 128 << 10

// Make lists what make runs for some goals of a makefile; without any it is the first one's.
func Make(text string, goals []string, env Env) []Step {
	m := &maker{env: env, vars: map[string]*variable{}, byTo: map[string][]*targets{}}
	m.read(text, "", 0)
	if len(goals) == 0 {
		if v, ok := joined(m.value(".DEFAULT_GOAL")); ok && strings.TrimSpace(v) != "" {
			m.first = strings.TrimSpace(v)
		}
		goals = []string{m.first}
	}
	seen := map[string]bool{}
	for _, goal := range goals {
		m.run(goal, seen, 0)
	}
	return m.steps
}

// run adds what makes a target, what that needs first.
func (m *maker) run(name string, seen map[string]bool, deep int) {
	if name == "" || seen[name] || deep > 64 || len(m.steps) >= maxSteps || len(seen) >= maxTasks {
		return
	}
	seen[name] = true
	stem := ""
	rules := m.byTo[name]
	if !slices.ContainsFunc(rules, func(r *targets) bool { return len(r.lines) > 0 }) {
		more, of := m.fitting(name, deep == 0)
		rules, stem = append(slices.Clip(rules), more...), of
	}
	for _, r := range rules {
		for _, need := range r.needs {
			m.run(need, seen, deep+1)
		}
	}
	for _, r := range rules {
		for i := range r.lines {
			m.recipe(&r.lines[i], name, stem, r.needs)
		}
	}
}

// fitting finds the rule by a pattern that makes a target, with what the pattern stands for, or what make does for a goal that it has no rule for.
func (m *maker) fitting(name string, goal bool) (rules []*targets, stem string) {
	for _, r := range m.rules {
		for _, to := range r.names {
			before, after, ok := strings.Cut(to, "%")
			if ok && len(name) > len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) && len(r.lines) > 0 {
				return []*targets{r}, name[len(before) : len(name)-len(after)]
			}
		}
	}
	if goal {
		return m.byTo[".DEFAULT"], ""
	}
	return nil, ""
}

// recipe adds one line of a recipe.
func (m *maker) recipe(l *line, target, stem string, needs []string) {
	if len(m.steps) >= maxSteps {
		return
	}
	m.file, m.at = l.file, l.at
	parts := m.expand(l.text, func(name string) ([]Part, bool) { return m.automatic(name, target, stem, needs) })
	if len(parts) > 0 && !parts[0].Unknown {
		parts[0].Text = strings.TrimLeft(parts[0].Text, " \t@-+")
	}
	if s, ok := joined(parts); ok && strings.TrimSpace(s) == "" {
		return
	}
	m.steps = append(m.steps, Step{Parts: parts, File: l.file, Line: l.at, Rows: true})
}

// automatic is what a variable of a rule is.
func (m *maker) automatic(name, target, stem string, needs []string) ([]Part, bool) {
	switch name {
	case "*":
		if stem != "" {
			return text(stem), true
		}
	case "@":
		return text(target), true
	case "<":
		if len(needs) > 0 && !strings.Contains(needs[0], "%") {
			return text(needs[0]), true
		}
	case "@D":
		dir := "."
		if i := strings.LastIndexByte(target, '/'); i >= 0 {
			dir = target[:i]
		}
		return text(dir), true
	case "@F":
		return text(target[strings.LastIndexByte(target, '/')+1:]), true
	}
	if !m.env.Words.Automatic.Has(name) {
		return nil, false
	}
	return []Part{{Text: "$" + name, Unknown: true}}, true
}

// read goes through a makefile, or one that another includes.
func (m *maker) read(text, file string, deep int) {
	if m.files += " " + file; file == "" {
		m.files += m.env.Name
	}
	lines := strings.Split(text, "\n")
	var now *targets
	for i := 0; i < len(lines); i++ {
		s, at := strings.TrimSuffix(lines[i], "\r"), i+1
		for strings.HasSuffix(s, `\`) && i+1 < len(lines) {
			i++
			s += "\n" + strings.TrimSuffix(lines[i], "\r")
		}
		if s != "" && s[0] == '\t' && now != nil {
			if body := strings.TrimSpace(s); body != "" && body[0] != '#' {
				now.lines = append(now.lines, line{body, file, at})
			}
			continue
		}
		m.file, m.at = file, at
		s = strings.TrimSpace(uncommented(strings.ReplaceAll(s, "\\\n", " ")))
		word, rest, _ := strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
		switch words := m.env.Words; {
		case word == "", words.Ignored.Has(word):
		case words.Conditions.Has(word):
			m.conds++
			m.expand(rest, nil)
		case word == "endif":
			m.conds = max(0, m.conds-1)
		case word == "define":
			name, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "endef"; i++ {
			}
			m.vars[name] = &variable{unknown: true}
		case words.Includes.Has(word):
			m.include(rest, deep)
			now = nil
		default:
			now = m.statement(s)
		}
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
	file := m.file
	for _, name := range names {
		text, ok := "", false
		if m.env.Include != nil && deep < 4 && !strings.ContainsAny(name, "*?[") {
			text, ok = m.env.Include(name)
		}
		if m.open = m.open || !ok; ok {
			m.read(text, name, deep+1)
		}
	}
	m.file = file
}

// statement reads an assignment or the head of a rule: the targets of that one, nil for all else, which ends the rule before it.
func (m *maker) statement(s string) (to *targets) {
	for {
		word, rest, more := strings.Cut(s, " ")
		if !m.env.Words.Modifiers.Has(word) {
			break
		}
		if s = strings.TrimSpace(rest); !more || !strings.Contains(s, "=") {
			return nil
		}
	}
	if name, op, value, is := assignment(s); is {
		m.set(name, op, value)
		return nil
	}
	at := outside(s, ':')
	if at < 0 {
		m.expand(s, nil) // $(eval …), $(info …)
		return nil
	}
	names, _ := m.words(strings.TrimRight(s[:at], "&"))
	rest := strings.TrimPrefix(s[at+1:], ":")
	if name, op, value, is := assignment(strings.TrimSpace(rest)); is {
		m.conds++ // it holds for that target
		m.set(name, op, value)
		m.conds--
		return nil
	}
	first := ""
	if at := outside(rest, ';'); at >= 0 {
		rest, first = rest[:at], strings.TrimSpace(rest[at+1:])
	}
	if at := outside(rest, ':'); at >= 0 {
		rest = rest[at+1:] // of a static pattern what it needs stands last
	}
	to = &targets{names: names}
	needs, _ := m.words(rest)
	for _, need := range needs {
		if need != "|" {
			to.needs = append(to.needs, need)
		}
	}
	if first != "" {
		to.lines = append(to.lines, line{first, m.file, m.at})
	}
	if len(m.rules) < maxTasks {
		m.rules = append(m.rules, to)
		for _, name := range names {
			m.byTo[name] = append(m.byTo[name], to)
			if m.first == "" && (name[0] != '.' || strings.Contains(name, "/")) && !strings.Contains(name, "%") {
				m.first = name
			}
		}
	}
	return to
}

// outside finds a byte that is in no reference to a variable.
func outside(s string, b byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '$' && i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '{'):
			depth++
			i++
		case depth > 0 && (c == ')' || c == '}'):
			depth--
		case c == b && depth == 0:
			return i
		}
	}
	return -1
}

// assignment takes NAME = value apart, in each of make's spellings.
func assignment(s string) (name, op, value string, ok bool) {
	at := outside(s, '=')
	if at < 0 {
		return "", "", "", false
	}
	from := at
	for from > 0 && strings.IndexByte(":?+!", s[from-1]) >= 0 {
		from--
	}
	name = strings.TrimSpace(s[:from])
	if name == "" || strings.ContainsAny(name, ": \t") {
		return "", "", "", false
	}
	return name, s[from : at+1], strings.TrimSpace(s[at+1:]), true
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
