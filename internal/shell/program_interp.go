package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A program in another language is not parsed: it is read as tokens, in order, with
// one eye on assignments and the other on the calls in the table. That finds what
// an agent writes in a one-liner. It does not find what a program computes: an
// argument that is not literal becomes an unknown word, and a call through a name
// that is computed is not seen at all.

// interp reads the tokens of one program.
type interp struct {
	e       *engine
	c       *ctx
	lang    string
	in      *rule.Interpreter
	span    Span
	toks    []token
	heads   map[string][]int // of loops, see loopHeads
	vars    []bound
	outer   *interp // of a gap in a string: the program in which that stands
	alts    []rename
	deep    int
	lines   *Word    // a list of names on standard input
	text    string   // of the program
	stars   []string // modules that python imports all of
	cur     int      // the token that is evaluated, for variables inside of strings
	seen    []bool   // calls that were performed, by the index of their name
	files   []string // the handles of files that it opened: open(F, …), open(my $f, …)
	plain   int      // tokens whose places in a file are known
	from    Span     // the file
	out     output   // what the last program prints that it runs
	funcs   map[string]defined
	classes []string
	kept    []bound // what functions that were followed have set of an object

	enclosing []int                // see bracket
	declaring map[string][]operand // what the program declares, by the calls that do
	said      map[string]bool      // words that its text was searched for
	rows      []commandRow
	rowsKnown bool
	bodiesAt  map[string][2]int // bodies of functions, once one was asked for
	counters  map[string]bool   // names of numbers that it counts on, once one was asked for
	holders   map[string]bool   // whether names hold what a library has read of the line
	bindings  map[string]int    // where names get their only value, of those that were asked about
	parses    truth             // whether it reads options, and whether some are declared in front of functions
	adds      truth
	hands     truth
	within    int             // calls of those that are followed
	stack     []string        // by their names
	entered   map[string]bool // calls that were followed, by what they give
	standing  bool            // the first of them is in a function that is followed where it stands
	never     [][2]int        // what it does not reach, by its tokens
	now       int             // the statement that is followed
	open      [][2]int        // what it may reach, by something that the line does not tell
	// options are what it waits for and is not given, once they were looked for.
	options []string
}

// stands notes which line of a file the token at i is from, so that a command of the program is told by it.
func (p *interp) stands(i int) {
	if i >= p.plain {
		return
	}
	if p.from == (Span{}) {
		p.from = p.span
	}
	text := p.e.line[p.from[0]:p.from[1]]
	at := min(p.toks[i].start, len(text))
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		end = len(text) - at
	}
	p.span = Span{p.from[0] + begin, p.from[0] + at + end}
}

// bound is a variable with the value that it was given.
type bound struct {
	name string
	arg  arg
}

// rename is a module or member under the name that the program gives it.
type rename struct{ as, full string }

// arg is one evaluated argument of a call.
type arg struct {
	word Word
	list []Word // for a list of strings
	many bool   // list is meant
	one  bool   // whichever of the list, as the variable of a loop is
	rows []arg  // the items of a list in which some are lists, or which have names
	flat bool   // its items stand in the list around it: *args
	name string // keyword
	raw  string // names in it, for options such as {recursive: true}
	of   string // the variable of the environment that it is
	// inherited tells that it is a variable of the environment, unset that nothing seen sets it.
	inherited, unset bool
}

// at returns a token, or the end of a line beyond both ends.
func (p *interp) at(i int) *token {
	if i < 0 || i >= len(p.toks) {
		return &token{kind: tokLine}
	}
	return &p.toks[i]
}

// mark reports whether the token at i is a given punctuation.
func (p *interp) mark(i int, s string) bool {
	t := p.at(i)
	return t.kind == tokMark && t.text == s
}

// walk goes through the tokens in order: assignments are remembered, calls
// that matter become commands.
func (p *interp) walk() { p.walkIn(0, len(p.toks)) }

