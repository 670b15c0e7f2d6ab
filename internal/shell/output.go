package shell

import (
	"path"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// Output matters in three places: a substitution turns it into words, a pipe hands
// it to a shell, xargs or an interpreter, and a redirection makes it a file that
// the line runs later. The few programs here have an output that follows from their
// arguments and input alone. For all others it is unknown, but it is known whose
// output it is: that is what rules about "curl | sh" need.

// finish returns what a command that was emitted as i writes to standard
// output, as far as somebody reads it or it goes to a file of the line.
func (e *engine) finish(name string, x *simple, c *ctx, i int) output {
	var to *Redirect
	for k := range x.redirs {
		switch r := &x.redirs[k]; {
		// 2> and its kind take nothing away from what others read.
		case r.Fd != 1 && r.Fd != -1:
		case r.Op == ">&" && r.Target.Is("1"):
		case r.Op == "<&":
		default:
			to = r
		}
	}
	// Most commands print for a person alone, and what they print costs work to tell.
	if !c.want && to == nil && e.tables.Program(name).Writes == rule.WritesNothing {
		return output{}
	}
	in := c.reads(x)
	text, ok := e.produce(name, x, in, c, i)
	if !ok {
		text = unknown("…", x.span, i)
	}
	e.writes(name, x, text, c, i) // whatever becomes of what it prints: tee x > /dev/null
	if to != nil && to.Op != ">&" {
		c.st.wrote(to.Target, text, strings.Contains(to.Op, ">>"))
		return output{from: []int{}}
	}
	if !c.want {
		return output{}
	}
	return output{text: text, from: []int{i}, known: ok}
}

// produce returns the output of the few programs whose output follows from
// their arguments and input.
func (e *engine) produce(name string, x *simple, in *Input, c *ctx, i int) (Word, bool) {
	var args []Word
	if len(x.args) > 0 {
		args = x.args[1:]
	}
	p := e.tables.Program(name)
	if len(p.Tops) > 0 {
		if w, ok := e.top(p.Tops, name, x, c); ok {
			return w, true
		}
	}
	does := p.Prints
	switch does {
	case rule.PrintsArguments:
		return echo(args, x.span), true
	case rule.PrintsFormat:
		return printf(args, x.span)
	case rule.PrintsInput, rule.PrintsWhole, rule.PrintsPassed, rule.PrintsReversed, rule.PrintsTranslated:
		return e.filter(does, args, in, c)
	case rule.PrintsBase64:
		return decode(args, in, base64Text)
	case rule.PrintsHex:
		return decode(args, in, hexText)
	case rule.PrintsCipher:
		if len(args) > 0 && (args[0].Is("base64") || args[0].Is("enc") && hasArg(args, "-base64", "-a")) {
			return decode(args[1:], in, base64Text)
		}
	// The first folder, where cd left several possible: the others have commands of their own.
	case rule.PrintsFolder:
		return c.st.dirs[0], true
	// The program's own name is all that matters of its path: rm $(which moai).
	case rule.PrintsProgram:
		if n := len(args); n > 0 && args[n-1].Kind == Literal {
			return args[n-1], true
		}
	case rule.PrintsParent, rule.PrintsLast:
		if len(args) > 1 && args[0].Is("--") {
			args = args[1:]
		}
		if len(args) >= 1 && args[0].Kind == Literal && !strings.HasPrefix(args[0].Text, "-") {
			if does == rule.PrintsParent {
				return lit(path.Dir(args[0].Text), x.span), true
			}
			base := path.Base(args[0].Text)
			if len(args) > 1 {
				base = strings.TrimSuffix(base, args[1].Text)
			}
			return lit(base, x.span), true
		}
		if does == rule.PrintsParent && len(args) == 1 {
			return upFrom(&args[0])
		}
	case rule.PrintsPath:
		if n := len(args); n > 0 && !strings.HasPrefix(args[n-1].Text, "-") {
			return Resolve(&c.st.dirs[0], &args[n-1]), true
		}
	case rule.PrintsTemporary:
		return tempName(args, x.span, i), true
	case rule.PrintsNumbers:
		return seq(args, x.span)
	case rule.PrintsFound:
		return e.found(name, args, x.span, i)
	// Known text would have to be run through the program. Of a list only the folder counts, and that stays.
	case rule.PrintsLines:
		if in != nil && isListing(&in.Text) {
			return in.Text, true // other names perhaps, in the same place most likely
		}
	case rule.PrintsMatches, rule.PrintsDeep:
		if in != nil && isListing(&in.Text) {
			return in.Text, true
		}
		return matches(args, does == rule.PrintsDeep, x.span, i)
	case rule.PrintsNames:
		return names(args, x.span, i)
	case rule.PrintsTracked:
		return tracked(args, in, x.span, i)
	// "$(cd x && pwd)" is the folder alone.
	case rule.PrintsNothing:
		return Word{Span: x.span}, true
	default:
		if name == "" && len(x.args) == 0 && in != nil && in.Text.Kind == Literal { // zsh: "< file"
			return in.Text, true
		}
	}
	return Word{}, false
}

// echo returns what echo prints. Escapes count only with -e: shells differ, and
// most lines with an escape say -e or use printf.
func echo(args []Word, span Span) Word {
	escapes, newline := false, true
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
		escapes = escapes || strings.Contains(args[0].Text, "e")
		newline = newline && !strings.Contains(args[0].Text, "n")
		args = args[1:]
	}
	w := join(args, " ", span)
	w.Many = false // a pattern among them stays one: echo src/* | xargs rm
	if escapes {
		w.Text = ansi(w.Text)
		for i := range w.Parts {
			w.Parts[i].Text = ansi(w.Parts[i].Text)
		}
	}
	if newline {
		w = join([]Word{w, lit("\n", span)}, "", span)
	}
	return w
}

