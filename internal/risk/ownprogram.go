package risk

import (
	"path"
	"slices"
	"strings"
)

// ownProgram reports the name of a program that the project builds, or that the line itself starts from a path. Of a name that other programs
// have as well, or have in theirs, nothing can be told.
func (m *match) ownProgram(name string) bool {
	c, set := m.c, m.c.set
	name = path.Base(name)
	if len(name) < shortName || strings.ContainsAny(name, ".*?[]|^$\\ ") || set.In("runs-everywhere", name) || set.In("runs-scripts", name) || set.ByProgram(name) != nil || c.guardItself(name) {
		return false
	}
	for i := range c.calls[:min(m.call.index, len(c.calls))] {
		if p := &c.calls[i]; len(p.cmd.Args) > 0 && strings.HasPrefix(p.cmd.Args[0].Text, "./") && path.Base(p.cmd.Args[0].Text) == name {
			return true
		}
	}
	if c.in.Settings == nil || c.in.Root == "" {
		return false
	}
	for row := range set.words("names-own-program") {
		words := strings.Fields(row)
		text, _ := c.in.Settings(c.in.Root + "/" + words[0])
		if len(text) > maxLooked || !c.spend(costSettings+len(text)/textBytes) {
			continue
		}
		for line := range strings.Lines(text) {
			fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"':=,{}", r) })
			if len(fields) > 1 && fields[0] == words[1] && programOf(fields[1]) == name {
				return true
			}
		}
	}
	return c.in.Exists != nil && c.in.Exists(c.in.Root+"/cmd/"+name+"/main.go")
}

// programOf is the program that the path of a module makes: its last part that is no version.
func programOf(module string) string {
	parts := strings.Split(module, "/")
	last := parts[len(parts)-1]
	if version := strings.TrimPrefix(last, "v"); len(parts) > 1 && version != last && version != "" && strings.Trim(version, "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	return last
}

// guardItself reports the name of this very program, or of one that is called like it.
func (c *checker) guardItself(name string) bool {
	return c.in.Program != nil && slices.ContainsFunc(c.in.Program(), func(p string) bool { return strings.HasPrefix(name, path.Base(p)) })
}
