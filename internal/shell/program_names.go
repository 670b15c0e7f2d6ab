package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Names are what a program knows already: its variables, the environment, a module's
// functions. The few functions here are pure, so that their value can be told.

// value evaluates a name: a variable, a known constant, or a call.
func (p *interp) value(i int) (arg, int) {
	name, next := p.chain(i)
	bare := p.full(strings.TrimPrefix(name, "$"))
	if p.mark(next, "[") {
		if v, ok := p.behindWord(name, next, p.closes(next)+1); ok && v.kind == isText {
			return arg{word: lit(v.text, p.span), inherited: true}, p.closes(next) + 1
		}
	}
	// Variables before constants: a program may call one of its own "home" or "path".
	if a, ok := p.lookup(name); ok {
		return a, next
	}
	if a, end, ok := p.entry(name, next); ok {
		return a, end
	}
	if a, ok := p.looped(name, i); ok {
		return a, next
	}
	if a, end, ok := p.argument(name, next); ok {
		return a, end
	}
	if a, end, ok := p.input(name, next); ok {
		return a, end
	}
	if k := strings.LastIndexByte(name, '.'); k > 0 {
		a, ok := p.lookup(name[:k])
		if !ok && p.mark(next, "(") {
			if a, ok = p.looped(name[:k], i); !ok {
				a, ok = p.given(name[:k], i) // args.dir.glob("*")
			}
		}
		if ok && p.mark(next, "(") { // v.decode(), line.strip()
			return p.apply(name[k+1:], a, next)
		}
		if a, end, ok := p.sorted(name, next, i); ok {
			return a, end
		}
	}
	if a, ok := p.member(name, i); ok {
		if a.name == "" {
			return a, i + 1
		}
		a.name = ""
		return a, next
	}
	if k := strings.LastIndexByte(name, '.'); k > 0 && !p.mark(next, "(") {
		// An entry of a listing: e.path is the whole path in python's scandir, e.name
		// the bare one in node and deno too. No other property is a path.
		if a, ok := p.looped(name[:k], i); ok && a.word.Listed() {
			switch name[k+1:] {
			case "path":
				return a, next
			case "name":
				return arg{word: p.bare()}, next
			}
		}
	}
	if a, ok := p.given(name, i); ok && !p.mark(next, "(") {
		return a, next
	}
	f := &p.e.tables.Functions
	switch bare {
	// Only as a list to go through: for line in sys.stdin.
	case "sys.stdin":
		if p.lines != nil {
			return p.fed(), next
		}
	case "Dir.home": // ruby needs no brackets
		if p.mark(next, "(") {
			_, next = p.args(next+1, ")")
		}
		return arg{word: p.environ("HOME")}, next
	case "Dir.mktmpdir", "Dir.tmpdir":
		var args []arg
		if p.mark(next, "(") {
			args, next = p.args(next+1, ")")
		}
		if bare == "Dir.tmpdir" {
			return arg{word: p.tempDir()}, next
		}
		return arg{word: p.freshDir(bare, args[:0])}, next
	}
	switch {
	case slices.Contains(p.in.Handles, bare): // of a handle, which says nothing about the folder
		return arg{word: p.bare()}, next
	case bare == p.in.Index && p.mark(next, "["):
		list, end := p.args(next+1, "]")
		return p.lifted(list, p.globs), end
	case f.Environment.Has(bare):
		return p.variable(next)
	case f.Constants.Has(bare):
		return arg{word: lit(name, p.span), raw: name}, next
	}
	if !p.mark(next, "(") {
		if k := strings.LastIndexByte(bare, '.'); k > 0 && f.Environment.Has(bare[:k]) {
			return p.inherited(bare[k+1:], nil), next // process.env.HOME
		}
		if name, ok := strings.CutPrefix(name, "$"); ok && p.in.Environ {
			return arg{word: p.environ(name)}, next
		}
		if does, _ := p.e.effectOf(p.in, bare, false); does != 0 {
			return arg{word: unknown(name, p.span)}, p.maybeCall(i) + 1
		}
		return arg{word: unknown(name, p.span), raw: name}, next
	}
	args, end := p.args(next+1, ")")
	if does, onPath := p.e.effectOf(p.in, bare, false); does != 0 {
		if does == rule.DoMap && len(args) > 1 && args[len(args)-2].many { // array_map(fn($x) => "a/$x", $list)
			return p.names(args[len(args)-2].list...), end
		}
		if !p.once(i) {
			p.out = output{}
			if recv, ok := p.receiver(i, name); ok && onPath && p.takesReceiver(does) {
				args = append([]arg{recv}, args...)
			}
			p.perform(does, bare, args)
			if w, ok := p.printed(); ok {
				return arg{word: w}, end
			}
		}
		return arg{word: unknown(name, p.span)}, end
	}
	return p.lifted(args, func(args []arg) arg { return p.pure(name, bare, args) }), end
}

