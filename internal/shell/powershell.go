package shell

import "strings"

// PowerShell is read with a small reader of its own. It knows pipelines, the three
// kinds of strings, variables, script blocks and sub-expressions; keywords are
// skipped and the blocks behind them followed, as something that may happen. That
// is enough, for a block that deletes does so in plain commands.

// ps reads PowerShell well enough to find its commands: pipelines, quotes,
// variables, script blocks and sub-expressions, which are followed wherever
// they stand.
type ps struct {
	e    *engine
	s    string
	i    int
	c    *ctx
	src  *source
	deep int
}

// powershell follows a PowerShell script.
func (e *engine) powershell(text string, src *source, c *ctx) output {
	n := *c
	n.dialect = PowerShell
	n.src = src
	p := &ps{e: e, s: text, c: &n, src: src}
	return p.list(0)
}

// list follows statements up to the stop byte, 0 for the end of the text.
func (p *ps) list(stop byte) output {
	var out output
	if p.deep++; p.deep > p.e.opt.Limits.Depth {
		p.e.doubt(TooDeep, "", p.src.whole())
		p.i = len(p.s)
	}
	defer func() { p.deep-- }()
	for p.i < len(p.s) && p.e.tick(p.c) {
		p.blank(true)
		if p.i >= len(p.s) {
			break
		}
		if p.s[p.i] == stop && stop != 0 {
			p.i++
			break
		}
		at := p.i
		p.e.add(&out, p.pipeline())
		if p.i == at {
			p.i++ // a stray bracket
		}
	}
	p.i = min(p.i, len(p.s))
	return out
}

// blank skips white space and comments; lines tells that newlines count too.
func (p *ps) blank(lines bool) {
	for p.i < len(p.s) {
		switch ch := p.s[p.i]; {
		case ch <= ' ' && ch != '\n' || lines && (ch == '\n' || ch == ';'):
			p.i++
		case ch == '`' && p.i+1 < len(p.s) && p.s[p.i+1] == '\n':
			p.i += 2
		case strings.HasPrefix(p.s[p.i:], "<#"):
			end := strings.Index(p.s[p.i:], "#>")
			if end < 0 {
				end = len(p.s) - p.i - 2
			}
			p.i += end + 2
		case ch == '#':
			end := strings.IndexByte(p.s[p.i:], '\n')
			if end < 0 {
				end = len(p.s) - p.i
			}
			p.i += end
		default:
			return
		}
	}
}

// pipeline follows a | b, and what && or || chain to it.
func (p *ps) pipeline() output {
	var in *Input
	var out output
	for p.e.tick(p.c) {
		p.blank(false)
		n := *p.c
		n.in = in
		n.want = true
		if in == nil {
			n.in = p.c.in
		}
		out = p.command(&n)
		p.blank(false)
		rest := p.s[min(p.i, len(p.s)):]
		if strings.HasPrefix(rest, "&&") || strings.HasPrefix(rest, "||") {
			p.i += 2
			p.e.work.Take(costPipe)
			in = nil
			p.c.cond = true
			continue
		}
		if strings.HasPrefix(rest, "|") {
			p.i++
			p.blank(true)
			p.e.work.Take(costPipe)
			text := out.text
			if !out.known {
				text = unknown("…", p.src.whole(), out.from...)
			}
			in = &Input{Text: text, From: out.from, Op: "|"}
			continue
		}
		break
	}
	return out
}

