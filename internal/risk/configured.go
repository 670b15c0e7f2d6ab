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
	k := m.call
	if k.sub("remote prune", nil) && k.given([]string{"-n", "--dry-run"}) {
		return false // of fetch, -n is --no-tags
	}
	remotes, fetch, ok := m.fetching()
	if !ok {
		return true
	}
	prunes := k.given([]string{"-p", "--prune"}) || k.sub("remote prune", nil)
	force := k.given([]string{"-f", "--force"}) && !k.sub("remote", nil)
	tags, all := false, k.given([]string{"-t", "--tags"}) || len(k.operands) > 2 && slices.ContainsFunc(k.operands[1:], func(i int) bool { return k.cmd.Args[i].Text == "tag" })
	for _, one := range slices.Concat(fetch, remotes) {
		key, value, _ := strings.Cut(one, " ")
		on := !m.c.isFalse(value)
		prunes = prunes || on && strings.HasSuffix(key, ".prune")
		tags = tags || on && strings.HasSuffix(key, ".prunetags")
		all = all || strings.HasSuffix(key, ".tagopt") && value == "--tags"
	}
	if prunes && tags || force && all {
		return true
	}
	return slices.ContainsFunc(remotes, func(one string) bool {
		key, spec, _ := strings.Cut(one, " ")
		_, to, has := strings.Cut(spec, ":")
		if !strings.HasSuffix(key, ".fetch") || !has || to == "" || strings.HasPrefix(to, "refs/remotes/") {
			return false
		}
		return prunes || force || strings.HasPrefix(spec, "+")
	})
}

// fetching are the settings of remotes and of fetch that a call works under, those that it brings itself (-c) last.
func (m *match) fetching() (remotes, fetch []string, ok bool) {
	remotes, ok = m.configured("remote")
	fetch, also := m.configured("fetch")
	for i := range m.call.options {
		key, value, has := strings.Cut(m.call.options[i].value, "=")
		if key = strings.ToLower(key); m.call.options[i].name != "-c" {
			continue
		}
		if !has {
			value = "true"
		}
		switch {
		case strings.HasPrefix(key, "remote."):
			remotes = append(remotes, key+" "+value)
		case strings.HasPrefix(key, "fetch."):
			fetch = append(fetch, key+" "+value)
		}
	}
	return remotes, fetch, ok && also
}

// fetchesCheckpoints reports that a fetch deletes the references below which checkpoints are: a mirror of all that the other side has,
// and what it does not have goes.
func (m *match) fetchesCheckpoints() bool {
	k := m.call
	if k.sub("remote prune", nil) && k.given([]string{"-n", "--dry-run"}) {
		return false
	}
	remotes, fetch, ok := m.fetching()
	prunes := k.given([]string{"-p", "--prune"}) || k.sub("remote prune", nil)
	mirror := false
	for _, one := range slices.Concat(fetch, remotes) {
		key, value, _ := strings.Cut(one, " ")
		prunes = prunes || strings.HasSuffix(key, ".prune") && !m.c.isFalse(value)
		if _, to, has := strings.Cut(value, ":"); has && strings.HasSuffix(key, ".fetch") {
			below, star, _ := strings.Cut(to, "*")
			mirror = mirror || strings.HasPrefix(below, "refs/moai") || strings.HasPrefix("refs/moai/", below) && len(below)+len(star) < len(to)
		}
	}
	return prunes && (mirror || !ok)
}

// cleans reports that git clean deletes. Without -f it does where clean.requireForce is off: in a file, on the line, or in variables of
// Git's that name a setting or a file of them.
func (m *match) cleans() bool {
	if m.call.given([]string{"-f", "--force"}) {
		return true
	}
	low := strings.ToLower(m.c.in.Command)
	if strings.Contains(low, "clean.requireforce") || strings.Contains(low, "git_config_") {
		return true
	}
	list, ok := m.configured("clean")
	return !ok || slices.ContainsFunc(list, func(one string) bool {
		key, value, _ := strings.Cut(one, " ")
		return strings.EqualFold(key, "clean.requireForce") && m.c.isFalse(value)
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
