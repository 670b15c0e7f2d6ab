package tag

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// maxRename bounds the files in which an id is renamed.
const maxRename = 64 << 20

// linked reports whether a path leads through a link: what lies behind is another place, which is renamed
// under its own name if it belongs to the tree.
func linked(dir *os.Root, path string) bool {
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		if st, err := dir.Lstat(filepath.FromSlash(path[:i])); err == nil && st.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// aside is what a new content is called until it takes its file's place.
const aside = ".moai-rename"

// ApplyRename writes planned edits: every new content is written beside its file first, then all are put in
// place. When one cannot be, those before it are taken back.
func ApplyRename(root string, edits []Edit) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	a := applier{dir: dir, edits: edits}
	if err := a.apply(); err != nil {
		return errors.Join(err, a.takeBack())
	}
	return nil
}

// applier is one renaming under way. Its two counters say how far it came, which is all that taking it back needs to know.
type applier struct {
	dir    *os.Root
	edits  []Edit
	beside int // so many are written
	placed int // and so many of those in place
}

// apply does the slow and likely part first: once every new content lies beside its file, only renames are left, and a full disk
// or a file that changed meanwhile has not touched anything yet.
func (a *applier) apply() error {
	for i := range a.edits {
		if err := a.write(&a.edits[i]); err != nil {
			return err
		}
		a.beside = i + 1
	}
	for i := range a.edits {
		e := &a.edits[i]
		name, to := filepath.FromSlash(e.Path), filepath.FromSlash(e.NewPath)
		if e.NewPath == "" {
			name, to = name+aside, name
		}
		if err := a.dir.Rename(name, to); err != nil {
			return err
		}
		a.placed = i + 1
	}
	return nil
}

// write puts the new content of one file beside it.
func (a *applier) write(e *Edit) error {
	if e.NewPath != "" {
		return nil
	}
	name := filepath.FromSlash(e.Path)
	now, _, err := disk.ReadRegular(a.dir.OpenFile, name, 0, maxRename)
	if err != nil {
		return err // names the file by itself
	}
	if !bytes.Equal(now, e.old) {
		return fmt.Errorf("%s changed meanwhile: nothing was renamed", e.Path)
	}
	// Nothing is there yet, not even a link somebody laid.
	f, err := a.dir.OpenFile(name+aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, e.mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is in the way: remove it, it is left from a renaming that was killed", e.Path+aside)
	}
	if err != nil {
		return err
	}
	// The mode is set once more, since the umask has cut what creating gave.
	_, err = f.Write(e.data)
	if err = errors.Join(err, f.Chmod(e.mode), f.Close()); err != nil {
		return errors.Join(err, a.dir.Remove(name+aside))
	}
	return nil
}

// takeBack undoes what was done, the last first, and says what could not be.
func (a *applier) takeBack() error {
	var faults []string
	for i := a.beside - 1; i >= 0; i-- {
		e := &a.edits[i]
		name, to := filepath.FromSlash(e.Path), filepath.FromSlash(e.NewPath)
		var err error
		switch {
		case i >= a.placed && e.NewPath == "":
			err = a.dir.Remove(name + aside)
		case i >= a.placed:
		case e.NewPath != "":
			err = a.dir.Rename(to, name)
		default:
			err = a.dir.WriteFile(name, e.old, e.mode)
		}
		if err != nil {
			faults = append(faults, e.Path)
		}
	}
	if len(faults) > 0 {
		return errors.New("could not be taken back: " + strings.Join(faults, ", "))
	}
	return nil
}
