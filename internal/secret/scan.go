package secret

import (
	"slices"
	"strings"
)

// stars stand where a secret was.
const stars = "***"

// span is a part of the text that is hidden.
type span struct{ from, to int }

// scan is one walk over one text.
type scan struct {
	table   *Table
	text    string
	wide    bool // what may be a secret counts, too
	sober   bool // but a value behind a name has to look like one
	loose   bool // or to be a word, in what is no text of a program
	numbers bool // or a number, behind the name at hand
	spelled bool // or a word in quotes, behind the name at hand
	spans   []span
	done    int  // end of the last span: what lies before it needs no second look
	named   int  // end of the last name
	aside   bool // a program's words are looked at, and others between them later

	work int   // bytes looked at again behind words
	runs []run // of each format
	line place

	guessed place // behind the last program whose operands may be anything, with the end of the last of them
}

// run is the last run of a format's characters that was measured.
type run struct{ from, to int }

// maxWork bounds what a text may cost beyond the pass over it, in bytes for each byte of it. Ordinary texts stay below one; a text
// that goes beyond was made to.
const maxWork = 16

// spent counts work and reports whether there was too much of it.
func (s *scan) spent(n int) bool {
	s.work += n
	return s.work > maxWork*(len(s.text)+1024)
}

// dear counts a look at a sign, and hides what is left of a text that has cost too much.
func (s *scan) dear(at int) bool {
	if !s.spent(16) {
		return false
	}
	s.hide(at, len(s.text))
	return true
}

// run collects the parts to hide.
func (s *scan) run() {
	t := s.table
	t.Index.each(s.text, func(w *Word, at int) bool {
		if at < s.done {
			return true
		}
		// Nothing is passed by for being expensive: what is left of such a text counts as secret.
		if s.spent(0) {
			s.hide(at, len(s.text))
			return false
		}
		switch end := at + len(w.Text); w.Kind {
		case KindFormat:
			if one, ok := s.format(int(w.Of), at); ok {
				s.hide(one.from, one.to)
			}
		case kindPart, kindEnd, kindHeader:
			s.name(w.Kind, at, end)
		case KindProgram:
			s.aside = true
			s.program(&t.Secrets.Programs[w.Of], at, end)
			s.aside = false
		case kindSaid:
			s.said(end, true, true)
		case kindCall:
			s.call(end, true)
		case kindPut:
			s.call(end, false)
		case kindLogin:
			s.login(end)
		case kindBlock:
			s.block(at, end)
		case kindAddress:
			s.address(at)
		}
		return !s.sober || len(s.spans) == 0
	})
	// Most strings of the journal are a word, which is too short for any of these.
	if len(s.text) > 8 && (!s.sober || len(s.spans) == 0) {
		s.assignments()
		s.redirected()
		s.poured()
	}
}

func (s *scan) hide(from, to int) {
	if from >= to {
		return
	}
	if s.spans == nil {
		s.spans = make([]span, 0, 8)
	}
	s.spans = append(s.spans, span{from, to})
	if !s.aside {
		s.done = max(s.done, to)
	}
}

// masked is the text with stars in the place of what is hidden.
func (s *scan) masked() string {
	if len(s.spans) == 0 {
		return s.text
	}
	slices.SortStableFunc(s.spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, one := range s.spans {
		if one.to <= at {
			continue
		}
		if one.from > at || at == 0 {
			b.WriteString(s.text[at:max(at, one.from)])
			b.WriteString(stars)
		}
		at = one.to
	}
	b.WriteString(s.text[at:])
	return b.String()
}

// address hides who logs in where: user and password before the host, or a token alone.
func (s *scan) address(at int) {
	from := at + len("://")
	end := from
	for end < len(s.text) && end-from < 1024 && strings.IndexByte(" \t\r\n\"'`<>)/?#", s.text[end]) < 0 {
		end++
	}
	s.spent(end - from)
	s.streamKey(at, end)
	sign := strings.LastIndexByte(s.text[from:end], '@')
	if sign <= 0 {
		return
	}
	user, password, two := strings.Cut(s.text[from:from+sign], ":")
	web := at > 0 && (strings.HasSuffix(s.text[:at], "http") || strings.HasSuffix(s.text[:at], "https"))
	switch {
	case two && (password == "" || variable(password)), !two && (!web || variable(user)):
	case !s.sober:
		s.hide(from, from+sign)
	// A user's name alone is no secret where something is to be kept out for it.
	case two && password != user && s.telling(password), !two && len(user) >= 10 && s.telling(user):
		s.hide(from, from+sign)
	}
}

// variable reports that a value is no text of its own but stands for one: a variable, the output of a command, a placeholder.
func variable(v string) bool {
	if len(v) < 2 {
		return false
	}
	switch v[0] {
	case '$':
		if v[1] == '(' || strings.HasPrefix(v, "${{") || v[1] == '{' && strings.HasSuffix(v, "}") {
			return true
		}
		for i := 1; i < len(v); i++ {
			if !wordByte(v[i]) {
				return false
			}
		}
		return true
	case '`':
		return true
	case '<':
		return v[len(v)-1] == '>'
	case '%':
		return v[len(v)-1] == '%' && len(v) > 2
	case '{':
		return strings.HasPrefix(v, "{{")
	}
	return false
}

// telling reports that a value looks like a secret and not like a word of a program.
func (s *scan) telling(v string) bool {
	if len(v) < 6 || len(v) > 4096 || variable(v) || s.known(v) {
		return false
	}
	digit, letter := false, false
	for i := range len(v) {
		switch c := v[i]; {
		case c <= ' ' || strings.IndexByte("()[]{}<>$", c) >= 0:
			return false
		case c >= '0' && c <= '9':
			digit = true
		case wordByte(c) || c >= 0x80:
			letter = true
		}
	}
	return digit && letter || len(v) >= 12 && entropy(v) >= 3.3 && !strings.ContainsAny(v, ".:/")
}
