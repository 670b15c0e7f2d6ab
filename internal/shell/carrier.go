package shell

import "strings"

// A carrier runs a command that it finds among its arguments, in the value of an
// option or in its input, and does something of its own as well. So it is always
// in the result itself, and what it runs comes after it with a step in Via.
//
// What it finds is followed with the same functions as the line: a carrier in a
// carrier needs no code of its own.

// carrier handles programs that run what their arguments or their input say,
// and emits everything else.
func (e *engine) carrier(name string, x *simple, c *ctx) output {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "fish", "rbash", "yash", "pdksh", "lksh":
		return e.shell(name, x, c)
	case "find", "gfind", "bfs":
		return e.find(x, c)
	case "fd", "fdfind":
		return e.fd(x, c)
	case "xargs", "gxargs":
		return e.xargs(x, c)
	case "parallel", "rush":
		return e.parallel(x, c)
	case "busybox", "toybox":
		return e.applet(name, x, c)
	case "git":
		return e.git(x, c)
	case "make", "gmake":
		return e.make(x, c)
	case "script", "scriptreplay":
		return e.optionText(name, x, c, "c", "command", "")
	case "entr":
		return e.entr(x, c)
	case "npx", "bunx", "pnpx", "uvx", "pipx":
		return e.runner(name, x, c)
	case "powershell", "pwsh", "cmd":
		return e.windowsShell(name, x, c)
	case "vim", "vi", "nvim", "ex", "view", "gvim":
		return e.vim(name, x, c)
	case "sed", "gsed":
		return e.sed(name, x, c)
	case "awk", "gawk", "mawk", "nawk":
		return e.awk(name, x, c)
	case "nix-shell":
		return e.optionText(name, x, c, "", "run command", "")
	case "nix":
		return e.nix(x, c)
	case "gcloud":
		return e.optionText(name, x, c, "", "command", "remote")
	case "fly", "flyctl":
		return e.optionText(name, x, c, "C", "command", "remote")
	case "tmux":
		return e.tmux(x, c)
	case "screen":
		return e.screen(x, c)
	}
	if lang := language(name); lang != "" {
		return e.interpreter(lang, name, x, c)
	}
	return e.plainRun(name, x, c)
}

// applet takes busybox off a command.
func (e *engine) applet(name string, x *simple, c *ctx) output {
	if len(x.args) < 2 || strings.HasPrefix(x.args[1].Text, "-") {
		return e.plainRun(name, x, c)
	}
	return e.run(x.rest(1), c.step(name, x.args[0].Span))
}

// optionText follows a program that is judged itself and runs the text which
// is the value of an option.
func (e *engine) optionText(name string, x *simple, c *ctx, short, long, where string) output {
	out := e.plainRun(name, x, c)
	w := optionValue(x.args[1:], short, long)
	if w == nil {
		return out
	}
	n := c.step(name, x.args[0].Span)
	if where == "remote" {
		n = n.elsewhere()
	}
	e.script(*w, n)
	return out
}

// optionValue finds the value of an option given as one of the letters of
// short or one of the words of long.
func optionValue(args []Word, short, long string) *Word {
	list := short + " " + long
	for i := range args {
		s := args[i].Prefix()
		switch {
		case s == "--":
			return nil
		case strings.HasPrefix(s, "--"):
			name, _, has := strings.Cut(s[2:], "=")
			if !listed(list, name) {
				continue
			}
			if has {
				return cutWord(&args[i], len(name)+3)
			}
			if i+1 < len(args) {
				return &args[i+1]
			}
		case len(s) > 1 && s[0] == '-' && short != "":
			k := strings.IndexAny(s, short)
			if k < 1 {
				continue
			}
			if k+1 < len(s) || args[i].Kind != Literal {
				return cutWord(&args[i], k+1)
			}
			if i+1 < len(args) {
				return &args[i+1]
			}
		}
	}
	return nil
}

