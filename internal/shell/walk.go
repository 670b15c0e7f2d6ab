package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The walk goes through the syntax tree in the order in which the shell would run
// it, carrying a context by value and the state by pointer. Subshells and branches
// get a copy of the state.

// ctx is what holds for the commands of one place on the line.
type ctx struct {
	st      *state
	src     *source
	via     []Step
	in      *Input // standard input, nil if inherited from outside
	calls   *frame // functions and aliases being followed, innermost first
	depth   int
	dialect Dialect
	cond    bool
	open    bool // behind a test of the environment of which nobody knows the end
	bg      bool
	endless bool
	remote  bool
	bare    bool
	subst   bool
	want    bool     // somebody reads the output
	absent  []string // files that are not there when it runs
	files   *frame   // files that are being followed, innermost first
	levels  int      // how many
	script  string   // the innermost of them, and of those that the line itself wrote
	round   *state   // of the shell that runs the loop around, nil outside of one
	returns bool     // in a function, or a file that is sourced
	given   []Word   // what a program of another language is given as its arguments

	asked map[string]bool // of a module that the text of the line imports: what that text names
}

// frame is one function or alias being followed.
type frame struct {
	name string
	up   *frame
}

// has reports whether a function or alias is being followed already.
func (f *frame) has(name string) bool {
	for ; f != nil; f = f.up {
		if f.name == name {
			return true
		}
	}
	return false
}

// step returns the context one layer deeper.
func (c *ctx) step(name string, span Span) *ctx {
	c.st.work.Take(1 + len(c.via)/4)
	n := *c
	n.via = append(slices.Clip(c.via), Step{name, span})
	return &n
}

// giving is the context of a program that is given some arguments.
func (c *ctx) giving(args []Word) *ctx {
	n := *c
	if n.given = args; len(args) > 0 && args[0].Is("--") {
		n.given = args[1:]
	}
	return &n
}

// reads returns the standard input of a command.
func (c *ctx) reads(x *simple) *Input {
	if x.in != nil {
		return x.in
	}
	return c.in
}

// elsewhere returns the context of commands on another machine or in a
// container, of which the line says nothing.
func (c *ctx) elsewhere() *ctx {
	n := *c
	n.remote = true
	n.st = c.st.clone()
	// The folder there is its own, and so is every function, alias and file.
	n.st.dirs = []Word{unknown("$PWD", Span{})}
	n.st.funcs, n.st.aliases, n.absent = nil, nil, nil
	return &n
}

// sub returns the context of a subshell.
func (c *ctx) sub() *ctx {
	n := *c
	n.st = c.st.clone()
	return &n
}

// output is what a part of the line writes to its standard output. It is
// gathered only where ctx.want says that somebody reads it.
type output struct {
	text  Word
	from  []int // commands that write it
	known bool  // text is meaningful, though perhaps not literal
	some  bool  // text holds the output of one command at least
}

// add appends the output of what runs afterwards. Where only one of both runs,
// in a || b, both are taken: more than what a shell would read, never less.
func (o *output) add(p output) {
	o.from = append(o.from, p.from...)
	text := p.text
	if !p.known {
		if len(p.from) == 0 {
			return
		}
		text = unknown("…", p.text.Span, p.from...)
	}
	if !o.some {
		o.text, o.known, o.some = text, p.known, true
		return
	}
	sep := ""
	if o.text.Kind != Literal && o.text.Suffix() == "" {
		sep = "\n" // what is not known ends its last line, most likely
	}
	o.text = join([]Word{o.text, text}, sep, o.text.Span)
	o.known = o.known || p.known
}

// stmts follows a list of statements and gathers their output.
func (e *engine) stmts(list []*syntax.Stmt, c *ctx) output {
	var out output
	for _, s := range list {
		if !e.tick(c) {
			break
		}
		o := e.stmt(s, c)
		c.st.fork()
		if c.want {
			e.add(&out, o)
		}
		if c.st.over != runsOn {
			break
		}
	}
	return out
}

