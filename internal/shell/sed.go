package shell

import "strings"

// The e command of sed and the e flag of its s run commands; w and W write a file, r and R print one. Its language is read just
// far enough to tell these from patterns and text, and to say of which text a line of the input becomes a command.

// sed follows the e command, the e flag of s, w and r.
func (e *engine) sed(name string, x *simple, c *ctx) output {
	text, _, files := e.editorText(&e.tables.Sed, x, c)
	if text == nil {
		return e.plainRun(name, x, c)
	}
	at := e.emit(c, x)
	// Most scripts hold none of these letters, and reading them costs more than the looks.
	if strings.ContainsAny(text.Text, "erRwW") {
		n := c.step("sed", x.args[0].Span)
		n.in = nil
		if n.depth++; n.depth <= e.opt.Limits.Depth {
			if edits := e.sedText(text, n); edits != nil {
				e.sedLines(edits, e.sedInput(files, x, c), x, n)
			}
		}
	}
	return e.finish(name, x, c, at)
}

// sedEdit is a command of a sed script that runs a line of the input, or changes it before.
type sedEdit struct {
	pattern string
	with    Word // what stands there then; not used by the command e
	sub     bool // an s, and no e
	runs    bool
}

// sedText reads a sed script command by command. It returns what becomes of a line until the last command that runs it, nil if none does.
func (e *engine) sedText(script *Word, c *ctx) (edits []sedEdit) {
	s, span := script.Text, script.Span
	if script.Kind != Literal {
		s = e.dig(script)
	}
	i, last := 0, 0
	until := func(stops string) string {
		end := strings.IndexAny(s[i:], stops)
		if end < 0 {
			end = len(s) - i
		}
		t := strings.TrimSpace(s[i : i+end])
		i += end
		return t
	}
	line := func() string { return until("\n") }
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
	write := func(file string) {
		if file != "" {
			e.emit(c, &simple{redirs: []Redirect{{Op: ">", Fd: 1, Target: e.undig(file, span)}}, span: span})
		}
	}
	for i < len(s) && e.tick(c) {
		switch ch := s[i]; ch {
		case '/':
			i++
			// An address: what stands in it is a pattern, however much it looks like a command.
			part('/')
		case '\\':
			if i += 2; i <= len(s) {
				part(s[i-1])
			}
		case 's', 'y':
			if i+1 >= len(s) {
				return edits[:last]
			}
			d := s[i+1]
			i += 2
			edit := sedEdit{pattern: part(d), sub: true}
			with := part(d)
			// y/abc/def/ has the parts of s and no flags.
			if edit.with = e.undig(with, span); ch == 'y' {
				edit.pattern = ""
				edit.with = unknown("…", span)
			}
			for ch == 's' && i < len(s) && strings.IndexByte("gpiIemM0123456789w", s[i]) >= 0 {
				switch i++; s[i-1] {
				case 'e':
					edit.runs = true
				case 'w':
					write(line())
				}
			}
			if edits = append(edits, edit); edit.runs {
				last = len(edits)
			}
		case 'e':
			i++
			if cmd := line(); cmd != "" {
				e.script(e.undig(cmd, span), c)
			} else {
				edits = append(edits, sedEdit{runs: true})
				last = len(edits)
			}
		case 'w', 'W':
			i++
			write(line())
		case 'a', 'i', 'c':
			for i++; strings.HasSuffix(line(), `\`) && i < len(s); i++ { // the text goes on
			}
		case 'r', 'R':
			i++
			if file := line(); file != "" {
				e.emit(c, &simple{args: []Word{lit("cat", span), e.undig(file, span)}, span: span})
			}
		case '#':
			line()
		case 'b', 't', 'T', ':':
			i++
			until(";}\n")
		default:
			i++
		}
	}
	return edits[:last]
}

// undig is a piece of a text in which holes stand for what is not known.
func (e *engine) undig(text string, span Span) Word {
	var b wordBuilder
	e.textOrHole(&b, text)
	return b.done(span)
}

// sedInput is the lines that a sed reads: of files which the line has written, or what flows into it.
func (e *engine) sedInput(files []*Word, x *simple, c *ctx) feed {
	if len(files) == 0 {
		return inputOf(c.reads(x), "\n")
	}
	f := feed{some: true, known: true}
	for _, file := range files {
		text, known := c.st.written(file.Text)
		if !known || text.Kind != Literal {
			return feed{some: true}
		}
		f.list = append(f.list, inputOf(&Input{Text: text}, "\n").list...)
	}
	return f
}

// sedLines runs what a script makes of each line of its input.
func (e *engine) sedLines(edits []sedEdit, f feed, x *simple, c *ctx) {
	n := *c
	n.cond = true // as far as addresses and patterns fit
	list := f.list
	if !f.known {
		list = []Word{f.operand("…", x.span)}
	}
	for k := range list {
		space := list[k]
		for m := range edits {
			if !e.tick(c) {
				return
			}
			if edits[m].sub {
				space = edits[m].edit(space)
			}
			if edits[m].runs {
				space.Span = x.span // and not that of what it reads
				e.scriptOrShell(space, x.args[0].Span, &n)
			}
		}
	}
}

// edit is what stands in a line once an s has changed it. Where the pattern is about a part that is not known, it is the new text alone.
func (d *sedEdit) edit(space Word) Word {
	bare := strings.NewReplacer(`\(`, "", `\)`, "", "(", "", ")", "", `\+`, "+").Replace(d.pattern)
	all := strings.Trim(bare, "^$")
	var b wordBuilder
	switch {
	case all == ".*" || all == ".+" || all == "..*":
		d.insert(&b, &space, true)
	case bare == "^":
		d.insert(&b, &space, false)
		b.word(&space)
	case bare == "$":
		b.word(&space)
		d.insert(&b, &space, false)
	case space.Kind == Literal && d.with.Kind == Literal && strings.Trim(bare, `^$.*[]\+?{}|&`) == bare && !strings.ContainsAny(d.with.Text, `\&`) && bare != "":
		return lit(strings.ReplaceAll(space.Text, bare, d.with.Text), space.Span)
	case d.with.Kind == Literal && d.with.Text == "":
		return unknown("…", space.Span)
	default:
		d.insert(&b, &space, false)
	}
	return b.done(space.Span)
}

// insert adds the new text, with what the pattern found in place of & and \1: the line itself where the pattern is all of it.
func (d *sedEdit) insert(b *wordBuilder, space *Word, whole bool) {
	found := unknown("…", space.Span)
	if whole {
		found = *space
	}
	if d.with.Kind != Literal {
		b.word(&d.with)
		return
	}
	s := d.with.Text
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '&':
			b.word(&found)
		case s[i] == '\\' && i+1 < len(s):
			switch i++; {
			case digit(s[i]) < 10:
				b.word(&found)
			case s[i] == 'n':
				b.text("\n")
			default:
				b.text(s[i : i+1])
			}
		default:
			b.text(s[i : i+1])
		}
	}
}
