package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// putIn lists what calls before k put into a folder, by names below it: "mkdir -p x && echo n > x/a && cp -r x/. data" replaces data/a. known is
// false where one copies or unpacks there what only its run tells.
func (c *checker) putIn(k *call, dir string) (names []string, known bool) {
	if !c.spend(1 + k.index/costCalls) {
		return nil, false
	}
	base := path.Base(dir)
	for i := range c.calls[:k.index] {
		one := &c.calls[i]
		for j := range one.effects {
			e := &one.effects[j]
			if e.kind&(rule.Write|rule.Append|rule.WriteTree) == 0 {
				continue
			}
			// Where it lies is looked at only where one name may be a part of the other.
			if !strings.Contains(e.text, base) && !strings.Contains(one.folder(), base) && !strings.Contains(dir, path.Base(e.text)) {
				continue
			}
			abs, ok := c.absolute(one, e.text)
			if !ok {
				continue
			}
			rest, below := c.under(abs, dir)
			if !below {
				if _, above := c.under(dir, abs); above && e.kind&rule.WriteTree != 0 && !c.in.Exists(dir) {
					return nil, false // "tar xf x.tar && cp -r x/. data"
				}
				continue
			}
			rest = strings.TrimPrefix(rest, "/")
			if rest != "" {
				names = append(names, rest)
			}
			switch {
			case c.set.In("copies-files", one.name):
				held, _, ok := (&match{c: c, call: one}).brought(e, true)
				if !ok && rest == "" {
					return nil, false
				}
				names = append(names, prefixed(rest, held)...)
			case rest == "" || e.kind&rule.WriteTree != 0 || !e.known:
				return nil, false
			}
		}
	}
	return names, true
}

// putInAs is putIn for a source of a copy: by the names that what it holds gets. contents tells that the folder itself gets none.
func (c *checker) putInAs(k *call, abs string, glob, contents bool) (names []string, known bool) {
	switch {
	case glob:
		base := path.Base(abs)
		names, known = c.putIn(k, path.Dir(abs))
		return slices.DeleteFunc(names, func(name string) bool {
			first, _, _ := strings.Cut(name, "/")
			return !picks(base, first)
		}), known
	case contents:
		return c.putIn(k, abs)
	}
	names, known = c.putIn(k, abs)
	return prefixed(path.Base(abs), names), known
}
