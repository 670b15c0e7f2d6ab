package jit

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// What tells an order from other lines and sentences in which a word of a mode stands.

// document reports whether the line of a word belongs to a document that is spoken of: a heading, or an entry of a list below
// another line. An entry alone may be an order.
func (p *Prompt) document(at int) bool {
	start := strings.LastIndexByte(p.text[:at], '\n') + 1
	l := strings.TrimLeft(p.text[start:at], " \t")
	// "#ulw" is none: a heading has a blank behind its marks.
	mark := strings.TrimLeft(l, "#")
	if len(mark) < len(l) {
		return strings.HasPrefix(mark, " ")
	}
	if mark = strings.TrimLeft(l, "-*+0123456789.)"); len(mark) == len(l) || !strings.HasPrefix(mark, " ") || start == 0 {
		return false
	}
	above := p.text[strings.LastIndexByte(p.text[:start-1], '\n')+1 : start-1]
	return strings.TrimSpace(above) != ""
}

// nextLine is the line below the one in which rest starts.
func nextLine(rest string) string {
	_, rest, _ = strings.Cut(rest, "\n")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// assigns reports a line of a settings file: key = value.
func assigns(line string) bool {
	key, _, ok := strings.Cut(line, "=")
	key = strings.TrimSpace(key)
	return ok && key != "" && !strings.Contains(key, " ")
}

// cited reports a text of nothing but ids: "#42", "AUTH-001 and AUTH-002". What is to be done stands there.
func cited(s string) bool {
	ids := 0
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ' ' || r == ',' }) {
		name, number, ok := strings.Cut(w, "#")
		if !ok {
			i := strings.LastIndexByte(w, '-')
			name, number = w[:max(i, 0)], w[i+1:]
			ok = i > 0
		}
		switch {
		case ok && number != "" && strings.Trim(number, "0123456789") == "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "":
			ids++
		case w != "and" && w != "issue" && w != "issues" && w != "pr":
			return false
		}
	}
	return ids > 0
}

// commandLine reports the start of a command that somebody types or quotes, whose last word is a name.
func (p *Prompt) commandLine(before string) bool {
	// A sentence that goes on behind a mark is no command: "git is slow, ulw".
	if strings.ContainsAny(before, ",;:.") {
		return false
	}
	last := before[strings.LastIndexByte(before, ' ')+1:]
	if len(last) > 1 && last[0] == '-' { // a flag and its value
		return true
	}
	first, _, _ := strings.Cut(before, " ")
	return p.says(func(r *rule.Context) bool { return slices.Contains(r.Typed, first) })
}

// setting reports the values that keys of configuration files have.
func (p *Prompt) setting(value string) bool {
	value = strings.Trim(strings.ToLower(value), " \t,;\"'")
	return p.says(func(r *rule.Context) bool { return slices.Contains(r.Values, value) })
}

// complains reports what programs say behind a name.
func (p *Prompt) complains(clause string) bool {
	// Shells and programs put their own name in front: "ulw: command not found".
	clause = strings.ToLower(clause)
	return p.says(func(r *rule.Context) bool {
		return slices.ContainsFunc(r.Complaints, func(start string) bool { return strings.HasPrefix(clause, start) })
	})
}

// listed reports an enumeration: "Modes: search, plan, ultrawork", "ultrawork, search, plan mode".
func (s *sentence) listed() bool {
	if s.apart && strings.ContainsAny(s.before, ":：") || s.comma && s.labelled {
		return true
	}
	if !s.comma {
		return false
	}
	i := strings.IndexAny(s.clause, ",、，")
	return i >= 0 && len(strings.Fields(s.clause[:i])) < 2 && i < 24
}

// formMeant: an explicit form opens its sentence and is followed by a colon, a comma or nothing.
func (p *Prompt) formMeant(s sentence) bool {
	if s.before != "" && s.before != "use" && s.before != "please use" {
		return false
	}
	return !s.question && (s.after == "" || s.colon) || s.colon
}

// polite are the words after which an order still opens its sentence.
func (p *Prompt) polite(before string) bool {
	before = strings.TrimRight(before, ", ")
	return p.says(func(r *rule.Context) bool { return slices.Contains(r.Polite, before) })
}

// narrates reports sentences that tell something: an order does not start with its subject.
func (p *Prompt) narrates(before string) bool {
	first, rest, _ := strings.Cut(before, " ")
	first = strings.Trim(first, ",")
	return p.says(func(r *rule.Context) bool {
		return slices.Contains(r.Subjects, first) && !slices.ContainsFunc(r.Wishes, func(w string) bool { return strings.Contains(rest, w) })
	})
}
