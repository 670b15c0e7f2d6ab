package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// No test is decided by what may have another value than the one that was followed: a loop runs again, a branch may not have run, a function may have
// ended early. What these may set is read off their statements, whichever way they go; where that cannot be told, it may be anything.

// touched is what statements may set.
type touched struct {
	names []string
	all   bool
	args  bool // $1 and those behind it
}

// sure reports that the variable has no other value than those that are known.
func (v *variable) sure() bool {
	return !v.doubtful && !v.unsure && !v.ref && !slices.ContainsFunc(v.alts, func(a value) bool {
		return slices.ContainsFunc(a.list, func(w Word) bool { return w.Unsure })
	})
}

// sure reports a word that is one text, and no other one.
func (w *Word) sure() bool { return w.Kind == Literal && !w.Glob && !w.Many && !w.Unsure }

// unsure reports that a parameter may have another value than the one that is known.
func (e *engine) unsure(p *syntax.ParamExp, c *ctx) bool {
	if p.Param == nil || p.Excl {
		return true
	}
	name := p.Param.Value
	switch {
	case name == "" || !nameByte(name[0]):
		return c.st.argsUnsure || slices.ContainsFunc(c.st.args, func(w Word) bool { return w.Unsure })
	case name[0] <= '9':
		return c.st.argsUnsure
	}
	v := c.st.find(name)
	if v != nil && !v.sure() || (v == nil || len(v.alts) == 0) && (c.st.foreign || e.tables.Sh.Own.Has(name)) || c.st.unseen || slices.Contains(c.st.late, name) {
		return true
	}
	if key := e.subscript(p.Index, c); key != "" {
		if el := c.st.find(name + key); el != nil && !el.sure() {
			return true
		}
	}
	nested := false
	for _, w := range e.patterns(p) {
		syntax.Walk(w, func(n syntax.Node) bool {
			if q, ok := n.(*syntax.ParamExp); ok && !nested {
				nested = e.unsure(q, c)
			}
			return !nested
		})
	}
	return nested
}

// patterns are the words by which a value is chosen or changed.
func (e *engine) patterns(p *syntax.ParamExp) (words []*syntax.Word) {
	if p.Repl != nil {
		words = append(words, p.Repl.Orig, p.Repl.With)
	}
	if w, ok := p.Index.(*syntax.Word); ok {
		words = append(words, w)
	}
	if p.Exp != nil && p.Exp.Op >= syntax.RemSmallSuffix {
		words = append(words, p.Exp.Word)
	}
	return slices.DeleteFunc(words, func(w *syntax.Word) bool { return w == nil })
}

// unsettled marks words as unsure; of a value that is not there, too.
func unsettled(list []Word, many bool) []Word {
	if len(list) == 0 && !many {
		return []Word{{Unsure: true}}
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Unsure = true
	}
	return list
}

// unsettle notes that something may have been changed.
func (s *state) unsettle(ch *touched) {
	if ch == nil || !s.work.Take(len(ch.names)) {
		return
	}
	s.argsUnsure = s.argsUnsure || ch.args
	s.unseen = s.unseen || ch.all
	s.vars = slices.Clip(s.vars)
	for _, name := range ch.names {
		v := s.declared(name)
		v.unsure = true
		v.counts()
	}
}

// counts notes that a number is counted on: it may be any other one, too.
func (v *variable) counts() {
	if v.unset || v.ref || len(v.alts) != 1 || v.alts[0].array {
		return
	}
	if text, ok := one(v.alts[0].list); ok {
		if _, ok = decimal(text); ok {
			v.alts = append(slices.Clip(v.alts), value{list: []Word{unknown("$"+v.name, v.alts[0].list[0].Span)}})
		}
	}
}

// unsureBut notes what may not be set, since another state does not have it.
func (s *state) unsureBut(o *state) {
	for i := range s.vars {
		if v := &s.vars[i]; !v.unsure && (i >= len(o.vars) || o.vars[i].name != v.name) && o.find(v.name) == nil {
			v.unsure = true
		}
	}
}

// touches reads off statements what they may set.
func (e *engine) touches(c *ctx, list ...syntax.Node) *touched {
	r := &changing{e: e, c: c}
	for _, n := range list {
		r.node(n)
	}
	return &r.touched
}

