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
	c, k := m.c, m.call
	if e.known || c.in.Settings == nil {
		return nil
	}
	var seen []string
	read := func(p *call, w *shell.Word, text string) {
		abs, ok := c.absolute(p, text)
		if w.Kind != shell.Literal || !ok || len(seen) == maxLists || slices.Contains(seen, abs) || !c.spend(costSettings) {
			return
		}
		seen = append(seen, abs)
		if text, there := c.in.Settings(abs); there {
			texts = append(texts, text)
		}
	}
	from := func(p *call) bool {
		for i := range p.effects {
			if r := &p.effects[i]; r.kind&rule.Read != 0 && r.known {
				read(p, r.word, r.text)
			}
		}
		if in := p.cmd.Stdin; in != nil && in.Op == "<" {
			read(p, &in.File, in.File.Text)
		}
		return false
	}
	m.lister(e, from)
	if fedByList(k) {
		for i := k.index - 1; i >= 0 && c.spend(1); i-- {
			if p := &c.calls[i]; p.cmd.Span == k.cmd.Span && !fedByList(p) {
				from(p)
				break
			}
		}
	}
	return texts
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
