//go:build !windows

package repo

// linkTarget is a link's target in the form that git stores.
func linkTarget(s string) string { return s }
