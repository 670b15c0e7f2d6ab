package secret

import (
	"slices"
	"strings"
)

// nameByte tells what names of variables, options, fields and headers are made of.
func nameByte(b byte) bool { return wordByte(b) || b == '-' || b == '.' }

// name hides the value behind a name, if the word that stands from at to end makes it one.
func (s *scan) name(kind uint16, at, end int) {
	from, end, weak, ok := s.nameAt(kind, at, end)
	if !ok || s.outcome(from, end) {
		return
	}
	before := len(s.spans)
	s.valueOf(kind, from, end, weak)
	if kind != kindHeader && len(s.spans) == before && !s.tuple(from, end) && !s.sober && !weak {
		s.pair(from, end)
	}
	if s.sober && len(s.spans) == 0 && kind != kindHeader && (!weak || s.counted(strings.ToLower(s.text[from:end]))) {
		s.wrapped(from, end)
	}
}

// nameAt gives the whole name around the word that stands from at to end, and whether it is one that a secret has.
func (s *scan) nameAt(kind uint16, at, end int) (from, to int, weak, ok bool) {
	if at < s.named && kind != kindHeader {
		return 0, 0, false, false // this one has been looked at
	}
	names := &s.table.Secrets.Names
	from = at
	for from > 0 && at-from < maxName && nameByte(s.text[from-1]) {
		from--
	}
	// -HName: value
	if kind == kindHeader && from < at && s.text[from:at] == "-H" {
		from = at
	}
	for top := end + maxName; end < len(s.text) && end < top && nameByte(s.text[end]); {
		end++
	}
	s.spent(2 * (end - from))
	name := strings.ToLower(s.text[from:end])
	switch kind {
	case kindPart:
		s.named = end
	case kindHeader:
		if end-from != len(strings.TrimLeft(name, "-")) || !slices.Contains(names.Headers, name) {
			return 0, 0, false, false // a part of another name, which is looked at for itself
		}
	case kindEnd:
		if !slices.ContainsFunc(names.Ends, func(e string) bool { return strings.HasSuffix(name, e) }) {
			if weak = slices.Contains(names.Weak, name[strings.LastIndexAny(name, "._-")+1:]); !weak {
				return 0, 0, false, false
			}
		}
	}
	if kind != kindHeader && (slices.ContainsFunc(names.Not, func(w string) bool { return strings.Contains(name, w) }) ||
		slices.ContainsFunc(names.NotEnds, func(w string) bool { return strings.HasSuffix(name, w) })) {
		return 0, 0, false, false
	}
	return from, end, weak, true
}

// valueOf hides the value of the name that stands from from to end.
func (s *scan) valueOf(kind uint16, from, end int, weak bool) {
	name := strings.ToLower(s.text[from:end])
	// ${NAME:-value}
	if strings.HasSuffix(s.text[:from], "${") {
		if end+1 < len(s.text) && s.text[end] == ':' {
			shut := strings.IndexByte(s.text[end:min(len(s.text), end+1024)], '}')
			switch sign := strings.IndexByte("-=+", s.text[end+1]) >= 0; {
			case shut < 0:
			case sign:
				s.argument(span{end + 2, end + shut})
			case spoken(s.text[end+1 : end+shut]): // ${name:value} of Java
				s.hide(end+1, end+shut)
			}
		}
		return
	}
	sep, i := s.separator(from, end)
	if sep == ':' && from > 0 && s.text[from-1] == '$' {
		return // "$PWD":/w
	}
	option := strings.HasPrefix(name, "-")
	switch {
	case sep == ' ' && weak && !(option && i < len(s.text) && s.optional(name, s.text[i:i+wordLen(s.text[i:])])):
		if !option && s.counted(name) {
			s.said(end, false, true)
		}
		return
	case sep == ' ' && kind == kindHeader && i < len(s.text) && strings.IndexByte("\"'", s.text[i]) >= 0: // of a proxy's settings
		s.header(from, i)
		return
	case sep == ' ' && !option && s.sober && s.loose && s.alone(from, i):
	case sep == ' ' && !option && !s.setting(from, i):
		s.said(end, false, s.counted(name))
		return
	case sep == 0 || i >= len(s.text):
		return
	}
	if kind == kindHeader && sep == ':' {
		s.header(from, i)
		return
	}
	s.numbers, s.spelled = s.sober && s.counted(name), s.sober && s.chosen(name)
	s.value(i, sep, weak)
	s.numbers, s.spelled = false, false
}

