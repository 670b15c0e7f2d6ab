package repo

import (
	"os"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// A mark can name a machine. There the process that made the lock also holds the file with flock, and the kernel ends that with the process. Who
// gets the flock on the same machine knows that the process is gone, and need not wait. On another machine flock tells nothing.
const (
	markOn    = "# moai on "
	maxMarked = 300 // letters of a mark
)

// markHeld has the kernel hold a lock's file, and gives the mark that says so.
func markHeld(f *os.File) string {
	host, err := os.Hostname()
	if err != nil || host == "" || len(host) > maxMarked/2 || strings.ContainsAny(host, "\n") || !holds(f) {
		return lockMark
	}
	return markOn + host + "\n"
}

// markOf reads the mark of a lock; "" where it has none.
func markOf(path string, fi os.FileInfo) string {
	if fi.Size() > maxMarked {
		return ""
	}
	b, err := os.ReadFile(path)
	host, named := strings.CutPrefix(string(b), markOn)
	if err != nil || string(b) != lockMark && (!named || strings.Index(host, "\n") != len(host)-1) {
		return ""
	}
	return string(b)
}

// isLeft reports a lock whose process is gone.
func isLeft(path, mark string, seen os.FileInfo) bool {
	host, err := os.Hostname()
	if err != nil || mark != markOn+host+"\n" {
		return false
	}
	f, fi, err := disk.OpenRegular(os.OpenFile, path, disk.NoFollow)
	if err != nil {
		return false
	}
	defer f.Close()
	return os.SameFile(seen, fi) && holds(f)
}
