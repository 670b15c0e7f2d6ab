package risk

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// A folder that is published takes along what lies in it, be it named on the line or not: `git add .` and `aws s3 sync . s3://…` over a
// .env. So there is looked for files that are secret by their name and hold a secret, in a bounded part of the folder.

// Bounds of that look.
const (
	maxLeaving = 48 // folders
	maxNamed   = 3  // files that are named
	maxSpecs   = 16 // folders and patterns of one call
)

// secretsBelow lists files below a folder that are secret by their names and hold a secret, as far as they are taken. Paths are relative
// to the folder. What a build makes again is not gone into.
func (c *checker) secretsBelow(dir string, takes func(p, rel string) bool) []string {
	return c.namedBelow(dir, c.keepsSecret, takes)
}

// namedBelow is secretsBelow for those that keeps tells of by what is in them.
func (c *checker) namedBelow(dir string, keeps func(p string) bool, takes func(p, rel string) bool) (list []string) {
	if c.in.Treasures == nil || dir == "" || !c.spend(costPlace) {
		return nil
	}
	folders := 0
	enter := func(p string) bool {
		folders++
		return folders < maxLeaving && c.names(strings.TrimPrefix(p, dir)+"/x", false)&rule.Build == 0 && c.spend(1) // whatever the folder lies in
	}
	c.in.Treasures(dir, enter, func(p string) bool {
		rel := strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")
		is := c.names(p, false)
		if len(list) == maxNamed || !c.spend(1) {
			return false
		}
		switch {
		case is&(rule.Secret|rule.Key|rule.Private) == 0:
			if !c.keptKey(p) || !takes(p, rel) {
				return false
			}
		case !takes(p, rel) || !(is&(rule.Secret|rule.Key) != 0 && keeps(p) || c.keepsText(p)):
			return false
		}
		list = append(list, rel)
		return false // Git may hold it: the list is enough
	})
	return list
}

// keepsSecret reports that a file holds a secret. One that is too long, or no text, may hold one.
func (c *checker) keepsSecret(p string) bool {
	if c.in.Settings == nil || !c.spend(costSettings) {
		return false
	}
	text, there := c.in.Settings(p)
	if !there {
		return c.in.Regular != nil && c.in.Regular(p)
	}
	return len(text) > maxLooked || !c.spend(len(text)/textBytes) || strings.IndexByte(text, 0) >= 0 || c.set.Holds(text)
}

// namesSecret reports that a file gives something that is called a secret a value, be it none that looks like one: in history it stays.
func (c *checker) namesSecret(p string) bool {
	if c.in.Settings == nil || !c.spend(costSettings) {
		return false
	}
	text, there := c.in.Settings(p)
	return there && c.spend(len(text)/textBytes) && c.set.Mask(text) != text
}

// addsSecrets reports a folder or pattern given to "git add" under which lies such a file that Git neither holds nor ignores: it gets
// into history with the rest, unnamed.
func (m *match) addsSecrets() bool {
	c, k := m.c, m.call
	dir, ok := c.absolute(k, k.folder())
	if !ok || k.away() {
		return false
	}
	top := cmp.Or(c.begun(k, dir), c.repository(dir))
	specs := k.operands[min(m.skip, len(k.operands)):]
	if k.sub("update-index", nil) && (!k.given([]string{"--add"}) || len(specs) == 0 && !k.given([]string{"--stdin"})) {
		return false
	}
	if len(specs) == 0 { // -A: all of the work tree; with -f, what another program names
		return m.adds(top, "", false, nil)
	}
	looks, outs := 0, 0
	for _, i := range specs {
		w := &k.cmd.Args[i]
		text, from := w.Text, ""
		if strings.HasPrefix(text, ":") {
			pattern, words, picks := magic(text)
			if !picks {
				if outs++; outs == len(specs) { // nothing but what is left out: all the rest
					return m.adds(dir, "", false, nil)
				}
				continue
			}
			if text, from = pattern, dir; strings.HasPrefix(w.Text, ":/") || strings.Contains(words, "top") {
				from = top
			}
			text = path.Join(from, text)
		}
		if base := path.Base(text); from == "" && strings.Contains(strings.Trim(base, "."), ".") && !strings.ContainsAny(base, "*?[") && w.Kind == shell.Literal {
			continue // the name of a file
		}
		p, ok := c.absolute(k, text)
		if looks++; looks > maxSpecs {
			break
		}
		list := m.listsNew(w)
		switch {
		case !ok || list != nil || w.Kind != shell.Literal && (m.forced() || !w.Glob):
			if (m.forced() || list != nil) && m.adds(top, "", false, list) { // names that a program finds, of what is ignored, too, or new
				return true
			}
		case !strings.ContainsAny(text, "*?["):
			if m.adds(p, "", false, nil) {
				return true
			}
		case w.Glob || w.Kind == shell.Literal:
			if at := strings.LastIndexByte(p, '/'); !strings.ContainsAny(p[:at], "*?[") && m.adds(p[:at], p[at+1:], w.Glob && from == "", nil) {
				return true
			}
		}
	}
	return false
}

