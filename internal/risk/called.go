package risk

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// Files and tasks that are called by what they do: nuke.sh, make wipe, npm run release. Such a name alone is a reason to ask, as long as what the file runs
// is not known. Where all that they run was read, builds something at most, and takes away no more than what builds make again, the name says nothing.

// readWhole takes away the hits by a name alone that sub, which read the files that the line runs, knows better about.
func (c *checker) readWhole(sub *checker) {
	c.hits = slices.DeleteFunc(c.hits, func(h Hit) bool { return h.Rule.Called && h.File == "" && sub.knowsAll(&h) })
}

// knowsAll reports that files were read for the call of a hit, and that all which they run is known.
func (c *checker) knowsAll(h *Hit) bool {
	read := false
	for i := range c.calls {
		k := &c.calls[i]
		if len(k.cmd.Via) == 0 && k.cmd.Span == h.Span && k.cmd.Code != nil && !(k.cmd.Code.Shell() && k.cmd.Code.Seen) {
			return false // a program in another language, of which only the calls of others are known
		}
		if !c.fromFile(k.cmd.Span, k) || len(k.cmd.Via) == 0 || k.cmd.Via[0].Span[0] < h.Span[0] || k.cmd.Via[0].Span[1] > h.Span[1] {
			continue
		}
		if read = true; !c.changesKnown(k) {
			return false
		}
	}
	return read
}

// changesKnown reports a call that writes files of the project whose names are known here, and takes away what builds made, or what is temporary.
func (c *checker) changesKnown(k *call) bool {
	if k.away() || k.name == "" && len(k.cmd.Args) > 0 {
		return false
	}
	if code := k.cmd.Code; code != nil {
		return code.Shell() && code.Seen && !code.Unread && !code.Fed
	}
	// By the word as it stands: ./rm is a program of the project's, and wipe.jar one that java runs.
	if len(k.cmd.Args) > 0 {
		if word := k.cmd.Args[0].Text; !c.set.In("changes-no-file", word) && !c.set.In("changes-what-it-names", word) && !k.isOf(c.set, "builds-by-words") && !c.runsFound(k) {
			return false
		}
	}
	return !slices.ContainsFunc(k.effects, func(e effect) bool {
		if e.kind&(destroys|rule.Move) == 0 {
			return false
		}
		t := c.locate(k, &e)
		return !e.known && !e.glob || t.Class&rule.Unknown != 0 || t.Class&rule.Outside != 0 && t.Class&rule.Temp == 0 || e.kind&rule.Write == 0 && t.Names&rule.Build == 0 && t.Class&rule.Temp == 0
	})
}

// runsFound reports a task of which what it runs was found: npm run build, make dist.
func (c *checker) runsFound(k *call) bool {
	n := len(k.cmd.Via)
	return c.spend(1+len(c.calls)/costCalls) && slices.ContainsFunc(c.calls, func(p call) bool {
		return len(p.cmd.Via) > n && p.cmd.Via[n].Span == k.cmd.Args[0].Span
	})
}