// outcome reports a verdict and what it is about, which are no name and value: "PASS: looks fine", "--- PASS: TestX (0.00s)".
func (s *scan) outcome(from, end int) bool {
	if !slices.Contains(s.table.Secrets.Names.Outcomes, s.text[from:end]) {
		return false
	}
	sep, value := s.separator(from, end)
	if sep != ':' || value >= len(s.text) || s.text[value-1] != ' ' {
		return false
	}
	rest := s.text[value:min(len(s.text), value+128)]
	if line := strings.IndexByte(rest, '\n'); line >= 0 {
		rest = rest[:line]
	}
	word, more, _ := strings.Cut(rest, " ")
	s.spent(len(rest))
	if took := strings.TrimSpace(more); word != "" && strings.HasPrefix(took, "(") && strings.HasSuffix(took, "s)") &&
		slices.ContainsFunc(s.table.Secrets.Names.Reports, func(mark string) bool { return strings.HasSuffix(s.text[:from], mark) }) {
		return true
	}
	letters := strings.TrimFunc(word, func(r rune) bool { return strings.ContainsRune(",;—–", r) })
	return strings.TrimSpace(more) != "" && letters != "" && !strings.ContainsFunc(letters, func(r rune) bool { return r < 128 && !nameByte(byte(r)) || r >= '0' && r <= '9' })
}

// optional reports that the word behind an option with a weak name may be a secret.
func (s *scan) optional(name, v string) bool { return spoken(v) || digits(v) && s.counted(name) }

// counted reports that the secret of a name may be a number: a PIN.
func (s *scan) counted(name string) bool {
	name = strings.TrimRight(name, "0123456789")
	return slices.Contains(s.table.Secrets.Names.Numbers, name[strings.LastIndexAny(name, "._-")+1:])
}

