package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Settings of agents that no call writes by their name: they come with a folder, a link, a patch or a commit. What comes is read, and
// only what would switch hooks off, or leave the guard uncalled, is a reason to ask.

// costSettings is what it takes to read a file of settings, beside the account of the disk.
const costSettings = 2 * costPlace

// maxBrought bounds the pairs of places, and the revisions, of one call that are looked at.
const maxBrought = 64

// loses reports that the guard would not be called any more with text in a file of settings, and why.
func (m *match) loses(file, text string, replaces bool) string {
	c := m.c
	now, _ := c.in.Settings(file)
	if text == now {
		return ""
	}
	if why := c.offBy(file, text, now); why != "" {
		return why
	}
	switch {
	case !replaces || !mentionsGuard(now) || mentionsGuard(text):
		return ""
	}
	// Another file of the same agent may register it, too.
	dir := path.Base(path.Dir(file))
	if c.registeredFile(func(p, _ string) bool { return p != file && path.Base(path.Dir(p)) == dir }) {
		return ""
	}
	return "does not register the guard"
}

// comes notes a file of settings in which something comes that takes the guard away.
func (m *match) comes(file, from, why string) bool {
	m.targets = append(m.targets, Target{Path: file, Class: m.c.classify(file, false), Names: m.c.names(file, false)})
	m.detail = from + " " + why
	return true
}

// copiesOff reports a copy, move or link by which such settings get to where an agent reads them: a whole folder, or a file.
func (m *match) copiesOff() bool {
	c, k := m.c, m.call
	if k.away() {
		return false
	}
	words := slices.Clone(k.operands)
	for i := range k.options {
		if o := &k.options[i]; o.has && !k.global(o) {
			words = append(words, o.word)
		}
	}
	for at, to := range words {
		w := &k.cmd.Args[to]
		text := w.Text
		if i := strings.IndexByte(text, '='); i > 0 && text[0] == '-' {
			text = text[i+1:]
		}
		dir, ok := c.absolute(k, text)
		if w.Kind != shell.Literal || !ok || !c.spend(costPlace) || c.classify(dir, false)&rule.Temp != 0 {
			continue
		}
		// What is named on the way counts, as far as an agent reads there.
		agents := c.names(dir, false)&rule.AgentDir != 0
		if !agents && dir != c.in.Home && dir != c.in.Root && dir != c.in.Dir {
			continue
		}
		for n, from := range words {
			// What is copied stands before its place, unless an option names that.
			if from == to || n >= maxBrought || at < len(k.operands) && n > at && !c.set.In("names-place-first", k.name) {
				continue
			}
			if m.bringsFolder(&k.cmd.Args[from], dir, agents) {
				return true
			}
		}
	}
	return false
}

// bringsFolder is copiesOff for one source, and a folder that it may become, or get into: an agent's, or one that holds such.
func (m *match) bringsFolder(w *shell.Word, dir string, agents bool) bool {
	c, k := m.c, m.call
	base := path.Base(strings.TrimRight(w.Text, "/"))
	if !c.spend(costPlace) {
		return false
	}
	if w.Kind != shell.Literal && !w.Glob {
		return false // settings that come in such a way are looked at when they are there
	}
	from, ok := c.absolute(k, w.Text)
	if !ok {
		return false
	}
	sources := []string{from}
	if k.name == "ln" && !strings.HasPrefix(w.Text, "/") {
		sources = append(sources, c.cleaned(path.Dir(dir)+"/"+w.Text), c.cleaned(dir+"/"+w.Text)) // by where the link is
	}
	pattern := ""
	if strings.ContainsAny(base, "*?[") {
		pattern, sources = base, []string{path.Dir(from)}
	}
	for _, source := range sources {
		if source == dir {
			continue
		}
		if agents {
			for name := range c.set.words("registers-hooks") {
				if pattern != "" && !picks(pattern, name) {
					continue
				}
				if base == name && m.brings(source, dir+"/"+name) || m.brings(source+"/"+name, dir+"/"+name) {
					return true
				}
			}
			continue
		}
		for name := range c.set.words("registered-settings") {
			top, rest, _ := strings.Cut(name, "/")
			if pattern == "" && top == base && m.brings(source+"/"+rest, dir+"/"+name) || (pattern == "" || picks(pattern, top)) && m.brings(source+"/"+name, dir+"/"+name) {
				return true
			}
		}
	}
	return false
}

