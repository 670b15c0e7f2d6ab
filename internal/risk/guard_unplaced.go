package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Names of the guard's own things in folders that only the shell will know: cd "$X"; rm settings.json.

// unplacedGuard reports that a path of which only the end is known ends as the path of one of the guard's own things does, or of settings in
// which it is registered.
func (m *match) unplacedGuard(e *effect) bool {
	c, k := m.c, m.call
	if k.away() || e.known && k.cmd.Dir.Kind == shell.Literal && len(c.links) == 0 {
		return false
	}
	full := c.unplaced(k, e)
	tail, below, ok := c.knownEnd(k, e, &full)
	switch {
	case full.Listed() && !full.Parts[0].Unknown: // what a search finds is for other rules, but for a folder that a pattern picks and cd enters
		pattern, all := c.absolute(nil, full.Text)
		return all && e.known && strings.ContainsAny(full.Text, "*?[") && m.patternPicks(pattern)
	case !ok:
		return false
	}
	is := func(own string) bool {
		if below != "" {
			if _, in := c.under(own, below); !in {
				return false
			}
		}
		return c.spend(costPlace/4) && c.endsAs(own, tail)
	}
	found := func(own string) bool { return is(own) && m.comes(own, e.text, "may be this file or folder") }
	one := !strings.Contains(tail, "/")
	all, n := c.guarded()
	for i, own := range all {
		if found(own) || i < n {
			continue
		}
		for name := range c.set.words("own-files") {
			if one && !strings.Contains(name, ".") {
				continue // a folder's name, which others have, too
			}
			for _, p := range [...]string{own + "/" + name, own + "/rules/" + name} {
				if is(p) && (c.in.Exists == nil || c.in.Exists(p)) && found(p) {
					return true
				}
			}
		}
	}
	file := ""
	if len(m.targets) > 0 || c.registeredFile(func(p, _ string) bool { file = p; return is(p) }) && found(file) {
		return true
	}
	if e.kind&(rule.Delete|rule.DeleteTree|rule.Move) == 0 {
		return false
	}
	// A folder above goes with all that is in it. Of its name alone only such count as hardly any project has.
	for _, own := range all {
		for up := path.Dir(own); len(up) > 1 && up != c.in.Home; up = path.Dir(up) {
			if (!one || path.Base(up)[0] == '.') && found(up) {
				return true
			}
		}
	}
	return false
}

// unplaced is the path of an effect with what is known of the folder in which it runs.
func (c *checker) unplaced(k *call, e *effect) shell.Word {
	w := *e.word
	if e.known {
		w = shell.Word{Text: e.text, Tilde: e.word.Tilde && strings.HasPrefix(e.text, "~")}
	}
	w.Glob = false
	return shell.Resolve(&k.cmd.Dir, &w)
}

// knownEnd is the end of such a path of which nobody can tell where it begins, and the folder below which it lies, "" for anywhere.
func (c *checker) knownEnd(k *call, e *effect, full *shell.Word) (tail, below string, ok bool) {
	if full.Fresh() {
		return "", "", false
	}
	if full.Kind == shell.Literal {
		return c.behindLink(k, e)
	}
	tail = full.Suffix()
	if dir := path.Dir(full.Prefix() + "x"); len(dir) > 1 && dir[0] == '/' {
		below = c.cleaned(dir)
	}
	tail = strings.TrimPrefix(path.Clean("/"+tail), "/")
	return tail, below, tail != "" && len(tail) <= 4096 && c.spend(len(tail)/wordBytes)
}

// behindLink is unplaced for what lies behind a link that the line makes to a place that it does not tell.
func (c *checker) behindLink(k *call, e *effect) (tail, below string, ok bool) {
	if len(c.links) == 0 {
		return "", "", false
	}
	abs, known := c.absolute(k, e.text)
	for i := range c.links {
		if l := &c.links[i]; known && l.from == "" && l.at < k.index && c.spend(costPlace/2) {
			if rest, in := c.under(abs, l.to); in && rest != "" {
				return rest, "", true
			}
		}
	}
	return "", "", false
}

// endsAs reports a path that ends in the names of another one, which may be patterns that begin with some letters.
func (c *checker) endsAs(p, tail string) bool {
	if !strings.ContainsAny(tail, "*?[") {
		rest, ok := strings.CutSuffix(p, tail)
		if c.in.Fold && len(p) >= len(tail) {
			rest, ok = p[:len(p)-len(tail)], strings.EqualFold(p[len(p)-len(tail):], tail)
		}
		return ok && strings.HasSuffix(rest, "/")
	}
	const letters = 2 // that a pattern begins with, so that it is about few names
	if i := strings.IndexAny(path.Base(tail), "*?["); i >= 0 && i < letters {
		return false
	}
	parts := strings.Count(tail, "/") + 1
	at := len(p)
	for ; parts > 0 && at > 0; parts-- {
		at = strings.LastIndexByte(p[:at], '/')
	}
	return parts == 0 && at >= 0 && c.spend(len(tail)*len(p)/globBytes) && shellGlob(tail, p[at+1:])
}
