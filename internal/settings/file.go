package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"
)

// maxSize bounds what is read: real settings are a few kilobytes.
const maxSize = 1 << 20

var (
	// ErrOutside means that the file is reached over a symbolic link that leads
	// out of the project: a cloned repository could point it at anything.
	ErrOutside = errors.New("leads out of the project")
	// ErrChanged means that somebody wrote the file after it was read.
	ErrChanged = errors.New("was changed meanwhile")
)

// File is a settings file as it was read.
type File struct {
	Path   string // as asked for
	Target string // what Path is in the end, all symbolic links followed
	Exists bool
	Data   []byte
	// Quiet keeps what is written from being announced: no person has shown to be behind it.
	Quiet bool
	// Strip takes what is moai's out of a file of another client; nil for Claude Code's settings, see Remove.
	Strip func(data []byte) ([]byte, error)
	mode  fs.FileMode
}

// Linked reports whether Path goes through a symbolic link of its own, so that
// something else than it looks like is written.
func (f *File) Linked() bool {
	dir, err := filepath.EvalSymlinks(filepath.Dir(filepath.Dir(f.Path)))
	if err != nil {
		return true
	}
	plain := filepath.Join(dir, filepath.Base(filepath.Dir(f.Path)), filepath.Base(f.Path))
	return f.Target != plain
}

// Open reads the settings file at path; it need not exist. With a root, a file
// that really lies outside of that folder is ErrOutside.
func Open(path, root string) (*File, error) {
	target, err := follow(path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, Target: target, mode: 0o644}
	if root != "" {
		root, err = filepath.EvalSymlinks(root)
		if err != nil {
			return nil, fmt.Errorf("find project: %w", err)
		}
		if rel, err := filepath.Rel(root, target); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return nil, fmt.Errorf("%s %w, to %s", path, ErrOutside, target)
		}
	}
	info, err := os.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	} else if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > maxSize:
		return nil, fmt.Errorf("%s has %d bytes, that is too large for settings", path, info.Size())
	}
	if f.Data, err = os.ReadFile(target); err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	f.Exists, f.mode = true, info.Mode().Perm()
	return f, nil
}

// follow resolves the links of a path whose file, and whose last folder, may
// be missing. A link that leads nowhere is an error: writing would create
// a file at a place that nobody has looked at.
func follow(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		return target, nil
	}
	dir, base := filepath.Dir(path), filepath.Base(path)
	if _, statErr := os.Lstat(path); statErr == nil || !errors.Is(err, fs.ErrNotExist) || dir == path {
		return "", fmt.Errorf("follow link: %w", err)
	}
	if dir, err = follow(dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, base), nil
}

// unchanged is ErrChanged when the file is not what it was when it was opened.
// The client, or a person, may have written while the user looked at the
// difference. Their change counts more than ours.
func (f *File) unchanged() error {
	now, err := os.ReadFile(f.Target)
	if gone := errors.Is(err, fs.ErrNotExist); gone == f.Exists || !gone && !bytes.Equal(now, f.Data) {
		return fmt.Errorf("%s %w", f.Path, ErrChanged)
	}
	return nil
}

// write replaces the file's content as a whole and keeps its mode.
func (f *File) write(data []byte) error {
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := maybe.WriteFile(f.Target, data, f.mode); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}
