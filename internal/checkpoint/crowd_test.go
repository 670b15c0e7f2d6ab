package checkpoint

import (
	"fmt"
	"testing"

	"github.com/modu-ai/moai/internal/repo"
)

// A folder with many new files costs no look at each, and takes nothing of the few beside it.
func TestManyNewFilesAreNotLookedAt(t *testing.T) {
	items := []item{{path: "kept", pos: 0}, {path: "many/nested/", pos: -1}}
	for i := range 100 {
		items = append(items, item{path: fmt.Sprintf("many/%d", i), pos: -1})
	}
	items = append(items, item{path: "src/own.py", pos: -1}, item{path: "own.txt", pos: -1})
	s := &snapshot{opts: &CreateOptions{Limits: Limits{UntrackedFiles: 5}}, ix: &repo.Index{}}
	s.crowd(items)
	left := 0
	for _, it := range items {
		switch {
		case it.skip == "":
			left++
		case it.path == "kept", it.path == "many/nested/", it.path == "src/own.py", it.path == "own.txt":
			t.Errorf("%s is left out: %s", it.path, it.skip)
		}
	}
	if want := 2 + 5*crowded; left != want {
		t.Errorf("%d are looked at, want %d", left, want)
	}
}
