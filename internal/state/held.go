package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/disk"
)

// mostHeld bounds how many files of a folder are looked into: scripts start clients by the thousand.
const mostHeld = 1000

// Held tells whether a folder of records can be read, for whoever is about to list them: [Read] takes a record that it cannot read for
// none, which is right for a hook and would tell a person that there is nothing. A folder that is not there holds nothing. Damaged are
// the names of files that hold no record.
func Held(dir string) (damaged []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read state: %w", err)
	}
	for _, e := range entries[:min(len(entries), mostHeld)] {
		if filepath.Ext(e.Name()) != ".json" || !e.Type().IsRegular() {
			continue
		}
		data, _, err := disk.ReadFile(filepath.Join(dir, e.Name()), maxFile)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it went meanwhile
		case errors.Is(err, disk.ErrTooLarge), err == nil && !json.Valid(data):
			damaged = append(damaged, e.Name())
		case err != nil:
			return damaged, fmt.Errorf("read state: %w", err)
		}
	}
	return damaged, nil
}
