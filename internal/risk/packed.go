package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// packed takes a program that is one file, given to another that runs it, for the program of its name: "java -jar bfg-1.14.jar". What is not
// known by that name stays what the other one is.
func (k *call) packed(c *checker) {
	for row := range c.set.words("runs-packed") {
		runs, ending, _ := strings.Cut(row, ":")
		program, option, _ := strings.Cut(runs, " ")
		if program != k.name {
			continue
		}
		at := 1 + slices.IndexFunc(k.cmd.Args, func(w shell.Word) bool { return w.Is(option) })
		if at == 0 || at == len(k.cmd.Args) {
			continue
		}
		file := k.cmd.Args[at].Suffix()
		name, is := strings.CutSuffix(file[strings.LastIndexByte(file, '/')+1:], ending)
		if name = withoutVersion(name); !is || c.program(name) == nil && len(c.set.ByProgram(name)) == 0 {
			continue
		}
		cmd := *k.cmd
		cmd.Args = cmd.Args[at:]
		k.cmd, k.name = &cmd, name
		return
	}
}

// withoutVersion cuts a name where its version begins: "bfg-1.14.0", "plantuml-v1", "liquibase_4".
func withoutVersion(name string) string {
	for i := 1; i+1 < len(name); i++ {
		rest := strings.TrimPrefix(name[i+1:], "v")
		if strings.IndexByte("-_.", name[i]) >= 0 && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return name[:i]
		}
	}
	return name
}
