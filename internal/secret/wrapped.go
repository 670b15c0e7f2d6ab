package secret

import (
	"slices"
	"strings"
)

// Bounds of what is looked at behind a name: bytes, lines, words of a list, and rows of a table.
const (
	maxWrapped = 400
	maxBelow   = 5
	maxListed  = 16
	maxRows    = 8
)

// wrapped hides the value of a name that does not stand plainly behind it: on the next line, in a block, a list or another pair of
// brackets, in tags, as another key of the same pair, in the column below.
func (s *scan) wrapped(from, end int) {
	s.spent(64)
	if !s.pair(from, end) && !s.column(from, end) {
		s.inside(from, end)
	}
}

// inside passes over signs and tags behind a name, and judges the word behind them.
func (s *scan) inside(from, end int) {
	i, top := end, min(len(s.text), end+maxWrapped)
	name := strings.ToLower(s.text[from:end])
	seen, quoted, list, lines, tries := false, false, false, 0, 0
	// <NAME type="plain">
	if open := strings.LastIndexByte(s.text[max(0, from-24):from], '<'); open >= 0 && strings.Trim(strings.ToLower(s.text[max(0, from-24)+open+1:from]), "abcdefghijklmnopqrstuvwxyz:") == "" {
		shut := strings.IndexByte(s.text[i:top], '>')
		if shut < 0 || shut > 0 && s.text[i+shut-1] == '/' {
			return
		}
		i, seen = i+shut+1, true
	}
	for i < top {
		s.spent(1)
		switch c := s.text[i]; {
		case c == '\n':
			if lines++; lines > maxBelow {
				return
			}
			i++
			quoted = false
		case c == ':' || c == '=' || c == '|' || c == '>':
			seen = true
			i++
		case c == '[' || c == '(' || c == '{' || c == ',':
			list = list || c != '{'
			i++
		case c == '-' && i+1 < top && s.text[i+1] == ' ':
			list, i = true, i+1
		case c == ' ' || c == '\t' || c == '\r' || c == '*' || c == '\\' || c == '+' || c == '-':
			i++
		case c == '"' || c == '\'' || c == '`':
			quoted = true
			i++
		case strings.HasPrefix(s.text[i:], "<![CDATA["):
			i += len("<![CDATA[")
		case c == '<':
			// A tag; of a here-document, the word that ends it.
			shut := strings.IndexByte(s.text[i:top], '>')
			if strings.HasPrefix(s.text[i:], "<<") {
				shut = strings.IndexByte(s.text[i:top], '\n') - 1
			}
			if shut < 1 {
				return
			}
			i, seen = i+shut+1, true
		case seen && (c == '&' || c == '!'): // what YAML says of a value
			i += wordLen(s.text[i:top])
		case (c == ']' || c == ')') && !seen && lines == 0: // os.environ["NAME"]
			i++
		default:
			to := i
			for to < len(s.text) && to < i+maxWrapped && !closes(s.text[to]) && strings.IndexByte(",)]}<", s.text[to]) < 0 {
				to++
			}
			if to == i {
				return
			}
			next := s.gap(to)
			for next < len(s.text) && strings.IndexByte("\"'", s.text[next]) >= 0 {
				next = s.gap(next + 1)
			}
			v := s.text[i:to]
			key := next < len(s.text) && (s.text[next] == ':' || s.text[next] == '=') || strings.HasSuffix(v, ":")
			switch {
			case key && slices.Contains(s.table.Secrets.Names.Values, strings.ToLower(strings.TrimSuffix(v, ":"))):
				i, seen, list, quoted = next, true, false, false
				continue
			case key:
				return
			case s.likely(v, name, quoted, seen, lines, to):
				s.hide(i, to)
				return
			}
			// "NAME 5 value" of settings that have no sign between.
			number := s.loose && lines == 0 && len(v) == 1
			if tries++; !number && !list || tries > maxListed {
				return
			}
			i, quoted = to, false
			if i < len(s.text) && strings.IndexByte("\"'`", s.text[i]) >= 0 {
				i++
			}
		}
	}
}

// likely judges a word behind a name and signs.
func (s *scan) likely(v, name string, quoted, seen bool, lines, to int) bool {
	if variable(v) || s.known(v) {
		return false
	}
	if digits(v) {
		return seen && s.counted(name)
	}
	last := s.gap(to)
	alone := last >= len(s.text) || strings.IndexByte("\r\n<]\"'`", s.text[last]) >= 0 || s.loose && s.text[last] == ','
	switch {
	case quoted:
		return spoken(v) || s.loose && (s.telling(v) || seen && s.wary(v))
	case !alone:
		return false
	case seen:
		return spoken(v) || s.loose && lines > 0 && s.telling(v)
	}
	// A blank or the end of the line is all that stands between.
	return s.loose && spoken(v)
}

