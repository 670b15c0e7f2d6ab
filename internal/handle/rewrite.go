package handle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// Why a file is not written.
var (
	errChanged = errors.New("the file has changed meanwhile")
	errOwner   = errors.New("the file would get another owner or group")
)

// original is a file as it was read. A person or another program may write it at any time, so nothing is put in its place that was not compared with it.
type original struct {
	path string
	text []byte
	info os.FileInfo
}

// readOriginal reads a plain file that has no other name.
func readOriginal(path string) (*original, error) {
	o, err := reread(path)
	switch {
	case err != nil:
		return nil, err
	case disk.HardLinked(o.info):
		return nil, fmt.Errorf("read %s: %w", path, disk.ErrNotRegular) // a rename would part the two names
	}
	return o, nil
}

// reread reads a plain file, no link.
func reread(path string) (*original, error) {
	text, info, err := disk.ReadRegular(os.OpenFile, path, disk.NoFollow, mostFormat)
	if err != nil {
		return nil, fmt.Errorf("read file to format: %w", err)
	}
	return &original{path, text, info}, nil
}

// isAt reports that a path has this very file, and that nobody has written it since.
func (o *original) isAt(path string) bool {
	now, err := reread(path)
	return err == nil && os.SameFile(now.info, o.info) && now.info.Mode() == o.info.Mode() && now.info.ModTime().Equal(o.info.ModTime()) && bytes.Equal(now.text, o.text)
}

// unchanged reports that the file is as it was read.
func (o *original) unchanged() bool { return o.isAt(o.path) }

// replace puts a text in the place of the file, with its permissions, if it is as it was read; else it says errChanged. The last comparison comes
// after the two files have changed places, where the system can do that: a file that somebody saved in between goes back.
func (o *original) replace(text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(o.path), ".moai-*")
	if err != nil {
		return fmt.Errorf("write formatted file: %w", err)
	}
	name := f.Name()
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(o.info.Mode().Perm())
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	switch {
	case err != nil:
	case !o.unchanged():
		err = errChanged
	case !sameOwner(name, o.path):
		err = errOwner
	}
	if err != nil {
		_ = os.Remove(name)
		return fmt.Errorf("write formatted file: %w", err)
	}
	switch err := state.Exchange(name, o.path); {
	case errors.Is(err, errors.ErrUnsupported):
		if err := state.Rename(name, o.path); err != nil {
			_ = os.Remove(name)
			return fmt.Errorf("write formatted file: %w", err)
		}
		return nil
	case err != nil: // the file is gone
		_ = os.Remove(name)
		return fmt.Errorf("write formatted file: %w", errChanged)
	}
	if o.isAt(name) {
		_ = os.Remove(name)
		return nil
	}
	if err := state.Exchange(name, o.path); err != nil {
		return fmt.Errorf("bring %s back: %w", name, err)
	}
	if back, err := reread(name); err == nil && bytes.Equal(back.text, text) {
		_ = os.Remove(name) // what else is there now is somebody's, and stays
	}
	return fmt.Errorf("write formatted file: %w", errChanged)
}

// sameOwner reports that two files have one owner and one group.
func sameOwner(a, b string) bool {
	x, err := disk.At(a)
	y, failed := disk.At(b)
	return err == nil && failed == nil && x.UID == y.UID && x.GID == y.GID
}

// restore brings back a file that is gone. It takes nothing away: where there is a file again, that one stays.
func (o *original) restore() error {
	f, err := os.OpenFile(o.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|disk.NoFollow, o.info.Mode().Perm())
	if err != nil {
		return fmt.Errorf("bring file back: %w", err)
	}
	_, err = f.Write(o.text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("bring file back: %w", err)
	}
	return nil
}

// keep writes a copy of the file as it was read into a folder, and says where.
func (o *original) keep(folder string) (path string, err error) {
	sum := sha256.Sum256(o.text)
	path = filepath.Join(folder, hex.EncodeToString(sum[:8])+"-"+state.SafeName(filepath.Base(o.path)))
	if err := state.Replace(path, o.text); err != nil {
		return "", fmt.Errorf("keep a copy: %w", err)
	}
	return path, nil
}
