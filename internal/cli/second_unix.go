//go:build !windows

package cli

import (
	"os"
	"syscall"
)

// become replaces this process by another program; it returns only where that failed.
func become(program string, argv []string) error { return syscall.Exec(program, argv, os.Environ()) }
