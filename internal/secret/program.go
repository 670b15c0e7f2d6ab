package secret

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

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
		case optionUser, optionPair:
			between := ":%,"
			if option == optionPair {
				between = "="
			}
			if from > 0 {
				s.user(span{w.from + from, w.to}, between)
			} else if v, ok := next(); ok {
				s.user(v, between)
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
// Package argv reads the arguments of calls; here may be prose, so that a cluster is believed for a few letters alone, and every word is looked at.
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

// guesses hides what looks random in a text, quotes and commands in it included.
func (s *scan) guesses(w span) {
	for from := w.from; from < w.to; {
		n := strings.IndexAny(s.text[from:w.to], " \t\n\"'`$()<>;|,")
		if n < 0 {
			n = w.to - from
		}
		s.guess(span{from, from + n})
		from += n + 1
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
