package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Flows are what single commands do not show: a secret that is read here and
// sent there, a file that is fetched here and run there.

// secretFlow reports that a program which talks to other machines is given the
// content of a secret file: as an operand, by redirection or through pipes.
func (m *match) secretFlow() bool { return m.c.touchesSecret(m.call) || m.secretWords() }

// secretWords is secretFlow for what the line hands over as text, and not as a file; through variables, too.
func (m *match) secretWords() bool {
	c, k := m.c, m.call
	if c.upstream(k, make([]bool, len(c.calls)), c.touchesSecret) || m.leaks(c.loadedNames(k), true) {
		return true
	}
	// A value that was picked out of the file and is given as the credential is what a service asks for, as a variable's is.
	for i := 1; i < len(k.cmd.Args); i++ {
		seen := make([]bool, len(c.calls))
		if m.givesCredential(i) {
			c.pickedOut(&k.cmd.Args[i], seen)
		}
		if c.wordFromBut(&k.cmd.Args[i], seen, c.touchesSecret) {
			return true
		}
	}
	return false
}

// pickedOut marks what a value of one name was picked out of, on its way into a word: "grep KEY .env", "cat .env | grep KEY".
func (c *checker) pickedOut(w *shell.Word, seen []bool) {
	for i := range seen {
		if p := &c.calls[i]; c.spend(1) && (c.picksOne(p) || c.oneValue(p)) && c.wordFrom(w, func(q *call) bool { return q == p }) {
			seen[i] = true
			c.upstream(p, seen, func(*call) bool { return false })
		}
	}
}

// sendsSecretFile reports a program that is itself given a file with credentials to send.
func (m *match) sendsSecretFile() bool {
	for i := range m.call.effects {
		if e := &m.call.effects[i]; e.kind&rule.Send != 0 && m.c.locate(m.call, e).Names&(rule.Secret|rule.SecretDir|rule.Key) != 0 {
			return true
		}
	}
	return false
}

// touchesSecret reports that a call reads a secret file's content.
func (c *checker) touchesSecret(k *call) bool {
	if k.secrets != 0 {
		return k.secrets == 2
	}
	k.secrets = 1
	// while read -r line; do …; done < .env: what it reads shows in no output, but in the variable.
	if in := k.cmd.Stdin; in != nil && in.Op == "<" && c.set.In("reads-into-variables", k.raw) {
		if p, ok := c.absolute(k, in.File.Text); ok && c.names(p, false)&(rule.Secret|rule.Key) != 0 {
			k.secrets = 2
			return true
		}
	}
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&(rule.Read|rule.Send|rule.Move|rule.Link) == 0 {
			continue
		}
		if t := c.locate(k, e); t.Names&(rule.Secret|rule.SecretDir|rule.Key) != 0 || c.copied(k, t.Path) {
			k.secrets = 2
			return true
		}
	}
	return false
}

// copied reports that a call before k wrote a secret to path, or into it.
func (c *checker) copied(k *call, path string) bool {
	before := c.calls[:min(k.index, len(c.calls))]
	if !c.spend(len(before) / costCalls) {
		return false
	}
	for j := range before {
		p := &c.calls[j]
		if p.kinds&(rule.Write|rule.Append) == 0 {
			continue
		}
		for n := range p.effects {
			w := &p.effects[n]
			if w.kind&(rule.Write|rule.Append) == 0 || !c.spend(1) {
				continue
			}
			if to := c.locate(p, w).Path; to != path && !strings.HasPrefix(to, path+"/") && !strings.HasPrefix(path, to+"/") {
				continue
			}
			if c.touchesSecret(p) || c.upstream(p, make([]bool, len(c.calls)), c.touchesSecret) {
				return true
			}
		}
	}
	return false
}

// wordsFrom reports whether a call whose output is part of k's words is as asked.
func (c *checker) wordsFrom(k *call, is func(*call) bool) bool {
	for i := range k.cmd.Args {
		if c.wordFrom(&k.cmd.Args[i], is) {
			return true
		}
	}
	return false
}

