package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/modu-ai/moai/internal/disk"
)

// Making a file and waiting for the disk take a hundred times as long as writing what is in a small one. So from the vaultOwn-th copy on,
// the contents of small files are kept in one file.
const (
	vaultOwn   = 32
	vaultSmall = 64 << 10
	smallName  = "small"
)

// addSmall copies a small file behind others. ok is false for one that gets a copy of its own.
func (v *vault) addSmall(f *vaultFile, in *os.File) (ok bool, err error) {
	if len(v.files)-v.folders < vaultOwn || f.Size > vaultSmall {
		return false, nil
	}
	text, err := io.ReadAll(io.LimitReader(in, vaultSmall+1))
	if err != nil {
		return false, err
	}
	if len(text) > vaultSmall { // it has grown meanwhile
		_, err = in.Seek(0, io.SeekStart)
		return false, err
	}
	if v.small == nil {
		if v.small, err = os.OpenFile(filepath.Join(v.tmp, smallName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
			return false, err
		}
	}
	if _, err := v.small.WriteAt(text, v.end); err != nil {
		return false, err
	}
	sum := sha256.Sum256(text)
	f.Name, f.At, f.Size, f.Sum = smallName, v.end, int64(len(text)), hex.EncodeToString(sum[:])
	v.end += f.Size
	return true, nil
}

// settleSmall waits until that file is on disk. What was taken back stands behind its end.
func (v *vault) settleSmall() error {
	if v.small == nil {
		return nil
	}
	err := errors.Join(v.small.Truncate(v.end), v.small.Sync(), v.small.Close())
	v.small = nil
	return err
}

// whole reports a copy whose file in a folder of the vault is there, and as long as it was.
func (f *vaultFile) whole(dir string) bool {
	kept, err := os.Lstat(filepath.Join(dir, f.Name))
	switch {
	case err != nil || !kept.Mode().IsRegular():
		return false
	case f.inner():
		return kept.Size() >= f.At+f.Size
	}
	return kept.Size() == f.Size
}

// inner reports a copy that shares its file with others.
func (f *vaultFile) inner() bool {
	_, err := strconv.Atoi(f.Name)
	return f.Name != "" && err != nil
}

// copyTo writes what a copy holds.
func (f *vaultFile) copyTo(out io.Writer, dir string) error {
	in, _, err := disk.OpenRegular(os.OpenFile, filepath.Join(dir, f.Name), disk.NoFollow)
	if err != nil {
		return err
	}
	defer in.Close()
	var from io.Reader = in
	if f.inner() {
		from = io.NewSectionReader(in, f.At, f.Size)
	}
	_, err = io.Copy(out, from)
	return err
}

// sharing is by how much the copies in a folder of the vault are more than its files.
func sharing(dir string) (n int) {
	files, err := readVault(dir)
	if err != nil {
		return 0
	}
	seen := map[string]bool{}
	for i := range files {
		if f := &files[i]; f.inner() && seen[f.Name] {
			n++
		}
		seen[files[i].Name] = true
	}
	return n
}
