//go:build unix

package tag

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// within fails when f waits, for a writer of a pipe for instance.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s hangs", what)
	}
}

func fifo(t *testing.T, name string) {
	t.Helper()
	kit.Must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	_ = os.Remove(name)
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Skip("no pipes here:", err)
	}
}

// A pipe is never waited for, wherever a file was expected.
func TestPipes(t *testing.T) {
	root, index := t.TempDir(), filepath.Join(t.TempDir(), "tags.idx")
	kit.Tree(t, root, map[string]string{"a.go": "// @CODE:A-001\n", "b.go": "// @CODE:A-001\n"})
	for _, name := range []string{"pipe.go", ".gitignore", "sub/.gitignore", ".git/info/exclude"} {
		fifo(t, filepath.Join(root, filepath.FromSlash(name)))
	}
	within(t, "Collect", func() { collect(t, root, index) })
	fifo(t, index)
	var r *Result
	within(t, "Collect with a pipe as index", func() { r = collect(t, root, index) })
	if len(found(r)) != 2 {
		t.Errorf("found %v, want two TAGs", found(r))
	}
	within(t, "renaming", func() {
		edits, err := PlanRename(root, "A-001", "B-001", r.All(), []string{"pipe.go"})
		if err != nil || len(edits) != 2 {
			t.Errorf("PlanRename = %v, %v, want two files", edits, err)
			return
		}
		fifo(t, filepath.Join(root, "b.go"))
		if err := ApplyRename(root, edits); err == nil {
			t.Error("ApplyRename with a pipe in place of a file = nil, want an error")
		}
	})
	if data, _ := os.ReadFile(filepath.Join(root, "a.go")); !strings.Contains(string(data), "A-001") {
		t.Errorf("a.go = %q after a failure, want it as it was", data)
	}
}

// A renaming writes through no link: neither out of the tree nor to another place of it.
func TestRenameThroughLinks(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	kit.Tree(t, outside, map[string]string{"spec.md": "# @SPEC:A-001\n", "victim": "safe\n"})
	kit.Tree(t, root, map[string]string{".moai/specs/SPEC-B-001/spec.md": "# @SPEC:B-001\ndepends on A-001\n", "a.go": "// @CODE:A-001\n", "other": "safe\n"})
	for link, to := range map[string]string{
		".moai/specs/SPEC-A-001": outside, ".moai/specs/SPEC-C-001": "SPEC-B-001",
		"out.go": filepath.Join(outside, "spec.md"),
	} {
		kit.Must(t, os.Symlink(to, filepath.Join(root, filepath.FromSlash(link))))
	}
	docs := []string{".moai/specs/SPEC-A-001/spec.md", ".moai/specs/SPEC-B-001/spec.md", ".moai/specs/SPEC-C-001/spec.md", "out.go"}
	plan := func() []Edit {
		t.Helper()
		edits, err := PlanRename(root, "A-001", "N-001", collect(t, root, "").All(), docs)
		kit.Must(t, err)
		return edits
	}
	edits := plan()
	if names := paths(edits); !slices.Equal(names, []string{".moai/specs/SPEC-B-001/spec.md", "a.go"}) {
		t.Errorf("planned %v, want the files of the tree alone", names)
	}
	// A link that was laid where the new content goes first is not written through.
	kit.Must(t, os.Symlink("other", filepath.Join(root, "a.go"+aside)))
	if err := ApplyRename(root, edits); err == nil {
		t.Error("ApplyRename over a link = nil, want an error")
	}
	if data, _ := os.ReadFile(filepath.Join(root, "other")); string(data) != "safe\n" {
		t.Errorf("other = %q, want it untouched", data)
	}
	kit.Must(t, os.Remove(filepath.Join(root, "a.go"+aside)))
	kit.Must(t, os.Chmod(filepath.Join(root, "a.go"), 0o775))
	kit.Must(t, ApplyRename(root, plan()))
	if st, _ := os.Stat(filepath.Join(root, "a.go")); st.Mode().Perm() != 0o775 {
		t.Errorf("a.go has the mode %o, want 775 as before", st.Mode().Perm())
	}
	if data, _ := os.ReadFile(filepath.Join(outside, "spec.md")); string(data) != "# @SPEC:A-001\n" {
		t.Errorf("outside = %q, want it untouched", data)
	}
}

func paths(edits []Edit) []string {
	var out []string
	for i := range edits {
		out = append(out, edits[i].Path)
	}
	return out
}
