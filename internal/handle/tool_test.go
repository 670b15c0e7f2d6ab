package handle

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// The client may know a project by another name than the file that it has edited.
func TestRelative(t *testing.T) {
	dir := t.TempDir()
	kit.Write(t, filepath.Join(dir, "real", "src", "a.go"), "")
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if p, err := filepath.EvalSymlinks(filepath.Join(dir, "link")); err != nil || filepath.Base(p) != "real" {
		t.Skip("symbolic links cannot be told here:", err) // Wine
	}
	for _, tt := range []struct{ root, path, want string }{
		{"real", "real/src/a.go", "src/a.go"},
		{"link", "link/src/a.go", "src/a.go"},
		{"link", "real/src/a.go", "src/a.go"},
		{"real", "link/src/new.go", "src/new.go"},
		{"real", "other/a.go", ""},
	} {
		path := filepath.Join(dir, filepath.FromSlash(tt.path))
		if tt.want == "" {
			tt.want = path
		}
		if got := relative(filepath.Join(dir, tt.root), path); got != tt.want {
			t.Errorf("relative(%s, %s) = %q, want %q", tt.root, tt.path, got, tt.want)
		}
	}
}
