package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// A request with a token in its header is everyday, and mostly the token is that of the service which is asked. What tells the two apart is the
// variable's name: GITHUB_TOKEN is for GitHub, and JWT_SECRET for no other machine at all. A name that says nothing (TOKEN, API_KEY, ACME_TOKEN)
// is believed.

// credentialElsewhere reports a client of HTTP that hands over, in a header or as a login, the credential of another service than the one that it asks.
func (m *match) credentialElsewhere() bool {
	c, k := m.c, m.call
	var hosts []string
	ask := func(w *shell.Word, address string) {
		if host, _, ok := m.elsewhere(address); ok && (w.Kind == shell.Literal || !hostUnknown(address)) {
			hosts = append(hosts, host)
		}
	}
	for _, i := range m.hosts() {
		ask(&k.cmd.Args[i], k.cmd.Args[i].Prefix())
	}
	for i := range k.options {
		if o := &k.options[i]; o.has && c.set.In("options-of-address", o.name) {
			ask(&k.cmd.Args[o.word], strings.TrimPrefix(k.cmd.Args[o.word].Prefix(), o.name+"="))
		}
	}
	if len(hosts) == 0 {
		return false
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		if m.givesCredential(i) && holdsVariable(&k.cmd.Args[i], func(name string) bool { return m.goesAstray(name, hosts) }) {
			return true
		}
	}
	return false
}

// codeCredentialElsewhere is credentialElsewhere for a one-line program.
func (m *match) codeCredentialElsewhere() bool {
	const short = 1 << 10 // bytes
	text := m.call.programText()
	if len(text) > short || !m.c.set.mentions("code-requests", text) {
		return false
	}
	var hosts []string
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("'\"` ,()", r) }) {
		if host, _, ok := m.elsewhere(piece); ok && strings.Contains(piece, "://") {
			hosts = append(hosts, host)
		}
	}
	return len(hosts) > 0 && m.c.variablesRead(text, func(name, _ string) bool { return m.goesAstray(name, hosts) })
}

// goesAstray reports a variable whose value one of the machines has no use for. Those that the project's own files of variables lead to have.
func (m *match) goesAstray(name string, hosts []string) bool {
	return m.c.credentialName(name) && slices.ContainsFunc(hosts, func(host string) bool {
		if !m.foreign(strings.ToUpper(name), host) || m.variablesOfFiles(func(_, value string) bool { return strings.Contains(value, host) }) {
			return false
		}
		m.detail = host
		return true
	})
}

// foreign reports a credential that is another service's by its name, or none that leaves a server. A row of "services-by-variable" is a part of the
// name, and then the machines, or the tool whose machines they are.
func (m *match) foreign(name, host string) bool {
	set := m.c.set
	is := func(pattern string) bool { return globFold(pattern, host) || globFold("*."+pattern, host) }
	known := false
	for row := range set.words("services-by-variable") {
		part, machines, _ := strings.Cut(row, " ")
		if !strings.HasPrefix(name, part+"_") && !strings.Contains(name, "_"+part+"_") {
			continue
		}
		known = true
		for one := range strings.SplitSeq(machines, " ") {
			if is(one) || !strings.Contains(one, ".") && set.hosts(one).Meets(is) {
				return false
			}
		}
	}
	return known || set.In("secrets-of-servers", name)
}
