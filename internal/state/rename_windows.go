package state

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// renameWait bounds how long Rename tries: longer than any reader of ours keeps a
// file open, shorter than a hook's budget.
const renameWait = 300 * time.Millisecond

// Rename renames a file over another one. Windows refuses that while any process has
// the old one open, so it tries again until the readers are through.
func Rename(from, to string) error {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		err := os.Rename(from, to)
		held := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !held || time.Since(start) > renameWait {
			return err
		}
	}
}
