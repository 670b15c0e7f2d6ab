package shell

import "strings"

// braced returns the patterns that one with braces stands for: {a,b}/*.c is a/*.c and b/*.c. Where they become too many, it stays what it is.
func (p *interp) braced(w Word) []Word {
	if w.Kind != Literal || !strings.Contains(w.Text, "{") {
		return []Word{w}
	}
	list, done := []string{w.Text}, 0
	for done < len(list) && p.e.spend(1, p.c) {
		parts := alternatives(list[done])
		if len(list)+len(parts) > maxLoop {
			return []Word{w}
		}
		if parts == nil {
			done++
			continue
		}
		list = append(append(list[:done:done], parts...), list[done+1:]...)
	}
	words := make([]Word, len(list))
	for i, s := range list {
		words[i] = lit(s, w.Span)
	}
	return words
}

// alternatives opens the first braces of a pattern; nil where it has none with a comma in them.
func alternatives(s string) (list []string) {
	for open := strings.IndexByte(s, '{'); open >= 0; {
		end := open + 1 + closeBrace(s[open+1:])
		if end >= len(s) {
			return nil
		}
		depth, from := 0, open+1
		for i := open + 1; i <= end; i++ {
			switch {
			case s[i] == '{':
				depth++
			case s[i] == ',' && depth == 0, i == end && list != nil:
				list = append(list, s[:open]+s[from:i]+s[end+1:])
				from = i + 1
			case s[i] == '}':
				depth--
			}
		}
		if list != nil {
			return list
		}
		next := strings.IndexByte(s[open+1:], '{')
		if next < 0 {
			return nil
		}
		open += 1 + next
	}
	return nil
}
