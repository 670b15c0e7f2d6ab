package disk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// Below the working directory fewer looks must tell the same.
func TestEvalLinks(t *testing.T) {
	top := kit.Dir(t)
	for _, dir := range []string{"p/a/b", "p2/a", "other"} {
		kit.Must(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	kit.Must(t, os.WriteFile(filepath.Join(top, "p/a/f"), nil, 0o600))
	for name, to := range map[string]string{"p/in": "a", "p/out": "../other", "p/a/gone": "nowhere", "p/round": "round", "p/a/file": "f", "name": "p"} {
		if err := os.Symlink(to, filepath.Join(top, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	for _, here := range []string{"p", "p/a", "name", "other", "p/in"} { // a shell may have come by a link
		t.Chdir(filepath.Join(top, here))
		for _, p := range []string{
			"p", "p/", "p/a", "p/a/b", "p/a/b/", "p/a/f", "p/a/f/x", "p/in", "p/in/b", "p/out", "p/out/x", "p/a/gone", "p/round", "p/round/x", "p/a/file",
			"p/missing", "p/missing/x", "p2", "p2/a", "name", "name/a/b", "p/a/../in/b", "p/out/../p2", "p//a", "", ".", "..",
		} {
			for _, path := range []string{p, top + "/" + p} {
				want, wantErr := filepath.EvalSymlinks(path)
				got, err := EvalLinks(path)
				if got != want || (err == nil) != (wantErr == nil) {
					t.Errorf("in %s: EvalLinks(%q) = %q, %v, want %q, %v", here, path, got, err, want, wantErr)
				}
			}
		}
	}
}
