package shell

import (
	"path"
	"strings"
)

// language returns the language that an interpreter runs, "" if it is none.
func language(name string) string {
	switch strings.TrimRight(name, "0123456789.") {
	case "python", "pypy", "ipython", "pythonw":
		return "python"
	case "node", "nodejs", "bun", "deno", "tsx", "ts-node":
		return "node"
	case "ruby", "jruby", "irb":
		return "ruby"
	case "perl":
		return "perl"
	case "php":
		return "php"
	case "lua", "luajit":
		return "lua"
	case "Rscript", "R":
		return "r"
	case "osascript":
		return "applescript"
	}
	return ""
}

// interpreter finds the program that an interpreter runs: -c or -e, a file, or
// its input.
func (e *engine) interpreter(lang, name string, x *simple, c *ctx) output {
	args := x.args
	letters, long, valued := interpreterOptions(lang)
	var text *Word
	i := 1
	module := false
	for ; i < len(args); i++ {
		s := args[i].Prefix()
		if args[i].Is("--") {
			i++
			break
		}
		if i == 1 && (lang == "node" && (args[i].Is("eval") || args[i].Is("-p"))) && i+1 < len(args) {
			text = &args[i+1]
			i++
			continue
		}
		if len(s) < 2 || s[0] != '-' {
			break
		}
		if strings.HasPrefix(s, "--") {
			key, _, has := strings.Cut(s[2:], "=")
			switch {
			case key == "version" || key == "help":
				return e.plainRun(name, x, c)
			case listed(" "+long, key) && has:
				text = merge(text, cutWord(&args[i], len(key)+3))
			case listed(" "+long, key) && i+1 < len(args):
				i++
				text = merge(text, &args[i])
			case !has && listed(" require import loader experimental-loader title input-type env-file", key):
				i++
			}
			continue
		}
		if took, w := clusterValue(args, i, letters, valued, lang); w != nil {
			text = merge(text, w)
			i += took
		} else {
			if lang == "python" && strings.Contains(s, "m") {
				module = true
				break
			}
			i += took
		}
		if text != nil && lang == "python" {
			i++
			break // everything else belongs to the program
		}
	}
	if text != nil {
		return e.program(lang, x, c, &Code{Lang: lang, From: FromArg, Text: *text})
	}
	in := c.in
	if x.in != nil {
		in = x.in
	}
	if module {
		return e.plainRun(name, x, c)
	}
	if i < len(args) && (name == "bun" || name == "deno") && args[i].Is("run") {
		i++
	}
	if i < len(args) && !stdinFile(args[i].Text) {
		if t, ok := c.st.written(args[i].Text); ok {
			return e.program(lang, x, c, &Code{Lang: lang, From: FromFile, Text: t, File: args[i]})
		}
		x.code = &Code{Lang: lang, From: FromFile, Text: args[i], File: args[i]}
		return e.plainRun(name, x, c)
	}
	if in != nil {
		return e.program(lang, x, c, &Code{Lang: lang, From: FromStdin, Text: in.Text})
	}
	return e.plainRun(name, x, c)
}

func merge(a, b *Word) *Word {
	if a == nil {
		return b
	}
	w := join([]Word{*a, *b}, "\n", b.Span)
	return &w
}

// interpreterOptions returns the letters and long options that take program
// text, and the letters that take another value.
func interpreterOptions(lang string) (letters, long, valued string) {
	switch lang {
	case "python":
		return "c", "", "WX"
	case "node":
		return "ep", "eval print", "rC"
	case "ruby":
		return "e", "", "rICKEFT"
	case "perl":
		return "eE", "", "IMm"
	case "php":
		return "rBRE", "run", "dcfz"
	case "lua", "r", "applescript":
		return "e", "", "l"
	}
	return "", "", ""
}

