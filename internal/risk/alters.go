package risk

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// Altered is what a command line changes by its own words. Two commands that ran at the same time are told apart by it.
type Altered struct {
	Files []string // absolute; of a folder, all that is in it
	Only  bool     // it changes no other file
	Still bool     // it moves no branch, nor HEAD, and stages nothing
}

// alteringKinds are the effects whose paths are all that a program of the group changes.
const alteringKinds = writtenKinds | rule.Chmod | rule.ChmodTree

// Alters reads what a command line changes. The guard's verdict does not rest on it; it takes a quarter of what judging the line may.
func (s *Set) Alters(line, dir, home string) (a Altered) {
	c := s.quickly(line, dir, home)
	a.Only = len(c.res.Incomplete) == 0
	a.Still = true
	for i := range c.calls {
		k := &c.calls[i]
		if k.cmd.Remote {
			continue
		}
		a.Only = a.Only && k.namesAll(s)
		a.Still = a.Still && !k.movesReferences(s)
		alters := alteringKinds
		if s.In("changes-what-it-names", k.raw) && !slices.ContainsFunc(k.effects, func(e effect) bool { return e.kind&alteringKinds != 0 }) {
			alters |= rule.Look // touch and mkdir: their rows say no more of what they make
		}
		for j := range k.effects {
			e := &k.effects[j]
			if e.kind&alters == 0 {
				continue
			}
			at := c.locate(k, e)
			if at.Class&(rule.Drop|rule.Device) != 0 || slices.Contains(a.Files, at.Path) {
				continue
			}
			if at.Pattern != "" || at.Class&rule.Unknown != 0 {
				a.Only = false
				continue
			}
			a.Files = append(a.Files, at.Path)
		}
	}
	a.Still = a.Still && a.Only
	return a
}

// namesAll reports a program that changes no file but those that its words name.
func (k *call) namesAll(s *Set) bool {
	for i := range k.effects {
		if k.effects[i].kind&^(harmlessKinds|alteringKinds) != 0 {
			return false
		}
	}
	return len(k.cmd.Args) == 0 || s.In("changes-no-file", k.raw) || s.In("changes-what-it-names", k.raw) || k.isOf(s, "changes-no-file-by-words")
}
