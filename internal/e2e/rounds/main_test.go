//go:build linux

package rounds

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/cli"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/seat"
)

// This program is three: the tests, the moai that they try (by the name "moai"), and the cage in which destructive lines run.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "moai":
		os.Exit(cli.Start(func(named string) string { return named }, seat.Here(), time.Second))
	case "cage":
		err := cage(os.Args[1], os.Args[2])
		fmt.Fprintln(os.Stderr, "cage:", err)
		os.Exit(125)
	}
	if err := ownMounts(); err != nil {
		fmt.Fprintln(os.Stderr, "rounds: no mounts of its own:", err)
	}
	os.Exit(m.Run())
}

// place is where rounds are played by root: no folder for throw-away files, which moai thinks less of.
const place = "/srv"

// ownMounts starts this program again with a disk in memory at place that nobody else sees, and that goes with the last process. Only
// root can; others play in their temporary folder.
func ownMounts() error {
	const mark = "MOAI_ROUNDS_MOUNTS"
	if os.Geteuid() != 0 || os.Getenv(mark) != "" {
		return nil
	}
	if info, err := os.Stat(place); err != nil || !info.IsDir() {
		return nil
	}
	runtime.LockOSThread() // what is not shared any more is the thread's; exec makes it the program's
	defer runtime.UnlockOSThread()
	if err := syscall.Unshare(syscall.CLONE_NEWNS); err != nil {
		return fmt.Errorf("unshare: %w", err)
	}
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := syscall.Mount("tmpfs", place, "tmpfs", 0, "size=2g,mode=755"); err != nil {
		return fmt.Errorf("mount a tmpfs: %w", err)
	}
	return syscall.Exec("/proc/self/exe", os.Args, append(os.Environ(), mark+"=own"))
}

// cage runs a line by bash where nothing but the scratch disk can be written, as far as the system allows it.
func cage(dir, line string) error {
	if os.Getenv("MOAI_ROUNDS_MOUNTS") != "" {
		runtime.LockOSThread()
		if err := syscall.Unshare(syscall.CLONE_NEWNS); err != nil {
			return err
		}
		if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
			return err
		}
		if err := syscall.Mount("none", "/", "", syscall.MS_REMOUNT|syscall.MS_BIND|syscall.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("make / read-only: %w", err)
		}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		return err
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	return syscall.Exec(bash, []string{"bash", "-c", line}, os.Environ())
}

func number(name string, def int) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil || n < 0 {
		return def
	}
	return n
}

// scratch is the folder in which all is made.
func scratch(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"git", "bash", "cp"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is needed")
		}
	}
	if os.Getenv("MOAI_ROUNDS_MOUNTS") != "" {
		dir, err := os.MkdirTemp(place, "rounds")
		kit.Must(t, err)
		t.Cleanup(func() { remove(dir) })
		return dir
	}
	dir := kit.Dir(t)
	t.Cleanup(func() { remove(dir) })
	return dir
}

// errSkip says that a kind cannot be made here.
var errSkip = errors.New("cannot be made here")
