package shell

import (
	"path"
	"slices"

	"github.com/modu-ai/moai/internal/recipe"
)

// spreads is what the options of a wrapper ask for in a workspace, where they have its command run in the packages: pnpm -r exec. nil is nothing.
func (e *engine) spreads(row *wrapper, before []Word) *asked {
	if !e.tables.Program(row.word()).Tasks {
		return nil
	}
	for i := range e.tables.Recipes {
		r := &e.tables.Recipes[i]
		if len(r.Packs) == 0 || !slices.Contains(r.Programs, row.word()) {
			continue
		}
		if a := readAsked(r, before); a.packs {
			return a
		}
	}
	return nil
}

// spread leads to the packages that are asked for, to all where none has such a name, and to any folder below where nobody can tell.
func (e *engine) spread(a *asked, c *ctx) {
	dirs := e.packFolders(a.row, a, c)
	if named := slices.DeleteFunc(slices.Clone(dirs), func(dir Word) bool {
		return !slices.ContainsFunc(a.pack, func(given string) bool { return path.Base(given) == path.Base(dir.Text) }) || e.opt.Missing != nil && e.opt.Missing(dir.Text)
	}); len(named) > 0 {
		dirs = named
	}
	if len(dirs) == 0 {
		c.st.reach(wordOf([]recipe.Part{{Text: "./"}, {Text: "…", Unknown: true}}, c.st.dirs[0].Span))
		return
	}
	c.st.dirs = dirs
}
