package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// PowerShell names parameters in full, in any abbreviation and in any case, and a
// cmdlet by any of its aliases. Here they become one name and the command of Unix
// that does the same; a rule on rm needs not know about Remove-Item -Recurse.

// cmdletOf returns the cmdlet for a name or an alias, in lower case, and its row, nil
// if there is none.
func (e *engine) cmdletOf(name string) (string, *rule.Cmdlet) {
	if len(name) > longestName {
		return name, nil // no cmdlet; lowering 128 KiB that are no text takes 2 ms
	}
	name = strings.ToLower(name)
	e.work.Take(len(e.tables.Cmdlets) / 8)
	for i := range e.tables.Cmdlets {
		if c := &e.tables.Cmdlets[i]; c.Name == name || slices.Contains(c.Aliases, name) {
			return c.Name, c
		}
	}
	return name, nil
}

// cmdlet follows one PowerShell command. Cmdlets that delete, move or write
// are also given as the command of Unix that they equal.
func (e *engine) cmdlet(x *simple, c *ctx) output {
	written := e.program(&x.args[0])
	name, row := e.cmdletOf(written)
	// Without a dash in it the word may be an alias or, on Unix, the program itself: its options tell.
	unix := false
	if strings.Contains(written, "-") {
		x.args = slices.Clone(x.args)
	} else {
		for i := range x.args {
			unix = unix || e.tables.PowerShell.Unix.Has(x.args[i].Text) // pwsh on Unix runs the real rm
		}
	}
	if name == "remove-item" && slices.ContainsFunc(x.args[1:], cmdSwitch) {
		return e.batch(x, c) // rd /s /q: no parameter of Remove-Item, but what is meant is plain
	}
	if !strings.Contains(name, "-") || unix {
		return e.run(x, c)
	}
	x.args[0] = lit(name, x.args[0].Span)
	i := e.emit(c, x)
	o := e.cmdletArgs(x.args[1:])
	n := c.step(written, x.args[0].Span)
	n.in = nil
	out := output{from: []int{i}}
	// Get-ChildItem | Remove-Item: the pipeline gives what no parameter names (about_Pipelines).
	targets := o.operands
	if len(targets) == 0 && c.in != nil {
		w := unknown("$_", x.span, c.in.From...)
		switch c.in.Text.Kind {
		case Literal:
			w = lit(strings.TrimSpace(c.in.Text.Text), x.span)
		case Partial:
			w = c.in.Text
		}
		// One object or thousands, nobody can tell; rules for lists of names are to hold.
		w.Many = true
		targets = []Word{w}
	}
	if row != nil && row.As != "" {
		// It prints what it would do (about_CommonParameters), and is what the advice tells people to try.
		if o.has("whatif") {
			return out
		}
		cmd := strings.Fields(row.As)
		for _, flag := range row.Flags {
			if parameter, option, _ := strings.Cut(flag, " "); o.has(parameter) {
				cmd = append(cmd, option)
			}
		}
		if !row.Piped {
			targets = o.operands
		}
		e.unix(n, x.span, x.args[0].Span, targets, cmd...)
		return out
	}
	switch ps := &e.tables.PowerShell; {
	case ps.Writes.Has(name), ps.Appends.Has(name):
		if len(o.operands) > 0 {
			op := ">"
			if ps.Appends.Has(name) || o.has("append") {
				op = ">>"
			}
			e.emit(n, &simple{redirs: []Redirect{{Op: op, Fd: 1, Target: o.operands[0]}}, span: x.span})
		}
	case ps.Requests.Has(name):
		if method := psValue(x.args, "method"); method != nil && !strings.EqualFold(method.Text, "get") {
			words := []Word{*method}
			if uri := psValue(x.args, "uri"); uri != nil {
				words = append(words, *uri)
			}
			words[0].Text = strings.ToUpper(words[0].Text)
			e.unix(n, x.span, x.args[0].Span, append(words, o.operands...), "curl", "-X")
		}
	case ps.Enters.Has(name):
		if len(o.operands) > 0 {
			to := o.operands[0]
			to.Glob = strings.ContainsAny(to.Text, "*?[") // the cmdlet looks for it itself
			e.enter(to, false, c)
		}
	case ps.Prints.Has(name):
		w := join(o.operands, " ", x.span)
		return output{text: w, known: true, from: []int{i}}
	case ps.Lists.Has(name):
		dir := Word{Text: ".", Span: x.span}
		if len(o.operands) > 0 {
			dir = o.operands[0]
		}
		// A pattern that the cmdlet expands itself: the names are below its fixed beginning.
		if dir.Glob && dir.Kind == Literal {
			return output{text: matching(&dir, i), known: true, from: []int{i}}
		}
		return output{text: below(&dir, "", "…", i), known: true, from: []int{i}}
	case ps.Runs.Has(name):
		if len(targets) > 0 {
			e.res.Commands[i].Code = &Code{Lang: LangPowerShell, From: FromArg, Text: targets[0], Seen: targets[0].Kind == Literal}
			// Nothing was named, so the text came through the pipe: iwr … | iex.
			if len(o.operands) == 0 {
				e.res.Commands[i].Code.From = FromStdin
			}
			if targets[0].Kind == Literal && n.depth < e.opt.Limits.Depth {
				n.depth++
				n.in = nil
				return e.powershell(targets[0].Text, e.sourceOf(&targets[0], targets[0].Text), n)
			}
		}
	case ps.Starts.Has(name):
		if len(o.operands) > 0 {
			return e.startProcess(o.operands, x.span, n)
		}
	case ps.Unpacks.Has(name):
		if o.has("force") && len(o.operands) > 1 {
			e.unix(n, x.span, x.args[0].Span, []Word{o.operands[0], lit("-d", x.span), o.operands[1]}, "unzip", "-o")
		}
	case ps.Creates.Has(name):
		// With -Force an existing file is emptied; without it New-Item refuses (its own help).
		if o.has("force") && len(o.operands) > 0 && !slices.ContainsFunc(x.args, func(w Word) bool { return w.Kind == Literal && ps.Containers.Has(w.Text) }) {
			e.emit(n, &simple{redirs: []Redirect{{Op: ">", Fd: 1, Target: o.operands[0]}}, span: x.span})
		}
	case ps.Passes.Has(name):
		if c.in != nil && isListing(&c.in.Text) {
			return output{text: c.in.Text, known: true, from: []int{i}}
		}
	case ps.Joins.Has(name):
		if len(o.operands) > 1 {
			return output{text: joinPath(o.operands, x.span), known: true, from: []int{i}}
		}
	case ps.Resolves.Has(name):
		if len(o.operands) > 0 {
			return output{text: o.operands[0], known: true, from: []int{i}}
		}
	}
	return out
}

