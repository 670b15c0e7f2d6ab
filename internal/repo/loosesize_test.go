package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Sizes of loose blobs are asked of the disk once, and a damaged memory is as good as none.
func TestLooseSizes(t *testing.T) {
	r, stateDir := gitRepo(t), t.TempDir()
	for i := range 2 * fewLooseSizes {
		write(t, r.Path(fmt.Sprintf("f%d", i)), fmt.Sprintf("%0*d\n", i+10, i))
	}
	gitIn(t, r.WorkTree, "add", "-A")
	ix, err := r.Index()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(want bool) {
		t.Helper()
		l := r.LooseSizes(stateDir)
		for e := range ix.Entries() {
			size, err := l.Of(e.Hash)
			if (err == nil) != want || want && size != int64(e.Size) {
				t.Fatalf("%s: %d, %v; want %d, %v", e.Path, size, err, e.Size, want)
			}
		}
		l.Save()
	}
	ask(true)
	if err := os.Rename(filepath.Join(r.CommonDir, "objects"), filepath.Join(r.CommonDir, "away")); err != nil {
		t.Fatal(err)
	}
	ask(true)
	path := r.DirCacheIn(stateDir) + ".sizes"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, b[:len(b)-1], append([]byte("elsewhat"), b[8:]...)} {
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		ask(false)
	}
}
