//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestDemo runs what make demo runs: every promise in it is checked by the
// script itself, and it must be over within a minute and leave nothing, whatever
// the settings of whoever runs it are.
func TestDemo(t *testing.T) {
	scratch := t.TempDir()
	cmd := exec.Command("sh", filepath.Join("testdata", "demo", "demo.sh"), filepath.Join(bin, "moai"))
	cmd.Dir, cmd.Env = root, append(os.Environ(), "TMPDIR="+scratch, "MOAI_GUARD_MODE=off", "MOAI_DRY_RUN=1", "GIT_INDEX_FILE="+filepath.Join(scratch, "index"))
	started := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if took := time.Since(started); took > time.Minute {
		t.Errorf("took %v, want less than a minute", took)
	}
	left, err := os.ReadDir(scratch)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
