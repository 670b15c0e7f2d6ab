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
	for j := range c.calls[:min(k.index, len(c.calls))] {
		p := &c.calls[j]
		if p.kinds&(rule.Write|rule.Append) == 0 {
			continue
		}
		for n := range p.effects {
			w := &p.effects[n]
			if w.kind&(rule.Write|rule.Append) == 0 {
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

// unknownCode reports that a shell runs text that is not on the line and not in
// a file that the line names; an interpreter too, when a list feeds it.
func (m *match) unknownCode() bool {
	code := m.call.cmd.Code
	if code != nil && code.Fed {
		return true // a list decides what runs
	}
	if code == nil || code.Seen || code.Text.Text == "" && code.From == shell.FromArg {
		return false
	}
	if code.Lang != "sh" && code.Lang != "powershell" && code.Lang != "cmd" && !fedByList(m.call) {
		return false
	}
	switch code.From {
	case shell.FromStdin:
		in := m.call.cmd.Stdin
		// Without input it waits for a person; a file's name can be read by all.
		return in != nil && (in.Op != "<" || in.File.Kind != shell.Literal) || len(m.call.cmd.PipeFrom) > 0
	case shell.FromFile:
		return code.Text.Kind == shell.Unknown || code.Text.Kind == shell.Partial && fedByList(m.call)
	}
	// "prefix $X": the program is there to see, only an argument is not.
	return code.Text.Kind == shell.Unknown || code.Text.Kind == shell.Partial && code.Text.Parts[0].Unknown
}

// fedByList reports that a program was reached through something that appends
// the lines of a list to its arguments.
func fedByList(k *call) bool { return reachedThrough(k, "xargs", "parallel") }

// reachedThrough reports whether one of the programs runs the call.
func reachedThrough(k *call, programs ...string) bool {
	for i := range k.cmd.Via {
		if name, _, _ := strings.Cut(k.cmd.Via[i].Name, " "); contains(programs, name) {
			return true
		}
	}
	return false
}

// actsDestructively looks at the arguments of a program whose name is unknown:
// what deletes by name under rm or git would be no accident here.
func (m *match) actsDestructively() bool {
	k := m.call
	if k.given([]string{"-r", "-R", "--recursive"}) && k.given([]string{"-f", "--force"}) || k.given([]string{"--hard"}) || k.given([]string{"--no-preserve-root"}) {
		return true
	}
	if !k.given([]string{"-r", "-R", "--recursive", "-f", "--force", "-delete"}) {
		return false
	}
	for _, i := range k.operands {
		w := &k.cmd.Args[i]
		e := effect{kind: rule.DeleteTree, word: w, text: w.Text, known: w.Kind == shell.Literal, glob: w.Glob}
		if m.c.placeOf(k, &e).Class&(rule.Root|rule.Home|rule.System|rule.Parent) != 0 {
			return true
		}
	}
	return false
}

// carriesCommand judges what follows the name of a program that moai knows
// nothing about as if that program ran it, as proxies and runners do.
func (m *match) carriesCommand() bool {
	k := m.call
	if k.prog != nil || k.name == "" || k.carried || m.c.set.In("prints-words", k.name) || len(m.c.set.ByProgram(k.name)) > 0 {
		return false
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		w := &k.cmd.Args[i]
		if w.Kind != shell.Literal || w.Quoted || !m.carriable(w.Text) {
			continue
		}
		line := make([]string, 0, len(k.cmd.Args)-i)
		for _, a := range k.cmd.Args[i:] {
			if a.Kind != shell.Literal {
				return false
			}
			line = append(line, a.Text)
		}
		inner := *m.c.in
		inner.Command, inner.Mode = Quote(line), Standard
		sub := checker{set: m.c.set, in: &inner, carried: true}
		sub.line()
		for j := range sub.hits {
			if sub.hits[j].Rule != m.rule {
				m.detail = sub.hits[j].Rule.ID
				return true
			}
		}
		return false
	}
	return false
}

// carriable tells the programs whose name after another program's is taken for
// a command; more names would make prose of arguments.
func (m *match) carriable(name string) bool {
	return m.c.set.In("runs-anything", name[strings.LastIndexByte(name, '/')+1:]) || strings.HasPrefix(name, "mkfs.")
}

// runsInput reports that what flows into a call is run, not only read: "| sh",
// "sh -c $(…)", "source <(…)", but not "| python -c 'known text'".
func runsInput(k *call) bool {
	code := k.cmd.Code
	if code == nil {
		switch k.name {
		case "eval", "source", ".", "invoke-expression":
			return true
		}
		return false
	}
	if code.From == shell.FromStdin || len(code.Text.From()) > 0 {
		return true
	}
	return code.From == shell.FromFile && (strings.HasPrefix(code.Text.Text, "/dev/stdin") || strings.HasPrefix(code.Text.Text, "/dev/fd/") || strings.HasPrefix(code.Text.Text, "/proc/self/fd/"))
}

// runsWritten reports that a call runs a file which a call before it wrote with
// the output of a program that is as asked.
func (c *checker) runsWritten(k *call, is func(*call) bool) bool {
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
				if is(p) || c.upstream(p, make([]bool, len(c.calls)), is) {
					return true
				}
			}
		}
	}
	return false
}

