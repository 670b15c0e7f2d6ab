package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Each effect of a library call has a command that does the same: shutil.rmtree is
// rm -r, os.rename is mv, writing a file is a redirection. With that every rule on
// commands and paths also holds for programs.

// perform emits the command that a call amounts to.
func (p *interp) perform(does rule.Deed, name string, args []arg) {
	switch does {
	case rule.DoRemove, rule.DoTree, rule.DoTrees, rule.DoRmdir, rule.DoOption, rule.DoFlagged, rule.DoRead, rule.DoTruncate, rule.DoWrite, rule.DoWriteOf, rule.DoWriteTo, rule.DoOpen, rule.DoOpenAs, rule.DoOpenOf, rule.DoMap:
		p.performs(does, name, args) // one command for all of the files
	default:
		rounds(args, func(args []arg) { p.performs(does, name, args) })
	}
}

func (p *interp) performs(does rule.Deed, name string, args []arg) {
	c := p.c.step(p.lang+" "+name, p.span)
	c.open = c.open || slices.ContainsFunc(p.open, func(s [2]int) bool { return s[0] <= p.now && p.now < s[1] })
	var plain []arg
	var into *Word // the folder that an archive is unpacked into
	options := ""
	// The file may be named behind the rest: open(mode="w", file="x").
	slices.SortStableFunc(args, func(a, b arg) int { return p.rank(a) - p.rank(b) })
	for _, a := range args {
		if a.name != "" {
			// subprocess.run(…, cwd=d): the child starts there, and nothing after it does.
			if a.name == "cwd" && a.word.Kind != Unknown {
				c.st = c.st.clone()
				c.st.reach(a.word)
			}
			// The first argument by its name, as Python allows and Swift demands (atPath).
			if p.e.tables.Code.First.Has(a.name) && (len(plain) == 0 || does == rule.DoWriteTo) {
				plain = append(plain, a)
			}
			// tarfile's extractall and shutil.unpack_archive name it differently.
			if a.name == "path" || a.name == "extract_dir" {
				into = &a.word
			}
			// os.chmod(path, mode=…), os.open(path, flags=…): it is the second, whatever else was named.
			if a.name == "mode" || a.name == "filemode" || a.name == "flags" {
				for len(plain) < 2 {
					plain = append(plain, a)
				}
			}
			options += " " + a.name + "=" + a.word.Text
			continue
		}
		if does == rule.DoSpawn && len(plain) > 0 && strings.HasPrefix(a.raw, "{args:[") { // new Deno.Command("x", {args: […]})
			plain = append(plain, a)
			continue
		}
		if a.many && strings.Contains(a.raw, ":") && strings.HasPrefix(a.raw, "{") {
			options += " " + a.raw
			continue
		}
		plain = append(plain, a)
	}
	if does == rule.DoDelete && len(args) == 0 { // without an address it is no request: rows.delete()
		does = rule.DoAlter
	}
	if does == rule.DoDelete || does == rule.DoRequest {
		p.deletes(c, does, args)
		if does == rule.DoRequest && len(args) > 1 { // an address alone is read
			p.elsewhere(c, rule.DoPost, name, args)
		}
		return
	}
	if does >= rule.DoRemote {
		p.elsewhere(c, does, name, args)
		return
	}
	if len(plain) == 0 {
		return
	}
	switch does {
	case rule.DoLoad:
		p.runs(&plain[0].word, c)
	case rule.DoShell:
		p.shellOut(c, plain)
	case rule.DoSQL:
		for i := range plain {
			p.statement(c, plain[i].word) // what the method is called on is no statement
		}
	case rule.DoArgv:
		p.emit(c, flat(plain))
	case rule.DoTask:
		p.taskOf(plain, c)
	case rule.DoSpawn:
		// Node joins the words with blanks then and gives them to sh (child_process.spawn).
		if strings.Contains(options, "shell:true") {
			p.shellOut(c, []arg{{word: join(flat(plain), " ", p.span)}})
			return
		}
		p.emit(c, flat(plain))
	case rule.DoExec, rule.DoExecMode:
		if does == rule.DoExecMode && len(plain) > 1 {
			plain = plain[1:] // whether it waits
		}
		words := flat(plain)
		if len(words) > 1 {
			words = append(words[:1:1], words[2:]...) // argv0 is not an operand
		}
		p.emit(c, words)
	case rule.DoCode:
		// Nobody sees that text: the interpreter stands for it, so that rules on unseen code hold.
		if plain[0].word.Kind == Unknown {
			c2 := *c
			p.e.emit(&c2, &simple{args: []Word{lit(p.lang, p.span)}, span: p.span, code: &Code{Lang: p.lang, From: FromArg, Text: plain[0].word}})
			return
		}
		p.e.follow(p.lang, plain[0].word, c)
	case rule.DoRemove:
		p.operate(c, []string{"rm"}, flat(plain))
	case rule.DoTree:
		p.operate(c, []string{"rm", "-r"}, flat(plain[:1]))
	case rule.DoTrees:
		p.operate(c, []string{"rm", "-r"}, flat(plain))
	case rule.DoOption:
		cmd := []string{"rm"}
		if strings.HasPrefix(plain[0].word.Prefix(), "-") { // shelljs: rm("-rf", "x")
			p.operate(c, append(cmd, plain[0].word.Prefix()), flat(plain[1:]))
			return
		}
		if strings.Contains(options, "recursive:true") || strings.Contains(options, "recursive: true") || strings.Contains(options, "recursive=true") {
			cmd = []string{"rm", "-r"}
		} else if strings.HasPrefix(last(name), "rmdir") {
			cmd = []string{"rmdir"}
		}
		p.operate(c, cmd, flat(plain[:1]))
	case rule.DoFlagged:
		cmd := []string{"rm"}
		if len(plain) > 1 {
			cmd = []string{"rm", "-r"}
		}
		p.operate(c, cmd, flat(plain[:1]))
	case rule.DoRmdir:
		p.operate(c, []string{"rmdir"}, flat(plain[:1]))
	case rule.DoMove:
		p.operate(c, []string{"mv"}, flat(plain[:min(2, len(plain))]))
	case rule.DoMoveTo:
		if len(plain) == 2 && !plain[1].many && plain[1].word.Kind != Unknown {
			p.operate(c, []string{"mv"}, flat(plain))
		}
	case rule.DoChdir:
		p.chdir(plain[0].word)
	case rule.DoOwner:
		if len(plain) > 2 {
			p.operate(c, []string{"chown"}, append([]Word{owner(plain[0].word, plain[1].word)}, flat(plain[2:])...))
		}
	case rule.DoOwnerOf:
		if len(plain) > 2 {
			p.operate(c, []string{"chown"}, []Word{owner(plain[1].word, plain[2].word), plain[0].word})
		}
	case rule.DoLink, rule.DoLinkOf, rule.DoHardLink:
		words := flat(plain[:min(2, len(plain))])
		if len(words) < 2 {
			return
		}
		cmd := []string{"ln", "-sT"}
		switch does {
		case rule.DoLinkOf:
			words[0], words[1] = words[1], words[0]
		case rule.DoHardLink:
			cmd[1] = "-T"
		}
		p.operate(c, cmd, words)
	case rule.DoCopy:
		p.operate(c, []string{"cp"}, flat(plain[:min(2, len(plain))]))
	case rule.DoCopyTree:
		p.operate(c, []string{"cp", "-rT"}, flat(plain[:min(2, len(plain))]))
	case rule.DoMode:
		p.operate(c, []string{"chmod"}, octal(flat(plain)))
	case rule.DoModeOf:
		if len(plain) > 1 {
			p.operate(c, []string{"chmod"}, octal([]Word{plain[1].word, plain[0].word}))
		}
	case rule.DoUnpack:
		if into == nil && len(plain) > 1 {
			into = &plain[1].word
		}
		words := flat(plain[:1])
		if into != nil {
			words = append(words, lit("-C", p.span), *into)
		}
		p.operate(c, []string{"tar", "-xf"}, words)
	case rule.DoTruncate:
		if plain[0].word.Kind == Unknown && slices.Contains(p.files, plain[0].raw) {
			return // told where it was opened
		}
		p.operate(c, []string{"truncate", "-s", "0"}, flat(plain[:1]))
	case rule.DoKill:
		p.kill(c, flat(plain))
	case rule.DoSignal:
		words := flat(plain)
		if len(words) > 1 {
			words[0], words[1] = words[1], words[0]
		}
		p.kill(c, words)
	case rule.DoPerl:
		p.perlOpen(c, plain)
	case rule.DoMap:
		// map(f, list) in most languages, Enum.each(list, f) and lapply(list, f) in some.
		for k := range plain {
			does, _ := p.e.effectOf(p.in, p.full(plain[k].word.Text), false)
			if does != 0 && does != rule.DoMap && len(plain) > 1 {
				p.perform(does, plain[k].word.Text, append(slices.Clone(plain[:k]), plain[k+1:]...))
				break
			}
		}
	case rule.DoRead:
		p.operate(c, []string{"cat"}, flat(plain[:1]))
	case rule.DoWrite:
		p.redirect(c, ">", flat(plain[:1])...)
	case rule.DoWriteTo:
		if len(plain) > 1 {
			p.redirect(c, ">", flat(plain[1:2])...)
		}
	case rule.DoWriteOf:
		if plain[0].word.Kind != Unknown {
			p.redirect(c, ">", flat(plain[:1])...)
		}
	case rule.DoOpen:
		if strings.Contains(options, "inplace=") && !strings.Contains(options, "inplace=False") {
			p.redirect(c, ">", flat(plain[:1])...)
			return
		}
		p.opens(c, plain, options)
	case rule.DoOpenAs:
		p.files = append(p.files, plain[0].raw)
		if len(plain) > 1 {
			p.opens(c, plain[1:], options)
		}
	case rule.DoOpenOf: // Path("x").open("w"), fsspec.open("x", "w")
		for i := 1; i < min(3, len(plain)); i++ {
			if op := openedBy(plain[i].word.Text); op != "" {
				p.opened(c, op, flat(plain[i-1:i])...)
				return
			}
		}
	}
}

