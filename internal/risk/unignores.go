package risk

import (
	"slices"
	"strings"
	"sync"

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
	changed := sync.OnceValue(c.reignores)
	for i := range c.calls {
		k := &c.calls[i]
		if k.away() {
			continue
		}
		for j := range k.effects {
			if e := &k.effects[j]; e.kind&^(reads|rule.Look) != 0 && (!c.spend(1) || c.takesIgnoring(k, e)) {
				return true
			}
		}
		if k.name == "git" && (!k.sub("clean", nil) && changed() || c.excludes(k) || c.elsewhereCommit(k)) {
			return true
		}
	}
	return false
}

// reignores reports that files of the project which say what Git ignores are not as HEAD has them, so that it may ignore less once they are.
func (c *checker) reignores() bool {
	if c.in.Unsaved == nil || c.in.Root == "" {
		return false
	}
	names := map[string]bool{}
	return c.in.Unsaved(c.in.Root+"/.gitignore") || c.in.Differs != nil && c.in.Differs(func(p string) bool {
		base := p[strings.LastIndexByte(p, '/')+1:]
		is, known := names[base]
		if !known {
			is = c.names(base, false)&rule.Ignoring != 0
			names[base] = is
		}
		return is
	})
}

// takesIgnoring reports a change of a file that says what Git ignores, of a folder or pattern with such a file, or a new name for what is ignored.
func (c *checker) takesIgnoring(k *call, e *effect) bool {
	t := c.locate(k, e)
	if t.Names&rule.Ignoring != 0 {
		return true
	}
	if e.kind&(rule.Delete|rule.DeleteTree|rule.Move|rule.Rename) == 0 || c.in.Root == "" || t.Class&(rule.Inside|rule.Project|rule.Parent) == 0 {
		return false
	}
	if top := c.in.Root + "/.gitignore"; t.Pattern != "" && fits(t.Pattern, top) || k.finds() && c.findsIn(k, top, true, true) {
		return true
	}
	switch {
	case t.Pattern != "" || t.Class&rule.Unknown != 0 || k.finds():
		return false
	case t.Class&rule.Inside == 0:
		return true
	case t.Names&rule.Build != 0 || c.in.Regular == nil:
		return false
	case c.in.Regular(t.Path):
		c.ignored(t)
		return t.Ignored && e.kind&(rule.Move|rule.Rename) != 0
	}
	// What is deleted with all that is in it leaves nothing behind that was ignored there.
	return e.kind&(rule.Delete|rule.Move|rule.Rename) != 0 && c.in.Exists != nil && c.in.Exists(t.Path)
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
