package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// TestInstall replaces a program that hooks are starting all the time: a moment without one, or with half of one, would be
// a call that nobody judges.
func TestInstall(t *testing.T) {
	program, err := exec.LookPath("true")
	if _, makeErr := exec.LookPath("make"); err != nil || makeErr != nil {
		t.Skip("needs make, and a program to install")
	}
	makefile, err := filepath.Abs(filepath.Join("..", "..", "Makefile"))
	kit.Must(t, err)
	dir := t.TempDir()
	binary, err := os.ReadFile(program)
	kit.Must(t, err)
	kit.Must(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
	for _, name := range []string{"moai", "moaid"} {
		kit.Must(t, os.WriteFile(filepath.Join(dir, "bin", name), binary, 0o755))
	}
	prefix := filepath.Join(dir, "a place")
	target := filepath.Join(prefix, "bin", "moai")
	install := func() error {
		cmd := exec.Command("make", "-s", "-f", makefile, "-o", "build", "install", "PREFIX="+prefix)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("make install: %w: %s", err, out)
		}
		return nil
	}
	kit.Must(t, install())

	// Started all the time while two installations run side by side.
	done := make(chan struct{})
	started := make(chan int)
	go func() {
		n := 0
		defer func() { started <- n }()
		for {
			select {
			case <-done:
				return
			default:
				if out, err := exec.Command(target).CombinedOutput(); err != nil {
					t.Errorf("start %d: %v: %s", n, err, out)
					return
				}
				n++
			}
		}
	}()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for range 10 {
				if err := install(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	close(done)
	if n := <-started; n == 0 {
		t.Error("nothing was started meanwhile")
	}

	// A link goes; what it led to is somebody's own.
	other := filepath.Join(dir, "other")
	kit.Must(t, os.WriteFile(other, []byte("mine"), 0o600))
	kit.Must(t, os.Remove(target))
	kit.Must(t, os.Symlink(other, target))
	if err := install(); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(target); err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o755 {
		t.Errorf("in place of a link: %v, %v", info, err)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "mine" {
		t.Errorf("behind the link: %q, %v", text, err)
	}

	// What cannot be replaced fails and leaves nothing.
	kit.Must(t, os.Remove(target))
	kit.Must(t, os.Mkdir(target, 0o755))
	if err := install(); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("over a folder: %v", err)
	}
	for _, d := range []string{target, filepath.Dir(target)} {
		if left, _ := filepath.Glob(filepath.Join(d, "*.new*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}