// rank puts the argument that names the file before others with a name.
func (p *interp) rank(a arg) int {
	switch {
	case a.name == "":
		return 0
	case p.e.tables.Code.First.Has(a.name):
		return 1
	}
	return 2
}

// opens emits what opening a file comes to, by the mode or the flags behind its name.
func (p *interp) opens(c *ctx, args []arg, options string) {
	op := ""
	for i := 1; i < len(args) && op == ""; i++ { // flags that are joined count one by one
		if op = openedBy(args[i].word.Text); op == "" && i == 1 {
			op = openedByNumber(args[i].word.Text)
		}
	}
	if strings.Contains(options, "write:true") || strings.Contains(options, "truncate:true") { // Deno.open
		op = "<>"
	}
	p.opened(c, op, flat(args[:1])...)
}

// opened emits the redirection that opens each file in the same way. What only appends destroys nothing, unless the program
// cuts files off, too.
func (p *interp) opened(c *ctx, op string, files ...Word) {
	if op == ">>" && slices.ContainsFunc(p.toks, func(t token) bool { return t.kind == tokName && p.e.tables.Code.Cuts.Has(t.text) }) {
		op = "<>"
	}
	if op == "" || op == "<" {
		p.operate(c, []string{"cat"}, files)
		return
	}
	p.redirect(c, op, files...)
}

