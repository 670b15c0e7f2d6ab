package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// unsaved reports that an effect would destroy content that Git does not hold, so
// that only a snapshot brings it back. What only the shell will know is not asked
// about: rules for unknown targets are there for that.
func (m *match) unsaved(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	if t.Class&(rule.Inside|rule.Project) == 0 || t.Class&rule.Unknown != 0 || c.absent(m.call, t.Path) {
		return false
	}
	p := t.Path
	if e.glob {
		abs, ok := c.absolute(m.call, e.text)
		if !ok {
			return false
		}
		p = abs
	}
	if c.holdsUnsaved(p, e.glob) {
		return true
	}
	// What is renamed or linked takes the place of a link itself, and not of what it leads to.
	if e.kind&rule.Write != 0 && !e.redirect && !e.glob {
		if abs, ok := c.absolute(m.call, e.text); ok && abs != p && c.holdsUnsaved(abs, false) {
			return true
		}
	}
	if e.kind&rule.Move != 0 && !e.glob && c.in.Regular != nil && c.in.Exists != nil && c.in.Exists(p) && !c.in.Regular(p) {
		return true // a whole folder, as "rm -r" of one: nobody looks at each file in it
	}
	return m.intoFolder(e, p, func(file string) bool { return c.holdsUnsaved(file, false) }) || m.intoUnknown(e, p) && c.dirty(m.call, e, p)
}

// intoFolder asks about the files that a program would write into the folder p, as
// "mv a docs/" replaces docs/a. What a pattern stands for is looked up; where it cannot
// be, or where a command before it on the line may have made more, the pattern itself is
// asked about, as it would fit in p.
func (m *match) intoFolder(e *effect, p string, is func(file string) bool) bool {
	if e.kind&rule.Write == 0 || e.redirect || e.glob {
		return false
	}
	c, k := m.c, m.call
	for i := range k.effects {
		from := &k.effects[i]
		if from.kind&(rule.Read|rule.Move|rule.Link|rule.Send) == 0 || from.redirect {
			continue
		}
		text := from.text
		pattern := from.glob || from.word.Listed() && strings.ContainsAny(text, "*?[") // "for f in *.go"
		switch {
		case strings.HasSuffix(text, "/.") && !pattern: // "cp -r new/. docs"
			text, pattern = strings.TrimSuffix(text, ".")+"*", true
		case !pattern && from.known && k.givenOf(c.set.members("options-replacing-place")): // "cp -rT new docs"
			text, pattern = path.Join(text, "*"), true
		case !pattern && !from.known:
			continue
		}
		if k.prog != nil && k.prog.Network && remoteOperand(text) { // "scp host:a ."
			text = text[strings.IndexByte(text, ':')+1:]
		}
		listed := []string{path.Base(text)}
		if abs, ok := c.absolute(k, text); pattern && ok && c.in.Names != nil {
			if names, ok := c.in.Names(abs); ok && (len(names) > 0 || k.index == 0) {
				listed = names
			}
		}
		if from.kind&rule.Read != 0 && c.in.Holds != nil && k.givenOf(c.set.members("options-copying-trees")) {
			listed = m.withHeld(text, listed)
		}
		if !c.spend(len(listed)) {
			return true
		}
		for _, name := range listed {
			if is(path.Join(p, name)) {
				return true
			}
		}
	}
	return false
}

// withHeld adds what is in the folders among names: "cp -r new docs" replaces docs/new/a. The names are those of text, or of what it
// stands for.
func (m *match) withHeld(text string, names []string) []string {
	all := names
	for _, name := range names {
		abs, ok := m.c.absolute(m.call, path.Join(path.Dir(text), name))
		if !ok || !m.c.spend(costPlace) {
			break
		}
		if held, ok := m.c.in.Holds(abs); ok {
			all = append(slices.Clip(all), prefixed(name, held)...)
		}
	}
	return all
}

// holdsSomething reports a folder in which something is; what cannot be listed counts.
func (m *match) holdsSomething(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	if t.Class&rule.Unknown != 0 || c.absent(m.call, t.Path) || c.in.Exists != nil && !c.in.Exists(t.Path) {
		return false
	}
	if c.in.Names == nil {
		return true
	}
	names, ok := c.in.Names(path.Join(t.Path, "*"))
	return !ok || len(names) > 0
}

