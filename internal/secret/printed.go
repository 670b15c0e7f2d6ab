package secret

import (
	"slices"
	"strings"
)

// input hides what is printed into a program that reads a secret: through a pipe, a here-string, a here-document or a file of
// the shell's own.
func (s *scan) input(p *place, words []span) {
	for i, w := range words {
		switch word := s.text[w.from:w.to]; {
		case word == "<<<" && i+1 < len(words):
			s.argument(words[i+1])
		case strings.HasPrefix(word, "<<<"):
			s.argument(span{w.from + 3, w.to})
		case strings.HasPrefix(word, "<<") && len(word) > 2:
			s.document(w.from+2, w.to)
		case word == "<<" && i+1 < len(words):
			s.document(words[i+1].from, words[i+1].to)
		case strings.HasPrefix(word, "<("):
			s.printed(w.from)
		}
	}
	if p.fed.to <= p.fed.from {
		return
	}
	s.prints(p.fed.from, p.fed.to, p.quote)
}

// prints hides the words that a command prints, up to a place, or the first of several with pipes between. Words may stand before:
// sudo echo, or those of a person; and a string alone is printed, in PowerShell.
func (s *scan) prints(from, to int, quote byte) { s.printedBy(from, to, quote, s.argument) }

func (s *scan) printedBy(from, to int, quote byte, hide func(w span)) {
	printed, first := false, true
	for from < to {
		var list [maxWords]span
		end := from
		words := s.words(from, quote, list[:0])
	command:
		for i, w := range words {
			last := i+1 == len(words) || words[i+1].from >= to
			switch word := s.text[w.from:w.to]; {
			case w.to > to:
				return
			case strings.IndexByte("<>", word[0]) >= 0:
				words = words[:i]
				break command
			case printed && word[0] != '-' && !format(word), last && (first || i == 0) && w.to+2 >= to && len(word) > 2 && strings.IndexByte("\"'", word[0]) >= 0 && word[len(word)-1] == word[0]:
				hide(w)
			default:
				printed = printed || slices.Contains(s.table.Secrets.Names.Prints, strings.TrimLeft(word[strings.LastIndexByte(word, '/')+1:], `\`))
			}
		}
		if len(words) > 0 {
			end = words[len(words)-1].to
		}
		if end >= to {
			return
		}
		if len(words) == maxWords && !s.spent(16) { // a prompt of one line
			from = end
			continue
		}
		next := strings.IndexAny(s.text[end:to], "|;\n") // a group has several
		if next < 0 {
			return
		}
		s.spent(next)
		from, printed, first = end+next+1, false, false
	}
}

// format reports a word of printf that holds nothing but places for others.
func format(word string) bool {
	return strings.IndexByte(word, '%') >= 0 && strings.Trim(word, "\"'%sqdbcn\\ ") == ""
}

// opens reports that the output of a command stands for a value.
func opens(v string) bool {
	return strings.HasPrefix(v, "$(") || strings.HasPrefix(v, "<(")
}

// printed hides what a command prints whose output is the value: $(echo x | base64 -d).
func (s *scan) printed(from int) {
	if !opens(s.text[from:]) {
		return
	}
	end := strings.IndexAny(s.text[from:min(len(s.text), from+maxMask)], ")\n")
	if end < 0 {
		end = len(s.text) - from
	}
	s.spent(end)
	s.prints(from+2, from+end, ')')
}

// formatted hides the words that printf puts in the place of a value: printf 'PASSWORD=%s' x.
func (s *scan) formatted(i int) {
	for i < len(s.text) && strings.IndexByte("\"'", s.text[i]) >= 0 {
		i++
	}
	var list [maxWords]span
	for _, w := range s.words(i, 0, list[:0]) {
		if strings.IndexByte("<>", s.text[w.from]) >= 0 {
			return
		}
		s.argument(w)
	}
}

// document hides the lines of a here-document, up to the word that ends it.
func (s *scan) document(from, to int) {
	end := strings.Trim(s.text[from:to], "-\"'\\")
	start := strings.IndexByte(s.text[to:], '\n')
	if end == "" || start < 0 {
		return
	}
	for i := to + start + 1; i < len(s.text); {
		line, _, more := strings.Cut(s.text[i:], "\n")
		s.spent(len(line))
		if strings.TrimSpace(line) == end {
			return
		}
		if text := strings.TrimSpace(line); text != "" && !variable(text) && (!s.sober || slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ':' }), s.telling)) {
			s.hide(i, i+len(line))
		}
		i += len(line) + 1
		if !more {
			return
		}
	}
}
