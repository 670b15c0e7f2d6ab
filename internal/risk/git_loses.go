package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// What Git does to settings in which the guard is registered, where it is told no commit: it brings them back as they are in HEAD or in
// the index, or takes them away. Only what would leave the guard uncalled is a reason to ask.

// staging is the index, as a name for SettingsAt.
const staging = ":"

// standing are settings of a work tree in which the guard is registered now.
type standing struct {
	dir, file     string // where git works; the file
	tracked       bool
	index, head   string // what these have, "" for nothing
	top           string
	added, stored bool // the line adds files, and commits them, before
}

// gitLeaves reports a call of Git after which such a file is another, or gone: after says what it is then, false if the call leaves it alone.
func (m *match) gitLeaves(after func(s *standing) (text string, changed bool)) bool {
	c, k := m.c, m.call
	if c.in.SettingsAt == nil || c.in.Settings == nil || k.away() {
		return false
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok || dir == "" {
		return false
	}
	top := c.repository(dir)
	for _, file := range c.settingsOf(top) {
		if !c.spend(costPlace) {
			return false
		}
		text, there := c.in.Settings(file)
		if !there || !mentionsGuard(text) || !c.spend(costSettings) || !m.isAbout(file, top) {
			continue
		}
		s := standing{dir: dir, file: file, top: top}
		s.added, s.stored = c.addedBefore(k, file)
		s.index, s.tracked = c.in.SettingsAt(dir, staging, file)
		s.head, _ = c.in.SettingsAt(dir, "HEAD", file)
		s.tracked = s.tracked || s.added && c.in.Ignored != nil && !c.in.Ignored(file)
		if s.stored && s.tracked {
			s.index, s.head = text, text
		}
		for _, s := range m.movedBefore(s) {
			then, changed := after(&s)
			if why := m.loses(file, then, true); changed && why != "" {
				return m.comes(file, strings.TrimPrefix(file, top+"/"), why+" then")
			}
		}
	}
	return false
}

// movedBefore is what HEAD and the index have when the call comes, as they are now or as earlier calls of the line leave them: git reset
// --soft old; git reset --hard.
func (m *match) movedBefore(now standing) []standing {
	c, k := m.c, m.call
	list := []standing{now}
	for i := range c.calls[:k.index] {
		p := &c.calls[i]
		if p.name != k.name || p.away() || len(list) >= maxBrought || !c.spend(1) {
			continue
		}
		by, next := match{c: c, call: p}, now
		switch {
		case p.sub("rm", nil) && p.given([]string{"--cached"}):
			if by.skip = 1; by.pathsCover(now.file) {
				next.index, next.tracked = "", false
				list = append(list, next)
			}
			continue
		case p.given([]string{"--orphan"}):
			next.head = ""
			list = append(list, next)
			continue
		}
		if _, moves := p.anySub(c.set.members("moves-head")); !moves {
			continue
		}
		if !c.spend(costPlace) {
			break
		}
		for _, revision := range by.revisions() {
			head, known := c.settingsAt(p, now.dir, revision, now.file)
			if !known || !c.spend(costSettings) {
				continue
			}
			next.head = head
			if p.unstages() && !p.given([]string{"--soft"}) {
				next.index, next.tracked = head, head != ""
			}
			list = append(list, next)
		}
	}
	return list
}

// settingsOf are the files of a work tree in which agents' hooks may be registered.
func (c *checker) settingsOf(top string) (files []string) {
	for i, base := range [...]string{top, c.in.Root, c.in.Dir} {
		if _, in := c.under(base, top); base == "" || !in && i > 0 {
			continue
		}
		for name := range c.set.words("registered-settings") {
			if p := c.cleaned(base + "/" + name); !slices.Contains(files, p) {
				files = append(files, p)
			}
		}
	}
	return files
}

// isAbout reports that a call changes a file of a work tree, as far as its words tell.
func (m *match) isAbout(file, top string) bool {
	if m.call.sub("sparse-checkout", nil) { // what it names stays
		return m.sparseTakes(file, top)
	}
	return m.pathsCover(file)
}

// pathsCover reports that a call is about a file, as far as its words tell: without any it is about all.
func (m *match) pathsCover(file string) bool {
	c, k := m.c, m.call
	if k.sub("stash save", nil) || k.sub("switch", nil) {
		return true // what stands there is a message, or a branch
	}
	some, covers := false, false
	for n := min(m.skip, len(k.operands)); n < len(k.operands); n++ {
		w := &k.cmd.Args[k.operands[n]]
		text := w.Text
		except := false
		for _, mark := range [...]string{":!", ":^", ":(exclude)"} {
			if rest, ok := strings.CutPrefix(text, mark); ok {
				text, except = rest, true
			}
		}
		some = some || !except
		abs, ok := c.absolute(k, text)
		_, below := c.under(file, abs)
		switch fit := !ok || w.Kind != shell.Literal || below || text == ":/" || strings.HasPrefix(text, ":(") || strings.ContainsAny(text, "*?[") && glob(abs, file); {
		case fit && except:
			return false
		case fit:
			covers = true
		}
	}
	return covers || !some
}

// namesCommit reports an operand that is a commit: rules about those have the word.
func (m *match) namesCommit(s *standing) bool {
	k := m.call
	for n := min(m.skip, len(k.operands)); n < len(k.operands) && (k.dashdash < 0 || n < k.dashdash); n++ {
		if _, known := m.c.in.SettingsAt(s.dir, k.operand(n), s.file); known && k.operand(n) != "" && k.operand(n) != "." {
			return true
		}
	}
	return false
}

// addedBefore reports that the line adds a file to the index before a call, and that it commits what was added, or all that is tracked.
func (c *checker) addedBefore(k *call, file string) (added, stored bool) {
	for i := range c.calls[:k.index] {
		p := &c.calls[i]
		if p.name != k.name || p.away() {
			continue
		}
		if p.sub("add", nil) || p.sub("stage", nil) {
			adds := match{c: c, call: p, skip: 1}
			added = added || adds.pathsCover(file)
		}
		stored = stored || p.sub("commit", nil) && (added || p.given([]string{"-a", "--all"}))
	}
	return added, stored
}

// bringsHead is for what leaves tracked files as HEAD has them.
func (m *match) bringsHead() bool {
	return m.gitLeaves(func(s *standing) (string, bool) { return s.head, s.tracked && !m.namesCommit(s) })
}

// bringsIndex is for what leaves them as the index has them, where the call says which.
func (m *match) bringsIndex() bool {
	if len(m.call.operands) <= m.skip && !m.call.givenOf(m.c.set.members("options-checking-out-all")) {
		return false
	}
	return m.gitLeaves(func(s *standing) (string, bool) { return s.index, s.tracked && s.index != "" && !m.namesCommit(s) })
}

// takesTracked is for what takes tracked files away.
func (m *match) takesTracked() bool {
	return m.gitLeaves(func(s *standing) (string, bool) { return "", s.tracked })
}

// takesUntracked is for what takes files away that Git does not know, and those that it ignores where it is told so.
func (m *match) takesUntracked() bool {
	k, c := m.call, m.c
	all, only := k.givenOf(c.set.members("options-with-ignored")), k.givenOf(c.set.members("options-ignored-alone"))
	return m.gitLeaves(func(s *standing) (string, bool) {
		if s.tracked || m.leavesOut(s) {
			return "", false
		}
		ignored := c.in.Ignored != nil && c.in.Ignored(s.file)
		return "", ignored && (all || only) || !ignored && !only
	})
}

// leavesOut reports an option of a call that keeps it from a file: git clean -e .claude.
func (m *match) leavesOut(s *standing) bool {
	for _, value := range m.excludes() {
		for part := range strings.SplitSeq(strings.TrimPrefix(s.file, s.top+"/"), "/") {
			if shellGlob(strings.Trim(value, "/*"), part) {
				return true
			}
		}
	}
	return false
}

// excludes are the patterns that a call leaves alone.
func (m *match) excludes() (list []string) {
	for i := range m.call.options {
		if o := &m.call.options[i]; o.has && (o.name == "-e" || o.name == "--exclude") {
			list = append(list, o.value)
		}
	}
	return list
}

// leavesNames are those of them that are plain names; none where one takes back what another says.
func (m *match) leavesNames() (names []string) {
	for _, value := range m.excludes() {
		switch {
		case strings.HasPrefix(value, "!"):
			return nil
		case value != "" && !strings.ContainsAny(value, "*?[\\$` "):
			names = append(names, value)
		}
	}
	return names
}

// addsGuard reports settings that Git ignores, and in which the guard is registered, put under Git: from then on a stash or another
// branch takes them away.
func (m *match) addsGuard() bool {
	c, k := m.c, m.call
	if c.in.Ignored == nil || c.in.Settings == nil || k.away() {
		return false
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok {
		return false
	}
	return slices.ContainsFunc(c.settingsOf(c.repository(dir)), func(file string) bool {
		if !c.spend(costSettings) {
			return false
		}
		text, there := c.in.Settings(file)
		if !there || !mentionsGuard(text) || !c.in.Ignored(file) || !m.pathsCover(file) {
			return false
		}
		m.targets = append(m.targets, Target{Path: file, Class: c.classify(file, false), Names: c.names(file, false)})
		return true
	})
}
