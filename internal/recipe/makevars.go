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
	v := &variable{raw: value}
	switch op {
	case ":=", "::=", ":::=":
		v.parts, v.done = m.expand(value, nil), true
	case "!=":
		v.parts, v.done = m.shell(m.expand(value, nil)), true
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
			v.parts, v.done = append(append(old.parts[:len(old.parts):len(old.parts)], Part{Text: " "}), m.expand(value, nil)...), true
		case len(old.raw)+len(value) > maxText:
			v.unknown = true
		default:
			v.raw = old.raw + " " + value
		}
	}
	if m.conds > 0 && old != nil && op != "+=" && (old.raw != v.raw || old.unknown) {
		v.unknown = true
	}
	m.vars[name] = v
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
			m.spent += len(v.parts)
			return v.parts
		}
		return m.expand(v.raw, nil)
	}
	if name == "MAKEFILE_LIST" && strings.TrimSpace(m.files) != "" {
		return text(m.files)
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

// expand puts values in the place of references; auto knows those of a rule.
func (m *maker) expand(s string, auto func(name string) ([]Part, bool)) (parts []Part) {
	if m.deep++; m.deep > 20 {
		m.deep--
		return m.unknown("$(…)")
	}
	defer func() { m.deep-- }()
	for {
		at := strings.IndexByte(s, '$')
		if m.spent += len(s[:max(at, 0)]) + 1; m.spent > maxSpent {
			return append(parts, m.unknown("$(…)")...)
		}
		if at < 0 || at+1 >= len(s) {
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
			parts = append(parts, m.reference(inner, auto)...)
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

func (m *maker) named(name string, auto func(name string) ([]Part, bool)) []Part {
	if auto != nil {
		if parts, ok := auto(name); ok {
			return parts
		}
	}
	return m.value(name)
}

// reference is what stands between brackets: a name, one whose endings are changed, or a function.
func (m *maker) reference(s string, auto func(name string) ([]Part, bool)) []Part {
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
	if !ok || strings.ContainsAny(change, "$%") {
		return m.unknown("$(" + s + ")")
	}
	words := strings.Fields(list)
	for i, w := range words {
		if stem, is := strings.CutSuffix(w, from); is {
			words[i] = stem + to
		}
	}
	m.spent += len(list) + len(words)*len(to)
	return text(strings.Join(words, " "))
}
