//go:build !linux

package child

// adopt does nothing: on Windows the job has all that a program starts, and elsewhere what leaves the group is not found again.
func adopt() {}

func disown() {}
