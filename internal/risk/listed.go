package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What is in a file becomes the words of a call: rm $(cat list), xargs rm < list. A list that is there can be read.

// maxLists bounds how many of them are read for one call.
const maxLists = 8

// listTexts are the texts of the files whose lines become words of a call.
func (m *match) listTexts(e *effect) (texts []string) {
	c := m.c
	if e.known || c.in.Settings == nil {
		return nil
	}
	var seen []string
	m.eachList(e, func(p *call, w *shell.Word, text string) bool {
		abs, ok := c.absolute(p, text)
		if w.Kind != shell.Literal || !ok || len(seen) == maxLists || slices.Contains(seen, abs) || !c.spend(costSettings) {
			return false
		}
		seen = append(seen, abs)
		if text, there := c.in.Settings(abs); there {
			texts = append(texts, text)
		}
		return false
	})
	return texts
}

// eachList asks about the files whose lines become words of a call, with the program that reads each.
func (m *match) eachList(e *effect, is func(p *call, w *shell.Word, text string) bool) bool {
	c, k := m.c, m.call
	from := func(p *call) bool {
		for i := range p.effects {
			if r := &p.effects[i]; r.kind&rule.Read != 0 && r.known && is(p, r.word, r.text) {
				return true
			}
		}
		in := p.cmd.Stdin
		return in != nil && in.Op == "<" && is(p, &in.File, in.File.Text)
	}
	if m.lister(e, from) {
		return true
	}
	if fedByList(k) {
		for i := k.index - 1; i >= 0 && c.spend(1); i-- {
			if p := &c.calls[i]; p.cmd.Span == k.cmd.Span && !fedByList(p) {
				return from(p)
			}
		}
	}
	return false
}

// beyond are the places outside the project of which no snapshot is made.
const beyond = rule.Root | rule.Home | rule.System | rule.Parent | rule.Outside | rule.Other

// namedBeyond reports names that only the shell will know, and that lie outside the project or may: the file that they are read from says
// so or cannot be read, they are words of what prints them, or they are of places there.
func (m *match) namedBeyond(e *effect) bool {
	c, k := m.c, m.call
	if e.known || k.away() || e.word.Fresh() || e.word.Prefix() != "" {
		return false
	}
	out := func(p *call, text string) bool {
		abs, ok := c.absolute(p, text)
		return ok && c.spend(costPlace/2) && c.classify(abs, false)&beyond != 0
	}
	// "$(git rev-parse x || echo ../other)": where the first fails and says nothing, the line behind it is the whole name.
	for i := range e.word.Parts {
		if _, lines, more := strings.Cut(e.word.Parts[i].Text, "\n"); more && slices.ContainsFunc(strings.Split(lines, "\n"), func(line string) bool { return line != "" && out(k, line) }) {
			return true
		}
	}
	if holdsVariable(e.word, func(name string) bool { return c.set.In("variables-elsewhere", name) }) {
		return true
	}
	if m.lister(e, func(p *call) bool {
		if p.isOf(c.set, "lists-beyond") {
			return true
		}
		says := c.set.In("says-its-words", p.name)
		for i := range p.effects {
			if f := &p.effects[i]; !says && f.kind&rule.Look != 0 && f.known && c.locate(p, f).Class&beyond != 0 {
				return true
			}
		}
		return says && slices.ContainsFunc(p.operands, func(i int) bool {
			w := &p.cmd.Args[i]
			return w.Kind == shell.Literal && strings.ContainsAny(w.Text, "/.") && out(p, w.Text)
		})
	}) {
		return true
	}
	if c.in.Settings == nil {
		return false
	}
	return m.eachList(e, func(p *call, w *shell.Word, text string) bool {
		abs, ok := c.absolute(p, text)
		if w.Kind != shell.Literal || !ok || !c.set.In("text-filters", p.name) && !c.set.In("text-filters", p.raw) && !c.set.In("reads-into-variables", p.raw) || c.set.In("searches-text", p.name) && p.givenOf(c.set.members("options-listing-files")) || !c.spend(costSettings) {
			return false
		}
		list, there := c.in.Settings(abs)
		if !there {
			return !c.writtenBefore(p, abs)
		}
		if !c.spend(len(list) / scanBytes) {
			return true
		}
		for word := range strings.FieldsSeq(list) {
			word = strings.Trim(word[strings.IndexByte(word, '=')+1:], `"',`)
			if strings.HasPrefix(word, "~") || (strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "//") || strings.HasPrefix(word, "..")) && out(k, word) {
				return true
			}
		}
		return false
	})
}

// writtenBefore reports a file that a call before another one on the line writes: what will be in it is judged there.
func (c *checker) writtenBefore(k *call, abs string) bool {
	for i := range c.calls[:min(k.index, len(c.calls))] {
		p := &c.calls[i]
		for j := range p.effects {
			if w := &p.effects[j]; w.kind&(rule.Write|rule.Append) != 0 && c.spend(1) && c.locate(p, w).Path == abs {
				return true
			}
		}
	}
	return false
}

// inLists reports that one of them has the path of a file as a word, or with whole one of a folder that it is in.
func (m *match) inLists(texts []string, file string, whole bool) bool {
	c := m.c
	for _, text := range texts {
		if !c.spend(len(text) / scanBytes) {
			return false
		}
		base := path.Base(file)
		if !whole && !strings.Contains(text, base) {
			continue
		}
		for word := range strings.FieldsSeq(text) {
			if !c.spend(1) {
				return false
			}
			word = strings.Trim(word, `"'`)
			// Names that are compared first take no work.
			if end := path.Base(word); end != base && (!whole || !strings.Contains(file, "/"+end+"/")) {
				continue
			}
			if abs, ok := c.absolute(m.call, word); ok && (abs == file || whole && lies(file, abs)) {
				return true
			}
		}
	}
	return false
}

// listsOwn reports the guard's program, or a folder or file of its own, in such a list.
func (m *match) listsOwn(texts []string, whole bool) bool {
	all, _ := m.c.guarded()
	for _, own := range all {
		if m.inLists(texts, own, whole) {
			return m.comes(own, own, "is the guard's own, and is on the list")
		}
	}
	return false
}