// alone reports that a name and one word behind it are all of a line, as settings are written: requirepass x.
func (s *scan) alone(from, value int) bool {
	line := s.text[max(0, from-80):from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	rest := s.text[value:min(len(s.text), value+512)]
	if end := strings.IndexAny(rest, "\r\n"); end >= 0 {
		rest = rest[:end]
	}
	s.spent(len(line) + len(rest))
	return strings.TrimSpace(line) == "" && rest != "" && !strings.ContainsAny(strings.TrimSpace(rest), " \t")
}

// chosen reports that people choose the secret of a name: a password, and no key.
func (s *scan) chosen(name string) bool {
	name = strings.TrimRight(name, "0123456789")
	return slices.ContainsFunc(s.table.Secrets.Names.Numbers, func(w string) bool { return len(w) > 4 && strings.HasSuffix(name, w) }) || s.counted(name)
}

// separator finds what stands between a name and its value, and where the value begins: '=', ':', or ' ' where there is nothing
// but blanks, '<' where a tag closes behind it; 0 where there is no value.
func (s *scan) separator(name, i int) (sep byte, at int) {
	// "name": … and os.environ["NAME"] = …
	start := i
	for i < len(s.text) && i-start < 4 && (strings.IndexByte("\"'\\", s.text[i]) >= 0 || i > start && (s.text[i] == ']' || s.text[i] == ')')) {
		i++
	}
	quoted := i > start
	// <add key="NAME" value="…">; name: NAME, and value: on the next line
	rest := strings.TrimLeft(s.text[i:min(len(s.text), i+64)], " \t\r\n")
	if len(rest) > 6 && strings.EqualFold(rest[:5], "value") && (rest[5] == '=' || rest[5] == ':') {
		return '=', s.gap(strings.Index(s.text[i:], rest) + i + 6)
	}
	blanks := s.blanks(i)
	if blanks < len(s.text) {
		if !quoted {
			if p := s.follow(name); p.quote != 0 && p.at == name && s.shuts(blanks, p.quote) || name > 0 && strings.IndexByte("\"'", s.text[name-1]) >= 0 && s.shuts(blanks, s.text[name-1]) {
				return 0, 0 // a prompt: "Password: "
			}
		}
		switch c := s.text[blanks]; {
		case c == '>' && name > 0 && s.text[name-1] == '<' && blanks == i:
			return '<', blanks + 1
		case c == '(' && blanks == i && !quoted && blanks+1 < len(s.text) && strings.IndexByte("\"'", s.text[blanks+1]) >= 0:
			return '=', blanks + 1
		case c == ',' && quoted && name > 1 && s.text[name-2] == '(':
			if at = s.blanks(blanks + 1); at < len(s.text) && strings.IndexByte("\"'", s.text[at]) >= 0 {
				return '=', at
			}
			return 0, 0
		case c == '<' && strings.HasPrefix(s.text[blanks:], "<<<"):
			return '=', s.blanks(blanks + 3)
		case c == ':' && (strings.HasPrefix(s.text[blanks:], "://") || strings.HasPrefix(s.text[blanks:], "::")), c == '=' && strings.HasPrefix(s.text[blanks:], "=="):
			return 0, 0
		case c == ':' && strings.HasPrefix(s.text[blanks:], ":="):
			return '=', s.blanks(blanks + 2)
		case c == '=' && strings.HasPrefix(s.text[blanks:], "=>"):
			return '=', s.blanks(blanks + 2)
		case c == '=' && blanks == i: // NAME= and a blank is an empty value
			if i+1 < len(s.text) && (s.text[i+1] == ' ' || s.text[i+1] == '\n') && (i == start && !s.sober) {
				if next := s.blanks(i + 1); next < len(s.text) && s.text[next] != '"' && s.text[next] != '\'' {
					return 0, 0
				}
			}
			return '=', s.blanks(i + 1)
		case c == '=', c == ':':
			return c, s.blanks(blanks + 1)
		case s.mark(blanks) > 0:
			return ':', s.blanks(blanks + s.mark(blanks))
		}
	}
	if blanks > i && !quoted {
		return ' ', blanks
	}
	return 0, 0
}

// blanks passes blanks by; in what is masked a value may stand on the next line.
func (s *scan) blanks(i int) int {
	for i < len(s.text) {
		switch c := s.text[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == '\\' && i+1 < len(s.text) && s.text[i+1] == '\n':
			i += 2
		case (c == '\n' || c == '\r') && !s.sober:
			i++
		default:
			return i
		}
	}
	return i
}

// shuts reports that a quote closes behind a place, perhaps behind a colon and blanks.
func (s *scan) shuts(i int, quote byte) bool {
	for i < len(s.text) && strings.IndexByte(": \t", s.text[i]) >= 0 {
		i++
	}
	return i < len(s.text) && s.text[i] == quote
}

// setting reports that a name with nothing but a blank behind it is set, as in "npm config set KEY VALUE".
func (s *scan) setting(from, value int) bool {
	names := &s.table.Secrets.Names
	low := max(0, from-120)
	before := s.text[low:from]
	s.spent(len(before))
	if f := strings.Fields(before); len(f) > 1 && f[len(f)-2] == "login" {
		return true // of .netrc: login NAME password WORD
	}
	f := strings.Fields(before[strings.LastIndexAny(before, "\n;|&")+1:])
	if value < len(s.text) && strings.IndexByte("\"'", s.text[value]) >= 0 {
		if slices.ContainsFunc(f, func(w string) bool { return slices.Contains(names.Quotes, strings.ToLower(strings.TrimLeft(w, "\"'"))) }) {
			return true
		}
	}
	return slices.ContainsFunc(f[max(0, len(f)-3):], func(w string) bool { return slices.Contains(names.Sets, strings.ToLower(w)) })
}

// value hides one value: up to the quote that closes it, else to the end of the word.
func (s *scan) value(i int, sep byte, weak bool) {
	if sep == '<' {
		if end := strings.IndexByte(s.text[i:min(len(s.text), i+maxMask)], '<'); end > 0 && !(s.sober && !s.telling(s.text[i:i+end]) && !((s.loose || s.spelled) && s.wary(s.text[i:i+end]))) {
			s.hide(i, i+end)
		}
		return
	}
	if opens(s.text[i:]) {
		s.printed(i)
		return
	}
	if s.text[i] == '-' && sep == ' ' || s.text[i] == '(' || strings.HasPrefix(s.text[i:], "//") && sep == ':' {
		return // the next option; an address
	}
	from, to, quoted := s.quotedAt(i)
	if !quoted {
		from, to = i, i
		for most := min(len(s.text), i+maxMask); to < most && !closes(s.text[to]) && !strings.HasPrefix(s.text[to:], "$("); {
			to++
		}
		// What opens before the value closes behind it.
		for to > from && strings.IndexByte(",)}]\\", s.text[to-1]) >= 0 && strings.IndexByte(s.text[from:to], opener(s.text[to-1])) < 0 {
			to--
		}
	}
	s.spent(to - from)
	v := s.text[from:to]
	place := func(p string) bool { return strings.HasPrefix(v, p) }
	if variable(v) {
		s.printed(from)
	}
	if strings.HasPrefix(v, "%s") || strings.HasPrefix(v, "%q") {
		s.formatted(to)
	}
	if v == "" || strings.Trim(v, "./*") == "" || len(v) == 1 && v[0] >= '0' && v[0] <= '9' || variable(v) || weak && (!s.telling(v) && !digits(v) || strings.Contains(strings.TrimRight(v, "="), "=")) || slices.ContainsFunc(s.table.Secrets.Names.Places, place) || slices.Contains(s.table.Secrets.Names.Plain, strings.ToLower(v)) {
		return
	}
	if s.sober && !s.telling(v) && !(s.numbers && digits(v)) && !((s.loose || s.spelled && quoted) && s.wary(v)) && !(quoted && slices.ContainsFunc(strings.Fields(v), s.telling)) {
		return
	}
	// A call or a field of the program's own: password = getPassword(), self.token_source = token_source.
	if !quoted && (code(v) || s.sober && !s.loose && s.repeats(i, v)) {
		return
	}
	s.hide(from, to)
}

// closes tells where a value without quotes ends.
func closes(b byte) bool {
	switch b {
	case ' ', '\t', '\r', '\n', '"', '\'', '`', ';', '|', '&':
		return true
	}
	return false
}

func opener(b byte) byte {
	switch b {
	case ')':
		return '('
	case '}':
		return '{'
	case ']':
		return '['
	}
	return 0
}

// repeats reports a value that is the name in front of it, or the end of that: a variable that is handed on.
func (s *scan) repeats(at int, v string) bool {
	v = strings.TrimRight(v, ",)")
	name, found := strings.CutSuffix(strings.TrimRight(s.text[max(0, at-len(v)-8):at], " \t:="), v)
	return found && v != "" && (name == "" || !wordByte(name[len(name)-1]) || strings.HasSuffix(name, "_"))
}

// code tells a call from a value: names, dots and a parenthesis.
func code(v string) bool {
	i := strings.IndexByte(v, '(')
	if i <= 0 {
		return false
	}
	for _, c := range []byte(v[:i]) {
		if !wordByte(c) && c != '.' {
			return false
		}
	}
	return true
}

// quotedAt gives what stands in the quotes that open at a place; one behind a backslash, as in JSON inside a string, is one, too.
func (s *scan) quotedAt(i int) (from, to int, ok bool) {
	open := s.text[i:min(i+1, len(s.text))]
	if open == `\` && i+1 < len(s.text) {
		open = s.text[i : i+2]
	}
	if open == "" || !strings.Contains("\"'`", open[len(open)-1:]) || open == "\\`" {
		return 0, 0, false
	}
	from = i + len(open)
	for to = from; to < min(len(s.text), from+maxMask); to++ {
		if strings.HasPrefix(s.text[to:], open) {
			s.spent(to - from)
			return from, to, true
		}
		if s.text[to] == '\\' && open != "'" && len(open) == 1 {
			to++
		}
	}
	s.spent(to - from)
	to = min(to, len(s.text))
	// A quote that nothing closes: the line ends it.
	if end := strings.IndexByte(s.text[from:to], '\n'); end >= 0 {
		return from, from + end, true
	}
	return from, to, true
}

// header hides the value of a header: up to the quote that was opened before its name, else to the end of the line, or of the word
// where no blank comes behind the colon.
func (s *scan) header(name, i int) {
	if from, to, ok := s.quotedAt(i); ok {
		s.headerValue(from, to)
		return
	}
	end := "\r\n"
	if name > 0 && strings.IndexByte("\"'`", s.text[name-1]) >= 0 {
		end = s.text[name-1 : name]
	} else if s.text[i-1] == ':' {
		end = " \t\r\n\"'`"
	}
	to := i
	for to < len(s.text) && strings.IndexByte(end, s.text[to]) < 0 {
		if s.text[to] == '\\' && to+1 < len(s.text) && s.text[to+1] == ' ' {
			to++
		}
		to++
	}
	to = min(to, len(s.text))
	// An unquoted header in a command: a quote closes it that was opened further before.
	if len(end) == 2 {
		if q := strings.IndexAny(s.text[i:to], "\"'`"); q >= 0 {
			to = i + q
		}
	}
	s.headerValue(i, to)
}

func (s *scan) headerValue(from, to int) {
	s.spent(to - from)
	scheme, _, two := strings.Cut(strings.ToLower(s.text[from:to]), " ")
	if two && slices.Contains(s.table.Secrets.Names.Schemes, scheme) {
		from += len(scheme) + 1
	}
	v := s.text[from:to]
	if strings.HasPrefix(v, "%s") {
		s.formatted(to)
	}
	if variable(v) || s.sober && (len(v) < 12 && !s.telling(v) || s.known(v) || strings.ContainsAny(v, "<${")) {
		return
	}
	s.hide(from, to)
}