// clusterValue reads a cluster of short options such as -we CODE. It returns
// the program text, if there is some, and how many arguments more it took.
func clusterValue(args []Word, i int, letters, valued, lang string) (took int, text *Word) {
	s := args[i].Prefix()
	for j := 1; j < len(s); j++ {
		switch {
		case strings.IndexByte(letters, s[j]) >= 0:
			rest := j+1 < len(s) || args[i].Kind != Literal
			if lang == "node" && rest && strings.IndexByte(letters, s[min(j+1, len(s)-1)]) >= 0 {
				continue // -pe
			}
			if rest {
				return 0, cutWord(&args[i], j+1)
			}
			if i+1 < len(args) {
				return 1, &args[i+1]
			}
			return 0, nil
		case strings.IndexByte(valued, s[j]) >= 0:
			if j+1 == len(s) && args[i].Kind == Literal {
				return 1, nil
			}
			return 0, nil
		case lang == "perl" && (s[j] == 'i' || s[j] == '0' || s[j] == 'l' || s[j] == 'F'):
			// -i.bak and -0777 take what follows; -ie is the classic mistake.
			if s[j] == 'i' || s[j] == 'F' {
				return 0, nil
			}
		}
	}
	return 0, nil
}

// program emits an interpreter and follows the literal calls in its text.
func (e *engine) program(lang string, x *simple, c *ctx, code *Code) output {
	code.Seen = code.Text.Kind == Literal
	x.code = code
	i := e.emit(c, x)
	n := c.step(lang, x.args[0].Span)
	n.in = nil
	out := e.finish(program(&x.args[0]), x, c, i)
	e.follow(lang, code.Text, n)
	return out
}

// follow turns the calls in a program into commands.
func (e *engine) follow(lang string, w Word, c *ctx) {
	if w.Kind == Unknown && len(w.Parts) == 1 {
		return
	}
	n := *c
	if n.depth++; n.depth > e.opt.Limits.Depth {
		e.doubt(TooDeep, "", w.Span)
		return
	}
	text := w.Text
	if w.Kind != Literal {
		text = e.dig(&w)
	}
	if lang == "applescript" {
		if _, after, ok := strings.Cut(text, "do shell script"); ok {
			l := &lexer{e: e, lang: lang, text: after, span: w.Span}
			for _, t := range l.run() {
				if t.kind == tokText {
					e.script(t.word, n.step("do shell script", w.Span))
					return
				}
			}
		}
		return
	}
	p := &interp{e: e, lang: lang, c: &n, span: w.Span}
	l := &lexer{e: e, lang: lang, text: text, span: w.Span}
	p.toks = l.run()
	p.seen = make([]bool, len(p.toks))
	p.walk()
}

// interp reads the tokens of one program.
type interp struct {
	e    *engine
	c    *ctx
	lang string
	span Span
	toks []token
	vars []variable
	alts []rename
	deep int
	seen []bool // calls that were performed, by the index of their name
}

// rename is a module or member under the name that the program gives it.
type rename struct{ as, full string }

// arg is one evaluated argument of a call.
type arg struct {
	word Word
	list []Word // for a list of strings
	many bool   // list is meant
	name string // keyword
	raw  string // names in it, for options such as {recursive: true}
}

func (p *interp) at(i int) *token {
	if i < 0 || i >= len(p.toks) {
		return &token{kind: tokLine}
	}
	return &p.toks[i]
}

func (p *interp) mark(i int, s string) bool {
	t := p.at(i)
	return t.kind == tokMark && t.text == s
}

