package jit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/rule"
)

// maxPrompt bounds what is looked at: words beyond a megabyte of pasted text are not the user's.
const maxPrompt = 1 << 20

// maxHits bounds how many words of the table are looked at: a text with more of them was not typed.
const maxHits = 4096

// A Prompt is a user's prompt with the rules that it may call. One pass over the text finds every place
// where a word, command, agent or form of the table stands; only when there is one are the parts of the
// text looked for that do not count.
type Prompt struct {
	table []rule.Context
	text  string
	hits  []hit
}

// hit is a place in the text where a needle stands as a word of its own.
type hit struct {
	*needle
	at, end int
	name    string // agent: its name
	zone    kind
}

// Parse looks at a prompt with the rules of a table. Nothing outside the text is touched.
func Parse(table []rule.Context, prompt string) *Prompt {
	// A word may be cut in two there, which matters to nobody.
	if len(prompt) > maxPrompt {
		prompt = prompt[:maxPrompt]
	}
	// Most prompts have few hits, and a list that grows copies them.
	p := &Prompt{table: table, text: compose(prompt), hits: make([]hit, 0, 32)}
	p.scan(index(table))
	if len(p.hits) > 0 {
		place(p.hits, zones(table, p.text, p.hits[len(p.hits)-1].at))
		p.hits = slices.DeleteFunc(p.hits, func(h hit) bool { return h.zone == hard })
	}
	return p
}

// scan finds the needles of n that stand as whole words.
func (p *Prompt) scan(n *needles) {
	t := p.text
	for i := 0; i+1 < len(t); i++ {
		k := n.kinds[t[i]]
		if k == 0 {
			continue
		}
		if k&needleBit != 0 && n.pairs[t[i]]&(1<<(t[i+1]&pairMask)) != 0 && !p.look(n, i) {
			return
		}
		if k&inWordBit != 0 { // no needle starts within a word
			for i+1 < len(t) && n.kinds[t[i+1]]&inWordBit != 0 {
				i++
			}
		}
	}
}

// look adds the needles that start at i; false means that there are enough of them.
func (p *Prompt) look(n *needles, i int) bool {
	t := p.text
	c := fold(t[i])
	head := fold(t[i+1])
	third := byte(0)
	if i+2 < len(t) {
		third = fold(t[i+2])
	}
	for from, to := n.first[c], n.first[int(c)+1]; from < to; from++ {
		if h := n.heads[from]; h[0] != head || h[1] != third && h[1] != 0 {
			continue
		}
		e := &n.list[from]
		end := matchAt(t, i, e.text)
		if end == 0 || !p.stands(e, i, end) {
			continue
		}
		h := hit{needle: e, at: i, end: end}
		if e.class == agent {
			if h.name, h.end = agentName(t, end); h.name == "" {
				continue
			}
		}
		if p.hits = append(p.hits, h); len(p.hits) == maxHits {
			return false
		}
	}
	return true
}

// fold makes the two cases of a letter one byte, and some other bytes as well: what it says is equal is still to be compared.
func fold(c byte) byte {
	if c < 0x80 {
		return c | 0x20
	}
	return c
}

// isWord reports the ASCII bytes that make up words and names.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// matchAt compares needle with the text at i without regard to ASCII case and gives the end, or 0. A
// slash command is compared exactly, since commands are.
func matchAt(t string, i int, needle string) int {
	if len(t)-i < len(needle) {
		return 0
	}
	exact := needle[0] == '/'
	for k := 0; k < len(needle); k++ {
		c, w := t[i+k], needle[k]
		if c == w {
			continue
		}
		if !exact && 'A' <= c && c <= 'Z' && c+('a'-'A') == w || w == ' ' && c == '-' {
			continue
		}
		return 0
	}
	return i + len(needle)
}

