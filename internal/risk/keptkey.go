package risk

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A folder for keys holds nothing else, so what lies in it is one whatever it is called: secrets/stripe, keys/signing. Packages and manifests
// are called so as well. Git holds those, and ignores keys.

// keptKey reports a file in a folder for keys that is kept from others: Git ignores it, or does not hold it and its owner alone may read it.
// What is encrypted is none, and neither is what a build or a package manager puts there.
func (c *checker) keptKey(p string) bool {
	if c.in.Ignored == nil || c.in.Regular == nil || !c.keyPlace(p) || !c.spend(costSettings) || !c.in.Regular(p) {
		return false
	}
	if c.in.Ignored(p) {
		return true
	}
	return c.in.OwnersAlone != nil && c.in.OwnersAlone(p) && (c.in.SettingsAt == nil || !c.inIndex(path.Dir(p), p))
}

// nearFolders is how many parts at the end of a path tell what a file there is for: its name and two folders.
const nearFolders = 3

// keyPlace reports a path in a folder for keys by the names alone.
func (c *checker) keyPlace(p string) bool {
	rel := lastParts(p, nearFolders) // of a path elsewhere the folders further up are of whoever keeps projects there
	if c.in.Root != "" && lies(p, c.in.Root) {
		rel = c.rel(p)
	}
	low := strings.ToLower(rel)
	named := c.set.kept(rel) || c.set.members("files-of-keys").Meets(func(name string) bool { return glob(name, lastParts(low, 1+strings.Count(name, "/"))) })
	return named && c.names(rel, false)&rule.Build == 0 &&
		!c.set.members("encrypted-keys").Meets(func(name string) bool { return glob(name, path.Base(low)) }) &&
		!c.amongExamples(low)
}

// amongExamples reports a path in a folder for examples and what tests need.
func (c *checker) amongExamples(rel string) bool {
	rel = "/" + strings.ToLower(rel)
	return c.set.members("folders-of-examples").Meets(func(dir string) bool { return strings.Contains(rel, "/"+dir+"/") })
}

// opensSecrets reports a whole folder for keys, or a pattern in one, with a key in what is meant.
func (m *match) opensSecrets(e *effect) bool {
	c, k := m.c, m.call
	t := c.locate(k, e)
	dir := t.Path
	if t.Pattern != "" {
		dir = path.Dir(t.Pattern)
	}
	if k.away() || t.Class&rule.Unknown != 0 || t.Pattern == "" && e.kind&rule.ChmodTree == 0 || !c.keyPlace(dir+"/x") {
		return false
	}
	list := c.secretsBelow(dir, func(p, _ string) bool { return t.Pattern == "" || c.patternTakes(t.Pattern, p, false) })
	m.detail = strings.Join(list, ", ")
	return len(list) > 0
}

// modeShown reports a mode that lets everybody read; "+r" alone obeys the umask.
func (m *match) modeShown() bool {
	if len(m.call.operands) == 0 {
		return false
	}
	mode := m.call.operand(0)
	if n, err := strconv.ParseUint(mode, 8, 16); err == nil {
		return n&0o004 != 0
	}
	return slices.ContainsFunc(strings.Split(mode, ","), func(clause string) bool {
		who, what, ok := cutAny(clause, "+=")
		return ok && strings.ContainsAny(who, "oa") && strings.Contains(what, "r")
	})
}

// keepsAside reports a copy, within the project, of files of credentials that Git ignores to a name that it ignores as well, and that is in no
// folder which a build makes and others may get to see.
func (m *match) keepsAside() bool {
	c, k := m.c, m.call
	if k.away() || !c.set.In("copies-files", k.raw) {
		return false
	}
	from, to := 0, 0
	for i := range k.effects {
		e := &k.effects[i]
		t := *c.locate(k, e)
		c.ignored(&t)
		aside := e.known && !e.glob && t.Class&rule.Inside != 0 && t.Ignored && t.Names&rule.Build == 0 &&
			!c.set.members("folders-shown").Meets(func(dir string) bool { return strings.Contains("/"+c.rel(t.Path)+"/", "/"+dir+"/") })
		switch {
		case !aside:
			return false
		case e.kind&rule.Read != 0:
			from++
		case e.kind&rule.Write != 0:
			to++
		default:
			return false
		}
	}
	return from > 0 && to > 0
}