// brings reports that a file that is to be copied takes the guard away where it gets.
func (m *match) brings(from, file string) bool {
	c := m.c
	if c.in.Settings == nil || !c.spend(costSettings) || c.names(file, false)&rule.Agent == 0 {
		return false
	}
	text, there := c.in.Settings(from)
	if !there {
		// Made by the line itself, perhaps.
		return c.offLine.says(c, c.in.Command, c.set.members("names-hooks-off")) && m.comes(file, from, "may switch hooks off")
	}
	why := m.loses(file, text, true)
	return why != "" && m.comes(file, from, why)
}

// unpacksSettings reports an archive that has settings of an agent for the place where it is unpacked, or a folder that another program packs
// and that has some with which the guard would not be called.
func (m *match) unpacksSettings(e *effect) bool {
	c, k := m.c, m.call
	asks := e.kind&rule.WriteTree == 0 // before it replaces a file
	if asks && !c.set.In("asks-before-replacing", k.name) {
		return false
	}
	t := c.locate(k, e)
	if k.away() || !e.known || t.Class&(rule.Unknown|rule.Temp) != 0 {
		return false
	}
	places := c.settingsOf(c.in.Root)
	if asks && c.in.Exists != nil {
		places = slices.DeleteFunc(places, func(file string) bool { return !c.spend(costPlace) || c.in.Exists(file) })
	}
	if c.in.Holds != nil {
		names, unread, _ := m.brought(e, false)
		for _, name := range names {
			if file := path.Join(t.Path, name); c.spend(1) && slices.Contains(places, file) {
				return m.comes(file, name, "is in the archive")
			}
		}
		if unread != "" && c.set.In("unpacks-archives", k.name) { // a patch is no archive
			for _, file := range places {
				if rest, below := c.under(file, t.Path); below && c.spend(1) && m.unpacks(rest) {
					return m.comes(file, path.Base(unread), "cannot be looked into, and may have that file")
				}
			}
		}
	}
	for _, i := range k.cmd.PipeFrom {
		if i < 0 || i >= len(c.calls) {
			continue
		}
		p, in := &c.calls[i], ""
		for j := range p.options {
			if o := &p.options[j]; o.has && c.set.In("options-entering", o.name) {
				in = o.value + "/"
			}
		}
		for j := range min(len(p.operands), maxSources) { // find x | cpio -p y
			if dir, ok := c.absolute(p, p.operand(j)); p.finds() && ok && m.bringsAll(dir, t.Path, places) {
				return true
			}
		}
		for j := range p.effects {
			from := &p.effects[j]
			if dir, ok := c.absolute(p, in+from.text); ok && from.kind&rule.Read != 0 && from.known && m.bringsAll(dir, t.Path, places) {
				return true
			}
		}
	}
	return false
}

// bringsAll is brings for all settings of a folder, in the places that they get to in another.
func (m *match) bringsAll(from, to string, places []string) bool {
	return slices.ContainsFunc(places, func(file string) bool {
		rest, below := m.c.under(file, to)
		if !below || m.c.in.Settings == nil || !m.c.spend(costSettings) {
			return false
		}
		_, there := m.c.in.Settings(from + "/" + rest)
		return there && m.brings(from+"/"+rest, file)
	})
}

// patchesOff reports a patch that writes a setting which switches hooks off into a file of an agent's.
func (m *match) patchesOff() bool {
	c, k := m.c, m.call
	if c.in.Settings == nil || k.away() {
		return false
	}
	reads := func(w *shell.Word) bool {
		p, ok := c.absolute(k, w.Text)
		if w.Kind != shell.Literal || !ok || !c.spend(costSettings) {
			return false
		}
		text, there := c.in.Settings(p)
		if m.reverses() {
			text = reversed(text)
		}
		if name := c.patchedOff(text); there && name != "" {
			return m.comes(c.cleaned(c.in.Root+"/"+name), p, "switches hooks off, or takes the guard out")
		}
		return false
	}
	for n, i := range k.operands {
		if n < maxBrought && reads(&k.cmd.Args[i]) {
			return true
		}
	}
	for i := range k.options {
		if o := &k.options[i]; o.has && (o.name == "-i" || o.name == "--input") && reads(&k.cmd.Args[o.word]) {
			return true
		}
	}
	for i := range k.cmd.Redirects {
		if r := &k.cmd.Redirects[i]; r.Op == "<" && reads(&r.Target) {
			return true
		}
	}
	return c.upstream(k, make([]bool, len(c.calls)), func(p *call) bool {
		for i := range p.effects {
			if from := &p.effects[i]; from.kind&rule.Read != 0 && from.known && from.word.Kind == shell.Literal && reads(from.word) {
				return true
			}
		}
		return m.patchOf(p)
	})
}

