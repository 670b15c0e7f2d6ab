package shell

import (
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// Arrays: what a subscript picks. Where the line does not say which element it is, it may be any.

// keyed keeps the elements that have a name for an index, by that: m[x]=v, m=([x]=v).
func (e *engine) keyed(a *syntax.Assign, c *ctx) {
	key := e.subscript(a.Index, c)
	if a.Array == nil && key != "" {
		c.st.set(a.Name.Value+key, value{list: []Word{e.quoted(a.Value, c)}})
	}
	if a.Array == nil {
		return
	}
	for _, el := range a.Array.Elems {
		if key := e.subscript(el.Index, c); key != "" && el.Value != nil && e.tick(c) {
			c.st.set(a.Name.Value+key, value{list: []Word{e.quoted(el.Value, c)}})
		}
	}
}

// key is the text of an index that is a name or a number, or a parameter whose value is known; "" for any other.
func (e *engine) key(x syntax.ArithmExpr, c *ctx) string {
	if n, ok := x.(*syntax.UnaryArithm); ok && n.Op == syntax.Minus {
		if back := e.key(n.X, c); back != "" && digit(back[0]) < 10 {
			return "-" + back // from the end
		}
	}
	w, ok := x.(*syntax.Word)
	if !ok || w == nil || len(w.Parts) == 0 {
		return ""
	}
	parts := w.Parts
	if q, ok := parts[0].(*syntax.DblQuoted); ok && len(parts) == 1 {
		parts = q.Parts
	}
	// What runs something is evaluated elsewhere, once.
	if slices.ContainsFunc(parts, func(p syntax.WordPart) bool {
		switch p := p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
			return false
		case *syntax.ParamExp:
			return p.Index != nil || p.Exp != nil || p.Repl != nil || p.Slice != nil || p.NestedParam != nil
		}
		return true
	}) {
		return ""
	}
	text := e.quoted(&syntax.Word{Parts: parts}, c)
	if text.Kind != Literal || text.Text == "@" || text.Text == "*" {
		return ""
	}
	return text.Text
}

// subscript is an index that is a name, with its brackets; "" for any other.
func (e *engine) subscript(x syntax.ArithmExpr, c *ctx) string {
	text := e.key(x, c)
	if text == "" || digit(text[0]) < 10 || text[0] == '-' {
		return ""
	}
	return "[" + text + "]"
}

// several reports an array of which the line gives more than one element.
func (v *variable) several() bool {
	return len(v.alts) == 1 && v.alts[0].array && len(v.alts[0].list) > 1
}

// picksElement reports a command with a word that has one element of an array in it.
func picksElement(ce *syntax.CallExpr, name string) (found bool) {
	left := maxChanged
	syntax.Walk(ce, func(n syntax.Node) bool {
		left--
		if p, ok := n.(*syntax.ParamExp); ok && p.Index != nil && paramName(p) == name && !whole(p.Index) {
			found = true
		}
		return !found && left > 0
	})
	return found
}

// index picks from an array.
func (e *engine) index(list []Word, p *syntax.ParamExp, span Span, c *ctx) ([]Word, bool) {
	if whole(p.Index) {
		return list, len(list) == 1 && list[0].Kind == Unknown
	}
	if len(list) == 1 && list[0].Kind == Unknown && list[0].Text == c.src.written(p) {
		return list, false // nothing is known of it
	}
	if len(list) > 0 && e.element(p, c) {
		return list, false
	}
	n, err := strconv.Atoi(e.key(p.Index, c))
	switch {
	case anyFound(list):
		return list, false
	case err != nil && len(list) <= maxAlts: // by a name, or one that is not known
		i := e.alternative(paramName(p)+"[]", len(list))
		return list[i : i+1], false
	case err != nil:
		return list, false
	case list[0].Kind == Unknown && len(list) == 1:
		return []Word{unknown(c.src.written(p), span)}, false
	}
	if n < 0 {
		n += len(list)
	}
	if n < 0 || n >= len(list) {
		// Beyond its ends an array has nothing, which expands to no word at all.
		return nil, false
	}
	return list[n : n+1], false
}

// element reports that lookup has found the one element that a subscript names.
func (e *engine) element(p *syntax.ParamExp, c *ctx) bool {
	key := e.subscript(p.Index, c)
	if key == "" {
		return false
	}
	el := c.st.find(paramName(p) + key)
	return el != nil && !el.unset && len(el.alts) == 1
}

// keys lists ${!a[@]}: the subscripts of an array that the line sets.
func (e *engine) keys(p *syntax.ParamExp, c *ctx) ([]Word, bool) {
	v := c.st.find(paramName(p))
	if !whole(p.Index) || v == nil || len(v.alts) != 1 || v.unset || !v.alts[0].array {
		return nil, false
	}
	a := v.alts[0]
	if len(a.keys) == len(a.list) {
		return a.keys, true
	}
	if len(a.keys) > 0 || anyFound(a.list) {
		return nil, false
	}
	list := make([]Word, len(a.list))
	for i := range list {
		list[i] = lit(strconv.Itoa(i), c.src.node(p))
	}
	return list, true
}
