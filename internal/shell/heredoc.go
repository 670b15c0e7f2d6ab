package shell

import (
	"strings"

	"github.com/modu-ai/moai/third_party/sh/syntax"
)

// The body of a here-document is text with gaps, or, behind a quoted end word, text
// as it stands. Who reads it decides whether it is data or a script.

// heredoc returns the body of a here-document; with a quoted end word nothing
// in it is expanded.
func (e *engine) heredoc(r *syntax.Redirect, c *ctx) Word {
	if r.Hdoc == nil {
		return Word{}
	}
	var f fielder
	f.span = c.src.node(r.Hdoc)
	raw := false
	for _, p := range r.Word.Parts {
		if l, ok := p.(*syntax.Lit); !ok || strings.IndexByte(l.Value, '\\') >= 0 {
			raw = true
		}
	}
	if raw {
		for _, p := range r.Hdoc.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				e.textOrHole(&f.b, l.Value)
			}
		}
	} else {
		for _, p := range r.Hdoc.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				e.textOrHole(&f.b, unescapeHeredoc(l.Value))
				continue
			}
			e.dblQuoted(&f, []syntax.WordPart{p}, c)
		}
	}
	w := f.b.done(f.span)
	if r.Op == syntax.DashHdoc {
		dedent(&w)
	}
	return w
}

// dedent drops leading tabs, as <<- does.
func dedent(w *Word) {
	strip := func(s string) string {
		if !strings.Contains(s, "\t") {
			return s
		}
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		return strings.Join(lines, "\n")
	}
	w.Text = strip(w.Text)
	for i := range w.Parts {
		w.Parts[i].Text = strip(w.Parts[i].Text)
	}
}
