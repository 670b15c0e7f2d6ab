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
