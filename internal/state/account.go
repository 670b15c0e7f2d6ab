//go:build unix && !darwin

package state

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// maxPasswd bounds the password database in bytes: that of a machine with ten thousand users has less.
const maxPasswd = 1 << 20

// Account is the home that /etc/passwd names for the user of this process, "" if it names
// none. Package os/user would ask $HOME in the end, which is what is in question, and
// package os makes more calls than these three, in every hook.
func Account(string) string { return homeIn("/etc/passwd", strconv.Itoa(os.Geteuid())) }

// homeIn is the home that a password database names for a user.
func homeIn(passwd, uid string) string {
	fd, err := syscall.Open(passwd, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer syscall.Close(fd)
	data := make([]byte, 0, 8192)
	for len(data) < maxPasswd {
		if len(data) == cap(data) {
			data = slices.Grow(data, len(data))
		}
		n, err := syscall.Read(fd, data[len(data):cap(data)])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n < 0 {
			return ""
		}
		data = data[:len(data)+n]
		// A whole entry of the user is enough: the first counts.
		if home, ok := homeOf(data, uid, n == 0); ok || n == 0 {
			return home
		}
	}
	return ""
}

// homeOf finds name:password:uid:gid:comment:home:shell. Without whole the last line may be a part of one.
func homeOf(passwd []byte, uid string, whole bool) (home string, ok bool) {
	for line := range bytes.Lines(passwd) {
		line, ended := bytes.CutSuffix(line, []byte("\n"))
		if !ended && !whole {
			break
		}
		_, rest, _ := bytes.Cut(line, []byte(":"))
		_, rest, _ = bytes.Cut(rest, []byte(":"))
		id, rest, _ := bytes.Cut(rest, []byte(":"))
		if string(id) != uid || line[0] == '#' {
			continue
		}
		f := bytes.Split(rest, []byte(":")) // gid, comment, home, shell
		if len(f) != 4 {
			continue
		}
		if filepath.IsAbs(string(f[2])) {
			return filepath.Clean(string(f[2])), true
		}
		return "", true
	}
	return "", false
}
