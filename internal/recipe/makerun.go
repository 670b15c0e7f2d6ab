package recipe

import (
	"slices"
	"strings"
)

// goal runs what is asked for, and what makes the makefiles themselves, which make makes first whatever it was told.
func (m *maker) goal() {
	goals := m.goals
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
	m.env.Dry, m.vary = false, true
	ran := map[*targets]bool{}
	for _, name := range append(m.made, m.env.File) {
		rules := m.byTo[name]
		if !anyRuns(rules) && name != m.env.File {
			rules, _ = m.fitting(name, false)
		}
		if anyRuns(rules) && !ran[rules[0]] && len(ran) < maxIncludes {
			ran[rules[0]] = true
			m.run(name, seen, 1)
		}
	}
}

// run adds what makes a target, what that needs first.
func (m *maker) run(name string, seen map[string]bool, deep int) {
	if name == "" || seen[name] || deep > 64 || len(m.steps) >= maxSteps || len(seen) >= maxTasks {
		return
	}
	seen[name] = true
	before := m.hold(name)
	rules, stem := m.byTo[name], ""
	if !anyRuns(rules) {
		more, of := m.fitting(name, deep == 0)
		rules, stem = append(rules[:len(rules):len(rules)], more...), of
	}
	for _, r := range rules {
		for _, need := range r.needs {
			if by := strings.Replace(need, "%", stem, 1); stem != "" && m.has(by) {
				need = by
			}
			m.run(need, seen, deep+1)
		}
	}
	for _, r := range rules {
		if r.runs() && m.has(".ONESHELL") {
			m.recipe(m.together(r.lines), name, stem, r.needs, true)
			continue
		}
		for i := range r.lines {
			m.recipe(&r.lines[i], name, stem, r.needs, false)
		}
	}
	if !anyRuns(rules) && stem == "" {
		m.implicit(name)
	}
	if before != nil {
		m.vars, m.vary = before, true
	}
}

// hold sets the variables that a target has for itself, and returns those before; nil where it has none.
func (m *maker) hold(name string) map[string]*variable {
	list := m.own[name]
	for to := range m.own {
		if _, ok := stem(to, name); ok {
			list = append(list[:len(list):len(list)], m.own[to]...)
		}
	}
	if m.spent += len(m.own); len(list) == 0 || m.spent+len(m.vars) > maxSpent {
		return nil
	}
	before := make(map[string]*variable, len(m.vars))
	for key, v := range m.vars {
		before[key] = v
	}
	m.spent += len(m.vars)
	for _, s := range list {
		if m.set(s.name, s.op, s.value); s.export {
			m.export(s.name)
		}
	}
	return before
}

// stem is what % of a pattern stands for in a name.
func stem(pattern, name string) (of string, ok bool) {
	before, after, ok := strings.Cut(pattern, "%")
	if !ok || len(name) <= len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
		return "", false
	}
	return name[len(before) : len(name)-len(after)], true
}

// fitting finds the rule by a pattern or by endings that makes a target, with the stem of its name, or what make does for a goal that it has no rule for.
func (m *maker) fitting(name string, goal bool) (rules []*targets, of string) {
	for _, r := range m.rules {
		for _, to := range r.names {
			if of, ok := stem(to, name); ok && (r.runs() || r.blank && m.makes(r, of)) {
				return []*targets{r}, of
			}
		}
	}
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		for _, r := range m.rules {
			for _, to := range r.names {
				if r.runs() && to[0] == '.' && strings.HasSuffix(to, name[dot:]) && strings.Count(to, ".") == 2 {
					return []*targets{r}, name[:dot]
				}
			}
		}
	}
	if goal {
		return m.byTo[".DEFAULT"], ""
	}
	return nil, ""
}

// makes reports that the makefile has a target for all that a rule by a pattern needs.
func (m *maker) makes(r *targets, stem string) bool {
	return !slices.ContainsFunc(r.needs, func(need string) bool { return !m.has(strings.Replace(need, "%", stem, 1)) })
}

// implicit adds the program by which make itself would make a target, where the makefile says which one that is.
func (m *maker) implicit(name string) {
	for _, row := range m.env.Words.Implicit {
		end, does, _ := strings.Cut(row, "=")
		if (end == "" || !strings.HasSuffix(name, end)) && (end != "" || strings.Contains(name, ".")) {
			continue
		}
		program, _ := bracketed(strings.TrimPrefix(does, "$("), '(')
		if v := m.vars[program]; v != nil && !m.started[program] {
			m.started[program] = true
			m.recipe(&line{text: does, file: v.file, at: v.at}, name, "", nil, false)
		}
	}
}

// together are the lines of a recipe as one, which one call of the shell is given.
func (m *maker) together(lines []line) *line {
	all := lines[0]
	var b strings.Builder
	for i := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if m.plain() {
			b.WriteString(strings.TrimLeft(lines[i].text, " \t@-"))
		} else {
			b.WriteString(lines[i].text)
		}
	}
	all.text = b.String()
	return &all
}

// recipe adds a line of a recipe, or more of them where a variable has several.
func (m *maker) recipe(l *line, target, stem string, needs []string, whole bool) {
	if len(m.steps) >= maxSteps {
		return
	}
	auto := func(name string) ([]Part, bool) { return m.automatic(name, target, stem, needs) }
	calls := strings.Contains(l.text, "$(MAKE)") || strings.Contains(l.text, "${MAKE}")
	for _, m.other = range []bool{false, true} {
		m.forked = false
		m.file, m.at = l.file, l.at
		parts := merged(m.expand(l.text, auto))
		list := [][]Part{parts}
		if !whole {
			list = lined(parts)
		}
		for _, one := range list {
			m.line(one, calls)
		}
		if !m.forked {
			break
		}
	}
	m.other = false
}

// line adds one command line.
func (m *maker) line(parts []Part, calls bool) {
	always := calls
	if len(parts) > 0 && !parts[0].Unknown {
		first := parts[0].Text
		rest := strings.TrimLeft(first, " \t@-+")
		always = always || strings.Contains(first[:len(first)-len(rest)], "+")
		parts = append([]Part{{Text: rest}}, parts[1:]...)
	}
	if s, ok := joined(parts); ok && strings.TrimSpace(s) == "" || m.env.Dry && !always || len(m.steps) >= maxSteps {
		return
	}
	list := m.shelled(Step{Parts: parts, File: m.file, Line: m.at, Rows: true, Env: m.environment()})
	if calls && len(m.later) < maxSteps { // files that are read again cost the most: what stands beside comes first
		m.later = append(m.later, list...)
		return
	}
	m.steps = append(m.steps, list...)
}

// lined takes the lines of a text apart, but for those that go on.
func lined(parts []Part) (list [][]Part) {
	var now []Part
	for _, p := range parts {
		for !p.Unknown {
			at := strings.IndexByte(p.Text, '\n')
			for at >= 0 && continued(p.Text[:at]) {
				next := strings.IndexByte(p.Text[at+1:], '\n')
				if next < 0 {
					at = -1
					break
				}
				at += 1 + next
			}
			if at < 0 {
				break
			}
			now = append(now, Part{Text: p.Text[:at]})
			list, now = append(list, now), nil
			p.Text = p.Text[at+1:]
		}
		now = append(now, p)
	}
	return append(list, now)
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
		if len(needs) > 0 && (stem != "" || !strings.Contains(needs[0], "%")) {
			return text(strings.Replace(needs[0], "%", stem, 1)), true
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
