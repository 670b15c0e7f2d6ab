package shell

import (
	"slices"
	"strings"
)

// Many scripts only say what they would do until an option tells them to: if "--apply" in sys.argv. Where the option is not given, what
// stands behind such a condition does not happen. The text of the file is read by its lines and how far to the right they begin: that knows less
// than reached.go, and helps where a library or a language is not known there.

// unasked reports that the call at i does not happen, since nothing that the script is given is the option it waits for.
func (p *interp) unasked(i int) bool {
	if p.c.script == "" || i >= p.plain {
		return false
	}
	from := p.from
	if from == (Span{}) {
		from = p.span
	}
	text, at := p.e.line[from[0]:from[1]], p.toks[i].start
	for _, option := range p.waitsFor(text) {
		if !p.e.spend(len(p.e.line)/scanned, p.c) {
			return false
		}
		// Given anywhere: on the line, or in another file that hands it on.
		if at < len(text) && !strings.Contains(p.e.line[:from[0]], option) && !strings.Contains(p.e.line[from[1]:], option) && p.waits(strings.Split(text, "\n"), strings.Count(text[:at], "\n"), text[:at], option) {
			return true
		}
	}
	return false
}

// scanned is how many bytes of a text are gone through, line by line, for one unit.
const scanned = 24

// waitsFor are the options in the text of a file that nothing gives it. They are looked for once: a program has thousands of calls.
func (p *interp) waitsFor(text string) []string {
	if p.options == nil {
		p.options = []string{}
		for _, option := range p.e.tables.Code.Really {
			given := slices.ContainsFunc(p.c.given, func(w Word) bool { return mayBe(&w, option) })
			if !given && p.e.spend(len(text)/dataBytes/scanned, p.c) && quoted(text, option) {
				p.options = append(p.options, option)
			}
		}
	}
	return p.options
}

// mayBe reports a word that the option may be: its beginning does, and a letter may stand for it.
func mayBe(w *Word, option string) bool {
	name, _, _ := strings.Cut(w.Text, "=")
	return w.Kind != Literal || w.Glob || len(name) > 1 && name[0] == '-' && (name[1] != '-' || name != "--" && strings.HasPrefix(option, name))
}

func quoted(text, option string) bool {
	return strings.Contains(text, `"`+option+`"`) || strings.Contains(text, "'"+option+"'")
}

// waits reports that the line n, of which before is what stands up to the call, is behind a condition on an option.
func (p *interp) waits(lines []string, n int, before, option string) bool {
	names := p.optionNames(lines, option)
	if names == nil {
		return false
	}
	if here := before[strings.LastIndexByte(before, '\n')+1:]; !strings.ContainsAny(here, "}") && condition(here, names) > 0 { // if apply: f()
		return true
	}
	indent := indentOf(lines[n])
	for k := n - 1; k >= 0; k-- {
		body := strings.TrimLeft(lines[k], " \t")
		if by := indentOf(lines[k]); body == "" || by > indent {
			continue
		} else if by == indent {
			if condition(body, names) < 0 && p.leaves(lines[k:]) { // if not apply: return
				return true
			}
			continue
		} else {
			indent = by
		}
		switch {
		case condition(body, names) > 0:
			return true
		case condition(body, names) < 0 && p.leaves(lines[k:]):
			return true
		case strings.HasPrefix(strings.TrimLeft(body, "} "), "else"):
			for k--; k >= 0 && (indentOf(lines[k]) > indent || strings.TrimSpace(lines[k]) == ""); k-- {
			}
			if k >= 0 && condition(strings.TrimLeft(lines[k], " \t"), names) < 0 {
				return true
			}
			k++ // what leaves there counts, too
		}
	}
	return false
}

// optionNames are what a program calls whether an option is given: its text, the member of what was parsed, and variables set from those. There
// are none where it has another value to begin with, or gets one.
func (p *interp) optionNames(lines []string, option string) []string {
	member := strings.ReplaceAll(strings.TrimLeft(option, "-"), "-", "_")
	names := []string{`"` + option + `"`, "'" + option + "'"}
	for _, parsed := range p.e.tables.Code.Parsed {
		names = append(names, parsed+"."+member, parsed+"["+":"+member+"]")
	}
	declared := 0 // lines of a call that declares the option
	for _, l := range lines {
		if declared--; quoted(l, option) {
			declared = 3
		}
		low := strings.ToLower(l)
		if declared > 0 && (strings.Contains(low, "store_false") || strings.Contains(low, "true") && strings.Contains(low, "default")) {
			return nil
		}
		name, value, ok := strings.Cut(l, "=")
		fields := strings.Fields(strings.TrimRight(name, "|&:?"))
		if !ok || len(fields) == 0 || strings.HasPrefix(value, "=") || strings.ContainsAny(name, "(\"'[!<>") {
			continue
		}
		switch variable := fields[len(fields)-1]; {
		case mentions(value, names) && !negated(value) && !strings.Contains(value, " or ") && !strings.Contains(value, "||"):
			names = append(names, variable)
		case mentions(variable, names):
			return nil
		}
	}
	return names
}

// condition is 1 where a line goes on only with the option, -1 where only without it, and 0 where it says neither.
func condition(l string, names []string) int {
	word, rest, _ := strings.Cut(strings.TrimLeft(l, " \t}"), " ")
	if word == "else" {
		word, rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
	}
	if word = strings.TrimSuffix(word, "("); word != "if" && word != "elif" && word != "elsif" && word != "unless" || !mentions(rest, names) || strings.Contains(rest, " or ") || strings.Contains(rest, "||") {
		return 0
	}
	if negated(rest) != (word == "unless") {
		return -1
	}
	return 1
}

func negated(s string) bool {
	return strings.Contains(" "+s, " not ") || strings.Contains(s, "(not ") || strings.Contains(strings.ReplaceAll(s, "!=", ""), "!")
}

// mentions reports a name as a word of its own.
func mentions(s string, names []string) bool {
	for _, name := range names {
		for rest := s; ; {
			i := strings.Index(rest, name)
			if i < 0 {
				break
			}
			end := i + len(name)
			if (i == 0 || !wordPart(rest[i-1])) && (end == len(rest) || !wordPart(rest[end]) && rest[end] != '(') {
				return true
			}
			rest = rest[end:]
		}
	}
	return false
}

func wordPart(b byte) bool {
	return b == '_' || b == '.' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// leaves reports that what stands behind a condition ends the program, the function or the round of a loop.
func (p *interp) leaves(lines []string) bool {
	ends := func(l string) bool {
		word := strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune(" \t(;{}:", r) })
		return len(word) > 0 && p.e.tables.Code.Leaves.Has(word[0])
	}
	if _, one, ok := strings.Cut(lines[0], ": "); ok && ends(one) {
		return true
	}
	if i := strings.LastIndexAny(lines[0], "){"); i >= 0 && ends(lines[0][i+1:]) {
		return true
	}
	last := ""
	for _, l := range lines[1:] {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if indentOf(l) <= indentOf(lines[0]) {
			break
		}
		last = l
	}
	return ends(last)
}

func indentOf(l string) int { return len(l) - len(strings.TrimLeft(l, " \t")) }