// patchOf reports a call of git that prints the change of a commit, or between two, by which such settings come or go.
func (m *match) patchOf(p *call) bool {
	c := m.c
	dir, ok := c.absolute(p, p.folder())
	if _, prints := p.anySub(c.set.members("prints-changes")); !prints || !ok || c.in.SettingsAt == nil {
		return false
	}
	printed := match{c: c, call: p}
	revisions := printed.revisions()
	back, between := m.reverses() != p.given([]string{"-R"}), p.sub("diff", nil)
	for n, revision := range revisions {
		before := revision + "^"
		switch {
		case n > 0 && between && back:
			revision, before = revisions[n-1], revision
		case n > 0 && between:
			before = revisions[n-1]
		case back && between && len(revisions) > 1: // the next one has it
			continue
		case back && between: // the change from there to the files as they are
			before = "HEAD"
		case back:
			revision, before = before, revision
		}
		for _, file := range c.settingsOf(c.repository(dir)) {
			if !c.spend(costSettings) {
				return false
			}
			text, known := c.in.SettingsAt(dir, revision, file)
			if !known {
				break
			}
			if m.loses(file, text, true) == "" {
				continue
			}
			was, _ := c.in.SettingsAt(dir, before, file)
			if why := m.loses(file, text, mentionsGuard(was)); was != text && why != "" {
				return m.comes(file, "the change of "+revision, why)
			}
		}
	}
	return false
}

// unstages reports a reset that leaves the files alone.
func (k *call) unstages() bool {
	return k.sub("reset", nil) && !k.given([]string{"--hard", "--merge", "--keep"})
}

