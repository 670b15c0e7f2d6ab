// Package journal is the append-only log of what happened in a project: JSON
// lines, one file a project, written by many hook processes at once.
//
// It is the truth from which anything queryable is rebuilt; it is not a
// database and offers no queries beyond reading in order. Its invariant: one
// event is one write, so lines of two processes never mix, and a torn last line
// (a killed process, a full disk) costs that event alone.
package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Event is one line. Type is one of rules/journal/*.toml.
type Event struct {
	ID       string          `json:"id"`
	Session  string          `json:"session_id"`
	Port     string          `json:"port_id,omitempty"`
	Type     string          `json:"event_type"`
	Summary  string          `json:"summary"`
	Details  json.RawMessage `json:"details,omitempty"`
	Severity string          `json:"severity"` // info, warn or error
	Created  time.Time       `json:"created_at"`
}

// MaxLine bounds one line in bytes; longer details are dropped and said so.
const MaxLine = 64 << 10

// Append writes e as one line to the file at path, making its folder when it is
// missing. ID, Severity and Created are filled in when empty.
func Append(path string, e Event) error {
	if e.Created.IsZero() {
		e.Created = time.Now().UTC()
	}
	if e.ID == "" {
		e.ID = newID(e.Created)
	}
	if e.Severity == "" {
		e.Severity = "info"
	}
	line, err := json.Marshal(e)
	if err == nil && len(line) > MaxLine {
		e.Details = json.RawMessage(`{"dropped":"details were longer than ` + strconv.Itoa(MaxLine) + ` bytes"}`)
		// Every text is bounded: ids come from clients, and a line above MaxLine would be
		// written here and skipped by Read. 1 KiB is more than any id or summary of ours.
		for _, text := range []*string{&e.ID, &e.Session, &e.Port, &e.Type, &e.Summary, &e.Severity} {
			if len(*text) > 1024 {
				*text = strings.ToValidUTF8((*text)[:1024], "") // not half a letter at the end
			}
		}
		line, err = json.Marshal(e)
	}
	if err != nil {
		return fmt.Errorf("encode journal event: %w", err)
	}
	f, err := open(path)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	defer f.Close()
	// One write, newline included: the kernel puts an O_APPEND write at the end as a whole,
	// so that no lock is needed between processes.
	if torn(f) {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}

// open opens for appending; the folder is made only when that failed, so that
// the usual case is a single call.
func open(path string) (*os.File, error) {
	const flags = os.O_RDWR | os.O_APPEND | os.O_CREATE
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		f, err = os.OpenFile(path, flags, 0o600)
	}
	return f, err
}

// Looks at a line without an end before it counts as torn, and the time between them.
// A write takes microseconds; a process that was put aside in the middle of one has had
// its turn again after two milliseconds nearly always.
const (
	tornLooks = 4
	tornPause = 500 * time.Microsecond
)

// torn reports whether the file ends inside a line that somebody could not
// finish. The next event then starts on a line of its own. What another process
// is writing at this moment looks the same, so a look is repeated: a second end of
// that line would leave a blank one.
func torn(f *os.File) bool {
	for look := range tornLooks {
		if look > 0 {
			time.Sleep(tornPause)
		}
		if !unfinished(f) {
			return false
		}
	}
	return true
}

// unfinished reports whether the last byte of the file is not the end of a line.
func unfinished(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// newID sorts by time and is unique among processes: the runtime seeds its
// generator anew in each. crypto/rand would link big numbers for nothing.
func newID(t time.Time) string {
	return fmt.Sprintf("%013x-%08x", t.UnixMilli(), rand.Uint32())
}