// git is judged itself; an alias on the line that begins with ! is run.
func (e *engine) git(x *simple, c *ctx) output {
	out := e.plainRun("git", x, c)
	args := x.args
	for i := range x.assigns {
		// GIT_CONFIG_KEY_0=k GIT_CONFIG_VALUE_0=v is -c k=v.
		number, ok := strings.CutPrefix(x.assigns[i].Name, "GIT_CONFIG_KEY_")
		for k := range x.assigns {
			if ok && x.assigns[k].Name == "GIT_CONFIG_VALUE_"+number {
				pair := join([]Word{x.assigns[i].Value, x.assigns[k].Value}, "=", x.span)
				e.gitAlias(&pair, args, 0, c)
			}
		}
	}
	for i := 1; i < len(args); i++ {
		s := args[i].Prefix()
		switch {
		case s == "-c" && i+1 < len(args):
			i++
			e.gitAlias(&args[i], args, i, c)
		case strings.HasPrefix(s, "-c") && len(s) > 2:
			e.gitAlias(cutWord(&args[i], 2), args, i, c)
		case s == "-C" || s == "--git-dir" || s == "--work-tree" || s == "--namespace" || s == "--exec-path" || s == "--config-env":
			i++
		case !strings.HasPrefix(s, "-"):
			e.gitRuns(s, args[i+1:], c)
			return out
		}
	}
	return out
}

// gitAlias follows -c alias.x='!command' and the keys whose value is a command.
func (e *engine) gitAlias(w *Word, args []Word, i int, c *ctx) {
	key, _, ok := strings.Cut(w.Prefix(), "=")
	if !ok {
		return
	}
	val := cutWord(w, len(key)+1)
	low := strings.ToLower(key)
	switch {
	case strings.HasPrefix(low, "alias.") && strings.HasPrefix(val.Prefix(), "!"):
		n := c.step("git alias", w.Span)
		n.cond = true
		text := *cutWord(val, 1)
		for k := i + 1; k < len(args); k++ {
			if args[k].Is(key[6:]) { // what follows the alias goes to its command
				text = join(append([]Word{text}, args[k+1:]...), " ", w.Span)
			}
		}
		e.script(text, n)
	case strings.HasPrefix(low, "alias."):
		n := c.step("git alias", w.Span)
		n.cond = true
		words := []Word{lit("git", w.Span), *val}
		for k := i + 1; k < len(args); k++ {
			if args[k].Is(key[6:]) {
				words = append(words, args[k+1:]...)
			}
		}
		e.script(join(words, " ", w.Span), n)
	case low == "core.sshcommand", low == "core.editor", low == "core.pager", low == "sequence.editor", low == "diff.external",
		strings.HasPrefix(low, "pager."), strings.HasSuffix(low, ".textconv"), strings.HasSuffix(low, ".smudge"), strings.HasSuffix(low, ".clean"):
		n := c.step("git "+low, w.Span)
		n.cond = true
		e.script(*val, n)
	}
}

// gitRuns follows the git commands that run a command line for commits,
// submodules or tests.
func (e *engine) gitRuns(sub string, args []Word, c *ctx) {
	step := func() *ctx { return c.step("git "+sub, args[0].Span) }
	switch sub {
	case "submodule", "subtree":
		if len(args) > 1 && args[0].Is("foreach") {
			args = args[1:]
			for len(args) > 0 && args[0].Is("--recursive") {
				args = args[1:]
			}
			if len(args) > 0 {
				e.script(join(args, " ", args[0].Span), step())
			}
		}
	case "rebase":
		if w := optionValue(args, "x", "exec"); w != nil {
			e.script(*w, step())
		}
	case "bisect":
		if len(args) > 1 && args[0].Is("run") {
			e.run(&simple{args: args[1:], span: spanOf(args[1:], args[0].Span)}, step())
		}
	case "filter-branch":
		for _, name := range []string{"tree-filter", "index-filter", "msg-filter", "env-filter", "commit-filter", "parent-filter", "tag-name-filter", "setup"} {
			if w := optionValue(args, "", name); w != nil {
				e.script(*w, step())
			}
		}
	case "difftool", "mergetool":
		if w := optionValue(args, "x", "extcmd"); w != nil {
			e.script(*w, step())
		}
	}
}

// entr runs its operands when a file changes: /_ stands for the file.
func (e *engine) entr(x *simple, c *ctx) output {
	i := 1
	text := false
	for i < len(x.args) && strings.HasPrefix(x.args[i].Text, "-") {
		text = text || strings.Contains(x.args[i].Text, "s")
		i++
	}
	out := e.plainRun("entr", x, c)
	if i >= len(x.args) {
		return out
	}
	n := c.step("entr", x.args[0].Span)
	n.in, n.cond = nil, true
	if text {
		e.script(x.args[i], n)
	} else {
		e.run(x.rest(i), n)
	}
	return out
}