// changing goes through statements.
type changing struct {
	touched
	e      *engine
	c      *ctx
	funcs  map[string]bool // functions that were gone through, and whether they run what they are given
	depth  int             // of functions
	handed bool            // a function runs what it is given: "$@"
}

// maxChanged is how many nodes are looked at; more may set anything.
const maxChanged = 4096

func (r *changing) node(n syntax.Node) {
	left := maxChanged
	syntax.Walk(n, func(n syntax.Node) bool {
		if left--; left < 0 || r.all || n != nil && !r.e.work.Take(1) {
			r.all = true
			return false
		}
		switch n := n.(type) {
		case *syntax.ArithmCmd:
			r.reckons(n.X)
		case *syntax.ArithmExp:
			r.reckons(n.X)
		case *syntax.Assign:
			if v := r.c.st.find(nameOf(n)); v != nil && v.ref {
				r.all = true
			}
			if r.add(nameOf(n)); n.Naked && n.Name == nil {
				if option, _ := written(n.Value); strings.HasPrefix(option, "-") && strings.ContainsAny(option, "ni") {
					r.all = true // what is set by another name, or reckoned
				}
				r.word(n.Value, true)
			}
		case *syntax.DeclClause:
			r.all = r.all || n.Variant.Value == "nameref"
		case *syntax.WordIter:
			r.add(n.Name.Value)
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				r.all = r.all || n.Excl || n.Param == nil
				r.add(paramName(n))
			}
		case *syntax.BinaryArithm:
			if assigning(n.Op) {
				r.target(n.X)
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				r.target(n.X)
			}
		case *syntax.LetClause, *syntax.CoprocClause:
			r.all = true
		case *syntax.BinaryTest:
			r.all = r.all || reckoning(n.Op) && !plainOperands(n)
		case *syntax.Redirect:
			if n.N != nil && strings.HasPrefix(n.N.Value, "{") {
				r.add(strings.Trim(n.N.Value, "{}"))
			}
		case *syntax.CallExpr:
			r.call(n)
		}
		return true
	})
}

func paramName(p *syntax.ParamExp) string {
	if p.Param == nil {
		return ""
	}
	return p.Param.Value
}

// plainOperands reports numbers, and parameters alone, between which nothing is reckoned that sets something.
func plainOperands(n *syntax.BinaryTest) bool {
	for _, x := range []syntax.TestExpr{n.X, n.Y} {
		if w, ok := x.(*syntax.Word); !ok || strings.ContainsAny(w.Lit(), "=[") {
			return false
		}
	}
	return true
}

func (r *changing) add(name string) {
	if name != "" && !slices.Contains(r.names, name) {
		r.names = append(r.names, name)
	}
}

// reckons takes in expressions that are values: e='x=1'; (( e )).
func (r *changing) reckons(x syntax.ArithmExpr) {
	syntax.Walk(x, func(n syntax.Node) bool {
		w, ok := n.(*syntax.Word)
		if !ok {
			return true
		}
		name := w.Lit()
		if name == "" {
			name = variableOf(w)
		}
		if v := r.c.st.find(name); v != nil {
			r.all = r.all || slices.ContainsFunc(v.alts, func(a value) bool {
				return slices.ContainsFunc(a.list, func(w Word) bool { return strings.Contains(w.Text, "=") })
			})
		}
		return true
	})
}

// target takes in what arithmetic sets.
func (r *changing) target(x syntax.ArithmExpr) {
	w, ok := x.(*syntax.Word)
	if !ok || w == nil {
		r.all = true
		return
	}
	if name := w.Lit(); name != "" {
		r.add(name)
		return
	}
	if p, ok := w.Parts[0].(*syntax.ParamExp); ok && len(w.Parts) == 1 && p.Index != nil {
		r.add(paramName(p))
		return
	}
	r.all = true
}

