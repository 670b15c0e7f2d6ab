//go:build unix

package state

import "syscall"

// Nonblock keeps the opening of a pipe that took a file's place from waiting for a writer.
const Nonblock = syscall.O_NONBLOCK
