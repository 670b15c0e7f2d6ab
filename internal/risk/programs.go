package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// Lines lists what a command line would run, one argument list for each
// program whose name is known, wrappers taken off. No verdict rests on it, so that it may take
// a quarter of what judging the line may.
func (s *Set) Lines(line, dir, home string) [][]string {
	var list [][]string
	for _, p := range s.Placed(line, dir, home) {
		list = append(list, p.Words)
	}
	return list
}

// Placed is a program of a line with the folder in which it runs, "" where only the shell will know it.
type Placed struct {
	Words []string
	Dir   string
	Fate  shell.Fate // of Ended alone
}

// Placed is Lines with the folders.
func (s *Set) Placed(line, dir, home string) []Placed {
	return s.placed(s.parsed(line, dir, home), nil, dir)
}

// Ended is Placed with what the end of the line tells of each of them.
func (s *Set) Ended(line, dir, home string, failed bool) []Placed {
	commands := s.parsed(line, dir, home)
	return s.placed(commands, shell.Fates(line, failed, commands, s.Shells), dir)
}

// Means lists what a line comes to with the recipes of the project's files that it runs: `make test`, and what stands for it there. source reads such a file.
func (s *Set) Means(line, root, home string, source func(string) (string, bool)) (list [][]string) {
	o := shell.Options{Dir: root, Root: root, Home: home, Tables: s.Shells, Limits: shell.Limits{Work: work.Line / 4}, Source: source}
	for _, p := range s.placed(shell.Parse(line, o).Commands, nil, root) {
		list = append(list, p.Words)
	}
	return list
}

// Seldom reports a command that seldom fails, and prints why.
func (s *Set) Seldom(words []string) bool {
	return s.Shells.Sh.Seldom.Has(words[0]) || s.Shells.Sh.Succeeds.Has(words[0])
}

func (s *Set) parsed(line, dir, home string) []shell.Command {
	return shell.Parse(line, shell.Options{Dir: dir, Home: home, Tables: s.Shells, Limits: shell.Limits{Work: work.Line / 4}}).Commands
}

func (s *Set) placed(commands []shell.Command, fates []shell.Fate, dir string) []Placed {
	var list []Placed
	for i, c := range commands {
		if c.Name == "" || len(c.Args) == 0 {
			continue
		}
		words := make([]string, len(c.Args))
		for j, w := range c.Args {
			words[j] = w.Text
		}
		at, known := c.Dir.Known()
		if at == "" && known {
			at = dir
		}
		one := Placed{Words: words, Dir: at}
		if fates != nil {
			one.Fate = fates[i]
		}
		list = append(list, one)
	}
	return list
}

// Ran is a command on a line whose failure is known by a type.
type Ran struct {
	Type    string
	Program string // its first words
}

// Ran lists those of a line in their order.
func (s *Set) Ran(line, dir, home string, table []rule.Command) (list []Ran) {
	for _, words := range s.Lines(line, dir, home) {
		if kind := Kind(table, words); kind != "" {
			list = append(list, Ran{kind, Program(words)})
		}
	}
	return list
}

// Program is the first words of a command.
func Program(words []string) string { return strings.Join(words[:min(len(words), 3)], " ") }

// Kind is the type of a command by its words, "" for none.
func Kind(table []rule.Command, words []string) string {
	for i := range table {
		c := &table[i]
		rest, runs := argv.Behind(c.Programs, words)
		if !runs {
			continue
		}
		if slices.ContainsFunc(words[1:], func(w string) bool { return slices.Contains(c.Asks, w) }) || otherwise(c, words[:len(words)-len(rest)], rest) {
			return ""
		}
		return c.Type
	}
	return ""
}

// otherwise reports operands with which alone a program does other work. What stands behind an option may be its value.
func otherwise(c *rule.Command, before, rest []string) bool {
	found, last := false, before[len(before)-1]
	for _, w := range rest {
		switch {
		case slices.Contains(c.Targets, w):
			found = true
		case strings.HasPrefix(w, "-"), strings.Contains(w, "="), strings.HasPrefix(last, "-"):
		default:
			return false
		}
		last = w
	}
	return found
}
