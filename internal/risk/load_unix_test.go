//go:build unix

package risk

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe among the rule files would be waited for without end.
func TestPipeAmongRules(t *testing.T) {
	places := Places{Root: t.TempDir()}
	write(t, filepath.Join(places.ProjectRules(), "a.toml"), addedRule)
	if err := syscall.Mkfifo(filepath.Join(places.ProjectRules(), "b.toml"), 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	set, err := Load(NewSet(builtin(t)), places)
	if err == nil || !strings.Contains(err.Error(), "b.toml") || set.Rule("deploy.skip-tests") == nil {
		t.Errorf("Load = %v, want the pipe named and the plain file read", err)
	}
}
