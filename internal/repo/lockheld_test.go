//go:build !windows

package repo

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// What a process locked that was killed is free at once; what one that lives has locked is not, nor what was locked on another machine.
func TestLockOfAProcessThatIsGone(t *testing.T) {
	r, h := refRepo(t)
	packed := filepath.Join(r.CommonDir, "packed-refs")
	if dir := os.Getenv("MOAI_LOCK_AND_DIE"); dir != "" {
		if _, err := lockMarked(dir, filepath.Join(dir, "packed-refs"), 0, nil); err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(os.Getpid())
		must(t, errors.Join(err, p.Kill()))
		select {}
	}
	gone := func() bool {
		gitIn(t, r.WorkTree, "branch", "-f", "gone")
		_, err := r.DeleteRefs([]RefValue{{"refs/heads/gone", h}}, 0)
		return err == nil
	}
	child := exec.Command(os.Args[0], "-test.run=^TestLockOfAProcessThatIsGone$")
	child.Env = append(os.Environ(), "MOAI_LOCK_AND_DIE="+r.CommonDir)
	_ = child.Run()
	if !fileExists(packed + ".lock") {
		t.Fatal("the process that was killed left no lock")
	}
	if r.GiveUpLocks(); fileExists(packed + ".lock") {
		t.Error("the lock of a process that is gone stays")
	}
	aside := asideOf(filepath.Join(r.CommonDir, "refs", "stash.lock"))
	must(t, os.WriteFile(aside, []byte(lockMark), 0o666))
	old := time.Now().Add(-2 * lockStale)
	must(t, os.Chtimes(aside, old, old))
	if r.GiveUpLocks(); fileExists(aside) {
		t.Error("what a process left that was killed while it broke a lock stays")
	}

	l, err := lockMarked(r.CommonDir, packed, 0, nil)
	must(t, err)
	if r.GiveUpLocks(); !fileExists(packed+".lock") || gone() {
		t.Error("the lock of a process that lives was broken")
	}
	if l.Rollback(); !gone() {
		t.Error("a lock that was given back holds up")
	}
	must(t, os.WriteFile(packed+".lock", []byte(markOn+"elsewhere\n"), 0o666))
	if r.GiveUpLocks(); !fileExists(packed + ".lock") {
		t.Error("a new lock of another machine was broken")
	}
}
