package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// xargs and parallel turn input into arguments. Where the input is on the line,
// from echo, printf or a heredoc, the very operands are known; where it comes from
// find, at least the place is; else the operand is unknown, with the commands that
// it comes from.

// feed is what xargs and parallel know about the operands they pass on.
type feed struct {
	list  []Word // literal operands, if known
	known bool
	from  []int
	text  Word // the input as a whole, where it is known in part
	some  bool // there is an input, and not only whoever types
}

// inputOf reads the operands from standard input. sep is empty for white space
// with quotes, as xargs splits, or the one separator.
func inputOf(in *Input, sep string) feed {
	f := feed{}
	if in == nil {
		return f
	}
	f.from, f.some = in.From, true
	f.text = in.Text
	if in.Text.Kind != Literal {
		return f
	}
	f.known = true
	words := strings.Split(strings.TrimSuffix(in.Text.Text, sep), sep)
	if sep == "" {
		words = xargsWords(in.Text.Text)
	}
	for _, w := range words {
		// Beyond that the rest is unknown rather than dropped: rules for lists hold then.
		if len(f.list) >= maxFields {
			f.known = false
			break
		}
		item := lit(w, in.Text.Span)
		item.Fed = true
		// echo *.go | xargs rm: the pattern was the shell's, and stands for files.
		item.Glob = in.Text.Glob && globbing(w)
		f.list = append(f.list, item)
	}
	return f
}

// xargsWords splits as xargs does: at white space, except in quotes.
func xargsWords(s string) []string {
	var out []string
	var b strings.Builder
	open := false
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; ch {
		case ' ', '\t', '\n':
			if open {
				out = append(out, b.String())
				b.Reset()
				open = false
			}
		case '\'', '"':
			open = true
			end := strings.IndexByte(s[i+1:], ch)
			if end < 0 {
				b.WriteString(s[i+1:])
				i = len(s)
				continue
			}
			b.WriteString(s[i+1 : i+1+end])
			i += end + 1
		case '\\':
			open = true
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		default:
			open = true
			b.WriteByte(ch)
		}
	}
	if open {
		out = append(out, b.String())
	}
	return out
}

// operand is the word for operands of which only their origin is known. A
// single partly known text, such as find's output, keeps its known beginning.
func (f *feed) operand(written string, span Span) Word {
	w := unknown(written, span, f.from...)
	w.Parts[0].Listed = f.some
	if isListing(&f.text) {
		w = trimNewlines(f.text)
	}
	w.Many = true
	return w
}

// xargs runs its operands with those from its input behind them, or in place
// of a mark.
func (e *engine) xargs(x *simple, c *ctx) output {
	args := x.args
	mark, sep := "", ""
	var file *Word
	table, plain := &e.tables.Xargs, false
	r := argv.Reader{Args: words(args), At: 1, Takes: e.xargsTakes}
	i := r.Options(func(it argv.Item) bool {
		// GNU takes any beginning of a long option, and lists hold it in full.
		name, value := it.Name, words(args).value(it)
		long := strings.HasPrefix(name, argv.Mark)
		is := func(list rule.Words) bool { return list.Has(name) || long && len(name) > 4 && list.Begun(name) }
		switch {
		case is(table.Info):
			plain = true
		case is(table.Zero):
			sep = "\x00"
		case is(table.Given):
			if mark = "{}"; value != nil && value.Text != "" {
				mark = value.Text
			}
		case value == nil:
		case is(table.Marks):
			mark = value.Text
		case is(table.Separator):
			sep = delimiter(value.Text)
		case is(table.File):
			file = value
		}
		return !plain
	})
	if plain {
		return e.plainRun("xargs", x, c)
	}
	e.readFrom(x, file, c)
	in := c.reads(x)
	switch {
	case mark != "" && sep == "":
		sep = "\n"
	case sep == "\x00" && (in == nil || !strings.Contains(in.Text.Text, sep)):
		sep = ""
	}
	f := inputOf(in, sep)
	e.emit(c, x)
	cmd := args[min(i, len(args)):]
	if len(cmd) == 0 {
		// What xargs runs without a command (POSIX).
		cmd = []Word{lit("echo", args[0].Span)}
	}
	n := c.step("xargs", args[0].Span)
	n.in = nil
	return e.feedCommand(x, cmd, mark, &f, n, false)
}

// readFrom has a command read -a FILE, if there is one, as it reads < FILE.
func (e *engine) readFrom(x *simple, file *Word, c *ctx) {
	if file != nil {
		r := Redirect{Op: "<", Target: *file}
		x.redirs = append(slices.Clip(x.redirs), r)
		x.in = e.inputFrom(&r, c)
	}
}

// xargsTakes is what an option of xargs takes.
func (e *engine) xargsTakes(name, _ string) argv.Take {
	if table := &e.tables.Xargs; table.Given.Has(name) || table.Rest.Has(name) {
		return argv.Rest
	}
	return argv.List(e.tables.Xargs.Value).Takes(name, "")
}

// delimiter reads the value of xargs -d, which may be an escape.
func delimiter(s string) string {
	if s = ansi(s); s != "" {
		return s[:1]
	}
	return "\n"
}

