package ground

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/work"
)

// TestHooks: hooks are looked for where Git has them, what leads out of the project is not read, and what is no name of a hook is not looked for.
func TestHooks(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "p")
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(top, name)
		kit.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		kit.Must(t, os.WriteFile(file, []byte(text), 0o700))
	}
	write("p/.git/HEAD", "ref: refs/heads/main\n")
	write("p/.git/config", "[core]\n\trepositoryformatversion = 0\n[hook \"a\"]\n\tevent = pre-push\n\tcommand = tidy\n[hook \"b\"]\n\tevent = pre-push\n\tcommand = off\n\tenabled = false\n")
	for _, name := range []string{"p/.git/objects/x", "p/.git/refs/x", "p/.git/hooks/pre-commit", "p/own/pre-push", "out/pre-commit", "x"} {
		write(name, "ls\n")
	}
	g := New(dir, work.New(work.Disk))
	events := []string{"pre-commit", "pre-push", "../config"}
	at, folder, there, lines := g.Hooks("", "", events)
	if at != filepath.ToSlash(dir) || folder != filepath.ToSlash(dir)+"/.git/hooks" || !slices.Equal(there, []string{"pre-commit"}) || !slices.Equal(lines, []string{"tidy"}) {
		t.Error(at, folder, there, lines)
	}
	if _, folder, there, _ := g.Hooks(filepath.Join(dir, "own"), "own", events); folder != filepath.ToSlash(dir)+"/own" || !slices.Equal(there, []string{"pre-push"}) {
		t.Error(folder, there)
	}
	if _, folder, _, _ := g.Hooks(dir, "../out", events); folder != filepath.ToSlash(top)+"/out" {
		t.Error(folder)
	}
	for name, want := range map[string]bool{".git/hooks/pre-commit": true, "own/pre-push": true, "../out/pre-commit": false} {
		if _, ok := g.Source(filepath.Join(dir, name)); ok != want {
			t.Errorf("%s is read: %v", name, ok)
		}
	}
	if at, _, _, _ := g.Hooks(filepath.Join(top, "out"), "", events); at != "" {
		t.Errorf("hooks without a repository: %s", at)
	}
	if at, _, _, _ := New(dir, work.New(1)).Hooks(dir, "", events); at != "" {
		t.Error("a look without any work left")
	}
}