// stands reports whether text[at:end] is a word of its own rather than a part of a longer word, a path, a
// flag, a name in code or an address.
func (p *Prompt) stands(e *needle, at, end int) bool {
	t := p.text
	before, _ := utf8.DecodeLastRuneInString(t[:at])
	after, size := utf8.DecodeRuneInString(t[end:])
	if at == 0 {
		before = ' '
	}
	if end == len(t) {
		after = ' '
	}
	next := rune(' ') // what follows a mark after the word
	if end+size < len(t) {
		next, _ = utf8.DecodeRuneInString(t[end+size:])
	}
	if (before == '(' || before == '[') && at > 1 && (isWord(t[at-2]) || t[at-2] == ':') { // f(x), a[x], git:(x)
		return false
	}
	switch e.class {
	case command:
		if before < utf8.RuneSelf && (isWord(byte(before)) || strings.ContainsRune(`/\:.-@`, before)) {
			return false
		}
		if after < utf8.RuneSelf && (isWord(byte(after)) || after == '/' || after == '\\' || after == '-') {
			return false
		}
		return after != '.' && after != ':' || next >= utf8.RuneSelf || !isWord(byte(next))
	// a@agent-x.example.com is an address.
	case agent:
		return before >= utf8.RuneSelf || !isWord(byte(before)) && before != '.' && before != '/' && before != '-'
	}
	first, _ := utf8.DecodeRuneInString(e.text)
	last, _ := utf8.DecodeLastRuneInString(e.text)
	if first < utf8.RuneSelf {
		if before < utf8.RuneSelf {
			if isWord(byte(before)) || strings.ContainsRune(`/\.-=@#$~:&%+<{`, before) && before != ' ' {
				return false
			}
		} else if isLatin(before) {
			return false
		}
	} else if script(first) == script(before) && script(first) != han && script(first) != 0 {
		return false
	}
	if last < utf8.RuneSelf {
		if after >= utf8.RuneSelf {
			return !isLatin(after)
		}
		if isWord(byte(after)) || after == '=' || after == '(' && e.class == word || after == '>' || after == '}' || after == '@' {
			return false
		}
		if after == '-' && len(t)-end >= 5 && strings.EqualFold(t[end:end+5], "-mode") && (len(t)-end == 5 || !isWord(t[end+5])) {
			return true // ulw-mode
		}
		// A mark that goes straight on to a letter makes a name: ulw.md, test-driven, a/b, x:y, x::y. A colon
		// before CJK text is punctuation.
		if after == ':' && next == ':' {
			return false
		}
		return !strings.ContainsRune(`./\-:'`, after) || next >= utf8.RuneSelf || !isWord(byte(next)) && next != '/' && next != '\\'
	}
	return true
}

// agentName reads the name after "@agent-", or within @"NAME (agent)".
func agentName(t string, end int) (name string, stop int) {
	if t[end-1] == '"' {
		// As the client writes an agent that is picked from its list. The bound is above that of validAgent.
		rest := t[end:min(len(t), end+120)]
		name, _, ok := strings.Cut(rest, " (agent)\"")
		if !ok || !validAgent(name) {
			return "", end
		}
		return name, end + len(name) + len(" (agent)\"")
	}
	stop = end
	for stop < len(t) && (isWord(t[stop]) || t[stop] == '-') {
		stop++
	}
	name = t[end:stop]
	// a@agent-x.example.com and @agent-x/y are no mentions
	if stop < len(t) && (t[stop] == '/' || t[stop] == '@' || t[stop] == '.' && stop+1 < len(t) && isWord(t[stop+1])) {
		return "", end
	}
	if !validAgent(name) {
		return "", end
	}
	return name, stop
}

// validAgent keeps names harmless as parts of a path.
func validAgent(name string) bool {
	if name == "" || len(name) > 80 || name[0] == '-' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if !isWord(name[i]) && name[i] != '-' {
			return false
		}
	}
	return true
}

// called lists the agents in whose name rule i is called; one empty name when it is called by a command or
// a word, none when it is not called.
func (p *Prompt) called(i int) []string {
	r := &p.table[i]
	var names []string
	for _, h := range p.hits {
		name := ""
		switch {
		case h.class == agent:
			if !p.names(r, h.name) {
				continue
			}
			name = h.name
		// Everyday words are those of modes; documents have none.
		case h.rule != i || h.class == everyday:
			continue
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// names reports whether a rule is for the agent. "*" takes those that no other rule names.
func (p *Prompt) names(r *rule.Context, name string) bool {
	if slices.Contains(r.Agents, name) {
		return true
	}
	if !slices.Contains(r.Agents, "*") {
		return false
	}
	for i := range p.table {
		if slices.Contains(p.table[i].Agents, name) {
			return false
		}
	}
	return true
}
