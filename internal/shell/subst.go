package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/modu-ai/moai/internal/term"
)

// Commands in a substitution run before the command that they are part of, in a
// shell of their own. Their output is the word where it is known.

// cmdSubst follows $(…) and returns its output.
func (e *engine) cmdSubst(p *syntax.CmdSubst, c *ctx) Word {
	span := c.src.node(p)
	n := c.step("$(…)", span).sub()
	n.want, n.subst = true, true
	n.depth++
	if n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", span)
		return unknown(c.src.written(p), span)
	}
	// $(<file) reads a file.
	if len(p.Stmts) == 1 && p.Stmts[0].Cmd == nil {
		redirs, in := e.redirects(p.Stmts[0].Redirs, n)
		if in != nil && in.Op == "<" {
			if text, ok := e.dataOf(&in.File, c); ok {
				text.Unsure = true
				return trimNewlines(text)
			}
			i := e.emit(n, &simple{redirs: redirs, span: span})
			return unknown(c.src.written(p), span, i)
		}
	}
	picks := e.picks
	e.picks = nil
	out := e.stmts(p.Stmts, n)
	if written := c.src.written(p); p.Backquotes && strings.Contains(written, "\\\\`") {
		e.crude(written, int(p.Pos().Offset()), n) // deeper than the parser reads them right
	}
	e.picks = picks
	if !out.known {
		return unknown(c.src.written(p), span, out.from...)
	}
	w := trimNewlines(out.text)
	w.Span = span
	w.Unsure = true
	return w
}

// trimNewlines drops the line ends that a substitution drops.
func trimNewlines(w Word) Word {
	if w.Kind == Literal {
		w.Text = strings.TrimRight(w.Text, "\n")
		return w
	}
	if n := len(w.Parts); n > 0 && !w.Parts[n-1].Unknown {
		w.Parts = slices.Clone(w.Parts)
		w.Parts[n-1].Text = strings.TrimRight(w.Parts[n-1].Text, "\n")
		w.Text = strings.TrimRight(w.Text, "\n")
	}
	return w
}

// procSubst follows <(…) and >(…). The word stands for a file whose content
// comes from, or goes to, those commands.
func (e *engine) procSubst(p *syntax.ProcSubst, c *ctx) Word {
	span := c.src.node(p)
	name := "<(…)"
	n := c.step(name, span).sub()
	n.depth++
	if n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", span)
		return unknown(c.src.written(p), span)
	}
	if p.Op == syntax.CmdOut {
		n.via[len(n.via)-1].Name = ">(…)"
		n.in = &Input{Text: unknown("…", span), Op: "|"}
		e.stmts(p.Stmts, n)
		return unknown(c.src.written(p), span)
	}
	n.want, n.subst = true, true
	out := e.stmts(p.Stmts, n)
	if out.known {
		// The text can be had by the name of the word, like that of a file.
		c.st.files = append(c.st.files, file{term.Clip(c.src.written(p), mostShown), out.text})
	}
	return unknown(c.src.written(p), span, out.from...)
}
