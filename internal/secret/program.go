package secret

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

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

// program hides what a program's options and operands hold, if the word from at to end is its name.
func (s *scan) program(t *rule.SecretProgram, at, end int) {
	if at > 0 && (nameByte(s.text[at-1]) || strings.IndexByte("=$%@+~", s.text[at-1]) >= 0) || end < len(s.text) && strings.IndexByte(" \t\\\r\n;|&)\"'`", s.text[end]) < 0 && !strings.HasPrefix(s.text[end:], ".exe ") {
		return
	}
	p := s.follow(at)
	var list [maxWords]span
	if t.Random {
		// A sentence may name such a program twice. What was guessed behind one is not looked at again behind the next.
		if g := &s.guessed; g.start == p.start && g.quote == p.quote {
			end = max(end, g.at)
		}
		s.guessed = *p
		for _, w := range s.words(end, p.quote, list[:0]) {
			if s.guessed.at = w.to; s.text[w.from] != '-' {
				s.guess(w)
			}
		}
		return
	}
	words := s.words(end, p.quote, list[:0])
	s.spent(16 * len(words))
	given := func(option string) bool {
		return option == "" || slices.ContainsFunc(words, func(w span) bool { return s.is(s.text[w.from:w.to], option) })
	}
	when := len(t.When) == 0 || slices.ContainsFunc(t.When, given)
	file := func(w span) bool {
		w = s.unquoted(w)
		return w.from < w.to && s.text[w.from] != '-' && !strings.ContainsAny(s.text[w.from:w.to], " ,|;(") && s.secretFile(w)
	}
	named := !t.Named || slices.ContainsFunc(words, file)
	if named && slices.ContainsFunc(t.Input, given) {
		s.input(p, words)
	}
	var room [maxWords]span
	operands := room[:0]
	marks := marks(t)
	after, pairs, passed := false, false, false // behind a word of After; behind one of Pairs; behind one that stands for its value
	for i, w := range words {
		word := s.text[w.from:w.to]
		if passed {
			passed = false
			continue
		}
		next := func() (span, bool) {
			if i+1 < len(words) {
				passed = true
				return words[i+1], s.text[words[i+1].from] != '-'
			}
			return span{}, false
		}
		option, from := optionNone, 0
		if word[0] < 128 && marks[word[0]/64]&(1<<(word[0]%64)) != 0 {
			option, from = s.option(t, word, when)
		}
		switch option {
		case optionUser:
			if from > 0 {
				s.user(span{w.from + from, w.to}, ":%,")
			} else if v, ok := next(); ok {
				s.user(v, ":%,")
			}
			continue
		case optionNext:
			if from > 0 {
				s.argument(span{w.from + from, w.to})
			} else if v, ok := next(); ok {
				s.argument(v)
			} else {
				passed = false
			}
			continue
		case optionPair:
			if from > 0 {
				s.user(span{w.from + from, w.to}, "=")
			} else if v, ok := next(); ok {
				s.user(v, "=")
			}
			continue
		case optionValue:
			_, _ = next()
			continue
		case optionAttached:
			s.argument(span{w.from + from, w.to})
			continue
		}
		switch {
		case behind(t.After, word):
			after = true
		case slices.Contains(t.Pairs, word):
			pairs = true
		case strings.HasPrefix(word, "-") && len(word) > 1, t.Slash && strings.HasPrefix(word, "/"):
		case after:
			s.argument(w)
		case pairs && strings.IndexByte(word, '=') > 0:
			s.user(w, "=")
		case slices.ContainsFunc(t.Tail, func(e string) bool { return strings.HasSuffix(strings.TrimRight(word, "\"'\\"), e) }):
			s.argument(w)
		default:
			operands = append(operands, w)
		}
	}
	for _, w := range operands {
		switch {
		case t.Named && named:
			if !file(w) {
				s.parts(w)
			}
		case !when:
		case slices.Contains(t.User, ""):
			s.user(w, "/")
		case slices.Contains(t.User, ":"):
			s.user(w, ":")
		}
	}
	i := t.Operand - 1
	if t.Operand < 0 {
		i = len(operands) + t.Operand
	}
	if t.Operand == 0 || !when || i < 0 || i >= len(operands) {
		return
	}
	v := strings.TrimLeft(s.text[operands[i].from:operands[i].to], "\"'")
	place := func(p string) bool { return strings.HasPrefix(v, p) }
	if !strings.HasPrefix(v, `\\`) && !slices.Contains(t.When, v) && !slices.ContainsFunc(s.table.Secrets.Names.Places, place) {
		s.argument(operands[i])
	}
}

const (
	optionNone = iota
	optionUser
	optionNext
	optionValue
	optionAttached
	optionPair
)

