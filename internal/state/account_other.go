//go:build !unix && !windows

package state

// Account is not known here.
func Account(string) string { return "" }
