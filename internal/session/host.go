package session

import "os"

// host is the name of this machine: processes of another one that shares the state folder cannot be looked at.
func host() string {
	name, _ := os.Hostname()
	return name
}
