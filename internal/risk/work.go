package risk

import (
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/work"
)

// What one judgement may cost is counted, as package shell counts: the verdict on a
// line must not depend on how busy the machine is. Nothing that an agent writes comes near
// the bound; nine thousand operands of rm do.

// What things cost, in units.
const (
	costTry     = 2             // a rule is tried on a call
	costGlob    = 8 * costPlace // the same for a pattern, which may stand for any of the names
	costPlace   = 24            // a path is compared with all names and places
	placeBytes  = 1             // bytes of a path beyond an ordinary one for which that takes one more unit
	folderBytes = 8             // bytes of the folder in force for which a name in it takes one more unit
	ordinary    = 64            // bytes of a path
	costCalls   = 16            // calls of a line that are looked through for one unit
	wordBytes   = 64            // bytes that are looked through for a few words for one unit
	scanBytes   = 512           // bytes that are looked through for one byte, for one unit
	globBytes   = 32            // bytes of globs times bytes of text that are compared for one unit
)

// spend charges n units and reports whether there is budget for more.
func (c *checker) spend(n int) bool {
	if c.budget == nil {
		c.budget = work.New(work.Judgement)
	}
	if c.budget.Over() { // what comes after the end costs nothing: it is not done
		return false
	}
	return c.budget.Take(n)
}

// settle says so when a line was judged by what was seen before the budget ended.
func (c *checker) settle() {
	if !c.cutOff && !c.spend(0) {
		c.cutOff = true
		c.doubts = append(c.doubts, "it takes too much work to judge")
	}
}

// price is what trying a rule on a call costs at most. Rules of a project are weighed
// before they are tried: their globs may be made to take long.
func (c *checker) price(r *rule.Risk, k *call) int {
	// Each flag that a rule names is looked for among all options.
	n := costTry + len(k.options)/2 + (len(k.operands)+len(k.cmd.Via))/8
	if c.ofProject {
		n += r.When.Weight() * (len(c.in.Command) + len(c.in.Args)) / globBytes
	}
	return n
}
