package risk

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// maxMeant bounds the work trees that a folder of no known name is taken for.
const maxMeant = 16

// judgeMeant judges what runs in a folder that only the shell will know, or changes what only the shell can name, once more in each work tree that may be
// meant: `for d in ../*/; do (cd $d && git pull); done`, `git worktree list | … | xargs sed -i`. So it does with other work trees of the project's repository that
// are named: work that is done there is the project's. A guess may cost a snapshot there, and nobody a question.
func (c *checker) judgeMeant(k *call) {
	if c.in.Root == "" || c.in.Beside == nil || c.in.As == nil || c.in.Exists == nil || k.away() || len(k.cmd.Args) == 0 {
		return
	}
	if k.kinds&^harmlessKinds == 0 && (c.set.In("changes-no-file", k.raw) || k.isOf(c.set, "changes-no-file-by-words")) {
		return
	}
	dir := k.cmd.Dir
	if dir.Kind != shell.Literal {
		if dir.Fresh() {
			return
		}
		for _, tree := range c.meant(&dir) {
			cmd := *k.cmd
			cmd.Dir = shell.Word{Text: path.Join(tree, tailOf(&dir))}
			c.judgeIn(k, &cmd, tree)
		}
		return
	}
	open := func(w *shell.Word) bool { return len(w.Parts) > 0 && w.Parts[0].Unknown && !w.Fresh() }
	opens := func(w shell.Word) bool { return open(&w) }
	if slices.ContainsFunc(k.cmd.Args[1:], opens) || slices.ContainsFunc(k.cmd.Redirects, func(r shell.Redirect) bool { return open(&r.Target) }) {
		if !c.listsTrees() {
			return
		}
		for _, tree := range c.beside() {
			cmd := *k.cmd
			cmd.Args, cmd.Redirects = slices.Clone(cmd.Args), slices.Clone(cmd.Redirects)
			for i := range cmd.Args {
				if i > 0 && open(&cmd.Args[i]) {
					cmd.Args[i] = inTree(&cmd.Args[i], tree)
				}
			}
			for i := range cmd.Redirects {
				if w := &cmd.Redirects[i].Target; open(w) {
					*w = inTree(w, tree)
				}
			}
			c.judgeIn(k, &cmd, tree)
		}
		return
	}
	for _, tree := range c.changedBeside(k) {
		c.judgeIn(k, k.cmd, tree)
	}
}

// changedBeside lists the other work trees of the project's repository in which a call changes files by their names.
func (c *checker) changedBeside(k *call) (list []string) {
	for i := range k.effects {
		if e := &k.effects[i]; e.kind&alteringKinds == 0 {
			continue
		} else if t := c.locate(k, e); t.Class&(rule.Outside|rule.Other) != 0 {
			if tree := c.treeBeside(cmp.Or(t.Pattern, t.Path)); tree != "" && !slices.Contains(list, tree) {
				list = append(list, tree)
			}
		}
	}
	return list
}

// treeBeside is the other work tree of the project's repository that a place lies in, or "".
func (c *checker) treeBeside(p string) string {
	if c.in.Beside == nil {
		return ""
	}
	for _, tree := range c.beside() {
		if lies(p, tree) {
			return tree
		}
	}
	return ""
}

// mainTree reports a place that is the main work tree of the project's repository, or holds it, where the session is in a linked one.
func (m *match) mainTree(e *effect) bool {
	c := m.c
	if c.in.Beside == nil || c.in.Exists == nil || m.call.away() {
		return false
	}
	t := c.locate(m.call, e)
	return slices.ContainsFunc(c.beside(), func(tree string) bool {
		return lies(tree, t.Path) && c.spend(costPlace) && c.in.Exists(tree+"/.git/HEAD")
	})
}

