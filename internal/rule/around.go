package rule

import (
	"path"
	"strings"
)

type rawPrograms struct {
	Programs []string `toml:"programs"`
	Why      string   `toml:"why"`
}

type rawVariables struct {
	Names  []string `toml:"variables"`
	Why    string   `toml:"why"`
	Except []string `toml:"except"`
}

// around reads what is known about the variables of processes that agents start.
func (l *eventLoader) around() {
	var raw struct {
		Client []struct {
			Name      string   `toml:"name"`
			Variables []string `toml:"variables"`
			Processes []string `toml:"processes"`
			Source    string   `toml:"source"`
		} `toml:"client"`
		Ignored []rawVariables `toml:"ignored"`
		File    []rawVariables `toml:"file"`
		Folder  []rawVariables `toml:"folder"`
		Host    rawPrograms    `toml:"host"`
		Lender  rawPrograms    `toml:"lender"`
	}
	at, ok := l.read(l.fsys, aroundFile, "client", &raw)
	if !ok {
		return
	}
	for i, a := range raw.Client {
		if a.Name == "" || a.Source == "" || len(a.Variables) == 0 || len(a.Processes) == 0 {
			l.add(aroundFile, at(i), a.Name, "a client needs name, variables, processes and source")
		}
		l.programs(at(i), a.Name, a.Processes)
		// A pattern would have to be looked for among all variables, in every call.
		for _, v := range a.Variables {
			if !variableName(v) {
				l.add(aroundFile, at(i), a.Name, "%q is no name of a variable", v)
			}
		}
		l.p.Around.Clients = append(l.p.Around.Clients, Client(a))
	}
	for _, kind := range []struct {
		raw  []rawVariables
		into *[]Variables
	}{{raw.Ignored, &l.p.Around.Ignored}, {raw.File, &l.p.Around.Files}, {raw.Folder, &l.p.Around.Folders}} {
		for _, v := range kind.raw {
			if v.Why == "" || len(v.Names) == 0 {
				l.add(aroundFile, 0, "", "variables need why")
			}
			for _, name := range append(v.Names[:len(v.Names):len(v.Names)], v.Except...) {
				if !variableName(strings.TrimSuffix(name, "*")) {
					l.add(aroundFile, 0, "", "%q is no name of a variable", name)
				}
			}
			*kind.into = append(*kind.into, Variables(v))
		}
	}
	for _, kind := range []struct {
		raw  rawPrograms
		into *[]string
	}{{raw.Host, &l.p.Around.Hosts}, {raw.Lender, &l.p.Around.Lenders}} {
		if kind.raw.Why == "" || len(kind.raw.Programs) == 0 {
			l.add(aroundFile, 0, "", "programs need why")
		}
		l.programs(0, "", kind.raw.Programs)
		*kind.into = kind.raw.Programs
	}
}

// programs looks for names that would fit every program.
func (l *eventLoader) programs(line int, id string, names []string) {
	for _, n := range names {
		if _, err := path.Match(n, ""); err != nil || strings.Trim(n, "*?/") == "" {
			l.add(aroundFile, line, id, "%q is no name of a program", n)
		}
	}
}

// variableName reports upper-case words, as variables are named everywhere.
func variableName(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
