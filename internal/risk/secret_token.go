package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// The command-line tools of services print their own tokens. On the screen that is a
// credential in the conversation; in the header of a request to the same service it is
// what the tools offer it for.

// tokenUsed reports that nobody gets to see what a call prints: it becomes a value or a
// word of another program, a program takes it for a password, or it goes nowhere.
func (m *match) tokenUsed() bool {
	c, k := m.c, m.call
	for i := range k.cmd.Redirects {
		if r := &k.cmd.Redirects[i]; (r.Fd == 1 || r.Fd == -1) && r.Target.Is("/dev/null") {
			return true
		}
	}
	if !k.cmd.Substituted {
		return c.takesPassword(k.cmd.PipeTo, make([]bool, len(c.calls)))
	}
	if !c.spend(len(c.calls) / costCalls) {
		return false
	}
	for i := range c.calls {
		q := &c.calls[i]
		shown := (c.set.In("shows-words", q.raw) || c.set.In("shows-files", q.raw)) && !q.cmd.Substituted
		same := func(p *call) bool { return p == k }
		if shown && (c.wordsFrom(q, same) || c.upstream(q, make([]bool, len(c.calls)), same)) && !c.takesPassword(q.cmd.PipeTo, make([]bool, len(c.calls))) {
			return false
		}
	}
	return true
}

// takesPassword reports that one of the calls, or one behind them, reads a password.
func (c *checker) takesPassword(list []int, seen []bool) bool {
	for _, i := range list {
		if i < 0 || i >= len(c.calls) || seen[i] {
			continue
		}
		seen[i] = true
		q := &c.calls[i]
		for o := range q.options {
			if c.set.In("takes-password", q.options[o].name) {
				return true
			}
		}
		if q.raw == "wc" || c.takesPassword(q.cmd.PipeTo, seen) {
			return true
		}
	}
	return false
}

// foreignToken reports a request that carries the token of one service to a machine of
// which its tool knows nothing. An address that only the shell knows is not asked about:
// services that one deploys oneself are called so.
func (m *match) foreignToken() bool {
	c, k := m.c, m.call
	var from *call
	tool := func(p *call) bool {
		if c.set.hosts(p.name) == "" {
			return false
		}
		for n := range min(3, len(p.operands)) {
			if strings.Contains(p.operand(n), "token") {
				from = p
				return true
			}
		}
		return false
	}
	if !c.wordsFrom(k, tool) && !c.upstream(k, make([]bool, len(c.calls)), tool) {
		return false
	}
	for _, i := range k.operands {
		host, ok := hostOf(&k.cmd.Args[i])
		if !ok || c.set.isLocal(host) || from.given([]string{"-h=" + host, "--hostname=" + host}) {
			continue
		}
		known := false
		for g := range c.set.hosts(from.name).All() {
			known = known || globFold(g, host) || globFold("*."+g, host)
		}
		if !known {
			m.detail = host
			return true
		}
	}
	return false
}

// hosts are the names of the machines that a tool's token is for.
func (s *Set) hosts(program string) rule.Texts {
	for ; s != nil; s = s.More {
		for i := range s.Groups {
			if g := &s.Groups[i]; strings.TrimPrefix(g.ID, "hosts-of-") == program {
				return g.Words
			}
		}
	}
	return ""
}

// hostOf is the machine in an address, as far as the line tells.
func hostOf(w *shell.Word) (host string, ok bool) {
	_, rest, ok := strings.Cut(w.Prefix(), "://")
	if !ok {
		return "", false
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 && w.Kind != shell.Literal {
		return "", false
	}
	if end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	host, _, _ = strings.Cut(rest, ":")
	return host, host != ""
}
