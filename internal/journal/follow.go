package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// followPause is the time between two looks at whether something was written.
const followPause = 100 * time.Millisecond

// Follow is Run, and goes on with what is written from then on, until ctx ends.
func (q *Query) Follow(ctx context.Context, path string, each func(*Event) error) error {
	t := &tail{path: path}
	defer t.close()
	if err := t.begin(); err != nil {
		return err
	}
	if _, err := q.Run(path, each); err != nil {
		return err
	}
	tick := time.NewTicker(followPause)
	defer tick.Stop()
	for skipped := 0; ; {
		err := t.read(func(line []byte) error {
			if e, ok := q.take(line, &skipped); ok { // what was written while the older ones were read comes once
				return each(&e)
			}
			return nil
		})
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// tail is a place in a journal that grows.
type tail struct {
	path  string
	f     *os.File
	rest  []byte // of a line whose end is not there yet
	moved bool   // the file was closed by its writers at the last look
}

func (t *tail) close() {
	if t.f != nil {
		t.f.Close()
	}
}

// begin stands behind the last whole line that there is.
func (t *tail) begin() error {
	f, err := disk.OpenOwn(t.path, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	t.f = f
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = backward(f, end, func(line []byte) bool {
			if _, torn := unfinished(f); torn {
				end -= int64(len(line))
			}
			return false
		})
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	return nil
}

// read hands on what has come, and goes on to the next file a look after this one was closed: who had it open has
// written by then.
func (t *tail) read(each func(line []byte) error) error {
	for {
		if t.f != nil {
			if err := t.drain(each); err != nil {
				return err
			}
			here, err := t.f.Stat()
			if err != nil {
				return fmt.Errorf("read journal: %w", err)
			}
			if now, err := os.Stat(t.path); err == nil && os.SameFile(here, now) {
				return nil
			}
			if !t.moved {
				t.moved = true
				return nil
			}
		}
		next, err := t.next()
		if err != nil || next == nil {
			return err
		}
		t.close()
		t.f, t.rest, t.moved = next, nil, false
	}
}

// drain hands on the whole lines that are there.
func (t *tail) drain(each func(line []byte) error) error {
	buf := make([]byte, MaxLine)
	for {
		n, err := t.f.Read(buf)
		t.rest = append(t.rest, buf[:n]...)
		for {
			line, rest, whole := bytes.Cut(t.rest, []byte{'\n'})
			if !whole {
				break
			}
			if line = bytes.TrimSpace(line); len(line) > 0 {
				if err := each(line); err != nil {
					return err
				}
			}
			t.rest = rest
		}
		if len(t.rest) > block {
			t.rest = t.rest[:0] // no line of ours
		}
		if errors.Is(err, io.EOF) || n == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read journal: %w", err)
		}
	}
}

// next opens the file behind this one; nil when there is none yet.
func (t *tail) next() (*os.File, error) {
	files, _, err := snapshot(t.path)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	at := 0 // a file that is gone: what is left is new
	for i, f := range files {
		if t.f != nil && same(f, t.f) {
			at = i + 1
		}
	}
	var next *os.File
	if at < len(files) {
		next, files[at] = files[at], nil
	}
	closeAll(files)
	return next, nil
}

func same(a, b *os.File) bool {
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}
