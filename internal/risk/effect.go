package risk

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// effect is something a call does to a path. The place is found only when a
// rule asks for it, since most lines have no rule about paths.
type effect struct {
	kind  rule.Kind
	word  *shell.Word
	text  string
	known bool // text is all of the path
	place Target
	done  bool
	glob  bool
	// redirect tells that the shell opens the file, not a program.
	redirect bool
}

// collect lists the effects of a call: redirections, what the program's entry
// says about its arguments, and the files whose text it runs.
func (k *call) collect(c *checker) {
	for i := range k.cmd.Redirects {
		r := &k.cmd.Redirects[i]
		if r.Target.Kind == shell.Literal && strings.HasSuffix(r.Target.Text, "/") {
			continue // a folder, which no shell opens: curl http://<host>/
		}
		switch r.Op {
		case ">", ">|", "&>", "<>":
			k.add(rule.Write, &r.Target, r.Target.Text)
		case ">>", "&>>":
			k.add(rule.Append, &r.Target, r.Target.Text)
		case ">&":
			if _, err := strconv.Atoi(strings.TrimSuffix(r.Target.Text, "-")); err != nil && r.Target.Text != "-" {
				k.add(rule.Write, &r.Target, r.Target.Text)
			}
		// "<<<" and "<<" hold text of the line, not a file.
		case "<":
			k.add(rule.Read, &r.Target, r.Target.Text)
		}
	}
	// These come first, so all that is there is the shell's.
	for i := range k.effects {
		k.effects[i].redirect = true
	}
	for i := range k.cmd.Assigns {
		switch a := &k.cmd.Assigns[i]; {
		case c.set.In("replaced-by-variable", a.Name):
			k.add(rule.Write, &a.Value, a.Value.Text)
		case strings.ContainsAny(a.Value.Text, "/.") && c.set.In("appended-by-variable", a.Name): // and not "1"
			k.add(rule.Append, &a.Value, a.Value.Text)
		}
	}
	if code := k.cmd.Code; code != nil && code.From == shell.FromFile && code.Lang != shell.LangSQL && code.File.Text != "" && len(code.File.From()) == 0 {
		k.add(rule.Run, &code.File, code.File.Text) // and not Text, which is what it holds where that is read
	}
	// A program by its path may be one that the line has just written.
	if len(k.cmd.Args) > 0 && strings.ContainsAny(k.cmd.Args[0].Text, "/\\") {
		k.add(rule.Run, &k.cmd.Args[0], k.cmd.Args[0].Text)
	}
	if k.prog == nil {
		k.runsInstalled(c)
		// What an unknown program does with a file is not known; reading is the least.
		if k.name != "" && len(k.cmd.Args) > 1 && !c.set.In("prints-words", k.name) {
			k.readsOperands(c.set)
		}
		return
	}
	k.patches()
	if k.harmless(c.set) {
		return
	}
	for i := range k.prog.Effects {
		k.declared(c, &k.prog.Effects[i])
	}
	k.runsInstalled(c)
}

// readsOperands takes the operands of an unknown program for files that it reads, but
// for a key that it is given by an option for its own use: "--https-key certs/dev.pem", "--env-file .env".
func (k *call) readsOperands(s *Set) {
	for _, i := range k.operands {
		if prev := k.cmd.Args[i-1].Text; i > 1 && strings.HasPrefix(prev, "--") && k.dashdash < 0 && (strings.Contains(prev, "key") || strings.Contains(prev, "cert") || strings.Contains(prev, "tls")) || k.ownFile(s, i) {
			continue
		}
		k.add(rule.Read, &k.cmd.Args[i], k.cmd.Args[i].Text)
	}
}

// ownFile reports the value of an option by which a program is given a file for its own use: --env .env.test.
func (k *call) ownFile(s *Set, i int) bool {
	return i > 1 && k.dashdash < 0 && s.In("options-with-own-files", k.cmd.Args[i-1].Text)
}

// patches adds the files that a patch on standard input touches, and notes that they
// are known: then the program's entry need not stand for the whole folder.
func (k *call) patches() {
	if k.name != "patch" && (k.name != "git" || !k.sub("apply", nil) && !k.sub("am", nil)) {
		return
	}
	k.told = k.name == "patch" && len(k.operands) > 0 // "patch main.go x.diff"
	if k.cmd.Stdin == nil || k.cmd.Stdin.Text.Kind != shell.Literal {
		return
	}
	for _, f := range patchFiles(k.cmd.Stdin.Text.Text) {
		k.told = true
		k.add(f.kind, &k.cmd.Stdin.Text, f.path)
		k.effects[len(k.effects)-1].known = true
	}
}

