//go:build !linux

package lang

import (
	"os"
	"path/filepath"
)

type fastReader struct{}

func (*fastReader) close() {}

// head reads the start of a file into buf and returns its length; 0 when the
// file cannot be read, is no regular file or lies behind a link that leads out.
func (r *reader) head(path string, buf []byte) int {
	own := newReader(r.dir)
	defer own.close()
	return own.slowHead(path, buf)
}

// whole reads a file of at most limit bytes; a longer one is cut there. Links
// are followed as long as they stay inside.
func (r *reader) whole(path string, limit int64) ([]byte, fileState, error) {
	return r.slowWhole(path, limit)
}

// size returns the length of a regular file, for entries whose size the index
// does not know; false when there is none.
func (r *reader) size(path string) (int64, bool) {
	fi, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(path)))
	if err != nil || !fi.Mode().IsRegular() {
		return 0, false
	}
	return fi.Size(), true
}

// listDir reads the names in a folder.
func listDir(dir string, most int) (state fileState, out []listed) {
	d, err := os.OpenFile(dir, os.O_RDONLY|openNonblock, 0) // it may have become a FIFO
	if err != nil {
		return state, nil
	}
	defer d.Close()
	state = stateOf(d)
	state.size = 0
	for len(out) < most {
		list, err := d.ReadDir(1024)
		for _, e := range list {
			out = append(out, listed{e.Name(), e.Type()})
		}
		if err != nil || len(list) == 0 {
			break
		}
	}
	return state, out
}
