package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// printJSON writes v as the one JSON document of a --json answer.
func (e *env) printJSON(v any) error {
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printLines gives f a buffered standard output. What fails is said by Flush, once.
func (e *env) printLines(f func(out *bufio.Writer)) error {
	out := bufio.NewWriter(e.out)
	f(out)
	return out.Flush()
}

// buffered runs f with a standard output that is written in large parts: one line a
// system call is a tenth of an answer, and most of one that lists files.
func (e *env) buffered(f func() error) error {
	out := bufio.NewWriter(e.out)
	screen := e.out
	e.out, e.screen = out, screen
	err := f()
	e.out, e.screen = screen, nil
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	return err
}

// printList writes a list as the one JSON document of a --json answer, an entry at a time: there may be a million.
func printList[T any](e *env, list iter.Seq[T]) error {
	var one bytes.Buffer
	enc := json.NewEncoder(&one)
	enc.SetEscapeHTML(false)
	enc.SetIndent("  ", "  ")
	var fault error
	err := e.printLines(func(out *bufio.Writer) {
		open := "["
		for v := range list {
			one.Reset()
			if fault = enc.Encode(v); fault != nil {
				return
			}
			fmt.Fprintf(out, "%s\n  %s", open, bytes.TrimSuffix(one.Bytes(), []byte("\n")))
			open = ","
		}
		if open == "[" {
			_, _ = out.WriteString("[]\n")
		} else {
			_, _ = out.WriteString("\n]\n")
		}
	})
	return errors.Join(fault, err)
}

// row prints one row of a list, cut to the terminal: a row that wraps is no row. What
// is to be pasted or read by a program is no row either and is never cut.
func (e *env) row(format string, a ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, a...), " ")
	text = strings.ReplaceAll(text, "\n", `\n`) // a name of a stranger's begins no row of its own
	if n := e.columns(); n > 0 {
		text = term.Fit(text, n)
	}
	fmt.Fprintln(e.out, text)
}

// say prints a sentence, broken at words where a terminal would break it anywhere; lines behind the first are indented.
func (e *env) say(indent int, format string, a ...any) {
	fmt.Fprintln(e.out, term.Wrap(fmt.Sprintf(format, a...), e.columns(), indent))
}

// offer prints a command behind what it is for, or below that where both have no room in a line: it stays whole.
func (e *env) offer(indent int, what, command string) {
	between := " "
	if n := e.columns(); n > 0 && term.Width(term.Plain(what+" "+command)) > n {
		between = "\n" + strings.Repeat(" ", indent)
	}
	fmt.Fprintln(e.out, what+between+command)
}

// columns is how wide a line may be, 0 for any width.
func (e *env) columns() int { return term.Columns(e.result(), e.getenv) }

// data is the result stream for bytes that are no text of moai's, such as a patch: a file gets them as they are.
func (e *env) data() io.Writer { return term.Unfiltered(e.out) }

// style is the colour of the result stream.
func (e *env) style() term.Style { return term.StyleFor(e.result(), e.getenv) }

// result is the result stream itself, which may be a terminal.
func (e *env) result() io.Writer {
	if e.screen != nil {
		return e.screen
	}
	return e.out
}

// unasked is the answer where confirm was not told yes: a no of the user's needs no more than
// what did not happen; where nobody could be asked, the command that needs no asking follows.
func (e *env) unasked(what, again string) error {
	if term.IsTerminal(e.in) {
		fmt.Fprintln(e.err, "moai: "+what)
		return errNo
	}
	return hint(nof("%s: there is no terminal to ask on", what), again)
}

// entry prints one entry of a list: what names it, and its text behind that. A terminal that is so narrow
// that nothing of the text would be readable gets it on lines of its own.
func (e *env) entry(head, text string) {
	const readable = 32 // columns; fewer hold hardly five words
	n := e.columns()
	if left := n - term.Width(term.Plain(head)) - 1; n <= 0 || text == "" || left >= readable || left >= term.Width(term.Plain(text)) {
		e.row("%s %s", head, text)
		return
	}
	e.row("%s", head)
	for line := range strings.SplitSeq(term.Wrap("    "+strings.ReplaceAll(text, "\n", `\n`), n, 4), "\n") {
		e.row("%s", line)
	}
}

// confirm asks a yes/no question on a terminal. With --yes, or when nobody can
// be asked, it answers yes and no respectively.
func (e *env) confirm(question string) bool {
	if e.yes {
		return true
	}
	if !term.IsTerminal(e.in) {
		return false
	}
	fmt.Fprintf(e.err, "%s [y/N] ", question)
	line, _ := bufio.NewReader(e.in).ReadString('\n')
	return slices.Contains(yes[:], strings.ToLower(strings.TrimSpace(line)))
}

// goOn is confirm for what its asker came for and what takes nothing away: Enter is a yes, the end of input none.
func (e *env) goOn(question string) bool {
	if e.yes || !term.IsTerminal(e.in) {
		return e.yes
	}
	fmt.Fprintf(e.err, "%s [Y/n] ", question)
	line, err := bufio.NewReader(e.in).ReadString('\n')
	word := strings.ToLower(strings.TrimSpace(line))
	return word == "" && err == nil || slices.Contains(yes[:], word)
}

// yes, no and quit are what a person may answer, in lower case.
var (
	yes  = [...]string{"y", "yes", "예", "네"}
	no   = [...]string{"n", "no", "아니오"}
	quit = [...]string{"q", "quit"}
)
