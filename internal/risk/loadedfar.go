package risk

import (
	"path"

	"github.com/modu-ai/moai/internal/rule"
)

// loadsProduction reports a call whose variables the line has read from a file of production's: export $(cat .env.production | xargs). What such a
// file says of where the database is decides, and its name where it says nothing.
func (m *match) loadsProduction() bool {
	c, k := m.c, m.call
	if _, loads := c.loads(k); !loads || k.away() {
		return false
	}
	for _, l := range c.loaders {
		if own := l.at == k.index && l.inner; !own && (l.at >= k.index || l.inner && (len(k.cmd.Via) == 0 || !surrounds(l.from, k))) {
			continue
		}
		for _, file := range c.loadedFiles(&l) {
			if c.leadsFar(file) {
				return true
			}
		}
	}
	return false
}

// surrounds reports a call that another one runs.
func surrounds(outer, inner *call) bool {
	return outer.cmd.Span[0] <= inner.cmd.Span[0] && inner.cmd.Span[1] <= outer.cmd.Span[1]
}

// loadedFiles lists the files that a loader reads.
func (c *checker) loadedFiles(l *loader) (files []string) {
	if l.file != "" {
		return []string{l.file}
	}
	seen := make([]bool, len(c.calls))
	add := func(p *call) bool {
		for i := range p.effects {
			e := &p.effects[i]
			if t := c.locate(p, e); e.kind&rule.Read != 0 && t.Names&rule.Secret != 0 {
				files = append(files, t.Path)
			}
		}
		return false
	}
	from := func(p *call) bool { return add(p) || c.upstream(p, seen, add) }
	_ = c.wordsFrom(l.from, from) || c.assignsFrom(l.from, from)
	return files
}

// leadsFar reports a file of variables whose database is on another machine, or that is called as production's and names no database.
func (c *checker) leadsFar(file string) bool {
	if c.in.Settings == nil || !c.spend(costSettings) {
		return false
	}
	text, _ := c.in.Settings(file)
	if len(text) > maxLooked || !c.spend(len(text)/textBytes) {
		return false
	}
	named := false
	far := assignsIn(text, func(name, value string) bool {
		leads := c.set.In("leads-to-database", name) && value != ""
		named = named || leads
		return leads && !c.set.addressHere(value)
	})
	return far || !named && productionWord(path.Base(file))
}
