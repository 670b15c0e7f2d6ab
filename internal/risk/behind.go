package risk

import "github.com/modu-ai/moai/internal/rule"

// takesIgnored are the files and folders in the project that Git ignores and that the calls take away, or write over. What a build makes again
// is none.
func (c *checker) takesIgnored() (list []Target) {
	for i := range c.calls {
		k := &c.calls[i]
		if k.away() {
			continue
		}
		for j := range k.effects {
			e := &k.effects[j]
			if e.kind&(rule.Write|rule.Delete|rule.DeleteTree|rule.Move|rule.Rename) == 0 {
				continue
			}
			if len(list) == maxTouched || !c.spend(1) {
				return list
			}
			t := c.locate(k, e)
			if c.ignored(t); t.Ignored && t.Names&rule.Build == 0 {
				list = append(list, *t)
			}
		}
	}
	return list
}
