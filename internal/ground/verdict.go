package ground

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/risk"
)

// Real is a verdict with its paths as the file system has them: a project may be known by a link, and what is saved is named below
// the folder in which it really lies. The last element is not followed: a link that is deleted is the link.
func Real(v *risk.Verdict) *risk.Verdict {
	c, l := *v, new(links)
	real := func(p string) string {
		dir, name := filepath.Split(p)
		if !filepath.IsAbs(p) || name == "" {
			return p
		}
		return filepath.Join(l.Follow(filepath.Clean(dir)), name)
	}
	all := func(list []string) []string {
		out := make([]string, len(list))
		for i, p := range list {
			out[i] = real(p)
		}
		return out
	}
	c.Targets, c.Vault, c.Touched, c.Hits = all(v.Targets), all(v.Vault), all(v.Touched), slices.Clone(v.Hits)
	for i := range c.Hits {
		hit := &c.Hits[i]
		hit.Targets = slices.Clone(hit.Targets)
		for j := range hit.Targets {
			t := &hit.Targets[j]
			t.Path = real(t.Path)
			if at := strings.IndexAny(t.Pattern, "*?["); at >= 0 {
				dir, name := filepath.Split(t.Pattern[:at])
				t.Pattern = filepath.Join(real(dir+"x"), "..") + string(filepath.Separator) + name + t.Pattern[at:]
			}
		}
	}
	return &c
}
