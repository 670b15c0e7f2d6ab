//go:build !linux

package state

import "errors"

// Exchange is not done here: there is no such step, or none for every file system.
func Exchange(_, _ string) error { return errors.ErrUnsupported }

// swap is Rename where nothing is cheaper.
func swap(from, to string) error { return Rename(from, to) }