// pure evaluates a call of one of the functions whose value can be told.
func (p *interp) pure(name, bare string, args []arg) arg {
	f := &p.e.tables.Functions
	first := Word{Span: p.span}
	if len(args) > 0 {
		first = args[0].word
	}
	last := bare[strings.LastIndexAny(bare, ".:")+1:]
	// A path object is its path; what is called on it later decides.
	if bare == "Pathname.new" || bare == "Pathname" {
		return p.paths(args[:min(len(args), 1)])
	}
	a, ok := p.listing(last, args)
	if !ok {
		a, ok = p.listing(bare, args)
	}
	if ok {
		return a
	}
	switch {
	case len(args) == 1 && args[0].rows != nil && (p.e.tables.Methods.Pairs.Has(last) || p.e.tables.Methods.Values.Has(last)): // Object.entries(x)
		return p.told(args[0], p.e.tables.Methods.Pairs.Has(last))
	case f.Records.Has(last) && rowsOf(args) != nil:
		a := p.names(flat(args)...)
		a.rows = args
		return a
	case f.Numbers.Has(last) && len(args) > 0 && p.in.Blocks == rule.BlocksColon:
		return p.numbers(args)
	case f.Base.Has(last) && len(args) > 0:
		return arg{word: p.base(&first)}
	case len(args) > 1 && f.Builds.Has(last):
		return p.paths(args)
	case f.Argument.Has(last):
		if len(args) > 0 && args[0].one {
			return p.paths(args[:1])
		}
		if len(args) == 0 {
			break
		}
		return arg{word: first}
	case f.Expands.Has(last):
		if s := first.Prefix(); strings.HasPrefix(s, "~") {
			home := p.environ("HOME")
			rest := cutWord(&first, 1)
			return arg{word: join([]Word{home, *rest}, "", p.span)}
		} else if len(args) > 1 && !absolute(s) { // Path.expand("x", "/srv")
			return arg{word: joinPath([]Word{args[1].word, first}, p.span)}
		}
		return arg{word: first}
	case f.Home.Has(last):
		return arg{word: p.environ("HOME")}
	case f.Here.Has(last):
		return arg{word: p.c.st.dirs[0]}
	case f.Up.Has(last):
		if first.Kind == Literal {
			return arg{word: up(&first, steps(args), p.span)}
		}
	case f.Beside.Has(last):
		if len(args) > 1 {
			return arg{word: joinPath([]Word{up(&args[1].word, 1, p.span), first}, p.span)}
		}
	case f.Temporary.Has(last):
		return arg{word: p.tempDir()}
	case f.Fresh.Has(last):
		return arg{word: p.freshDir(last, args)}
	case f.Joins.Has(last):
		if len(args) > 0 && (p.in.Joins || strings.Contains(bare, "path") || strings.Contains(bare, "File")) {
			return p.paths(args)
		}
	case f.Parts.Has(last):
		if len(args) > 1 && p.in.Parts {
			return p.paths(args)
		}
	case f.Formats.Has(last):
		if len(args) > 1 {
			return arg{word: formatted(&first, flat(args[1:]), p.span)}
		}
	case f.Base64.Has(last), f.Hex.Has(last), f.Encoded.Has(last):
		if first.Kind == Literal {
			s, ok, named := "", false, f.Encoded.Has(last)
			switch {
			case f.Hex.Has(last) || named && len(args) > 1 && args[1].word.Is("hex"):
				s, ok = hexText(first.Text)
			case named && (len(args) < 2 || !args[1].word.Is("base64")):
				s, ok = first.Text, true
			default:
				s, ok = base64Text(first.Text)
			}
			if ok {
				return arg{word: lit(s, p.span)}
			}
		}
	case f.Splits.Has(last):
		if strings.HasPrefix(bare, "shlex") && first.Kind == Literal {
			return p.words(xargsWords(first.Text))
		}
	// The module is remembered for the method that is called on it: require("fs").rm(…).
	case f.Loads.Has(last):
		return arg{word: unknown(name, p.span), raw: first.Text}
	}
	return arg{word: unknown(name+"(…)", p.span)}
}

