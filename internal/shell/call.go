package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// simple is a simple command on its way to the result, after expansion.
type simple struct {
	args    []Word
	assigns []Assign
	redirs  []Redirect
	in      *Input // from its own redirections
	span    Span
	code    *Code
}

// rest returns the command that starts at argument n.
func (x *simple) rest(n int) *simple {
	y := *x
	y.args = x.args[n:]
	y.code = nil
	if len(y.args) > 0 {
		y.span = spanOf(y.args, x.span)
	}
	return &y
}

// spanOf returns what a list of words covers within a command.
func spanOf(words []Word, within Span) Span {
	s := within
	if first := words[0].Span; first[0] >= within[0] && first[1] <= within[1] && first[1] > first[0] {
		s[0] = first[0]
	}
	return s
}

func (e *engine) callExpr(s *syntax.Stmt, ce *syntax.CallExpr, c *ctx) output {
	saved := e.picks
	e.picks = nil
	var before *state
	for i := range c.st.vars {
		if len(c.st.vars[i].alts) > 1 {
			before = c.st.clone()
			break
		}
	}
	out := e.call(s, ce, c)
	for n := 1; before != nil && len(e.picks) > 0 && n < 16 && e.nextPick(); n++ {
		alt := *c
		alt.st = before.clone()
		alt.cond = true
		o := e.call(s, ce, &alt)
		out.from = append(out.from, o.from...)
		c.st.merge(alt.st)
	}
	e.picks = saved
	return out
}

func (e *engine) call(s *syntax.Stmt, ce *syntax.CallExpr, c *ctx) output {
	x := &simple{}
	if len(ce.Args) > 0 && len(c.st.aliases) > 0 {
		if name := ce.Args[0].Lit(); name != "" && !c.calls.has("alias "+name) {
			if a := c.st.alias(name); a != nil {
				return e.aliased(s, ce, a, c)
			}
		}
	}
	if n := len(ce.Args); n > 0 {
		x.args = make([]Word, 0, n)
		for _, w := range ce.Args {
			x.args = e.fields(x.args, w, c)
		}
	}
	for _, a := range ce.Assigns {
		e.assign(x, a, len(ce.Args) == 0, c)
	}
	if len(s.Redirs) > 0 {
		fds := c.st.fds
		x.redirs, x.in = e.redirects(s.Redirs, c)
		if len(x.args) != 1 || !x.args[0].Is("exec") {
			c.st.fds = fds
		}
	}
	x.span = e.stmtSpan(s, ce, c)
	if len(x.args) == 0 {
		if len(x.redirs) > 0 {
			i := e.emit(c, x)
			return e.finish("", x, c, i)
		}
		return output{}
	}
	if len(x.assigns) == 0 {
		return e.run(x, c)
	}
	n := *c
	n.st = c.st.clone()
	for _, a := range x.assigns {
		n.st.set(a.Name, value{list: []Word{a.Value}})
	}
	out := e.run(x, &n)
	c.st.dirs, c.st.old, c.st.files, c.st.funcs = n.st.dirs, n.st.old, n.st.files, n.st.funcs
	return out
}

// stmtSpan returns the extent of a command without a trailing ; or &.
func (e *engine) stmtSpan(s *syntax.Stmt, ce *syntax.CallExpr, c *ctx) Span {
	if !c.src.exact {
		return c.src.span
	}
	from, to := -1, 0
	see := func(n syntax.Node) {
		a, b := int(n.Pos().Offset()), int(n.End().Offset())
		if from < 0 || a < from {
			from = a
		}
		to = max(to, b)
	}
	if len(ce.Assigns) > 0 || len(ce.Args) > 0 {
		see(ce)
	}
	for _, r := range s.Redirs {
		if r.Hdoc != nil {
			see(r.Word) // the body is far away: other commands stand between
			continue
		}
		see(r)
	}
	return c.src.at(max(from, 0), to)
}

// assign evaluates one assignment; plain ones change the state.
func (e *engine) assign(x *simple, a *syntax.Assign, plain bool, c *ctx) {
	if a.Name == nil {
		return
	}
	name, v := a.Name.Value, e.evaluate(a, c)
	if !plain {
		value := Word{}
		if len(v.list) > 0 {
			value = v.list[0]
		}
		x.assigns = append(x.assigns, Assign{name, value})
		return
	}
	e.setVar(name, v, a.Append, a.Index != nil, c)
}

