package risk

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What happens to data: databases reached through programs, values of variables that
// leave the machine.

// sendsVariable reports that the value of a variable which is named like a credential
// is part of an address or of what is sent. A header, or a user's name and password, is
// how a service is given its own; one's own machine has the variable anyway.
func (m *match) sendsVariable() bool { return !m.localHost() && m.leaks(m.c.credentialName, false) }

// printsCredential reports a call whose words hold the whole value of such a variable, and
// that prints them where the agent reads them.
func (m *match) printsCredential() bool {
	if !m.printsHere() && !m.c.passedOn(m.call, 0) {
		return false
	}
	shows := func(w *shell.Word) bool {
		return (m.c.credentialVariable(w) || len(w.Parts) == 1 && holdsVariable(w, m.c.printedName)) && !slices.ContainsFunc(w.Parts, func(p shell.Part) bool { return p.Unknown && pieceOf(p.Text) })
	}
	for i := range m.call.cmd.Args {
		if shows(&m.call.cmd.Args[i]) {
			return true
		}
	}
	in := m.call.cmd.Stdin
	return in != nil && strings.HasPrefix(in.Op, "<<") && m.c.set.In("shows-its-input", m.call.raw) && shows(&in.Text)
}

// passedOn reports that what a call prints goes through programs alone that print all of it in another form: echo $TOKEN | rev.
func (c *checker) passedOn(k *call, depth int) bool {
	const long = 4 // programs of a pipe
	if len(k.cmd.PipeTo) != 1 || k.cmd.Substituted || depth == long {
		return false
	}
	i := k.cmd.PipeTo[0]
	if i < 0 || i >= len(c.calls) || !c.set.In("shows-its-input", c.calls[i].raw) {
		return false
	}
	next := match{c: c, call: &c.calls[i]}
	return next.printsHere() || c.passedOn(next.call, depth+1)
}

// pieceOf reports an expansion that says whether a variable is set (${TOKEN:+set}) or shows a few of its letters (${TOKEN:0:4}, ${TOKEN: -4}).
func pieceOf(text string) bool {
	const few = 8 // letters
	rest, ok := strings.CutPrefix(text, "${")
	if !ok {
		return false
	}
	rest = strings.TrimSuffix(strings.TrimLeftFunc(rest, func(r rune) bool { return r < 128 && wordByte(byte(r)) }), "}")
	if strings.HasPrefix(strings.TrimPrefix(rest, ":"), "+") {
		return true
	}
	from, length, counted := strings.Cut(strings.TrimPrefix(rest, ":"), ":")
	n, err := strconv.Atoi(strings.TrimSpace(length))
	if !counted {
		n, err = strconv.Atoi(strings.TrimSpace(from))
		n = -n
	}
	return strings.HasPrefix(rest, ":") && err == nil && n >= 0 && n <= few
}

// printsReadSecret reports that what read took from a file with credentials is printed where the agent reads it: a whole line of it, for
// "IFS== read k v" puts the name into a variable of its own. What names its file itself is judged by that.
func (m *match) printsReadSecret() bool {
	c := m.c
	return m.printsHere() && slices.ContainsFunc(m.call.cmd.Args, readIn) && c.wordsFrom(m.call, func(k *call) bool {
		return c.set.In("reads-into-variables", k.raw) && len(k.effects) == 0 && len(k.operands) < 2 && c.touchesSecret(k)
	})
}

// readIn reports a word with something in it that was read, as it was.
func readIn(w shell.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p shell.Part) bool { return p.Read })
}

// printsHere reports that what a call prints goes neither to another program nor to a file.
func (m *match) printsHere() bool {
	k := m.call
	return !k.cmd.Substituted && len(k.cmd.PipeTo) == 0 && !slices.ContainsFunc(k.cmd.Redirects, func(r shell.Redirect) bool {
		return (r.Fd == 1 || r.Fd == -1) && strings.Contains(r.Op, ">")
	})
}

// credentialVariable reports a word with the value of such a variable in it.
func (c *checker) credentialVariable(w *shell.Word) bool { return holdsVariable(w, c.credentialName) }

// holdsVariable reports a word with the value of a variable in it whose name is of a kind.
func holdsVariable(w *shell.Word, is func(name string) bool) bool {
	return slices.ContainsFunc(w.Parts, func(p shell.Part) bool {
		name := variableOf(&p)
		return name != "" && is(name)
	})
}

// credentialName goes by the last words of a variable's name.
func (c *checker) credentialName(name string) bool {
	return c.ends("credential-endings", strings.ToUpper(name))
}

// printedName is credentialName for what is printed: the address of a database has its password in it.
func (c *checker) printedName(name string) bool {
	return c.credentialName(name) || c.ends("endings-of-connections", strings.ToUpper(name))
}

// codePrintsCredential reports a one-line program that prints such a variable, and does not only say whether it is set.
func (m *match) codePrintsCredential() bool {
	const short = 300 // bytes
	k, c := m.call, m.c
	text := k.programText()
	if text == "" || len(text) > short || !m.printsHere() || c.set.mentions("code-looks-at-value", text) || c.set.mentions("code-requests", text) {
		return false
	}
	return (c.set.mentions("code-prints", text) || k.given([]string{"-p", "--print", "-pe"})) && c.readsVariable(text, c.printedName)
}