// word takes in an operand that is the name of a variable, NAME=value or an option; any other one may name all of them.
func (r *changing) word(w *syntax.Word, strict bool) {
	text, plain := written(w)
	if !plain {
		for _, p := range w.Parts {
			if l, ok := p.(*syntax.Lit); ok && strings.Contains(l.Value, "=") && w.Parts[0] == p { // NAME="$value"
				text, plain = l.Value, true
				break
			}
		}
	}
	if !plain {
		r.all = r.all || strict
		return
	}
	if n := strings.IndexAny(text, "=["); n >= 0 {
		text = text[:n]
	}
	r.add(strings.TrimSuffix(text, "+"))
}

// call takes in a simple command.
func (r *changing) call(n *syntax.CallExpr) {
	if len(n.Args) == 0 {
		return
	}
	sh := &r.e.tables.Sh
	args := n.Args
	name, plain := written(args[0])
	for plain && len(args) > 1 && sh.Plainly.Has(name) { // command read x
		args = args[1:]
		name, plain = written(args[0])
	}
	switch {
	case !plain:
		r.named(args[0])
	case len(r.c.st.aliases) > 0, sh.Reads.Has(name):
		r.all = true
	case sh.Shifts.Has(name):
		r.args = true
	case sh.Moves.Has(name):
		r.add("PWD")
		r.add("OLDPWD")
	case sh.Gives.Has(name), r.aside(name, args):
		for _, w := range args[1:] {
			r.word(w, true)
		}
		for _, given := range sh.Unasked {
			r.add(given)
		}
	case r.c.st.function(name) != nil:
		if r.function(name) && len(args) > 1 {
			r.handsOn(args[1:])
		}
	}
}

// aside reports a builtin that is told to set a variable by an option.
func (r *changing) aside(name string, args []*syntax.Word) bool {
	return slices.ContainsFunc(args, func(w *syntax.Word) bool {
		text, _ := written(w)
		return len(text) > 1 && r.e.tables.Sh.Aside.Has(name+" "+text[:2])
	})
}

// handsOn takes in what a function is given to run.
func (r *changing) handsOn(args []*syntax.Word) {
	for i, w := range args {
		if name, plain := written(w); plain {
			r.runs(name)
		} else if i == 0 {
			r.named(w)
		}
	}
}

// runs takes in a command by its name alone.
func (r *changing) runs(name string) {
	sh := &r.e.tables.Sh
	first, _, _ := strings.Cut(name, " ")
	r.all = r.all || sh.Reads.Has(first) || sh.Gives.Has(first) || sh.Shifts.Has(first) || sh.Moves.Has(first) || sh.Plainly.Has(first)
	r.function(first)
}

// named takes in a command whose name is not written out: a program, a function, or a builtin by the words that it is given.
func (r *changing) named(w *syntax.Word) {
	name := variableOf(w)
	v := r.c.st.find(name)
	switch {
	case name == "":
		r.all = true
	case !nameByte(name[0]) || name[0] <= '9':
		if r.handed = true; r.depth == 0 {
			r.given()
		}
	case v == nil: // of the environment: $SUDO
		r.all = r.all || slices.Contains(r.names, name)
	case len(v.alts) != 1 || len(v.alts[0].list) == 0 || v.alts[0].list[0].Prefix() == "":
		r.all = r.all || len(v.alts) != 1 || len(v.alts[0].list) != 1 || !v.alts[0].list[0].Is("")
	default:
		r.runs(v.alts[0].list[0].Prefix())
	}
}

// given takes in the words that the script or function around is given, where it runs these.
func (r *changing) given() {
	for i := range r.c.st.args {
		if w := &r.c.st.args[i]; w.Kind == Literal {
			r.runs(w.Text)
		} else {
			r.all = r.all || i == 0
		}
	}
	r.all = r.all || !r.c.st.argsSet
}

// function takes in what a function does, and reports one that runs what it is given.
func (r *changing) function(name string) (hands bool) {
	f := r.c.st.function(name)
	if f == nil {
		return false
	}
	if hands, known := r.funcs[name]; known {
		return hands
	}
	if r.funcs == nil {
		r.funcs = map[string]bool{}
	}
	args, handed := r.args, r.handed
	r.funcs[name], r.handed = true, false
	r.depth++
	r.node(f.body)
	r.depth--
	r.funcs[name], r.args = r.handed, args // of its own
	hands, r.handed = r.handed, handed
	return hands
}
