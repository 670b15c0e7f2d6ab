package journal

import (
	"context"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/modu-ai/moai/internal/disk"
)

// unfinished is the length of the file, and whether its last byte is not the end of a line.
func unfinished(f *os.File) (size int64, torn bool) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return info.Size(), err == nil && last[0] != '\n'
}

// Looks at a line without an end before it counts as torn, and the time between them, for
// systems on which settle tells nothing. A write takes microseconds; a process that was put
// aside in the middle of one has had its turn again after two milliseconds nearly always.
const (
	tornLooks = 4
	tornPause = 500 * time.Microsecond
)

// mendWait bounds the wait for another process that mends. It has one line to write.
const mendWait = 200 * time.Millisecond

// torn reports whether the file ends inside a line that somebody could not finish.
// What another process is writing at this moment looks the same: a second end of that
// line would leave a blank one.
func torn(f *os.File) bool {
	settle(f)
	for look := range tornLooks {
		if look > 0 {
			time.Sleep(tornPause)
		}
		if _, open := unfinished(f); !open {
			return false
		}
	}
	return true
}

// settle waits until a write to the file that is under way has ended, well or by the death
// of its process: the kernel does one change of a file after the other, and this is one
// that changes nothing. (Linux takes the file's own lock for it, on every file system.)
func settle(f *os.File) { _ = f.Chmod(0o600) }

// mend writes line behind a line that has no end, and on a line of its own. Two that mend at
// once would leave a blank line, so one does. The lock is the kernel's and goes with
// its process; when it does not come, a blank line is better than no event.
func (l Log) mend(f *os.File, line []byte) (size int64, err error) {
	if torn(f) {
		lock := flock.New(l.Path+".lock", flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|disk.Nonblock|disk.NoFollow))
		ctx, cancel := context.WithTimeout(context.Background(), mendWait)
		_, _ = lock.TryLockContext(ctx, time.Millisecond)
		cancel()
		defer lock.Close()
		if _, open := unfinished(f); open {
			line = append([]byte{'\n'}, line...)
		}
	}
	_, err = f.Write(line)
	size, _ = unfinished(f)
	return size, err
}
