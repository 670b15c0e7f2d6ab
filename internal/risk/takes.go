package risk

import (
	"path"
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

func lies(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// fits reports whether a pattern picks a path or a folder that it is in. As for a shell, a wildcard fits no dot at the beginning of
// a name, unless it is told to.
func fits(pattern, p string) bool {
	want, have := strings.Split(path.Clean(pattern), "/"), strings.Split(p, "/")
	for i, w := range want {
		if w == "**" {
			return true
		}
		if i == len(have) {
			return false
		}
		if strings.ContainsAny(w, "*?[{(") {
			if strings.HasPrefix(have[i], ".") && w[0] != '.' && !strings.HasPrefix(w, "[.") || !strings.ContainsAny(w, "{(") && !shellGlob(w, have[i]) {
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
		if i >= 0 && i < len(c.calls) && (c.calls[i].name == "find" || c.calls[i].name == "fd") {
			p = &c.calls[i]
		}
	}
	whole := e.kind&(rule.DeleteTree|rule.Move) != 0
	switch {
	case p != nil && p.name == "find":
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

// found says which files a target stands for whose names the line finds first: "for f in *.txt", "find … -exec sed -i".
func (m *match) found(e *effect, t *Target) {
	const changes = rule.DeleteTree | rule.Delete | rule.Move | rule.Write
	c, k := m.c, m.call
	if e.kind&changes == 0 || k.away() || t.Class&(rule.Inside|rule.Project) == 0 {
		return
	}
	if p := m.around(); p != nil && p.name == "find" {
		t.picks = func(file string) bool { return c.findsIn(p, file, e.kind&(rule.DeleteTree|rule.Move) != 0, true) }
	} else if e.word.Listed() && strings.ContainsAny(e.text, "*?[") {
		if abs, ok := c.absolute(k, e.text); ok {
			t.picks = func(file string) bool { return fits(abs, file) }
		}
	}
}

// Found reports a target that stands for the files which the line finds.
func (t *Target) Found() bool { return t.picks != nil }

// fdNames tells whether fd may find a folder, or one that it is in. Of expressions nothing is said.
func (c *checker) fdNames(p *call, dir string) bool {
	if p.given(c.set.members("fd-no-folder")) {
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
		return whole // anything may be below what is not known
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
