package recipe

import (
	"maps"
	"slices"
	"strings"
)

// environment is what make puts into the environment of a recipe.
func (m *maker) environment() []Var {
	if !m.vary {
		return m.passed
	}
	m.vary = false
	flags, dry, _ := strings.Cut(m.env.Words.Passes, "=")
	names := slices.Sorted(maps.Keys(m.exported))
	if all := m.all || m.has(".EXPORT_ALL_VARIABLES"); all {
		names = slices.Sorted(maps.Keys(m.vars))
	}
	names = append(names, flags)
	var list []Var
	for i, name := range names {
		is, said := m.exported[name]
		if !is && said || slices.Contains(names[:i], name) || len(list) == maxExports || !plainName(name) {
			continue
		}
		if m.vars[name] != nil || slices.Contains(m.env.Names, name) {
			list = append(list, Var{Name: name, Parts: merged(m.value(name))})
		}
	}
	if m.env.Dry { // what it calls prints only, too
		list = slices.DeleteFunc(list, func(v Var) bool { return v.Name == flags })
		list = append(list, Var{Name: flags, Parts: text(dry)})
	}
	m.passed = list
	return list
}

// plainName reports a name that shells can use.
func plainName(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// shelled is a line as it runs: by a shell, or as the call of the program that SHELL names. Where that holds on a condition it is both.
func (m *maker) shelled(s Step) []Step {
	by := m.by()
	if by == "" {
		s.Parts = spoken(s.Parts)
		return []Step{s}
	}
	t := s
	t.Parts = []Part{{Text: by + " '"}}
	for _, p := range s.Parts {
		if !p.Unknown {
			p.Text = strings.ReplaceAll(p.Text, "'", `'\''`)
		}
		t.Parts = append(t.Parts, p)
	}
	t.Parts = append(t.Parts, Part{Text: "'"})
	if v := m.vars["SHELL"]; v != nil && v.perhaps {
		return []Step{s, t}
	}
	return []Step{t}
}

// by is the program that reads lines of recipes, with its options; "" where that is a shell as every other, or not known.
func (m *maker) by() string {
	if m.vars["SHELL"] == nil && m.vars[".SHELLFLAGS"] == nil {
		return ""
	}
	shell, ok := joined(m.value("SHELL"))
	words := strings.Fields(shell)
	if !ok || len(words) == 0 {
		return ""
	}
	flags, ok := "-c", true
	if m.vars[".SHELLFLAGS"] != nil {
		flags, ok = joined(m.value(".SHELLFLAGS"))
	}
	if !ok {
		return ""
	}
	words = append(words, strings.Fields(flags)...)
	all := strings.Join(words, " ")
	if m.env.Shell == nil || !m.env.Shell(words[0]) || strings.ContainsAny(all, ";&|<>()$`'\"") {
		return strings.TrimSpace(shell) + " " + flags
	}
	for i, word := range words {
		before := words[max(i-1, 0)]
		if i > 0 && !dashed(word) && (i == 1 || !dashed(before) || !strings.HasSuffix(strings.ToLower(before), "o")) { // but -o pipefail
			return all
		}
	}
	return ""
}

// dashed reports an option of a shell.
func dashed(word string) bool { return word[0] == '-' || word[0] == '+' }

// plain reports lines that a shell reads.
func (m *maker) plain() bool { return m.by() == "" }
