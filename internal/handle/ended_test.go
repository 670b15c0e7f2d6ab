package handle

import (
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

// What moai itself says are a project's tests and builds are some for it where the model runs them.
func TestOwnCommandsAreKnown(t *testing.T) {
	n := 0
	for i := range languages.Table.Languages {
		l := &languages.Table.Languages[i]
		for kind, tools := range map[string][]string{"test_failed": commandsOf(l, l.Tests), "build_failed": commandsOf(l, l.Builds)} {
			for _, line := range tools {
				// A program of the project's own, or a text of a language, runs them.
				if strings.ContainsAny(line, `'"`) || slices.ContainsFunc([]string{" -s ", "-batch", "alr run", "/run.py", " run.py", ".ps1", " -Command "}, func(own string) bool { return strings.Contains(line+" ", own) }) {
					continue
				}
				n++
				found := false
				for _, by := range []string{"", "gradle", "mvn", "mill", "sbt"} {
					for _, words := range risks.Set().Lines(strings.NewReplacer("{run}", by, "{found}", "build.hxml").Replace(line), "/work", "/home/user") {
						found = found || risk.Kind(journal.Commands, words) == kind
					}
				}
				if !found {
					t.Errorf("%s: %q is no %s", l.ID, line, kind)
				}
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d commands", n)
	}
}

// commandsOf are the commands of tools; one that says {build} is that of each package manager.
func commandsOf(l *rule.Language, tools []rule.Tool) (list []string) {
	for i := range tools {
		c := tools[i].Command
		if c == "{build}" {
			for j := range l.Managers {
				if b := l.Managers[j].Build; b != "" {
					list = append(list, b)
				}
			}
		} else if c != "" {
			list = append(list, c)
		}
	}
	return list
}