// evaluate expands the value of an assignment.
func (e *engine) evaluate(a *syntax.Assign, c *ctx) (v value) {
	if a.Index != nil {
		e.arithm(a.Index, c)
	}
	if a.Array != nil {
		v.array = true
		for _, el := range a.Array.Elems {
			if el.Value != nil {
				v.list = e.fields(v.list, el.Value, c)
			}
		}
	} else {
		w := e.quoted(a.Value, c)
		w.Glob = w.Glob && !w.Quoted
		v.list = []Word{w}
	}
	return v
}

// setVar sets, appends to, or sets an element of a variable.
func (e *engine) setVar(name string, v value, add, elem bool, c *ctx) {
	old := c.st.find(name)
	switch {
	case old != nil && old.ref && len(old.alts) > 0:
		if target, ok := one(old.alts[0].list); ok && target != name {
			c.st.set(target, v)
			return
		}
	case elem && old != nil && len(old.alts) > 0:
		// a[i]=v: the element is one of the values from here on.
		v = value{list: append(slices.Clip(old.alts[0].list), v.list...), array: true}
	case add && old != nil && len(old.alts) > 0 && !old.unset:
		o := old.alts[e.alternative(name, len(old.alts))]
		if o.array || v.array {
			v = value{list: append(slices.Clip(o.list), v.list...), array: true}
		} else if len(o.list) == 1 && len(v.list) == 1 && len(o.list[0].Text) < 1<<16 {
			v.list = []Word{join([]Word{o.list[0], v.list[0]}, "", v.list[0].Span)}
		}
	}
	c.st.set(name, v)
}

