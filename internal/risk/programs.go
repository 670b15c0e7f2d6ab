package risk

import "github.com/modu-ai/moai/internal/shell"

// Lines lists what a command line would run, one argument list for each
// program whose name is known, wrappers taken off.
func (s *Set) Lines(line, dir, home string) [][]string {
	var list [][]string
	for _, c := range shell.Parse(line, shell.Options{Dir: dir, Home: home, Tables: s.Shells}).Commands {
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
