package ground

import (
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Alias is what a name stands for as a subcommand of Git in a folder: "alias.NAME", or "alias.NAME.command", of the repository
// around it, of the user or of the system; "" for nothing. known is false where that could not be found out. It is asked for names that
// Git has no command of its own for, which few lines hold.
func (g *Facts) Alias(dir, name string) (text string, known bool) {
	if !filepath.IsAbs(dir) {
		dir = g.dir
	}
	if !g.looks.Take(costOpen) {
		return "", false
	}
	c, asked := g.configs[dir]
	if !asked {
		r, err := g.open(dir)
		switch _, declined := repo.AsDeclined(err); {
		case err == nil:
			c = r.Config()
		case !declined:
			c = repo.UserConfig()
		}
		if g.configs == nil {
			g.configs = map[string]*repo.Config{}
		}
		g.configs[dir] = c
	}
	if c == nil || !g.looks.Take(work.Name*c.Len()) {
		return "", false
	}
	text, ok := c.Lookup("alias." + strings.ToLower(name))
	if !ok {
		text, _ = c.Lookup("alias." + name + ".command")
	}
	return text, true
}
