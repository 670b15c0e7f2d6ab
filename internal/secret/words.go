package secret

import "strings"

// place is how far a line has been followed: which quote is open, and where the simple command began.
type place struct {
	at, start int
	quote     byte
	open      int  // behind the quote
	fed       span // the commands before a pipe into this one
}

// follow goes on to a place of the text.
func (s *scan) follow(to int) *place {
	p := &s.line
	for ; p.at < to; p.at++ {
		switch c := s.text[p.at]; {
		case c == '\\':
			p.at++
		case p.quote != 0 && c == p.quote:
			p.quote = 0
		case c == '"', c == '`', c == '\'' && (p.at == 0 || !wordByte(s.text[p.at-1])): // no apostrophe
			if p.quote == 0 {
				p.quote, p.open = c, p.at+1
				if c != '"' && c != '\'' {
					p.quote, p.start, p.fed = 0, p.at+1, span{}
				}
			}
		case c == '\n' && p.quote != 0: // a string over lines
		case c == '\n' && p.fed.to > 0 && strings.TrimLeft(s.text[p.fed.to+1:p.at], " \t\r\n") == "": // a pipe goes on there
			p.start = p.at + 1
		case c == '\n', c == ';', c == '&', c == '(', c == '|':
			if pipe := c == '|' && !strings.HasPrefix(s.text[p.at:], "||"); pipe {
				from := p.start
				if p.quote != 0 { // a command line in quotes
					from = max(p.start, p.open)
				}
				if strings.TrimSpace(s.text[from:p.at]) == "}" { // { echo x; } | program
					s.spent(from)
					from = max(0, strings.LastIndexByte(s.text[:from], '{'))
				}
				if p.fed.to == 0 || p.fed.from < p.open && p.quote != 0 {
					p.fed.from = from
				}
				p.fed.to = p.at
			} else {
				p.fed = span{}
			}
			if strings.HasPrefix(s.text[p.at:], "||") {
				p.at++
			}
			p.start = p.at + 1
		}
	}
	return p
}

// maxWords bounds how much of a command is looked at behind a program's name.
const maxWords = 48

func (s *scan) unquoted(w span) span {
	for w.to-w.from >= 2 && s.text[w.from] == s.text[w.to-1] && (s.text[w.from] == '"' || s.text[w.from] == '\'') {
		w.from, w.to = w.from+1, w.to-1
	}
	if w.from < w.to && (s.text[w.to-1] == '"' || s.text[w.to-1] == '\'') && strings.IndexByte(s.text[w.from:w.to-1], s.text[w.to-1]) < 0 {
		w.to--
	}
	return w
}

// words takes the rest of a simple command apart. Inside a quote it ends with it.
func (s *scan) words(i int, quote byte, list []span) []span {
	return s.fewWords(i, quote, maxWords, list)
}

// fewWords is words for the first of them alone.
func (s *scan) fewWords(i int, quote byte, most int, list []span) []span {
	begin := i
	for len(list) < most {
		for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t' || s.text[i] == '\\' && i+1 < len(s.text) && s.text[i+1] == '\n') {
			if s.text[i] == '\\' {
				i++
			}
			i++
		}
		from := i
		var open byte
	word:
		for ; i < len(s.text); i++ {
			switch c := s.text[i]; {
			case c >= 'a' && c <= 'z': // most are
			case open != 0:
				if c == open {
					open = 0
				} else if c == '\\' && open == '"' {
					i++
				}
			case c == '\\' && i+1 < len(s.text) && s.text[i+1] != '\n':
				i++
			case c == '$' && i+1 < len(s.text) && s.text[i+1] == '(':
				// Behind the parenthesis is a command of its own.
				if end := strings.IndexByte(s.text[i:], ')'); end >= 0 {
					i += end
				}
			case c == quote, c == ' ', c == '\t', c == '\n', c == '|', c == ';', c == '&', c == ')', c == '`', c == '\\':
				break word
			case c == '"' || c == '\'':
				if strings.IndexByte(s.text[i+1:min(len(s.text), i+1+1024)], c) >= 0 {
					open = c
				}
			}
		}
		i = min(i, len(s.text))
		if i == from {
			break
		}
		list = append(list, span{from, i})
	}
	s.spent(i - begin)
	return list
}
