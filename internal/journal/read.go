package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Query says which events are wanted; the zero Query wants all.
type Query struct {
	Types   []string  // any of them
	Session string    // how its id begins
	Turn    int       // of the session
	Port    string    // its id
	Since   time.Time // from then on
	Last    int       // no more than so many, the newest
	Earlier bool      // with Last: find out whether there are earlier ones
	Newest  int64     // no more than so many bytes of files before the one that is written, the newest; 0 for all

	Beside func(*Event) bool // what Last does not count; nil for nothing

	seen, older map[string]bool // the ids of the events that were handed on last
}

// mostSeen bounds how many ids are remembered twice over: the same one comes again soon, if at all.
const mostSeen = 100_000

// Known is what can be said of a journal besides its events.
type Known struct {
	Skipped int       // lines that could not be read: torn or foreign
	From    time.Time // the first event that is still there; zero without any
	Trimmed bool      // older ones were dropped
	Whole   bool      // the reading began at the first event
	Earlier bool      // there are more than Last, where the query asks
}

// drift is how far clocks may have been set back: events stand in the order in which they were written, and not
// always in that of their times. Further back nothing is looked for.
const drift = time.Hour

// Run calls each for every wanted event, the oldest first. A journal that is not there has none.
// An error from each stops the reading and is returned.
func (q *Query) Run(path string, each func(*Event) error) (k Known, err error) {
	files, trimmed, err := snapshot(path)
	if err != nil {
		return k, fmt.Errorf("open journal: %w", err)
	}
	defer closeAll(files)
	q.seen, q.older = map[string]bool{}, nil
	k.Trimmed = trimmed
	for _, f := range files {
		var known bool
		if k.From, known = timeAt(f, 0); known {
			break
		}
	}
	if q.Last > 0 {
		err = q.last(files, &k, each)
	} else {
		err = q.forward(files, &k, each)
	}
	return k, err
}

// forward reads from where the wanted time begins.
func (q *Query) forward(files []*os.File, k *Known, each func(*Event) error) error {
	k.Whole = true
	if within := q.newest(files); len(within) < len(files) {
		files, k.Whole = within, false
	}
	for i, f := range files {
		from := int64(0)
		if !q.Since.IsZero() {
			if i+1 < len(files) {
				// What follows begins before the wanted time: nothing here is younger.
				if next, ok := timeAt(files[i+1], 0); ok && next.Before(q.Since.Add(-drift)) {
					k.Whole = false
					continue
				}
			}
			if from = seek(f, q.Since.Add(-drift)); from > 0 {
				k.Whole = false
			}
		}
		err := lines(io.NewSectionReader(f, from, 1<<62), func(line []byte) error {
			e, ok := q.take(line, &k.Skipped)
			if !ok {
				return nil
			}
			return each(&e)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// newest leaves out the oldest files beyond the bytes that are wanted.
func (q *Query) newest(files []*os.File) []*os.File {
	left := q.Newest
	for i := len(files) - 2; q.Newest > 0 && i >= 0; i-- {
		if info, err := files[i].Stat(); err == nil {
			left -= info.Size()
		}
		if left < 0 {
			return files[i+1:]
		}
	}
	return files
}

// last collects the newest, from the end of the last file on.
func (q *Query) last(files []*os.File, k *Known, each func(*Event) error) error {
	var list []Event
	counted := 0
	k.Whole = true
	for _, f := range slices.Backward(files) {
		info, err := f.Stat()
		if err != nil {
			return fmt.Errorf("read journal: %w", err)
		}
		ended, err := backward(f, info.Size(), func(line []byte) bool {
			e, ok := q.take(line, &k.Skipped)
			if ok {
				counts := q.Beside == nil || !q.Beside(&e)
				if k.Earlier = counts && counted == q.Last; k.Earlier {
					return false
				}
				if counted < q.Last {
					e.raw = slices.Clone(e.raw) // the buffer goes on
					list = append(list, e)
				}
				if counts {
					counted++
				}
			}
			more := counted < q.Last || q.Earlier
			if more && !q.Since.IsZero() && !ok {
				old, ok := parse(line)
				return !ok || !old.Created.Before(q.Since.Add(-drift))
			}
			return more
		})
		if err != nil {
			return err
		}
		if !ended {
			k.Whole = false
			break
		}
	}
	for i := range slices.Backward(list) {
		if err := each(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// take decodes a line that may be wanted. What cannot be wanted by its bytes is not decoded.
func (q *Query) take(line []byte, skipped *int) (e Event, ok bool) {
	if len(line) == 0 || !q.possible(line) {
		return e, false
	}
	if e, ok = parse(line); !ok {
		*skipped++
		return e, false
	}
	if !q.Wants(&e) || q.seen[e.ID] || q.older[e.ID] { // one event that stands in the journal twice
		return e, false
	}
	if len(q.seen) >= mostSeen {
		q.seen, q.older = map[string]bool{}, q.seen
	}
	q.seen[e.ID] = true
	return e, true
}

// possible is a quick look: a line without the word, as JSON writes it, holds no such event.
func (q *Query) possible(line []byte) bool {
	if plain(q.Session) && !bytes.Contains(line, []byte(q.Session)) || plain(q.Port) && !bytes.Contains(line, []byte(q.Port)) {
		return false
	}
	if len(q.Types) == 0 {
		return true
	}
	for _, name := range q.Types {
		if bytes.Contains(line, []byte(name)) {
			return true
		}
	}
	return false
}

// plain reports a text that JSON can only write as it is.
func plain(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"\/<>&`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// Wants reports whether an event is one of those.
func (q *Query) Wants(e *Event) bool {
	return (len(q.Types) == 0 || slices.Contains(q.Types, e.Type)) &&
		strings.HasPrefix(e.Session, q.Session) &&
		(q.Turn == 0 || e.Turn == q.Turn) &&
		(q.Port == "" || e.Port == q.Port) &&
		!e.Created.Before(q.Since)
}

// begin is how each line of ours begins. No text in one can hold it: there a quote has a backslash.
const begin = `{"id":"`

// parse decodes a line. A process that died while it wrote can have left its half in front of
// another's event, so what stands behind is looked for.
func parse(line []byte) (e Event, ok bool) {
	if e, ok = decode(line); ok {
		return e, true
	}
	for at := bytes.Index(line, []byte(begin)); at >= 0; {
		if at > 0 {
			if e, ok = decode(line[at:]); ok {
				return e, true
			}
		}
		next := bytes.Index(line[at+1:], []byte(begin))
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return Event{}, false
}

// decode decodes a line that is whole. What has no id, no type, or was before all times is no event.
func decode(line []byte) (e Event, ok bool) {
	if json.Unmarshal(line, &e) != nil || e.ID == "" || e.Type == "" || e.Created.Before(time.Time{}) {
		return Event{}, false
	}
	if e.raw = line; !utf8.Valid(line) {
		e.raw = []byte(string([]rune(string(line)))) // as the decoder has read it
	}
	return e, true
}

// lines calls each for every line, without blanks around it. A question mark stands for one that is longer than ours.
func lines(r io.Reader, each func(line []byte) error) error {
	b := bufio.NewReaderSize(r, 4*MaxLine)
	for {
		line, err := b.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			line = []byte{'?'} // no line of ours is that long: it counts as one that cannot be read
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = b.ReadSlice('\n')
			}
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := each(line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read journal: %w", err)
		}
	}
}
