package recipe

import "strings"

// statement reads an assignment or the head of a rule: the targets of that one, nil for all else, which ends the rule before it.
func (m *maker) statement(s string) (to *targets) {
	export := false
	for {
		word, rest, more := strings.Cut(s, " ")
		if !m.env.Words.Modifiers.Has(word) {
			break
		}
		s = strings.TrimSpace(rest)
		switch export = export || m.env.Words.Exports.Has(word); {
		case more && outside(s, '=') >= 0:
			continue
		case m.env.Words.Exports.Has(strings.TrimPrefix(word, "un")):
			m.exports(s, m.env.Words.Exports.Has(word))
		}
		return nil
	}
	if name, op, value, is := assignment(s); is {
		m.set(name, op, value)
		if export {
			m.export(name)
		}
		return nil
	}
	at := outside(s, ':')
	if at < 0 {
		m.expand(s, nil) // $(eval …), $(info …)
		return nil
	}
	names, all := m.words(strings.TrimRight(s[:at], "&"))
	rest := strings.TrimPrefix(s[at+1:], ":")
	if m.targetVar(names, all, strings.TrimSpace(rest)) {
		return nil
	}
	first := ""
	at = outside(rest, ';')
	blank := at >= 0
	if blank {
		rest, first = rest[:at], strings.TrimSpace(rest[at+1:])
	}
	if at := outside(rest, ':'); at >= 0 {
		rest = rest[at+1:] // of a static pattern what it needs stands last
	}
	to = &targets{names: names, blank: blank && first == ""}
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

// targetVar notes a variable that has its value for some targets, and for what those need.
func (m *maker) targetVar(names []string, all bool, s string) bool {
	export := false
	for {
		word, rest, more := strings.Cut(s, " ")
		if !more || !m.env.Words.Modifiers.Has(word) {
			break
		}
		export = export || m.env.Words.Exports.Has(word)
		s = strings.TrimSpace(rest)
	}
	name, op, value, is := assignment(s)
	if !is {
		return false
	}
	for _, to := range names {
		if len(m.own) < maxTasks && len(m.own[to]) < maxExports {
			m.own[to] = append(m.own[to], setting{name, op, value, export})
		}
	}
	if !all { // for which one it is is not known
		m.conds++
		m.set(name, op, value)
		m.conds--
	}
	return true
}

// exports notes which variables the environment of recipes has, all of them where none is named.
func (m *maker) exports(list string, is bool) {
	names, known := m.words(list)
	if m.vary = true; len(names) == 0 || is && !known { // export $(shell sed 's/=.*//' .env)
		m.all = is
	}
	for _, name := range names {
		if m.exported[name] = is; is {
			m.export(name)
		}
	}
}

// export notes a variable of the environment.
func (m *maker) export(name string) {
	if key, ok := joined(m.expand(name, nil)); ok && len(m.exported) < maxTasks {
		m.exported[key], m.vary = true, true
	}
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