// base is the last part of a path.
func (p *interp) base(w *Word) Word {
	switch {
	case w.Kind == Literal && !w.Glob:
		return lit(w.Text[strings.LastIndexByte(w.Text, '/')+1:], p.span)
	case w.Glob || w.Listed():
		return p.bare()
	}
	return unknown("…", p.span)
}

// tempDir is the folder for throw-away files as a program sees it.
func (p *interp) tempDir() Word {
	if dir := p.environ("TMPDIR"); dir.Kind == Literal && dir.Text != "" {
		return dir
	}
	return lit("/tmp", p.span)
}

// freshDir is the folder that a library makes under a new name: below the folder for
// throw-away files, or, in JavaScript, behind the prefix that it is given.
func (p *interp) freshDir(name string, args []arg) Word {
	dir := p.tempDir()
	prefix := dir.Text + "/"
	// fs.mkdtemp takes a prefix and no folder (Node's documentation): "/tmp/x-" becomes /tmp/x-AbC12z.
	if p.in.Prefixed {
		if len(args) == 0 || args[0].word.Kind != Literal {
			return unknown(name+"(…)", p.span)
		}
		prefix = args[0].word.Text
	}
	for i := range args {
		if args[i].name == "dir" { // python: mkdtemp(dir="…")
			if args[i].word.Kind != Literal {
				return unknown(name+"(…)", p.span)
			}
			prefix = args[i].word.Text + "/"
		}
	}
	return freshName(prefix, p.span)
}

// words returns a list value.
func (p *interp) words(list []string) arg {
	a := arg{many: true}
	for _, s := range list {
		a.list = append(a.list, lit(s, p.span))
	}
	a.word = join(a.list, " ", p.span)
	return a
}

// argument is what the line gives the program: sys.argv[1], @ARGV. The number that a row has is that of the first one; without one the name
// alone is the first.
func (p *interp) argument(name string, next int) (a arg, end int, ok bool) {
	list := p.c.given
	if len(list) == 0 && p.c.script == "" {
		return a, next, false
	}
	for _, row := range p.in.Argv {
		word, from, indexed := strings.Cut(row, " ")
		if word != name {
			continue
		}
		if !indexed {
			if len(list) == 0 {
				return a, next, false
			}
			return arg{word: list[0]}, next, true
		}
		first, _ := strconv.Atoi(from)
		if (p.c.files != nil || p.c.script != "") && p.in.Itself {
			first++ // the file itself
		}
		if !p.mark(next, "[") {
			if len(list) == 0 {
				return a, next, false
			}
			return arg{list: list, many: true, word: join(list, " ", p.span)}, next, true
		}
		if n, err := strconv.Atoi(p.at(next + 1).text); err == nil && p.mark(next+2, "]") {
			if n -= first; n == -1 && first > 0 && p.c.script != "" {
				return arg{word: lit(p.c.script, p.span)}, next + 3, true // the file that runs
			}
			if n < 0 || n >= len(list) {
				if n >= len(list) && p.allGiven() {
					return arg{word: unknown(name, p.span), inherited: true, unset: true}, next + 3, true
				}
				return a, next, false
			}
			return arg{word: list[n], inherited: true}, next + 3, true
		}
		if len(list) == 0 {
			if p.c.script != "" && p.mark(next+2, ":") {
				for end = next; end < len(p.toks) && !p.mark(end, "]"); end++ {
				}
				return arg{many: true, inherited: true, unset: true, word: unknown(name, p.span)}, end + 1, true
			}
			return a, next, false
		}
		for end = next; end < len(p.toks) && !p.mark(end, "]"); end++ {
		}
		return arg{list: list, many: true, word: join(list, " ", p.span)}, end + 1, true
	}
	return a, next, false
}

// input is what the line pipes into the program, read by one of the names that the language has for it.
func (p *interp) input(name string, next int) (a arg, end int, ok bool) {
	if p.lines == nil {
		return a, next, false
	}
	for _, word := range p.in.Input {
		rest, is := strings.CutPrefix(name, word)
		if !is || rest != "" && rest[0] != '.' { // gets.chomp
			continue
		}
		if p.mark(next, "(") {
			_, next = p.args(next+1, ")")
		}
		return p.fed(), next, true
	}
	return a, next, false
}

