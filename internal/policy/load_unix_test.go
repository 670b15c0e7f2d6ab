//go:build unix

package policy

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/risk"
)

// A pipe among the rule files would be waited for without end.
func TestPipeAmongRules(t *testing.T) {
	places := Places{Root: t.TempDir()}
	kit.Write(t, filepath.Join(places.ProjectRules(), "a.toml"), addedRule)
	if err := syscall.Mkfifo(filepath.Join(places.ProjectRules(), "b.toml"), 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	set, err := Load(risk.NewSet(builtin(t)), places)
	if err == nil || !strings.Contains(err.Error(), "b.toml") || set.Rule("deploy.skip-tests") == nil {
		t.Errorf("Load = %v, want the pipe named and the plain file read", err)
	}
}

// Rules that cannot be read stop nothing; that must be said, not taken for no rules.
func TestRulesThatCannotBeRead(t *testing.T) {
	base := risk.NewSet(builtin(t))
	loop := t.TempDir()
	kit.Must(t, os.Symlink("rules", filepath.Join(loop, "rules")))
	if _, err := Load(base, Places{Config: loop}); err == nil || !strings.Contains(err.Error(), "the rules in it do not count") {
		t.Errorf("a rules folder that leads nowhere: %v", err)
	}
	if files, err := (Places{Config: loop}).Files(); err == nil || len(files) > 0 {
		t.Errorf("its files: %v, %v; want a problem", files, err)
	}
	file := t.TempDir() // a file where the folder would be is no folder
	kit.Write(t, filepath.Join(file, "rules"), "")
	if _, err := Load(base, Places{Config: filepath.Join(file, "rules")}); err != nil {
		t.Errorf("no folder: %v", err)
	}
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	for _, closed := range []string{".moai", ".moai/rules", ".moai/rules/own.toml"} {
		root := t.TempDir()
		kit.Write(t, filepath.Join(root, ".moai/rules/own.toml"), addedRule)
		path := filepath.Join(root, closed)
		kit.Must(t, os.Chmod(path, 0))
		_, err := Load(base, Places{Root: root})
		if err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s closed: %v, want that it is said", closed, err)
		}
		if err := os.Chmod(path, 0o700); err != nil { // the folder is to be removed
			t.Fatal(err)
		}
	}
}