func (p *interp) walkIn(from, end int) {
	for i := from; i < end; i++ {
		if !p.e.tick(p.c) {
			return
		}
		if past := p.past(i); past > i {
			i = past - 1
			continue
		}
		p.now = i
		t := &p.toks[i]
		switch t.kind {
		case tokRun:
			p.cur = i
			p.stands(i)
			for _, w := range p.filled(t.word) {
				p.e.script(w, p.c.step(p.lang+" `…`", p.span))
			}
		case tokText:
			p.processed(i)
		case tokName:
			if t.text == "import" && p.in.Imports {
				i = p.imports(i)
				continue
			}
			if p.mark(i+1, "=") && p.at(i+2).text == "require" && p.at(i+4).kind == tokText {
				if m := p.moduleOf(p.at(i + 4).word.Text); m != "" {
					p.alts = append(p.alts, rename{t.text, strings.TrimSuffix(m, ".")})
					if !p.mark(i+6, ".") {
						continue // the module itself, not what one of its functions returns
					}
				}
			}
			if t.text == "import" && p.mark(i+1, "(") && p.at(i+2).kind == tokText && p.mark(i+4, ".") && p.mark(i+6, "(") {
				// import("fs").then(f => f.rm(…))
				if m := p.moduleOf(p.at(i + 2).word.Text); m != "" && p.at(i+7).kind == tokName {
					p.alts = append(p.alts, rename{p.at(i + 7).text, strings.TrimSuffix(m, ".")})
				}
			}
			if p.held(i) {
				continue
			}
			if at := p.typed(i); at > i {
				if a, end := p.expr(at); end > at {
					p.set(t.text, a)
					p.e.spend(end-i, p.c)
				}
				continue
			}
			if p.mark(i+1, "=") && !p.mark(i+2, "=") {
				if full := p.function(i + 2); full != "" {
					p.alts = append(p.alts, rename{t.text, full}) // run = os.system
					continue
				}
				if a, end := p.expr(i + 2); end > i+2 {
					p.set(t.text, a)
					p.e.spend(end-i, p.c)
				}
				continue
			}
			if p.grows(i) {
				continue
			}
			if at, ok := p.several(i); ok {
				i = at - 1
				continue
			}
			i = p.maybeCall(i)
		}
	}
}

// processed follows what a string becomes by a method in scala and groovy:
// "rm x".!, "rm x".execute().
func (p *interp) processed(i int) {
	if next := p.at(i + 2).text; p.mark(i+1, ".") && slices.Contains(p.in.Processes, next) {
		for _, w := range p.filled(p.toks[i].word) {
			p.e.script(w, p.c.step(p.lang+" "+next, p.span))
		}
	}
}

// imports reads python's import a.b as c, and from m import a as b, c.
func (p *interp) imports(i int) int {
	from := ""
	for k := i - 1; k >= 0 && p.at(k).kind != tokLine; k-- {
		if p.at(k).text == "from" {
			from, _ = p.chain(k + 1)
			from += "."
		}
	}
	for i++; i < len(p.toks) && p.at(i).kind != tokLine; {
		if p.at(i).kind != tokName {
			if p.mark(i, "*") && from != "" {
				p.stars = append(p.stars, from)
				p.imported(from, "")
			}
			i++
			continue
		}
		name, next := p.chain(i)
		as := name
		if p.at(next).text == "as" {
			as = p.at(next + 1).text
			next += 2
		}
		p.imported(from, name)
		if full := from + name; full != as {
			p.alts = append(p.alts, rename{as, full})
		}
		i = next
	}
	return i
}

// imported follows a module of the project that the text of the line itself imports, since that runs it. What the modules of a script are
// called is everyday.
func (p *interp) imported(from, name string) {
	if p.c.files != nil || len(p.in.Forms) == 0 {
		return
	}
	asked := p.mentioned()
	for _, module := range [...]string{strings.TrimSuffix(from, "."), from + name} {
		if module != "" && !strings.HasSuffix(module, ".") {
			c := p.c.step(p.lang+" import", p.span)
			c.asked = asked
			p.runs(&Word{Text: strings.ReplaceAll(module, ".", "/"), Span: p.span}, c)
		}
	}
}

// full returns a name with what it was imported from.
func (p *interp) full(name string) string {
	head, tail, dotted := strings.Cut(name, ".")
	for i := len(p.alts) - 1; i >= 0; i-- {
		if p.alts[i].as == head {
			if dotted {
				return p.alts[i].full + "." + tail
			}
			return p.alts[i].full
		}
	}
	return name
}

