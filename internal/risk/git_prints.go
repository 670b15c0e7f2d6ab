package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What else than find has the repository's own folder among the names that it stands for: patterns, listings and one-line programs.

// picksGit reports a pattern of the shell that may have the repository's own folder among its names.
func (c *checker) picksGit(k *call, pattern string) bool {
	abs, ok := c.absolute(k, pattern)
	if !ok {
		return false
	}
	rest, ok := c.under(abs, c.in.Root)
	first, _, _ := strings.Cut(rest, "/")
	// A wildcard fits no dot at the beginning of a name, but where it is told to.
	return ok && first != "" && (first[0] == '.' || strings.HasPrefix(first, "[.") || c.showsHidden()) && shellGlob(strings.TrimSuffix(first, "(D)"), ".git")
}

// programLists reports a one-line program that takes each name of the project's own folder, whichever that is.
func (m *match) programLists(e *effect) bool {
	c := m.c
	if e.kind&(rule.DeleteTree|rule.Move) == 0 || !e.word.Listed() {
		return false
	}
	dir, whole := strings.CutSuffix(e.text, "/…")
	abs, ok := c.absolute(m.call, dir)
	return whole && ok && c.equal(abs, c.in.Root) && !c.picked.says(c, c.in.Command, c.set.members("code-picks"))
}

// prints tells whether a program that lists files names the repository's folder, or
// something in it, and no filter behind it takes that out.
func (m *match) prints(p *call) answer {
	a := never
	switch {
	case p.finds():
		a = m.finds(p)
	case p.name == "fd":
		a = m.fdFinds(p)
	case len(p.cmd.Args) > 0 && m.c.set.In("lists-folder", p.raw):
		a = m.lists(p)
	case p.sub("rev-parse", nil) && p.givenOf(m.c.set.members("options-telling-repository")):
		a = maybe
	case m.c.set.In("prints-its-names", p.raw):
		a = m.printsNames(p)
	case m.c.set.In("searches-text", p.name) && p.given([]string{"--files"}) && p.givenOf(m.c.set.members("options-searching-hidden")) && !p.givenOf(m.c.set.members("options-picking-files")):
		a = m.starts(p)
	case m.c.set.In("searches-text", p.name):
		a = m.greps(p)
	}
	for n := 0; a != never && len(p.cmd.PipeTo) > 0 && n < 8; n++ {
		next := p.cmd.PipeTo[0]
		if next <= p.index || next >= len(m.c.calls) {
			break
		}
		p = &m.c.calls[next]
		switch {
		case p.name == "grep":
			a = min(a, keeps(p))
		case p.sub("check-ignore", nil): // Git ignores nothing there
			a = never
		}
	}
	return a
}

// keeps tells whether grep lets a line with ".git" through. Of patterns that are more
// than letters between anchors nothing is said.
func keeps(p *call) answer {
	pattern := ""
	for i := range p.options {
		if o := &p.options[i]; o.has && (o.name == "-e" || o.name == "--regexp") {
			pattern += o.value + "|"
		}
	}
	if pattern == "" && len(p.operands) > 0 {
		pattern = p.operand(0)
	}
	fits := never
	for one := range strings.SplitSeq(strings.ReplaceAll(pattern, `\|`, "|"), "|") {
		one = strings.Trim(strings.NewReplacer(`\`, "", "./", "", "(", "", ")", "").Replace(one), "^$/")
		switch {
		case one == "":
		case strings.ContainsAny(one, "*[+?{"):
			fits = max(fits, maybe)
		case strings.Contains(".git", one) || one == "." || strings.Contains(one, ".git"):
			fits = always
		}
	}
	if p.given([]string{"-v", "--invert-match"}) {
		return always - fits
	}
	return min(maybe, fits)
}

// lists is prints for ls: hidden names are there with -a or -A alone.
func (m *match) lists(p *call) answer {
	if p.given([]string{"-d", "--directory"}) {
		return m.printsNames(p)
	}
	if !p.givenOf(m.c.set.members("ls-hidden")) {
		return never
	}
	for i := 0; i == 0 || i < len(p.operands); i++ {
		dir := "."
		if i < len(p.operands) {
			dir = p.operand(i)
		}
		if abs, ok := m.c.absolute(p, dir); ok && m.c.equal(abs, m.c.in.Root) {
			return maybe
		}
	}
	return never
}

// fdFinds is finds for fd, which hides such names until it is told not to.
func (m *match) fdFinds(p *call) answer {
	if !p.givenOf(m.c.set.members("fd-hidden")) {
		return never
	}
	if p.given([]string{"-e", "--extension"}) {
		return never
	}
	for i := range p.options {
		if o := &p.options[i]; o.has && (o.name == "-E" || o.name == "--exclude") && shellGlob(strings.Trim(o.value, "*/"), ".git") {
			return never
		}
	}
	if len(p.operands) == 0 || m.hands(p) < p.operands[0] {
		return maybe
	}
	if m.fdStaysBelow(p) {
		return never
	}
	pattern := p.operand(0)
	plain := strings.Trim(strings.ReplaceAll(pattern, `\`, ""), "^$")
	switch {
	case plain == ".git":
		return always
	case plain == "" || plain == "." || strings.Contains(".git", plain), strings.ContainsAny(plain, "*[+?|") && strings.HasPrefix(pattern, "."):
		return maybe
	}
	return never
}

// fdStaysBelow reports that all folders which fd is told to search lie below the top of the project.
func (m *match) fdStaysBelow(p *call) bool {
	starts := 0
	for _, i := range p.operands[1:] {
		if i >= m.hands(p) {
			break
		}
		w := &p.cmd.Args[i]
		abs, ok := m.c.absolute(p, w.Text)
		if _, above := m.c.under(m.c.in.Root, abs); !ok || above || w.Kind != shell.Literal || w.Glob || m.c.repository(abs) == abs {
			return false
		}
		starts++
	}
	return starts > 0 && !p.givenOf(m.c.set.members("fd-search-elsewhere"))
}

// hands is where the command begins that fd runs for what it finds.
func (m *match) hands(p *call) int {
	for i := 1; i < len(p.cmd.Args) && m.c.set.Shells != nil; i++ {
		if m.c.set.Shells.Fd.Runs.Has(p.cmd.Args[i].Text) {
			return i
		}
	}
	return len(p.cmd.Args)
}

// printsNames is prints for what prints the names that it is given, or all below them.
func (m *match) printsNames(p *call) answer {
	for i := 1; i < len(p.cmd.Args); i++ { // the value of an option may be a pattern: compgen -G
		if w := &p.cmd.Args[i]; strings.ContainsAny(w.Text, "*?[") && m.c.picksGit(p, w.Text) {
			return maybe
		}
	}
	if m.c.set.In("prints-all-below", p.raw) && !p.givenOf(m.c.set.members("options-summing-up")) {
		return m.starts(p)
	}
	return never
}

// starts tells whether the project is in a folder that a program begins with.
func (m *match) starts(p *call) answer {
	if m.c.startsAbove(p, 0, path.Join(m.c.in.Root, inGit[0])) {
		return maybe
	}
	return never
}

// aboutGit reports what stands behind the name of the repository's own folder: nothing, or something that every such folder has.
func aboutGit(rest string) bool {
	return slices.ContainsFunc(inGit[:], func(p string) bool { return strings.HasPrefix(p+"/", inGit[0]+strings.TrimSuffix(rest, "/")+"/") })
}
