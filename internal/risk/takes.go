package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Takes reports whether what a target of a delete or a move stands for takes the repository in the folder dir along, or a part of its
// history. Where names are known only to the shell, it says so for each that may be meant. dir is absolute.
func (t *Target) Takes(dir string) bool {
	if t.takes != nil {
		return t.takes(dir)
	}
	if t.Pattern != "" {
		return fits(t.Pattern, dir+"/.git")
	}
	return lies(dir, t.Path) || lies(t.Path, dir+"/.git") && !strings.HasSuffix(t.Path, ".lock")
}

// Picks reports whether what a target stands for takes a file along, as far as the line tells. file is absolute.
func (t *Target) Picks(file string) bool {
	switch {
	case t.picks != nil:
		return t.picks(file)
	case t.Pattern != "":
		return fits(t.Pattern, file)
	}
	return t.Class&rule.Unknown == 0 && lies(file, t.Path)
}

// Fits reports whether a file itself fits a pattern, and not only a folder that it is in.
func (t *Target) Fits(file string) bool {
	pattern := path.Clean(t.Pattern)
	if t.Pattern == "" || !fits(pattern, file) {
		return false
	}
	if strings.Contains(pattern, "**") {
		return shellGlob(path.Base(pattern), path.Base(file))
	}
	return strings.Count(pattern, "/") == strings.Count(file, "/")
}

