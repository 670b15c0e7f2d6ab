package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// record remembers how a settings file was before moai came, so that leaving
// brings back the same bytes. It lies in the user's state folder, beside a copy
// of the old file, and never in the project.
type record struct {
	File     string `json:"file"`
	Existed  bool   `json:"existed"`  // false: uninstalling removes the file
	MadeDir  bool   `json:"made_dir"` // the folder was made for it
	Made     int    `json:"made"`     // so many of those above it as well
	Original string `json:"original"` // SHA-256 of the copy
	Written  string `json:"written"`  // SHA-256 of what moai left in the file
}

// Known lists the folders of projects in whose files moai is as far as it knows, at most limit of them: it was registered
// there and has not been taken out by moai init --uninstall. Whether it still is, Calls tells.
func Known(stateDir string, limit int) []string {
	list, _ := os.ReadDir(filepath.Join(stateDir, "settings"))
	var folders []string
	for _, d := range list {
		var r record
		if len(folders) == limit {
			break
		}
		if !state.Read(filepath.Join(stateDir, "settings", d.Name(), "record.json"), 0, &r) || filepath.Base(filepath.Dir(r.File)) != ".claude" {
			continue
		}
		if dir := filepath.Dir(filepath.Dir(r.File)); len(folders) == 0 || folders[len(folders)-1] != dir {
			folders = append(folders, dir)
		}
	}
	return folders
}

// places returns the record and the copy that belong to a file.
func places(stateDir, target string) (rec, saved string) {
	dir := filepath.Join(stateDir, "settings", state.ProjectKey(target))
	return filepath.Join(dir, "record.json"), filepath.Join(dir, "original.json")
}

// Install writes data, a plan made from f.Data, and remembers in stateDir how
// to get back. It returns where the old content is kept, "" when there was none.
func (f *File) Install(data []byte, stateDir string) (saved string, err error) {
	recPath, savedPath := places(stateDir, f.Target)
	r := record{File: f.Target, Existed: f.Exists, Written: sum(data)}
	var original []byte
	if old, before, ok := f.remembered(stateDir); ok && old.Written == sum(f.Data) && f.Exists {
		// Nobody else wrote since the last time: the way back leads to
		// the same bytes as then.
		r.Existed, r.MadeDir, r.Made, original = old.Existed, old.MadeDir, old.Made, before
	} else if original, err = f.strip(); err != nil {
		return "", err
	}
	r.Original = sum(original)

	dir := filepath.Dir(f.Target)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		r.MadeDir = true
		for above := filepath.Dir(dir); f.Strip != nil && above != filepath.Dir(above); above = filepath.Dir(above) {
			if _, err := os.Stat(above); err == nil {
				break
			}
			r.Made++
		}
		make := os.Mkdir
		if f.Strip != nil { // what a client keeps for extensions may lie deep
			make = os.MkdirAll
		}
		if err := make(dir, 0o755); err != nil {
			return "", fmt.Errorf("make settings folder: %w", err)
		}
	}
	// The copy comes first, the record second, the file last: wherever this
	// stops, what the record says is there.
	if err := state.Replace(savedPath, original); err != nil {
		return "", fmt.Errorf("save the old settings: %w", err)
	}
	if err := state.Write(recPath, r); err != nil {
		return "", fmt.Errorf("save the old settings: %w", err)
	}
	if err := f.announce(stateDir, data, false); err != nil {
		return "", fmt.Errorf("announce the change: %w", err)
	}
	if err := f.write(data); err != nil {
		return "", err
	}
	if !r.Existed {
		return "", nil
	}
	return savedPath, nil
}

// Undo is what uninstalling would leave of a file.
type Undo struct {
	Data   []byte
	Delete bool // the file was moai's alone
	Exact  bool // the bytes from before the installation; else only moai's entries were taken out
}

// Undo plans the way back: to the very bytes of before when nobody else has
// written the file since, else to the file as it is without moai's entries.
func (f *File) Undo(stateDir string) (Undo, error) {
	r, original, ok := f.remembered(stateDir)
	if ok && f.Exists && r.Written == sum(f.Data) {
		return Undo{Data: original, Delete: !r.Existed, Exact: true}, nil
	}
	data, err := f.strip()
	if err != nil {
		return Undo{}, err
	}
	u := Undo{Data: data, Delete: f.Strip != nil && f.Exists && isBlank(data)}
	if rest := bytes.TrimSpace(data); ok && !r.Existed && (isBlank(rest) || string(rest) == "{}") && !bytes.Equal(data, f.Data) {
		u.Delete = true
	}
	return u, nil
}

// Uninstall carries out an Undo and forgets what was remembered.
func (f *File) Uninstall(u Undo, stateDir string) error {
	r, _, ok := f.remembered(stateDir)
	if u.Delete || !bytes.Equal(u.Data, f.Data) {
		if err := f.announce(stateDir, u.Data, u.Delete); err != nil {
			return fmt.Errorf("announce the change: %w", err)
		}
	}
	switch {
	case u.Delete:
		if err := f.unchanged(); err != nil {
			return err
		}
		if err := os.Remove(f.Target); err != nil {
			return fmt.Errorf("remove settings: %w", err)
		}
		if ok && r.MadeDir {
			dir := filepath.Dir(f.Target)
			for range r.Made + 1 {
				_ = os.Remove(dir) // stays when somebody else uses it
				dir = filepath.Dir(dir)
			}
		}
	case !bytes.Equal(u.Data, f.Data):
		if err := f.write(u.Data); err != nil {
			return err
		}
	}
	rec, _ := places(stateDir, f.Target)
	if err := os.RemoveAll(filepath.Dir(rec)); err != nil {
		return fmt.Errorf("forget the old settings: %w", err)
	}
	return nil
}

// remembered reads the record of f and the copy; ok is false if there is none
// or it does not fit together.
func (f *File) remembered(stateDir string) (r record, original []byte, ok bool) {
	rec, saved := places(stateDir, f.Target)
	if !state.Read(rec, 0, &r) || r.File != f.Target {
		return record{}, nil, false
	}
	original, _, err := disk.ReadFile(saved, maxSize)
	if err != nil || sum(original) != r.Original {
		return record{}, nil, false
	}
	return r, original, true
}

// strip is the file without what is moai's in it.
func (f *File) strip() ([]byte, error) {
	if f.Strip != nil {
		return f.Strip(f.Data)
	}
	return Remove(f.Data)
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
