package walk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/walk"
)

// TestVisitPanics: a panic in a worker is an error of the walk, not the end of the process.
func TestVisitPanics(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"a", "b", "c"} {
		if os.MkdirAll(filepath.Join(dir, d), 0o755) != nil || os.WriteFile(filepath.Join(dir, d, "f"), nil, 0o644) != nil {
			t.Fatal("cannot make files")
		}
	}
	_, err := walk.Files(t.Context(), dir, walk.Options{Jobs: 4}, func(walk.File) { panic("broken") })
	if err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("Files = %v, want the panic as an error", err)
	}
}