// magic takes the words apart with which Git marks a pattern: ":/src", ":(glob)**". What is left out names no file.
func magic(text string) (pattern, words string, ok bool) {
	if rest, long := strings.CutPrefix(text, ":("); long {
		words, pattern, ok = strings.Cut(rest, ")")
		return pattern, words, ok && !strings.Contains(words, "exclude")
	}
	pattern = strings.TrimLeft(text, ":/")
	return pattern, "", !strings.ContainsAny(text[:len(text)-len(pattern)+min(1, len(pattern))], "!^")
}

// listsNew is the call of Git that prints what it does not have yet, where a word is from one: ls-files -o, status --short.
func (m *match) listsNew(w *shell.Word) (list *call) {
	m.c.wordFrom(w, func(q *call) bool {
		if q.name == m.call.name && (q.sub("ls-files", nil) && q.given([]string{"-o", "--others"}) || q.sub("status", nil)) {
			list = q
		}
		return list != nil
	})
	return list
}

// forced reports a call that adds what Git ignores, too.
func (m *match) forced() bool {
	return m.call.given([]string{"-f", "--force"}) || m.call.sub("update-index", nil)
}

// begun is the folder around a path in which the line makes a repository before a call of git, "" for none. Files of a repository around that one
// say nothing of what the new one ignores.
func (c *checker) begun(k *call, p string) (top string) {
	for i := range c.calls[:min(k.index, len(c.calls))] {
		b, words := &c.calls[i], 0
		if b.name != "git" || b.away() || !b.sub("init", &words) {
			continue
		}
		dir := b.folder()
		if words < len(b.operands) {
			if at := b.cmd.Args[b.operands[words]].Text; path.IsAbs(at) {
				dir = at
			} else {
				dir = path.Join(dir, at)
			}
		}
		at, ok := c.absolute(b, dir)
		if ok && lies(p, at) && c.in.Exists != nil && c.spend(costPlace) && !c.in.Exists(at+"/.git") {
			top = at
		}
	}
	return top
}

// adds is addsSecrets for a folder, or for what a pattern picks in it: the shell's own, which passes over names with a dot, or Git's, which
// leads into folders.
func (m *match) adds(dir, pattern string, shells bool, from *call) bool {
	c := m.c
	begun := c.begun(m.call, dir)
	written, unlisted := c.writesIgnoring(m.call), c.movesList(m.call)
	ignored := func(p string) bool { return c.in.Ignored != nil && c.in.Ignored(p) }
	keeps := func(p string) bool { // what was to be left out is secret by its name
		return (m.forced() || written || unlisted) && ignored(p) || c.keepsSecret(p) || c.namesSecret(p)
	}
	list := c.namedBelow(dir, keeps, func(p, rel string) bool {
		top, _, _ := strings.Cut(rel, "/")
		switch {
		case from != nil && c.filtered(from, p):
			return false
		case pattern != "" && shells && !picks(pattern, top), pattern != "" && !shells && !glob(pattern, rel):
			return false
		case m.forced():
		case c.lineIgnores(p, rel):
			return false
		case begun != "":
			if !written && c.fileIgnores(begun, p, rel) {
				return false
			}
		case unlisted && ignored(p) && !c.fileIgnores(c.repository(path.Dir(p)), p, rel): // by the list alone that does not count then
		case !written && (ignored(p) || c.repository(path.Dir(p)) == "" && c.fileIgnores(strings.TrimSuffix(p, rel), p, rel)):
			return false
		}
		if c.in.SettingsAt == nil || begun != "" {
			return true
		}
		_, tracked := c.in.SettingsAt(dir, ":", p)
		return !tracked
	})
	m.detail = strings.Join(list, ", ")
	return len(list) > 0
}

