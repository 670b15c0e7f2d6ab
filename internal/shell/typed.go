package shell

import (
	"slices"
	"strings"
)

// Who works on Windows types its commands into any shell: Remove-Item -Recurse, rd /s /q. The shell
// finds no program of that name, or one that takes "/s" for a folder; what is meant is plain, and
// the next line has it in powershell -Command.

// typed follows such a command; ok is false where it is none.
func (e *engine) typed(name string, x *simple, c *ctx) (out output, ok bool) {
	if len(name) >= longestName {
		return out, false
	}
	n := *c
	low := strings.ToLower(name)
	verb, noun, dashed := strings.Cut(name, "-")
	if dashed {
		row, known := e.cmdletOf(low)
		if known == nil && (!capital(verb) || !capital(noun)) || row != low {
			return out, false
		}
		n.dialect = PowerShell
		return e.cmdlet(x, &n), true
	}
	if e.tables.Cmd.Each.Has(low) {
		return e.forfiles(x, &n), true
	}
	if !slices.ContainsFunc(x.args[1:], func(w Word) bool { return w.Kind == Literal && !w.Quoted && switches(strings.ToLower(w.Text)) }) {
		return out, false
	}
	for i := range e.tables.Batch {
		if e.tables.Batch[i].Names.Has(low) {
			n.dialect = Cmd
			return e.batch(x, &n), true
		}
	}
	return out, false
}

// capital reports whether a word begins with a capital letter, as the verbs and nouns of cmdlets do.
func capital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// forfiles follows the command that it runs for each file of a folder: forfiles /p DIR /m *.log /c "cmd /c del @path".
func (e *engine) forfiles(x *simple, c *ctx) output {
	out := e.plainRun("", x, c)
	dir, pattern, text := "", "*", ""
	for i := 1; i+1 < len(x.args); i++ {
		switch strings.ToLower(x.args[i].Text) {
		case "/p", "-p":
			dir = strings.TrimRight(x.args[i+1].Text, "/\\") + "/"
		case "/m", "-m":
			pattern = x.args[i+1].Text
		case "/c", "-c":
			text = x.args[i+1].Text
		default:
			continue
		}
		i++
	}
	for _, name := range e.tables.Cmd.Found {
		text = strings.ReplaceAll(text, name, dir+pattern)
		text = strings.ReplaceAll(text, strings.ToUpper(name), dir+pattern)
	}
	if c.depth++; c.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", x.span)
		return out
	}
	n := c.step("forfiles", x.args[0].Span)
	n.in, n.cond, n.st = nil, true, c.st.clone()
	e.cmd(text, &source{span: x.span, text: text}, n)
	return out
}