// codePrintsEnvironment reports a one-line program that prints all variables, and not their names or how many there are.
func (m *match) codePrintsEnvironment() bool {
	const short = 300 // bytes
	k, c := m.call, m.c
	text := k.programText()
	if text == "" || len(text) > short || !c.allVariables(text) || c.set.mentions("code-looks-at-value", text) || c.set.mentions("code-names-keys", text) && !c.set.mentions("code-reads-each", text) || c.set.mentions("code-requests", text) {
		return false
	}
	return (c.set.mentions("code-prints", text) || k.given([]string{"-p", "--print", "-pe"})) && m.printsHere()
}

// ends reports a text that ends in a word of a group.
func (c *checker) ends(group, text string) bool {
	for end := range c.set.members(group).All() {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// printsSettings looks for a one-line program that loads a file of settings and prints
// all of it.
func (m *match) printsSettings() bool {
	text := m.call.programText()
	low := strings.ToLower(text)
	if !strings.Contains(low, "dotenv") {
		// "ruby -rdotenv -e": the library is loaded by an option
		loaded := false
		for i := 1; i < len(m.call.cmd.Args); i++ {
			loaded = loaded || strings.Contains(m.call.cmd.Args[i].Text, "dotenv")
		}
		if !loaded || text == "" {
			return false
		}
	}
	return m.c.set.mentions("code-prints", text) || m.c.set.mentions("code-shows-settings", text)
}

// reachesFar reports a search of a home, or of more than a project.
func (m *match) reachesFar() bool {
	return m.aimsAt(rule.Look, rule.Root|rule.Home|rule.Parent|rule.System)
}

// uploadsSecret reports a file with credentials in the request items of an HTTP client
// ("@.env", "file@key.pem") or in the script of a file transfer ("put .env").
func (m *match) uploadsSecret() bool {
	k := m.call
	secret := func(name string) bool {
		return m.c.names(name, false)&(rule.Secret|rule.Key|rule.SecretDir) != 0
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		text := k.cmd.Args[i].Text
		if k.name == "http" {
			if _, file, ok := strings.Cut(text, "@"); ok && !strings.Contains(text, "://") && secret(file) {
				return true
			}
			continue
		}
		words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ';' || r == '\n' })
		for j := 1; j < len(words); j++ {
			if (words[j-1] == "put" || words[j-1] == "mput" || words[j-1] == "mirror") && secret(words[j]) {
				return true
			}
		}
	}
	return false
}

// printsLoaded reports that all variables, or the value of one with a secret in it, are printed after a file with credentials was read into
// them.
func (m *match) printsLoaded() bool {
	c, k := m.c, m.call
	words := c.set.In("shows-words", k.raw)
	if words && (k.cmd.Substituted || len(k.cmd.PipeTo) > 0) || len(k.cmd.Args) == 0 {
		return false
	}
	is := c.loadedNames(k)
	if is == nil {
		return false
	}
	named := func() bool {
		return slices.ContainsFunc(k.operands, func(i int) bool { return is(k.cmd.Args[i].Text) })
	}
	switch {
	case words:
		return slices.ContainsFunc(k.cmd.Args, func(w shell.Word) bool { return holdsVariable(&w, is) })
	case k.raw == "printenv":
		return len(k.operands) == 0 || named()
	case c.set.In("sets-variables", k.raw): // declare -p K, export -p
		return len(k.operands) == 0 || k.given([]string{"-p"}) && named()
	}
	return len(k.cmd.Args) == 1 || c.codePrintsEnvironment(k) || c.codePrints(k, is) // "env X=1 make", "set -e"
}

// codePrints reports a one-line program that prints such a variable.
func (c *checker) codePrints(k *call, is variableFilter) bool {
	const short = 200 // bytes
	text := k.programText()
	return text != "" && len(text) <= short && (c.set.mentions("code-prints", text) || k.given([]string{"-p", "--print", "-pe"})) &&
		c.readsVariable(text, is)
}

// printsEnvironment reports a call that prints all variables.
func (c *checker) printsEnvironment(k *call) bool {
	if k.cmd.Bare && !slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool {
		return a.Value.Kind == shell.Unknown && (a.Name == "…" || c.printedName(a.Name))
	}) {
		return false
	}
	if c.set.In("prints-environment", k.raw) {
		return len(k.operands) == 0 && !k.givenOf(c.set.members("prints-no-environment"))
	}
	if c.set.In("prints-environment-alone", k.raw) {
		return len(k.cmd.Args) == 1
	}
	return c.codePrintsEnvironment(k)
}

// appliesDestroy reports that the plan which is applied was made on this line, and made
// to destroy.
func (m *match) appliesDestroy() bool {
	m.c.spend(m.call.index / costCalls)
	for i := range m.c.calls[:m.call.index] {
		p := &m.c.calls[i]
		if p.name != m.call.name || !p.sub("plan", nil) || !p.given([]string{"-destroy"}) {
			continue
		}
		for j := range p.options {
			if o := &p.options[j]; o.name == "-out" && m.anyOperand(func(s string) bool { return s == o.value }) {
				return true
			}
		}
	}
	return false
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
