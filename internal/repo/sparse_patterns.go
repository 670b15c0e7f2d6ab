package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/disk"
)

// SparseFile is where a work tree says what its sparse checkout leaves out, below its Git directory.
const SparseFile = "info/sparse-checkout"

// maxSparse bounds it: what people and `git sparse-checkout set` write has some lines.
const maxSparse = 64 << 10

// SparsePatterns reads it; "" where nothing is.
func (r *Repo) SparsePatterns() (string, error) {
	b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(r.GitDir, filepath.FromSlash(SparseFile)), disk.NoFollow, maxSparse)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(b), err
}

// SetSparsePatterns writes it, under git's own lock.
func (r *Repo) SetSparsePatterns(text string) error {
	err := func() error {
		path := filepath.Join(r.GitDir, filepath.FromSlash(SparseFile))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if fi, err := os.Lstat(filepath.Dir(path)); err != nil || !fi.IsDir() {
			return fmt.Errorf("%s is no folder", filepath.Dir(path)) // but a link, which may lead anywhere
		}
		l, err := lockFilled(r.GitDir, path, packedLockWait)
		if err != nil {
			return err
		}
		_, _ = l.Write([]byte(text)) // its error is kept for Commit
		return l.Commit()
	}()
	if err != nil {
		return fmt.Errorf("write %s: %w", SparseFile, err)
	}
	return nil
}
