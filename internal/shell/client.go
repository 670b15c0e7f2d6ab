package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// A client sends statements from its options, its input and files, and files of statements read others: \i x.sql. What stands in each of
// them is a call of its own in the result, with the words of the client, which name the database.

// escapeOf returns the row of a client, nil where a program is none.
func (e *engine) escapeOf(name string) *rule.Escape {
	for i := range e.tables.Escapes {
		if slices.Contains(e.tables.Escapes[i].Programs, name) {
			return &e.tables.Escapes[i]
		}
	}
	return nil
}

// client emits a client once for its line, with the statements of the first file, and once for each further file.
func (e *engine) client(name string, row *rule.Escape, x *simple, c *ctx) output {
	files := clientFiles(row, x.args[1:])
	n := c
	for len(files) > 0 && x.code == nil {
		x.code, n = e.statements(row, &files[0], c)
		files = files[1:]
	}
	out := e.plainRun(name, x, c)
	e.clientLines(name, row, x, c, n)
	for i := range files {
		e.clientFile(name, row, &files[i], x, c)
	}
	return out
}

// clientFiles are the files of statements that the words of a client name.
func clientFiles(row *rule.Escape, args []Word) (files []Word) {
	for _, w := range optionValues(args, argv.List("f file"), "") {
		files = append(files, *w)
	}
	for i := range args {
		if args[i].Kind == Literal && slices.Contains(row.Operands, path.Ext(args[i].Text)) && !strings.HasPrefix(args[i].Text, "-") && !slices.ContainsFunc(files, func(w Word) bool { return w.Text == args[i].Text }) {
			files = append(files, args[i])
		}
		for _, reads := range row.Reads {
			switch name, ok := strings.CutPrefix(args[i].Text, reads); {
			case !ok || args[i].Kind != Literal:
			case name == "" && i+1 < len(args):
				files = append(files, args[i+1]) // an option: sqlite3 -init FILE
			case name != "":
				files = append(files, lit(clientName(name), args[i].Span))
			}
		}
	}
	return files
}

// clientName is the name of a file behind a command of a client.
func clientName(rest string) string {
	rest = strings.TrimSpace(rest)
	if rest != "" && strings.ContainsAny(rest[:1], `'"`) {
		name, _, _ := strings.Cut(rest[1:], rest[:1])
		return name
	}
	if end := strings.IndexAny(rest, " \t;"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// statements returns the statements in a file, and the context to follow them in. A file that another one names may lie beside it, and lack
// its ending.
func (e *engine) statements(row *rule.Escape, file *Word, c *ctx) (*Code, *ctx) {
	names := []string{file.Text}
	if c.script != "" && !strings.HasPrefix(file.Text, "/") {
		names = append(names, path.Join(path.Dir(c.script), file.Text))
	}
	for _, name := range names {
		for _, ending := range []string{"", row.Ending} {
			one := *file
			if name != file.Text || ending != "" {
				one = lit(name+ending, file.Span)
			}
			if text, n, ok := e.textOf(&one, "", c); ok {
				return &Code{Lang: LangSQL, From: FromFile, Text: text, File: one, Seen: text.Kind == Literal}, n
			}
			if row.Ending == "" {
				break
			}
		}
	}
	return nil, c
}

// clientFile follows a file of statements that a client reads besides what its words have it do.
func (e *engine) clientFile(name string, row *rule.Escape, file *Word, x *simple, c *ctx) {
	if x.code != nil && x.code.File.Text == file.Text {
		return
	}
	code, n := e.statements(row, file, c)
	if code == nil {
		return
	}
	y := &simple{args: x.args, assigns: x.assigns, span: x.span, code: code}
	m := *c
	m.in, m.want = nil, false
	e.emit(&m, y)
	e.linesOf(name, row, &code.Text, y, n)
}

// clientLines follows the lines that an interactive program is given: in arguments, its input, and in its file, whose context is n.
func (e *engine) clientLines(name string, row *rule.Escape, x *simple, c, n *ctx) {
	for i := range x.args[1:] {
		e.linesOf(name, row, &x.args[i+1], x, c)
	}
	if in := c.reads(x); in != nil {
		e.linesOf(name, row, &in.Text, x, c)
	}
	if x.code != nil {
		e.linesOf(name, row, &x.code.Text, x, n)
	}
}

// linesOf follows the lines of one text that a client reads.
func (e *engine) linesOf(name string, row *rule.Escape, text *Word, x *simple, c *ctx) {
	for line := range strings.Lines(text.Text) {
		if line = strings.TrimSpace(line); text.Kind != Literal || !e.tick(c) {
			return
		}
		n := c.step(name, x.args[0].Span)
		n.in, n.want = nil, false
		e.clientLine(row, line, text.Span, n)
		for one := range strings.SplitSeq(line, ";") {
			for _, reads := range row.Reads {
				one = strings.TrimSpace(one)
				if reads[0] == '-' || len(one) <= len(reads) || !strings.EqualFold(one[:len(reads)], reads) {
					continue
				}
				file := lit(clientName(one[len(reads):]), text.Span)
				e.clientFile(name, row, &file, x, n)
			}
		}
	}
}

// clientLine follows one line that a client reads.
func (e *engine) clientLine(row *rule.Escape, line string, span Span, c *ctx) {
	for _, mark := range row.Marks {
		if cmd, ok := strings.CutPrefix(line, mark); ok {
			e.script(lit(cmd, span), c)
			return
		}
	}
	for _, word := range row.Follows {
		if text, ok := strings.CutPrefix(line, word); ok {
			e.follow(row.Lang, lit(text, span), c)
		}
	}
	for _, to := range [...]struct {
		op    string
		words []string
	}{{">", row.Writes}, {">>", row.Appends}} {
		for _, word := range to.words {
			rest, ok := strings.CutPrefix(line, word)
			if file := strings.Fields(rest); ok && len(file) > 0 {
				name := strings.Trim(file[0], `;'"`)
				e.emit(c, &simple{redirs: []Redirect{{Op: to.op, Fd: 1, Target: lit(name, span)}}, span: span})
			}
		}
	}
}
