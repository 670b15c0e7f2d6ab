package shell

import "strings"

// The e command of sed and the e flag of its s run commands; w writes a file. Its language is read just
// far enough to tell these from patterns and text.

// sed follows the e command, the e flag of s, and w.
func (e *engine) sed(name string, x *simple, c *ctx) output {
	text, _ := e.editorText(&e.tables.Sed, x, c)
	if text == nil {
		return e.plainRun(name, x, c)
	}
	at := e.emit(c, x)
	// Most scripts hold neither letter, and reading them costs more than the two looks.
	if text.Kind == Literal && (strings.IndexByte(text.Text, 'e') >= 0 || strings.IndexByte(text.Text, 'w') >= 0) {
		n := c.step("sed", x.args[0].Span)
		n.in = nil
		if n.depth++; n.depth <= e.opt.Limits.Depth {
			e.sedText(text.Text, text.Span, n)
		}
	}
	return e.finish(name, x, c, at)
}

// sedText reads a sed script command by command.
func (e *engine) sedText(s string, span Span, c *ctx) {
	i := 0
	line := func() string {
		end := strings.IndexByte(s[i:], '\n')
		if end < 0 {
			end = len(s) - i
		}
		t := strings.TrimSpace(s[i : i+end])
		i += end
		return t
	}
	// part reads up to an unescaped delimiter.
	part := func(d byte) string {
		from := i
		for i < len(s) && s[i] != d {
			if s[i] == '\\' {
				i++
			}
			i++
		}
		i = min(i, len(s))
		t := s[from:i]
		i = min(i+1, len(s))
		return t
	}
	for i < len(s) && e.tick(c) {
		switch ch := s[i]; {
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == ';' || ch == '{' || ch == '}' || ch == ',' || ch == '$' || ch == '!' || ch == '+' || ch == '~' || ch >= '0' && ch <= '9':
			i++
		case ch == '/':
			i++
			// An address: what stands in it is a pattern, however much it looks like a command.
			part('/')
		case ch == '\\' && i+1 < len(s):
			i += 2
			part(s[i-1])
		case ch == 's' || ch == 'y':
			if i+1 >= len(s) {
				return
			}
			d := s[i+1]
			i += 2
			part(d)
			with := part(d)
			// y/abc/def/ has the parts of s and no flags.
			if ch == 'y' {
				continue
			}
			for i < len(s) && strings.IndexByte("gpiIemM0123456789w", s[i]) >= 0 {
				f := s[i]
				i++
				if f == 'e' {
					n := *c
					// Only where the pattern fits: GNU sed runs the pattern space then, of which the replacement is the known part.
					n.cond = true
					e.script(lit(with, span), &n)
				}
				if f == 'w' {
					e.emit(c, &simple{redirs: []Redirect{{Op: ">", Fd: 1, Target: lit(line(), span)}}, span: span})
				}
			}
		case ch == 'e':
			i++
			if cmd := line(); cmd != "" {
				e.script(lit(cmd, span), c)
			}
		case ch == 'w':
			i++
			if f := line(); f != "" {
				e.emit(c, &simple{redirs: []Redirect{{Op: ">", Fd: 1, Target: lit(f, span)}}, span: span})
			}
		case ch == 'a' || ch == 'i' || ch == 'c' || ch == 'r' || ch == 'b' || ch == 't' || ch == ':' || ch == '#':
			i++
			line()
		default:
			i++
		}
	}
}
