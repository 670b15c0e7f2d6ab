package recipe

import (
	"strings"
)

// value is that of an expression in a file: texts, names and calls, which + joins, and / with a slash between them. What a command prints is known as
// far as its line is.
func (j *just) value(expr, file string) ([]Part, bool) {
	var value []Part
	sep := ""
	for rest := expr; ; {
		end := termEnd(rest)
		one, ok := j.term(strings.TrimSpace(rest[:end]), file)
		if value = append(append(value, text(sep)...), one...); !ok || size(value) > maxText {
			return nil, false
		}
		if end == len(rest) {
			return merged(value), true
		}
		if sep = ""; rest[end] == '/' {
			sep = "/"
		}
		rest = rest[end+1:]
	}
}

// term is the value of one of them.
func (j *just) term(term, file string) ([]Part, bool) {
	switch n := len(term); {
	case n > 1 && (term[0] == '\'' || term[0] == '"') && term[n-1] == term[0]:
		return text(term[1 : n-1]), strings.Count(term, term[:1]) == 2
	case n > 0 && term[n-1] == ')' || n > 0 && term[0] == '`':
		if one, ok := j.know(term, file); ok {
			return text(one), true
		}
		line := ran(term)
		return []Part{{Text: "{{" + term + "}}", Unknown: true, Prints: text(line)}}, line != ""
	}
	known, ok := j.vars[term]
	return known, ok
}

// shellMarks begin a command line in an expression, and their last byte ends it.
var shellMarks = [...]string{"`", "shell('", `shell("`}

// ran is the command line that a term has run: `ls`, shell('ls'). "" where it is none.
func ran(term string) string {
	for _, mark := range shellMarks {
		if body, ok := strings.CutPrefix(term, mark); ok {
			line, after, closed := strings.Cut(body, mark[len(mark)-1:])
			if closed && strings.Trim(after, " )") == "" {
				return line
			}
		}
	}
	return ""
}

// termEnd is where the first term of an expression ends: at a sign that joins it to the next, outside of quotes and brackets.
func termEnd(s string) int {
	var quote byte
	depth := 0
	for i := range len(s) {
		switch ch := s[i]; {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case strings.IndexByte("'\"`", ch) >= 0:
			quote = ch
		case ch == '(':
			depth++
		case ch == ')':
			depth--
		case depth == 0 && (ch == '+' || ch == '/'):
			return i
		}
	}
	return len(s)
}

// set reads a setting: what loads a file of variables, and what exports all.
func (j *just) set(s, file string) {
	name, value, _ := strings.Cut(s, ":=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case value == "false" || len(j.dotenv) == maxImports:
	case j.words.Exports.Has(name):
		j.all = true
	case !j.words.Loads.Has(name):
	case value == "" || value == "true":
		j.dotenv = append(j.dotenv, j.words.Dotenv...)
	default:
		if known, ok := j.value(value, file); ok {
			if one, ok := joined(known); ok {
				j.dotenv = append(j.dotenv, one)
			}
		}
	}
}

// loads puts what settings say into the environment.
func (j *just) loads() {
	if j.all {
		j.env = append(j.env, j.named[:min(len(j.named), maxExports-len(j.env))]...)
	}
	for _, name := range j.dotenv {
		if s, ok := j.include(beside(j.base, "", name)); ok {
			j.env = append(Dotenv(s), j.env...)
		}
	}
}
