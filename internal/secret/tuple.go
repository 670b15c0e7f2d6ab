package secret

import "strings"

// maxRowsOf bounds how many rows of values are looked at.
const maxRowsOf = 16

// tuple hides the values of a column: insert into users (name, password) values ('bob', 'x'), ('eve', 'y').
func (s *scan) tuple(from, end int) bool {
	low := max(0, from-maxWrapped)
	s.spent(16)
	open := strings.LastIndexAny(s.text[low:from], "(){};\n")
	if open < 0 || s.text[low+open] != '(' {
		return false
	}
	open += low
	n := strings.Count(s.text[open:from], ",")
	top := min(len(s.text), end+2*maxWrapped)
	shut := strings.IndexByte(s.text[end:top], ')')
	if s.spent(from - open); shut < 0 {
		return false
	}
	i := s.over(end + shut + 1)
	if len(s.text)-i < 8 || !strings.EqualFold(s.text[i:i+6], "values") {
		return false
	}
	s.spent(i - end)
	i = s.over(i + 6)
	found := false
	for range maxRowsOf {
		if i >= len(s.text) || s.text[i] != '(' {
			break
		}
		i++
		for k := 0; i < len(s.text) && s.text[i] != ')'; {
			i = s.over(i)
			a, b, quoted := s.quotedAt(i)
			if !quoted {
				a, b = i, i
				for b < len(s.text) && strings.IndexByte(",)\r\n", s.text[b]) < 0 {
					b++
				}
			}
			if s.spent(b - a + 8) {
				return found
			}
			if v := s.text[a:b]; k == n && quoted && v != "" && !variable(v) && v[0] != '?' && v[0] != ':' && (!s.sober || s.telling(v)) {
				s.hide(a, b)
				found = true
			}
			if i = b; quoted {
				for i < len(s.text) && strings.IndexByte("\\\"'`", s.text[i]) >= 0 {
					i++
				}
			}
			if i = s.over(i); i < len(s.text) && s.text[i] == ',' {
				i++
				k++
			} else {
				break
			}
		}
		if i >= len(s.text) || s.text[i] != ')' {
			break
		}
		if i = s.over(i + 1); i < len(s.text) && s.text[i] == ',' {
			i = s.over(i + 1)
		}
	}
	return found
}

// over passes blanks and line ends by.
func (s *scan) over(i int) int {
	for i < len(s.text) && strings.IndexByte(" \t\r\n", s.text[i]) >= 0 {
		i++
	}
	return i
}
