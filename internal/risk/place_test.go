package risk

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// A project that lies in a folder called tmp or build is not build output, and a
// home folder under version control is still home.
func TestPlaceDependsOnTheProject(t *testing.T) {
	c := checker{set: &Set{Groups: builtin(t).Groups, Files: []rule.FileSet{rule.NewFileSet(rule.Build, []string{"build/", "out/"}, nil)}}}
	tests := []struct {
		root, home, text string
		class            rule.Class
		names            rule.Names
	}{
		{"/tmp/app", "/home/u", "/tmp/app/src", rule.Inside, 0},
		{"/tmp/app", "/home/u", "src", rule.Inside, 0},
		{"/tmp/app", "/home/u", "build", rule.Inside, rule.Build},
		{"/srv/out/app", "/home/u", "/srv/out/app/src", rule.Inside, 0},
		{"/srv/out/app", "/home/u", ".", rule.Project, 0},
		{"/srv/build/app", "/home/u", "/srv/build/app/build/x", rule.Inside, rule.Build},
		{"/home/u", "/home/u", "/home/u", rule.Home, 0},
		{"/home/u", "/home/u", "/home/u/notes", rule.Inside, 0},
		{"/", "/root", "/root", rule.Home, 0},
		{"/tmp/v1/app", "/home/u", "/tmp/v1", rule.Parent, 0},
		{"/tmp/app", "/home/u", "/tmp/other", rule.Temp, 0},
		{"/tmp/w/app", "/tmp/w/home", "/tmp/w/home/notes", rule.Outside, 0},
		{"/tmp/w/app", "/tmp/w/home", "/tmp/w/other", rule.Temp, 0},
		{"/tmp/w/app", "/tmp", "/tmp/x", rule.Temp, 0}, // the home of a container's user
		{"/srv/out/w/app", "/srv/out/w/home", "/srv/out/w/home/notes/*.txt", rule.Outside, 0},
		{"/srv/out/app", "/home/u", "/srv/out/app/src/*.txt", rule.Inside, 0},
	}
	for _, tt := range tests {
		c.in = &Input{Dir: tt.root, Root: tt.root, Home: tt.home}
		k := call{cmd: &shell.Command{}}
		e := &effect{kind: rule.DeleteTree, text: tt.text, known: true, glob: strings.Contains(tt.text, "*"), word: &shell.Word{Text: tt.text, Glob: strings.Contains(tt.text, "*")}}
		got := c.placeOf(&k, e)
		if got.Class != tt.class || got.Names != tt.names {
			t.Errorf("in %s (home %s): %s is class %d names %d, want %d %d", tt.root, tt.home, tt.text, got.Class, got.Names, tt.class, tt.names)
		}
	}
}
