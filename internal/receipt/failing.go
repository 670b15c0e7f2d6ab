package receipt

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// Bounds of what is kept of the lines that say what failed.
const (
	mostFailing = 8
	maxFailing  = 300
)

// fails takes in a line, and its text, that says what failed; apart says that this is no more than that a part could not be set up.
func (o *Output) fails(text string, apart bool) {
	if len(o.failing) == mostFailing && o.failed || text == "" || !slices.ContainsFunc(o.words.Failing, func(form string) bool { return holds(text, form) }) {
		return
	}
	o.failed = o.failed || !apart
	line := term.Clip(strings.TrimRight(term.Plain(string(o.line)), " \t\r"), maxFailing)
	if len(o.failing) < mostFailing && !slices.Contains(o.failing, line) {
		o.failing = append(o.failing, line)
	}
}

// Failing are the first lines that say what failed, as mask leaves them.
func (o *Output) Failing(mask func(string) string) (list []string) {
	o.ends()
	for _, line := range o.failing {
		list = append(list, mask(line))
	}
	return list
}

// Lines are what to show of a run in so many lines: what failed, and then as much of its end as there is room for.
func (r *Receipt) Lines(most int) []string {
	end := strings.Split(strings.TrimRight(r.Tail, "\n \t"), "\n")
	end = end[max(0, len(end)-most):]
	above := r.Above(end)
	return append(above, end[min(len(end), len(above)):]...)
}

// Above are the lines that say what failed and that are not among the last ones.
func (r *Receipt) Above(last []string) (list []string) {
	for _, line := range r.Failing {
		if !slices.ContainsFunc(last, func(l string) bool { return strings.TrimSpace(term.Plain(l)) == strings.TrimSpace(line) }) {
			list = append(list, line)
		}
	}
	return list
}

// holds reports a line that has a form of the rules in it: `^` stands for its beginning, `#` for a digit.
func holds(text, form string) bool {
	begins := strings.HasPrefix(form, "^")
	form = strings.TrimPrefix(form, "^")
	if !strings.Contains(form, "#") {
		return begins && strings.HasPrefix(text, form) || !begins && strings.Contains(text, form)
	}
	for at := 0; at+len(form) <= len(text); at++ {
		if fits(text[at:at+len(form)], form) {
			return true
		}
		if begins {
			break
		}
	}
	return false
}

func fits(text, form string) bool {
	for i := range len(form) {
		if digit := text[i] >= '0' && text[i] <= '9'; text[i] != form[i] && (form[i] != '#' || !digit) {
			return false
		}
	}
	return true
}
