package ground

import (
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Alias is what a name stands for as a subcommand of Git in a folder: "alias.NAME", or "alias.NAME.command", of the repository
// around it, of the user or of the system. It is asked for names that Git has no command of its own for, which few lines hold.
func (g *Facts) Alias(dir, name string) (text string, ok bool) {
	if !filepath.IsAbs(dir) {
		dir = g.dir
	}
	if !g.looks.Take(costOpen) {
		return "", false
	}
	c := g.configs[dir]
	if c == nil {
		if r, err := repo.Open(Existing(g.links.Follow(dir))); err == nil {
			c = r.Config()
		} else {
			c = repo.UserConfig()
		}
		if g.configs == nil {
			g.configs = map[string]*repo.Config{}
		}
		g.configs[dir] = c
	}
	g.looks.Take(work.Name * c.Len())
	if text, ok = c.Lookup("alias." + strings.ToLower(name)); !ok {
		text, ok = c.Lookup("alias." + name + ".command")
	}
	return text, ok && text != ""
}
