package state

import "golang.org/x/sys/windows"

// Account is the profile folder of the user of this process, "" if there is none.
func Account(string) string {
	home, err := windows.GetCurrentProcessToken().GetUserProfileDirectory()
	if err != nil {
		return ""
	}
	return home
}
