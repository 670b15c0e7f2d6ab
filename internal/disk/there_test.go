package disk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// A link that leads nowhere is there all the same.
func TestThere(t *testing.T) {
	dir := kit.Dir(t)
	kit.Must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	want := map[string]bool{"": true, "file": true, "none": false, "file/below": false, "none/below": false, "a\x00b": false}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err == nil {
		want["link"], want["link/below"] = true, false
	}
	for name, is := range want {
		if got := There(filepath.Join(dir, name)); got != is {
			t.Errorf("There(%q) = %v, want %v", name, got, is)
		}
	}
}
