//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
)

// ownMounts starts this program again with mounts that nobody else sees: the kernel takes them away with the last process,
// however that ends. Only root can, and only root needs to.
func ownMounts() error {
	const done = "MOAI_CHAOS_MOUNTS=own"
	if os.Geteuid() != 0 || slices.Contains(os.Environ(), done) {
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
	return syscall.Exec("/proc/self/exe", os.Args, append(os.Environ(), done))
}

// disk mounts a small disk in memory.
func (r *rig) disk(dir string, size int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		return fmt.Errorf("mount a tmpfs: %w", err)
	}
	r.mounts = append(r.mounts, dir)
	return nil
}

// unmount takes the last disk away.
func (r *rig) unmount(dir string) {
	r.mounts = slices.DeleteFunc(r.mounts, func(m string) bool { return m == dir })
	_ = syscall.Unmount(dir, syscall.MNT_DETACH)
}
