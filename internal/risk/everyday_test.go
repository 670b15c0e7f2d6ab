package risk

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestPatternsThatFitNothing: where names can be looked up, a pattern that no file fits takes nothing away; one that fits, or that
// something on the line may make fit, is judged as before.
func TestPatternsThatFitNothing(t *testing.T) {
	set := NewSet(builtin(t))
	for line, want := range map[string]bool{
		"rm -rf *.gcov": true, "rm -rf *.gcov src/*.info": true, "cd src && rm -rf *.gcov": true,
		"rm -rf *.md": false, "rm -rf s*": false, "rm -rf *": false, "rm -rf .??*": false, "rm -rf *.{md,gcov}": false, "rm -rf src/*.go": false,
		"mv README.md x.gcov; rm -rf *.gcov": false, "git checkout topic; rm -rf *.gcov": false,
	} {
		in := World()
		in.Command = line
		in.Names = func(pattern string) (names []string, ok bool) {
			all := map[string][]string{in.Root: {"README.md", "main.go", "src"}, in.Root + "/src": {"app.go", "lib"}}[path.Dir(pattern)]
			if strings.ContainsAny(path.Dir(pattern), "*?[") {
				return nil, false
			}
			return slices.DeleteFunc(slices.Clone(all), func(name string) bool { ok, _ := path.Match(path.Base(pattern), name); return !ok }), true
		}
		if v := set.Check(&in); (v.Action == Allow) != want {
			t.Errorf("Check(%q) = %v %v; nothing is taken: %t", line, v.Action, v.IDs(), want)
		}
	}
}
