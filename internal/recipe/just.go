package recipe

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Just reads a justfile: what begins a line and ends, behind its parameters, with a colon, has the lines that are indented below it.
// know tells the value of a call, and of a command in backquotes.
func Just(s string, words *rule.Justfile, know func(term string) (string, bool)) *Book {
	b := &Book{}
	vars := map[string]string{}
	value := func(expr string) (string, bool) { return justValue(expr, vars, know) }
	var now *Task
	lines := strings.Split(s, "\n")
	for i := 0; i < len(lines) && len(b.Tasks) < maxTasks; i++ {
		l, at := strings.TrimSuffix(lines[i], "\r"), i+1
		for strings.HasSuffix(l, `\`) && i+1 < len(lines) {
			i++
			l = strings.TrimSuffix(l, `\`) + " " + strings.TrimSpace(lines[i])
		}
		body := strings.TrimSpace(l)
		switch {
		case body == "" || l[0] == '#':
		case l[0] == ' ' || l[0] == '\t':
			if now == nil {
				continue
			}
			if len(now.Steps) == 0 && strings.HasPrefix(body, "#!") {
				end := i + 1
				for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || lines[end][0] == ' ' || lines[end][0] == '\t') {
					end++
				}
				now.Steps = append(now.Steps, Step{Parts: filled(undented(lines[i:end]), "{{", "}}", value), Line: at, Whole: true, Rows: true})
				i = end - 1
				continue
			}
			if body = strings.TrimLeft(body, "@- "); body != "" && body[0] != '#' && len(now.Steps) < maxSteps {
				now.Steps = append(now.Steps, Step{Parts: filled(body, "{{", "}}", value), Line: at})
			}
		default:
			now = b.justLine(body, at, vars, words, value)
		}
	}
	return b
}

// justLine reads a line that is not indented: a variable, or the head of a recipe, which it returns.
func (b *Book) justLine(s string, at int, vars map[string]string, words *rule.Justfile, value func(string) (string, bool)) *Task {
	head, rest, ok := strings.Cut(s, ":")
	word, more, _ := strings.Cut(strings.TrimSpace(head), " ")
	switch {
	case !ok || s[0] == '[':
		return nil
	case strings.HasPrefix(rest, "="):
		v := strings.TrimSpace(rest[1:])
		name := word
		switch {
		case word == "alias":
			b.Tasks = append(b.Tasks, Task{Name: strings.TrimSpace(more), Needs: []string{v}})
			return nil
		case words.Modifiers.Has(word):
			name = strings.TrimSpace(more)
		case words.Ignored.Has(word):
			return nil
		}
		if n := len(v); n > 1 && v[0] == '`' && v[n-1] == '`' && len(b.Always) < maxSteps {
			b.Always = append(b.Always, Step{Parts: text(v[1 : n-1]), Line: at})
		}
		if known, ok := value(v); ok && len(known) <= maxText {
			vars[name] = known
		}
		return nil
	}
	t := Task{Name: strings.TrimPrefix(word, "@")}
	if b.First == "" {
		b.First = t.Name
	}
	t.Needs = append(t.Needs, strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t()&", r) })...)
	b.Tasks = append(b.Tasks, t)
	return &b.Tasks[len(b.Tasks)-1]
}

// undented joins lines without the blanks that the first of them begins with.
func undented(lines []string) string {
	by := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " \t"))]
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimPrefix(strings.TrimSuffix(l, "\r"), by) + "\n")
	}
	return b.String()
}

// justValue is the value of an expression: texts, names and calls, which + joins, and / with a slash between them.
func justValue(expr string, vars map[string]string, know func(term string) (string, bool)) (string, bool) {
	value, sep := "", ""
	for rest := expr; ; {
		end := termEnd(rest)
		term := strings.TrimSpace(rest[:end])
		var one string
		var ok bool
		switch n := len(term); {
		case n > 1 && (term[0] == '\'' || term[0] == '"') && term[n-1] == term[0]:
			one, ok = term[1:n-1], strings.Count(term, term[:1]) == 2
		case n > 0 && term[n-1] == ')' || n > 0 && term[0] == '`':
			one, ok = know(term)
		default:
			one, ok = vars[term]
		}
		if value += sep + one; !ok || len(value) > maxText {
			return "", false
		}
		if end == len(rest) {
			return value, true
		}
		if sep = ""; rest[end] == '/' {
			sep = "/"
		}
		rest = rest[end+1:]
	}
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
