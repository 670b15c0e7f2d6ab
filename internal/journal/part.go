package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// Part is one file of a journal, for a reader that keeps its place in it between two looks: the one that is written, or a
// closed segment.
type Part struct {
	Path string
	Size int64
}

// Journals are the paths of all journals in a folder.
func Journals(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list journals: %w", err)
	}
	seen := map[string]bool{}
	for _, e := range entries {
		name, ours := strings.CutSuffix(e.Name(), extension)
		if !ours || !e.Type().IsRegular() {
			continue
		}
		if base, is := cutSegment(name); is {
			name = base
		}
		if path := filepath.Join(dir, name+extension); !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// Strange are the paths in a folder of journals of what has the name of a file of one, and is none: a link, a FIFO, a folder.
func Strange(dir string) (paths []string) {
	entries, _ := os.ReadDir(dir) // who reads a journal says why not
	for _, e := range entries {
		if filepath.Ext(e.Name()) == extension && !e.Type().IsRegular() {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// cutSegment takes the number and the ULID of a closed segment off a name.
func cutSegment(name string) (base string, is bool) {
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		return name, false
	}
	_, id, parts := strings.Cut(name[at+1:], "-")
	_, valid := idTime(id)
	return name[:at], parts && valid
}

// Parts are the files of the journal at path, the oldest first.
func Parts(path string) (parts []Part, err error) {
	list, err := segments(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list journal: %w", err)
	}
	for i := range list {
		parts = append(parts, Part{list[i].path, list[i].size})
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		parts = append(parts, Part{path, info.Size()})
	}
	return parts, nil
}

// Head is the first line of the part. It stays the same when the file is closed and gets another name; "" as long as
// there is no whole line.
func (p *Part) Head() (string, error) {
	f, err := disk.OpenOwn(p.Path, 0)
	if err != nil {
		return "", fmt.Errorf("open journal: %w", err)
	}
	defer f.Close()
	buf := make([]byte, MaxLine)
	n, err := io.ReadFull(f, buf)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("read journal: %w", err)
	}
	line, _, whole := bytes.Cut(buf[:n], []byte{'\n'})
	if !whole && n < len(buf) {
		return "", nil
	}
	return string(line), nil
}

// Goes reports that a line begins at an offset: not where the file was cut short, or written anew, since the offset was known.
func (p *Part) Goes(at int64) bool {
	if at == 0 {
		return true
	}
	f, err := disk.OpenOwn(p.Path, 0)
	if err != nil {
		return true // who reads it says why not
	}
	defer f.Close()
	var b [1]byte
	n, _ := f.ReadAt(b[:], at-1)
	return n == 1 && b[0] == '\n'
}

// Read calls each for the events that begin at the offset from or behind it, as far as their lines are whole, and at most
// so many bytes. It returns where the next reading begins, and how many lines could not be read. An event is valid until
// the next one.
func (p *Part) Read(from, most int64, each func(*Event) error) (to int64, skipped int, err error) {
	f, err := disk.OpenOwn(p.Path, 0)
	if err != nil {
		return from, 0, fmt.Errorf("open journal: %w", err)
	}
	defer f.Close()
	buf := make([]byte, block)
	inside, begins := false, from // a line that is longer than ours, and where
	for to = from; inside || to-from < most; {
		n, err := f.ReadAt(buf, to)
		if err != nil && !errors.Is(err, io.EOF) {
			return to, skipped, fmt.Errorf("read journal: %w", err)
		}
		end := bytes.LastIndexByte(buf[:n], '\n') + 1
		if end == 0 {
			if n < len(buf) { // the end of the line is not there yet
				if inside {
					to, skipped = begins, skipped-1
				}
				return to, skipped, nil
			}
			if !inside {
				inside, begins = true, to
				skipped++
			}
			to += int64(n)
			continue
		}
		for line := range bytes.Lines(buf[:end]) {
			if line = bytes.TrimSpace(line); len(line) == 0 || inside {
				inside = false
				continue
			}
			e, ok := parse(line)
			if !ok {
				skipped++
			} else if err := each(&e); err != nil {
				return to, skipped, err
			}
		}
		to += int64(end)
	}
	return to, skipped, nil
}
