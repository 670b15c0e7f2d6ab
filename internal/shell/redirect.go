package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Redirections are judged with the command that has them. Those of a group or a loop
// have no command, so they get one without arguments. Descriptors that exec opens
// are remembered: reading from one is reading what was opened.

// redirects evaluates redirections; in is what they make of standard input.
func (e *engine) redirects(list []*syntax.Redirect, c *ctx) (out []Redirect, in *Input) {
	out = make([]Redirect, 0, len(list))
	for _, r := range list {
		if !e.tick(c) {
			break
		}
		rd := Redirect{Op: r.Op.String(), Fd: 1}
		switch r.Op {
		case syntax.RdrIn, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.RdrInOut:
			rd.Fd = 0
		case syntax.RdrAll, syntax.AppAll, syntax.RdrAllClob, syntax.AppAllClob:
			rd.Fd = -1
		}
		if r.N != nil {
			n, err := strconv.Atoi(r.N.Value)
			if err != nil {
				n = 10 // {name}>file takes a descriptor from 10 on
			}
			rd.Fd = n
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			rd.Target = e.heredoc(r, c)
		default:
			switch list := e.fields(nil, r.Word, c); len(list) {
			case 0:
				rd.Target = Word{Span: c.src.node(r.Word)}
			case 1:
				rd.Target = list[0]
			default: // <<< does not split
				rd.Target = join(list, " ", c.src.node(r.Word))
			}
		}
		if r.Op == syntax.DplOut && r.N == nil && rd.Target.Kind == Literal && !isFd(rd.Target.Text) {
			rd.Op, rd.Fd = "&>", -1 // >& file
		}
		got := e.inputFrom(&rd, c)
		if r.Op == syntax.DplOut && rd.Target.Kind == Literal {
			if d := c.st.descriptor(rd.Target.Text); d != nil && d.file.Text != "" {
				rd.Op, rd.Target = ">", d.file // >&3 after exec 3> file
			}
		}
		out = append(out, rd)
		if rd.Fd == 0 && got != nil {
			in = got
		}
		if r.N != nil && (got != nil || rd.Op == ">" || rd.Op == ">>" || rd.Op == ">|") {
			e.openFd(r.N.Value, rd, got, c)
		}
	}
	return out, in
}

// inputFrom returns what a redirection lets a command read, nil if nothing.
func (e *engine) inputFrom(rd *Redirect, c *ctx) *Input {
	target := rd.Target
	switch rd.Op {
	case "<<", "<<-":
		return &Input{Text: target, Op: "<<"}
	case "<<<":
		text := join([]Word{target, lit("\n", target.Span)}, "", target.Span)
		return &Input{Text: text, Op: "<<<", From: target.From()}
	case "<&":
		if d := c.st.descriptor(target.Text); d != nil {
			return d.in
		}
	case "<", "<>":
		in := &Input{File: target, Op: "<", From: target.From(), Text: unknown("< "+target.Text, target.Span, target.From()...)}
		if text, ok := e.dataOf(&target, c); ok {
			in.Text = text
			in.From = append(in.From, text.From()...)
		}
		return in
	}
	return nil
}

// openFd remembers a descriptor by its number or, for {name}<file, under a
// number of our own that the variable then holds. Only behind exec it outlives
// the command.
func (e *engine) openFd(name string, rd Redirect, in *Input, c *ctx) {
	if strings.HasPrefix(name, "{") {
		number := strconv.Itoa(10 + len(c.st.fds))
		c.st.set(strings.Trim(name, "{}"), value{list: []Word{lit(number, rd.Target.Span)}})
		name = number
	}
	d := descriptor{fd: name, in: in}
	if in == nil {
		d.file = rd.Target
	}
	e.keep(d, c)
}

// keep adds a descriptor, in the place of an earlier one of its number. Others may hold the
// list, so it is copied each time.
func (e *engine) keep(d descriptor, c *ctx) {
	e.work.Take(1 + len(c.st.fds)/copyWords)
	fds := slices.DeleteFunc(slices.Clone(c.st.fds), func(old descriptor) bool { return old.fd == d.fd })
	c.st.fds = append(fds, d)
}

// coproc follows a coprocess. Its output can be read from ${NAME[0]}.
func (e *engine) coproc(n *syntax.CoprocClause, c *ctx) {
	span := c.src.at(int(n.Coproc.Offset()), int(n.Coproc.Offset())+len("coproc"))
	sub := c.step("coproc", span).sub()
	sub.bg, sub.want = true, true
	if call, ok := n.Stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		operands(call)
	}
	out := e.stmt(n.Stmt, sub)
	name := "COPROC"
	if n.Name != nil && n.Name.Lit() != "" {
		name = n.Name.Lit()
	}
	if !out.known {
		out.text = unknown("…", span, out.from...)
	}
	fd := strconv.Itoa(10 + len(c.st.fds))
	e.keep(descriptor{fd: fd, in: &Input{Text: out.text, From: out.from, Op: "|"}}, c)
	c.st.set(name, value{list: []Word{lit(fd, span), lit(fd, span)}, array: true})
}

// operands gives a coprocess its operands back that the parser takes for
// assignments, since it reads the name of the program apart: coproc dd of=x.
func operands(call *syntax.CallExpr) {
	var first []*syntax.Word
	rest := call.Assigns[:0:0]
	for _, a := range call.Assigns {
		if a.Name == nil || a.Pos().Offset() < call.Args[0].Pos().Offset() {
			rest = append(rest, a)
			continue
		}
		w := &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{ValuePos: a.Name.ValuePos, ValueEnd: a.Name.ValueEnd, Value: a.Name.Value + "="}}}
		if a.Value != nil {
			w.Parts = append(w.Parts, a.Value.Parts...)
		}
		first = append(first, w)
	}
	call.Assigns = rest
	call.Args = append(call.Args[:1:1], append(first, call.Args[1:]...)...)
}

// isFd tells a descriptor, as in >&2, from a file name.
func isFd(s string) bool {
	return s == "-" || strings.Trim(strings.TrimSuffix(s, "-"), "0123456789") == ""
}

// harmless tells which redirections of a compound need no command of their own.
func harmless(r Redirect) bool {
	return r.Op == "<" || r.Op == "<<" || r.Op == "<<-" || r.Op == "<<<" || r.Op == "<&" || r.Op == ">&"
}

// compoundRedirs emits the redirections of a command that is itself replaced
// by the script that it runs.
func (e *engine) compoundRedirs(x *simple, c *ctx) {
	if rs := slices.DeleteFunc(slices.Clone(x.redirs), harmless); len(rs) > 0 {
		e.emit(c, &simple{redirs: rs, span: x.span})
	}
}