// assignsFrom is wordsFrom for the variables that are set for the call.
func (c *checker) assignsFrom(k *call, is func(*call) bool) bool {
	for i := range k.cmd.Assigns {
		if c.wordFrom(&k.cmd.Assigns[i].Value, is) {
			return true
		}
	}
	return false
}

func (c *checker) wordFrom(w *shell.Word, is func(*call) bool) bool {
	return c.wordFromBut(w, nil, is)
}

// wordFromBut is wordFrom without the calls that were seen, and without what feeds those alone.
func (c *checker) wordFromBut(w *shell.Word, seen []bool, is func(*call) bool) bool {
	for j := range w.Parts {
		for _, p := range w.Parts[j].From {
			if p < 0 || p >= len(c.calls) || seen != nil && seen[p] {
				continue
			}
			visited := make([]bool, len(c.calls))
			copy(visited, seen)
			if is(&c.calls[p]) || c.upstream(&c.calls[p], visited, is) {
				return true
			}
		}
	}
	return false
}

// fedByList reports that a program was reached through something that appends
// the lines of a list to its arguments.
func fedByList(k *call) bool { return reachedThrough(k, "xargs", "parallel") }

// reachedThrough reports whether one of the programs runs the call.
func reachedThrough(k *call, programs ...string) bool {
	for i := range k.cmd.Via {
		whole := k.cmd.Via[i].Name
		if name, _, _ := strings.Cut(whole, " "); contains(programs, name) || contains(programs, whole) {
			return true
		}
	}
	return false
}

// insecure reports a download whose sender nobody checked.
func insecure(k *call) bool {
	if k.name != "curl" && k.name != "wget" {
		return false
	}
	if k.given([]string{"-k", "--insecure", "--no-check-certificate"}) {
		return true
	}
	for _, i := range k.operands {
		if strings.HasPrefix(k.cmd.Args[i].Text, "http://") && !strings.HasPrefix(k.cmd.Args[i].Text, "http://localhost") && !strings.HasPrefix(k.cmd.Args[i].Text, "http://127.") {
			return true
		}
	}
	return false
}

// reverseShell reports a shell that is tied to a network connection. Reading from a
// socket by nobody is the usual test whether a port is open.
func (m *match) reverseShell() bool {
	k := m.call
	for i := range k.cmd.Redirects {
		r := &k.cmd.Redirects[i]
		if host, ok := socketHost(r.Target.Text); ok && !m.c.set.isLocal(host) {
			return m.c.set.shell(k.name) || k.name == "exec" || len(k.cmd.Args) == 0 && r.Op != "<"
		}
	}
	return false
}

// socketHost is the host of bash's /dev/tcp/HOST/PORT.
func socketHost(p string) (host string, ok bool) {
	rest, tcp := strings.CutPrefix(p, "/dev/tcp/")
	if !tcp {
		if rest, ok = strings.CutPrefix(p, "/dev/udp/"); !ok {
			return "", false
		}
	}
	host, _, _ = strings.Cut(rest, "/")
	return host, true
}

func (s *Set) isLocal(host string) bool { return s.In("this-machine", host) }

// carriesOutput reports that the output of another program is part of an operand.
func (m *match) carriesOutput() bool {
	k := m.call
	for _, i := range k.operands {
		w := &k.cmd.Args[i]
		if w.Kind != shell.Partial {
			continue // a list of addresses, not an address with something in it
		}
		if last := w.Parts[len(w.Parts)-1]; !last.Unknown && m.c.ends("local-domains", last.Text) {
			continue // the name is not asked for outside
		}
		for j := range w.Parts {
			for _, p := range w.Parts[j].From {
				if p < 0 || p >= len(m.c.calls) {
					continue
				}
				if m.c.set.In("reads-into-variables", m.c.calls[p].raw) {
					continue // a list of addresses, line by line
				}
				// What encodes a file for an address counts, whatever trims it afterwards.
				encodes := func(q *call) bool { return m.c.set.In("encoders", q.raw) }
				if last := &m.c.calls[p]; !m.c.set.In("everyday-output", last.raw) || m.c.upstream(last, make([]bool, len(m.c.calls)), encodes) {
					return true
				}
			}
		}
	}
	return false
}
