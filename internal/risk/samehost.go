package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// publishesHere reports that a word names an address of this machine, and none one of another.
func (m *match) publishesHere() bool {
	here := false
	for i := range m.call.cmd.Args {
		host, ok := hostOf(&m.call.cmd.Args[i])
		if ok && !m.c.set.isLocal(host) {
			return false
		}
		here = here || ok
	}
	return here
}

// registryHere reports that a variable which the task is given leads to a registry on this machine: DOCKER_REPO=localhost:5000.
func (m *match) registryHere() bool {
	k := m.call
	here := func(value string) bool {
		host, _, _ := strings.Cut(value, "/")
		host, _, port := strings.Cut(host, ":")
		return port && m.c.set.isLocal(host)
	}
	return slices.ContainsFunc(k.operands, func(i int) bool {
		_, value, set := strings.Cut(k.cmd.Args[i].Text, "=")
		return set && here(value)
	}) || slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool { return here(a.Value.Text) })
}

// indexElsewhere reports a variable, set for the call, that leads to packages of another machine than those from which they come by default.
func (m *match) indexElsewhere() bool {
	set := m.c.set
	return slices.ContainsFunc(m.call.cmd.Assigns, func(a shell.Assign) bool {
		host, ok := hostOf(&a.Value)
		host, _, _ = strings.Cut(host, ",") // GOPROXY=https://a,direct
		return ok && set.In("variables-of-indexes", a.Name) && !set.isLocal(host) && !set.members("known-indexes").Meets(func(g string) bool { return globFold(g, host) })
	})
}

// sameHost reports a setting url.NEW.insteadOf OLD whose addresses are of one machine. What would no longer be encrypted is another thing.
func (m *match) sameHost() bool {
	k := m.call
	ops := k.operands[min(m.skip, len(k.operands)):]
	if len(ops) != 2 {
		return false
	}
	name, old := strings.ToLower(k.cmd.Args[ops[0]].Text), strings.ToLower(k.cmd.Args[ops[1]].Text)
	to, ok := strings.CutPrefix(name, "url.")
	if i := strings.LastIndexByte(to, '.'); ok && i >= 0 {
		to = to[:i]
	}
	host := gitHost(to)
	return ok && host != "" && host == gitHost(old) && (strings.HasPrefix(to, "ssh://") || strings.HasPrefix(to, "https://") || !strings.Contains(to, "://"))
}

// gitHost is the machine in an address of Git, with or without a scheme: https://HOST/, git@HOST:a/b.
func gitHost(address string) string {
	_, rest, scheme := strings.Cut(address, "://")
	if !scheme {
		rest = address
	}
	before, _, _ := strings.Cut(rest, "/")
	rest = rest[strings.LastIndexByte(before, '@')+1:]
	end := strings.IndexAny(rest, "/:")
	if end < 0 || !scheme && rest[end] != ':' {
		return ""
	}
	return rest[:end]
}
