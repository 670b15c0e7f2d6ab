package risk

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// judgeAstray judges what runs in a folder that only the shell will know, as after `cd "$X"`, once more as if that were
// the project's, so that every rule about a lost file holds there, too. What the project holds that Git does not could be
// in the way anywhere in it. A guess may cost a snapshot, and nobody a question.
func (c *checker) judgeAstray(k *call) {
	dir := &k.cmd.Dir
	if dir.Kind == shell.Literal || dir.Fresh() || c.in.Root == "" || k.away() {
		return
	}
	if slices.ContainsFunc(c.hits, func(h Hit) bool { return h.Span == k.cmd.Span && h.Rule.Operation != "" }) {
		return
	}
	place := c.in.Root
	if known := dir.Prefix(); strings.HasPrefix(known, "/") {
		known = c.cleaned(known[:strings.LastIndexByte(known, '/')+1])
		if _, in := c.under(known, place); in {
			place = known
		} else if _, above := c.under(place, known); !above {
			return
		}
	}
	was, guess := c.in, *c.in
	either := func(is func(string) bool) func(string) bool {
		return func(p string) bool {
			below := place
			if rest, in := c.under(p, place); in && rest != "" && !strings.ContainsAny(rest, "*?[") {
				below += "/**/" + strings.TrimLeft(rest, "/"+somewhere)
			}
			return is == nil || is(p) || was.Dirty == nil || was.Dirty(below, nil)
		}
	}
	guess.Exists, guess.Regular, guess.Unsaved, guess.Names = either(was.Exists), either(was.Regular), either(was.Unsaved), nil
	if was.Dirty != nil { // which of the folders below it is meant nobody knows
		guess.Dirty = func(dir string, except []string) bool {
			dir, _, _ = strings.Cut(dir, "/"+somewhere)
			return was.Dirty(dir, except)
		}
	}
	cmd, second, before := *k.cmd, *k, len(c.hits)
	cmd.Dir = shell.Word{Text: place + strings.Repeat("/"+somewhere, c.deep(k))}
	second.cmd, second.effects, second.kinds = &cmd, nil, 0
	second.collect(c)
	c.in = &guess
	c.judge(&second)
	c.in = was
	c.hits = append(c.hits[:before], slices.DeleteFunc(c.hits[before:], func(h Hit) bool { return h.Action != rule.Checkpoint })...)
}

// somewhere is a folder of no known name.
const somewhere = "…"

// deep is how many folders up the names of a call lead: no more is between the folder in which it runs and the project's.
func (c *checker) deep(k *call) (deep int) {
	up := func(w *shell.Word) {
		rest, n := w.Text, 0
		for ok := true; ok && c.spend(1); n++ {
			rest, ok = strings.CutPrefix(rest, "../")
		}
		deep = max(deep, n-1)
	}
	for i := range k.cmd.Args {
		up(&k.cmd.Args[i])
	}
	for i := range k.cmd.Redirects {
		up(&k.cmd.Redirects[i].Target)
	}
	return deep
}

// missing tells which folders are not there; nil where nobody can look.
func (c *checker) missing() func(dir string) bool {
	if c.in.Exists == nil || c.in.Regular == nil {
		return nil
	}
	return func(dir string) bool { return !c.in.Exists(dir) || c.in.Regular(dir) }
}

// top is the top of the repository around a folder, or the project's where nobody looks.
func (c *checker) top(dir string) string {
	if !c.spend(costPlace) {
		return ""
	}
	if at := c.repository(dir); at != "" {
		return at
	}
	if lies(dir, c.in.Root) {
		return c.in.Root
	}
	return ""
}

// maxFitting bounds the folders, and the files, that a pattern stands for.
const maxFitting = 32

// foldersFit lists the folders that a pattern fits; nil where nobody can look.
func (c *checker) foldersFit() func(pattern string) (list []string, all bool) {
	if c.in.Names == nil || c.in.Exists == nil || c.in.Regular == nil {
		return nil
	}
	type answer struct {
		list []string
		all  bool
	}
	known := map[string]answer{}
	return func(pattern string) (list []string, all bool) {
		if one, ok := known[pattern]; ok {
			return one.list, one.all
		}
		defer func() { known[pattern] = answer{list, all} }()
		list, all = []string{""}, true
		for part := range strings.SplitSeq(strings.TrimLeft(pattern, "/"), "/") {
			wild := strings.ContainsAny(part, "*?[")
			var next []string
			for _, dir := range list {
				if !wild {
					next = append(next, dir+"/"+part)
					continue
				}
				names, ok := c.in.Names(cmp.Or(dir, "/") + "/" + part)
				all = all && ok
				for _, name := range names {
					p := dir + "/" + name
					if !c.in.Exists(p) || c.in.Regular(p) {
						continue
					}
					if len(next) == maxFitting {
						all = false
						break
					}
					next = append(next, p)
				}
			}
			list = next
		}
		for i := range list {
			list[i] = c.cleaned(cmp.Or(list[i], "/"))
		}
		return slices.DeleteFunc(list, func(p string) bool { return !c.in.Exists(p) || c.in.Regular(p) }), all
	}
}

// filesFit lists the files that a pattern fits, in the order of a shell. It is nil where files are not read, or folders cannot be listed.
func (c *checker) filesFit() func(pattern string) []string {
	if c.source == nil || c.in.Names == nil || c.in.Regular == nil {
		return nil
	}
	return func(pattern string) (list []string) {
		dir, base := path.Split(pattern)
		if strings.ContainsAny(dir, "*?[") || !strings.ContainsAny(base, "*?[") {
			return nil
		}
		names, _ := c.in.Names(pattern)
		slices.Sort(names)
		for _, name := range names {
			if p := dir + name; len(list) < 2*maxFitting && c.in.Regular(p) {
				list = append(list, p)
			}
		}
		return list
	}
}

// folderFit is the one folder that a word with a pattern stands for; not known where it is none, or may be another.
func (c *checker) folderFit(k *call, to *shell.Word) shell.Word {
	if fit := c.foldersFit(); fit != nil && to.Kind == shell.Literal {
		if abs, ok := c.absolute(k, to.Text); ok {
			if list, all := fit(abs); all && len(list) == 1 {
				return shell.Word{Text: list[0], Span: to.Span}
			}
		}
	}
	return shell.Resolve(&k.cmd.Dir, to)
}