// pair hides the value where a name is the value of another key: name = "TOKEN", and value = "x" beside it.
func (s *scan) pair(from, end int) bool {
	if from == 0 || end >= len(s.text) || s.text[from-1] != s.text[end] || strings.IndexByte("\"'", s.text[end]) < 0 {
		return false
	}
	next := s.gap(end + 1)
	if next >= len(s.text) || strings.IndexByte(",{\r\n", s.text[next]) < 0 {
		return false
	}
	rest := s.text[next:min(len(s.text), next+maxWrapped)]
	if shut := strings.IndexByte(rest, '}'); shut >= 0 {
		rest = rest[:shut]
	}
	s.spent(len(rest))
	for i := 0; i < len(rest); {
		n := 0
		for i+n < len(rest) && nameByte(rest[i+n]) {
			n++
		}
		if n == 0 {
			i++
			continue
		}
		key := strings.ToLower(rest[i : i+n])
		if i += n; !slices.Contains(s.table.Secrets.Names.Values, key) {
			continue
		}
		at := next + i
		if at < len(s.text) && strings.IndexByte("\"'", s.text[at]) >= 0 {
			at++
		}
		if at = s.gap(at); at+1 < len(s.text) && (s.text[at] == ':' || s.text[at] == '=') {
			if at = s.gap(at + 1); at < len(s.text) {
				before := len(s.spans)
				s.value(at, ':', false)
				return len(s.spans) > before
			}
		}
	}
	return false
}

// column hides what stands below a name that is the head of a column, in a table with signs between its cells.
func (s *scan) column(from, end int) bool {
	start := strings.LastIndexByte(s.text[max(0, from-maxWrapped):from], '\n') + 1 + max(0, from-maxWrapped)
	stop := strings.IndexByte(s.text[end:min(len(s.text), end+maxWrapped)], '\n')
	if stop < 0 {
		return false
	}
	stop += end
	head := s.text[start:stop]
	s.spent(len(head))
	between := ""
	for _, sign := range [...]string{"|", "\t", ",", ";"} {
		if strings.Contains(head, sign) {
			between = sign
			break
		}
	}
	if between == "" {
		return false
	}
	n := strings.Count(s.text[start:from], between)
	if cellOf(head, between, n) != s.text[from:end] {
		return false
	}
	all := strings.Count(head, between)
	for at := stop + 1; all > 0 && at < len(s.text); {
		row, _, _ := strings.Cut(s.text[at:min(len(s.text), at+4*maxWrapped)], "\n")
		if s.spent(len(row)); strings.Count(row, between) != all || at > stop+maxRows*maxWrapped {
			return false
		}
		v := cellOf(row, between, n)
		if i := strings.LastIndex(row, v); spoken(v) || s.loose && (s.wary(v) || s.telling(v)) && v != "" {
			s.hide(at+i, at+i+len(v))
			return true
		}
		at += len(row) + 1
	}
	return false
}

// cellOf is the cell of that number, without what stands around its text.
func cellOf(row, between string, n int) string {
	for range n {
		_, row, _ = strings.Cut(row, between)
	}
	cell, _, _ := strings.Cut(row, between)
	return strings.Trim(cell, " \t\r\"'`*_")
}

// wary reports that a value can be a secret as people choose them, be it a word of a language. What stands beside the name of a
// secret in settings is one, unless it is a label, a version, an address or says nothing.
func (s *scan) wary(v string) bool {
	if len(v) < 4 || len(v) > 256 || variable(v) || s.known(v) || slices.Contains(s.table.Secrets.Names.Plain, strings.ToLower(v)) {
		return false
	}
	letter := false
	for i := range len(v) {
		switch c := v[i]; {
		case c <= ' ' || strings.IndexByte("()[]{}<>$/\\:|,;%*", c) >= 0:
			return false
		case wordByte(c) && (c < '0' || c > '9') || c >= 0x80:
			letter = true
		}
	}
	if !letter || v[0] == '^' || v[0] == '~' || version(v) {
		return false
	}
	low := strings.ToLower(v)
	for _, list := range [...][]string{s.table.Secrets.Names.Parts, s.table.Secrets.Names.Said} {
		if slices.ContainsFunc(list, func(w string) bool { return strings.Contains(low, w) }) {
			return false // "password": "Password"
		}
	}
	return true
}

// version reports a number with dots, perhaps behind a v: v1.2.3-rc1.
func version(v string) bool {
	v = strings.TrimPrefix(v, "v")
	n := 0
	for n < len(v) && (v[n] >= '0' && v[n] <= '9' || v[n] == '.') {
		n++
	}
	return n >= 3 && strings.IndexByte(v[:n], '.') > 0
}

// bare reports that a text is nothing but what looks like a secret, perhaps with the name of a user before it.
func bare(text string) bool {
	text = strings.Trim(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	if len(text) < 8 || len(text) > 512 {
		return false
	}
	if strings.ContainsAny(text, " \t") || strings.Count(text, ".") > 1 {
		return false // prose, the name of a package
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' || r == ':' })
	last := words[len(words)-1]
	return len(words) <= 2 && len(last) >= 8 && !version(last) && spoken(last)
}
