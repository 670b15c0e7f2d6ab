//go:build !linux

package state

// swap is Rename where nothing is cheaper.
func swap(from, to string) error { return Rename(from, to) }
