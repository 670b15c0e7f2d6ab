package shell

import (
	"slices"
	"strings"
)

// Text that no shell would accept is mostly prose, or a command with a broken end.
// It is cut at whatever separates commands, quotes are taken off, and the pieces
// are followed like commands, all of them conditional.

// crude splits text that does not parse into what looks like commands, so that
// a broken end does not hide what comes before it. Everything it finds is
// conditional: a shell would most likely refuse the line.
func (e *engine) crude(text string, offset int, c *ctx) {
	n := *c
	n.cond = true
	var words []Word
	var b strings.Builder
	start, open := 0, false
	comment := false  // in what may be one: it ends with its line, and what stands in it quotes nothing
	var within []Span // quoted text in which a shell looks for commands
	word := func(end int) {
		if open && e.spend(2+(end-start)/8, c) {
			words = append(words, e.homed(text[start:end], lit(b.String(), c.src.at(offset+start, offset+end))))
		}
		b.Reset()
		open = false
	}
	flush := func(end int) {
		word(end)
		for len(words) > 0 && e.tables.Sh.Keywords.Has(words[0].Text) {
			words = words[1:]
		}
		if len(words) > 0 && e.tick(c) {
			span := Span{words[0].Span[0], words[len(words)-1].Span[1]}
			e.run(&simple{args: words, span: span}, &n)
		}
		words = nil
	}
	put := func(i int, s string) {
		if !open {
			start, open = i, true
		}
		b.WriteString(s)
	}
	e.work.Take(len(text) / 8) // each byte is looked at, whether a word comes of it or not
	for i := 0; i < len(text) && !e.stopped; i++ {
		ch := text[i]
		comment = ch != '\n' && (comment || ch == '#' && !open)
		switch ch {
		case ' ', '\t', '\r':
			// zsh needs no "then": if [[ -d x ]] { rm -rf x }
			if b.String() == "{" && open && i-start == 1 {
				b.Reset()
				open = false
				flush(i)
				continue
			}
			word(i)
		case '\n', ';', '|', '&', '(', ')', '`', '<', '>':
			flush(i)
		case '\\':
			// Backquotes in backquotes are written with a backslash, those in them with three, and so on: the parser takes them for
			// something else, and shells run what is in them.
			if n := backslashes(text[i:]); i+n < len(text) && text[i+n] == '`' {
				flush(i)
				i += n
				continue
			}
			if n := lineBreak(text[i+1:]); n > 0 {
				if comment {
					flush(i)
					comment = false
				}
				i += n
				continue
			}
			if i+1 < len(text) {
				put(i, text[i+1:i+2])
				i++
			}
		case '\'', '"':
			if comment {
				put(i, text[i:i+1])
				continue
			}
			end := strings.IndexByte(text[i+1:], ch)
			if end < 0 {
				put(i, "")
				continue
			}
			inner := text[i+1 : i+1+end]
			put(i, inner)
			if at := strings.IndexAny(inner, "$`"); ch == '"' && at >= 0 {
				within = append(within, Span{i + 1 + at, i + 1 + end})
			}
			i += end + 1
		default:
			put(i, text[i:i+1])
		}
	}
	flush(len(text))
	// Quotes do not nest here, and what they hold has fewer of them: this ends.
	for _, q := range within {
		if part := text[q[0]:q[1]]; strings.Contains(part, "$(") || strings.Contains(part, "`") {
			e.crude(part, offset+q[0], c)
		}
	}
}

// lineBreak is the length of the line break that a text begins with, 0 for none.
func lineBreak(text string) int {
	for _, end := range []string{"\n", "\r\n"} {
		if strings.HasPrefix(text, end) {
			return len(end)
		}
	}
	return 0
}

// backslashes counts those that a text begins with.
func backslashes(text string) int { return len(text) - len(strings.TrimLeft(text, `\`)) }

// homed puts the home folder in for what stands for it at the beginning of a word, as
// written: of all expansions the one that must not be missed.
func (e *engine) homed(written string, w Word) Word {
	for _, home := range e.tables.Sh.Home {
		rest, ok := strings.CutPrefix(written, home)
		if !ok || rest != "" && rest[0] != '/' && rest[0] != '"' {
			continue
		}
		tail := strings.TrimPrefix(w.Text, strings.TrimPrefix(home, `"`))
		if e.opt.Home == "" {
			w.Text, w.Tilde = "~"+tail, true
		} else {
			w.Text = e.opt.Home + tail
		}
		break
	}
	return w
}

// commandLike reports whether text that is no command where it stands is one all
// the same: it begins with a program that destroys, and an option of it. So
// sums, prose and programs in other languages are left alone.
func (e *engine) commandLike(text string) bool {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if !slices.Contains(e.tables.Destroyers, name) {
		return false
	}
	rest = strings.TrimSpace(rest)
	switch {
	case name == "dd":
		return strings.HasPrefix(rest, "if=") || strings.HasPrefix(rest, "of=")
	case name == "git":
		return strings.Contains(rest, " -")
	}
	return len(rest) > 1 && rest[0] == '-' && (rest[1] == '-' || rest[1] >= 'A' && rest[1] <= 'z') || name == "sudo" && e.commandLike(rest)
}