func (c *checker) decodes(k *call) bool { return c.set.In("decodes", k.raw) }

func (c *checker) downloads(k *call) bool { return c.set.In("downloads", k.name) }

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

// carriesOutput reports that the output of another program is part of an operand.
func (m *match) carriesOutput() bool {
	k := m.call
	for _, i := range k.operands {
		w := &k.cmd.Args[i]
		if w.Kind != shell.Partial {
			continue // a list of addresses, not an address with something in it
		}
		for j := range w.Parts {
			for _, p := range w.Parts[j].From {
				if p >= 0 && p < len(m.c.calls) && !m.c.set.In("everyday-output", m.c.calls[p].raw) {
					return true
				}
			}
		}
	}
	return false
}

// programText is what an interpreter runs, where the line shows it.
func (k *call) programText() string {
	code := k.cmd.Code
	if code == nil || code.Lang == "sh" || code.From == shell.FromFile {
		return ""
	}
	return code.Text.Text
}

// codeConnectsShell looks for a socket and a shell in one short program. Each
// alone is everyday.
func (m *match) codeConnectsShell() bool {
	text := m.call.programText()
	if text == "" {
		return false
	}
	connects := false
	for _, s := range [...]string{"socket", "Socket", "TCPSocket", "fsockopen", "/inet/tcp", "net.connect", "net.Socket", "createConnection"} {
		connects = connects || strings.Contains(text, s)
	}
	if !connects {
		return false
	}
	for _, s := range [...]string{"/bin/sh", "/bin/bash", "\"sh\"", "'sh'", "cmd.exe", "pty.spawn", "powershell", "dup2", "|&", "exec(", "spawn("} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// codeNamesSecret looks for text in quotes that names a file with credentials,
// in a program that reads files at all.
func (m *match) codeNamesSecret() bool {
	text := m.call.programText()
	if text == "" {
		return false
	}
	reads := false
	for _, s := range [...]string{"open", "read", "Read", "File", "load", "slurp", "cat", "getline", "<", "require", "eval", "exec", "system", "file", "raw"} {
		reads = reads || strings.Contains(text, s)
	}
	if !reads {
		return false
	}
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b != '\'' && b != '"' && b != '`' {
			continue
		}
		end := strings.IndexByte(text[i+1:], b)
		if end < 0 {
			return false
		}
		name := text[i+1 : i+1+end]
		i += end + 1
		for _, word := range strings.Fields(name) {
			if len(word) >= 4 && len(word) <= 200 && m.c.names(word, false)&(rule.Secret|rule.Key|rule.SecretDir) != 0 {
				m.detail = word
				return true
			}
		}
	}
	return false
}

// reverseShell reports a shell that is tied to a network connection.
func (m *match) reverseShell() bool {
	k := m.call
	for i := range k.cmd.Redirects {
		t := k.cmd.Redirects[i].Target.Text
		if strings.HasPrefix(t, "/dev/tcp/") || strings.HasPrefix(t, "/dev/udp/") {
			return m.c.set.In("shells", k.name) || k.name == "exec" || len(k.cmd.Args) == 0
		}
	}
	return false
}