// writesIgnoring reports that the line writes a file anew, or takes it away, that says what Git ignores, before a call. What is put behind the rest leaves that
// as it is, unless it takes something out again.
func (c *checker) writesIgnoring(k *call) bool {
	for i := range c.calls[:min(k.index, len(c.calls))] {
		b := &c.calls[i]
		for j := range b.effects {
			e := &b.effects[j]
			const anew = rule.Write | rule.Delete | rule.DeleteTree | rule.Move | rule.Rename
			if e.kind&(anew|rule.Append) == 0 || c.locate(b, e).Names&rule.Ignoring == 0 {
				continue
			}
			if e.kind&anew != 0 || slices.ContainsFunc((&match{c: c, call: b}).writtenTexts(), func(text string) bool { return strings.Contains(text, "!") }) {
				return true
			}
		}
	}
	return false
}

// movesList reports that another list than the user's own says for a call what Git ignores: by a setting on its line, or one that the line makes before it.
func (c *checker) movesList(k *call) bool {
	for i := range c.calls[:min(k.index+1, len(c.calls))] {
		b := &c.calls[i]
		if b.name != "git" || b.away() {
			continue
		}
		of := func(text string) bool {
			name, _, _ := strings.Cut(strings.ToLower(text), "=")
			return c.set.In("git-ignore-lists", name)
		}
		if b == k && (slices.ContainsFunc(b.options, func(o option) bool { return o.has && of(o.value) }) ||
			slices.ContainsFunc(b.cmd.Assigns, func(a shell.Assign) bool { return c.set.In("git-ignore-lists", a.Name) || of(a.Value.Text) })) {
			return true
		}
		if b != k && b.sub("config", nil) && slices.ContainsFunc(b.cmd.Args, func(w shell.Word) bool { return of(w.Text) }) {
			return true
		}
	}
	return false
}

// ignores reports a line of a file for Git that leaves a path out.
func ignores(line, base, rel string) bool {
	line = strings.TrimPrefix(strings.Trim(strings.TrimSpace(line), `"'/`), "**/")
	return line != "" && (glob(line, base) || glob(line, rel))
}

// lineIgnores reports a file that Git will ignore by what the line puts into a file for that.
func (c *checker) lineIgnores(p, rel string) bool {
	base := path.Base(p)
	for i := range c.calls {
		k := &c.calls[i]
		if !slices.ContainsFunc(k.effects, func(e effect) bool {
			return e.kind&(rule.Write|rule.Append) != 0 && c.locate(k, &e).Names&rule.Ignoring != 0
		}) {
			continue
		}
		for _, text := range (&match{c: c, call: k}).writtenTexts() {
			if slices.ContainsFunc(strings.Split(strings.ReplaceAll(text, `\n`, "\n"), "\n"), func(line string) bool { return ignores(line, base, rel) }) {
				return true
			}
		}
	}
	return false
}

// fileIgnores reports a file that the .gitignore in a folder leaves out, which is no repository yet.
func (c *checker) fileIgnores(dir, p, rel string) bool {
	if c.in.Settings == nil || !c.spend(costSettings) {
		return false
	}
	text, _ := c.in.Settings(strings.TrimSuffix(dir, "/") + "/.gitignore")
	for line := range strings.SplitSeq(text, "\n") {
		if ignores(line, path.Base(p), rel) || ignores(line, path.Base(p), strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")) {
			return true
		}
	}
	return false
}