// fed is the value of what a program is piped: a name, or one in each line.
func (p *interp) fed() arg {
	w := *p.lines
	if w.Kind != Literal {
		return arg{word: w}
	}
	list := strings.SplitN(strings.TrimSpace(w.Text), "\n", maxFields+1)
	if len(list) == 1 {
		return arg{word: lit(list[0], p.span)}
	}
	return p.words(list[:min(len(list), maxFields)])
}

// environ returns a variable of the environment as a program sees it.
func (p *interp) environ(key string) Word { return p.e.environ(key, p.span, p.c) }

// environ is a variable of the environment as the line sets it, else as it is known.
func (e *engine) environ(key string, span Span, c *ctx) Word {
	// The shell's answer, which an assignment on the line may have changed.
	if key == "HOME" || key == "USERPROFILE" || slices.Contains(e.tables.Lisp.Names, key) {
		return e.home(c)
	}
	if v := c.st.find(key); v != nil && !v.unset && len(v.alts) == 1 && len(v.alts[0].list) == 1 {
		return v.alts[0].list[0]
	}
	if e.opt.Env != nil {
		if s, ok := e.opt.Env(key); ok {
			return lit(s, span)
		}
	}
	return unknown("$"+key, span)
}

// variable reads the variable of the environment whose name begins at i: ["KEY"], ("KEY")
// or .KEY. The name stands within the next few tokens in each language.
func (p *interp) variable(i int) (arg, int) {
	key := ""
	for k := i; k < min(i+4, len(p.toks)); k++ {
		if t := p.at(k); t.kind == tokText || t.kind == tokName {
			key = t.word.Text + t.text
			break
		}
	}
	end := i
	var or []arg
	switch {
	case p.mark(i, "("):
		if or, end = p.args(i+1, ")"); len(or) > 0 {
			or = or[1:]
		}
	case p.mark(i, "["), p.mark(i, "{"):
		end = p.skip(i+1) + 1
	case p.mark(i, "."):
		end = i + 2
	}
	return p.inherited(key, or), end
}

// method applies a method to a value: "a b".split(), b.decode(), x.strip().
func (p *interp) method(a arg, i int) (arg, int) {
	name := p.at(i).text
	module := p.moduleOf(a.raw)
	switch module + name {
	case "os.getenv", "process.env": // __import__("os").getenv("HOME"), require("process").env.HOME
		return p.variable(i + 1)
	case "os.environ":
		if p.mark(i+1, ".") && p.at(i+2).text == "get" {
			i += 2
		}
		return p.variable(i + 1)
	}
	if !p.mark(i+1, "(") {
		if does, _ := p.e.effectOf(p.in, name, true); does != 0 {
			return arg{word: unknown(name, p.span)}, p.skip(i)
		}
		switch m := &p.e.tables.Methods; {
		case m.Plain.Has(name):
			return a, i + 1
		case m.Maps.Has(name) && p.mark(i+1, "{") && (a.many || a.found()):
			return p.mapped(i + 1)
		case m.Inside.Has(name) && a.word.Kind != Unknown:
			return p.lifted([]arg{a}, func(args []arg) arg { return p.names(p.inside(&args[0].word)) }), i + 1
		case m.Picks.Has(name):
			if end, ok := p.picked(name, &a, i+1); ok {
				return a, end
			}
		case m.Up.Has(name):
			return arg{word: up(&a.word, 1, p.span)}, i + 1
		case m.Ups.Has(name) && p.mark(i+1, "[") && p.mark(i+3, "]"):
			if n, err := strconv.Atoi(p.at(i + 2).text); err == nil && n >= 0 {
				return arg{word: up(&a.word, n+1, p.span)}, i + 4
			}
		}
		return arg{word: unknown("…", p.span), raw: a.raw}, i + 1
	}
	if does, onPath := p.e.effectOf(p.in, module+name, a.raw == ""); does != 0 {
		args, end := p.args(i+2, ")")
		if does == rule.DoMoveTo && len(args) != 1 {
			return p.apply(name, a, i+1) // of a text, which has another meaning and a value
		}
		// A method of the file itself: p.unlink() is unlink(p).
		if onPath {
			args = append([]arg{a}, args...)
		}
		if !p.once(i) {
			p.perform(does, name, args)
		}
		return arg{word: unknown(name, p.span)}, end
	}
	return p.apply(name, a, i+1)
}

