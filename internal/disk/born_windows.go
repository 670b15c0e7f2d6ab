package disk

import (
	"os"
	"syscall"
	"time"
)

// birth goes by the time of creation. A new file by the name of one that was just deleted gets that one's time: it was here then.
func birth(path string) (born time.Time, names uint32, ok bool) {
	fi, err := os.Lstat(path)
	if err != nil {
		return born, 0, false
	}
	raw, ok := fi.Sys().(*syscall.Win32FileAttributeData)
	if !ok {
		return born, 0, false
	}
	return time.Unix(0, raw.CreationTime.Nanoseconds()), 1, true
}
