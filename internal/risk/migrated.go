package risk

import (
	"path"
	"strconv"
	"strings"
)

// Tools that migrate a database go back where they are told a migration before the last one, by the same words with which they go forward.

// migratesBack reports a call that is told to go to a migration behind which at least two more lie in the project, or to the state before
// the first one.
func (m *match) migratesBack() bool {
	for row := range m.c.set.words("migrates-to") {
		words, files, _ := strings.Cut(row, " : ")
		app, target, told := m.migration(strings.Fields(words))
		if told && (target == 0 || m.migrationsBehind(strings.Fields(strings.ReplaceAll(files, "{app}", app)), target) > 1) {
			return true
		}
	}
	return false
}

// migration is what stands for {app} and {} where the words of a row say so. A word with a name, VERSION={}, may stand anywhere, or in front of
// the program; the others are operands behind each other.
func (m *match) migration(row []string) (app string, target uint64, told bool) {
	k, at := m.call, 0
	for n, want := range row {
		name, _, named := strings.Cut(want, "{}")
		switch {
		case named && name != "":
			target, told = m.numberAfter(name)
			continue
		case n == 0:
			for at < len(k.operands) && k.operand(at) != want && path.Base(k.operand(at)) != want {
				at++
			}
		case at >= len(k.operands):
		case want == "{app}":
			app = k.operand(at)
		case named:
			target, told = migrationNumber(k.operand(at))
		case n > 0 && k.operand(at) != want: // manage.py sqlmigrate api 0001
			return "", 0, false
		}
		if at >= len(k.operands) {
			return "", 0, false
		}
		at++
	}
	return app, target, told
}

// numberAfter is the number in a word that begins so, or in a variable of that name.
func (m *match) numberAfter(name string) (uint64, bool) {
	for i := range m.call.cmd.Args {
		if rest, ok := strings.CutPrefix(m.call.cmd.Args[i].Text, name); ok {
			return migrationNumber(rest)
		}
	}
	for i := range m.call.cmd.Assigns {
		if a := &m.call.cmd.Assigns[i]; a.Name+"=" == name {
			return migrationNumber(a.Value.Text)
		}
	}
	return 0, false
}

// migrationsBehind counts the files with a later number in folders of the project; a pattern may begin with any folder.
func (m *match) migrationsBehind(patterns []string, target uint64) (n int) {
	const folders = 40 // a project with more of them is not searched to its end
	c, k := m.c, m.call
	dir, ok := c.absolute(k, k.folder())
	if !ok || c.in.Names == nil {
		return 0
	}
	count := func(pattern string) {
		names, _ := c.in.Names(pattern)
		for _, name := range names {
			if number, ok := migrationNumber(name); ok && number > target {
				n++
			}
		}
	}
	for _, pattern := range patterns {
		rest, below := strings.CutPrefix(pattern, "*/")
		if !below {
			c.spend(costSettings)
			count(dir + "/" + pattern)
			continue
		}
		names, _ := c.in.Names(dir + "/*")
		for _, name := range names[:min(folders, len(names))] {
			if !strings.Contains(name, ".") && c.spend(costSettings) {
				count(dir + "/" + name + "/" + rest)
			}
		}
	}
	return n
}

// migrationNumber is the number with which the name of a migration begins.
func migrationNumber(name string) (uint64, bool) {
	digits := 0
	for digits < len(name) && name[digits] >= '0' && name[digits] <= '9' {
		digits++
	}
	number, err := strconv.ParseUint(name[:digits], 10, 64)
	return number, err == nil
}
