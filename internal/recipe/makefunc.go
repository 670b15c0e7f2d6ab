package recipe

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// hole stands in a text that is read as a makefile for what is not known of it.
const hole = "\x00"

// size is the length of a text.
func size(parts []Part) (n int) {
	for i := range parts {
		n += len(parts[i].Text)
	}
	return n
}

// merged puts what is known next to each other into one part. What is longer than any line of a makefile is not known from there on.
func merged(parts []Part) (list []Part) {
	var b strings.Builder
	n := 0
	may := false
	flush := func() {
		if b.Len() > 0 || may {
			list = append(list, Part{Text: b.String(), Maybe: may})
			b.Reset()
		}
		may = false
	}
	for _, p := range parts {
		if n += len(p.Text); n > maxLine || len(list) > maxSteps {
			p = Part{Text: "$(…)", Unknown: true}
		}
		if !p.Unknown {
			b.WriteString(p.Text)
			may = may || p.Maybe
			continue
		}
		flush()
		if list = append(list, p); n > maxLine || len(list) > maxSteps {
			return list
		}
	}
	flush()
	return list
}

// maybe reports a text of which nothing may be left when make runs.
func maybe(parts []Part) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { return p.Maybe })
}

// alike is a text that is known as well as the parts of which it was made.
func alike(parts []Part, s string) []Part { return []Part{{Text: s, Maybe: maybe(parts)}} }

// printed has the shell run a line. What that prints is known for few of them.
func (m *maker) printed(line []Part) []Part {
	written, ok := joined(line)
	if len(m.steps) < maxSteps {
		m.steps = append(m.steps, m.shelled(Step{Parts: line, File: m.file, Line: m.at})...)
		if ok && m.env.Prints != nil && m.plain() {
			if value, ok := m.env.Prints(written); ok && len(value) <= maxText {
				return []Part{{Text: m.counted(strings.ReplaceAll(value, "\n", " ")), Maybe: true}}
			}
		}
	}
	parts := m.unknown("$(shell " + shown(line) + ")")
	if m.plain() {
		parts[0].Prints = line
	}
	return parts
}

// shown is a text as it is written, whatever is not known of it.
func shown(parts []Part) string {
	var b strings.Builder
	for i := range parts {
		b.WriteString(parts[i].Text)
	}
	return b.String()
}

// absolute are the whole paths of files.
func (m *maker) absolute(list string) (parts []Part, ok bool) {
	words := strings.Fields(list)
	for i, w := range words {
		if m.env.Absolute == nil {
			return nil, false
		}
		if words[i], ok = m.env.Absolute(w); !ok {
			return nil, false
		}
	}
	return []Part{{Text: m.counted(strings.Join(words, " ")), Maybe: true}}, true // realpath leaves out what is not there
}

// counted notes what a text cost.
func (m *maker) counted(s string) string {
	m.spent += len(s)
	return s
}

// perhaps tells how a condition that is not known is taken: as true, and then, as the whole is gone through again, as false.
func (m *maker) perhaps() bool {
	m.forked = true
	return !m.other
}

// arguments takes those of a function apart, the last of which has what is left.
func arguments(s string, most int) (list []string) {
	depth, from := 0, 0
	for i := 0; i < len(s) && len(list)+1 < most; i++ {
		switch s[i] {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case ',':
			if depth == 0 {
				list, from = append(list, s[from:i]), i+1
			}
		}
	}
	return append(list, s[from:])
}

// function is what a function of make's returns. What it has the shell run is a step.
func (m *maker) function(name, s string, auto auto) []Part {
	does, args, how := m.does(name)
	switch does {
	case "choice", "either", "both":
		return m.condition(does, s, auto)
	case "each-word":
		return m.foreach(s, auto)
	case "called":
		return m.call(s, auto)
	case "read":
		m.eval(m.expand(s, auto))
		return nil
	case "written":
		m.writes(arguments(s, 2), auto)
		return nil
	case "run":
		return m.printed(merged(m.expand(s, auto)))
	case "fitting":
		args := m.expand(s, auto) // the shell that runs the recipe knows patterns, too
		for i := range args {
			args[i].Maybe = true
		}
		return args
	case "raw":
		if v := m.vars[strings.TrimSpace(s)]; v != nil && !v.done && !v.unknown {
			return text(m.counted(v.raw))
		}
	default:
		if parts, ok := m.pure(does, args, how, s, auto); ok {
			return parts
		}
	}
	if m.env.Words.Silent.Has(name) {
		return nil
	}
	return m.unknown("$(" + name + " " + s + ")")
}

// does is what a function does, by the table of their names; "" where that is not known. Of one that only changes words it is also how many arguments it
// has, whether it needs the names themselves, and whether it only picks some of them.
func (m *maker) does(name string) (does string, args int, how string) {
	for _, row := range m.env.Words.Functions {
		if rest, is := strings.CutPrefix(row, name+"="); is {
			does, rest, _ = strings.Cut(rest, " ")
			count, how, _ := strings.Cut(rest, " ")
			return does, number(count), how
		}
	}
	return "", 0, ""
}

