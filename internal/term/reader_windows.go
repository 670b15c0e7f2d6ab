package term

import (
	"errors"
	"syscall"
)

// noReader reports that who was to read has gone: ERROR_BROKEN_PIPE, or ERROR_NO_DATA, which package syscall does not name.
func noReader(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, syscall.Errno(232))
}
