package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A few expressions of PowerShell do what commands do: static methods of .NET that
// delete, move, write or start, and the loop that gives a variable its values.

// each reads ($f in …) behind foreach: the variable stands for what is listed.
func (p *ps) each(keyword string, c *ctx) {
	if !strings.EqualFold(keyword, "foreach") {
		return
	}
	rest := strings.TrimLeft(p.s[min(p.i, len(p.s)):], " \t")
	rest, ok := strings.CutPrefix(rest, "(")
	if !ok {
		return
	}
	rest = strings.TrimLeft(rest, " \t")
	name, after, ok := strings.Cut(rest, " ")
	after = strings.TrimLeft(after, " \t")
	if !ok || len(name) < 2 || name[0] != '$' || len(after) < 3 || !strings.EqualFold(after[:3], "in ") {
		return
	}
	p.i = len(p.s) - len(after) + 3
	out := p.block(c, ')')
	w := unknown(name, p.src.whole(), out.from...)
	if out.known {
		w = trimNewlines(out.text)
	}
	c.st.set(p.name(name[1:]), value{list: []Word{w}})
}

// static follows [Type]::Method(…) and reports whether it was one.
func (p *ps) static(c *ctx) bool {
	start := p.i
	typ, rest, ok := strings.Cut(p.s[p.i+1:], "]::")
	method, _, called := strings.Cut(rest, "(")
	// What has blanks or bars before the bracket is an index or a cast, and no call.
	if !ok || !called || strings.ContainsAny(typ+method, " \t\n;|)") {
		return false
	}
	p.i += 1 + len(typ) + 3 + len(method) + 1
	var args []Word
	for p.i < len(p.s) && p.s[p.i] != ')' && p.e.tick(c) {
		p.blank(true)
		at := p.i
		if w, _ := p.word(c); p.i > at && (w.Text != "" || w.Quoted) {
			args = append(args, w)
		} else if p.i == at {
			break
		}
	}
	if p.i < len(p.s) && p.s[p.i] == ')' {
		p.i++
	}
	name := strings.TrimPrefix(strings.ToLower(typ), "system.") + "." + strings.ToLower(method)
	span := p.src.at(start, p.i)
	if len(args) > 0 {
		p.perform(name, args, span, c.step("["+typ+"]::"+method, span))
	}
	return true
}

// perform emits the command that a static method equals.
func (p *ps) perform(name string, args []Word, span Span, c *ctx) {
	unix := func(words []Word, cmd ...string) { p.e.unix(c, span, span, words, cmd...) }
	does, _ := p.e.effectOf(p.e.languageOf(LangPowerShell), name, false)
	switch does {
	case rule.DoOption:
		// Without a second argument it refuses a folder with anything in it (Directory.Delete).
		if len(args) == 1 || strings.EqualFold(args[1].Text, "$false") {
			unix(args[:1], "rmdir")
			return
		}
		unix(args[:1], "rm", "-r")
	case rule.DoRemove:
		unix(args[:1], "rm")
	case rule.DoMove:
		unix(args[:min(2, len(args))], "mv")
	case rule.DoCopy:
		unix(args[:min(2, len(args))], "cp")
	case rule.DoWrite:
		p.e.emit(c, &simple{redirs: []Redirect{{Op: ">", Fd: 1, Target: args[0]}}, span: span})
	case rule.DoAppend:
		p.e.emit(c, &simple{redirs: []Redirect{{Op: ">>", Fd: 1, Target: args[0]}}, span: span})
	case rule.DoRead:
		unix(args[:1], "cat")
	case rule.DoSpawn:
		p.e.startProcess(args, span, c)
	}
}

// startProcess runs a program with its arguments as one text or several.
func (e *engine) startProcess(words []Word, span Span, c *ctx) output {
	line := join(words, " ", span)
	if c.depth >= e.opt.Limits.Depth {
		e.doubt(TooDeep, "", span)
		return output{}
	}
	// A name with blanks in it would fall apart if it were read again as text.
	if line.Kind != Literal || strings.ContainsAny(words[0].Text, " ") {
		return e.cmdlet(&simple{args: words, span: span}, c)
	}
	n := *c
	n.depth++
	return e.powershell(line.Text, &source{span: span, text: line.Text}, &n)
}