// declared adds the effects of one entry of the program's table.
func (k *call) declared(c *checker, e *rule.Effect) {
	// words is how many operands belong to the subcommand and name no file.
	words, ok := k.anySub(e.Sub)
	if !ok || k.told && e.Kind&rule.WriteTree != 0 {
		return
	}
	for _, group := range e.Flags {
		if !k.givenOf(group) {
			return
		}
	}
	if len(e.Without) > 0 && k.givenOf(e.Without) {
		return
	}
	from := len(k.effects)
	for on := range e.On.All() {
		if name, ok := strings.CutPrefix(on, "$"); ok {
			k.byVariable(c, e.Kind, name)
			continue
		}
		k.on(e.Kind, on, words)
	}
	if e.Kind == rule.Read {
		k.effects = slices.DeleteFunc(k.effects, func(e effect) bool {
			return e.kind == rule.Read && !e.redirect && slices.ContainsFunc(k.operands, func(i int) bool { return e.word == &k.cmd.Args[i] && k.ownFile(c.set, i) })
		})
	}
	if len(e.In) > 0 {
		k.within(e.In, k.effects[from:])
	}
}

// byVariable adds the file that a variable names, set on the line or inherited: GIT_INDEX_FILE=x git read-tree --empty. An index
// by its name in Git's own folder is what people keep there for a while.
func (k *call) byVariable(c *checker, kind rule.Kind, name string) {
	var w *shell.Word
	if v, ok := c.variable(name); ok {
		w = &shell.Word{Text: v, Span: k.cmd.Span}
	}
	for i := range k.cmd.Assigns { // the last one counts
		if a := &k.cmd.Assigns[i]; a.Name == name {
			w = &a.Value
		}
	}
	if w == nil {
		return
	}
	if abs, ok := c.absolute(k, w.Text); ok && c.classify(abs, k.away())&rule.Dotgit != 0 && c.set.mentions("part-of-index-name", path.Base(abs)) {
		return
	}
	k.add(kind, w, w.Text)
}

// within puts names into the folder that an option names: wget -P DIR. The value of such an option is the word then.
func (k *call) within(options rule.Texts, effects []effect) {
	for i := range k.options {
		o := &k.options[i]
		if !o.has || !options.Meets(func(in string) bool { return k.same(o.name, in) }) {
			continue
		}
		for j := range effects {
			if e := &effects[j]; !strings.HasPrefix(e.text, "/") && o.value != "" {
				w := &k.cmd.Args[o.word]
				e.text, e.word, e.known, e.glob = strings.TrimRight(o.value, "/")+"/"+e.text, w, e.known && w.Kind == shell.Literal, false
			}
		}
	}
}

