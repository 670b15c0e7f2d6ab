package secret

import (
	"net/url"
	"slices"
	"strings"
)

// assignments hides values that look random behind a name that says nothing: P=x7Kq29Lm rm a. Every "=" is looked at, which costs
// less than to look for names.
func (s *scan) assignments() {
	for i := 0; i < len(s.text); {
		n := strings.IndexByte(s.text[i:], '=')
		if n < 0 || s.dear(i) {
			return
		}
		i += n + 1
		name := i - 2
		if name > 0 && strings.IndexByte("+:", s.text[name]) >= 0 { // X+=x, ${X:=x}
			name--
		}
		for name >= 0 && s.text[name] == ' ' && i-name < 4 {
			name--
		}
		if name < 0 || !wordByte(s.text[name]) && s.text[name] != ']' {
			continue
		}
		spaced := s.text[i-2] == ' '
		at := s.gap(i)
		if at == i && s.computed(i) {
			continue
		}
		if strings.HasPrefix(s.text[at:], "$'") {
			at++
		}
		from, to, quoted := s.quotedAt(at)
		if !quoted {
			if spaced || at > i {
				continue // X = value is prose, or a program
			}
			from, to = at, at
			for to < len(s.text) && to-from < 1024 && !closes(s.text[to]) && strings.IndexByte(",)}]>", s.text[to]) < 0 {
				to++
			}
		}
		v := s.text[from:to]
		if !quoted && s.inQuery(name) {
			v, _, _ = strings.Cut(v, "#") // where on the page
		}
		if s.random(v) {
			s.hide(from, to)
			i = max(i, to)
		}
	}
}

// computed hides what looks random in a value that is a list, or what a command prints: a=(b x), a=$(echo x). It reports false for any other.
func (s *scan) computed(i int) bool {
	if strings.HasPrefix(s.text[i:], `"`) {
		i++
	}
	switch rest := s.text[i:]; {
	case strings.HasPrefix(rest, "("):
		s.guesses(span{i + 1, s.closed(i+1, ')')})
	case strings.HasPrefix(rest, "$("):
		s.printedBy(i+2, s.closed(i+2, ')'), ')', s.guesses)
	case strings.HasPrefix(rest, "`"):
		s.printedBy(i+1, s.closed(i+1, '`'), '`', s.guesses)
	default:
		return false
	}
	return true
}

// closed is where a sign closes what begins at a place; its line, or enough of it, ends it, too.
func (s *scan) closed(from int, sign byte) int {
	rest := s.text[from:min(len(s.text), from+maxPoured)]
	end := strings.IndexFunc(rest, func(c rune) bool { return c == rune(sign) || c == '\n' })
	if end < 0 {
		end = len(rest)
	}
	s.spent(end)
	return from + end
}

// inQuery reports a name, by its last letter, that is one of an address: ?id=, &id=.
func (s *scan) inQuery(last int) bool {
	for last > 0 && wordByte(s.text[last]) {
		last--
	}
	return s.text[last] == '?' || s.text[last] == '&'
}

// random reports that a value mixes letters, capitals, numbers and signs as words, names and versions do not. One of an address is judged by what
// it stands for: a%20b is two words.
func (s *scan) random(v string) bool {
	if plain, err := url.PathUnescape(v); err == nil && len(v) <= 512 {
		v = plain
	}
	if len(v) < 8 || len(v) > 512 {
		return false
	}
	s.spent(len(v))
	var lower, upper, digit, digits, sign, turns, slashes int
	before := byte(0)
	for i := range len(v) {
		kind := byte(0)
		switch c := v[i]; {
		case c >= 'a' && c <= 'z':
			kind, lower = 'a', 1
		case c >= 'A' && c <= 'Z':
			kind, upper = 'a', 1
		case c >= '0' && c <= '9':
			kind, digit = '0', 1
			digits++
		case strings.IndexByte("!@#%^&*+?~", c) >= 0:
			sign = 1
		case c == '/':
			slashes++
		case c == '-' || c == '_' || c == '=':
		default:
			return false
		}
		if kind != 0 && before != 0 && kind != before {
			turns++
		}
		if kind != 0 {
			before = kind
		}
	}
	switch {
	case lower+upper+digit+sign < 3 || digit == 0 || turns+sign < 3 && (turns < 2 || digits < 3):
		return false
	case slashes > 0 && (slashes > 2 || len(v) < 32 || strings.IndexByte("/.~", v[0]) >= 0 || entropy(v) < 4.3):
		return false
	}
	place := func(p string) bool { return strings.HasPrefix(v, p) }
	return !s.known(v) && !slices.ContainsFunc(s.table.Secrets.Names.Places, place)
}