// redirects evaluates redirections; in is what they make of standard input.
func (e *engine) redirects(list []*syntax.Redirect, c *ctx) (out []Redirect, in *Input) {
	out = make([]Redirect, 0, len(list))
	for _, r := range list {
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
		if text, ok := c.st.written(target.Text); ok {
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
	c.st.fds = append(slices.Clip(c.st.fds), d)
}

func isFd(s string) bool {
	return s == "-" || strings.Trim(strings.TrimSuffix(s, "-"), "0123456789") == ""
}

// emit appends a command to the result, once for each directory that may be in
// force, and returns its index.
func (e *engine) emit(c *ctx, x *simple) int {
	if n := len(e.res.Commands); n > 0 && !e.tick(c) && n >= e.opt.Limits.Commands {
		return n - 1
	}
	cmd := Command{
		Args: x.args, Assigns: x.assigns, Redirects: x.redirs, Code: x.code,
		Conditional: c.cond, Background: c.bg, Remote: c.remote, Substituted: c.subst,
		Endless: c.endless && c.bg,
		Dialect: c.dialect, Via: c.via, Span: x.span,
	}
	if len(x.args) > 0 {
		cmd.Name = program(&x.args[0])
	}
	cmd.Stdin = c.in
	if x.in != nil {
		cmd.Stdin = x.in
	}
	if cmd.Stdin != nil {
		cmd.PipeFrom = cmd.Stdin.From
	}
	for i := range c.st.vars {
		v := &c.st.vars[i]
		if !v.exported || v.unset || slices.ContainsFunc(x.assigns, func(a Assign) bool { return a.Name == v.name }) {
			continue
		}
		for _, alt := range v.alts {
			if len(alt.list) > 0 {
				cmd.Assigns = append(slices.Clip(cmd.Assigns), Assign{v.name, alt.list[0]})
			}
		}
	}
	at := len(e.res.Commands)
	for i := range c.st.dirs {
		cmd.Dir = c.st.dirs[i]
		if i > 0 {
			cmd.Conditional = true
		}
		if e.dedupe >= 0 {
			if j := e.repeated(&cmd); j >= 0 {
				if i == 0 {
					at = j
				}
				continue
			}
		}
		e.res.Commands = append(e.res.Commands, cmd)
	}
	return min(at, max(0, len(e.res.Commands)-1))
}

// repeated finds a command that an earlier round of a loop has emitted.
func (e *engine) repeated(cmd *Command) int {
	for i := len(e.res.Commands) - 1; i >= e.dedupe; i-- {
		o := &e.res.Commands[i]
		if o.Span == cmd.Span && o.Name == cmd.Name && o.Dir.same(cmd.Dir) && slices.EqualFunc(o.Args, cmd.Args, Word.same) &&
			slices.EqualFunc(o.Redirects, cmd.Redirects, func(a, b Redirect) bool { return a.Op == b.Op && a.Target.same(b.Target) }) {
			return i
		}
	}
	return -1
}

// aliased follows the text of an alias with the command's own arguments.
func (e *engine) aliased(s *syntax.Stmt, ce *syntax.CallExpr, a *alias, c *ctx) output {
	span := c.src.node(ce)
	words := []Word{a.text}
	for _, w := range ce.Args[1:] {
		words = append(words, lit(c.src.written(w), c.src.node(w)))
	}
	n := c.step("alias "+a.name, span)
	n.calls = &frame{"alias " + a.name, c.calls}
	if len(s.Redirs) > 0 {
		if rs, in := e.redirects(s.Redirs, c); len(rs) > 0 {
			if in != nil {
				n.in = in
			}
			if rs = slices.DeleteFunc(rs, harmless); len(rs) > 0 {
				e.emit(c, &simple{redirs: rs, span: span})
			}
		}
	}
	return e.script(join(words, " ", span), n)
}

// declClause follows declare, export, local, readonly, typeset.
func (e *engine) declClause(s *syntax.Stmt, d *syntax.DeclClause, c *ctx) output {
	span := c.src.node(d)
	x := &simple{span: span, args: []Word{lit(d.Variant.Value, c.src.node(d.Variant))}}
	export := d.Variant.Value == "export"
	ref := d.Variant.Value == "nameref"
	fold := byte(0)
	before := c // all values are expanded before the first is set
	if len(d.Args) > 1 {
		before = c.sub()
	}
	for _, a := range d.Args {
		if a.Naked && a.Name == nil {
			w := e.quoted(a.Value, c)
			x.args = append(x.args, w)
			if strings.HasPrefix(w.Text, "-") {
				export = export || strings.Contains(w.Text, "x")
				ref = ref || strings.Contains(w.Text, "n") && !export
				if strings.Contains(w.Text, "l") {
					fold = 'l'
				} else if strings.Contains(w.Text, "u") {
					fold = 'u'
				}
			}
			continue
		}
		if a.Naked {
			x.args = append(x.args, lit(a.Name.Value, c.src.node(a)))
			if e.locals != nil && !export {
				e.hide(a.Name.Value, c)
			}
			if export {
				c.st.declared(a.Name.Value).exported = true
			}
			continue
		}
		if e.locals != nil && !export && d.Variant.Value != "readonly" {
			e.hide(a.Name.Value, c)
		}
		e.declare(a, fold, before, c)
		v := c.st.find(a.Name.Value)
		if v == nil {
			continue
		}
		v.ref, v.exported = v.ref || ref, v.exported || export
		w := Word{}
		if len(v.alts) > 0 && len(v.alts[0].list) > 0 {
			w = v.alts[0].list[0]
		}
		x.args = append(x.args, join([]Word{lit(a.Name.Value+"=", Span{}), w}, "", c.src.node(a)))
	}
	if len(s.Redirs) > 0 {
		x.redirs, x.in = e.redirects(s.Redirs, c)
	}
	i := e.emit(c, x)
	return e.finish(x.args[0].Text, x, c, i)
}

// declare sets one variable; its value may be split by braces, as an argument
// is: declare X={echo,rm} leaves the last, but either is possible by order.
func (e *engine) declare(a *syntax.Assign, fold byte, before, c *ctx) {
	name := a.Name.Value
	if fold != 0 {
		c.st.declared(name).fold = fold
	}
	if a.Value != nil && hasBrace(a.Value) && syntax.SplitBraces(a.Value) {
		var alts []value
		for _, w := range e.braces(a.Value, c) {
			if len(alts) < maxAlts {
				alts = append(alts, value{list: []Word{e.quoted(w, before)}})
			}
		}
		c.st.set(name, alts...)
		return
	}
	e.setVar(name, e.evaluate(a, before), a.Append, a.Index != nil, c)
}

// hide remembers what a name was before it became local to a function.
func (e *engine) hide(name string, c *ctx) {
	*e.locals = append(*e.locals, *c.st.declared(name))
}
