package jit

import (
	"slices"
	"strings"
)

// patch recognises the lines of a change without a head: a "-" line beside a "+" line. A list has either mark, not
// both in turn.
func (z *zoner) patch(from, to int) bool {
	other := byte('-')
	switch z.text[from] {
	case '-':
		other = '+'
	case '+':
	default:
		return false
	}
	// Only neighbours count: a "-" list far from a "+" list is no patch.
	starts := func(at int) bool { return at < len(z.text) && z.text[at] == other }
	return starts(to+1) || from > 0 && starts(strings.LastIndexByte(z.text[:from-1], '\n')+1)
}

// How much of the text a pasted line stands for.
const (
	notPasted = iota
	oneLine
	wholeBlock
)

// pasted recognises lines that a program wrote: quotes, tables, diffs, logs, traces, shell sessions, and
// transcripts of other conversations.
func (z *zoner) pasted(l string, indent int) int {
	switch l[0] {
	// Quoted mail and tables.
	case '>', '|':
		return oneLine
	case '$', '%':
		if len(l) > 1 && l[1] == ' ' { // a command, and below it what it printed
			return wholeBlock
		}
	case '+', '-':
		if strings.HasPrefix(l, "+++ ") || strings.HasPrefix(l, "--- ") && len(l) > 4 {
			return wholeBlock
		}
	case '@':
		if strings.HasPrefix(l, "@@ ") {
			return wholeBlock
		}
	// [2026-11-21 10:00:00] and [INFO] are logs, [ulw] is a mode.
	case '[':
		if i := strings.IndexByte(l, ']'); i > 0 && (i > 5 && digits(l[1:i]) >= 4 || z.level(l[1:i])) {
			return oneLine
		}
	// A line of JSON, as structured logs write it.
	case '{':
		if len(l) > 1 && (l[1] == '"' || l[1] == ' ' && len(l) > 2 && l[2] == '"') {
			return oneLine
		}
	}
	// What tells a pasted line stands at its start; long lines are not searched.
	head := l[:min(len(l), 40)]
	word := head
	if before, _, ok := strings.Cut(head, " "); ok {
		word = before
	}
	if n := z.blockWord(l, word, indent); n != notPasted {
		return n
	}
	bare := strings.TrimSuffix(word, ":")
	// "Error: x" and "ERROR x" are logs; "Error handling is missing" is a sentence.
	if z.level(bare) && (len(bare) < len(word) || strings.ToUpper(word) == word) {
		return oneLine
	}
	if logTime(head) {
		return oneLine
	}
	return notPasted
}

// blockWord tells the lines of programs from prose that starts with the same word.
func (z *zoner) blockWord(l, word string, indent int) int {
	behind := l[len(word):]
	rest := strings.TrimLeft(behind, " ")
	switch word {
	case "PS": // PowerShell
		if len(rest) > 3 && rest[1] == ':' && strings.Contains(rest, ">") {
			return wholeBlock
		}
	case "commit":
		// git log; a sentence that starts with "commit" has no hash of forty letters.
		if n := len(strings.TrimSpace(rest)); n == 40 && digits(rest) > 4 {
			return wholeBlock
		}
	case "at": // "    at f (file.js:1:2)", "at java.lang.X(Y.java:3)"
		if strings.Contains(rest, "(") && strings.Contains(rest, ":") && indent > 0 {
			return oneLine
		}
	}
	if !z.first[word[0]] {
		return notPasted
	}
	for _, r := range z.marks {
		switch {
		case slices.Contains(r.Blocks, word):
			return wholeBlock
		case slices.Contains(r.Singles, word):
			return oneLine
		default:
			for _, s := range r.Starts {
				if s.Word == word && slices.ContainsFunc(s.Then, func(t string) bool { return strings.HasPrefix(behind, t) }) {
					if s.Block {
						return wholeBlock
					}
					return oneLine
				}
			}
		}
	}
	return notPasted
}

// level reports the words by which logs grade their lines.
func (z *zoner) level(w string) bool {
	if w == "" || !z.first[w[0]] {
		return false
	}
	for _, r := range z.marks {
		for _, l := range r.Levels {
			if len(l) == len(w) && l[0] == w[0]&^0x20 && strings.EqualFold(l, w) {
				return true
			}
		}
	}
	return false
}

// logTime recognises a date or time of day at the start of a line: 2026-11-21T…, 12:03:44, Nov 21 12:03:44.
func logTime(head string) bool {
	d := 0
	for d < len(head) && '0' <= head[d] && head[d] <= '9' {
		d++
	}
	if d > 0 {
		rest := head[d:]
		switch {
		// 2026-11-21 or 2026/11/21, and in the same stretch a time.
		case d == 4 && len(rest) > 5 && (rest[0] == '-' || rest[0] == '/') && digits(rest[:6]) >= 4:
			return strings.ContainsAny(head, "T:") // a date alone may open a sentence
		case d == 2 && len(rest) > 5 && rest[0] == ':' && rest[3] == ':' && digits(rest[:6]) == 4:
			return true
		}
		return false
	}
	// The dates of syslog, with a day of one digit or two.
	return len(head) > 14 && head[3] == ' ' && (head[6] == ' ' || head[5] == ' ') && strings.Count(head[6:], ":") >= 2 && digits(head[4:15]) >= 6
}

// digits counts them: times and hashes are told by how many they hold.
func digits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if '0' <= s[i] && s[i] <= '9' {
			n++
		}
	}
	return n
}
