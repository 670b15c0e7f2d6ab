package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// What a language is typed into may take lines that are none of it: "!rm x" of IPython and gnuplot, "%cd src", and cells of a notebook that are
// meant for another program as a whole: "%%bash".

// cellEnd ends the text of a cell, as a here-document.
const cellEnd = "MOAI-END-OF-CELL"

// magics follows such lines, and reports a text that is all such a cell.
func (e *engine) magics(in *rule.Interpreter, text string, span Span, c *ctx) (cell bool) {
	if !e.spend(len(text)/8, c) {
		return false
	}
	n := c.step("ipython !", span)
	head, body, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	if cmd, _, ok := magic(in.Cells, head); ok && !strings.Contains(body, cellEnd) {
		e.script(lit(cmd+" <<'"+cellEnd+"'\n"+body+"\n"+cellEnd+"\n", span), n)
		return true
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		cmd, plain, ok := magic(in.Magics, line)
		if to, value, set := strings.Cut(line, "="); !ok && set && !strings.ContainsAny(to, "([{'\"%!#") { // files = !ls
			cmd, plain, ok = magic(in.Magics, strings.TrimSpace(value))
		}
		if !ok || strings.HasPrefix(cmd, "=") {
			continue
		}
		at := n
		if plain { // it runs in a shell of its own
			at = n.sub()
		}
		e.script(lit(cmd, span), at)
	}
	return false
}

// magic is the command that a line stands for, by rows "MAGIC COMMAND", where "*" is what follows the magic; plain if that is all of it.
func magic(rows []string, line string) (cmd string, plain, ok bool) {
	for _, row := range rows {
		name, means, _ := strings.Cut(row, " ")
		rest, is := strings.CutPrefix(line, name)
		if !is || name[0] == '%' && rest != "" && rest[0] != ' ' && rest[0] != '\t' && name != "%%!" {
			continue
		}
		rest = strings.TrimSpace(rest)
		if means == "" {
			return rest, true, true
		}
		return strings.Replace(means, "*", rest, 1), false, true
	}
	return "", false, false
}