// redirected hides what is printed into a file that is secret by its name: echo x > ~/.token.
func (s *scan) redirected() {
	for i := 0; i < len(s.text); {
		n := strings.IndexByte(s.text[i:], '>')
		if n < 0 || s.dear(i) {
			return
		}
		sign := i + n
		i = sign + 1
		for i < len(s.text) && (s.text[i] == '>' || s.text[i] == '|') {
			i++
		}
		var room [2]span
		words := s.fewWords(i, 0, len(room), room[:0])
		if len(words) == 0 || sign > 0 && strings.IndexByte("-=<", s.text[sign-1]) >= 0 {
			continue
		}
		if !s.secretFile(s.unquoted(words[0])) {
			continue
		}
		start := s.commandAt(sign)
		s.printedBy(start, sign, 0, s.kept)
		// cat > FILE <<E
		if len(words) > 1 {
			if w := words[1]; strings.HasPrefix(s.text[w.from:w.to], "<<") && !strings.HasPrefix(s.text[w.from:w.to], "<<<") && w.to-w.from > 2 {
				s.document(w.from+2, w.to)
			}
		}
	}
}

// secretFile reports that a word is the name of a file for secrets. A variable may be named so, too: $TOKEN_FILE.
func (s *scan) secretFile(w span) bool {
	v := s.text[w.from:w.to]
	s.spent(4 * len(v))
	if !variable(v) && !strings.HasPrefix(v, "$") {
		return s.table.Named(v)
	}
	low := strings.ToLower(v)
	return slices.ContainsFunc(s.table.Secrets.Names.Parts, func(p string) bool { return strings.Contains(low, p) })
}

// commandAt is where the commands begin that stand before a place, with pipes between them.
func (s *scan) commandAt(at int) int {
	low := max(0, at-maxMask)
	start := at
	for start > low {
		if c := s.text[start-1]; c == ';' || c == '&' || c == '\n' || c == '|' && start > 1 && s.text[start-2] == '|' {
			break
		}
		start--
	}
	s.spent(at - start)
	return start
}

// kept hides a word that is printed into a file with secrets: of NAME=VALUE the value, unless that is a switch or a mode.
func (s *scan) kept(w span) {
	one := s.unquoted(w)
	v := s.text[one.from:one.to]
	if sign := strings.IndexByte(v, '='); sign > 0 && name(v[:sign]) {
		value := s.unquoted(span{one.from + sign + 1, one.to})
		v = s.text[value.from:value.to]
		if len(v) > 3 && strings.IndexByte(v, '$') < 0 && !slices.Contains(s.table.Secrets.Names.Plain, strings.ToLower(v)) {
			s.hide(value.from, value.to)
		}
		return
	}
	s.argument(w)
}

// name reports the name of a variable, perhaps behind a word: export NAME.
func name(v string) bool {
	for _, c := range []byte(v[strings.LastIndexByte(v, ' ')+1:]) {
		if !wordByte(c) && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// maxPoured bounds how much of a command in parentheses is looked at.
const maxPoured = 512

// poured hides what looks random in what a shell hands a program beside its words: prog <<< x, prog <(echo x).
func (s *scan) poured() {
	for i := 0; i < len(s.text); {
		n := strings.IndexByte(s.text[i:], '<')
		if n < 0 || s.dear(i) {
			return
		}
		i += n + 1
		switch {
		case strings.HasPrefix(s.text[i:], "<<"):
			var room [1]span
			words := s.words(s.gap(i+2), 0, room[:0])
			if len(words) > 0 {
				s.guesses(words[0])
			}
			i += 2
			if len(words) > 0 {
				i = words[0].to
			}
		case strings.HasPrefix(s.text[i:], "("):
			s.printedBy(i+1, s.closed(i+1, ')'), ')', s.guesses)
		}
	}
}
