package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
)

// fd runs commands on what it finds, as find does. But its pattern comes before the
// folders, hidden and ignored files stay out unless it is told otherwise, and what
// follows -x is the command, to the end of the line or a ";" (fd's manual).

// fdQuery is what one call of fd looks for, and what it runs on that.
type fdQuery struct {
	starts  []Word // folders; none: here
	name    string // a pattern that all names fit, where one is plain to see
	command []Word
	step    string
	span    Span
	narrow  bool // an option leaves files out
	all     bool // ignored files count too
}

// fd follows -x and -X, with the files in place of {} or appended.
func (e *engine) fd(x *simple, c *ctx) output {
	i := e.emit(c, x)
	q := e.fdArgs(x.args)
	if len(q.command) == 0 {
		return e.finish("fd", x, c, i)
	}
	n := c.step("fd "+q.step, q.span)
	n.in = nil
	for s := range q.starts {
		if !e.tick(c) {
			break
		}
		file := q.found(&q.starts[s], i)
		list, uses := make([]Word, len(q.command)), false
		for m := range q.command {
			list[m] = q.command[m]
			for _, mark := range e.tables.Fd.Marks {
				if strings.Contains(list[m].Text, mark) && list[m].Kind == Literal {
					list[m] = fill(&list[m], mark, &file)
					uses = true
				}
			}
		}
		if !uses {
			file.Many = true
			list = append(list, file)
		}
		e.run(&simple{args: list, span: x.span}, n)
	}
	return e.finish("fd", x, c, i)
}

// found is the word for the files below one folder.
func (q *fdQuery) found(start *Word, from int) Word {
	// Here, what Git ignores stays: that is less than all of the folder, and a snapshot holds it.
	if q.narrow || q.name != "" || start.Is(".") && !q.all {
		return below(start, q.name, "{}", from)
	}
	var b wordBuilder
	b.word(start)
	if !strings.HasSuffix(start.Suffix(), "/") {
		b.text("/")
	}
	b.text("*")
	w := b.done(start.Span)
	w.Glob = true
	return w
}

// fdArgs takes the arguments of fd apart.
func (e *engine) fdArgs(args []Word) fdQuery {
	var q fdQuery
	var operands []Word
	fd := &e.tables.Fd
	list := words(args)
	r := argv.Reader{Args: list, At: 1, Takes: argv.List(fd.Value).Takes}
	for it, ok := r.Next(); ok && q.command == nil; it, ok = r.Next() {
		value := list.value(it)
		q.all = q.all || fd.Ignored.Has(it.Name)
		switch {
		case it.Name == "":
			operands = append(operands, args[it.Arg])
		case value != nil && fd.Runs.Has(it.Name):
			// From here to the end, or a ";", everything belongs to the command.
			q.command, q.step, q.span = append([]Word{*value}, args[r.At:]...), it.Name, args[it.Arg].Span
		case value != nil && (fd.Start.Has(it.Name) || fd.Base.Has(it.Name) && len(q.starts) == 0):
			q.starts = append(q.starts, *value)
		case value != nil && fd.Ending.Has(it.Name) && q.name == "" && value.Kind == Literal:
			q.name = "*." + strings.TrimPrefix(value.Text, ".")
		default:
			q.narrow = q.narrow || argv.List(fd.Narrows).Has(it.Name)
		}
	}
	if end := slices.IndexFunc(q.command, func(w Word) bool { return w.Is(";") }); end >= 0 {
		q.command = q.command[:end]
	}
	if len(operands) > 0 {
		if p := operands[0].Text; !fd.All.Has(p) {
			q.narrow = true
			// "^node_modules$" is one name; a word without marks is a part of many.
			name, ends := strings.CutSuffix(strings.TrimPrefix(p, "^"), "$")
			if !ends || p[0] != '^' {
				name = "*" + name + "*"
			}
			if q.name == "" && operands[0].Kind == Literal && !strings.ContainsAny(strings.Trim(name, "*"), "^$.*+?()[]{}|\\/") {
				q.name = name
			}
		}
		q.starts = append(q.starts, operands[1:]...)
	}
	if len(q.starts) == 0 {
		q.starts = []Word{{Text: ".", Span: args[0].Span}}
	}
	return q
}
