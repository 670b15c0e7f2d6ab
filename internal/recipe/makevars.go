package recipe

import "strings"

// set gives a variable a value. Of two that hold on one condition or another neither is known.
func (m *maker) set(name, op, value string) {
	if len(m.vars) >= maxTasks {
		m.open = true
		return
	}
	if key, ok := joined(m.expand(name, nil)); ok {
		name = key
	} else {
		m.open = true
		return
	}
	old := m.vars[name]
	v := &variable{raw: value, file: m.file, at: m.at}
	switch op {
	case ":=", "::=", ":::=":
		v.parts, v.done = merged(m.expand(value, nil)), true
	case "!=":
		v.parts, v.done = m.printed(merged(m.expand(value, nil))), true
	case "?=":
		if old != nil {
			if m.conds == 0 {
				return
			}
		} else if m.env.Inherited != nil {
			if parts, ok := m.env.Inherited(name); ok {
				v.parts, v.done = parts, true
			}
		}
	case "+=":
		switch {
		case old == nil:
		case old.unknown:
			v.unknown = true
		case old.done:
			v.parts, v.done = merged(append(append(old.parts[:len(old.parts):len(old.parts)], Part{Text: " "}), m.expand(value, nil)...)), true
		case len(old.raw)+len(value) > maxText:
			v.unknown = true
		default:
			v.raw = old.raw + " " + value
		}
	}
	if m.conds > 0 && old != nil && op != "+=" && (old.raw != v.raw || old.unknown) {
		v.unknown = true
	}
	v.perhaps = m.conds > 0
	m.vars[name], m.vary = v, true
	m.noted(name, v)
}

// noted is what a variable changes in how the rest is read.
func (m *maker) noted(name string, v *variable) {
	switch {
	case name != ".RECIPEPREFIX":
		if m.env.Inherited != nil {
			if _, is := m.env.Inherited(name); is {
				m.exported[name] = true
			}
		}
	case v.raw == "":
		m.prefix = '\t'
	default:
		m.prefix = v.raw[0]
	}
}

// value is what a name stands for.
func (m *maker) value(name string) []Part {
	if m.env.Given != nil {
		if parts, ok := m.env.Given(name); ok {
			return parts
		}
	}
	if v := m.vars[name]; v != nil {
		switch {
		case v.unknown:
			return m.unknown("$(" + name + ")")
		case v.done:
			m.spent += len(v.parts) + size(v.parts)
			return v.parts
		}
		return m.expand(v.raw, nil)
	}
	switch {
	case name == hole || m.env.Words.Own.Has(name):
		return m.unknown("$(" + name + ")")
	case name == "MAKECMDGOALS":
		return text(strings.Join(m.goals, " "))
	case name == "MAKEFILE_LIST" && m.env.File != "":
		return text(" " + strings.Join(m.files, " "))
	}
	if m.env.Inherited != nil {
		if parts, ok := m.env.Inherited(name); ok {
			return parts
		}
	}
	for _, one := range m.env.Builtin {
		if value, ok := strings.CutPrefix(one, name+"="); ok {
			return text(value)
		}
	}
	if m.open {
		return m.unknown("$(" + name + ")")
	}
	return nil // make takes it for empty
}

func (m *maker) unknown(written string) []Part {
	return []Part{{Text: written[:min(len(written), 64)], Unknown: true}}
}

// auto knows the variables of a rule, and of a function that is called.
type auto = func(name string) ([]Part, bool)

// expand puts values in the place of references; auto knows those of a rule.
func (m *maker) expand(s string, auto auto) (parts []Part) {
	if m.deep++; m.deep > 20 {
		m.deep--
		return m.unknown("$(…)")
	}
	defer func() { m.deep-- }()
	for {
		at := strings.IndexByte(s, '$')
		if at < 0 {
			at = len(s)
		}
		if m.spent += at + 1; m.spent > maxSpent {
			return append(parts, m.unknown("$(…)")...)
		}
		if at+1 >= len(s) {
			if s != "" {
				parts = append(parts, Part{Text: s})
			}
			return parts
		}
		if at > 0 {
			parts = append(parts, Part{Text: s[:at]})
		}
		switch b := s[at+1]; b {
		case '$':
			parts = append(parts, Part{Text: "$"})
			s = s[at+2:]
		case '(', '{':
			inner, rest := bracketed(s[at+2:], b)
			value := m.reference(inner, auto)
			m.spent += len(value)
			parts = append(parts, value...)
			s = rest
		default:
			parts = append(parts, m.named(s[at+1:at+2], auto)...)
			s = s[at+2:]
		}
	}
}

// bracketed cuts at the bracket that closes the one before s.
func bracketed(s string, open byte) (inner, rest string) {
	end := byte(')')
	if open == '{' {
		end = '}'
	}
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return s[:i], s[i+1:]
			}
		}
	}
	return s, ""
}

func (m *maker) named(name string, auto auto) []Part {
	if auto != nil {
		if parts, ok := auto(name); ok {
			m.spent += len(parts) + size(parts)
			return parts
		}
	}
	return m.value(name)
}

// reference is what stands between brackets: a name, one whose endings are changed, or a function.
func (m *maker) reference(s string, auto auto) []Part {
	if i := strings.IndexAny(s, " \t\n"); i > 0 && !strings.ContainsAny(s[:i], "$:=") {
		return m.function(s[:i], strings.TrimLeft(s[i:], " \t"), auto)
	}
	name, change, changed := s, "", false
	if i := outside(s, ':'); i >= 0 && outside(s[i:], '=') >= 0 {
		name, change, changed = s[:i], s[i+1:], true
	}
	name, known := joined(m.expand(name, auto))
	if !known {
		return m.unknown("$(" + s + ")")
	}
	parts := m.named(name, auto)
	if !changed {
		return parts
	}
	from, to, _ := strings.Cut(change, "=")
	list, ok := joined(parts)
	if !ok || strings.Contains(change, "$") {
		return m.unknown("$(" + s + ")")
	}
	if !strings.Contains(from, "%") {
		from, to = "%"+from, "%"+to
	}
	if len(list)*(len(to)+1) > maxSpent {
		return m.unknown("$(" + s + ")")
	}
	return alike(parts, m.counted(worded("by-pattern", []string{from, to, list})))
}
