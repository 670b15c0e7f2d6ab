package cli

import (
	"fmt"
	"strings"
)

// sayDone tells what became of the file, and what to try next.
func (e *env) sayDone(r *initResult) {
	switch {
	case !r.Changed:
		fmt.Fprintln(e.err, "moai: nothing to do in", r.File)
	case !r.Written:
		fmt.Fprintln(e.err, "moai: dry run, nothing was written")
	case r.Removed:
		fmt.Fprintln(e.err, "moai: removed", r.File)
	case r.Program == "" && r.Exact:
		fmt.Fprintln(e.err, "moai: wrote", r.File, "as it was before")
	default:
		fmt.Fprintln(e.err, "moai: wrote", r.File)
	}
	if r.Saved != "" {
		fmt.Fprintln(e.err, "moai: the file as it was is kept in", r.Saved)
	}
	if r.Written && r.Program != "" {
		fmt.Fprintln(e.err, "moai: hint: moai doctor")
	}
}

// printDiff colours a unified diff where colours are wanted.
func (e *env) printDiff(diff string) {
	s := e.style()
	for line := range strings.Lines(diff) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			text = s.Bold(text)
		case strings.HasPrefix(line, "@@"):
			text = s.Cyan(text)
		case strings.HasPrefix(line, "+"):
			text = s.Green(text)
		case strings.HasPrefix(line, "-"):
			text = s.Red(text)
		}
		if !s.On() {
			text = strings.TrimSuffix(line, "\n")
		}
		fmt.Fprintln(e.out, text)
	}
}