// moduleOf returns the prefix that require("fs") gives to a method's name.
func (p *interp) moduleOf(raw string) string {
	name := strings.TrimPrefix(raw, "node:")
	switch {
	case name == "":
	case p.e.tables.Code.Modules.Has(name):
		return name + "."
	case p.e.tables.Code.Files.Has(name):
		return "fs."
	}
	return ""
}

// apply evaluates a method whose argument list begins at i.
func (p *interp) apply(name string, a arg, i int) (arg, int) {
	args, end := p.args(i+1, ")")
	if a.rows != nil && !a.one {
		if v, end, ok := p.entries(a, name, i); ok {
			return v, end
		}
	}
	// fs.readdirSync and its kind: the names in a folder, whatever they are.
	if p.moduleOf(a.raw) != "" {
		if files, ok := p.listing(name, args); ok {
			return files, end
		}
	}
	switch m := &p.e.tables.Methods; {
	case m.Picks.Has(name) && (a.many || a.found()):
		return a, end // some of the same names
	case m.Maps.Has(name) && (a.many || a.found()) && len(args) > 0:
		if made := args[len(args)-1]; made.many || made.found() || made.word.Kind != Unknown {
			return p.names(made.items()...), end // what the function makes of each
		}
	case m.Grows.Has(name) && a.isList():
		return p.names(append(slices.Clip(a.list), flat(args)...)...), end
	}
	return p.lifted(append([]arg{a}, args...), func(args []arg) arg { return p.applied(name, args[0], args[1:]) }), end
}

// applied evaluates a method of a value.
func (p *interp) applied(name string, a arg, args []arg) arg {
	switch f, m := &p.e.tables.Functions, &p.e.tables.Methods; {
	case f.Base.Has(name):
		return arg{word: p.base(&a.word)}
	case f.Home.Has(name):
		return arg{word: p.environ("HOME")}
	case f.Temporary.Has(name):
		return arg{word: p.tempDir()}
	case f.Fresh.Has(name):
		return arg{word: p.freshDir(name, args)}
	case m.Patterns.Has(name):
		return p.names(p.matchingIn(&a.word, args))
	case m.Inside.Has(name):
		return p.names(p.inside(&a.word))
	case f.Formats.Has(name):
		return arg{word: formatted(&a.word, flat(args), p.span)}
	case m.Same.Has(name):
		if f.Expands.Has(name) && len(args) == 1 {
			a = args[0] // of a module: __import__("os").path.expanduser("~")
		}
		if f.Expands.Has(name) && strings.HasPrefix(a.word.Prefix(), "~") {
			a.word = join([]Word{p.environ("HOME"), *cutWord(&a.word, 1)}, "", p.span)
		}
		return a
	case f.Splits.Has(name):
		if a.word.Kind == Literal && len(args) == 0 {
			return p.words(strings.Fields(a.word.Text))
		}
		if a.word.Kind == Literal && len(args) > 0 && args[0].word.Kind == Literal && args[0].word.Text != "" {
			return p.words(strings.Split(a.word.Text, args[0].word.Text))
		}
	case f.Joins.Has(name):
		if strings.TrimPrefix(a.raw, "node:") == "path" {
			return arg{word: joinPath(flat(args), p.span)}
		}
		if a.word.Kind == Literal && !a.many && len(args) == 1 && args[0].many {
			return arg{word: join(args[0].list, a.word.Text, p.span)}
		}
		if a.many && len(args) == 1 && args[0].word.Kind == Literal {
			return arg{word: join(a.list, args[0].word.Text, p.span)}
		}
		if !a.many && (absolute(a.word.Prefix()) || len(args) > 1) { // Pathname.new(__dir__).join("x")
			return arg{word: joinPath(append([]Word{a.word}, flat(args)...), p.span)}
		}
	case m.Up.Has(name):
		return arg{word: up(&a.word, 1, p.span)}
	case m.Beside.Has(name):
		return arg{word: joinPath(append([]Word{up(&a.word, 1, p.span)}, flat(args)...), p.span)}
	case m.Appends.Has(name):
		return arg{word: joinPath(append([]Word{a.word}, flat(args)...), p.span)}
	case m.Replaces.Has(name):
		if a.word.Kind == Literal && len(args) == 2 && args[0].word.Kind == Literal && args[1].word.Kind == Literal {
			return arg{word: lit(strings.ReplaceAll(a.word.Text, args[0].word.Text, args[1].word.Text), p.span)}
		}
	}
	return arg{word: unknown("…", p.span)}
}
