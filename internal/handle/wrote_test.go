package handle

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/verify"
)

// What an edit has left is read once, for the session and for its verification: both must write it down alike.
func TestLeftSum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	for _, text := range []string{"", "package a\n"} {
		kit.Must(t, os.WriteFile(path, []byte(text), 0o600))
		if w, _, ok := left(path); !ok || w.Sum != verify.Sum(path) || w.Size != int64(len(text)) {
			t.Errorf("%q: %+v %v, want %s", text, w, ok, verify.Sum(path))
		}
	}
	if w, _, ok := left(filepath.Dir(path)); ok {
		t.Errorf("a folder: %+v", w)
	}
}
