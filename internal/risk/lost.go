package risk

import "github.com/modu-ai/moai/internal/rule"

// Clients protect some files themselves. In some permission modes the answer that
// they have ready for those takes the place of a hook's question: one such file on
// a line, and nobody is asked about anything on it.

// reads are the effects that cost no question: a file that a known program only
// reads. What an unknown one does with a file is not known, and touch and mkdir, which
// the tables have among what looks at names, make files.
const reads = rule.Read | rule.Send | rule.Run

// Mode finds a permission mode in this set and the ones behind it; nil where
// questions are asked.
func (s *Set) Mode(name string) *rule.Mode {
	for ; s != nil; s = s.More {
		for i := range s.Modes {
			if s.Modes[i].Name == name {
				return &s.Modes[i]
			}
		}
	}
	return nil
}

// lost says why nobody would be asked by a rule; "" where somebody would.
func (c *checker) lost(r *rule.Risk) string {
	m := c.set.Mode(c.in.Permission)
	if m == nil || m.Loses == "" || r.Unasked != rule.Deny && !c.changesProtected() {
		return ""
	}
	return m.Loses
}

// changesProtected reports whether the call changes a file that a client protects
// itself. Where that is not known to the end, it does.
func (c *checker) changesProtected() bool {
	if c.protected == 0 {
		c.protected = no
		if c.findProtected() {
			c.protected = yes
		}
	}
	return c.protected == yes
}

// What changesProtected remembers of its first look.
const (
	no  = 1
	yes = 2
)

func (c *checker) findProtected() bool {
	for i := range c.calls {
		k := &c.calls[i]
		for n := range k.effects {
			e := &k.effects[n]
			if e.kind&^reads == 0 && k.prog != nil {
				continue
			}
			if !c.spend(1) {
				return true
			}
			if c.locate(k, e).Names&rule.Protected != 0 {
				return true
			}
		}
	}
	return false
}
