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
func (m *match) secretFlow() bool {
	c, k := m.c, m.call
	if c.touchesSecret(k) {
		return true
	}
	return c.upstream(k, make([]bool, len(c.calls)), c.touchesSecret) || c.wordsFrom(k, c.touchesSecret)
}

// touchesSecret reports that a call reads a secret file's content.
func (c *checker) touchesSecret(k *call) bool {
	if k.secrets != 0 {
		return k.secrets == 2
	}
	k.secrets = 1
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&(rule.Read|rule.Send) != 0 && c.locate(k, e).Names&(rule.Secret|rule.SecretDir|rule.Key) != 0 {
			k.secrets = 2
			return true
		}
	}
	return false
}

// wordsFrom reports whether a call whose output is part of k's words is as asked.
func (c *checker) wordsFrom(k *call, is func(*call) bool) bool {
	for i := range k.cmd.Args {
		for j := range k.cmd.Args[i].Parts {
			for _, p := range k.cmd.Args[i].Parts[j].From {
				if p < 0 || p >= len(c.calls) {
					continue
				}
				if is(&c.calls[p]) || c.upstream(&c.calls[p], make([]bool, len(c.calls)), is) {
					return true
				}
			}
		}
	}
	return false
}

// unknownCode reports that a shell or an interpreter runs text that is not on
// the line and not in a file either.
func (m *match) unknownCode() bool {
	code := m.call.cmd.Code
	if code == nil || code.Seen || code.From == shell.FromFile && len(code.Text.From()) == 0 {
		return false
	}
	if code.From == shell.FromStdin && m.call.cmd.Stdin == nil && len(m.call.cmd.PipeFrom) == 0 {
		return false // waits for a person
	}
	return true
}

// runsInput reports that what flows into a call is run, not only read: "| sh",
// "sh -c $(…)", "source <(…)", but not "| python -c 'known text'".
func runsInput(k *call) bool {
	code := k.cmd.Code
	if code == nil {
		switch k.name {
		case "eval", "source", ".", "iex", "Invoke-Expression":
			return true
		}
		return false
	}
	if code.From == shell.FromStdin || len(code.Text.From()) > 0 {
		return true
	}
	return code.From == shell.FromFile && (strings.HasPrefix(code.Text.Text, "/dev/stdin") || strings.HasPrefix(code.Text.Text, "/dev/fd/") || strings.HasPrefix(code.Text.Text, "/proc/self/fd/"))
}

// runsDownloaded reports that a call runs a file which a call before it fetched.
func (c *checker) runsDownloaded(k *call) bool {
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&rule.Run == 0 {
			continue
		}
		target := c.locate(k, e).Path
		for j := range c.calls[:k.index] {
			p := &c.calls[j]
			for n := range p.effects {
				w := &p.effects[n]
				if w.kind&(rule.Write|rule.Append) == 0 || c.locate(p, w).Path != target {
					continue
				}
				if downloads(p) || c.upstream(p, make([]bool, len(c.calls)), downloads) {
					return true
				}
			}
		}
	}
	return false
}

func downloads(k *call) bool {
	switch k.name {
	case "curl", "wget", "aria2c", "fetch", "http", "https", "scp", "sftp", "nc", "axel", "lwp-download", "xh":
		return true
	}
	return false
}

// reverseShell reports a shell that is tied to a network connection.
func (m *match) reverseShell() bool {
	k := m.call
	for i := range k.cmd.Redirects {
		t := k.cmd.Redirects[i].Target.Text
		if strings.HasPrefix(t, "/dev/tcp/") || strings.HasPrefix(t, "/dev/udp/") {
			return isShell(k.name) || k.name == "exec" || len(k.cmd.Args) == 0
		}
	}
	return false
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "fish", "pwsh", "powershell", "cmd", "csh", "tcsh":
		return true
	}
	return false
}
