//go:build !windows

package term

import (
	"errors"
	"syscall"
)

// noReader reports that who was to read has gone.
func noReader(err error) bool { return errors.Is(err, syscall.EPIPE) }