// printf formats as the builtin does, repeating the format while there are
// arguments.
func printf(args []Word, span Span) (Word, bool) {
	if len(args) > 0 && args[0].Is("--") {
		args = args[1:]
	}
	if len(args) == 0 || args[0].Kind != Literal || args[0].Is("-v") {
		return Word{}, false
	}
	format := args[0].Text
	args = args[1:]
	var b wordBuilder
	// bash repeats without an end; no line that people write comes near this.
	for round := 0; round < 256; round++ {
		used := 0
		for i := 0; i < len(format); i++ {
			switch {
			case format[i] == '\\':
				j := i + escapeLen(format[i:])
				b.text(ansi(format[i:j]))
				i = j - 1
			case format[i] == '%' && i+1 < len(format) && format[i+1] == '%':
				b.text("%")
				i++
			case format[i] == '%':
				j := i + 1
				for j < len(format) && strings.IndexByte("-+ #0123456789.l", format[j]) >= 0 {
					j++
				}
				i = j
				if used < len(args) {
					w := args[used]
					if j < len(format) && format[j] == 'b' {
						w.Text = ansi(w.Text)
					}
					b.word(&w)
				}
				used++
			default:
				j := strings.IndexAny(format[i:], "\\%")
				if j < 0 {
					j = len(format) - i
				}
				b.text(format[i : i+j])
				i += j - 1
			}
		}
		// A format without a directive is printed once, arguments or not (POSIX printf).
		if used == 0 || used >= len(args) {
			break
		}
		args = args[used:]
	}
	w := b.done(span)
	w.Many, w.Tilde = false, false
	return w, true
}

// escapeLen returns how many bytes the escape at the start of s takes.
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	most := 0
	switch ch := s[1]; {
	case ch == 'x':
		most = 2
	case ch == 'u':
		most = 4
	case ch == 'U':
		most = 8
	case ch >= '0' && ch <= '7':
		n, _ := digits(s[1:], 4, 8)
		return 1 + n
	}
	n, _ := digits(s[2:], most, 16)
	return 2 + n
}

// filter returns the output of programs that pass text on.
func (e *engine) filter(does rule.Printed, args []Word, in *Input, c *ctx) (Word, bool) {
	var text Word
	ok := false
	if in != nil {
		text, ok = in.Text, in.Text.Kind != Unknown
	}
	if does != rule.PrintsPassed && does != rule.PrintsTranslated {
		files, _ := sorted(args, "")
		for _, w := range files {
			if w.Kind != Literal || w.Text == "-" {
				continue
			}
			if t, has := e.dataOf(&w, c); has {
				text, ok = t, true
			} else if does == rule.PrintsWhole {
				// The line did not write it, so what it holds is not known, and it goes before
				// what the pipe brings.
				return Word{}, false
			}
		}
	}
	if !ok {
		return Word{}, false
	}
	if text.Kind != Literal {
		return text, isListing(&text) && does == rule.PrintsInput || does == rule.PrintsWhole || does == rule.PrintsPassed
	}
	switch does {
	case rule.PrintsReversed:
		lines := strings.Split(strings.TrimSuffix(text.Text, "\n"), "\n")
		for i, l := range lines {
			r := []rune(l)
			for a, b := 0, len(r)-1; a < b; a, b = a+1, b-1 {
				r[a], r[b] = r[b], r[a]
			}
			lines[i] = string(r)
		}
		return lit(strings.Join(lines, "\n")+"\n", text.Span), true
	case rule.PrintsTranslated:
		return translate(args, text)
	}
	return text, true
}

// tempName returns the name that mktemp makes: known to be below the temporary
// directory unless the arguments say otherwise.
func tempName(args []Word, span Span, i int) Word {
	dir, template := "/tmp/", ""
	r := argv.Reader{Args: words(args), Takes: func(name, _ string) argv.Take {
		if name == "--tmpdir" {
			return argv.Rest
		}
		return argv.List("p suffix").Takes(name, "")
	}}
	placed := false
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		switch value := words(args).value(it); {
		case it.Name == "" && args[it.Arg].Kind == Literal && strings.Contains(args[it.Arg].Text, "X"):
			template = strings.TrimRight(args[it.Arg].Text, "X")
		case it.Name == "-t": // what follows is a prefix and no folder
			placed = true
		case it.Name == "-p" || it.Name == "--tmpdir":
			if placed = true; value != nil {
				dir = strings.TrimSuffix(value.Text, "/") + "/"
			}
		}
	}
	switch {
	case template == "" || placed:
	case strings.Contains(template, "/"):
		dir = template
	default:
		dir = "./" + template
	}
	return freshName(dir, span, i)
}

// freshName returns the name of something new in a folder, or behind a prefix.
func freshName(prefix string, span Span, from ...int) Word {
	return Word{Text: prefix + "…", Kind: Partial, Span: span, Parts: []Part{{Text: prefix}, {Text: "…", Unknown: true, Fresh: true, From: from}}}
}

// seq returns a short sequence; a longer one is not worth a loop over it.
func seq(args []Word, span Span) (Word, bool) {
	from, to := 1, 0
	var err, err2 error
	switch len(args) {
	case 1:
		to, err = strconv.Atoi(args[0].Text)
	case 2:
		from, err = strconv.Atoi(args[0].Text)
		to, err2 = strconv.Atoi(args[1].Text)
	default:
		return Word{}, false
	}
	if err != nil || err2 != nil || to-from > maxLoop {
		return Word{}, false
	}
	var b strings.Builder
	for i := from; i <= to; i++ {
		b.WriteString(strconv.Itoa(i) + "\n")
	}
	return lit(b.String(), span), true
}