// set remembers the value of a variable; the last assignment counts.
func (p *interp) set(name string, a arg) {
	a.name, a.raw = "", ""
	p.vars = append(p.vars, bound{name, p.countedOn(name, a)})
}

// lookup returns the value that a variable was given last.
func (p *interp) lookup(name string) (arg, bool) {
	for i := len(p.vars) - 1; i >= 0; i-- {
		if p.vars[i].name == name {
			return p.vars[i].arg, true
		}
	}
	return arg{}, false
}

// chain reads a dotted name and returns it with the index behind it.
func (p *interp) chain(i int) (name string, next int) {
	name = p.at(i).text
	i++
	var whole strings.Builder // of more than one part: there may be tens of thousands
	more := func(sep, part string) {
		if whole.Len() == 0 {
			whole.WriteString(name)
		}
		whole.WriteString(sep)
		whole.WriteString(part)
	}
	for {
		if p.in.Getters && p.mark(i, "(") && p.mark(i+1, ")") && p.mark(i+2, ".") {
			i += 2
		}
		t := p.at(i)
		if t.kind == tokMark && (t.text == "." || t.text == "::" || t.text == "->" || t.text == p.in.Linked) && p.at(i+1).kind == tokName {
			sep := t.text
			if sep == "->" {
				sep = "."
			}
			more(sep, p.at(i+1).text)
			i += 2
			continue
		}
		// fs[m](…), where the text of m is known.
		if p.in.Computed == rule.AnyValue && t.kind == tokMark && t.text == "[" && p.at(i+1).kind == tokName && p.mark(i+2, "]") && p.mark(i+3, "(") {
			if a, ok := p.lookup(p.at(i + 1).text); ok && !a.many && identifier(&a.word) {
				more(".", a.word.Text)
				i += 3
				continue
			}
		}
		if whole.Len() > 0 {
			name = whole.String()
		}
		return name, i
	}
}

// called reads the name at i as that of a call: fs.rm, and whether it is a method of something else.
func (p *interp) called(i int) (name string, next int, method bool) {
	method = p.mark(i-1, ".") || p.mark(i-1, "->") && p.in.Linked == "" // where a clause begins in erlang
	name, next = p.chain(i)
	if name == p.in.Attribute && p.mark(next, "(") {
		name, next = p.attribute(name, next)
	}
	if method && p.mark(i-2, ")") && p.at(i-3).kind == tokText && p.mark(i-4, "(") {
		// require("fs").rm(…) is fs.rm(…).
		if m := p.moduleOf(p.at(i - 3).word.Text); m != "" && p.loads(p.at(i-5).text) {
			name, method = m+name, false
		}
	}
	return name, next, method
}

// maybeCall handles the name at i and returns the index to go on from.
func (p *interp) maybeCall(i int) int {
	name, next, method := p.called(i)
	p.sends(name, i, next)
	if !p.in.Loose && !p.mark(next, "(") {
		return next - 1
	}
	if !method {
		name = p.full(strings.TrimPrefix(name, "$"))
	}
	p.loadsOwn(name, next)
	does, onPath := p.e.effectOf(p.in, name, method)
	for k := 0; does == 0 && !method && k < len(p.stars); k++ {
		does, onPath = p.e.effectOf(p.in, p.stars[k]+name, false)
	}
	if own := p.own(name, method); own != "" && (does == 0 || !method) {
		does = 0 // it is what the program makes it
		p.into(own, i, next)
	}
	if does == 0 {
		p.handsOn(name, i, next)
	}
	if (does == 0 || does == rule.DoDelete) && method && p.remoteBehind(i, name) {
		does, onPath = rule.DoRemote, true
	}
	p.tells(name, does, i, next)
	if p.commanded(name, method, i, next) || does == rule.DoCode && p.fetched(i, next) {
		return next - 1
	}
	if does == 0 || p.once(i) || p.unasked(i) {
		return next - 1
	}
	p.stands(i)
	args, ok := p.argsAt(i, next, does, onPath)
	if !ok {
		return next - 1
	}
	args = append(args, p.topic(i, len(args))...)
	if onPath && does == rule.DoDelete && len(args) == 0 {
		recv, _ := p.receiver(i, name)
		does = p.ofFile(does, &recv)
	}
	if onPath && p.takesReceiver(does) {
		recv, ok := p.receiver(i, name)
		// What is named among the arguments is something that the receiver holds: map.delete("x").
		if !ok || does == rule.DoRemove && slices.ContainsFunc(args, func(a arg) bool { return a.name == "" }) {
			return next - 1
		}
		args = append([]arg{recv}, args...)
	}
	if does == rule.DoCode {
		if file := p.codeFile(next); file != nil {
			p.runs(file, p.c.step(p.lang+" "+name, p.span))
			return next - 1
		}
	}
	p.perform(does, name, args)
	return next - 1
}

