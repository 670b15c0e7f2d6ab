//go:build unix && !linux

package lang

import "syscall"

const openNonblock = syscall.O_NONBLOCK
