package ground

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func TestExisting(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	kit.Must(t, os.MkdirAll(filepath.Join(deep, "repo", ".git"), 0o755))
	kit.Must(t, os.WriteFile(filepath.Join(deep, "file"), nil, 0o600))
	for name, to := range map[string]string{"plain": deep, "repo": filepath.Join(deep, "repo")} {
		if err := os.Symlink(to, filepath.Join(top, name)); err != nil {
			t.Skip(err)
		}
	}
	root := filepath.VolumeName(top) + string(filepath.Separator)
	for dir, want := range map[string]string{
		deep:                                          deep,
		deep + "/":                                    deep,
		filepath.Join(deep, "file"):                   deep,
		filepath.Join(deep, "file", "x"):              deep,
		filepath.Join(deep, "no", "x/y/z"):            deep,
		filepath.Join(top, "a/no"):                    filepath.Join(top, "a"),
		filepath.Join(top, "plain"):                   top, // the link itself is the target
		filepath.Join(top, "plain", "x/y"):            filepath.Join(top, "plain"),
		filepath.Join(top, "repo"):                    filepath.Join(top, "repo"),
		deep + strings.Repeat("/a", 3000):             deep,
		deep + "/" + strings.Repeat("a", 9000) + "/b": deep,
		root:                       root,
		root + "no-such-folder/xx": root,
		root + "no-such-folder":    root,
		"no/such":                  ".",
	} {
		if got := Existing(dir); got != want {
			t.Errorf("Existing(%.80s) = %s, want %s", dir, got, want)
		}
	}
}