// walk goes through the tokens in order: assignments are remembered, calls
// that matter become commands.
func (p *interp) walk() {
	for i := 0; i < len(p.toks); i++ {
		if !p.e.tick(p.c) {
			return
		}
		t := &p.toks[i]
		switch t.kind {
		case tokRun:
			p.e.script(p.fillIn(t.word), p.c.step(p.lang+" `…`", p.span))
		case tokName:
			if t.text == "import" && p.lang == "python" {
				i = p.imports(i)
				continue
			}
			if p.mark(i+1, "=") && p.at(i+2).text == "require" && p.at(i+4).kind == tokText {
				if m := moduleOf(p.at(i + 4).word.Text); m != "" {
					p.alts = append(p.alts, rename{t.text, strings.TrimSuffix(m, ".")})
				}
			}
			if p.mark(i+1, "=") && !p.mark(i+2, "=") {
				if a, end := p.expr(i + 2); end > i+2 {
					p.set(t.text, a)
					p.e.spend(end-i, p.c)
				}
				continue
			}
			i = p.maybeCall(i)
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
			i++
			continue
		}
		name, next := p.chain(i)
		as := name
		if p.at(next).text == "as" {
			as = p.at(next + 1).text
			next += 2
		}
		if full := from + name; full != as {
			p.alts = append(p.alts, rename{as, full})
		}
		i = next
	}
	return i
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

func (p *interp) set(name string, a arg) {
	list := []Word{a.word}
	if a.many {
		list = a.list
	}
	p.vars = append(p.vars, variable{name: name, alts: []value{{list: list, array: a.many}}})
}

func (p *interp) lookup(name string) (arg, bool) {
	for i := len(p.vars) - 1; i >= 0; i-- {
		if p.vars[i].name == name {
			v := p.vars[i].alts[0]
			if v.array {
				return arg{list: v.list, many: true, word: join(v.list, " ", p.span)}, true
			}
			return arg{word: v.list[0]}, true
		}
	}
	return arg{}, false
}

// chain reads a dotted name and returns it with the index behind it.
func (p *interp) chain(i int) (name string, next int) {
	name = p.at(i).text
	i++
	for {
		t := p.at(i)
		if t.kind == tokMark && (t.text == "." || t.text == "::" || t.text == "->") && p.at(i+1).kind == tokName {
			sep := t.text
			if sep == "->" {
				sep = "."
			}
			name += sep + p.at(i+1).text
			i += 2
			continue
		}
		return name, i
	}
}

// maybeCall handles the name at i and returns the index to go on from.
func (p *interp) maybeCall(i int) int {
	method := p.mark(i-1, ".") || p.mark(i-1, "->")
	name, next := p.chain(i)
	loose := p.lang == "ruby" || p.lang == "perl" // brackets are optional
	if !loose && !p.mark(next, "(") {
		return next - 1
	}
	if !method {
		name = p.full(strings.TrimPrefix(name, "$"))
	}
	does, onPath := effectOf(p.lang, name, method)
	if does == 0 || p.once(i) {
		return next - 1
	}
	var args []arg
	switch {
	case p.mark(next, "("):
		args, _ = p.args(next+1, ")")
	default:
		if t := p.at(next); t.kind == tokLine || t.kind == tokMark && !strings.ContainsAny(t.text, "[$@-") {
			return next - 1
		}
		args, _ = p.args(next, "")
	}
	if onPath {
		recv, ok := p.receiver(i, name)
		if !ok {
			return next - 1
		}
		args = append([]arg{recv}, args...)
	}
	p.perform(does, name, args)
	return next - 1
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
			return arg{word: unknown(base, p.span)}, true
		}
		return arg{}, false
	}
	// The token before is ".", before that is ")": find the call's beginning.
	depth := 0
	for k := i - 2; k >= 0; k-- {
		switch {
		case p.mark(k, ")"):
			depth++
		case p.mark(k, "("):
			if depth--; depth == 0 {
				for k > 0 && (p.at(k-1).kind == tokName || p.mark(k-1, ".")) {
					k--
				}
				toks := p.toks
				p.toks = toks[:i-1] // without the method itself
				a, _ := p.expr(k)
				p.toks = toks
				return a, true
			}
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
		if end == "" && (t.kind == tokLine || p.mark(i, "}") || p.mark(i, ")")) {
			return list, i
		}
		if t.kind == tokLine || p.mark(i, ",") {
			i++
			continue
		}
		name := ""
		if t.kind == tokName && (p.mark(i+1, "=") || p.mark(i+1, ":")) {
			name = t.text
			i += 2
		}
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

// expr evaluates an expression of strings, lists, known variables, + and a few
// pure functions; everything else is unknown.
func (p *interp) expr(i int) (arg, int) {
	p.deep++
	defer func() { p.deep-- }()
	if p.deep > 32 || !p.e.tick(p.c) {
		return arg{word: unknown("…", p.span)}, len(p.toks)
	}
	a, i := p.term(i)
	for {
		t := p.at(i)
		if t.kind != tokMark {
			if t.kind == tokText && p.lang == "python" && a.word.Kind == Literal && !a.many { // "a" "b"
				a.word = join([]Word{a.word, t.word}, "", p.span)
				i++
				continue
			}
			return a, i
		}
		sep := ""
		switch {
		case t.text == "+", t.text == "." && (p.lang == "perl" || p.lang == "php") || p.mark(i, ".") && p.mark(i+1, ".") && p.lang == "lua":
		case t.text == "/" && p.lang == "python":
			sep = "/"
		case t.text == ",", t.text == ")", t.text == "]", t.text == "}", t.text == "=>":
			return a, i
		case t.text == "." && p.at(i+1).kind == tokName:
			a, i = p.method(a, i+1)
			continue
		default:
			// An operator that is not understood: skip to the end.
			return arg{word: unknown("…", p.span), raw: a.raw}, p.skip(i)
		}
		b, next := p.term(i + 1)
		if next <= i+1 {
			return arg{word: unknown("…", p.span)}, p.skip(i)
		}
		if a.many && b.many {
			a.list = append(a.list[:len(a.list):len(a.list)], b.list...)
		} else {
			a = arg{word: join([]Word{a.word, b.word}, sep, p.span)}
		}
		i = next
	}
}

// skip finds the end of the current argument.
func (p *interp) skip(i int) int {
	depth := 0
	for ; i < len(p.toks); i++ {
		t := p.at(i)
		if t.kind == tokLine && depth == 0 {
			return i
		}
		if t.kind != tokMark {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return i
			}
		case ",":
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

func (p *interp) term(i int) (arg, int) {
	for p.at(i).kind == tokLine && i < len(p.toks) && p.at(i).text == "\n" && p.deep > 1 {
		i++
	}
	t := p.at(i)
	switch t.kind {
	case tokText:
		return arg{word: p.fillIn(t.word)}, i + 1
	case tokRun:
		p.e.script(p.fillIn(t.word), p.c.step(p.lang+" `…`", p.span))
		return arg{word: unknown("`…`", p.span)}, i + 1
	case tokWords:
		return arg{list: t.words, many: true, word: join(t.words, " ", p.span)}, i + 1
	case tokName:
		return p.value(i)
	case tokMark:
		switch t.text {
		case "(", "[", "{":
			from := i
			list, next := p.args(i+1, closing(t.text))
			if t.text == "(" && len(list) == 1 {
				return list[0], next
			}
			a := arg{many: true}
			for k := range list {
				if list[k].many {
					a.list = append(a.list, list[k].list...)
				} else {
					a.list = append(a.list, list[k].word)
				}
			}
			for k := from; k < min(next, from+maxLoop); k++ {
				a.raw += p.at(k).text
			}
			a.word = join(a.list, " ", p.span)
			return a, next
		}
		return arg{word: lit(t.text, p.span), raw: t.text}, i + 1
	}
	return arg{word: unknown("…", p.span)}, i
}

// fillIn puts the values of known variables into an interpolated string.
func (p *interp) fillIn(w Word) Word {
	if w.Kind == Literal || len(p.vars) == 0 {
		return w
	}
	var b wordBuilder
	for _, part := range w.Parts {
		name := strings.Trim(part.Text, "$#@{} ")
		if a, ok := p.lookup(name); ok && part.Unknown {
			b.word(&a.word)
		} else if a, ok := p.lookup("$" + name); ok && part.Unknown {
			b.word(&a.word)
		} else if part.Unknown {
			b.unknown(part.Text, part.From)
		} else {
			b.text(part.Text)
		}
	}
	return b.done(w.Span)
}

func closing(open string) string {
	switch open {
	case "(":
		return ")"
	case "[":
		return "]"
	}
	return "}"
}

// value evaluates a name: a variable, a known constant, or a call.
func (p *interp) value(i int) (arg, int) {
	name, next := p.chain(i)
	bare := p.full(strings.TrimPrefix(name, "$"))
	if a, ok := p.lookup(name); ok {
		return a, next
	}
	if k := strings.LastIndexByte(name, '.'); k > 0 {
		if a, ok := p.lookup(name[:k]); ok && p.mark(next, "(") { // v.decode()
			return p.apply(name[k+1:], a, next)
		}
	}
	switch bare {
	case "os.environ", "process.env", "ENV", "os.getenv", "_ENV", "_SERVER", "os.environ.get", "getenv":
		key := ""
		for k := next; k < min(next+4, len(p.toks)); k++ {
			if t := p.at(k); t.kind == tokText || t.kind == tokName {
				key = t.word.Text + t.text
				break
			}
		}
		end := next
		if p.mark(next, "(") {
			_, end = p.args(next+1, ")")
		} else if p.mark(next, "[") || p.mark(next, "{") {
			end = p.skip(next+1) + 1
		}
		return arg{word: p.environ(key)}, end
	case "process.env.HOME":
		return arg{word: p.environ("HOME")}, next
	case "true", "True", "false", "False", "nil", "None", "null":
		return arg{word: lit(name, p.span), raw: name}, next
	}
	if strings.HasPrefix(bare, "process.env.") {
		return arg{word: p.environ(bare[12:])}, next
	}
	if !p.mark(next, "(") {
		if does, _ := effectOf(p.lang, bare, false); does != 0 {
			return arg{word: unknown(name, p.span)}, p.maybeCall(i) + 1
		}
		return arg{word: unknown(name, p.span), raw: name}, next
	}
	args, end := p.args(next+1, ")")
	if does, _ := effectOf(p.lang, bare, false); does != 0 {
		if !p.once(i) {
			p.perform(does, bare, args)
		}
		return arg{word: unknown(name, p.span)}, end
	}
	first := Word{Span: p.span}
	if len(args) > 0 {
		first = args[0].word
	}
	last := bare[strings.LastIndexAny(bare, ".:")+1:]
	switch last {
	case "Path", "PurePath", "PosixPath", "str", "String", "fsencode", "abspath", "realpath", "resolve", "quote", "bytes", "expandvars":
		return arg{word: first}, end
	case "expanduser", "expand_path":
		if s := first.Prefix(); strings.HasPrefix(s, "~") {
			home := p.environ("HOME")
			rest := cutWord(&first, 1)
			return arg{word: join([]Word{home, *rest}, "", p.span)}, end
		}
		return arg{word: first}, end
	case "homedir", "home":
		return arg{word: p.environ("HOME")}, end
	case "join":
		if len(args) > 0 && (strings.Contains(bare, "path") || strings.Contains(bare, "File")) {
			words := make([]Word, len(args))
			for k := range args {
				words[k] = args[k].word
			}
			w := join(words, "/", p.span)
			if w.Kind == Literal {
				w.Text = path.Clean(w.Text)
			}
			return arg{word: w}, end
		}
	case "b64decode", "urlsafe_b64decode", "standard_b64decode", "atob", "decode64", "urlsafe_decode64", "base64_decode", "decode_base64", "fromhex", "unhexlify", "from":
		if first.Kind == Literal {
			s, ok := "", false
			switch {
			case last == "fromhex" || last == "unhexlify" || last == "from" && len(args) > 1 && args[1].word.Is("hex"):
				s, ok = hexText(first.Text)
			case last == "from" && (len(args) < 2 || !args[1].word.Is("base64")):
				s, ok = first.Text, true
			default:
				s, ok = base64Text(first.Text)
			}
			if ok {
				return arg{word: lit(s, p.span)}, end
			}
		}
	case "split":
		if strings.HasPrefix(bare, "shlex") && first.Kind == Literal {
			return p.words(xargsWords(first.Text)), end
		}
	case "require", "__import__":
		return arg{word: unknown(name, p.span), raw: first.Text}, end
	}
	return arg{word: unknown(name+"(…)", p.span)}, end
}

func (p *interp) words(list []string) arg {
	a := arg{many: true}
	for _, s := range list {
		a.list = append(a.list, lit(s, p.span))
	}
	a.word = join(a.list, " ", p.span)
	return a
}

func (p *interp) environ(key string) Word {
	if key == "HOME" || key == "USERPROFILE" {
		return p.e.home(p.c)
	}
	if p.e.opt.Env != nil {
		if s, ok := p.e.opt.Env(key); ok {
			return lit(s, p.span)
		}
	}
	return unknown("$"+key, p.span)
}

// method applies a method to a value: "a b".split(), b.decode(), x.strip().
func (p *interp) method(a arg, i int) (arg, int) {
	name := p.at(i).text
	if !p.mark(i+1, "(") {
		if does, _ := effectOf(p.lang, name, true); does != 0 {
			return arg{word: unknown(name, p.span)}, p.skip(i)
		}
		switch name {
		case "decode", "strip", "chomp", "to_s", "parent":
			return a, i + 1
		}
		return arg{word: unknown("…", p.span), raw: a.raw}, i + 1
	}
	if does, onPath := effectOf(p.lang, moduleOf(a.raw)+name, a.raw == ""); does != 0 {
		args, end := p.args(i+2, ")")
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
func moduleOf(raw string) string {
	switch strings.TrimPrefix(raw, "node:") {
	case "os":
		return "os."
	case "subprocess":
		return "subprocess."
	case "shutil":
		return "shutil."
	case "child_process":
		return "child_process."
	case "fs", "fs/promises":
		return "fs."
	}
	return ""
}

// apply evaluates a method whose argument list begins at i.
func (p *interp) apply(name string, a arg, i int) (arg, int) {
	args, end := p.args(i+1, ")")
	switch name {
	case "decode", "encode", "strip", "toString", "trim", "to_s", "chomp", "resolve", "absolute", "as_posix", "expanduser":
		if name == "expanduser" && strings.HasPrefix(a.word.Prefix(), "~") {
			a.word = join([]Word{p.environ("HOME"), *cutWord(&a.word, 1)}, "", p.span)
		}
		return a, end
	case "split":
		if a.word.Kind == Literal && len(args) == 0 {
			return p.words(strings.Fields(a.word.Text)), end
		}
		if a.word.Kind == Literal && len(args) > 0 && args[0].word.Kind == Literal && args[0].word.Text != "" {
			return p.words(strings.Split(a.word.Text, args[0].word.Text)), end
		}
	case "join":
		if a.word.Kind == Literal && !a.many && len(args) == 1 && args[0].many {
			return arg{word: join(args[0].list, a.word.Text, p.span)}, end
		}
		if a.many && len(args) == 1 && args[0].word.Kind == Literal {
			return arg{word: join(a.list, args[0].word.Text, p.span)}, end
		}
	case "joinpath":
		words := []Word{a.word}
		for k := range args {
			words = append(words, args[k].word)
		}
		return arg{word: join(words, "/", p.span)}, end
	case "replace", "gsub", "sub":
		if a.word.Kind == Literal && len(args) == 2 && args[0].word.Kind == Literal && args[1].word.Kind == Literal {
			return arg{word: lit(strings.ReplaceAll(a.word.Text, args[0].word.Text, args[1].word.Text), p.span)}, end
		}
	}
	return arg{word: unknown("…", p.span)}, end
}
