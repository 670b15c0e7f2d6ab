package risk

import (
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
}

// Placed is Lines with the folders.
func (s *Set) Placed(line, dir, home string) []Placed {
	var list []Placed
	for _, c := range shell.Parse(line, shell.Options{Dir: dir, Home: home, Tables: s.Shells, Limits: shell.Limits{Work: work.Line / 4}}).Commands {
		if c.Name == "" || len(c.Args) == 0 {
			continue
		}
		words := make([]string, len(c.Args))
		for i, w := range c.Args {
			words[i] = w.Text
		}
		at, known := c.Dir.Known()
		if at == "" && known {
			at = dir
		}
		list = append(list, Placed{words, at})
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
		for i := range table {
			if argv.Runs(table[i].Programs, words) {
				list = append(list, Ran{table[i].Type, strings.Join(words[:min(len(words), 3)], " ")})
				break
			}
		}
	}
	return list
}

// Last is the type of the last of them, and the others: which of a line has failed cannot be told.
func Last(list []Ran) (last string, others []Ran) {
	if len(list) == 0 {
		return "", nil
	}
	return list[len(list)-1].Type, list[:len(list)-1]
}
