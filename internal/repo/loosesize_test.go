package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// Loose blobs are opened for their sizes once. An object that is gone or cut short has none, and a damaged memory is as good as none.
func TestLooseSizes(t *testing.T) {
	r, stateDir := gitRepo(t), t.TempDir()
	for i := range 2 * fewLooseSizes {
		write(t, r.Path(fmt.Sprintf("f%d", i)), fmt.Sprintf("%0*d\n", i+10, i))
	}
	gitIn(t, r.WorkTree, "add", "-A")
	ix, err := r.Index()
	kit.Must(t, err)
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
	path := r.DirCacheIn(stateDir) + ".sizes"
	objects := filepath.Join(r.CommonDir, "objects")
	// As long as before and nothing else: whoever opens such an object finds no header.
	hollow := func(from, to string) {
		t.Helper()
		files, err := filepath.Glob(from + "/??/*")
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, f := range files {
			fi, err := os.Stat(f)
			kit.Must(t, err)
			write(t, filepath.Join(to, f[len(from):]), strings.Repeat("x", int(fi.Size())))
		}
	}
	ask(true)
	b, err := os.ReadFile(path)
	kit.Must(t, err)
	kit.Must(t, os.Rename(objects, objects+".away"))
	ask(false)
	hollow(objects+".away", objects)
	ask(true)
	for _, bad := range [][]byte{nil, b[:len(b)-1], append([]byte("elsewhat"), b[8:]...)} {
		kit.Must(t, os.WriteFile(path, bad, 0o600))
		ask(false)
	}
	kit.Must(t, os.WriteFile(path, b, 0o600))
	ask(true)
	for e := range ix.Entries() { // what a loss of power leaves
		name := e.Hash.String()
		kit.Must(t, os.Truncate(filepath.Join(objects, name[:2], name[2:]), 0))
	}
	ask(false)
}
