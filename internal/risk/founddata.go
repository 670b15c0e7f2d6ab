package risk

import (
	"path"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Some commands delete what another one lists: ls -t backups/*.gz | tail -n +4 | xargs rm. Which files go is decided when they run. Here every file counts that
// the folder holds now and that the list may name.

// foundData reports files in the project that hold data, by their names or by that of a folder, that Git ignores, and that are among those which a call
// finds and deletes. Where the call leaves more than there are, none is.
func (c *checker) foundData(k *call, t *Target) bool {
	if t.Pattern == "" && !t.Found() || t.Class&(rule.Inside|rule.Project) == 0 || t.Class&rule.Unknown != 0 || c.in.Treasures == nil || c.in.Ignored == nil {
		return false
	}
	dir := t.Path
	if at := strings.IndexAny(t.Pattern, "*?["); at >= 0 {
		dir = path.Dir(t.Pattern[:at] + "x")
	}
	// The project as a whole is no folder that a script names: what it lists there is its own business.
	if dir == c.in.Root || !lies(dir, c.in.Root) || !c.spend(costSettings) {
		return false
	}
	least, seen := c.leftOut(k), 0
	return c.in.Treasures(dir, c.entered(), func(file string) bool {
		if !t.Picks(file) || !c.holdsData(c.rel(file)) || c.names(c.rel(file), false)&rule.Build != 0 || !c.in.Ignored(file) {
			return false
		}
		seen++
		return seen >= least
	})
}

// holdsData reports a file with data, by its name or by that of a folder in the project that it is in. file is relative.
func (c *checker) holdsData(file string) bool {
	file = strings.ToLower(file)
	if c.set.picks("kinds-of-data", path.Base(file)) {
		return true
	}
	for name := range strings.SplitSeq(path.Dir(file), "/") {
		if c.set.picks("folders-of-data", name) {
			return true
		}
	}
	return false
}

// leftOut is the least number of names in a list at which some reach a call, as far as what stands between them says: tail -n +4 leaves three. A script that makes
// a file first has one more than there are.
func (c *checker) leftOut(k *call) int {
	least := 1
	is := func(p *call) bool {
		if c.set.In("leaves-first", p.raw) {
			for i := 1; i < len(p.cmd.Args); i++ {
				word := p.cmd.Args[i].Text
				if at := strings.IndexAny(word, "+"); at >= 0 {
					if n, err := strconv.Atoi(word[at+1:]); err == nil {
						least = max(least, n-1)
					}
				}
			}
		}
		return false
	}
	c.wordsFrom(k, is)
	c.upstream(k, make([]bool, len(c.calls)), is)
	return least
}