// loadsOwn follows a file of the project that a call loads.
func (p *interp) loadsOwn(name string, next int) {
	if t := p.at(next + 1); p.loads(name) && p.mark(next, "(") && t.kind == tokText && t.word.Text != "" && strings.ContainsAny(t.word.Text[:1], "./") && p.c.levels < maxLevels {
		p.runs(&t.word, p.c.step(p.lang+" "+name, p.span)) // a bare name is looked for among what is installed
	}
}

// argsAt are the arguments of the call at i, which begin at next, in brackets or not; false where it is none.
func (p *interp) argsAt(i, next int, does rule.Deed, onPath bool) (args []arg, ok bool) {
	switch {
	case p.mark(next, "("):
		var end int
		args, end = p.args(next+1, ")")
		for does == rule.DoArgv && p.mark(end, ".") && slices.Contains(p.in.Chained, p.at(end+1).text) && p.mark(end+2, "(") {
			var more []arg // Command::new("rm").arg("x")
			more, end = p.args(end+3, ")")
			args = append(args, more...)
		}
		if t := p.at(i - 3); p.in.Pipes && p.mark(i-1, ">") && p.mark(i-2, "|") && t.kind == tokText {
			args = append([]arg{{word: t.word}}, args...) // "x" |> File.rm()
		}
	default:
		t := p.at(next)
		if nothing := t.kind == tokLine || t.kind == tokMark && !strings.ContainsAny(t.text, "[$@-") && digit(t.text[0]) >= 10; !nothing {
			args, _ = p.args(next, "")
		} else if !onPath && p.in.Topic == "" {
			return nil, false
		}
	}
	return args, true
}

// codeFile is the file whose text is run, where the arguments of the call at open say so: exec(open("x").read()).
func (p *interp) codeFile(open int) *Word {
	depth := 0
	for k := open; k < min(len(p.toks), open+maxLoop); k++ {
		switch {
		case p.mark(k, "("):
			depth++
		case p.mark(k, ")"):
			if depth--; depth <= 0 {
				return nil
			}
		case p.at(k).kind == tokName && p.mark(k+1, "(") && p.at(k+2).kind == tokText:
			name := p.at(k).text
			if does, _ := p.e.effectOf(p.in, name, p.mark(k-1, ".")); does == rule.DoOpen || does == rule.DoRead || p.e.tables.Functions.Argument.Has(name) && p.at(k+2).word.Kind == Literal && strings.Contains(p.at(k+2).word.Text, ".") {
				return &p.toks[k+2].word
			}
		}
	}
	return nil
}

// runs follows a file of the same language.
func (p *interp) runs(file *Word, c *ctx) {
	if !p.e.spend(costScript, c) || len(c.st.files) == 0 && (p.e.look.read == maxLooks || len(p.e.look.texts) >= maxProbes+p.e.look.tried) {
		return // no more files are read
	}
	p.e.runsModule(p.in, file, &simple{args: []Word{lit(p.lang, p.span)}, span: p.span}, c)
}

// function returns the name at i where it names a call that matters and is not called.
func (p *interp) function(i int) string {
	if !p.in.Renames || p.at(i).kind != tokName {
		return ""
	}
	name, next := p.chain(i)
	if name == p.in.Attribute && p.mark(next, "(") {
		name, next = p.attribute(name, next)
	}
	if p.loads(name) && p.mark(next, "(") && p.at(next+1).kind == tokText && p.mark(next+2, ")") && p.mark(next+3, ".") { // require("fs").rmSync
		name, next = p.chain(next + 4)
	}
	name = p.full(name)
	if does, onPath := p.e.effectOf(p.in, name, false); does == 0 || onPath || p.mark(next, "(") {
		return ""
	}
	return name
}

