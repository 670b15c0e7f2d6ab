package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// unignores reports that a part of the line may change which files Git ignores: it writes or deletes a file that says so, names another
// one, brings the files of another commit, or takes a change of the project's own back. Where the work for a call is used up, it does.
func (c *checker) unignores() bool {
	cleans := func(k call) bool { return k.name == "git" && k.sub("clean", nil) }
	if len(c.calls) < 2 && !slices.ContainsFunc(c.calls, func(k call) bool { return c.excludes(&k) }) || !slices.ContainsFunc(c.calls, cleans) && !c.adds() {
		return false
	}
	changed := c.in.Unsaved != nil && c.in.Root != "" && c.in.Unsaved(c.in.Root+"/.gitignore")
	for i := range c.calls {
		k := &c.calls[i]
		if k.away() {
			continue
		}
		for j := range k.effects {
			e := &k.effects[j]
			if e.kind&^(reads|rule.Look) == 0 {
				continue
			}
			if !c.spend(1) || c.locate(k, e).Names&rule.Ignoring != 0 {
				return true
			}
		}
		if k.name == "git" && (changed && !k.sub("clean", nil) || c.excludes(k) || c.elsewhereCommit(k)) {
			return true
		}
	}
	return false
}

// excludes reports a call of git that is told which files to ignore, or to add those that are.
func (c *checker) excludes(k *call) bool {
	if k.sub("add", nil) && k.given([]string{"-f", "--force"}) {
		return true
	}
	return slices.ContainsFunc(k.cmd.Args, func(w shell.Word) bool { return strings.Contains(strings.ToLower(w.Text), "excludesfile") })
}

// elsewhereCommit reports a call that may bring the files of another commit, with its own list of what is ignored. A reset to where
// HEAD stands brings none.
func (c *checker) elsewhereCommit(k *call) bool {
	if k.sub("reset", nil) && !slices.ContainsFunc(k.operands[min(1, len(k.operands)):], func(i int) bool {
		w := &k.cmd.Args[i]
		return w.Text != "HEAD" && w.Text != "@"
	}) || k.sub("commit", nil) {
		return false
	}
	for tables := c.set; tables != nil; tables = tables.More {
		for i := range tables.Moves {
			move := &tables.Moves[i]
			if move.Pins&(rule.PinHead|rule.PinBranch|rule.PinHeads) != 0 && !tables.Project && c.moves(move, k) {
				return true
			}
		}
	}
	return false
}
