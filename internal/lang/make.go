package lang

import (
	"bytes"
	"slices"
	"strings"
)

// included is a Makefile with what it includes of its own, such as Makefile.common beside it: a file of another name is a library of
// rules that many projects share, of which nobody knows what they use. Where all names that are not there are those of another target
// with something in front ("%: common-%"), they stand there as they are called.
func (f *folder) included(file string) []byte {
	text := f.data(file)
	for line := range bytes.Lines(text) {
		words := strings.Fields(string(line))
		if len(words) == 2 && words[0] == "include" && strings.HasPrefix(words[1], file+".") && plainTask(words[1]) && f.exists(words[1]) {
			text = slices.Concat(text, []byte("\n"), f.data(words[1]))
		}
	}
	_, rest, ok := bytes.Cut(text, []byte("\n%: "))
	before, _, end := bytes.Cut(rest, []byte("%"))
	if ok && end && len(before) > 0 && plainTask(string(before)) {
		text = bytes.ReplaceAll(text, slices.Concat([]byte("\n"), before), []byte("\n"))
	}
	return text
}

// wants reports a target that stops where a variable is not set, which nothing here sets: "ifndef TEST" above an error.
func wants(data []byte, name string) bool {
	_, recipe, _ := bytes.Cut(append([]byte("\n"), data...), []byte("\n"+name+":"))
	asked := ""
	for i, line := range bytes.SplitN(recipe, []byte("\n"), 20) {
		switch s := strings.TrimSpace(string(line)); {
		case i == 0:
		case conditional(line):
			if asked, _ = strings.CutPrefix(s, "ifndef "); asked == s {
				asked, _ = strings.CutPrefix(s, "ifeq ($(")
				asked, _, _ = strings.Cut(asked, ")")
			}
			if !plainTask(asked + "x") {
				asked = ""
			}
		case len(line) == 0 || line[0] != '\t' && !strings.Contains(s, "$(error"):
			return false
		case strings.Contains(s, "$(error") && asked != "":
			return !sets(data, asked)
		default: // test -n "$(TEST)" || exit 1
			_, rest, ok := strings.Cut(s, `-n "$`)
			if end := strings.IndexAny(rest, ")}"); ok && end > 1 && plainTask(rest[1:end]) && strings.Contains(rest, "exit 1") {
				return !sets(data, rest[1:end])
			}
		}
	}
	return false
}

// sets reports a Makefile that gives a variable a value.
func sets(data []byte, variable string) bool {
	for line := range bytes.Lines(data) {
		head, value, ok := strings.Cut(string(line), "=")
		if ok && line[0] != '\t' && strings.TrimSpace(value) != "" && strings.Trim(strings.TrimPrefix(head, "export "), " ?:+!") == variable {
			return true
		}
	}
	return false
}
