package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Refilled reports a path in, or that is, a folder that a package manager fills again by the lock file beside it. Whether Git ignores the
// folder is for the caller to say: one that Git holds is the project's.
func (s *Set) Refilled(p string, exists func(string) bool) bool {
	for ; s != nil; s = s.More {
		if slices.ContainsFunc(s.Restored, func(r rule.Restored) bool { return restores(&r, p, exists) }) {
			return true
		}
	}
	return false
}

func restores(r *rule.Restored, p string, exists func(string) bool) bool {
	for at := 0; ; {
		i := strings.Index(p[at:], r.Folder)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(r.Folder)
		if i > 0 && p[i-1] != '/' || at < len(p) && p[at] != '/' {
			continue
		}
		if !slices.ContainsFunc(r.Beside, func(name string) bool { return !exists(path.Join(p[:i], name)) }) {
			return true
		}
	}
}

// Laid reports credentials directly in a folder that a package manager fills: what lies in its packages came with them. Both paths are
// relative to the project.
func (s *Set) Laid(p, dir string) bool {
	c := checker{set: s}
	return path.Dir(p) == path.Clean(dir) && c.names(dir, false)&rule.Build == 0 && c.names(p, false)&rule.Secret != 0
}

// restored gives a folder that Git ignores, and that a package manager fills again, the standing of what a build makes.
func (c *checker) restored(k *call, t *Target) {
	if c.in.Exists == nil || c.in.Ignored == nil || t.Names&rule.Build != 0 || t.Class&rule.Inside == 0 || t.Class&rule.Unknown != 0 || k.away() {
		return
	}
	if rest, below := strings.CutPrefix(t.Path, c.in.Root+"/"); below && c.set.Refilled(rest, func(p string) bool { return c.in.Exists(path.Join(c.in.Root, p)) }) && c.in.Ignored(t.Path) {
		t.Names |= rule.Build
	}
}
