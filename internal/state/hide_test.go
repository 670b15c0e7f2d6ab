package state

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// What hides moai's files comes whole, and nothing of its making stays; what the project has is left as it is.
func TestHide(t *testing.T) {
	for _, git := range []bool{true, false} {
		root := t.TempDir()
		dir := filepath.Join(root, ".moai")
		kit.Must(t, os.Mkdir(dir, 0o755))
		if git {
			kit.Must(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
		}
		for range 2 {
			Hide(dir)
			if text, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(text) != hidden {
				t.Errorf("git %v: %q, %v", git, text, err)
			}
		}
		if left, _ := os.ReadDir(filepath.Join(root, ".git")); len(left) > 0 {
			t.Errorf("left in .git: %v", left)
		}
		own := filepath.Join(t.TempDir(), ".moai")
		kit.Must(t, os.Mkdir(own, 0o755))
		kit.Write(t, filepath.Join(own, ".gitignore"), "")
		Hide(own)
		if text, err := os.ReadFile(filepath.Join(own, ".gitignore")); err != nil || len(text) > 0 {
			t.Errorf("the project's own is now %q, %v", text, err)
		}
	}
}
