package shell

import (
	"path"
	"strings"
)

// Values in a program are evaluated only as far as that needs no execution: string
// literals, lists of them, concatenation, variables that were assigned a value
// before, and a few pure functions such as os.path.join and base64 decoding.
// Everything else is unknown, which a rule then treats as anything at all.

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

// term evaluates an operand: a literal, a list, a name or a call.
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
		switch t.text {
		case "my", "our", "new", "await", "return", "not":
			return p.term(i + 1)
		}
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

// closing returns the bracket that closes another.
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

// words returns a list value.
func (p *interp) words(list []string) arg {
	a := arg{many: true}
	for _, s := range list {
		a.list = append(a.list, lit(s, p.span))
	}
	a.word = join(a.list, " ", p.span)
	return a
}

// environ returns a variable of the environment as a program sees it.
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
