package secret

import (
	"slices"
	"strings"
)

// said hides what people write behind their own word for a secret: "the password is x1y2", "비밀번호: x". After a colon or an equals
// sign that is whatever stands there, if the word means nothing else; in a sentence only what looks like a secret.
func (s *scan) said(i int, own, number bool) {
	i, about := s.about(s.gap(i))
	for range 2 {
		if mark := s.colon(i); mark > 1 || mark > 0 && (own || about) {
			if i = s.gap(i + mark); i < len(s.text) {
				s.answer(i)
			}
			return
		}
		n := 0
		for _, link := range s.table.Secrets.Names.Links {
			if len(link) > n && len(s.text)-i > len(link) && strings.EqualFold(s.text[i:i+len(link)], link) && (link[0] >= 0x80 || s.text[i+len(link)] == ' ') {
				n = len(link)
			}
		}
		if n == 0 {
			break
		}
		i = s.gap(i + n)
	}
	if i >= len(s.text) {
		return
	}
	from, to := s.sentenceWord(i)
	s.spent(to - from)
	v := s.text[from:to]
	// Of four digits with letters behind them it may be a year: 2024년.
	number = number && digits(v) && len(v) <= 16 && (len(v) > 4 || to == len(s.text) || s.text[to] < 0x80)
	// identified by 'x'
	literal := s.sober && own && strings.IndexByte("\"'", s.text[i]) >= 0 && s.wary(v) && strings.IndexFunc(v, func(c rune) bool { return c >= 0x80 }) < 0
	if number || literal || spoken(v) && !s.known(v) {
		s.hide(from, to)
	}
}

// about passes by whose secret it is: "the API key for the shop is x". What comes behind has to announce the secret.
func (s *scan) about(i int) (end int, ok bool) {
	names := &s.table.Secrets.Names
	rest := s.text[i:min(len(s.text), i+96)]
	if first := rest[:wordLen(rest)]; !slices.ContainsFunc(names.About, func(w string) bool { return strings.EqualFold(w, first) }) {
		return i, false
	}
	s.spent(len(rest))
	if stop := strings.IndexAny(rest, "\r\n,;()"); stop >= 0 {
		rest = rest[:stop]
	}
	for at := 0; at < len(rest); {
		n := wordLen(rest[at:])
		word := rest[at : at+n]
		switch {
		case at > 0 && slices.Contains(names.Links, word):
			return i + at, true
		case strings.HasSuffix(word, ":"):
			return i + at + n - 1, true
		case strings.HasSuffix(word, "."):
			return i, false
		}
		at += n
		for at < len(rest) && rest[at] == ' ' {
			at++
		}
	}
	return i, false
}

// login hides the password behind a user's name: "log in as bob / x".
func (s *scan) login(i int) {
	end := min(len(s.text), i+96)
	s.spent(end - i)
	for ; i < end && s.text[i] != '\n' && s.text[i] != '\r'; i++ {
		if c := s.text[i]; c != '/' && c != ':' || strings.HasPrefix(s.text[i:], "//") || i > 0 && s.text[i-1] == '/' {
			continue
		}
		from, to := s.sentenceWord(s.gap(i + 1))
		// Behind the sign stands what it is, or its name first: PW: x.
		if strings.HasSuffix(s.text[:i], " ") || s.text[i] == ':' {
			if name := s.gap(to); !s.random(s.text[from:to]) && name > to {
				from, to = s.sentenceWord(name)
			}
		}
		if s.random(s.text[from:to]) {
			s.hide(from, to)
			return
		}
	}
}

// colon is how many bytes a mark has that announces a value; 0 for none.
func (s *scan) colon(i int) int {
	if text := s.text[i:]; strings.HasPrefix(text, ":") && !strings.HasPrefix(text, "://") || strings.HasPrefix(text, "=") {
		return 1
	}
	return s.mark(i)
}

// mark is how many bytes a mark of another writing has that announces a value; 0 for none.
func (s *scan) mark(i int) int {
	if i < len(s.text) && s.text[i] >= 0x80 {
		for _, m := range s.table.Secrets.Names.Marks {
			if strings.HasPrefix(s.text[i:], m) {
				return len(m)
			}
		}
	}
	return 0
}

// answer hides the word that a colon announces.
func (s *scan) answer(i int) {
	from, to, quoted := s.quotedAt(i)
	if !quoted {
		from, to = i, i
		for to < len(s.text) && !closes(s.text[to]) {
			to++
		}
	}
	v := s.text[from:to]
	if variable(v) || s.sober && !s.telling(v) && !(s.loose && s.wary(v)) {
		return
	}
	s.hide(from, to)
}

// gap passes blanks of a line by.
func (s *scan) gap(i int) int {
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t') {
		i++
	}
	return i
}

// quoteMarks stand around a word of a sentence.
const quoteMarks = "\"'`“”‘’„«»「」『』()[]<>"

// sentenceWord gives the next word of a sentence, without quotes and stops. What people write in other letters behind it, such as a
// Korean particle, is no part of it.
func (s *scan) sentenceWord(i int) (from, to int) {
	rest := s.text[i:min(len(s.text), i+256)]
	from = i + len(rest) - len(strings.TrimLeft(rest, quoteMarks))
	to = from
	for to < len(s.text) && to-from < 256 && s.text[to] > ' ' && s.text[to] < 0x7f && strings.IndexByte("\"'`<>();|", s.text[to]) < 0 {
		to++
	}
	for to > from && strings.IndexByte(".,:!?", s.text[to-1]) >= 0 {
		to--
	}
	return from, to
}

// wordLen is how many bytes there are to the next blank.
func wordLen(text string) int {
	if end := strings.IndexAny(text, " \t\r\n"); end >= 0 {
		return end
	}
	return len(text)
}

