package recipe

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Just reads a justfile: what begins a line and ends, behind its parameters, with a colon, has the lines that are indented below it.
func Just(s string, words *rule.Justfile) *Book {
	b := &Book{}
	vars := map[string]string{}
	value := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
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
			now = b.justLine(body, at, vars, words)
		}
	}
	return b
}

// justLine reads a line that is not indented: a variable, or the head of a recipe, which it returns.
func (b *Book) justLine(s string, at int, vars map[string]string, words *rule.Justfile) *Task {
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
		if n := len(v); n > 1 && (v[0] == '\'' || v[0] == '"') && v[n-1] == v[0] && strings.Count(v, v[:1]) == 2 {
			vars[name] = v[1 : n-1]
		} else if n > 1 && v[0] == '`' && v[n-1] == '`' && len(b.Always) < maxSteps {
			b.Always = append(b.Always, Step{Parts: text(v[1 : n-1]), Line: at})
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