// stmt follows one statement. The redirections of a group hold for all of its
// commands, and become a command of their own where they touch a file.
func (e *engine) stmt(s *syntax.Stmt, c *ctx) output {
	if s == nil || !e.spend(costStmt, c) {
		return output{}
	}
	// Such a command runs in a subshell, even where it is a builtin.
	if s.Background || s.Coprocess || s.Disown {
		c = c.sub()
		c.bg = true
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if ok {
		return e.callExpr(s, call, c)
	}
	if s.Cmd == nil {
		return e.callExpr(s, &syntax.CallExpr{}, c)
	}
	if decl, ok := s.Cmd.(*syntax.DeclClause); ok {
		return e.declClause(s, decl, c)
	}
	if len(s.Redirs) == 0 {
		return e.compound(s, c)
	}
	fds := c.st.fds
	rs, in := e.redirects(s.Redirs, c)
	n := *c
	if in != nil {
		n.in = in
	}
	if rs = slices.DeleteFunc(rs, harmless); len(rs) > 0 {
		e.emit(&n, &simple{redirs: rs, span: c.src.node(s)})
		n.want = true
	}
	out := e.compound(s, &n)
	c.st.fds = fds
	for i := range rs {
		if rs[i].Fd != 1 && rs[i].Fd != -1 {
			continue
		}
		if !out.known {
			out.text = unknown("…", c.src.whole(), out.from...)
		}
		c.st.wrote(rs[i].Target, out.text, strings.Contains(rs[i].Op, ">>"))
		return output{}
	}
	return out
}

// compound follows everything that is no simple command.
func (e *engine) compound(s *syntax.Stmt, c *ctx) output {
	switch n := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			return e.pipeline(n, c)
		}
		return e.chain(n, c)
	case *syntax.Subshell:
		sub := c.sub()
		out := e.stmts(n.Stmts, sub)
		c.st.files, c.st.built = sub.st.files, sub.st.built // files outlive the shell that writes them
		return out
	case *syntax.Block:
		return e.stmts(n.Stmts, c)
	case *syntax.IfClause:
		return e.ifClause(n, c)
	case *syntax.WhileClause:
		out := e.stmts(n.Cond, c)
		if !n.Until && c.decides() && noOptions(n.Cond, c) {
			return out
		}
		if e.rounds(n, c) {
			return out
		}
		name := "while loop"
		if n.Until {
			name = "until loop"
		}
		e.add(&out, e.loopBody(c.step(name, c.src.at(int(n.WhilePos.Offset()), int(n.DoPos.Offset()))), e.touches(c, n), n.Do, e.endless(n.Cond, n.Until, n.Do)))
		return out
	case *syntax.ForClause:
		return e.forClause(n, c)
	case *syntax.CaseClause:
		return e.caseClause(n, c)
	case *syntax.FuncDecl:
		if n.Name != nil && n.Body != nil {
			if strings.HasPrefix(n.Name.Value, "command_not_found_handle") {
				e.branch(c, []*syntax.Stmt{n.Body}) // the shell calls it by itself
			}
			e.work.Take(len(c.st.funcs) / copyWords)
			c.st.funcs = append(slices.Clip(c.st.funcs), function{n.Name.Value, n.Body, c.src})
			if slices.Contains(c.st.late, n.Name.Value) {
				e.interrupts(lit(n.Name.Value, c.src.node(n)), c)
			}
			if n.RsrvWord && (simpleBody(n.Body) || len(s.Redirs) > 0 && n.Pos().After(s.Redirs[0].Pos())) {
				e.branch(c, []*syntax.Stmt{n.Body}) // "function" is the name of a program there, and what follows it runs
			}
		}
		for _, name := range n.Names {
			e.work.Take(len(c.st.funcs) / copyWords)
			c.st.funcs = append(slices.Clip(c.st.funcs), function{name.Value, n.Body, c.src})
		}
		if n.Name == nil && len(n.Names) == 0 {
			return e.stmt(n.Body, c) // zsh: an anonymous function runs at once
		}
	case *syntax.TimeClause:
		if n.Stmt != nil {
			return e.stmt(n.Stmt, c.step("time", c.src.at(int(n.Time.Offset()), int(n.Time.Offset())+4)))
		}
	case *syntax.CoprocClause:
		e.coproc(n, c)
	case *syntax.ArithmCmd:
		e.arithm(n.X, c)
		if text := c.src.written(n); e.commandLike(strings.Trim(text, "() ")) {
			e.crude(text, int(n.Pos().Offset()), c) // (( rm -rf / )): brackets by mistake
		}
	case *syntax.LetClause:
		for _, x := range n.Exprs {
			e.arithm(x, c) // let 'x=a[$(rm x)]'
		}
		if slices.ContainsFunc(n.Exprs, func(x syntax.ArithmExpr) bool { _, word := x.(*syntax.Word); return word }) {
			c.st.doubt() // let 'x=1'
		}
	case *syntax.TestClause:
		e.testExpr(n.X, c)
	}
	return output{}
}

