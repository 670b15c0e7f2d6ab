package recipe

import "strings"

// Lines reads the command lines of a source that stand behind a mark at the beginning of a line: //go:generate.
func Lines(s, mark string) (steps []Step) {
	for at, l := range strings.Split(s, "\n") {
		if body, ok := strings.CutPrefix(l, mark); ok && len(steps) < maxSteps {
			if body = strings.TrimSpace(body); body != "" {
				steps = append(steps, Step{Parts: text(body), Line: at + 1, Rows: true})
			}
		}
	}
	return steps
}

// Rake reads a Rakefile: what stands between the head of a task and the end that is as far to the right, with what the head says
// that it needs.
func Rake(s, head string) *Book {
	b := &Book{}
	lines := strings.Split(s, "\n")
	for i := 0; i < len(lines) && len(b.Tasks) < maxTasks; i++ {
		l := lines[i]
		rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t"), head+" ")
		if !ok {
			continue
		}
		by := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		names := strings.FieldsFunc(strings.TrimSuffix(strings.TrimSpace(rest), " do"), func(r rune) bool { return strings.ContainsRune(" \t:,=>[]'\"(){}|", r) })
		if len(names) == 0 {
			continue
		}
		t := Task{Name: names[0], Needs: names[1:]}
		end := i + 1
		for end < len(lines) && lines[end] != by+"end" {
			end++
		}
		if strings.Contains(rest, " do") && end < len(lines) {
			t.Steps = []Step{{Parts: text(strings.Join(lines[i+1:end], "\n")), Line: i + 2, Rows: true, Lang: "ruby"}}
			i = end
		}
		b.Tasks = append(b.Tasks, t)
	}
	return b
}