// judgeIn adds the snapshots that a call would want as another command, and in another project.
func (c *checker) judgeIn(k *call, cmd *shell.Command, tree string) {
	if !c.spend(costPlace) {
		return
	}
	here, hits, there := c.in, c.hits, *c.in
	there.As(&there, tree)
	second := *k
	second.cmd, second.effects, second.kinds = cmd, nil, 0
	c.in, c.hits = &there, nil
	second.collect(c)
	c.judge(&second)
	found := c.hits
	c.in, c.hits = here, hits
	for _, h := range found {
		if h.Action != rule.Checkpoint || len(h.Targets) == 0 {
			continue
		}
		at := slices.IndexFunc(c.hits, func(one Hit) bool { return one.Rule == h.Rule && one.Span == h.Span })
		if at >= 0 && len(c.hits[at].Targets) == 0 { // it was about the repository that the session is in, and goes on to be
			root := c.cleaned(c.in.Root)
			c.hits[at].Targets = []Target{{Path: root, Class: c.classify(root, false)}}
		}
		c.add(h)
	}
}

// meant lists the work trees that a folder of no known name may be: those of the project's repository, where nothing says that they lie elsewhere, and
// repositories that a pattern fits, or that lie in a folder whose names are listed, or one further down.
func (c *checker) meant(dir *shell.Word) (list []string) {
	known := dir.Prefix()
	if known != "" && !strings.HasPrefix(known, "/") {
		return nil
	}
	folder := c.cleaned(known[:strings.LastIndexByte(known, '/')+1] + "/")
	for _, tree := range c.beside() {
		if known == "" || lies(tree, folder) {
			list = append(list, tree)
		}
	}
	at := slices.IndexFunc(dir.Parts, func(p shell.Part) bool { return p.Unknown })
	fit := c.foldersFit()
	if known == "" || at < 0 || !dir.Parts[at].Listed || fit == nil {
		return list
	}
	patterns := []string{path.Join(folder, "*"), path.Join(folder, "*/*")}
	if picks := dir.Parts[at].Text; strings.ContainsAny(picks, "*?[") && !strings.HasPrefix(picks, "…") {
		patterns = []string{known + picks}
	}
	here := c.repository(c.cleaned(c.in.Dir))
	for _, pattern := range patterns {
		found, _ := fit(pattern)
		for _, p := range found {
			if len(list) < maxMeant && p != here && c.in.Exists(p+"/.git") && !slices.Contains(list, p) && c.classify(p, false)&rule.Temp == 0 {
				list = append(list, p)
			}
		}
	}
	return list
}

// beside lists the other work trees of the project's repository, and its submodules.
func (c *checker) beside() []string {
	if c.others == nil {
		list := c.in.Beside(c.in.Dir)
		if c.in.Submodules != nil {
			list = append(list, c.in.Submodules(c.in.Dir, false)...)
		}
		list = list[:min(len(list), maxMeant)]
		c.others = &list
	}
	return *c.others
}

// listsTrees reports a line that prints where work trees are.
func (c *checker) listsTrees() bool {
	return slices.ContainsFunc(c.calls, func(k call) bool { return k.isOf(c.set, "lists-worktrees-by-words") })
}

// tailOf is the known text behind the part of a folder's name that is not known.
func tailOf(dir *shell.Word) string {
	if tail := dir.Suffix(); strings.HasPrefix(tail, "/") {
		return tail
	}
	return ""
}

// inTree is a word whose beginning is not known where that is a work tree, or where nothing is known of it, something in one.
func inTree(w *shell.Word, tree string) shell.Word {
	if rest := tailOf(w); len(w.Parts) == 2 && rest != "" {
		return shell.Word{Text: path.Join(tree, rest), Glob: w.Glob, Span: w.Span}
	}
	return shell.Word{
		Text: tree + "/" + somewhere, Kind: shell.Partial, Glob: true, Many: w.Many, Span: w.Span,
		Parts: []shell.Part{{Text: tree + "/"}, {Text: somewhere, Unknown: true, Listed: true}},
	}
}
