//go:build !windows

package state

import "os"

// Rename renames a file over another one, which processes may be reading.
func Rename(from, to string) error { return os.Rename(from, to) }
