package rule

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

type rawPrograms struct {
	Programs []string
	Why      string
}

// around reads what is known about the variables of processes that agents start.
func (l *eventLoader) around() {
	var raw struct {
		Client                []Client
		Ignored, File, Folder []Variables
		Host, Lender          rawPrograms
		Terminal              []Terminal
		Alias                 []Alias
	}
	if !l.read(l.fsys, aroundFile, &raw) {
		return
	}
	rows(&l.report, "client", raw.Client, func(a *Client) {
		if l.id = a.Name; a.Name == "" || a.Source == "" || len(a.Variables) == 0 || len(a.Processes) == 0 {
			l.problem("a client needs name, variables, processes and source")
		}
		l.programs(a.Processes)
		// A pattern would have to be looked for among all variables, in every call.
		for _, v := range slices.Concat(a.Variables, a.PIDs, a.Sessions) {
			if !variableName(v) {
				l.problem("%q is no name of a variable", v)
			}
		}
	})
	rows(&l.report, "terminal", raw.Terminal, func(t *Terminal) {
		if l.id = strings.Join(t.Variables, " "); t.Why == "" || len(t.Variables) == 0 {
			l.problem("a terminal needs variables and why")
		}
		for _, v := range t.Variables {
			if !variableName(v) {
				l.problem("%q is no name of a variable", v)
			}
		}
	})
	rows(&l.report, "alias", raw.Alias, func(a *Alias) {
		if l.id = a.Variable; !variableName(a.Variable) || a.Key == "" || a.Source == "" || (a.When == "") != (a.Sets == "") {
			l.problem("an alias needs variable, key and source, and what a value sets")
		}
	})
	around := &l.p.Around
	around.Aliases = raw.Alias
	around.Terminals = raw.Terminal
	around.Clients, around.Ignored, around.Files, around.Folders = raw.Client, raw.Ignored, raw.File, raw.Folder
	for _, kind := range [][]Variables{raw.Ignored, raw.File, raw.Folder} {
		for _, v := range kind {
			if v.Why == "" || len(v.Names) == 0 {
				l.problem("variables need why")
			}
			for _, name := range append(v.Names[:len(v.Names):len(v.Names)], v.Except...) {
				if !variableName(strings.TrimSuffix(name, "*")) {
					l.problem("%q is no name of a variable", name)
				}
			}
		}
	}
	around.Hosts, around.Lenders = raw.Host.Programs, raw.Lender.Programs
	for _, kind := range []rawPrograms{raw.Host, raw.Lender} {
		if kind.Why == "" || len(kind.Programs) == 0 {
			l.problem("programs need why")
		}
		l.programs(kind.Programs)
	}
}

// programs looks for names that would fit every program.
func (l *eventLoader) programs(names []string) {
	for _, n := range names {
		if !doublestar.ValidatePattern(n) || strings.Trim(n, "*?/") == "" {
			l.problem("%q is no name of a program", n)
		}
	}
}

// variableName reports upper-case words, as variables are named everywhere.
func variableName(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// turns reads what a turn is made of.
func (l *eventLoader) turns() {
	var raw Turns
	if !l.read(l.fsys, turnsFile, &raw) {
		return
	}
	if l.line, l.id = 1, "turns"; raw.Begins == "" || len(raw.Ends) == 0 {
		l.problem("a turn needs begins and end")
	}
	rows(&l.report, "end", raw.Ends, func(e *TurnEnd) {
		if l.id = e.Event; e.Event == "" || e.How == "" || e.Why == "" {
			l.problem("an end of a turn needs event, how and why")
		}
	})
	rows(&l.report, "machine", raw.Machine, func(m *Machine) {
		if l.id = m.Begins; strings.TrimSpace(m.Begins) == "" || m.Why == "" {
			l.problem("a prompt of a machine needs begins and why")
		}
	})
	l.p.Turns = raw
}

// locale reads what is said in a person's own language.
func (l *eventLoader) locale() {
	var raw Locale
	if !l.read(l.fsys, localeFile, &raw) {
		return
	}
	if l.line, l.id = 1, "locale"; len(raw.Variables) == 0 || len(raw.Words) == 0 || raw.Words[0].Language != "" {
		l.problem("a locale needs variables, and words for no language first")
	}
	for _, name := range raw.Variables {
		if !variableName(name) {
			l.problem("%q is no name of a variable", name)
		}
	}
	rows(&l.report, "words", raw.Words, func(w *Spoken) {
		if l.id = w.Language; strings.TrimSpace(w.NoPort) == "" {
			l.problem("words need no_port")
		}
	})
	l.p.Locale = raw
}