// sendsSecrets reports a folder that goes to another machine with such a file in it, whatever Git thinks of it.
func (m *match) sendsSecrets(e *effect) bool {
	c, k := m.c, m.call
	if !e.known || k.away() || c.servesHere(k) {
		return false
	}
	dotless := c.set.In("leaves-dotfiles", k.raw)
	list := c.secretsBelow(c.locate(k, e).Path, func(_, rel string) bool {
		return !(dotless && (rel[0] == '.' || strings.Contains(rel, "/."))) && !k.leavesOut(c, rel)
	})
	m.detail = strings.Join(list, ", ")
	return len(list) > 0
}

// leavesOut reports that options of a call leave a file out: the last one that speaks of it counts.
func (k *call) leavesOut(c *checker, rel string) (out bool) {
	for i := range k.options {
		o := &k.options[i]
		switch {
		case !o.has || !glob(o.value, rel) && !glob(o.value, path.Base(rel)):
		case c.set.In("options-leaving-out", o.name):
			out = true
		case c.set.In("options-taking-in", o.name):
			out = false
		}
	}
	return out
}

// servesSecrets reports a file server that others reach, over a folder with such a file. Rows of "file-servers" are the program, words that
// have to be there, a colon, and where the folder stands: the options, or 1 for the word behind.
func (m *match) servesSecrets() bool {
	c, k := m.c, m.call
	for row := range c.set.words("file-servers") {
		words := strings.Fields(row)
		if words[0] != k.raw || c.servesHere(k) {
			continue
		}
		if dir, ok := m.served(words[1:]); ok {
			list := c.secretsBelow(dir, func(_, _ string) bool { return true })
			m.detail = strings.Join(list, ", ")
			return len(list) > 0
		}
	}
	return false
}

// served is the folder that a file server offers, by the row of its program.
func (m *match) served(words []string) (dir string, ok bool) {
	c, k := m.c, m.call
	at, args := 0, k.cmd.Args
	colon := slices.Index(words, ":")
	for _, word := range words[:colon] {
		if at = slices.IndexFunc(args, func(w shell.Word) bool {
			return w.Text == word || len(word) == 2 && word[0] == '-' && strings.HasPrefix(w.Text, word) // -S0.0.0.0:80
		}); at < 0 {
			return "", false
		}
	}
	dir = "."
	for i := 1; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i].Text, "=")
		switch {
		case slices.Contains(words[colon+1:], name) && joined:
			dir = value
		case slices.Contains(words[colon+1:], name) && i+1 < len(args):
			dir = args[i+1].Text
		case i == at+1 && words[colon+1] == "1" && !strings.HasPrefix(name, "-"):
			dir = args[i].Text
		}
	}
	return c.absolute(k, dir)
}

// servesHere reports a word that names this machine alone as the host: 127.0.0.1:8000, --bind=localhost, tcp://[::1]:80.
func (c *checker) servesHere(k *call) bool {
	return c.servesAt(k, func(host string) bool { return !c.set.In("any-machine", host) && c.set.isLocal(host) })
}

// servesAt reports a word of a file server that is such a host, with a port or without.
func (c *checker) servesAt(k *call, is func(host string) bool) bool {
	return slices.ContainsFunc(k.cmd.Args[min(1, len(k.cmd.Args)):], func(w shell.Word) bool {
		text := w.Text
		if w.Kind != shell.Literal {
			return false
		}
		if name, value, joined := strings.Cut(text, "="); joined && text[0] == '-' {
			text = value
		} else if len(name) > 2 && name[0] == '-' && name[1] != '-' {
			text = name[2:] // -S0.0.0.0:80
		}
		if _, rest, ok := strings.Cut(text, "://"); ok {
			text = rest
		}
		text, _, _ = strings.Cut(text, "/")
		if !strings.HasPrefix(text, "[") {
			if host, port, ok := strings.Cut(text, ":"); ok && port != "" && strings.Trim(port, "0123456789") == "" {
				text = host
			}
		} else if end := strings.IndexByte(text, ']'); end > 0 {
			text = text[:end+1]
		}
		return is(text)
	})
}
