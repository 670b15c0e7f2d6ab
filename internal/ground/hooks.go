package ground

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// hooked is what is known of the hooks of the repository around a folder.
type hooked struct {
	top, folder string
	config      *repo.Config
}

// Hooks is what Git runs by itself at some events when it works in a folder: those events that have a file in the folder of hooks,
// which the settings name or given does, and the command lines that the settings have for them (hook.NAME.event, since Git 2.54).
func (g *Facts) Hooks(dir, given string, events []string) (top, folder string, there, lines []string) {
	if !filepath.IsAbs(dir) {
		dir = g.dir
	}
	h, known := g.hooks[dir]
	if !known {
		h = g.lookHooks(dir)
		if g.hooks == nil {
			g.hooks = map[string]hooked{}
		}
		g.hooks[dir] = h
	}
	if h.top == "" {
		return "", "", nil, nil
	}
	if folder = h.folder; given != "" {
		folder = hookFolder(h.top, given)
	}
	for _, event := range events {
		// An event is a name, and a line can name one: git hook run ../x.
		if filepath.Base(event) != event || len(event) > maxPattern {
			continue
		}
		if info, ok := g.lstat(filepath.Join(folder, event)); info != nil && ok {
			there = append(there, event)
		}
	}
	if g.looks.Take(work.Name * h.config.Len() / 4) {
		lines = hookLines(h.config, events)
	}
	return filepath.ToSlash(h.top), filepath.ToSlash(folder), there, lines
}

// lookHooks finds the folder of hooks of the repository around a folder.
func (g *Facts) lookHooks(dir string) (h hooked) {
	if !g.looks.Take(work.Path(dir) + costOpen) {
		return h
	}
	var r *repo.Repo
	if g.relative(filepath.Join(g.dir, "x")); dir == g.dir && g.repo != nil {
		r = g.repo // other questions are about it, too
	} else if other, err := g.open(dir); err == nil {
		r = other
	} else {
		return h
	}
	info, known := g.lstat(filepath.Join(r.CommonDir, "config"))
	if !known || info != nil && !g.looks.Take(4*work.Read(info.Size())) {
		return h
	}
	h.config = r.Config()
	if h.top = r.WorkTree; r.Bare() {
		h.top = r.GitDir
	}
	// Hooks of a linked work tree are those of the repository, which may lie beside the project.
	h.folder, g.hooksOf = filepath.Join(r.CommonDir, "hooks"), r.CommonDir
	if own := h.config.Path("core.hookspath"); own != "" {
		h.folder = hookFolder(h.top, own)
	}
	return h
}

// hookFolder is a folder of hooks as a setting names it.
func hookFolder(top, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(top, name)
}

// hookLines are the command lines that settings have for some events.
func hookLines(c *repo.Config, events []string) (lines []string) {
	for key, value := range c.All() {
		name, ok := strings.CutSuffix(key, ".event")
		if !ok || !strings.HasPrefix(name, "hook.") || !slices.Contains(events, value) || !c.Bool(name+".enabled", true) {
			continue
		}
		if line, ok := c.Lookup(name + ".command"); ok && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}
