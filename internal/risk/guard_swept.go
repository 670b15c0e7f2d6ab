package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Settings in which the guard is registered may be among files whose names no line says. What it does to them decides: only where they
// would be gone, or edited just where the guard stands, and no others register it, is anybody asked.

// sweepsGuard reports names that the line finds by a pattern, a search or a listing, and that have settings in which the guard is
// registered among them: gone, or changed just there.
func (m *match) sweepsGuard(e *effect) bool {
	c, k := m.c, m.call
	if k.away() || e.known && !e.glob || e.word.Fresh() || c.in.Settings == nil {
		return false
	}
	const takes = rule.Delete | rule.DeleteTree | rule.Move
	if e.kind&takes == 0 && !m.dropsRegistration(e) {
		return false
	}
	t := c.locate(k, e)
	search, whole := m.searcher(e), e.kind&(rule.DeleteTree|rule.Move) != 0
	lists := m.listTexts(e)
	if m.listsOwn(lists, whole) {
		return true
	}
	return c.registeredFile(func(file, _ string) bool {
		if !c.spend(costPlace + len(k.cmd.Args)/4) {
			return false
		}
		switch {
		case m.inLists(lists, file, whole):
		case search != nil:
			if !c.findsIn(search, file, whole, true) {
				return false
			}
		case e.known || !strings.Contains(e.text, "…") && strings.ContainsAny(t.Pattern, "*?["):
			if !c.patternTakes(t.Pattern, file, whole) {
				return false
			}
		case searchedBelow(e.text):
			_, below := c.under(file, t.Path)
			if !below || !fits(path.Base(e.text), path.Base(file)) || e.kind&takes == 0 && c.readsBack(e.text) {
				return false
			}
		case !m.listsFile(e, file):
			return false
		}
		text, there := c.in.Settings(file)
		if !there || e.kind&takes == 0 && !m.edits(text) || m.loses(file, "", true) == "" {
			return false
		}
		return m.comes(file, strings.TrimPrefix(strings.TrimPrefix(file, c.in.Root+"/"), c.in.Home+"/"), "registers the guard, and is among what is found")
	})
}

// readsBack reports names that the line also reads, without a word of the guard or its hooks: what a program makes of a file as it is goes on
// to register the guard.
func (c *checker) readsBack(text string) bool {
	return !takesAway(c.in.Command) && slices.ContainsFunc(c.calls, func(one call) bool {
		return slices.ContainsFunc(one.effects, func(e effect) bool { return e.kind&rule.Read != 0 && e.text == text })
	})
}

// patternTakes reports that a pattern picks a file, or with whole a folder that it is in. "**" stands for folders whose names begin with no dot.
func (c *checker) patternTakes(pattern, file string, whole bool) bool {
	hidden := c.showsHidden()
	if before, after, deep := strings.Cut(pattern, "/**/"); deep {
		rest, below := c.under(file, before)
		return below && (hidden || rest != "" && rest[0] != '.') && fitsWith(after[strings.LastIndexByte(after, '/')+1:], path.Base(file), hidden)
	}
	return fitsWith(pattern, file, hidden) && (whole || strings.Count(pattern, "/") == strings.Count(file, "/"))
}

// showsHidden reports a line that has wildcards fit what begins with a dot.
func (c *checker) showsHidden() bool {
	return c.dotLine.says(c, c.in.Command, c.set.members("shows-hidden"))
}

// listsFile reports that programs whose output names what a call is about print the name of a file.
func (m *match) listsFile(e *effect, file string) (listed bool) {
	c := m.c
	text, _ := c.in.Settings(file)
	return m.lister(e, func(p *call) bool {
		if !c.spend(costPlace) || c.filtered(p, file) {
			return false
		}
		switch {
		case c.set.In("searches-text", p.name):
			return p.givenOf(c.set.members("options-listing-files")) && p.givenOf(c.set.members("options-searching-hidden")) &&
				(mayHave(text, c.expression(p)) || p.givenOf(c.set.members("options-inverting"))) && c.startsAbove(p, 1, file)
		case p.sub("ls-files", nil):
			if dir, ok := c.absolute(p, p.folder()); ok && !lies(file, c.repository(dir)) {
				return false // Git lists what lies in its work tree
			}
			ignored := c.in.Ignored != nil && c.in.Ignored(file)
			others, only := p.given([]string{"-o", "--others"}), p.given([]string{"-i", "--ignored"})
			all := !p.given([]string{"--exclude-standard"})
			if !others || p.given([]string{"-c", "--cached"}) {
				return !p.givenOf(c.set.members("options-listing-changes")) && c.tracks(p, file) && c.coversTracked(p, 1, file)
			}
			return (ignored && (only || all) || !ignored && !only && c.in.Unsaved != nil && c.in.Unsaved(file)) && c.startsAbove(p, 1, file)
		case p.sub("ls-tree", nil):
			return p.given([]string{"--name-only"}) && p.given([]string{"-r"}) && c.tracks(p, file) && c.coversTracked(p, 2, file)
		}
		return slices.ContainsFunc(p.operands, func(i int) bool {
			w := &p.cmd.Args[i]
			abs, ok := c.absolute(p, w.Text)
			return w.Glob && ok && fitsWith(abs, file, c.showsHidden())
		})
	})
}

