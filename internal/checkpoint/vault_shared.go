package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/modu-ai/moai/internal/repo"
)

// Snapshots that follow one another mostly hold the same copies: the one that the guard takes before a command, and that of the timeline.
// A copy is never written to once it is there, so the second one is the same file by another name: nothing is written, and no disk is waited for.

// sharedCopy is a copy that is there already.
type sharedCopy struct {
	vaultFile
	dir string
}

// share makes the copies of other snapshots known, by their commits.
func (v *vault) share(from []repo.Hash) {
	for _, h := range from {
		if h.IsZero() {
			continue
		}
		dir := filepath.Join(v.home, h.String())
		files, err := readVault(dir)
		if err != nil {
			continue
		}
		if v.shared == nil {
			v.shared = make(map[string]sharedCopy, len(files))
		}
		for _, f := range files {
			if f.Name != "" && !f.Mode.IsDir() && f.Link == "" {
				v.shared[f.Path] = sharedCopy{f, dir}
			}
		}
	}
}

// takesShared takes such a copy for a file that is what it was, and reports whether it could. Else the file is read from its beginning again.
func (v *vault) takesShared(f *vaultFile, in *os.File) bool {
	old, known := v.shared[f.Path]
	if !known || old.Size != f.Size {
		return false
	}
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(in, old.Size+1))
	same := err == nil && n == old.Size && hex.EncodeToString(sum.Sum(nil)) == old.Sum
	if same && old.whole(old.dir) && v.join(&old, f) {
		f.Sum = old.Sum
		return true
	}
	_, _ = in.Seek(0, io.SeekStart)
	return false
}

// join gives the file with a copy a name here as well.
func (v *vault) join(old *sharedCopy, f *vaultFile) bool {
	at, name := filepath.Join(old.dir, old.Name), f.Name
	if known := v.joined[at]; known != "" {
		f.Name, f.At = known, old.At
		return true
	}
	if old.inner() {
		name = smallName + strconv.Itoa(len(v.joined))
	}
	if os.Link(at, filepath.Join(v.tmp, name)) != nil { // a file system without links, or one with too many
		return false
	}
	if v.joined == nil {
		v.joined = map[string]string{}
	}
	v.joined[at], f.Name, f.At = name, name, old.At
	return true
}

// joins waits for the names of shared copies. Where the system cannot wait for a folder, nothing else helps either.
func (v *vault) joins() {
	if len(v.joined) == 0 {
		return
	}
	if dir, err := os.Open(v.tmp); err == nil {
		_ = dir.Sync()
		dir.Close()
	}
}