// runner handles programs that fetch a package and run its command.
func (e *engine) runner(name string, x *simple, c *ctx) output {
	e.emit(c, x)
	n := c.step(name, x.args[0].Span)
	args := x.args
	i := 1
	if name == "pipx" {
		if len(args) < 2 || !args[1].Is("run") {
			return output{}
		}
		i++
	}
	for i < len(args) && strings.HasPrefix(args[i].Text, "-") {
		switch args[i].Text {
		case "-c", "--call":
			if i+1 < len(args) {
				return e.script(args[i+1], n)
			}
		case "-p", "--package", "--from", "--with", "--spec", "--python":
			i++
		case "--version", "--help":
			return output{}
		}
		i++
	}
	if i >= len(args) {
		return output{}
	}
	return e.run(x.rest(i), n)
}

// nix runs a command in an environment: nix develop -c CMD, nix shell x -c CMD.
func (e *engine) nix(x *simple, c *ctx) output {
	out := e.plainRun("nix", x, c)
	for i := range x.args {
		if (x.args[i].Is("-c") || x.args[i].Is("--command")) && i+1 < len(x.args) {
			e.run(x.rest(i+1), c.step("nix", x.args[0].Span))
			break
		}
	}
	return out
}

// tmux runs the operands of new-session and its kind, and what send-keys types.
func (e *engine) tmux(x *simple, c *ctx) output {
	out := e.plainRun("tmux", x, c)
	for i := 1; i < len(x.args); i++ {
		keys := false
		switch x.args[i].Text {
		case "send-keys", "send":
			keys = true
		case "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp", "respawn-window", "run-shell", "run", "popup", "display-popup", "if-shell", "pipe-pane":
		default:
			continue
		}
		n := c.step("tmux "+x.args[i].Text, x.args[i].Span)
		row := wrapper{value: "ceFnstxy"}
		if keys {
			row.value = "tN"
		} else if strings.HasPrefix(x.args[i].Text, "run") || strings.HasPrefix(x.args[i].Text, "if") {
			row.value = "t"
		}
		at, _, _ := row.scan(x.args, i+1)
		words := x.args[at:]
		for keys && len(words) > 0 && (words[len(words)-1].Is("Enter") || words[len(words)-1].Is("C-m")) {
			words = words[:len(words)-1]
		}
		if len(words) > 0 {
			e.script(join(words, " ", Span{words[0].Span[0], max(words[0].Span[1], words[len(words)-1].Span[1])}), n)
		}
		break
	}
	return out
}

// screen runs its operands, and what -X stuff types.
func (e *engine) screen(x *simple, c *ctx) output {
	out := e.plainRun("screen", x, c)
	row := wrapper{value: "cehpsStT"}
	at, _, _ := row.scan(x.args, 1)
	if at >= len(x.args) {
		return out
	}
	n := c.step("screen", x.args[0].Span)
	if at+1 < len(x.args) && x.args[at].Is("stuff") {
		e.script(x.args[at+1], n)
	} else {
		e.run(x.rest(at), n)
	}
	return out
}

// make runs the recipes of a makefile that comes from its input.
func (e *engine) make(x *simple, c *ctx) output {
	in := c.reads(x)
	w := optionValue(x.args[1:], "f", "file makefile")
	if w == nil || in == nil || !stdinFile(w.Text) {
		for i := range x.args {
			if s := x.args[i].Prefix(); strings.HasPrefix(s, "SHELL=") || strings.HasPrefix(s, "--eval=") {
				n := c.step("make", x.args[0].Span)
				n.cond = true
				out := e.plainRun("make", x, c)
				e.recipes(*cutWord(&x.args[i], strings.IndexByte(s, '=')+1), n)
				return out
			}
		}
		return e.plainRun("make", x, c)
	}
	x.code = &Code{Lang: "make", From: FromStdin, Text: in.Text, Seen: in.Text.Kind == Literal}
	out := e.plainRun("make", x, c)
	e.recipes(in.Text, c.step("make -f -", x.args[0].Span))
	return out
}

// recipes follows the recipe lines of a makefile and its $(shell …) calls.
func (e *engine) recipes(w Word, c *ctx) {
	if w.Kind != Literal {
		e.script(w, c)
		return
	}
	n := *c
	n.cond = true
	for _, line := range strings.Split(w.Text, "\n") {
		body := ""
		if strings.HasPrefix(line, "\t") {
			body = strings.TrimLeft(line, "\t @-+")
		} else if _, after, ok := strings.Cut(line, ";"); ok && strings.Contains(line, ":") {
			body = strings.TrimLeft(after, " @-+")
		} else if _, after, ok := strings.Cut(line, "$(shell "); ok {
			body = strings.TrimSuffix(strings.TrimSpace(after), ")")
		}
		if body != "" {
			e.script(lit(strings.ReplaceAll(body, "$$", "$"), w.Span), &n)
		}
	}
}
