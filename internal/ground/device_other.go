//go:build !unix

package ground

// otherDevice is false where what is mounted in a folder is a kind of link, which is
// followed like every other.
func otherDevice(string, string) bool { return false }