func lies(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// fits reports whether a pattern picks a path or a folder that it is in. As for a shell, a wildcard fits no dot at the beginning of
// a name, unless it is told to.
func fits(pattern, p string) bool { return fitsWith(pattern, p, false) }

// fitsWith is fits, with hidden also where wildcards fit such a dot.
func fitsWith(pattern, p string, hidden bool) bool {
	want, have := strings.Split(path.Clean(pattern), "/"), strings.Split(p, "/")
	for i, w := range want {
		if w == "**" {
			return true
		}
		if w == "{}" && i+2 == len(want) { // what a search found, at any depth: fd -x
			return slices.ContainsFunc(have[min(i, len(have)):], func(name string) bool { return fitsWith(want[i+1], name, hidden) })
		}
		if i == len(have) {
			return false
		}
		if strings.ContainsAny(w, "*?[{(") {
			if !hidden && strings.HasPrefix(have[i], ".") && w[0] != '.' && !strings.HasPrefix(w, "[.") || !strings.ContainsAny(w, "{(") && !shellGlob(w, have[i]) {
				return false
			}
		} else if w != have[i] {
			return false
		}
	}
	return true
}

// taker is what Takes asks of a target whose name the line does not tell: what a search finds, what a listing prints. It is nil where
// the target says all.
func (m *match) taker(e *effect, t *Target) func(dir string) bool {
	const goes = rule.DeleteTree | rule.Delete | rule.Move
	c, k := m.c, m.call
	m.found(e, t)
	if e.kind&goes == 0 || k.away() || t.Class&(rule.Inside|rule.Project|rule.Unknown|rule.Parent) == 0 {
		return nil
	}
	p := m.around()
	for _, i := range e.word.From() {
		if i >= 0 && i < len(c.calls) && (c.calls[i].finds() || c.calls[i].name == "fd") {
			p = &c.calls[i]
		}
	}
	whole := e.kind&(rule.DeleteTree|rule.Move) != 0
	switch {
	case p != nil && p.finds():
		t.picks = func(file string) bool { return c.findsIn(p, file, whole, true) }
		return func(dir string) bool { return c.findsIn(p, dir, whole, false) }
	case p != nil: // fd passes over what begins with a dot, until it is told not to
		return func(dir string) bool {
			m := match{c: c, call: k}
			return whole && m.c.fdNames(p, dir) || m.fdFinds(p) != never
		}
	case e.known && t.Class&rule.Unknown == 0:
		return nil
	case !whole:
		return func(string) bool { return false } // a folder stays
	}
	base, inner := "", handedOn(e) || e.word.Listed()
	if t.Class&rule.Inside != 0 && strings.HasPrefix(t.Path, "/") {
		base = t.Path // the line names the folder in front
	}
	return func(dir string) bool {
		if base != "" {
			return lies(dir, base)
		}
		return inner
	}
}

// found says which files a target stands for whose names the line finds first: "for f in *.txt", "find … -exec sed -i", "rm $(ls | grep x)".
func (m *match) found(e *effect, t *Target) {
	const changes = rule.DeleteTree | rule.Delete | rule.Move | rule.Write
	c, k := m.c, m.call
	if e.kind&changes == 0 || k.away() || t.Class&(rule.Inside|rule.Project|rule.Unknown) == 0 || e.word.Fresh() {
		return
	}
	p := m.searcher(e)
	abs, ok := c.absolute(k, e.text)
	switch {
	case m.intoUnknown(e, t.Path):
		if c.namesHeld(k, e) {
			return
		}
		t.guess = true
		t.picks = func(file string) bool {
			rest, below := c.under(file, t.Path)
			return below && (p == nil || c.findsIn(p, rest, false, true))
		}
	case p != nil:
		t.picks = func(file string) bool { return c.findsIn(p, file, e.kind&(rule.DeleteTree|rule.Move) != 0, true) }
	case e.word.Listed() && searchedBelow(e.text) && t.Class&(rule.Inside|rule.Project) != 0:
		dir, base := t.Path, path.Base(e.text)
		t.picks = func(file string) bool { return lies(file, dir) && fits(base, path.Base(file)) }
	case e.word.Listed() && strings.ContainsAny(e.text, "*?[") && t.Class&(rule.Inside|rule.Project) != 0:
		if ok {
			t.picks = func(file string) bool { return fits(abs, file) }
		}
	case !e.known && handedOn(e) && !c.namesHeld(k, e):
		dir := t.Path
		if !path.IsAbs(dir) {
			dir = c.in.Root
		}
		t.guess, t.own = true, foldersOwn(e.word)
		t.picks = func(file string) bool { return lies(file, dir) }
	}
}

// searchedBelow reports names by a pattern in folders below the one that is named: Path("a").rglob("*.dat").
func searchedBelow(text string) bool {
	dir, base := path.Split(text)
	return strings.HasSuffix(dir, "…/") && strings.ContainsAny(base, "*?[") && !strings.ContainsAny(dir, "*?[")
}

// searcher is the find whose results a call is about: the one that runs it, or whose output reaches it.
func (m *match) searcher(e *effect) (p *call) {
	if p = m.around(); p == nil {
		m.lister(e, func(k *call) bool {
			if k.finds() {
				p = k
			}
			return p != nil
		})
	}
	for i := m.call.index - 1; p == nil && i >= 0 && reachedThrough(m.call, "find"); i-- { // find … -exec sh -c '…'
		if one := &m.c.calls[i]; one.finds() {
			p = one
		}
	}
	if p != nil && !p.finds() {
		return nil
	}
	return p
}

// lister asks about the programs whose output a call is about.
func (m *match) lister(e *effect, is func(*call) bool) bool {
	c, k := m.c, m.call
	return c.wordFrom(e.word, is) || c.wordsFrom(k, is) || c.upstream(k, make([]bool, len(c.calls)), is)
}

// namesHeld reports that names come from a program that lists nothing which Git ignores.
func (c *checker) namesHeld(k *call, e *effect) bool {
	m := match{c: c, call: k}
	return m.listsBy(e, false)
}

// listsIgnored reports that an option has such a program list what Git ignores.
func (m *match) listsIgnored(e *effect) bool { return m.listsBy(e, true) }

func (m *match) listsBy(e *effect, ignored bool) bool {
	set := m.c.set
	return m.lister(e, func(p *call) bool {
		for words := range set.words("lists-held") {
			name, sub, _ := strings.Cut(words, " ")
			if p.name == name && (sub == "" || p.sub(sub, nil)) && p.givenOf(set.members("options-listing-ignored")) == ignored {
				return true
			}
		}
		return false
	})
}

// intoUnknown reports a folder into which a call writes files whose names only the shell will know: "find … -exec cp {} .".
func (m *match) intoUnknown(e *effect, dir string) bool {
	c, k := m.c, m.call
	if e.kind&rule.Write == 0 || e.redirect || e.glob || !e.known || c.in.Regular == nil || c.in.Exists == nil || c.in.Regular(dir) || !c.in.Exists(dir) {
		return false
	}
	named := false
	for i := range k.effects {
		from := &k.effects[i]
		if from.kind&(rule.Read|rule.Move|rule.Link|rule.Send) == 0 || from.redirect {
			continue
		}
		// A pattern of the shell's own can be looked up.
		if named = true; !from.known && (m.around() != nil || handedOn(from) && (!strings.ContainsAny(from.text, "*?[") || strings.Contains(from.text, "…"))) {
			return true
		}
	}
	return !named && fedByList(k)
}

// Found reports a target that stands for the files which the line finds.
func (t *Target) Found() bool { return t.picks != nil }

// Sure reports whether Picks says what goes, and not what may go.
func (t *Target) Sure() bool { return !t.guess }

// Kept reports a file that has to be copied although its name says that a build makes it again.
func (t *Target) Kept() bool { return t.kept }

// Whole reports whether a folder goes with all that is in it.
func (t *Target) Whole() bool { return t.whole }

// fdNames tells whether fd may find a folder, or one that it is in. Of expressions nothing is said.
func (c *checker) fdNames(p *call, dir string) bool {
	if p.givenOf(c.set.members("fd-no-folder")) {
		return false
	}
	if len(p.operands) == 0 {
		return true
	}
	plain := strings.Trim(strings.ReplaceAll(p.operand(0), `\`, ""), "^$")
	return strings.ContainsAny(plain, "*+?|[(.") || strings.Contains(strings.ToLower(dir), strings.ToLower(plain))
}

// findsIn tries the tests of find on a file, or a folder with a repository, on the folders that it is in and on what every repository has.
func (c *checker) findsIn(p *call, dir string, whole, file bool) bool {
	starts := 0
	for _, i := range p.operands {
		if len(p.options) > 0 && i > p.options[0].word || strings.Trim(p.cmd.Args[i].Text, "!(),") == "" {
			break
		}
		starts++
		if c.findsBelow(p, &p.cmd.Args[i], dir, whole, file) {
			return true
		}
	}
	return starts == 0 && c.findsBelow(p, &shell.Word{Text: "."}, dir, whole, file)
}

func (c *checker) findsBelow(p *call, start *shell.Word, dir string, whole, file bool) bool {
	abs, ok := c.absolute(p, start.Text)
	if start.Kind != shell.Literal || !ok {
		return whole || file // anything may be below what is not known
	}
	if !path.IsAbs(dir) { // a name, wherever it is found
		dir = path.Join(abs, dir)
	}
	if lies(abs, dir+"/.git") {
		return true
	}
	if !lies(dir, abs) {
		return false
	}
	below := strings.Trim(strings.TrimPrefix(dir, abs), "/")
	deep := p.given([]string{"-delete", "-depth", "-d"}) // what is in a folder comes first: nothing is pruned
	try := func(name string, folder bool) (taken, pruned bool) {
		x := findTest{set: c.set, args: p.cmd.Args, path: name, start: strings.TrimSuffix(start.Text, "/"), folder: folder}
		return x.run() != never, x.pruned == always && !deep
	}
	for i := range len(below) + 1 {
		if below == "" || i < len(below) && below[i] != '/' {
			continue
		}
		taken, pruned := try(below[:i], !file || i < len(below))
		if taken && (whole || file && i == len(below)) {
			return true
		}
		if pruned {
			return false
		}
	}
	for i, sample := range inGit {
		if file {
			return false
		}
		taken, pruned := try(path.Join(below, sample), i == 0 || i == 2 || i == 4)
		if taken {
			return true
		}
		if pruned {
			return false
		}
	}
	return false
}
