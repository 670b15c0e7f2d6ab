//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"os"
)

var errNotFolder = errors.New("not a directory")

func newSeen() map[string]fs.DirEntry { return map[string]fs.DirEntry{} }

func lstatKnown(fi fs.FileInfo, st *Stat) error {
	st.fillInfo(fi)
	return nil
}

func lstat(path string, st *Stat) error {
	fi, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return lstatKnown(fi, st)
}