// unix emits a command of Unix, which something else equals that stands at a place.
func (e *engine) unix(c *ctx, span, at Span, words []Word, prog ...string) {
	cmd := make([]Word, 0, len(prog)+len(words))
	for _, s := range prog {
		cmd = append(cmd, lit(s, at))
	}
	e.emit(c, &simple{args: append(cmd, words...), span: span})
}

// psValue returns the value of a parameter that is given in full, in any case.
func psValue(args []Word, name string) *Word {
	for i := range args {
		if s := args[i].Text; i+1 < len(args) && len(s) > 1 && s[0] == '-' && strings.EqualFold(s[1:], name) {
			return &args[i+1]
		}
	}
	return nil
}

// cmdSwitch tells the switches of cmd.exe's own rd and del.
func cmdSwitch(w Word) bool {
	return len(w.Text) == 2 && w.Text[0] == '/' && strings.Contains("sqfpSQFP", w.Text[1:])
}

// psArgs are the arguments of a cmdlet.
type psArgs struct {
	names    []string // parameters, in lower case
	operands []Word
}

// has reports whether a switch is given; names may be abbreviated.
func (o *psArgs) has(name string) bool {
	for _, n := range o.names {
		if n != "" && strings.HasPrefix(name, n) {
			return true
		}
	}
	return false
}

// cmdletArgs separates parameters from operands. The values of parameters that
// name the object of a command are operands, other values are dropped.
func (e *engine) cmdletArgs(args []Word) psArgs {
	var o psArgs
	for i := 0; i < len(args); i++ {
		s := args[i].Text
		// "-Recurse:$x" is on unless it is known to be off: a doubt never lowers a verdict.
		if switched, _, ok := strings.Cut(args[i].Prefix(), ":"); ok && args[i].Kind != Literal && len(switched) > 1 && switched[0] == '-' {
			if !strings.HasSuffix(strings.ToLower(s), ":$false") { // -Recurse:$true
				o.names = append(o.names, strings.ToLower(switched[1:]))
			}
			continue
		}
		if args[i].Kind != Literal || args[i].Quoted || len(s) < 2 || s[0] != '-' || s[1] >= '0' && s[1] <= '9' {
			o.operands = append(o.operands, args[i])
			continue
		}
		name, _, has := strings.Cut(strings.ToLower(s[1:]), ":")
		o.names = append(o.names, name)
		var val *Word
		if has && len(name)+2 < len(s) {
			val = cutWord(&args[i], len(name)+2)
			if val.Text == "$false" {
				o.names = o.names[:len(o.names)-1]
			}
		}
		if e.tables.Parameters.Object.Has(name) {
			if val == nil && i+1 < len(args) {
				i++
				val = &args[i]
			}
			if val != nil {
				o.operands = append(o.operands, *val)
			}
		} else if val == nil && e.tables.Parameters.Value.Has(name) {
			i++
		}
	}
	return o
}
