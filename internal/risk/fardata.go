package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// dataElsewhere reports a call that works on what production runs on, or on a database that the line or a variable of the environment puts on
// another machine, or that runs on one, where nothing says that it is there for tests. What the project's own files lead to is where somebody develops, if not
// called production.
func (m *match) dataElsewhere() bool {
	c, k, set := m.c, m.call, m.c.set
	if m.productionData() {
		return true
	}
	if k.away() || m.testEnvironment() {
		return m.onOthers()
	}
	far := func(address string) bool {
		if set.addressHere(address) {
			return false
		}
		host := databaseHost(address)
		name := host[:max(0, strings.LastIndexByte(host, '.'))] // "dev" at its end is a domain
		return !c.ends("local-domains", host) && !c.holdsWord(name, "throw-away-names")
	}
	if slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool {
		known := a.Value.Kind == shell.Literal || a.Value.Kind == shell.Partial && !strings.Contains(databaseHost(a.Value.Text), "$") // who goes there may be left out
		return set.In("leads-to-database", a.Name) && known && far(a.Value.Text)
	}) || slices.ContainsFunc(k.options, func(o option) bool { return o.has && set.In("options-of-host", o.name) && far(o.value) }) {
		return true
	}
	if slices.ContainsFunc(k.cmd.Args[min(1, len(k.cmd.Args)):], func(w shell.Word) bool {
		kind, rest, whole := strings.Cut(w.Text[strings.IndexByte(w.Text, '=')+1:], "://")
		return whole && set.In("databases-by-address", strings.TrimPrefix(kind, "jdbc:")) && far(kind+"://"+rest)
	}) {
		return true
	}
	for name := range set.words("leads-to-database") {
		if value, there := c.variable(name); there && far(value) {
			return true
		}
	}
	return m.readsAddress(far)
}

// readsAddress reports a word that is looked up in a file of variables, by the name of one whose value fits: psql "$(grep ^DATABASE_URL .env.shared | cut -d= -f2-)".
func (m *match) readsAddress(fits func(address string) bool) bool {
	c := m.c
	return c.in.Settings != nil && c.wordsFrom(m.call, func(k *call) bool {
		return slices.ContainsFunc(k.effects, func(e effect) bool {
			file, ok := c.absolute(k, e.text)
			if e.kind&rule.Read == 0 || !e.known || !ok || k.away() {
				return false
			}
			text, _ := c.in.Settings(file)
			if len(text) > maxLooked || !c.spend(costSettings+len(text)/textBytes) {
				return false
			}
			return assignsIn(text, func(name, value string) bool {
				return c.set.In("leads-to-database", name) && fits(value) && slices.ContainsFunc(k.cmd.Args, func(w shell.Word) bool { return strings.Contains(w.Text, name) })
			})
		})
	})
}

// databaseHost is the machine that the address of a database, or the value of an option for one, names; empty for the one that is meant
// where none is.
func databaseHost(address string) string {
	if _, rest, whole := strings.Cut(address, "://"); whole {
		address = rest
	}
	host := address
	if end := strings.IndexAny(host, "/?;,"); end >= 0 {
		host = host[:end]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if name, port, ok := strings.Cut(host, ":"); ok && strings.Trim(port, "0123456789") == "" {
		return name
	}
	return host
}

// withoutDomain takes the last part from the name of the machine in an address: in db.example.dev it says nothing about what the database is for.
func withoutDomain(address string) string {
	host := databaseHost(address)
	if dot := strings.LastIndexByte(host, '.'); dot >= 0 && strings.Contains(address, "://") {
		return strings.Replace(address, host, host[:dot], 1)
	}
	return address
}