// tracks reports a file that Git's index has, for a call of git.
func (c *checker) tracks(p *call, file string) bool {
	dir, ok := c.absolute(p, p.folder())
	return ok && c.in.SettingsAt != nil && c.inIndex(dir, file)
}

// coversTracked is startsAbove for the pathspecs of git, whose wildcards stand for any number of folders.
func (c *checker) coversTracked(p *call, from int, file string) bool {
	if c.startsAbove(p, from, file) {
		return true
	}
	return slices.ContainsFunc(p.operands[min(from, len(p.operands)):], func(i int) bool {
		abs, ok := c.absolute(p, p.cmd.Args[i].Text)
		return ok && c.spend(len(abs)) && glob(abs, file)
	})
}

// filtered reports that a search behind a call takes the name of a file out of what that prints.
func (c *checker) filtered(p *call, file string) bool {
	for n := 0; len(p.cmd.PipeTo) > 0 && n < maxLed; n++ {
		next := p.cmd.PipeTo[0]
		if next <= p.index || next >= len(c.calls) {
			break
		}
		p = &c.calls[next]
		if c.set.In("searches-text", p.name) && mayHave(file, c.expression(p)) == p.given([]string{"-v", "--invert-match"}) {
			return true
		}
	}
	return false
}

// expression is what a search for text looks for.
func (c *checker) expression(p *call) string {
	for i := range p.options {
		if o := &p.options[i]; o.has && c.set.In("options-of-pattern", o.name) {
			return o.value
		}
	}
	if len(p.operands) == 0 {
		return ""
	}
	return p.operand(0)
}

// startsAbove reports that one of a call's operands from a number on is a folder in which a file lies, or that it has none.
func (c *checker) startsAbove(p *call, from int, file string) bool {
	if len(p.operands) <= from {
		return true
	}
	return slices.ContainsFunc(p.operands[from:], func(i int) bool {
		abs, ok := c.absolute(p, p.cmd.Args[i].Text)
		_, below := c.under(file, abs)
		return !ok || below || p.cmd.Args[i].Glob && fitsWith(abs, file, c.showsHidden())
	})
}

// edits reports words of an edit that are about the guard's registration as a file has it. "s/x/y/" of a text that the file has not is none.
func (m *match) edits(text string) bool {
	told := false
	for i := 1; i < len(m.call.cmd.Args); i++ {
		w := &m.call.cmd.Args[i]
		if !takesAway(w.Text) {
			continue
		}
		told = true
		if len(w.Text) < 4 || w.Text[0] != 's' || strings.ContainsAny(w.Text[1:2], `abcdefghijklmnopqrstuvwxyz.-_/\ `) && w.Text[1] != '/' {
			return true
		}
		what, _, _ := strings.Cut(w.Text[2:], w.Text[1:2])
		if mayHave(text, what) {
			return true
		}
	}
	return !told
}

// mayHave reports that an expression may find something in a text: one of its alternatives has no word, or the longest is there.
func mayHave(text, pattern string) bool {
	for one := range strings.SplitSeq(strings.ReplaceAll(pattern, `\|`, "|"), "|") {
		longest := ""
		for _, word := range strings.FieldsFunc(one, func(r rune) bool { return strings.ContainsRune(`\^$.*+?()[]{}`, r) }) {
			if len(word) > len(longest) {
				longest = word
			}
		}
		if strings.Contains(strings.ToLower(text), strings.ToLower(longest)) {
			return true
		}
	}
	return false
}

// findsCaches reports a search that picks by a name alone which only what programs make again has: find ~/.m2 -name '*.lastUpdated' -delete.
func (m *match) findsCaches() bool {
	c, k := m.c, m.call
	found := false
	for i := range k.options {
		o := &k.options[i]
		switch {
		case c.set.In("find-by-name", o.name):
			if c.names(strings.ReplaceAll(o.value, "*", "x"), false)&rule.Cache == 0 {
				return false
			}
			found = true
		case c.set.In("find-or", o.name):
			return false
		}
	}
	return found && !slices.ContainsFunc(k.operands, func(i int) bool { return c.set.In("find-or", k.cmd.Args[i].Text) })
}
