package state

import (
	"os"
	"path/filepath"
	"testing"
)

// What hides moai's files comes whole, and nothing of its making stays; what the project has is left as it is.
func TestHide(t *testing.T) {
	for _, git := range []bool{true, false} {
		root := t.TempDir()
		dir := filepath.Join(root, ".moai")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if git {
			if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
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
		if err := os.Mkdir(own, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(own, ".gitignore"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		Hide(own)
		if text, err := os.ReadFile(filepath.Join(own, ".gitignore")); err != nil || len(text) > 0 {
			t.Errorf("the project's own is now %q, %v", text, err)
		}
	}
}
