package tag

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
)

// A project in a folder of a repository has the rules of the folders above, as Git has it.
func TestCollectBelowRepository(t *testing.T) {
	top, index := t.TempDir(), filepath.Join(t.TempDir(), "tags.idx")
	kit.Git(t, top, "init", "-q")
	kit.Tree(t, top, map[string]string{
		".gitignore":           "modules/\n/web/app/top.go\n/only.go\n",
		"web/.gitignore":       "!modules/keep\napp/local.go\n",
		".git/info/exclude":    "excluded.go\n",
		"web/app/a.go":         "// @CODE:A-001\n",
		"web/app/only.go":      "// @CODE:A-002\n",
		"web/app/top.go":       "// @CODE:X-001\n",
		"web/app/local.go":     "// @CODE:X-002\n",
		"web/app/excluded.go":  "// @CODE:X-003\n",
		"web/app/modules/m.go": "// @CODE:X-004\n",
	})

	root := filepath.Join(top, "web", "app")
	want := []string{"a.go:1 @CODE:A-001", "only.go:1 @CODE:A-002"}
	for range 2 {
		if d := cmp.Diff(want, found(collect(t, root, index))); d != "" {
			t.Errorf("Collect below a repository (-want +got):\n%s", d)
		}
	}
	// The index knows nothing of these files but that they decide.
	kit.Tree(t, top, map[string]string{"web/.gitignore": "only.go\n"})
	want = []string{"a.go:1 @CODE:A-001", "local.go:1 @CODE:X-002"}
	if d := cmp.Diff(want, found(collect(t, root, index))); d != "" {
		t.Errorf("after other rules above (-want +got):\n%s", d)
	}
	// Who asks about a folder that Git ignores wants to know what is in it.
	if got := found(collect(t, filepath.Join(root, "modules"), "")); len(got) != 1 {
		t.Errorf("Collect in an ignored folder = %v, want its TAG", got)
	}
}

// In a linked work tree .git is a file, and info/exclude lies in the repository that it names.
func TestCollectLinkedWorkTree(t *testing.T) {
	dir := t.TempDir()
	top, linked := filepath.Join(dir, "main"), filepath.Join(dir, "linked")
	kit.Tree(t, top, map[string]string{"a.go": "// @CODE:A-001\n"})
	kit.Git(t, top, "init", "-q")
	kit.Git(t, top, "add", "a.go")
	kit.Git(t, top, "commit", "-q", "-m", "one")
	kit.Git(t, top, "worktree", "add", "-q", linked)
	kit.Tree(t, top, map[string]string{".git/info/exclude": "excluded.go\n"})
	kit.Tree(t, linked, map[string]string{"excluded.go": "// @CODE:X-001\n"})
	if d := cmp.Diff([]string{"a.go:1 @CODE:A-001"}, found(collect(t, linked, ""))); d != "" {
		t.Errorf("Collect in a linked work tree (-want +got):\n%s", d)
	}
}