// wholeProject reports a folder that is a work tree of Git itself.
func (m *match) wholeProject(e *effect) bool {
	t := m.c.locate(m.call, e)
	return t.Class&rule.Unknown == 0 && m.c.in.Exists != nil && m.c.in.Exists(path.Join(t.Path, ".git"))
}

// ownWrite reports a file that is still as a tool of this session left it.
func (m *match) ownWrite(e *effect) bool {
	t := m.c.locate(m.call, e)
	return m.c.in.Wrote != nil && t.Class&rule.Unknown == 0 && m.c.in.Wrote(t.Path)
}

// madeAgain reports that a compiler writes over a program that one has made: as a rule it
// was this line a minute ago.
func (m *match) madeAgain(e *effect) bool {
	c := m.c
	if c.in.Compiled == nil || e.glob || !e.known || !c.set.In("compiles", m.call.name) {
		return false
	}
	t := c.locate(m.call, e)
	return t.Class&rule.Unknown == 0 && c.in.Compiled(t.Path)
}

// textTarget reports that the one file which is replaced holds text: programs write their own output again, people do not.
func (m *match) textTarget(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	return c.in.Text == nil || e.glob || !e.known || t.Class&rule.Unknown != 0 || c.in.Text(t.Path)
}

// unsavedWork reports that a folder of the project, into which a program writes what the
// line does not tell, holds content that Git does not. The archive or patch that it reads
// is no loss.
func (m *match) unsavedWork(e *effect) bool {
	c, k := m.c, m.call
	t := c.locate(k, e)
	if t.Class&(rule.Inside|rule.Project) == 0 || t.Class&rule.Unknown != 0 || k.away() || c.in.Exists != nil && !c.in.Exists(t.Path) {
		return false
	}
	return c.dirty(k, e, t.Path)
}

// maybeUnsaved reports that the name of a target is not known, and that content which Git
// does not hold lies where it may lead: in the folder that the line names in front of it,
// else anywhere in the project.
func (m *match) maybeUnsaved(e *effect) bool {
	c, k := m.c, m.call
	t := c.locate(k, e)
	if e.known || t.Class&(rule.Unknown|rule.Inside) == 0 || c.in.Root == "" || k.away() || e.word.Fresh() {
		return false
	}
	if fedByList(k) && !handedOn(e) && !strings.Contains(e.text, "$") {
		return false // "xargs -I{} rm {}" alone: nobody feeds it
	}
	if abs, ok := c.absolute(k, e.text); ok && e.word.Listed() && strings.ContainsAny(path.Base(abs), "*?[") && !strings.ContainsAny(path.Dir(abs), "*?[…") && c.holdsUnsaved(abs, true) {
		return true // "for f in *.txt", also of what Git ignores
	}
	dir := c.in.Root
	if t.Class&rule.Inside != 0 && t.Path != "" {
		dir = t.Path
	}
	return c.dirty(k, e, dir)
}

// handedOn reports a name that the line itself reads from somewhere: by read, by mapfile,
// as another program's output. A variable that the line never sets is none.
func handedOn(e *effect) bool {
	for i := range e.word.Parts {
		p := &e.word.Parts[i]
		if !p.Unknown {
			continue
		}
		// "$(<list)" runs no command that it could come from.
		if p.Listed || p.Read || len(p.From) > 0 || strings.HasPrefix(p.Text, "$(") || strings.HasPrefix(p.Text, "`") {
			return true
		}
	}
	return false
}

// dirty reports that a folder of the project holds content that Git does not, other than
// what the call reads: the archive, the patch, the list of names are no loss.
func (c *checker) dirty(k *call, e *effect, dir string) bool {
	if c.in.Dirty == nil {
		return true
	}
	var except []string
	read := func(k *call, text string) {
		// "tar -C docs": the folder that is written into is nothing that is read.
		if abs, ok := c.absolute(k, text); ok && abs != dir && !strings.HasPrefix(dir, abs+"/") {
			except = append(except, abs)
		}
	}
	reads := func(k *call) {
		for i := range k.effects {
			if from := &k.effects[i]; from.kind&rule.Read != 0 && from.known {
				read(k, from.text)
			}
		}
	}
	reads(k)
	for i := range k.options {
		if o := &k.options[i]; o.has && &k.cmd.Args[o.word] != e.word { // "tar -f x.tar", "patch -i x.diff", and not "-C dir"
			read(k, o.value)
		}
	}
	for _, i := range e.word.From() { // "rm $(cat list)"
		if i >= 0 && i < len(c.calls) {
			reads(&c.calls[i])
		}
	}
	return c.in.Dirty(dir, except)
}