// commitOff reports a call of git that brings such settings from a commit, a branch or the stash.
func (m *match) commitOff() bool {
	c, k := m.c, m.call
	if c.in.SettingsAt == nil || k.away() {
		return false
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok || k.unstages() {
		return false
	}
	top := c.repository(dir)
	files := c.settingsOf(top)
	specs := m.onlyPaths()
	if len(specs) > 0 {
		files = slices.DeleteFunc(files, func(p string) bool {
			return !slices.ContainsFunc(specs, func(spec string) bool {
				_, below := c.under(p, spec)
				return below || strings.ContainsAny(spec, "*?[:")
			})
		})
	}
	// These leave nothing of what was there; others add the changes of a commit to it.
	whole := k.sub("switch", nil) || k.sub("checkout", nil) || k.sub("reset", nil) || k.sub("restore", nil) || k.sub("read-tree", nil) || k.sub("bisect", nil)
	if len(files) == 0 {
		return false
	}
	for _, revision := range m.namedBefore(dir, files[0], m.revisions()) {
		for _, file := range files {
			if !c.spend(costSettings) {
				return false
			}
			text, ok := c.settingsAt(k, dir, revision, file)
			if !ok {
				break // no commit is called so
			}
			replaces := whole
			added, stored := c.addedBefore(k, file)
			if stored && k.sub("revert", nil) && strings.HasPrefix(revision, "HEAD") { // the commit of the line: what was there before is what is in HEAD now
				text, _ = c.in.SettingsAt(dir, "HEAD", file)
				replaces = added && (c.in.Ignored == nil || !c.in.Ignored(file)) || c.inIndex(dir, file)
			}
			if text == "" && whole {
				// What Git does not know stays.
				tracked, _ := c.in.SettingsAt(dir, "HEAD", file)
				replaces = tracked != "" || added && (c.in.Ignored == nil || !c.in.Ignored(file)) || c.inIndex(dir, file)
			}
			// What is taken back, or brought, takes it away. Only where it would is it asked which change that is.
			if other, ok := m.introduces(revision); ok && !replaces && m.loses(file, text, true) != "" {
				before, _ := c.settingsAt(k, dir, other, file)
				replaces = mentionsGuard(before)
			}
			if why := m.loses(file, text, replaces); why != "" {
				name := strings.TrimPrefix(file, top+"/")
				if text == "" {
					return m.comes(file, name, "is not in "+revision+", and registers the guard here")
				}
				return m.comes(file, name+" of "+revision, why)
			}
		}
	}
	return false
}

// introduces names the other side of the one change that a call makes with a commit.
func (m *match) introduces(revision string) (other string, ok bool) {
	switch k := m.call; {
	case k.sub("revert", nil):
		return strings.TrimSuffix(revision, "^"), true
	case k.sub("cherry-pick", nil):
		return revision + "^", true
	case k.sub("rebase", nil) && len(k.operands) > 1 && k.given([]string{"--onto=" + revision}):
		return k.operand(1), true // what stands before it there
	case k.sub("merge", nil), k.sub("rebase", nil), k.sub("pull", nil):
		return "HEAD..." + revision, true
	}
	return "", false
}

// inIndex reports a file of settings that Git's index has.
func (c *checker) inIndex(dir, file string) bool {
	_, known := c.in.SettingsAt(dir, staging, file)
	return known
}

// onlyPaths are the absolute paths behind "--", to which a call of git keeps.
func (m *match) onlyPaths() (list []string) {
	c, k := m.c, m.call
	if k.dashdash < 0 || k.dashdash > len(k.operands) {
		return nil
	}
	for _, i := range k.operands[k.dashdash:] {
		if w := &k.cmd.Args[i]; w.Kind == shell.Literal && !strings.HasPrefix(w.Text, ":") {
			if p, ok := c.absolute(k, w.Text); ok {
				list = append(list, p)
				continue
			}
		}
		return nil // anything
	}
	return list
}

// revisions are the words of a call of git that may name a commit.
func (m *match) revisions() (list []string) {
	k := m.call
	add := func(text string) {
		if len(list) < maxBrought && text != "" && len(text) < 256 && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if k.sub("stash", nil) {
		entry := "stash@{0}"
		for _, i := range k.operands[min(2, len(k.operands)):] {
			if entry = k.cmd.Args[i].Text; strings.Trim(entry, "0123456789") == "" {
				entry = "stash@{" + entry + "}"
			}
		}
		add(entry)
		add(entry + "^3") // what was not tracked
		return list
	}
	end := len(k.operands)
	if k.dashdash >= 0 {
		end = min(end, k.dashdash)
	}
	after := ""
	if k.sub("revert", nil) {
		after = "^"
	}
	one := func(w *shell.Word, text string) {
		if w.Kind != shell.Literal {
			return
		}
		for part := range strings.SplitSeq(text, "..") {
			if part = strings.Trim(part, "."); part != "" {
				add(part + after)
			}
		}
	}
	for _, i := range k.operands[min(1, end):end] {
		one(&k.cmd.Args[i], k.cmd.Args[i].Text)
	}
	for i := range k.options {
		if o := &k.options[i]; o.has && !k.global(o) {
			one(&k.cmd.Args[o.word], o.value)
		}
	}
	if k.sub("pull", nil) || k.sub("rebase", nil) || k.sub("merge", nil) {
		add("@{upstream}")
	}
	if k.sub("pull", nil) && len(k.operands) > 2 {
		branch, _, _ := strings.Cut(strings.TrimPrefix(k.operand(2), "+"), ":")
		add(k.operand(1) + "/" + branch)
	}
	return list
}

// fetchedHead is the name of what a fetch has brought.
const fetchedHead = "FETCH_HEAD"

// namedBefore adds to revisions what earlier calls of the line make of names in them that are not there yet: git tag v1 old; git merge v1.
func (m *match) namedBefore(dir, file string, list []string) []string {
	c, k := m.c, m.call
	for _, name := range list {
		if _, known := c.in.SettingsAt(dir, name, file); known && name != fetchedHead {
			continue
		}
		for i := range c.calls[:k.index] {
			p := &c.calls[i]
			fetched := p.sub("fetch", nil)
			if p.name != k.name || p.away() || len(list) >= maxBrought || !c.spend(costPlace) {
				continue
			}
			made := match{c: c, call: p}
			words := made.revisions()
			for n, word := range words {
				if from, to, both := strings.Cut(word, ":"); both {
					words[n] = strings.TrimPrefix(from, "+")
					words = append(words, to)
				}
			}
			if !slices.Contains(words, name) && !(fetched && name == fetchedHead) {
				continue
			}
			if fetched && len(p.operands) > 1 {
				for _, word := range words {
					words = append(words, p.operand(1)+"/"+word)
				}
			}
			for _, word := range words {
				if !slices.Contains(list, word) && len(list) < maxBrought {
					list = append(list, word)
				}
			}
		}
	}
	return list
}

// reverses reports that a patch is taken back.
func (m *match) reverses() bool { return m.call.given([]string{"-R", "--reverse"}) }

// reversed is a patch with what it adds and takes away swapped, as far as patchedOff reads it.
func reversed(text string) string {
	swap := strings.NewReplacer("\n+++ ", "\n+++ ", "\n--- ", "\n--- ", "\n+", "\n-", "\n-", "\n+", "\n>", "\n<", "\n<", "\n>", "\nnew file ", "\ndeleted file ", "\ndeleted file ", "\nnew file ")
	return swap.Replace(text)
}
