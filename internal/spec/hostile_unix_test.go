//go:build unix

package spec

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe in place of a document is never waited for.
func TestPipe(t *testing.T) {
	root := project(t, map[string]string{"SPEC-A-001": "", "SPEC-B-001": doc("B-001", "status: completed\n")})
	if err := syscall.Mkfifo(filepath.Join(root, filepath.FromSlash(Dir), "SPEC-A-001", "spec.md"), 0o644); err != nil {
		t.Skip("no pipes here:", err)
	}
	words := table(t)
	read := make(chan []*Spec)
	go func() { read <- Load(root, words) }()
	select {
	case list := <-read:
		if len(list) != 2 || len(list[0].Faults) != 1 || !strings.Contains(list[0].Faults[0].Text, "not a regular file") || !list[1].Done() {
			t.Errorf("Load = %+v, want a fault and a completed SPEC", list)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("Load waits for a writer")
	}
}