// attribute reads getattr(os, "system"), whose bracket opens at open, as os.system.
func (p *interp) attribute(name string, open int) (full string, next int) {
	of, at := p.chain(open + 1)
	if p.loads(of) && p.mark(at, "(") && p.at(at+1).kind == tokText && p.mark(at+2, ")") {
		of, at = p.at(at+1).word.Text, at+3 // getattr(__import__("os"), "system")
	}
	if member, end := p.sum(at + 1); member != "" && p.mark(at, ",") && p.mark(end, ")") {
		return of + "." + member, end + 1
	}
	return name, open
}

// loads tells the functions that return the module they are given the name of.
func (p *interp) loads(name string) bool {
	return name == "import" || p.e.tables.Functions.Loads.Has(name)
}

// once reports whether the call at i was performed before, and notes it: an
// argument is evaluated with its call, and met again on the way through.
func (p *interp) once(i int) bool {
	if i < 0 || i >= len(p.seen) || p.seen[i] {
		return true
	}
	p.seen[i] = true
	return false
}

// receiver evaluates what a method is called on: Path("x").unlink(), p.unlink().
func (p *interp) receiver(i int, name string) (arg, bool) {
	if k := strings.LastIndexByte(name, '.'); k > 0 {
		if base := name[:k]; base != "os" && base != "shutil" {
			if a, ok := p.lookup(base); ok {
				return a, true
			}
			if a, ok := p.looped(base, i); ok {
				return a, true
			}
			if a, ok := p.given(base, i); ok { // args.out.unlink()
				return a, true
			}
			return arg{word: unknown(base, p.span)}, true
		}
		return arg{}, false
	}
	return p.valueBefore(i, i-1)
}

// valueBefore evaluates what stands in front of the method at i, up to the token at end.
func (p *interp) valueBefore(i, end int) (arg, bool) {
	// The token before is ".", before that is ")": find where the chain begins.
	depth := 0
	for k := i - 2; k >= 0; k-- {
		switch {
		case p.mark(k, ")"), p.mark(k, "]"), p.mark(k, "}"):
			depth++
		case p.mark(k, "("), p.mark(k, "["), p.mark(k, "{"):
			if depth--; depth > 0 {
				continue
			}
			for k > 0 && (p.at(k-1).kind == tokName || p.mark(k-1, ".")) {
				k--
			}
			if t := p.at(k - 1).kind; p.mark(k, ".") && (t == tokWords || t == tokText) {
				k--
			}
			if k > 0 && (p.mark(k-1, ")") || p.mark(k-1, "]") || p.mark(k-1, "}") && p.mark(k, "[")) && (p.mark(k, ".") || p.mark(k, "[")) {
				continue // a().b(), a()[0]: one call further to the left
			}
			p.e.work.Take((i - k) / 4)
			toks := p.toks
			p.toks = toks[:end] // without the method itself
			a, _ := p.expr(k)
			p.toks = toks
			return a, true
		}
	}
	return arg{}, false
}

// args evaluates arguments up to the closing mark, or to the end of the line.
func (p *interp) args(i int, end string) (list []arg, next int) {
	for i < len(p.toks) && len(list) < maxFields && p.e.tick(p.c) {
		t := p.at(i)
		if end != "" && p.mark(i, end) {
			return list, i + 1
		}
		if end == "" && (t.kind == tokLine || p.mark(i, "}") || p.mark(i, ")") || t.kind == tokName && p.e.tables.Code.Modifiers.Has(t.text)) {
			return list, i
		}
		if t.kind == tokLine || p.mark(i, ",") {
			i++
			continue
		}
		name, at := p.keyed(i, end)
		i = at
		a, next := p.expr(i)
		a.name = name
		if next <= i {
			next = i + 1
		}
		list = append(list, a)
		i = next
	}
	return list, i
}
