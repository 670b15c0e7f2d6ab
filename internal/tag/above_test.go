package tag

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// git runs Git in a folder, without anybody's configuration.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	name, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git to make a repository")
	}
	cmd := exec.Command(name, append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// A project in a folder of a repository has the rules of the folders above, as Git has it.
func TestCollectBelowRepository(t *testing.T) {
	top, index := t.TempDir(), filepath.Join(t.TempDir(), "tags.idx")
	git(t, top, "init", "-q")
	write(t, top, map[string]string{
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
	write(t, top, map[string]string{"web/.gitignore": "only.go\n"})
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
	write(t, top, map[string]string{"a.go": "// @CODE:A-001\n"})
	git(t, top, "init", "-q")
	git(t, top, "add", "a.go")
	git(t, top, "commit", "-q", "-m", "one")
	git(t, top, "worktree", "add", "-q", linked)
	write(t, top, map[string]string{".git/info/exclude": "excluded.go\n"})
	write(t, linked, map[string]string{"excluded.go": "// @CODE:X-001\n"})
	if d := cmp.Diff([]string{"a.go:1 @CODE:A-001"}, found(collect(t, linked, ""))); d != "" {
		t.Errorf("Collect in a linked work tree (-want +got):\n%s", d)
	}
}
