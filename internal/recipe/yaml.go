package recipe

import "strings"

// The part of YAML in which people write tasks: members and lists by their blanks, texts in quotes or over several lines, short lists
// and members within brackets. What is written in another way is absent. A library costs every hook more than all the rest of a call.

// maxNodes bounds the nodes of a document.
const maxNodes = 20_000

type yaml struct {
	lines []string
	at    int // the line that is read next
	nodes int
}

// yamlNode reads a document; nil where there is nothing that can be made out.
func yamlNode(s string) *node {
	y := &yaml{lines: strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")}
	return y.block(-1, 0)
}

// peek passes over what is empty and returns the next line without its blanks; ok is false at the end.
func (y *yaml) peek() (indent int, s string, ok bool) {
	for ; y.at < len(y.lines); y.at++ {
		l := y.lines[y.at]
		s = strings.TrimLeft(l, " ")
		if s = strings.TrimRight(s, " \t"); s == "" || s[0] == '#' || s == "---" {
			continue
		}
		return len(l) - len(strings.TrimLeft(l, " ")), s, true
	}
	return 0, "", false
}

// block reads what stands further to the right than a column.
func (y *yaml) block(outer, deep int) *node {
	column, _, ok := y.peek()
	if !ok || column <= outer || deep > 32 {
		return nil
	}
	n := &node{line: y.at + 1}
	for ok && column == y.column() && y.nodes < maxNodes {
		y.nodes++
		var s string
		column, s, _ = y.peek()
		if s == "-" || strings.HasPrefix(s, "- ") {
			if len(n.keys) > 0 {
				break
			}
			// What follows the dash stands in its own column.
			rest := strings.TrimLeft(s[1:], " ")
			y.lines[y.at] = strings.Repeat(" ", column+len(s)-len(rest)) + rest
			n.list = append(n.list, y.item(column, rest, deep))
		} else {
			key, rest, is := member(s)
			if !is || len(n.list) > len(n.keys) {
				y.at++
				break
			}
			line := y.at + 1
			y.at++
			value := y.value(column, rest, line, deep)
			n.keys, n.list = append(n.keys, key), append(n.list, value)
		}
		var next int
		if next, _, ok = y.peek(); next != column {
			break
		}
	}
	return n
}

// column is where the next line begins.
func (y *yaml) column() int {
	c, _, _ := y.peek()
	return c
}

// item reads what stands behind a dash.
func (y *yaml) item(column int, rest string, deep int) *node {
	if rest == "" {
		y.at++
		if n := y.block(column, deep+1); n != nil {
			return n
		}
		return &node{line: y.at}
	}
	if _, _, is := member(rest); is && rest[0] != '{' {
		if n := y.block(column, deep+1); n != nil {
			return n
		}
	}
	y.at++
	return y.value(column, rest, y.at, deep)
}

// value reads what stands behind a colon or a dash, or below it.
func (y *yaml) value(column int, s string, line, deep int) *node {
	switch {
	case s == "" || s[0] == '#' || s[0] == '&':
		next, t, ok := y.peek()
		if ok && next == column && strings.HasPrefix(t, "- ") { // a list may stand in the column of its key
			if n := y.block(column-1, deep+1); n != nil {
				return n
			}
		}
		if n := y.block(column, deep+1); n != nil {
			return n
		}
		return &node{line: line}
	case s[0] == '|' || s[0] == '>':
		return y.text(column, s[0] == '>')
	case s[0] == '[' || s[0] == '{':
		for y.at < len(y.lines) && strings.Count(s, s[:1]) > strings.Count(s, map[byte]string{'[': "]", '{': "}"}[s[0]]) && len(s) < maxText {
			s += " " + strings.TrimSpace(y.lines[y.at])
			y.at++
		}
		n, _ := flow(s, line, 0)
		return n
	}
	// A plain text may go on further to the right.
	for y.at < len(y.lines) && len(s) < maxText {
		next, t, ok := y.peek()
		if !ok || next <= column {
			break
		}
		s += " " + t
		y.at++
	}
	return &node{text: scalar(s), line: line}
}

// text reads one over several lines.
func (y *yaml) text(column int, folded bool) *node {
	n := &node{line: y.at + 1}
	var b strings.Builder
	by := -1
	for ; y.at < len(y.lines); y.at++ {
		l := y.lines[y.at]
		indent := len(l) - len(strings.TrimLeft(l, " "))
		if strings.TrimSpace(l) == "" {
			b.WriteByte('\n')
			continue
		}
		if indent <= column {
			break
		}
		if by < 0 {
			by = indent
		}
		b.WriteString(l[min(by, indent):])
		if folded {
			b.WriteByte(' ')
		} else {
			b.WriteByte('\n')
		}
	}
	n.text = strings.TrimRight(b.String(), "\n ")
	return n
}

// member takes "key: value" apart.
func member(s string) (key, rest string, ok bool) {
	if s[0] == '"' || s[0] == '\'' {
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 || !strings.HasPrefix(s[end+2:], ":") {
			return "", "", false
		}
		return s[1 : end+1], strings.TrimSpace(s[end+3:]), true
	}
	at := strings.Index(s, ": ")
	if at < 0 {
		if !strings.HasSuffix(s, ":") {
			return "", "", false
		}
		at = len(s) - 1
	}
	return s[:at], strings.TrimSpace(s[at+1:]), !strings.ContainsAny(s[:at], " {[\"'")
}

// scalar is what a text in a line stands for.
func scalar(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') {
		if end := strings.LastIndexByte(s, s[0]); end > 0 {
			quote := s[0]
			if s = s[1:end]; quote == '"' {
				return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(s)
			}
			return strings.ReplaceAll(s, "''", "'")
		}
	}
	if at := strings.Index(s, " #"); at >= 0 {
		s = s[:at]
	}
	return strings.TrimSpace(s)
}

// flow reads [a, b] and {a: b}, and returns what follows.
func flow(s string, line, deep int) (n *node, rest string) {
	n = &node{line: line}
	s = strings.TrimLeft(s, " ")
	if s == "" || deep > 16 || s[0] != '[' && s[0] != '{' {
		end := strings.IndexAny(s, ",]}")
		if s != "" && (s[0] == '"' || s[0] == '\'') {
			if close := strings.IndexByte(s[1:], s[0]); close >= 0 {
				end = close + 2
			}
		}
		if end < 0 {
			end = len(s)
		}
		n.text = scalar(s[:end])
		return n, s[end:]
	}
	end := byte(']')
	if s[0] == '{' {
		end = '}'
	}
	for s = s[1:]; ; {
		s = strings.TrimLeft(s, " ,")
		if s == "" {
			return n, ""
		}
		if s[0] == end {
			return n, s[1:]
		}
		if end == '}' {
			key, after, ok := strings.Cut(s, ":")
			if !ok {
				return n, ""
			}
			n.keys = append(n.keys, scalar(key))
			s = after
		}
		before := len(s)
		var one *node
		one, s = flow(s, line, deep+1)
		if n.list = append(n.list, one); len(s) == before {
			if end == '}' {
				return n, ""
			}
			s = s[1:]
		}
	}
}
