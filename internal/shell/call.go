package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A simple command is expanded in the shell's order: words, assignments,
// redirections. The result is a simple, which then loses its wrappers in run.

// simple is a simple command on its way to the result, after expansion.
type simple struct {
	args    []Word
	assigns []Assign
	redirs  []Redirect
	in      *Input // from its own redirections
	span    Span
	code    *Code
	// nameless: its first word is not, or not for sure, the program that runs
	nameless bool
	// bare: no function of that name is meant (command NAME)
	bare bool
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

// callExpr follows a simple command once for each combination of values that its
// variables may have. The first runs on the state itself, the others on copies of
// what it was before, and all of them are merged.
func (e *engine) callExpr(s *syntax.Stmt, ce *syntax.CallExpr, c *ctx) output {
	saved := e.picks
	e.picks = nil
	var before *state
	for i := range c.st.vars {
		if v := &c.st.vars[i]; len(v.alts) > 1 || v.unsure && fallsBack(ce, v.name) || v.several() && picksElement(ce, v.name) {
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

// call expands a simple command and runs it with its assignments in force. Those
// in front of a command do not outlive it, but what it does to the directory, to
// functions and files does.
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
		e.work.Take(n)
		x.args = make([]Word, 0, n)
		for _, w := range ce.Args {
			x.args = e.fields(x.args, w, c)
		}
	}
	for _, a := range ce.Assigns {
		if !e.tick(c) {
			break
		}
		e.assign(x, a, len(ce.Args) == 0, c)
	}
	// Descriptors that a command opens are its own, except those of exec, which stay.
	if len(s.Redirs) > 0 {
		fds := c.st.fds
		x.redirs, x.in = e.redirects(s.Redirs, c)
		if len(x.args) != 1 || !x.args[0].Is("exec") {
			defer func() { c.st.fds = fds }() // the command may read them: bash /dev/fd/3 3<<< x
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
	// A name that something unread may have changed is followed as known, and as unknown too.
	if v := c.st.find(variableOf(ce.Args[0])); v != nil && v.doubtful {
		// TOOL=echo; source file; "$TOOL" …: the file may have set it anew.
		y := *x
		y.nameless = true
		n := *c
		n.cond = true
		e.emit(&n, &y)
	}
	if len(x.assigns) == 0 {
		return e.run(x, c)
	}
	n := *c
	n.st = c.st.clone()
	for _, a := range x.assigns {
		n.st.set(a.Name, value{list: []Word{a.Value}}).exported = true // what it runs gets it, too
	}
	out := e.run(x, &n)
	for i := range x.assigns {
		e.held(x.assigns[i].Name, &x.assigns[i].Value, c)
	}
	// X=1 cd dir: the variable goes, the directory stays.
	c.st.dirs, c.st.old, c.st.files, c.st.funcs = n.st.dirs, n.st.old, n.st.files, n.st.funcs
	if x.args[0].Is("read") || x.args[0].Is("mapfile") || x.args[0].Is("readarray") {
		c.st.keep(n.st, x.assigns) // IFS= read -r f: f stays, IFS does not
	}
	return out
}

// variableOf returns the name of the variable that a word is, "" if it is more.
func variableOf(w *syntax.Word) string {
	parts := w.Parts
	if len(parts) == 1 {
		if q, ok := parts[0].(*syntax.DblQuoted); ok {
			parts = q.Parts
		}
	}
	if len(parts) == 1 {
		if p, ok := parts[0].(*syntax.ParamExp); ok && p.Param != nil {
			return p.Param.Value
		}
	}
	return ""
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
		// Only the word behind << belongs to what is underlined.
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
	e.keyed(a, c)
	if len(v.list) > 0 {
		e.prompted(name, &v.list[0], c)
	}
}

// evaluate expands the value of an assignment.
func (e *engine) evaluate(a *syntax.Assign, c *ctx) (v value) {
	if a.Index != nil {
		// a[$(rm x)]=1 runs rm, though nothing is read from a.
		e.arithm(a.Index, c)
	}
	if a.Array != nil {
		v.array = true
		for _, el := range a.Array.Elems {
			if el.Value == nil {
				continue
			}
			v.list = e.fields(v.list, el.Value, c)
			if key := e.key(el.Index, c); key != "" {
				v.keys = append(v.keys, lit(key, c.src.node(el.Index)))
			}
		}
	} else {
		w := e.quoted(a.Value, c)
		w.Glob = w.Glob && !w.Quoted
		v.list = []Word{w}
		v.array = a.Index != nil
		if key := e.key(a.Index, c); key != "" {
			v.keys = []Word{lit(key, c.src.node(a.Index))}
		}
	}
	return v
}

// optionArgument is the variable of getopts. Where an option has one, what a loop over options sets is taken to be set.
const optionArgument = "OPTARG"

// optarg gives the variable of getopts what may be an option's value.
func (c *ctx) optarg() {
	var alts []value
	for _, w := range c.st.args {
		switch {
		case len(alts) == maxAlts:
		case !strings.HasPrefix(w.Text, "-"):
			alts = append(alts, value{list: []Word{w}})
		case len(w.Text) > 2 && w.Kind == Literal:
			alts = append(alts, value{list: []Word{*cutWord(&w, 2)}})
		}
	}
	if len(alts) > 0 {
		c.st.set(optionArgument, alts...)
	}
}

// setVar sets, appends to, or sets an element of a variable.
func (e *engine) setVar(name string, v value, add, elem bool, c *ctx) {
	old := c.st.find(name)
	unsure := elem || add && old != nil && !old.sure()
	switch {
	case old != nil && old.ref && len(old.alts) > 0:
		if target, ok := one(old.alts[0].list); ok && target != name {
			c.st.set(target, v)
			return
		}
		c.st.doubt() // it may be any
	case elem && old != nil && len(old.alts) > 0:
		// a[i]=v: the element is one of the values from here on.
		e.work.Take(len(old.alts[0].list) / copyWords)
		v = value{list: append(slices.Clip(old.alts[0].list), v.list...), array: true, keys: append(slices.Clip(old.alts[0].keys), v.keys...)}
	case add && old != nil && len(old.alts) > 0 && !old.unset:
		o := old.alts[e.alternative(name, len(old.alts))]
		if o.array || v.array {
			e.work.Take((len(o.list) + len(v.list)) / copyWords)
			v = value{list: append(slices.Clip(o.list), v.list...), array: true, keys: append(slices.Clip(o.keys), v.keys...)}
		} else if len(o.list) == 1 && len(v.list) == 1 {
			e.work.Take(len(o.list[0].Text) / copyBytes)
			v.list = []Word{join([]Word{o.list[0], v.list[0]}, "", v.list[0].Span)}
		}
	}
	set := c.st.set(name, v)
	set.unsure = unsure
	set.exported = set.exported || c.st.exports || old == nil && e.inherited(name)
}

// inherited reports a variable that the environment has: what the line sets it to, programs get.
func (e *engine) inherited(name string) bool {
	if name == "HOME" || e.opt.Env == nil {
		return name == "HOME"
	}
	_, ok := e.opt.Env(name)
	return ok
}

// emit appends a command to the result, once for each directory that may be in
// force, and returns its index.
func (e *engine) emit(c *ctx, x *simple) int {
	if n := len(e.res.Commands); n > 0 && !e.spend(costEmit+len(x.args)/copyArgs, c) && n >= e.opt.Limits.Commands {
		return n - 1
	}
	cmd := Command{
		Args: x.args, Assigns: x.assigns, Redirects: x.redirs, Code: x.code,
		Conditional: c.cond, Undecided: c.open, Background: c.bg, Remote: c.remote, Bare: c.bare, Substituted: c.subst,
		Endless: c.endless && c.bg, Absent: c.absent,
		Dialect: c.dialect, Via: c.via, Span: x.span,
	}
	if len(x.args) > 0 && !x.nameless {
		cmd.Name = e.program(&x.args[0])
	}
	cmd.Stdin = c.in
	if x.in != nil {
		cmd.Stdin = x.in
	}
	if cmd.Stdin != nil {
		cmd.PipeFrom = cmd.Stdin.From
	}
	e.work.Take(len(c.st.vars) / copyWords)
	cmd.Assigns = slices.Clip(cmd.Assigns)
	for i := range c.st.vars {
		v := &c.st.vars[i]
		if !v.exported || v.unset || slices.ContainsFunc(x.assigns, func(a Assign) bool { return a.Name == v.name }) {
			continue
		}
		for _, alt := range v.alts {
			if len(alt.list) > 0 {
				cmd.Assigns = append(cmd.Assigns, Assign{v.name, alt.list[0]})
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
	e.work.Take(len(e.res.Commands) - e.dedupe)
	for i := len(e.res.Commands) - 1; i >= e.dedupe; i-- {
		o := &e.res.Commands[i]
		if o.Span == cmd.Span && o.Name == cmd.Name && o.Dir.same(cmd.Dir) && slices.Equal(o.Absent, cmd.Absent) && slices.EqualFunc(o.Args, cmd.Args, Word.same) &&
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