// pure is a function that only changes words.
func (m *maker) pure(does string, most int, how, s string, auto auto) ([]Part, bool) {
	if most == 0 {
		m.expand(s, auto)
		return nil, false
	}
	list := arguments(s, most)
	known, all := len(list) == most, 1
	var given, last []Part
	for i := range list {
		parts := m.expand(list[i], auto)
		last = parts
		one, ok := joined(parts)
		list[i], known, all = one, known && ok, all*(len(one)+1)
		given = append(given, parts...)
	}
	known = known && !(strings.Contains(how, "names") && strings.ContainsAny(list[most-1], "*?[")) // which files these are is not known
	if !known || m.spent > maxSpent || all > maxSpent {                                            // what a text becomes may be as long as all of them by each other
		return last, strings.Contains(how, "picks") && fromCommands(last)
	}
	if does == "absolute" {
		return m.absolute(list[0])
	}
	return alike(given, m.counted(worded(does, list))), true
}

// condition is $(if …), $(or …) and $(and …).
func (m *maker) condition(name, s string, auto auto) (parts []Part) {
	args := arguments(s, 64)
	if name == "choice" {
		args = arguments(s, 3)
	}
	for i, arg := range args {
		parts = m.expand(strings.TrimSpace(arg), auto)
		known, ok := joined(parts)
		is := known != ""
		if !ok || maybe(parts) {
			is = m.perhaps()
		}
		switch {
		case name == "choice" && is && len(args) > 1:
			return m.expand(args[1], auto)
		case name == "choice" && len(args) > 2:
			return m.expand(args[2], auto)
		case name == "choice", name == "both" && !is:
			return nil
		case name == "either" && (is || i == len(args)-1):
			return parts
		}
	}
	return parts
}

// foreach is a text for each word of a list; of a list that is not known for one that is not.
func (m *maker) foreach(s string, auto auto) (parts []Part) {
	args := arguments(s, 3)
	if len(args) < 3 {
		return nil
	}
	name, _ := joined(m.expand(strings.TrimSpace(args[0]), auto))
	list := m.expand(args[1], auto)
	one := func(value []Part) []Part {
		return m.expand(args[2], func(is string) ([]Part, bool) {
			if is == name {
				return value, true
			}
			if auto == nil {
				return nil, false
			}
			return auto(is)
		})
	}
	words, known := joined(list)
	switch {
	case !known && fromCommands(list):
		return one(list) // all of them at once
	case !known:
		return one(m.unknown("$(" + name + ")"))
	}
	for i, word := range strings.Fields(words) {
		if m.spent > maxSpent {
			return append(parts, m.unknown("$(…)")...)
		}
		if i > 0 {
			parts = append(parts, Part{Text: " "})
		}
		parts = append(parts, one(text(word))...)
	}
	return parts
}

// call puts arguments into the text of a variable.
func (m *maker) call(s string, auto auto) []Part {
	args := arguments(s, 64)
	given := make([][]Part, len(args))
	for i := range args {
		given[i] = m.expand(args[i], auto)
	}
	name, ok := joined(given[0])
	v := m.vars[strings.TrimSpace(name)]
	if !ok || v == nil || v.unknown || v.done {
		return m.value(strings.TrimSpace(name))
	}
	return m.expand(v.raw, func(is string) ([]Part, bool) {
		switch {
		case len(is) != 1 || is[0] < '0' || is[0] > '9':
		case int(is[0]-'0') < len(given):
			return given[is[0]-'0'], true
		default:
			return nil, true
		}
		if auto == nil {
			return nil, false
		}
		return auto(is)
	})
}

// eval reads a text as a part of the makefile.
func (m *maker) eval(parts []Part) {
	var b strings.Builder
	for _, p := range parts {
		if p.Unknown {
			m.open = true
			p.Text = "$(" + hole + ")"
		}
		b.WriteString(p.Text)
	}
	file, at := m.file, m.at
	if m.spent < maxSpent {
		m.read(m.counted(b.String()), file, max(at, 1), 0)
	}
	m.file, m.at = file, at
}

// writes notes the file that make itself writes.
func (m *maker) writes(args []string, auto auto) {
	parts := m.expand(strings.TrimSpace(args[0]), auto)
	if len(args) > 1 {
		m.expand(args[1], auto)
	}
	if len(parts) == 0 || !strings.HasPrefix(parts[0].Text, ">") || len(m.steps) >= maxSteps {
		return
	}
	name := strings.TrimLeft(parts[0].Text, "> ")
	op := ": " + strings.Repeat(">", min(2, strings.Count(parts[0].Text[:len(parts[0].Text)-len(name)], ">"))) + " "
	if len(parts) == 1 {
		name = argv.Quote(name)
	}
	parts = append([]Part{{Text: op + name}}, parts[1:]...)
	m.steps = append(m.steps, Step{Parts: parts, File: m.file, Line: m.at})
}
