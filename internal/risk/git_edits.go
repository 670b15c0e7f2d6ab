package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// mayEditGit reports that the repository's own files may be among those which a call writes and whose names it is handed. What is made of such a
// name ("{}.bak") is another file, and no harm there.
func (m *match) mayEditGit(e *effect) bool {
	if e.word.Kind == shell.Literal { // a pattern of one part finds the folder, which no program edits
		return e.glob && strings.Contains(strings.Trim(e.text, "./"), "/") && m.takesGit(e) != never && m.c.inRepository()
	}
	return (m.walksGit(e) || handed(e.word) && m.takesGit(e) != never) && m.c.inRepository()
}

// inRepository reports a project with a folder of Git's own.
func (c *checker) inRepository() bool {
	return c.in.Exists == nil || c.in.Exists(path.Join(c.in.Root, inGit[0]))
}

// handedGit is mayEditGit for what a program is given that no effect is known of.
func (m *match) handedGit() bool {
	return slices.ContainsFunc(m.call.operands, func(i int) bool {
		w := &m.call.cmd.Args[i]
		return w.Kind != shell.Literal && handed(w) && m.takesGit(&effect{kind: rule.Write, word: w, text: w.Text}) != never && m.c.inRepository()
	})
}

// handed reports a word that is a name as it was found.
func handed(w *shell.Word) bool {
	before, last := w.Prefix(), w.Suffix() // "find -name config" tells the end of the name
	return (last == "" || last[0] == '/' && slices.Contains(inGit[:], inGit[0]+last)) && (before == "" || strings.HasSuffix(before, "/")) && !w.Fresh()
}

// walksGit reports a one-line program that takes each file in and below the project's own folder.
func (m *match) walksGit(e *effect) bool {
	c := m.c
	dir, rest, found := strings.Cut(e.text, "/"+somewhere+"/")
	abs, ok := c.absolute(m.call, dir)
	return found && ok && m.call.name == "" && strings.Trim(rest, somewhere+"/*") == "" && c.in.Root != "" && c.equal(abs, c.in.Root) && !m.call.away() &&
		!c.pickedIn.says(c, c.in.Command, c.set.members("code-picks-files"))
}

// greps is prints for a search for text that prints the names of files.
func (m *match) greps(p *call) answer {
	c := m.c
	if !p.givenOf(c.set.members("options-listing-files")) || !p.givenOf(c.set.members("options-searching-hidden")) {
		return never
	}
	for i := range p.options {
		o := &p.options[i]
		leaves := o.has && c.set.In("options-searching-less", o.name)
		picks := o.has && c.set.In("options-picking-files", o.name)
		value, not := strings.CutPrefix(strings.Trim(o.value, "*/"), "!")
		if leaves = leaves || picks && not; leaves && shellGlob(strings.Trim(value, "*/"), inGit[0]) || picks && !not && !slices.ContainsFunc(inGit[:], func(sample string) bool {
			return shellGlob(o.value, path.Base(sample))
		}) {
			return never
		}
	}
	from := 1
	if p.givenOf(c.set.members("options-of-pattern")) {
		from = 0
	}
	paths := p.operands[min(from, len(p.operands)):]
	reaches := func(text string) bool {
		abs, ok := c.absolute(p, text)
		_, below := c.under(path.Join(c.in.Root, inGit[0]), abs)
		return ok && below
	}
	if len(paths) == 0 && reaches(".") || slices.ContainsFunc(paths, func(i int) bool {
		w := &p.cmd.Args[i]
		return w.Kind == shell.Literal && (w.Glob && c.picksGit(p, w.Text) || !w.Glob && reaches(w.Text))
	}) {
		if m.gitHas(p) {
			return maybe
		}
	}
	return never
}

// gitHas reports that a search for text may find it in the repository's own files: in one that is read, or by chance in what is packed, where it
// is short. What only Git's logs say is no loss.
func (m *match) gitHas(p *call) bool {
	c := m.c
	want := c.expression(p)
	if c.in.Settings == nil || surely(want) < shortSearch || c.in.Exists != nil && c.in.Exists(path.Join(c.in.Root, inGit[0], "modules")) || p.givenOf(c.set.members("options-inverting")) {
		return true
	}
	for name := range c.set.members("files-of-git-in-plain").All() {
		if !c.spend(costSettings) {
			return true
		}
		if text, there := c.in.Settings(path.Join(c.in.Root, inGit[0], name)); there && mayHave(text, want) {
			return true
		}
	}
	return false
}

// surely is how many bytes in a row stand in all that an expression finds.
func surely(expression string) int {
	most := 0
	for part := range strings.SplitSeq(expression, "|") { // each alternative finds something by itself
		long, rest := 0, part
		for rest != "" {
			plain := strings.IndexAny(rest+".", `.*+?[](){}\^$`)
			long = max(long, plain)
			rest = rest[min(plain+1, len(rest)):]
		}
		if most == 0 || long < most {
			most = max(long, 1)
		}
	}
	return most
}

// shortSearch is how long a text is that archives do not have by chance: of 100 MB at random one in ten thousand has five given bytes in a row, and
// nearly each three.
const shortSearch = 5
