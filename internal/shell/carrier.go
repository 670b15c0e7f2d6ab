package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// A carrier runs a command that it finds among its arguments, in the value of an
// option or in its input, and does something of its own as well. So it is always
// in the result itself, and what it runs comes after it with a step in Via.
//
// What it finds is followed with the same functions as the line: a carrier in a
// carrier needs no code of its own.

// carrier handles programs that run what their arguments or their input say,
// and emits everything else.
func (e *engine) carrier(name string, x *simple, c *ctx) output {
	switch e.tables.Program(name).Grammar {
	case rule.GrammarShell:
		return e.shell(name, x, c)
	case rule.GrammarFind:
		return e.find(x, c)
	case rule.GrammarFd:
		return e.fd(x, c)
	case rule.GrammarXargs:
		return e.xargs(x, c)
	case rule.GrammarParallel:
		return e.parallel(x, c)
	case rule.GrammarApplet:
		return e.applet(name, x, c)
	case rule.GrammarGit:
		return e.git(x, c)
	case rule.GrammarMake:
		return e.make(name, x, c)
	case rule.GrammarMercurial:
		return e.mercurial(name, x, c)
	case rule.GrammarMacro:
		return e.macros(name, x, c)
	case rule.GrammarEntr:
		return e.entr(x, c)
	case rule.GrammarWindows:
		return e.windowsShell(name, x, c)
	case rule.GrammarVim:
		return e.vim(name, x, c)
	case rule.GrammarSed:
		return e.sed(name, x, c)
	case rule.GrammarAwk:
		return e.awk(name, x, c)
	case rule.GrammarNix:
		return e.nix(x, c)
	case rule.GrammarTmux:
		return e.tmux(x, c)
	case rule.GrammarScreen:
		return e.screen(x, c)
	case rule.GrammarExpect:
		return e.expect(name, x, c)
	}
	if in := e.interpreterOf(name); in != nil {
		return e.interpreter(in, name, x, c)
	}
	if row := e.escapeOf(name); row != nil {
		return e.client(name, row, x, c)
	}
	if out, ok := e.typed(name, x, c); ok {
		return out
	}
	return e.plainRun(name, x, c)
}

// applet takes busybox off a command.
func (e *engine) applet(name string, x *simple, c *ctx) output {
	if len(x.args) < 2 {
		return e.plainRun(name, x, c)
	}
	if applet, ok := strings.CutPrefix(x.args[1].Text, "--coreutils-prog="); ok && x.args[1].Kind == Literal {
		y := x.rest(1)
		y.args = append([]Word{lit(applet, x.args[1].Span)}, y.args[1:]...)
		return e.run(y, c.step(name, x.args[0].Span))
	}
	if strings.HasPrefix(x.args[1].Text, "-") {
		return e.plainRun(name, x, c)
	}
	return e.run(x.rest(1), c.step(name, x.args[0].Span))
}

// entr runs its operands when a file changes: /_ stands for the file.
func (e *engine) entr(x *simple, c *ctx) output {
	text := false
	r := argv.Reader{Args: words(x.args), At: 1, Takes: argv.List("").Takes}
	i := r.Options(func(it argv.Item) bool { text = text || it.Name == "-s"; return true })
	out := e.plainRun("entr", x, c)
	if i >= len(x.args) {
		return out
	}
	n := c.step("entr", x.args[0].Span)
	n.in, n.cond = nil, true
	if text {
		e.script(x.args[i], n)
	} else {
		y := x.rest(i)
		y.args = slices.Clone(y.args)
		for k := range y.args {
			if y.args[k].Is("/_") {
				y.args[k] = unknown("/_", y.args[k].Span)
				y.args[k].Fed = true
			}
		}
		e.run(y, n)
	}
	return out
}

// nix runs a command in an environment: nix develop -c CMD, nix shell x -c CMD. What it runs itself is called as its package: nix run
// nixpkgs#git -- status.
func (e *engine) nix(x *simple, c *ctx) output {
	out := e.plainRun("nix", x, c)
	runs := false
	r := argv.Reader{Args: words(x.args), At: 1, Takes: argv.List("c command").Takes}
	for it, ok := r.Next(); ok && it.Name != argv.Mark; it, ok = r.Next() {
		if it.Name != "" && it.Value >= 0 && it.Cut == 0 {
			e.run(x.rest(it.Value), c.step("nix", x.args[0].Span))
			return out
		}
		if _, attribute, named := strings.Cut(x.args[it.Arg].Text, "#"); named && runs && it.Name == "" {
			y := x.rest(it.Arg)
			if len(y.args) > 1 && y.args[1].Is(argv.Mark) {
				y = y.rest(1)
			}
			y.args = append([]Word{lit(last(attribute), x.args[it.Arg].Span)}, y.args[1:]...)
			e.run(y, c.step("nix run", x.args[0].Span))
			return out
		}
		runs = runs || it.Name == "" && x.args[it.Arg].Is("run")
	}
	return out
}

// macros follows the shell commands in the macros that rpm expands: rpm --eval '%(rm x)'.
func (e *engine) macros(name string, x *simple, c *ctx) output {
	out := e.plainRun(name, x, c)
	for i := range x.args[1:] {
		w := &x.args[i+1]
		for text := w.Text; e.tick(c); {
			_, after, ok := strings.Cut(text, "%(")
			if !ok || w.Kind != Literal {
				break
			}
			body := after[:bracketEnd(after)]
			e.script(lit(body, w.Span), c.step(name+" %(…)", w.Span))
			text = after[len(body):]
		}
	}
	return out
}

// bracketEnd returns where the bracket that stands before s is closed, the end if it is not.
func bracketEnd(s string) int {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}
