package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/recipe"
	"github.com/modu-ai/moai/internal/rule"
)

// Runners of workspaces run a task of many packages: those of the folders that a manifest beside them names by patterns. Each is judged
// in its own folder.

// maxPacks bounds the manifests that are read for one line.
const maxPacks = 32

// inPacks follows what a call runs in the packages of a workspace.
func (e *engine) inPacks(row *rule.Recipes, a *asked, how string, c *ctx) {
	if !a.packs {
		return
	}
	for _, dir := range e.packFolders(row, a, c) {
		n := *c
		n.st = c.st.clone()
		n.st.reach(dir)
		for _, name := range row.Files {
			w := lit(name, dir.Span)
			text, m, there := e.packText(&w, how, &n)
			if !there {
				continue
			}
			if asksFor(a, text.Text) && e.spend(len(text.Text)/recipeBytes, c) {
				e.steps(a.steps(e, &text, name, m), &text, m)
			}
			break
		}
	}
}

// asksFor reports a manifest that has one of the names which a call asks for: most have none, and are not read any further.
func asksFor(a *asked, text string) bool {
	if len(a.words) == 0 && len(a.named) == 0 {
		return true
	}
	says := func(w Word) bool {
		if w.Kind != Literal {
			return true
		}
		return slices.ContainsFunc(a.split(w.Text), func(name string) bool { return strings.Contains(text, name) })
	}
	return len(a.row.Also) > 0 || slices.ContainsFunc(a.words, says) || slices.ContainsFunc(a.named, says)
}

// packText is textOf for a manifest of a package, which counts on its own account.
func (e *engine) packText(w *Word, how string, c *ctx) (text Word, n *ctx, ok bool) {
	if text, ok = c.st.written(w.Text); ok {
		return text, c, true
	}
	p, mine := e.projectFile(w, c)
	key := p + "\x00" + how
	if !mine || e.opt.Source == nil || c.files.has(key) || c.levels == maxLevels {
		return Word{}, c, false
	}
	if text, ok = e.reads(p, &e.look.packs, maxPacks, c); !ok {
		return Word{}, c, false
	}
	m := *c
	m.files, m.levels = &frame{key, c.files}, c.levels+1
	return text, &m, true
}

// packFolders are the folders of the packages; those that the call names come first.
func (e *engine) packFolders(row *rule.Recipes, a *asked, c *ctx) (dirs []Word) {
	span := c.st.dirs[0].Span
	add := func(p string) {
		w := lit(p, span)
		if !slices.ContainsFunc(dirs, func(o Word) bool { return o.Text == p }) && len(dirs) < maxPacks {
			dirs = append(dirs, w)
		}
	}
	e.running(c)
	for _, from := range row.Packs {
		name, field, _ := strings.Cut(from, " ")
		w := lit(name, span)
		text, _, there := e.packText(&w, "packs", c)
		if !there || !e.spend(len(text.Text)/recipeBytes, c) {
			continue
		}
		for _, pattern := range recipe.Texts(text.Text, strings.TrimPrefix(path.Ext(name), "."), field) {
			if strings.HasPrefix(pattern, "!") || !e.tick(c) {
				continue
			}
			pattern = c.st.path(strings.ReplaceAll(strings.Trim(pattern, "/"), "**", "*"))
			for _, given := range a.pack {
				add(path.Join(path.Dir(pattern), path.Base(given)))
			}
			for i := range c.st.files {
				if dir := path.Dir(c.st.path(c.st.files[i].path)); match(pattern, dir) {
					add(dir)
				}
			}
			if !strings.ContainsAny(pattern, "*?[") {
				add(pattern)
			} else if e.opt.Folders != nil {
				list, _ := e.opt.Folders(pattern)
				for _, dir := range list {
					add(dir)
				}
			}
		}
	}
	return dirs
}
