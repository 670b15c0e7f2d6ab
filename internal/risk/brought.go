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
		return c.offLine.says(c, c.in.Command, c.set.members("names-hooks-off")...) && m.comes(file, from, "may switch hooks off")
	}
	why := m.loses(file, text, true)
	return why != "" && m.comes(file, from, why)
}

// unpacksSettings reports an archive that has settings of an agent for the place where it is unpacked, or a folder that another program packs
// and that has some with which the guard would not be called.
func (m *match) unpacksSettings(e *effect) bool {
	c, k := m.c, m.call
	t := c.locate(k, e)
	if k.away() || !e.known || t.Class&(rule.Unknown|rule.Temp) != 0 {
		return false
	}
	places := c.settingsOf(c.in.Root)
	if c.in.Holds != nil {
		names, _ := m.brought(e, false)
		for _, name := range names {
			if file := path.Join(t.Path, name); c.spend(1) && slices.Contains(places, file) {
				return m.comes(file, name, "is in the archive")
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
		if name := c.patchedOff(text); there && name != "" {
			return m.comes(c.cleaned(c.in.Root+"/"+name), p, "switches hooks off, or the guard")
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
	added, _ := c.addedBefore(k)
	whole := k.sub("switch", nil) || k.sub("checkout", nil) || k.sub("reset", nil) || k.sub("restore", nil) || k.sub("read-tree", nil) || k.sub("bisect", nil)
	for _, revision := range m.revisions() {
		for _, file := range files {
			if !c.spend(costSettings) {
				return false
			}
			text, ok := c.in.SettingsAt(dir, revision, file)
			if !ok {
				break // no commit is called so
			}
			replaces := whole
			if text == "" && whole {
				// What Git does not know stays.
				tracked, _ := c.in.SettingsAt(dir, "HEAD", file)
				replaces = tracked != "" || added && (c.in.Ignored == nil || !c.in.Ignored(file)) || c.inIndex(dir, file)
			}
			if other, ok := m.introduces(revision); ok && !replaces { // what is taken back, or brought, takes it away
				before, _ := c.in.SettingsAt(dir, other, file)
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
	return list
}