// ownWork reports that what a name such as tmp or build promises is not so: there lies
// content that Git neither holds nor ignores, or a file that it tracks though it is named like
// what programs write. Which folders people keep work in is data;
// those that only programs fill need no look.
func (m *match) ownWork(e *effect, t *Target) bool {
	c := m.c
	if t.Names&rule.Build == 0 || m.rule.Action != rule.Checkpoint || c.in.Dirty == nil || c.in.Ignored == nil || m.call.away() {
		return false
	}
	if t.mine == 0 {
		t.mine = no
		if t.Names&rule.Scratch == 0 && c.trackedFile(e, t) || t.Names&rule.Scratch != 0 && c.unheld(m.call, e, t) || t.Names&rule.Product != 0 && c.textProduct(e, t) || t.Names&rule.Results != 0 && c.handmade(m.call, e, t) {
			t.mine = yes
		}
	}
	return t.mine == yes
}

// trackedFile reports a file with the name of a build product that Git tracks all the same, with changes that it does not hold. Of a
// pattern, one is enough. Folders have a rule of their own.
func (c *checker) trackedFile(e *effect, t *Target) bool {
	p := orPattern(t)
	if !e.known && !e.glob || c.in.Changed == nil || c.in.Regular == nil || c.in.Names == nil || t.Class&rule.Unknown != 0 || t.Class&rule.Inside == 0 || p == "" || strings.ContainsAny(path.Dir(p), "*?[") {
		return false
	}
	if t.Pattern == "" {
		return c.in.Regular(p) && c.in.Changed(p)
	}
	names, ok := c.in.Names(p)
	if !ok || !c.spend(len(names)) {
		return c.in.Changed(path.Dir(p)) // too many to look at each
	}
	for _, name := range names {
		if one := path.Join(path.Dir(p), name); c.in.Regular(one) && c.in.Changed(one) {
			return true
		}
	}
	return false
}

// textProduct reports a file with the name of what a compiler or an editor leaves, which Git neither holds nor ignores, and which is text: a
// name alone does not make it a program's. Of a pattern, one is enough.
func (c *checker) textProduct(e *effect, t *Target) bool {
	p := orPattern(t)
	if !e.known && !e.glob || c.in.Text == nil || c.in.Unsaved == nil || c.in.Names == nil || t.Class&rule.Unknown != 0 || t.Class&rule.Inside == 0 || p == "" || strings.ContainsAny(path.Dir(p), "*?[") {
		return false
	}
	// A folder of results speaks for all that is in it.
	if dir := strings.Trim(strings.TrimPrefix(path.Dir(p), c.in.Root), "/"); c.names(dir, false)&rule.Build != 0 {
		return false
	}
	own := func(one string) bool { return !c.in.Ignored(one) && c.in.Unsaved(one) && c.in.Text(one) }
	if t.Pattern == "" {
		return own(p)
	}
	names, ok := c.in.Names(p)
	if !ok || !c.spend(len(names)) {
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool { return own(path.Join(path.Dir(p), name)) })
}

// handmade reports text in a folder of results, or the folder with such, that Git neither holds nor ignores, and that by its name and form
// no program wrote. In node_modules and its like all is a program's, also below such a folder.
func (c *checker) handmade(k *call, e *effect, t *Target) bool {
	p := orPattern(t)
	if !e.known && !e.glob || c.in.Written == nil || c.in.Names == nil || t.Class&rule.Unknown != 0 || t.Class&rule.Inside == 0 || p == "" || strings.ContainsAny(path.Dir(p), "*?[") || c.absent(k, p) {
		return false
	}
	if e.kind&rule.Write != 0 && c.set.In("compiles", k.name) {
		return false
	}
	rest := p
	if below, ok := c.under(p, c.in.Root); ok {
		rest = below
	}
	parts := strings.Split(rest, "/")
	for i, name := range parts {
		if name != "" && c.made(name, i < len(parts)-1) {
			return false
		}
	}
	if t.Pattern == "" {
		return c.in.Written(p, c.made)
	}
	names, ok := c.in.Names(p)
	if !ok || !c.spend(len(names)) {
		return c.in.Written(path.Dir(p), c.made)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return !c.made(name, false) && c.in.Written(path.Join(path.Dir(p), name), c.made)
	})
}