// pipeline follows the commands of a pipe, each in a subshell of its own, with the
// output of the one before as its input.
func (e *engine) pipeline(n *syntax.BinaryCmd, c *ctx) output {
	list := []*syntax.Stmt{n.Y}
	for x := n.X; ; {
		b, ok := x.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll || len(x.Redirs) > 0 {
			list = append(list, x)
			break
		}
		list = append(list, b.Y)
		x = b.X
	}
	slices.Reverse(list)
	in := c.in
	var out output
	for i, s := range list {
		// Each in a process of its own: what one sets, the next does not see.
		p := c.sub()
		p.in = in
		p.want = c.want || i < len(list)-1
		out = e.stmt(s, p)
		c.st.files, c.st.built = p.st.files, p.st.built
		if i == len(list)-1 {
			c.st.doubtChanged(p.st) // ksh, zsh and lastpipe run it in the shell itself
		}
		text := out.text
		if !out.known {
			text = unknown("…", c.src.whole(), out.from...)
		}
		in = &Input{Text: text, From: out.from, Op: "|"}
	}
	return out
}

// testExpr follows the substitutions in [[ … ]].
func (e *engine) testExpr(x syntax.TestExpr, c *ctx) {
	switch n := x.(type) {
	case *syntax.BinaryTest:
		e.testExpr(n.X, c)
		e.testExpr(n.Y, c)
		if reckoning(n.Op) {
			for _, side := range []syntax.TestExpr{n.X, n.Y} {
				if w, ok := side.(*syntax.Word); ok {
					e.reckons(e.quoted(w, c), c, 0)
				}
			}
		}
	case *syntax.UnaryTest:
		e.testExpr(n.X, c)
		if w, ok := n.X.(*syntax.Word); ok && n.Op == syntax.TsVarSet {
			e.subscripts([]Word{e.quoted(w, c)}, c)
		}
	case *syntax.ParenTest:
		e.testExpr(n.X, c)
	case *syntax.Word:
		e.quoted(n, c)
	}
}

// arithm follows the substitutions in an arithmetic expression.
func (e *engine) arithm(x syntax.ArithmExpr, c *ctx) {
	switch n := x.(type) {
	case *syntax.BinaryArithm:
		e.arithm(n.X, c)
		e.arithm(n.Y, c)
		if assigning(n.Op) {
			c.st.reckoned(n.X)
		}
	case *syntax.UnaryArithm:
		e.arithm(n.X, c)
		if n.Op == syntax.Inc || n.Op == syntax.Dec {
			c.st.reckoned(n.X)
		}
	case *syntax.ParenArithm:
		e.arithm(n.X, c)
	case *syntax.FlagsArithm:
		e.arithm(n.X, c)
	case *syntax.Word:
		if n != nil && len(n.Parts) == 1 {
			if l, ok := n.Parts[0].(*syntax.Lit); ok {
				e.reckons(lit(l.Value, c.src.node(l)), c, 0)
				return
			}
		}
		if n != nil {
			e.reckons(e.quoted(n, c), c, 0)
		}
	}
}

// reckoning reports a test of [[ that compares numbers, which are expressions.
func reckoning(op syntax.BinTestOperator) bool {
	switch op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		return true
	}
	return false
}

// assigning reports = and its kind.
func assigning(op syntax.BinAritOperator) bool {
	return strings.HasSuffix(op.String(), "=") && op != syntax.Eql && op != syntax.Neq && op != syntax.Leq && op != syntax.Geq
}

// reckoned notes that arithmetic gives a variable another value.
func (s *state) reckoned(x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); ok {
		s.doubtOne(w.Lit())
		if v := s.find(w.Lit()); v != nil {
			v.counts()
		}
	}
}

// simpleBody reports a body that no function has in Bash, where it is written in braces or as another compound command.
func simpleBody(s *syntax.Stmt) bool {
	switch s.Cmd.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause, *syntax.BinaryCmd, *syntax.TimeClause, *syntax.CoprocClause, *syntax.LetClause:
		return true
	}
	return false
}
