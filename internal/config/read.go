package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/modu-ai/moai/internal/disk"
)

// read refuses anything but a regular file of sensible size: a FIFO in a hostile
// repository would hang the hook.
func read(path string, limit int64) ([]byte, error) {
	data, st, err := disk.ReadFile(path, limit)
	if err == nil && st.Size > 0 { // what has no size may all the same have text
		return data, nil
	}
	if errors.Is(err, fs.ErrNotExist) { // as nearly always
		return nil, fs.ErrNotExist
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fs.ErrNotExist // unreadable is as good as absent: nothing can be set by it
	}
	data, _, err = disk.ReadRegular(os.OpenFile, path, 0, limit)
	switch {
	case errors.Is(err, disk.ErrNotRegular) || errors.Is(err, disk.ErrTooLarge):
		return nil, fmt.Errorf("%s: not a regular file of at most %d bytes", path, limit)
	case err != nil:
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return data, nil
}
