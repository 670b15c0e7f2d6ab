package shell

import (
	"slices"
	"strings"
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
	option := func(name string, value *Word) {
		switch {
		case name == "search-path" || (name == "base-directory" || name == "C") && len(q.starts) == 0:
			q.starts = append(q.starts, *value)
		case (name == "e" || name == "extension") && q.name == "" && value.Kind == Literal:
			q.name = "*." + strings.TrimPrefix(value.Text, ".")
		case listed(e.tables.Fd.Narrows, name):
			q.narrow = true
		}
	}
	for k := 1; k < len(args); k++ {
		s := args[k].Prefix()
		switch {
		case args[k].Is("--"):
			operands = append(operands, args[k+1:]...)
			k = len(args)
		case s == "-x" || s == "-X" || s == "--exec" || s == "--exec-batch":
			q.command, q.step, q.span = args[k+1:], s, args[k].Span
			k = len(args)
		// From here to the end, or a ";", everything belongs to the command.
		case strings.HasPrefix(s, "--exec=") || strings.HasPrefix(s, "--exec-batch="):
			q.command = append([]Word{*cutWord(&args[k], strings.IndexByte(s, '=')+1)}, args[k+1:]...)
			q.step, q.span = s[:strings.IndexByte(s, '=')], args[k].Span
			k = len(args)
		case strings.HasPrefix(s, "--"):
			name, _, has := strings.Cut(s[2:], "=")
			q.all = q.all || name == "no-ignore" || name == "unrestricted"
			if !listed(e.tables.Fd.Value, name) {
				continue
			}
			if has {
				option(name, cutWord(&args[k], len(name)+3))
			} else if k++; k < len(args) {
				option(name, &args[k])
			}
		case len(s) > 1 && s[0] == '-':
			for j := 1; j < len(s); j++ {
				name := s[j : j+1]
				q.all = q.all || name == "I" || name == "u"
				q.narrow = q.narrow || name == "1" // at most one result
				if !listed(e.tables.Fd.Value, name) {
					continue
				}
				if j+1 < len(s) {
					option(name, cutWord(&args[k], j+1))
				} else if k++; k < len(args) {
					option(name, &args[k])
				}
				break
			}
		default:
			operands = append(operands, args[k])
		}
	}
	if end := slices.IndexFunc(q.command, func(w Word) bool { return w.Is(";") }); end >= 0 {
		q.command = q.command[:end]
	}
	if len(operands) > 0 {
		if p := operands[0].Text; !e.tables.Fd.All.Has(p) {
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
