// Package journal is the append-only log of what happened in a project: JSON
// lines, written by many hook processes at once, in segments of bounded size.
//
// It is the truth from which anything queryable is rebuilt; it is not a
// database, and a query is no more than which lines to hand on. Its invariants:
// one event is one write, so lines of two processes never mix, and a torn line
// (a killed process, a full disk) costs that event alone; no writer waits for
// another that lives or died, but for the moment in which a torn line is mended.
// An event is known by its id, however often its line stands there. What is no
// regular file is neither written nor read: see [Strange].
package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// Event is one line. Type is one of rules/journal/*.toml, or of a newer version's.
type Event struct {
	ID       string          `json:"id"` // a ULID; older lines have 13 digits of time and 8 of chance
	Session  string          `json:"session_id"`
	Port     string          `json:"port_id,omitempty"`
	Turn     int             `json:"turn,omitempty"` // of the session, from 1; 0 outside of any
	Type     string          `json:"event_type"`
	Summary  string          `json:"summary"`
	Details  json.RawMessage `json:"details,omitempty"`
	Severity string          `json:"severity"` // info, warn or error
	Created  time.Time       `json:"created_at"`

	raw []byte
}

// Raw is the line of an event that was read, as it stands in the file but for what is no UTF-8: it may hold more than this
// version knows. It is valid until the next event.
func (e *Event) Raw() []byte { return e.raw }

// MaxLine bounds one line in bytes; longer details are dropped and said so.
const MaxLine = 64 << 10

// Log is a journal that is written.
type Log struct {
	Path string // the file that is written; segments lie beside it
	Keep Keep
}

// Append writes e as one line, making the folder when it is missing. ID, Severity
// and Created are filled in when empty.
func (l Log) Append(e Event) error {
	line, err := encode(e)
	if err != nil {
		return fmt.Errorf("encode journal event: %w", err)
	}
	f, err := open(l.Path)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	size, err := l.write(f, line)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if size >= l.Keep.segment() {
		l.rotate() // the event is written: that the file goes on growing harms nobody
	}
	return nil
}

// encode is the line of an event, its end included.
func encode(e Event) ([]byte, error) {
	if e.Created.IsZero() {
		e.Created = time.Now().UTC()
	}
	if e.ID == "" {
		e.ID = newID(e.Created)
	}
	if e.Severity == "" {
		e.Severity = "info"
	}
	line, err := state.Line(&e)
	if err == nil && len(line) >= MaxLine {
		e.Details = json.RawMessage(`{"dropped":"details were longer than ` + strconv.Itoa(MaxLine) + ` bytes"}`)
		// Every text is bounded: ids come from clients, and a line above MaxLine would be
		// written here and skipped by readers. 1 KiB is more than any id of ours.
		for _, text := range []*string{&e.ID, &e.Session, &e.Port, &e.Type, &e.Severity} {
			*text = cut(*text, 1<<10)
		}
		// A letter may take six bytes as JSON: a summary (a prompt that is kept in full) stays as long as it can.
		for most := MaxLine * 3 / 4; ; most /= 2 {
			e.Summary = cut(e.Summary, most)
			if line, err = state.Line(&e); err != nil || len(line) < MaxLine {
				break
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return append(line, '\n'), nil
}

// cut is s of at most so many bytes, without half a letter at the end.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

// open opens for appending; the folder is made only when that failed, so that
// the usual case is a single call.
func open(path string) (*os.File, error) {
	const flags = os.O_RDWR | os.O_APPEND | os.O_CREATE
	f, err := disk.OpenOwn(path, flags)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		f, err = disk.OpenOwn(path, flags)
	}
	return f, err
}

// write puts the line at the end and returns how long the file is then. The kernel
// puts an O_APPEND write there as a whole, so that no lock is needed between processes.
func (l Log) write(f *os.File, line []byte) (size int64, err error) {
	size, torn := unfinished(f)
	if torn {
		return l.mend(f, line)
	}
	_, err = f.Write(line)
	return size + int64(len(line)), err
}