// made tells by a name what only programs write.
func (c *checker) made(name string, dir bool) bool {
	n := c.names(name, false)
	return n&rule.Generated != 0 || n&rule.Build != 0 && n&rule.Scratch == 0 && (n&rule.Results == 0 || !dir && n&rule.Product != 0)
}

// orPattern is the pattern that a target is, else its path.
func orPattern(t *Target) string {
	if t.Pattern != "" {
		return t.Pattern
	}
	return t.Path
}

func (c *checker) unheld(k *call, e *effect, t *Target) bool {
	p := t.Path
	if p == "" {
		p = t.Pattern
	}
	if p == "" || t.Class&rule.Unknown != 0 || t.Class&rule.Inside == 0 || c.absent(k, p) || c.in.Ignored(p) {
		return false
	}
	if strings.ContainsAny(p, "*?[") {
		return c.in.Dirty(path.Dir(p), nil)
	}
	return c.holdsUnsaved(p, false) || e.kind&(rule.DeleteTree|rule.Delete|rule.Move|rule.WriteTree) != 0 && c.in.Dirty(p, nil)
}

// trackedWork reports that a folder whose name says that it is made again holds work all
// the same: files that Git tracks, with changes. Untracked ones are what such a folder is
// for, and may be tens of thousands.
func (m *match) trackedWork(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	if c.in.Changed == nil || t.Class&rule.Inside == 0 || t.Class&rule.Unknown != 0 || !c.in.Changed(t.Path) {
		return false
	}
	// "find src -name __pycache__": of src only what lies in folders of that name.
	if found := path.Base(e.text); c.in.Differs != nil && !e.known && t.Pattern == t.Path && !strings.ContainsAny(found, "{…") {
		return c.in.Differs(func(p string) bool {
			return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool { return glob(found, name) })
		})
	}
	return true
}

// replacesFile reports that a file is there which would be replaced: the target, or
// one of the same name in the folder that is the target.
func (m *match) replacesFile(e *effect) bool {
	t := m.c.locate(m.call, e)
	if m.c.in.Regular == nil || t.Class&rule.Unknown != 0 || m.call.away() {
		return false
	}
	if e.glob || e.word.Listed() && strings.ContainsAny(e.text, "*?[") { // "for f in ../x/*"
		abs, ok := m.c.absolute(m.call, e.text)
		if !ok || m.c.in.Names == nil {
			return ok
		}
		names, listed := m.c.in.Names(abs)
		return !listed || len(names) > 0
	}
	return m.c.in.Regular(t.Path) || m.intoFolder(e, t.Path, m.c.in.Regular)
}

// holdsUnsaved is true when nobody can tell and the file is there.
func (c *checker) holdsUnsaved(p string, pattern bool) bool {
	if c.in.Unsaved != nil {
		return c.in.Unsaved(p)
	}
	return c.in.Exists == nil || pattern || c.in.Exists(p)
}

// savedFile reports that a plain file goes, whose content Git holds: "rm -rf" of it is
// "rm" of it.
func (m *match) savedFile(e *effect) bool {
	c := m.c
	t := c.locate(m.call, e)
	if e.glob || !e.known || t.Class&rule.Inside == 0 || c.in.Regular == nil || c.in.Unsaved == nil {
		return false
	}
	return c.in.Regular(t.Path) && !c.in.Unsaved(t.Path)
}

// intoTemp reports that what is moved ends in a place for throw-away files.
func (m *match) intoTemp() bool {
	for i := range m.call.effects {
		e := &m.call.effects[i]
		if e.kind&rule.Write == 0 || e.redirect { // 2>/dev/null takes nothing of what is moved
			continue
		}
		// "/tmp" may hold the project as well, and is its parent folder first then; what
		// lies in a project there is not in a place for throw-away files.
		t := m.c.locate(m.call, e)
		if t.Class&(rule.Temp|rule.Drop) != 0 || t.Class&rule.Parent != 0 && m.c.set.isTemp(t.Path) || m.c.set.isTrash(t.Path) {
			return true
		}
	}
	return false
}
