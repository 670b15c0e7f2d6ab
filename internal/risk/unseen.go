package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A judgement may end with less known about the disk than it asked for: what it may look
// at is bounded, and when time runs out nobody looks at all. Rules that need no disk hold
// all the same. What is left is whether a line changes files of which nobody can tell
// where they are: that is asked about, and a line that only reads is not.

// changing are the effects that take something away, or give it away.
const changing = rule.Write | rule.Append | rule.Delete | rule.DeleteTree | rule.Move | rule.Chmod | rule.ChmodTree | rule.Send | rule.Link | rule.WriteTree

// unseen stands for a line that changes files nobody has looked at.
var unseen = rule.Risk{
	ID: "shell.not-looked-at", Action: Ask,
	Why:     "changes files that could not be looked at, so what is lost with them is not known",
	Instead: "name fewer paths at once, by their full names",
}

// Blind is the input without anything that asks the disk, and without what was added to
// the rules: for a verdict when time has run out. What it would have been asked is not known.
func (in *Input) Blind() *Input {
	b := *in
	b.OwnersAlone = nil
	b.Exists, b.Ignored, b.Unsaved, b.Dirty, b.Changed, b.Names, b.Waiting, b.Regular, b.Mounted, b.Follow = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	b.Registers, b.Compiled, b.Text, b.Written, b.Staged, b.Publishes, b.Pushed, b.Wrote, b.Treasures, b.Unlogged, b.Adrift, b.AdriftInside, b.Inner = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	b.Source, b.Hooks = nil, nil
	b.Configured, b.Displaced, b.Strays, b.Worktrees, b.Submodules, b.Beside, b.As, b.Looks, b.Unseen = nil, nil, nil, nil, nil, nil, nil, nil, true
	// An exception that is used up could not be told from one that is not.
	b.Used = func(*rule.Allowed) bool { return true }
	return &b
}

// unlooked reports that something which this line changes was not looked at.
func (c *checker) unlooked() bool {
	if !c.in.Unseen && !c.in.Looks.Over() {
		return false
	}
	if c.changes {
		return true
	}
	for i := range c.calls {
		k := &c.calls[i]
		if k.kinds&changing == 0 || k.away() {
			continue
		}
		for j := range k.effects {
			if e := &k.effects[j]; e.kind&changing != 0 && !c.dropped(e) && !e.word.Fresh() {
				return true
			}
		}
	}
	return false
}

// dropped reports a device that keeps nothing, such as /dev/null.
func (c *checker) dropped(e *effect) bool {
	return e.known && strings.HasPrefix(e.text, "/dev/") && c.set.deviceClass(e.text)&rule.Drop != 0
}
