//go:build !windows

package checkpoint

// windowsNames: a backslash is an ordinary character here.
func windowsNames(string) bool { return false }
