//go:build unix

package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Where a file of a repository is a pipe, each question ends at once: opening a pipe would wait for a writer.
func TestPipes(t *testing.T) {
	for _, name := range []string{"HEAD", "config", "commondir", "packed-refs", "refs/heads/main", "index", "objects/pack/pack-x.idx", "OBJECT", ""} {
		dir := made(t, map[string]string{"a.txt": "1\n"})
		hash := strings.TrimSpace(run(t, dir, "rev-parse", "HEAD"))
		p := filepath.Join(dir, ".git", name)
		if name == "OBJECT" {
			p = filepath.Join(dir, ".git", "objects", hash[:2], hash[2:])
		}
		if err := os.RemoveAll(p); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mkfifo(p, 0o644); err != nil {
			t.Fatal(err)
		}
		asks(t, dir, hash)
	}
}
