package rule

import (
	"path"
	"strings"
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
		for _, v := range a.Variables {
			if !variableName(v) {
				l.problem("%q is no name of a variable", v)
			}
		}
	})
	around := &l.p.Around
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
		if _, err := path.Match(n, ""); err != nil || strings.Trim(n, "*?/") == "" {
			l.problem("%q is no name of a program", n)
		}
	}
}

// variableName reports upper-case words, as variables are named everywhere.
func variableName(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