// openedBy is the redirection that opens a file as a mode does ("wb", "w:gz", "r+"), or flags (os.O_RDWR|os.O_TRUNC). It is
// empty for what is neither: other calls of that name take other things there.
func openedBy(text string) string {
	mode, _, _ := strings.Cut(text, ":")
	switch {
	case strings.Contains(text, "TRUNC"):
		return ">"
	case strings.Contains(text, "WRONLY"), strings.Contains(text, "RDWR"):
		if strings.Contains(text, "APPEND") || strings.Contains(text, "EXCL") {
			return ">>"
		}
		return "<>"
	case strings.Contains(text, "RDONLY"), strings.Contains(text, "…"):
		return "<"
	case len(mode) > 4, strings.Trim(mode, "rwaxcnbtUse+-") != "":
		return ""
	}
	// One letter says what it is opened for, and x that there must be no such file.
	kind := strings.Trim(mode, "btUse+-")
	switch {
	case len(kind) == 2 && strings.Contains(kind, "x"), kind == "x", kind == "a":
		return ">>"
	case kind == "w", kind == "n":
		return ">"
	case kind == "c", kind == "r" && strings.Contains(mode, "+"):
		return "<>"
	case kind == "r":
		return "<"
	}
	return ""
}

// openedByNumber is openedBy for flags that are written as a number, or as some joined by |: the two lowest bits say whether the file is written.
func openedByNumber(text string) string {
	n := int64(0)
	for flag := range strings.SplitSeq(strings.ReplaceAll(text, "0o", "0"), "|") {
		one, err := strconv.ParseInt(strings.TrimSpace(flag), 0, 64)
		if err != nil {
			return ""
		}
		n |= one
	}
	switch {
	case n&3 == 0:
		return "<"
	case n&0x200 != 0: // O_TRUNC of Linux
		return ">"
	}
	return "<>"
}

// kill emits a signal: os.kill(pid, 9).
func (p *interp) kill(c *ctx, words []Word) {
	signal := lit("-TERM", p.span)
	if len(words) > 1 {
		if s, ok := words[1].Known(); ok {
			signal.Text = "-" + strings.TrimPrefix(s, "-")
		} else {
			signal.Text = "-KILL"
		}
	}
	p.operate(c, []string{"kill", signal.Text}, words[:1])
}

