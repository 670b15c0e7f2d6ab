package risk

import (
	"slices"
	"strings"
)

// configured are Git's settings of a section where the call works, as "key value"; ok is false where nobody can tell.
func (m *match) configured(section string) (list []string, ok bool) {
	c, k := m.c, m.call
	if c.in.Configured == nil || k.away() {
		return nil, true
	}
	dir, known := c.absolute(k, k.folder())
	if !known {
		dir = c.in.Dir // "cd $(pwd)": most likely the project
	}
	if !c.spend(costSettings) {
		return nil, false
	}
	return c.in.Configured(dir, section)
}

// fetchesOver reports settings that make a fetch write over, or delete, references of this repository's own: a mirror, tags that are pruned.
func (m *match) fetchesOver() bool {
	remotes, ok := m.configured("remote")
	fetch, also := m.configured("fetch")
	if !ok || !also {
		return true
	}
	prunes := m.call.given([]string{"-p", "--prune"}) || m.call.sub("remote prune", nil)
	tags := false
	for _, one := range slices.Concat(fetch, remotes) {
		key, value, _ := strings.Cut(one, " ")
		on := !m.c.isFalse(value)
		prunes = prunes || on && strings.HasSuffix(key, ".prune")
		tags = tags || on && strings.HasSuffix(key, ".prunetags")
	}
	if prunes && tags {
		return true
	}
	return slices.ContainsFunc(remotes, func(one string) bool {
		key, spec, _ := strings.Cut(one, " ")
		_, to, has := strings.Cut(spec, ":")
		if !strings.HasSuffix(key, ".fetch") || !has || to == "" || strings.HasPrefix(to, "refs/remotes/") {
			return false
		}
		return prunes || strings.HasPrefix(spec, "+")
	})
}

// dropsBySetting reports settings under which git gc keeps nothing that only lost references hold.
func (m *match) dropsBySetting() bool {
	list, ok := m.configured("gc")
	return !ok || slices.ContainsFunc(list, func(one string) bool {
		key, value, _ := strings.Cut(strings.ToLower(one), " ")
		return strings.HasSuffix(key, "expire") && expiresNow(value) || strings.HasSuffix(key, "expireunreachable") && expiresNow(value)
	})
}

// expiresNow tells a time that spares nothing.
func expiresNow(value string) bool {
	return value == "now" || value == "all" || strings.HasPrefix(value, "0")
}
