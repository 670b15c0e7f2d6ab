package risk

import (
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// Lines lists what a command line would run, one argument list for each
// program whose name is known, wrappers taken off. No verdict rests on it, so that it may take
// a quarter of what judging the line may.
func (s *Set) Lines(line, dir, home string) [][]string {
	var list [][]string
	for _, c := range shell.Parse(line, shell.Options{Dir: dir, Home: home, Tables: s.Shells, Limits: shell.Limits{Work: work.Line / 4}}).Commands {
		if c.Name == "" || len(c.Args) == 0 {
			continue
		}
		argv := make([]string, len(c.Args))
		for i, w := range c.Args {
			argv[i] = w.Text
		}
		list = append(list, argv)
	}
	return list
}
