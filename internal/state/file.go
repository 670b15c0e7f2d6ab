package state

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// maxFile bounds what is read back: a larger file was not written by us.
const maxFile = 16 << 20

// Read decodes the JSON file at path into v. It reports false, and leaves v
// alone, when the file is missing, older than ttl (0: never too old), damaged or
// cannot be read: state is a help, never a reason to fail. A value of another
// type, as another version of moai may have written, is damage too.
func Read[T any](path string, ttl time.Duration, v *T) bool {
	_, ok := ReadTimed(path, ttl, v)
	return ok
}

// ReadTimed is Read that tells when the file was written last.
func ReadTimed[T any](path string, ttl time.Duration, v *T) (at time.Time, ok bool) {
	at, ok, err := read(path, ttl, v)
	return at, ok && err == nil
}

// read is Read that tells what is not there or is nobody's state any more, which
// may be written anew, from what only this process cannot read now (too many open
// files, a disk that fails): writing that anew would lose what others have kept.
func read[T any](path string, ttl time.Duration, v *T) (at time.Time, ok bool, err error) {
	data, st, err := disk.ReadFile(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, disk.ErrNotRegular), errors.Is(err, disk.ErrTooLarge):
		return at, false, nil
	case err != nil:
		return at, false, fmt.Errorf("read state: %w", err)
	}
	at = st.Modified()
	if ttl > 0 && time.Since(at) > ttl {
		return at, false, nil
	}
	var fresh T // decoding stops halfway, and v would be half of each
	if unmarshal(data, &fresh) != nil {
		return at, false, nil
	}
	*v = fresh
	return at, true, nil
}

// Write replaces the file at path with v as JSON, atomically and readable by
// this user only. The folder is made when it is missing.
func Write(path string, v any) error {
	data, err := marshal(v)
	if err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	return Replace(path, data)
}

// Swap is Write for what is worth nothing once the machine is off: who is at work, and what was said. It is half as much work
// where a file system writes a file to disk as soon as it takes the place of another one (ext4 does).
func Swap(path string, v any) error {
	data, err := marshal(v)
	if err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	return put(path, data, swap)
}

// Replace writes data to a temporary file beside path and renames it over path.
// State can be lost with the power, so it is not synced to disk.
func Replace(path string, data []byte) error { return put(path, data, Rename) }

// put writes data to a temporary file beside path, and has it take the place of path.
func put(path string, data []byte, move func(from, to string) error) error {
	dir := filepath.Dir(path)
	from, err := spare(dir, data)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make state folder: %w", err)
		}
		from, err = spare(dir, data)
	}
	if err == nil {
		if err = move(from, path); err != nil {
			os.Remove(from)
		}
	}
	if err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	return nil
}

// spare makes a file with data that nobody else has.
func spare(dir string, data []byte) (path string, err error) {
	for {
		path = filepath.Join(dir, ".tmp-"+strconv.FormatUint(rand.Uint64(), 36))
		if err = disk.Create(path, data); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

// Update reads path into v, lets change edit it and writes it back, all under a
// lock, so that parallel hooks of one session lose nothing. When change reports
// false nothing is written, and neither is it when the file is there and cannot be
// read. An error means that the change is not in the file. What has a time to live may go with the power; see Swap.
func Update[T any](path string, ttl time.Duration, change func(v *T) bool) error {
	return UpdateWithin(path, ttl, lockWait, change)
}

// UpdateWithin is Update with a wait of its own.
func UpdateWithin[T any](path string, ttl, patience time.Duration, change func(v *T) bool) error {
	return LockedWithin(path+".lock", patience, func() error {
		var v T
		if _, _, err := read(path, ttl, &v); err != nil {
			return err
		}
		switch {
		case !change(&v):
			return nil
		case ttl > 0:
			return Swap(path, &v)
		}
		return Write(path, &v)
	})
}

// sweepDepth is how many levels of folders Sweep goes down: phases lie in
// phase/PROJECT/SESSION, nothing lies deeper.
const sweepDepth = 3

// Sweep removes files below dir that nobody has written for longer than ttl, and
// the folders that are empty then, and returns how many files went. Temporary
// files of killed processes go with them. It stops at the deadline; the rest goes
// next time.
func Sweep(dir string, ttl time.Duration, deadline time.Time) (removed int) {
	return sweep(dir, ttl, deadline, sweepDepth)
}

func sweep(dir string, ttl time.Duration, deadline time.Time, levels int) (removed int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if time.Now().After(deadline) {
			return removed
		}
		if e.IsDir() {
			if levels > 1 {
				sub := filepath.Join(dir, e.Name())
				removed += sweep(sub, ttl, deadline, levels-1)
				_ = os.Remove(sub) // stays unless it is empty; a writer that comes too late makes it again
			}
			continue
		}
		// A lock's own time never changes; it goes with the file that it guards.
		if base, ok := strings.CutSuffix(e.Name(), ".lock"); ok {
			if _, err := os.Lstat(filepath.Join(dir, base)); err == nil {
				continue
			}
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) <= ttl {
			continue
		}
		if os.Remove(filepath.Join(dir, e.Name())) == nil {
			removed++
		}
	}
	return removed
}
