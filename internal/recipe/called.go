package recipe

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// A source of tasks also calls functions that do what a command does: delete("uploads") of Gradle is rm -rf uploads.

// called is the command line of the function that the texts at the head of a list are given to on a row, and how many of them they are; 0 where it is none
// of those which have one. A text that holds a value of the source is not known, and left out; the line is empty where none is left.
func (f *Source) called(l string, list []quoted) (command string, n int) {
	before := l[:list[0].at]
	before = before[strings.LastIndexAny(before, "{;")+1:]
	words := strings.FieldsFunc(before, func(r rune) bool { return !isName(r) })
	is := func(call string) bool {
		name, _, _ := strings.Cut(call, " ")
		return slices.ContainsFunc(words, func(w string) bool { return w[strings.LastIndexByte(w, '.')+1:] == name })
	}
	at := slices.IndexFunc(f.Calls, is)
	if at < 0 {
		return "", 0
	}
	_, program, _ := strings.Cut(f.Calls[at], " ")
	args := strings.Fields(program)
	own := len(args)
	for n < len(list) && (n == 0 || !strings.ContainsAny(l[list[n-1].end:list[n].at], "{};+")) {
		if said := list[n].text; !strings.Contains(said, "$") {
			args = append(args, argv.Quote(said))
		}
		n++
	}
	if len(args) == own {
		return "", n
	}
	return strings.Join(args, " "), n
}
