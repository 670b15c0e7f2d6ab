package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declare, export, local and their kind are syntax and not commands to bash: the
// assignments behind them are not split. All of their values are expanded before
// the first name is set, so that declare A=x B=$A gives B the old value of A.

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
			if w.Kind != Literal {
				c.st.doubt() // export $(cat .env)
			} else if strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "i") {
				c.st.doubt() // what is assigned is reckoned
			}
			e.subscripts([]Word{w}, c) // declare 'a[$(rm x)]=1'
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
				c.st.declared(a.Name.Value).unsure = true // empty, or as it was: shells differ
			}
			if export {
				c.st.declared(a.Name.Value).exported = true
			}
			continue
		}
		// Within a function these are local, but for export and readonly (bash(1), declare).
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
	// What is exported reaches every program behind it, so its command is followed here, once.
	for _, a := range d.Args {
		if v := c.st.find(nameOf(a)); v != nil && len(v.alts) > 0 && len(v.alts[0].list) > 0 {
			if v.exported {
				e.held(v.name, &v.alts[0].list[0], c)
			} else {
				e.prompted(v.name, &v.alts[0].list[0], c)
			}
		}
	}
	if hasArg(x.args[1:], "-i") {
		for i := range x.args[1:] {
			e.reckons(x.args[1+i], c, 0) // declare -i x='a[$(rm x)]' is arithmetic
		}
	}
	return e.finish(x.args[0].Text, x, c, i)
}

// nameOf returns the name that an argument of declare sets, "" for its options.
func nameOf(a *syntax.Assign) string {
	if a.Name == nil {
		return ""
	}
	return a.Name.Value
}

// declare sets one variable; its value may be split by braces, as an argument
// is: declare X={echo,rm} leaves the last, but either is possible by order.
func (e *engine) declare(a *syntax.Assign, fold byte, before, c *ctx) {
	name := a.Name.Value
	if fold != 0 {
		c.st.declared(name).fold = fold
	}
	var split *syntax.Word
	if a.Value != nil {
		split = e.splitBraces(a.Value, c)
	}
	if split != nil {
		var alts []value
		for _, w := range e.braces(split, c) {
			if len(alts) < maxAlts {
				alts = append(alts, value{list: []Word{e.quoted(w, before)}})
			}
		}
		c.st.set(name, alts...)
		return
	}
	e.setVar(name, e.evaluate(a, before), a.Append, a.Index != nil, c)
	e.keyed(a, c)
}

// hide remembers what a name was before it became local to a function.
func (e *engine) hide(name string, c *ctx) {
	*e.locals = append(*e.locals, *c.st.declared(name))
}
