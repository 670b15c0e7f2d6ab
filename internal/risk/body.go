package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// The body of a request is what a service is called with, and is kept in a file where it is long: curl -d @query.json https://api.… What is in
// such a file tells whether it may go.

// requestBody reports such a file: it is named as data for a service, can be read, holds no secret, and is no data of the project that is kept out of Git.
func (m *match) requestBody(e *effect) bool {
	return !m.call.givenOf(m.c.set.members("options-sending-files")) && m.c.plainBody(m.call, e)
}

// plainBody is requestBody for a file that a call reads or sends. What the line itself has put there is looked at as it is written.
func (c *checker) plainBody(k *call, e *effect) bool {
	if !e.known || k.away() || c.in.Settings == nil {
		return false
	}
	abs := c.locate(k, e).Path
	if !c.set.members("request-bodies").Meets(func(name string) bool { return glob(name, strings.ToLower(path.Base(abs))) }) {
		return false
	}
	for i := k.index - 1; i >= 0; i-- {
		p := &c.calls[i]
		if slices.ContainsFunc(p.effects, func(w effect) bool { return w.kind&(rule.Write|rule.Append) != 0 && c.locate(p, &w).Path == abs }) {
			texts := (&match{c: c, call: p}).writtenTexts()
			return len(texts) > 0 && !slices.ContainsFunc(texts, func(text string) bool { return !c.spend(1+len(text)/textBytes) || c.set.Holds(text) })
		}
	}
	_, there := c.in.Settings(abs)
	return there && !c.keepsSecret(abs) && !c.keptData(abs)
}

// keptData reports a file among the project's data that Git ignores: it is not meant for others.
func (c *checker) keptData(abs string) bool {
	return c.in.Ignored != nil && (c.holdsData(c.rel(abs)) || c.holdsRecords(abs)) && c.in.Ignored(abs)
}

// holdsRecords reports a file that is called as what a project keeps of people and trade: customers.json, orders-2024.xml.
func (c *checker) holdsRecords(abs string) bool {
	name, _, _ := strings.Cut(strings.ToLower(path.Base(abs)), ".")
	return slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), func(word string) bool { return c.set.In("names-of-records", word) })
}

// pipesBody reports that all that flows into a call is such a file, be it as a filter of text leaves it.
func (m *match) pipesBody() bool {
	c, from := m.c, m.call.cmd.PipeFrom
	return len(from) > 0 && !slices.ContainsFunc(from, func(i int) bool {
		p := &c.calls[i]
		return !c.set.In("text-filters", p.raw) || len(p.cmd.PipeFrom) > 0 || len(p.effects) == 0 ||
			slices.ContainsFunc(p.effects, func(e effect) bool { return e.kind&rule.Read == 0 || !c.plainBody(p, &e) })
	})
}