// command reads one command and follows it.
func (p *ps) command(c *ctx) output {
	x := &simple{}
	start := p.i
	first := true
	call := false // & or . in front: the first word is a program though quoted
	quoted := false
	value := false // an expression, not a command
	for p.i < len(p.s) && p.e.tick(c) {
		p.blank(false)
		if p.i >= len(p.s) {
			break
		}
		ch := p.s[p.i]
		if ch == '\n' || ch == ';' || ch == '|' || ch == ')' || ch == '}' || strings.HasPrefix(p.s[p.i:], "&&") {
			break
		}
		// The operators of calls and of dot-sourcing (about_Operators).
		if (ch == '&' || ch == '.' && p.i+1 < len(p.s) && p.s[p.i+1] == ' ') && first {
			p.i++
			call = true
			continue
		}
		if ch == '&' { // background
			p.i++
			break
		}
		before := p.i
		if op := p.redirection(); op == "" && p.i > before {
			continue // 2>&1 touches no file
		} else if op != "" {
			p.blank(false)
			w, _ := p.word(c)
			if op[0] != '2' || !strings.HasPrefix(w.Text, "&") {
				x.redirs = append(x.redirs, Redirect{Op: op, Fd: 1, Target: w})
			}
			continue
		}
		// [Type]::Method() in the place of a command does the work by itself.
		if first && ch == '[' && p.static(c) {
			return output{}
		}
		at := p.i
		w, q := p.word(c)
		if first {
			w.Glob = w.Glob && w.Text != "?" // the alias, no pattern
			value = !call && strings.IndexByte("$({@[", ch) >= 0
		}
		if p.i == at {
			p.i++ // whatever it is, it is no word
			continue
		}
		if first && !call {
			if p.keyword(w.Text) {
				p.each(w.Text, c)
				start = p.i
				continue
			}
			if name, ok := strings.CutPrefix(w.Text, "$"); ok && p.assign(name, c) {
				return output{}
			}
			quoted = q
		}
		first = false
		x.args = append(x.args, w)
	}
	end := min(p.i, len(p.s))
	x.span = p.src.at(start, start+len(strings.TrimRight(p.s[start:end], " \t\r")))
	switch {
	case len(x.args) == 0 && len(x.redirs) > 0:
		p.e.emit(c, x)
		return output{}
	case len(x.args) == 0 || call && strings.HasPrefix(x.args[0].Text, "{") && x.args[0].Kind != Literal:
		return output{} // nothing, or & { … }, which was followed
	case !call && (quoted || value || x.args[0].Text == "" || strings.IndexByte("$({@[", x.args[0].Text[0]) >= 0):
		// An expression: its value goes down the pipe.
		if len(x.redirs) > 0 {
			p.e.emit(c, &simple{redirs: x.redirs, span: x.span})
		}
		return output{text: x.args[0], known: true, from: x.args[0].From()}
	}
	return p.e.cmdlet(x, c)
}

// keyword tells the words that begin a statement and do not name a command.
func (p *ps) keyword(s string) bool {
	return len(s) <= longestName && p.e.tables.PowerShell.Keywords.Has(strings.ToLower(s))
}

// assign handles $name = value, and tells whether it was one.
func (p *ps) assign(name string, c *ctx) bool {
	k := p.i
	for k < len(p.s) && p.s[k] == ' ' {
		k++
	}
	if k >= len(p.s) || p.s[k] != '=' {
		return false
	}
	p.i = k + 1
	p.blank(false)
	// A string or a variable begins an expression; anything else is a command whose output
	// becomes the value.
	if p.i < len(p.s) && strings.IndexByte("'\"$@", p.s[p.i]) >= 0 {
		w, _ := p.word(c)
		c.st.set(p.name(name), value{list: []Word{w}})
		p.skipExpression(c)
		return true
	}
	out := p.command(c)
	w := unknown("$"+name, p.src.whole(), out.from...)
	if out.known {
		w = trimNewlines(out.text)
	}
	c.st.set(p.name(name), value{list: []Word{w}})
	return true
}

// skipExpression follows what is left of an expression for its blocks.
func (p *ps) skipExpression(c *ctx) {
	for p.i < len(p.s) && strings.IndexByte("\n;|)}", p.s[p.i]) < 0 && p.e.tick(c) {
		at := p.i
		p.word(c)
		p.blank(false)
		if p.i == at {
			p.i++
		}
	}
}

// name returns the name of a variable: they ignore case, and a scope in front
// makes no difference here.
func (p *ps) name(name string) string {
	name = strings.ToLower(strings.Trim(name, "{}"))
	for _, scope := range p.e.tables.PowerShell.Scopes {
		name = strings.TrimPrefix(name, scope)
	}
	return name
}
