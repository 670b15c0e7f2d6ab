package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
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
	f.span = e.body(c.src.node(r.Hdoc), r.Word)
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

// body is the span of a here-document without its end word, which the parser counts in.
func (e *engine) body(s Span, end *syntax.Word) Span {
	if s[0] < 0 || s[0] > s[1] || s[1] > len(e.line) {
		return s
	}
	var stop strings.Builder
	for _, p := range end.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			stop.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			stop.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, in := range p.Parts {
				if l, ok := in.(*syntax.Lit); ok {
					stop.WriteString(l.Value)
				}
			}
		}
	}
	text := strings.TrimSuffix(e.line[s[0]:s[1]], "\n")
	last := strings.LastIndexByte(text, '\n') + 1
	if strings.TrimLeft(text[last:], "\t") == stop.String() {
		s[1] = s[0] + last
	}
	return s
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

// plainStop replaces an end word that does not begin in ASCII, where it is named and
// where it stands, by letters of the same length, so that nothing else moves. The
// parser takes the last byte of such a letter for the begin of the line behind a quoted
// word, and never finds the end of <<'끝'.
func plainStop(text, stop string) string {
	plain := ""
	for c := 'A'; c <= 'Z'; c++ {
		if s := strings.Repeat(string(c), len(stop)); !strings.Contains(text, s) {
			plain = s
			break
		}
	}
	if plain == "" {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		word := strings.TrimSuffix(strings.TrimLeft(line, "\t"), "\n")
		if word == stop {
			line = strings.Replace(line, stop, plain, 1)
		}
		for at := strings.Index(line, "<<"); at >= 0; {
			b.WriteString(line[:at+2])
			line = line[at+2:]
			name := strings.TrimLeft(line, "-<\\'\" \t")
			if strings.HasPrefix(name, stop) {
				b.WriteString(line[:len(line)-len(name)] + plain)
				line = name[len(stop):]
			}
			at = strings.Index(line, "<<")
		}
		b.WriteString(line)
	}
	return b.String()
}
