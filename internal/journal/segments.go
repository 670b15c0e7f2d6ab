package journal

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// Keep says how long segments stay; 0 sets no end. What is written now never goes.
type Keep struct {
	Days int // since the last event of a segment
	MB   int // of all segments
}

// Segments are as long as that, or a part of what is kept, so that there are some to drop.
const (
	maxSegment = 8 << 20
	minSegment = 64 << 10
)

// segment is the length in bytes from which on a file is closed.
func (k Keep) segment() int64 {
	if k.MB == 0 {
		return maxSegment
	}
	return min(maxSegment, max(minSegment, int64(k.MB)<<20/8))
}

// A segment is a file that is written no more: NAME.000012-ULID.jsonl beside NAME.jsonl. The
// number says which are missing, the ULID when it was closed, and keeps two processes that
// close one at once from taking the same name.
type segment struct {
	path   string
	number int
	closed time.Time
	size   int64
}

const extension = ".jsonl"

// segments are those of the journal at path, the oldest first.
func segments(path string) (list []segment, err error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(filepath.Base(path), extension) + "."
	for _, e := range entries {
		name, ours := strings.CutPrefix(e.Name(), base)
		name, whole := strings.CutSuffix(name, extension)
		digits, id, parts := strings.Cut(name, "-")
		number, err := strconv.Atoi(digits)
		closed, valid := idTime(id)
		if !ours || !whole || !parts || err != nil || !valid || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it went meanwhile
		}
		list = append(list, segment{filepath.Join(filepath.Dir(path), e.Name()), number, closed, info.Size()})
	}
	slices.SortFunc(list, func(a, b segment) int {
		if a.number != b.number {
			return a.number - b.number
		}
		return strings.Compare(a.path, b.path)
	})
	return list, nil
}

// rotate closes the file that is written, and drops what is too old or too much. A writer
// that has it open still writes into it, wherever it lies then. On Windows it cannot be
// renamed as long as there is one; the next event tries again.
func (l Log) rotate() {
	info, err := os.Stat(l.Path)
	if err != nil || info.Size() < l.Keep.segment() {
		return // somebody else has done it
	}
	l.closeSegment()
	_, _ = l.Prune(time.Now())
}

// closeSegment gives the file the name of a segment, which no other has: a rename never writes over one.
func (l Log) closeSegment() {
	list, err := segments(l.Path)
	if err != nil {
		return
	}
	number := 1
	if n := len(list); n > 0 {
		number = list[n-1].number + 1
	}
	name := fmt.Sprintf("%s.%06d-%s%s", strings.TrimSuffix(l.Path, extension), number, newID(time.Now()), extension)
	_ = os.Rename(l.Path, name)
}

// Prune drops the segments whose last event is older than is kept, then the oldest till
// no more is there than is kept, and returns how many went. What is written is closed
// first when it begins before that.
func (l Log) Prune(now time.Time) (dropped int, err error) {
	oldest := now.AddDate(0, 0, -l.Keep.Days)
	if began, ok := firstTime(l.Path); ok && l.Keep.Days > 0 && began.Before(oldest) {
		l.closeSegment()
	}
	list, err := segments(l.Path)
	if err != nil {
		if os.IsNotExist(err) {
			return 0, nil
		}
		return 0, fmt.Errorf("prune journal: %w", err)
	}
	all := int64(0)
	for i := range list {
		all += list[i].size
	}
	for i, s := range list {
		old := l.Keep.Days > 0 && s.last().Before(oldest)
		much := l.Keep.MB > 0 && all > int64(l.Keep.MB)<<20 && i < len(list)-1 // the newest may be one huge file of an older version
		if !old && !much {
			break // the newer ones are to stay, and no gap is to be among them
		}
		drop := os.Remove
		if i == len(list)-1 { // an empty one stays, to say that something was there, and for the next number
			if drop = func(path string) error { return os.Truncate(path, 0) }; s.size == 0 {
				break
			}
		}
		if err := drop(s.path); err != nil && !os.IsNotExist(err) {
			return dropped, fmt.Errorf("prune journal: %w", err)
		}
		all -= s.size
		dropped++
	}
	return dropped, nil
}

// last is when the last event of the segment was written, or when it was closed where that cannot be read.
func (s *segment) last() time.Time {
	at := s.closed
	f, err := disk.OpenOwn(s.path, 0)
	if err != nil {
		return at
	}
	defer f.Close()
	_, _ = backward(f, s.size, func(line []byte) bool {
		e, ok := parse(line)
		if ok {
			at = e.Created
		}
		return !ok
	})
	return at
}

// strange gives an error where a closed segment is no regular file: without its events, it would look as if nothing had happened.
func strange(path string) error {
	for _, odd := range Strange(filepath.Dir(path)) {
		if base, is := cutSegment(strings.TrimSuffix(odd, extension)); is && base+extension == path {
			return &fs.PathError{Op: "open", Path: odd, Err: disk.ErrNotRegular}
		}
	}
	return nil
}

// snapshot opens the files of a journal in their order, as of one moment: without gaps and
// without doubles, though a file may be closed meanwhile. trimmed says that older ones are gone.
func snapshot(path string) (files []*os.File, trimmed bool, err error) {
	var list []segment
	var active *os.File
	for try := range 10 {
		if list, err = segments(path); os.IsNotExist(err) {
			return nil, false, nil
		} else if err != nil {
			return nil, false, err
		}
		if active, err = disk.OpenOwn(path, 0); err != nil && !os.IsNotExist(err) {
			return nil, false, err
		}
		again, err := segments(path)
		if err == nil && slices.EqualFunc(list, again, func(a, b segment) bool { return a.path == b.path }) || try == 9 {
			break
		}
		if active != nil {
			active.Close()
			active = nil
		}
	}
	if err := strange(path); err != nil {
		closeAll([]*os.File{active})
		return nil, false, err
	}
	for i := range list {
		f, err := disk.OpenOwn(list[i].path, 0)
		if err != nil {
			if os.IsNotExist(err) {
				continue
			}
			closeAll(append(files, active))
			return nil, false, err
		}
		files = append(files, f)
	}
	if active != nil {
		files = append(files, active)
	}
	return files, len(list) > 0 && (list[0].number > 1 || list[0].size == 0), nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// firstTime is when the first event of a file was written.
func firstTime(path string) (time.Time, bool) {
	f, err := disk.OpenOwn(path, 0)
	if err != nil {
		return time.Time{}, false
	}
	defer f.Close()
	return timeAt(f, 0)
}
