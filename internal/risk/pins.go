package risk

import (
	"slices"

	"github.com/modu-ai/moai/internal/rule"
)

// pins are the references that a call moves: those of the rules that fired, and those of other parts of the line. Files that come
// back belong to the branch that they are of, so that a switch which no rule speaks of counts as well. drops reports a call whose parts do
// no more to references than to delete some, but for such a switch.
func (c *checker) pins() (set rule.Pins, drops bool) {
	drops = true
	for i := range c.hits {
		if c.hits[i].Action != Allow && !c.hits[i].Away {
			set |= c.hits[i].Rule.Pins
			drops = drops && (c.hits[i].Rule.Drops || c.hits[i].Rule.Pins&^rule.PinNone == 0)
		}
	}
	for tables := c.set; tables != nil; tables = tables.More {
		for i := range tables.Moves {
			move := &tables.Moves[i]
			changes := drops && !move.Drops && move.Pins != rule.PinHead
			if tables.Project || move.Pins&^(rule.PinNone|set) == 0 && !changes {
				continue
			}
			for j := range c.calls {
				if c.moves(move, &c.calls[j]) {
					set |= move.Pins
					drops = drops && !changes
					break
				}
			}
		}
	}
	// The branch on which the next part of the line works is not the one that is checked out now.
	if set&rule.PinBranch != 0 && set&rule.PinHeads == 0 && c.switches() {
		set |= rule.PinHeads
	}
	return set &^ rule.PinNone, drops
}

// dropsUnnamed reports a part of the line that deletes references and of which no rule speaks: it says nowhere which (git fetch --prune).
func (c *checker) dropsUnnamed() bool {
	for tables := c.set; tables != nil; tables = tables.More {
		for i := range tables.Moves {
			if move := &tables.Moves[i]; move.Drops && !tables.Project && slices.ContainsFunc(c.calls, func(k call) bool { return !c.told(&k) && c.moves(move, &k) }) {
				return true
			}
		}
	}
	return false
}

// told reports a call of which a rule speaks.
func (c *checker) told(k *call) bool {
	return slices.ContainsFunc(c.hits, func(h Hit) bool { return h.Action != Allow && h.Span == [2]int(k.cmd.Span) })
}

// switches reports a call that moves HEAD from one branch to another, with others beside it.
func (c *checker) switches() bool {
	if len(c.calls) < 2 {
		return false
	}
	for tables := c.set; tables != nil; tables = tables.More {
		for i := range tables.Moves {
			if move := &tables.Moves[i]; move.Pins == rule.PinHead && !tables.Project &&
				slices.ContainsFunc(c.calls, func(k call) bool { return c.moves(move, &k) }) {
				return true
			}
		}
	}
	return false
}

// moves reports whether a call is of a kind that moves references. Where the work for a call is used up, it counts as one: a
// reference too many is kept.
func (c *checker) moves(move *rule.Mover, k *call) bool {
	if !move.Programs.Has(k.name) {
		return false
	}
	r := rule.Risk{Programs: move.Programs, When: move.When}
	c.trial = match{c: c, call: k, rule: &r}
	return !c.spend(c.price(&r, k)) || c.trial.holds()
}