// spoken reports that a word of a sentence or of an operand looks like a secret: letters with digits or signs among them, and no
// path, option or call.
func spoken(v string) bool {
	if len(v) < 6 || len(v) > 256 || v[0] == '-' || strings.ContainsAny(v, "/\\=$(){}[]<>") {
		return false
	}
	digit, letter, sign := false, false, false
	for i := range len(v) {
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 0x7f:
			return false
		case wordByte(c) && c != '_':
			letter = true
		case strings.IndexByte("!@#%^&*+?~", c) >= 0:
			sign = true
		}
	}
	// A file's name or a version ends in a short part behind a dot.
	if dot := strings.LastIndexByte(v, '.'); dot > 0 && len(v)-dot <= 5 {
		return false
	}
	return letter && (digit || sign)
}

// digits reports a number of four digits or more, such as a PIN.
func digits(v string) bool {
	return len(v) >= 4 && strings.Trim(v, "0123456789") == ""
}

// call hides the strings of a call from the second on: login("bob", "x"); without any those alone that look random.
func (s *scan) call(i int, any bool) {
	n := 0
	for end := min(len(s.text), i+512); i < end && s.text[i] != '\n'; {
		from, to, ok := s.quotedAt(i)
		if !ok {
			if s.text[i] == ')' {
				return
			}
			i++
			continue
		}
		if n++; n > 1 {
			if v := s.text[from:to]; !variable(v) && (s.random(v) || any && (!s.sober || s.telling(v))) {
				s.hide(from, to)
			}
		}
		i = to + 1
		if to < len(s.text) && s.text[to] == '\\' {
			i++
		}
	}
}

// maxLines bounds how many lines of a block are looked at.
const maxLines = 128

// block hides the values of a block, as of a Kubernetes secret: lines that stand further in, or what is in braces.
func (s *scan) block(at, i int) {
	// [secrets] – the block goes up to the next bracket at the beginning of a line.
	if s.text[at] == '[' {
		s.section(at, i)
		return
	}
	// kind: Secret – the block stands further below.
	if strings.IndexByte(s.text[at:i], ':') > 0 {
		i-- // the end of that line
		rest := s.text[i:min(len(s.text), i+4096)]
		if end := strings.Index(rest, "\n---"); end >= 0 {
			rest = rest[:end]
		}
		s.spent(len(rest))
		k := strings.Index(rest, "\ndata:")
		if k < 0 {
			return
		}
		at, i = i+k+1, i+k+len("\ndata:")
	}
	for i < len(s.text) && strings.IndexByte("\"'\\: \t", s.text[i]) >= 0 {
		i++
	}
	if i >= len(s.text) {
		return
	}
	if s.text[i] == '{' {
		s.braces(i + 1)
		return
	}
	if s.text[i] != '\n' && s.text[i] != '\r' {
		return
	}
	line := strings.LastIndexByte(s.text[:at], '\n') + 1
	depth := indent(s.text[line:])
	for n := 0; n < maxLines && i < len(s.text); n++ {
		end := strings.IndexByte(s.text[i:], '\n')
		if end < 0 {
			return
		}
		i += end + 1
		row, _, _ := strings.Cut(s.text[i:], "\n")
		if strings.TrimSpace(row) != "" && indent(row) <= depth {
			return
		}
		if colon := strings.IndexByte(row, ':'); colon >= 0 {
			if from := s.gap(i + colon + 1); from < i+len(row) {
				s.value(from, ':', false)
			}
		} else if text := strings.TrimSpace(row); text != "" && !s.sober {
			s.hide(i, i+len(row)) // a text of several lines
		}
	}
}

// section hides the values of a section of settings.
func (s *scan) section(at, i int) {
	if at > 0 && strings.IndexByte("\n[ ", s.text[at-1]) < 0 && s.text[at-1] < 0x80 {
		return
	}
	for range maxLines {
		end := strings.IndexByte(s.text[i:min(len(s.text), i+4096)], '\n')
		if end < 0 {
			return
		}
		i += end + 1
		row, _, _ := strings.Cut(s.text[i:], "\n")
		if s.spent(len(row)); strings.HasPrefix(row, "[") {
			return
		}
		if sign := strings.IndexAny(row, "=:"); sign > 0 && !strings.ContainsAny(row[:1], "#;") {
			if from := s.gap(i + sign + 1); from < i+len(row) {
				s.value(from, '=', false)
			}
		}
	}
}

// braces hides the values up to the brace that closes.
func (s *scan) braces(i int) {
	for range maxLines {
		end := strings.IndexAny(s.text[i:min(len(s.text), i+4096)], ":}")
		if end < 0 || s.text[i+end] == '}' {
			return
		}
		from := s.gap(i + end + 1)
		if from >= len(s.text) {
			return
		}
		s.value(from, ':', false)
		next := strings.IndexAny(s.text[from:min(len(s.text), from+4096)], ",}")
		if next < 0 || s.text[from+next] == '}' {
			return
		}
		i = from + next + 1
	}
}

// indent counts the blanks before a line.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// streamKey hides the last part of an address of which it is the key: rtmp://host/app/key.
func (s *scan) streamKey(at, host int) {
	low := strings.ToLower(s.text[max(0, at-8):at])
	if !slices.ContainsFunc(s.table.Secrets.Names.Keyed, func(k string) bool { return strings.HasSuffix(low, k) }) {
		return
	}
	end := host
	for end < len(s.text) && end-host < 1024 && !closes(s.text[end]) {
		end++
	}
	path := s.text[host:end]
	if cut := strings.LastIndexByte(path, '/'); cut > 0 && strings.Count(path, "/") > 1 && !variable(path[cut+1:]) {
		s.hide(host+cut+1, end)
	}
}
