package shell

import "strings"

// Names are what a program knows already: its variables, the environment, a module's
// functions. The few functions here are pure, so that their value can be told.

// value evaluates a name: a variable, a known constant, or a call.
func (p *interp) value(i int) (arg, int) {
	name, next := p.chain(i)
	bare := p.full(strings.TrimPrefix(name, "$"))
	// Variables before constants: a program may call one of its own "home" or "path".
	if a, ok := p.lookup(name); ok {
		return a, next
	}
	if a, ok := p.looped(name, i); ok {
		return a, next
	}
	if k := strings.LastIndexByte(name, '.'); k > 0 {
		a, ok := p.lookup(name[:k])
		if !ok && p.mark(next, "(") {
			a, ok = p.looped(name[:k], i)
		}
		if ok && p.mark(next, "(") { // v.decode(), line.strip()
			return p.apply(name[k+1:], a, next)
		}
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
	switch bare {
	// Only as a list to go through: for line in sys.stdin.
	case "sys.stdin":
		if p.lines != nil {
			return arg{word: *p.lines}, next
		}
	case "readdir": // perl: of a handle, which says nothing about the folder
		if p.lang == "perl" {
			return arg{word: p.bare()}, next
		}
	case "os.environ", "process.env", "ENV", "os.getenv", "_ENV", "_SERVER", "os.environ.get", "getenv", "ENV.fetch", "Deno.env.get":
		return p.variable(next)
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
	case "Dir":
		if p.mark(next, "[") && p.lang == "ruby" {
			list, end := p.args(next+1, "]")
			return p.globs(list), end
		}
	// Kept as they are written, since options such as {recursive: true} are told by them.
	case "true", "True", "false", "False", "nil", "None", "null":
		return arg{word: lit(name, p.span), raw: name}, next
	}
	if strings.HasPrefix(bare, "process.env.") {
		return arg{word: p.environ(bare[12:])}, next
	}
	if !p.mark(next, "(") {
		if does, _ := p.e.effectOf(p.lang, bare, false); does != 0 {
			return arg{word: unknown(name, p.span)}, p.maybeCall(i) + 1
		}
		return arg{word: unknown(name, p.span), raw: name}, next
	}
	args, end := p.args(next+1, ")")
	if does, _ := p.e.effectOf(p.lang, bare, false); does != 0 {
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
	// A path object is its path; what is called on it later decides.
	if bare == "Pathname.new" || bare == "Pathname" {
		return arg{word: first}, end
	}
	if a, ok := p.listing(last, args); ok {
		return a, end
	}
	switch last {
	// Functions that change a path's type or spelling, and not the file that it leads to.
	case "Path", "File", "PurePath", "PosixPath", "Pathname", "str", "String", "fsencode", "abspath", "realpath", "resolve", "quote", "bytes", "expandvars":
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
	case "gettempdir", "tmpdir", "sys_get_temp_dir":
		return arg{word: p.tempDir()}, end
	case "mkdtemp", "mktmpdir", "tempdir", "mkdtempSync":
		return arg{word: p.freshDir(last, args)}, end
	case "join":
		if len(args) > 0 && (p.lang == "node" || strings.Contains(bare, "path") || strings.Contains(bare, "File")) {
			return arg{word: joinPath(flat(args), p.span)}, end
		}
	case "joinpath", "file_path", "path":
		if len(args) > 1 && (p.lang == "julia" || p.lang == "r") {
			return arg{word: joinPath(flat(args), p.span)}, end
		}
	case "sprintf", "format":
		if len(args) > 1 {
			return arg{word: formatted(&first, flat(args[1:]), p.span)}, end
		}
	// What stands encoded on the line is read as what it is, so that hiding a path gains nothing.
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
	// The module is remembered for the method that is called on it: require("fs").rm(…).
	case "require", "__import__":
		return arg{word: unknown(name, p.span), raw: first.Text}, end
	}
	return arg{word: unknown(name+"(…)", p.span)}, end
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
	if p.lang == "node" {
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

// environ returns a variable of the environment as a program sees it.
func (p *interp) environ(key string) Word {
	// The shell's answer, which an assignment on the line may have changed.
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
	switch {
	case p.mark(i, "("):
		_, end = p.args(i+1, ")")
	case p.mark(i, "["), p.mark(i, "{"):
		end = p.skip(i+1) + 1
	case p.mark(i, "."):
		end = i + 2
	}
	return arg{word: p.environ(key)}, end
}

// method applies a method to a value: "a b".split(), b.decode(), x.strip().
func (p *interp) method(a arg, i int) (arg, int) {
	name := p.at(i).text
	switch moduleOf(a.raw) + name {
	case "os.getenv", "process.env": // __import__("os").getenv("HOME"), require("process").env.HOME
		return p.variable(i + 1)
	case "os.environ":
		if p.mark(i+1, ".") && p.at(i+2).text == "get" {
			i += 2
		}
		return p.variable(i + 1)
	}
	if !p.mark(i+1, "(") {
		if does, _ := p.e.effectOf(p.lang, name, true); does != 0 {
			return arg{word: unknown(name, p.span)}, p.skip(i)
		}
		switch name {
		case "decode", "strip", "chomp", "to_s", "parent":
			return a, i + 1
		}
		return arg{word: unknown("…", p.span), raw: a.raw}, i + 1
	}
	if does, onPath := p.e.effectOf(p.lang, moduleOf(a.raw)+name, a.raw == ""); does != 0 {
		args, end := p.args(i+2, ")")
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
func moduleOf(raw string) string {
	switch strings.TrimPrefix(raw, "node:") {
	case "os":
		return "os."
	case "process":
		return "process."
	case "path":
		return "path."
	case "subprocess":
		return "subprocess."
	case "shutil":
		return "shutil."
	case "child_process":
		return "child_process."
	case "fs", "fs/promises", "fs-extra", "graceful-fs":
		return "fs."
	case "rimraf", "del":
		return raw + "."
	}
	return ""
}

// apply evaluates a method whose argument list begins at i.
func (p *interp) apply(name string, a arg, i int) (arg, int) {
	args, end := p.args(i+1, ")")
	// fs.readdirSync and its kind: the names in a folder, whatever they are.
	if moduleOf(a.raw) != "" {
		if files, ok := p.listing(name, args); ok {
			return files, end
		}
	}
	switch name {
	// Which of the names are picked does not matter: the folder is what is judged.
	case "filter", "sort", "slice", "reverse", "select", "reject", "toSorted", "sort_by":
		if a.many || a.word.Listed() || a.word.Glob {
			return a, end // some of the same names
		}
	case "homedir", "home":
		return arg{word: p.environ("HOME")}, end
	case "tmpdir":
		return arg{word: p.tempDir()}, end
	case "mkdtempSync", "mkdtemp":
		return arg{word: p.freshDir("mkdtempSync", args)}, end
	case "rglob", "glob":
		return arg{word: p.matchingIn(&a.word, args)}, end
	case "iterdir", "each_child", "children", "entries":
		return arg{word: p.inside(&a.word)}, end
	case "format":
		return arg{word: formatted(&a.word, flat(args), p.span)}, end
	case "decode", "encode", "strip", "toString", "trim", "to_s", "chomp", "rstrip", "resolve", "absolute", "as_posix", "expanduser":
		if name == "expanduser" && len(args) == 1 {
			a = args[0] // of a module: __import__("os").path.expanduser("~")
		}
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
		if strings.TrimPrefix(a.raw, "node:") == "path" {
			return arg{word: joinPath(flat(args), p.span)}, end
		}
		if a.word.Kind == Literal && !a.many && len(args) == 1 && args[0].many {
			return arg{word: join(args[0].list, a.word.Text, p.span)}, end
		}
		if a.many && len(args) == 1 && args[0].word.Kind == Literal {
			return arg{word: join(a.list, args[0].word.Text, p.span)}, end
		}
	case "joinpath":
		return arg{word: joinPath(append([]Word{a.word}, flat(args)...), p.span)}, end
	case "replace", "gsub", "sub":
		if a.word.Kind == Literal && len(args) == 2 && args[0].word.Kind == Literal && args[1].word.Kind == Literal {
			return arg{word: lit(strings.ReplaceAll(a.word.Text, args[0].word.Text, args[1].word.Text), p.span)}, end
		}
	}
	return arg{word: unknown("…", p.span)}, end
}
