package shell

import "strings"

// found returns what find prints: names below its starting points.
func found(name string, args []Word, span Span, i int) (Word, bool) {
	start := lit(".", span)
	if name == "find" {
		for _, w := range args {
			if w.Is("-H") || w.Is("-L") || w.Is("-P") {
				continue
			}
			if !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "(") && !strings.HasPrefix(w.Text, "!") {
				start = w
			}
			break
		}
	} else if n := len(args); n > 1 && !strings.HasPrefix(args[n-1].Text, "-") {
		start = args[n-1]
	}
	if start.Kind != Literal {
		return Word{}, false
	}
	dir := strings.TrimSuffix(start.Text, "/") + "/"
	return Word{Text: dir + "…", Kind: Partial, Span: span, Tilde: start.Tilde, Parts: []Part{{Text: dir}, {Text: "…", Unknown: true, From: []int{i}}}}, true
}