// feedCommand runs a command once with all operands behind it or, with a mark,
// once for each operand in its place.
func (e *engine) feedCommand(x *simple, cmd []Word, mark string, f *feed, c *ctx, text bool) output {
	run := func(words []Word) output {
		if text {
			return e.script(join(words, " ", x.span), c)
		}
		return e.run(&simple{args: words, assigns: x.assigns, span: x.span}, c)
	}
	all := func() []Word {
		if f.known {
			return append(slices.Clip(cmd), f.list...)
		}
		return append(slices.Clip(cmd), f.operand("…", x.span))
	}
	if mark == "" {
		return run(all())
	}
	if !slices.ContainsFunc(cmd, func(w Word) bool { return strings.Contains(w.Text, mark) }) {
		n := *c
		n.cond = true // "xargs -i rm -rf": the mark was forgotten
		e.run(&simple{args: all(), assigns: x.assigns, span: x.span}, &n)
	}
	list := f.list
	if !f.known {
		one := f.operand(mark, x.span)
		// With a mark each run gets one word, whatever is in it.
		one.Many = false
		list = []Word{one}
	}
	var out output
	// Judged by the first of them, and said so.
	if len(list) > maxFields {
		list = list[:maxFields]
		e.doubt(TooMany, "", x.span)
	}
	for k := range list {
		if !e.tick(c) {
			break
		}
		words := make([]Word, len(cmd))
		for m := range cmd {
			words[m] = cmd[m]
			if strings.Contains(cmd[m].Text, mark) {
				words[m] = fill(&cmd[m], mark, &list[k])
			}
		}
		e.add(&out, run(words))
	}
	return out
}

// parallelPerl follows the perl that replacement strings hold, which runs even
// with --dry-run: {= system("x") =}.
func (e *engine) parallelPerl(args []Word, c *ctx) {
	for k := range args {
		s := args[k].Prefix()
		for n := 0; n < maxLoop && e.tick(c); n++ {
			_, after, ok := strings.Cut(s, "{=")
			code, rest, closed := strings.Cut(after, "=}")
			if !ok || !closed {
				break
			}
			e.follow("perl", lit(code, args[k].Span), c.step("parallel", args[k].Span))
			s = rest
		}
		if k > 0 && args[k-1].Is("--rpl") {
			_, code, _ := strings.Cut(s, " ")
			e.follow("perl", lit(code, args[k].Span), c.step("parallel --rpl", args[k].Span))
		}
	}
}

// parallel runs its operands for each word behind ::: or each line of input.
func (e *engine) parallel(x *simple, c *ctx) output {
	args := x.args
	table, dry, info, pipe := &e.tables.Parallel, false, false, false
	var file *Word // -a FILE takes the place of the input
	r := argv.Reader{Args: words(args), At: 1, Takes: argv.List(table.Value).Takes}
	i := r.Options(func(it argv.Item) bool {
		if value := words(args).value(it); value != nil && table.File.Has(it.Name) {
			file = value
		}
		dry, pipe = dry || table.Dry.Has(it.Name), pipe || table.Pipe.Has(it.Name)
		info = info || len(args) == 2 && table.Info.Has(it.Name)
		return true
	})
	if info {
		return e.plainRun("parallel", x, c)
	}
	e.readFrom(x, file, c)
	e.emit(c, x)
	cmd := args[min(i, len(args)):]
	e.parallelPerl(args[1:], c)
	at, f, jobs := e.parallelLists(cmd)
	if at < 0 {
		f = inputOf(c.reads(x), "\n")
	} else {
		cmd = cmd[:at]
	}
	if dry {
		return output{}
	}
	n := c.step("parallel", args[0].Span)
	if n.in = nil; pipe && at < 0 && len(cmd) > 0 {
		n.in = c.reads(x)
		return e.run(&simple{args: cmd, span: x.span}, n)
	}
	if len(cmd) == 0 {
		// The operands are the command lines.
		var out output
		for k := range f.list {
			if k < maxLoop {
				e.add(&out, e.script(f.list[k], n))
			}
		}
		if !f.known {
			w := f.operand("…", x.span)
			i := e.emit(n, &simple{args: []Word{w}, span: x.span, code: &Code{Lang: LangSh, From: FromStdin, Text: w}})
			out.from = append(out.from, i)
		}
		return out
	}
	list := f.list
	if !f.known {
		one := f.operand("{}", x.span)
		list = []Word{one}
	}
	// Several ::: make every combination: a few words each are thousands of jobs.
	if len(list) > maxFields || jobs > 2*maxFields {
		list = list[:min(len(list), maxFields)]
		e.doubt(TooMany, "", x.span)
	}
	var out output
	for k := range list {
		if !e.tick(c) {
			break
		}
		e.add(&out, e.parallelJob(x, cmd, &list[k], n))
	}
	return out
}

// parallelLists finds where the lists of a command begin, the words in them, and how many jobs they make: each word of a list meets each
// word of the others. What stands in files is not known, and counts as any input does; at is -1 where nothing is listed.
func (e *engine) parallelLists(cmd []Word) (at int, f feed, jobs int) {
	table := &e.tables.Parallel
	at = slices.IndexFunc(cmd, func(w Word) bool { return table.Lists.Has(w.Text) || table.Files.Has(w.Text) })
	if at < 0 || !table.Lists.Has(cmd[at].Text) {
		return at, f, 1
	}
	f.known = true
	jobs, one := 1, 0
	for _, w := range cmd[at+1:] {
		if w.Kind == Literal && table.Lists.Has(w.Text) {
			jobs, one = jobs*max(1, one), 0
			continue
		}
		one++
		f.list = append(f.list, w)
	}
	return at, f, jobs * max(1, one)
}

// parallelJob runs the command for one word of its lists.
func (e *engine) parallelJob(x *simple, cmd []Word, word *Word, n *ctx) output {
	words, uses := slices.Clone(cmd), false
	for m := range words {
		for _, mark := range e.tables.Parallel.Marks {
			if strings.Contains(words[m].Text, mark) {
				words[m], uses = fill(&words[m], mark, word), true
			}
		}
	}
	if len(words) == 1 && uses {
		return e.script(words[0], n) // parallel 'rm {}; ls': a line of shell
	}
	if !uses {
		words = append(words, *word)
	}
	return e.run(&simple{args: words, assigns: x.assigns, span: x.span}, n)
}
