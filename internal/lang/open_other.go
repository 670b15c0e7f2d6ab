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