// statement emits SQL as the client that would send it: which one, the program's
// text tells.
func (p *interp) statement(c *ctx, text Word) {
	client := []string{"psql", "-c"}
	for i := range p.toks {
		if t := &p.toks[i]; t.kind == tokName && strings.HasPrefix(strings.ToLower(t.text), "sqlite") {
			client = []string{"sqlite3", p.database()}
			break
		}
	}
	// A single word is no statement: .execute("x") is a method of many other things, too.
	if text.Kind == Literal && strings.IndexByte(text.Text, ' ') > 0 {
		p.operate(c, client, []Word{text})
	}
}

// database is the file that the program connects to, "…" if that is not literal.
func (p *interp) database() string {
	for i := range p.toks {
		if p.e.tables.Code.Opens.Has(p.toks[i].text) {
			if t := p.at(i + 2); p.mark(i+1, "(") && t.kind == tokText && t.word.Kind == Literal {
				return t.word.Text
			}
		}
	}
	return "…"
}

// perlOpen reads open(F, ">", name), open(F, ">name") and open(F, "cmd|").
func (p *interp) perlOpen(c *ctx, args []arg) {
	if len(args) < 2 {
		return
	}
	p.files = append(p.files, args[0].raw)
	mode, file := args[1].word.Text, args[1].word
	if len(args) > 2 {
		file = args[2].word
	} else {
		mode = strings.TrimSpace(file.Prefix())
		n := len(mode) - len(strings.TrimLeft(mode, "+<>| "))
		if file.Kind == Literal && strings.HasSuffix(mode, "|") {
			file.Text = strings.TrimSuffix(mode, "|")
		} else {
			file = *cutWord(&file, n)
		}
	}
	switch {
	case strings.Contains(mode, "|") && len(args) > 3: // no shell is in between
		p.emit(c, flat(args[2:]))
	case strings.Contains(mode, "|"):
		p.shellOut(c, []arg{{word: file}})
	case strings.HasPrefix(mode, ">>"), strings.HasPrefix(mode, "+>>"):
		p.opened(c, ">>", file)
	case strings.HasPrefix(mode, ">"), strings.HasPrefix(mode, "+>"):
		p.redirect(c, ">", file)
	case strings.HasPrefix(mode, "+<"):
		p.redirect(c, "<>", file)
	default:
		p.operate(c, []string{"cat"}, []Word{file})
	}
}

// chdir leads what follows in the program to another folder, and nothing that follows the program.
func (p *interp) chdir(to Word) {
	if to.Kind == Unknown {
		return
	}
	p.c.st = p.c.st.clone()
	p.c.st.reach(to)
}

// owner is what chown takes for a user and a group.
func owner(user, group Word) Word { return join([]Word{user, group}, ":", user.Span) }

// last returns the last part of a dotted name.
func last(name string) string {
	return name[strings.LastIndexAny(name, ".:")+1:]
}

// flat returns all words of the arguments.
func flat(args []arg) []Word {
	var out []Word
	for _, a := range args {
		if a.many {
			out = append(out, a.list...)
		} else {
			out = append(out, a.word)
		}
	}
	return out
}

// octal drops the notation of octal literals: chmod takes 0o777 as 777.
func octal(words []Word) []Word {
	if len(words) > 0 {
		words[0].Text = strings.TrimPrefix(strings.TrimPrefix(words[0].Text, "0o"), "0O")
	}
	return words
}

// shellOut runs one string as a command line, or several as arguments.
func (p *interp) shellOut(c *ctx, args []arg) {
	if args[0].many {
		p.emit(c, args[0].list)
		return
	}
	if len(args) > 1 && p.in.Lists {
		p.emit(c, flat(args))
		return
	}
	w := args[0].word
	if p.plain > 0 {
		w.Span = p.span
	}
	n := *c
	n.want = true
	p.out = p.e.scriptOrShell(w, p.span, &n)
}

// emit runs a list of words like a command of the line.
func (p *interp) emit(c *ctx, words []Word) {
	if len(words) == 0 {
		return
	}
	n := *c
	n.want = true
	p.out = p.e.run(&simple{args: words, span: p.span}, &n)
}

// operate emits a command that does what the call does.
func (p *interp) operate(c *ctx, cmd []string, operands []Word) {
	p.e.unix(c, p.span, p.span, operands, cmd...)
}

// redirect emits a redirection without a command for each file.
func (p *interp) redirect(c *ctx, op string, targets ...Word) {
	for _, target := range targets {
		p.e.emit(c, &simple{redirs: []Redirect{{Op: op, Fd: 1, Target: target}}, span: p.span})
	}
}
