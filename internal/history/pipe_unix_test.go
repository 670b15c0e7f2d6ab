//go:build unix

package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/modu-ai/moai/internal/kit"
)

// Where a file of a repository is a pipe, each question ends at once: opening a pipe would wait for a writer.
func TestPipes(t *testing.T) {
	for _, name := range []string{"HEAD", "config", "commondir", "packed-refs", "refs/heads/main", "index", "objects/pack/pack-x.idx", "OBJECT", ""} {
		dir := made(t, map[string]string{"a.txt": "1\n"})
		hash := strings.TrimSpace(kit.Git(t, dir, "rev-parse", "HEAD"))
		p := filepath.Join(dir, ".git", name)
		if name == "OBJECT" {
			p = filepath.Join(dir, ".git", "objects", hash[:2], hash[2:])
		}
		kit.Must(t, os.RemoveAll(p))
		kit.Must(t, unix.Mkfifo(p, 0o644))
		asks(t, dir, hash)
	}
}