// behind reports that a word is one of After, of which some end in a star.
func behind(list []string, word string) bool {
	return slices.ContainsFunc(list, func(a string) bool {
		if begin, ok := strings.CutSuffix(a, "*"); ok {
			return strings.HasPrefix(word, begin)
		}
		return word == a
	})
}

// option says what a word is to a program, and where in it the value begins, 0 where it is the next word.
func (s *scan) option(t *rule.SecretProgram, word string, when bool) (kind, from int) {
	// "-sSu bob:x" is -s -S -u.
	takes := func(list []string) (int, bool) {
		for _, o := range list {
			switch {
			case o == "":
			case word == o, len(o) == 2 && o[0] == '-' && bundle(word) && word[len(word)-1] == o[1]:
				return 0, true
			case len(word) > len(o) && word[len(o)] == '=' && word[:len(o)] == o:
				return len(o) + 1, true
			}
		}
		return 0, false
	}
	if from, ok := takes(t.User); ok {
		return optionUser, from
	}
	for _, o := range t.User {
		if len(o) == 2 && o[0] == '-' && strings.HasPrefix(word, o) {
			return optionUser, 2
		}
	}
	if from, ok := takes(t.Next); ok && when {
		return optionNext, from
	}
	if from, ok := takes(t.Pair); ok {
		return optionPair, from
	}
	for _, o := range t.Attached {
		if when && strings.HasPrefix(word, o) && len(word) > len(o) {
			return optionAttached, len(o)
		}
	}
	if slices.Contains(t.Values, word) {
		return optionValue, 0
	}
	return optionNone, 0
}

// marks has a bit for each byte that an option of a program begins with: most words are none.
func marks(t *rule.SecretProgram) (bits [2]uint64) {
	for _, list := range [...][]string{t.User, t.Next, t.Pair, t.Attached, t.Values} {
		for _, o := range list {
			if o != "" && o[0] < 128 {
				bits[o[0]/64] |= 1 << (o[0] % 64)
			}
		}
	}
	return bits
}

// bundle reports letters behind one dash.
func bundle(word string) bool {
	if len(word) < 3 || len(word) > 6 || word[0] != '-' {
		return false
	}
	for _, c := range []byte(word[1:]) {
		if c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// is reports that a word is an option or a word of When, or that a short option is among its letters.
func (s *scan) is(word, option string) bool {
	return word == option || len(option) == 2 && option[0] == '-' && bundle(word) && strings.IndexByte(word[1:], option[1]) >= 0
}

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
		next := strings.IndexByte(s.text[end:to], '|')
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

// parts hides what looks like a secret between the signs of a word: s/old/SECRET/.
func (s *scan) parts(w span) {
	for from := w.from; from < w.to; {
		n := strings.IndexAny(s.text[from:w.to], "/|#,@\"'=")
		if n < 0 {
			n = w.to - from
		}
		if spoken(s.text[from : from+n]) {
			s.hide(from, from+n)
		}
		from += n + 1
	}
}

// guess hides a word that looks random.
func (s *scan) guess(w span) {
	w = s.unquoted(w)
	v := s.text[w.from:w.to]
	for strings.HasSuffix(v, `\n`) || strings.HasSuffix(v, `\r`) {
		v = v[:len(v)-2]
	}
	if s.random(v) {
		s.hide(w.from, w.from+len(v))
	}
}

// guesses hides what looks random among the words of a string.
func (s *scan) guesses(w span) {
	w = s.unquoted(w)
	var list [maxWords]span
	for _, one := range s.words(w.from, 0, list[:0]) {
		if one.to <= w.to {
			s.guess(one)
		}
	}
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

// user hides the password behind a user's name.
func (s *scan) user(w span, between string) {
	w = s.unquoted(w)
	i := strings.IndexAny(s.text[w.from:w.to], between)
	if i <= 0 && between == "/" || i < 0 {
		return
	}
	s.argument(span{w.from + i + 1, w.to})
}

// argument hides a word, without the quotes around it.
func (s *scan) argument(w span) {
	w = s.unquoted(w)
	v := s.text[w.from:w.to]
	if opens(v) {
		s.printed(w.from)
	}
	if opens(v) || variable(v) || s.sober && (len(v) < 4 || s.known(v) || strings.ContainsAny(v, "<>{}()[]$") && !slices.ContainsFunc(strings.FieldsFunc(v, bracket), spoken)) {
		return
	}
	s.hide(w.from, w.to)
}

// bracket reports what stands between the words of a structure.
func bracket(r rune) bool { return strings.ContainsRune("[]{}\"' ,:", r) }

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
	begin := i
	for len(list) < maxWords {
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
