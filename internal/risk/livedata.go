package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// productionData reports a call that works on what production runs on: the line says so, else a variable of the environment, else the
// project's file of variables. A database that the line names itself is the one.
func (m *match) productionData() bool {
	c, k, set := m.c, m.call, m.c.set
	if production(k) || c.live(k) || m.loadsProduction() {
		return true
	}
	leads := func(name string) bool { return set.In("leads-to-database", name) }
	if m.testEnvironment() || slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool { return leads(a.Name) }) {
		return false
	}
	for _, group := range [...]string{"leads-to-database", "environment-variables"} {
		for name := range set.words(group) {
			if value, there := c.variable(name); there && productionWord(value) {
				return true
			}
		}
	}
	return m.variablesOfFiles(func(name, value string) bool { return leads(name) && productionWord(value) })
}

// live reports a call for which an option or a variable names what others work with: --settings=config.settings.staging, RAILS_ENV=staging. In other
// words a name of a file may hold that.
func (c *checker) live(k *call) bool {
	for i := 1; i < len(k.cmd.Args); i++ {
		if word := k.cmd.Args[i].Text; (strings.HasPrefix(word, "-") || strings.HasPrefix(k.cmd.Args[i-1].Text, "-")) && c.holdsWord(saysOf(word), "live-names") {
			return true
		}
	}
	return slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool { return c.holdsWord(a.Value.Text, "live-names") })
}

// localData reports a database of which nothing tells that it is another one than that of somebody who develops on this machine: neither a
// production system nor another machine is named, by the line, the environment or the project's files of variables and of databases.
func (m *match) localData() bool {
	c, k, set := m.c, m.call, m.c.set
	if k.away() || m.productionData() {
		return false
	}
	elsewhere := func(name, value string) bool { return set.In("leads-to-database", name) && !set.addressHere(value) }
	if slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool {
		return elsewhere(a.Name, a.Value.Text) || set.In("environment-variables", a.Name) && !c.holdsWord(a.Value.Text, "stages")
	}) {
		return false
	}
	for name := range set.words("leads-to-database") {
		if value, there := c.variable(name); there && elsewhere(name, value) {
			return false
		}
	}
	return !m.variablesOfFiles(elsewhere) && !m.developsElsewhere()
}

// developsElsewhere reports that the project's file of databases names another machine for development.
func (m *match) developsElsewhere() bool {
	c := m.c
	dir, ok := c.absolute(m.call, m.call.folder())
	if c.in.Settings == nil || !ok {
		return false
	}
	for file := range c.set.words("files-of-databases") {
		text, there := c.in.Settings(dir + "/" + file)
		if !there || len(text) > maxLooked || !c.spend(costSettings+len(text)/textBytes) {
			continue
		}
		if _, elsewhere := c.set.development(text); elsewhere {
			return true
		}
	}
	return false
}

// variablesOfFiles reports a variable that fits in a file from which frameworks read theirs, where the call works.
func (m *match) variablesOfFiles(fits func(name, value string) bool) bool {
	c, k := m.c, m.call
	dir, ok := c.absolute(k, k.folder())
	if c.in.Settings == nil || !ok || k.cmd.Dir.Kind != shell.Literal || k.away() {
		return false
	}
	if !m.readsVariables(dir) {
		return false
	}
	for file := range c.set.words("files-of-variables") {
		text, _ := c.in.Settings(dir + "/" + file)
		if len(text) > maxLooked || !c.spend(costSettings+len(text)/textBytes) {
			return false
		}
		if assignsIn(text, fits) {
			return true
		}
	}
	return false
}

// assignsIn reports a variable that fits in the text of a file of variables.
func assignsIn(text string, fits func(name, value string) bool) bool {
	for line := range strings.Lines(text) {
		name, value, assigns := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if assigns && fits(strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"'`)) {
			return true
		}
	}
	return false
}

// readsVariables reports a program that reads the file of variables by itself, or with a library that the project's manifest names.
func (m *match) readsVariables(dir string) bool {
	c := m.c
	for row := range c.set.words("reads-variables-with") {
		words := strings.Fields(row)
		if m.call.name == words[0] || slices.ContainsFunc(m.call.cmd.Via, func(s shell.Step) bool { return s.Name == words[0] }) {
			text, _ := c.in.Settings(dir + "/" + words[1])
			return c.spend(costSettings+len(text)/textBytes) && strings.Contains(text, words[2])
		}
	}
	return true
}

// addressHere reports the address of a database, or the name of its machine, that is this machine's, or a file.
func (s *Set) addressHere(address string) bool {
	kind, _, whole := strings.Cut(address, "://")
	host := databaseHost(address)
	return whole && strings.HasPrefix(kind, "sqlite") || s.isLocal(host) || !strings.Contains(host, ".") // a service of a composition has a name without a dot
}