func (k *call) on(kind rule.Kind, on string, skip int) {
	ops := k.operands[min(skip, len(k.operands)):]
	word := func(i int) {
		w := &k.cmd.Args[ops[i]]
		k.add(kind, w, w.Text)
	}
	switch {
	case strings.HasPrefix(on, "says "), strings.Contains(on, " else "), strings.HasSuffix(on, "*"), strings.Contains(on, ".+"), strings.Contains(on, ".-"):
		k.derived(kind, on, ops)
	case on == "end":
		if len(ops) > 0 {
			word(len(ops) - 1)
		}
	case on == "last":
		if len(ops) > 1 { // "ln -s file" has no destination
			word(len(ops) - 1)
		}
	case on == "not-last":
		for i := 0; i < len(ops)-1; i++ {
			word(i)
		}
	case on == "after-dashes":
		// git checkout REF -- PATHS: what stands before is no path.
		for i := max(0, k.dashdash-skip); k.dashdash >= 0 && i < len(ops); i++ {
			word(i)
		}
	case on == ".":
		k.add(kind, &k.cmd.Dir, ".")
	case on[0] == '-':
		for i := range k.options {
			o := &k.options[i]
			switch {
			case o.has && k.same(o.name, on):
				k.add(kind, &k.cmd.Args[o.word], o.value)
			case !o.has && k.prog.Dash == "long" && len(on) == 2 && strings.HasPrefix(o.name, on):
				k.add(kind, &k.cmd.Args[o.word], o.name[len(on):]) // "-oapp" of a compiler
			}
		}
	case strings.HasPrefix(on, "@-"), strings.HasPrefix(on, "<-"):
		// An option whose value names a file only after "@", as curl's, and in forms after "<" too; elsewhere that begins XML.
		for i := range k.options {
			o := &k.options[i]
			if !o.has || !k.same(o.name, on[1:]) {
				continue
			}
			// --data-urlencode takes name@file too.
			named := on == "@--data-urlencode" && !strings.Contains(o.value, "=")
			if at := strings.IndexAny(o.value, "@"+on[:1]); at >= 0 && (at == 0 || named || o.value[at-1] == '=') {
				path, _, _ := strings.Cut(o.value[at+1:], ";")
				// "@-" is standard input, which flows are followed for.
				if path != "-" {
					k.add(kind, &k.cmd.Args[o.word], path)
				}
			}
		}
	case on == "@":
		// A field of HTTPie that names a file: @x.json, photo@x.png, text=@x.txt.
		for i := 1; i < len(ops); i++ {
			w := &k.cmd.Args[ops[i]]
			if at := strings.IndexAny(w.Text, ":=@"); at >= 0 {
				if file, is := strings.CutPrefix(strings.TrimLeft(w.Text[at:], ":="), "@"); is {
					k.add(kind, w, file)
				}
			}
		}
	case strings.HasPrefix(on, ":-"):
		// An option whose value names a form in front of a file: --cov-report=xml:x.xml.
		for i := range k.options {
			if o := &k.options[i]; o.has && k.same(o.name, on[1:]) {
				if _, file, ok := strings.Cut(o.value, ":"); ok && file != "" {
					k.add(kind, &k.cmd.Args[o.word], file)
				}
			}
		}
	case on == "url-name":
		// wget and curl -O name the file as the address ends.
		for i := range ops {
			w := &k.cmd.Args[ops[i]]
			address, _, _ := strings.Cut(w.Text, "?")
			if name := address[strings.LastIndexAny(address, "/:")+1:]; strings.ContainsAny(address, "/:") && name != "" && w.Kind == shell.Literal {
				k.add(kind, w, name)
			}
		}
	case strings.HasSuffix(on, "="), strings.HasSuffix(on, ":"), strings.HasSuffix(on, "/"):
		// "of=x" of dd, "OPEN:x,options" of socat, "file:///x" of curl.
		for i := range ops {
			w := &k.cmd.Args[ops[i]]
			if len(w.Text) > len(on) && strings.EqualFold(w.Text[:len(on)], on) {
				v := w.Text[len(on):]
				if on[len(on)-1] == ':' {
					v, _, _ = strings.Cut(v, ",")
					v, _, _ = strings.Cut(v, "!!")
					v = strings.Trim(v, `"`)
				}
				k.add(kind, w, v)
			}
		}
	case on == "paths":
		// Operands before the first option, as find has them; none means here.
		found := false
		for i := range ops {
			if len(k.options) == 0 || ops[i] < k.options[0].word {
				found = true
				word(i)
			}
		}
		if !found {
			k.add(kind, &k.cmd.Dir, ".")
		}
	case strings.HasSuffix(on, ".."):
		n, _ := strconv.Atoi(strings.TrimSuffix(on, ".."))
		for i := max(n-1, 0); i < len(ops); i++ {
			word(i)
		}
	default:
		if n, err := strconv.Atoi(on); err == nil && n >= 1 && n <= len(ops) {
			word(n - 1)
		}
	}
}

// onlyRedirects reports that the shell alone has effects of these kinds.
func (k *call) onlyRedirects(kind rule.Kind) bool {
	return kind != 0 && !slices.ContainsFunc(k.effects, func(e effect) bool { return e.kind&kind != 0 && !e.redirect })
}

func (k *call) add(kind rule.Kind, w *shell.Word, text string) {
	// An empty name opens nothing.
	if text == "" || kind == rule.Read && !fileLike(k, w, text) {
		return
	}
	if kind&changing&^rule.Send != 0 && k.prog != nil && k.prog.Network && remoteOperand(text) {
		return // "scp x host:y" writes nothing here, and "rsync --delete x host:y" deletes there
	}
	k.kinds |= kind
	glob := w.Glob || k.prog != nil && k.prog.Expands && strings.ContainsAny(text, "*?[")
	k.effects = append(k.effects, effect{kind: kind, word: w, text: text, known: w.Kind == shell.Literal, glob: glob})
}

// fileLike tells words from file names where a program's arguments may be either:
// text with spaces in it is a file's name only for programs known to read files, be it in
// front of statements.
func fileLike(k *call, w *shell.Word, text string) bool {
	if name, _, ok := strings.Cut(text, "="); ok && text == w.Text && name != "" && !strings.ContainsAny(name, "/. ") {
		return false // "dotenv_config_path=.env"
	}
	if !w.Quoted || !strings.Contains(text, " ") {
		return true
	}
	return k.prog != nil && (len(k.prog.Text) == 0 || k.prog.Text.Has("2..")) && k.cmd.Code == nil && k.raw != "bunx" && k.raw != "pipx" && k.raw != "uvx"
}
