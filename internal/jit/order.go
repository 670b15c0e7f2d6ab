package jit

import "strings"

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
func commandLine(before string) bool {
	// A sentence that goes on behind a mark is no command: "git is slow, ulw".
	if strings.ContainsAny(before, ",;:.") {
		return false
	}
	last := before[strings.LastIndexByte(before, ' ')+1:]
	if len(last) > 1 && last[0] == '-' { // a flag and its value
		return true
	}
	first, _, _ := strings.Cut(before, " ")
	switch first {
	case "git", "gh", "npm", "npx", "pnpm", "yarn", "docker", "kubectl", "cargo", "pip", "brew", "apt", "cd", "ls", "cat", "grep", "rg", "echo", "sudo", "ssh", "curl", "mkdir", "rm", "cp", "mv", "which", "man":
		return true
	}
	return false
}

// setting reports the values that keys of configuration files have.
func setting(value string) bool {
	switch strings.Trim(strings.ToLower(value), " \t,;\"'") {
	case "true", "false", "on", "off", "yes", "no", "null", "none", "enabled", "disabled", "0", "1":
		return true
	}
	return false
}

// complains reports what programs say behind a name.
func complains(clause string) bool {
	// Shells and programs put their own name in front: "ulw: command not found".
	for _, start := range [...]string{"command not found", "not found", "no such file", "permission denied", "undefined", "error:", "warning:", "fatal:", "usage:", "unrecognized", "unrecognised", "unknown"} {
		if strings.HasPrefix(strings.ToLower(clause), start) {
			return true
		}
	}
	return false
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
func polite(before string) bool {
	switch strings.TrimRight(before, ", ") {
	case "please", "let's", "let us", "can you", "could you", "would you", "can you please", "could you please", "now", "then", "and then", "next", "first", "ok", "okay", "so", "also", "and":
		return true
	}
	return false
}

// narrates reports sentences that tell something: an order does not start with its subject.
func narrates(before string) bool {
	first, rest, _ := strings.Cut(before, " ")
	switch strings.Trim(first, ",") {
	case "i", "i'm", "i've", "i'd", "we", "we've", "he", "she", "they", "it", "it's", "the", "a", "an", "this", "that", "these", "those", "there", "my", "our", "your", "their", "his", "her",
		"users", "people", "someone", "somebody", "everyone", "nobody", "some", "many", "most", "if", "when", "because", "since", "while", "after", "although",
		"yesterday", "earlier", "previously", "last":
		return !strings.Contains(rest, "want you to") && !strings.Contains(rest, "need you to") && !strings.Contains(rest, "like you to")
	}
	return false
}
