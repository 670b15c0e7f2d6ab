package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// TestIgnoredBy compares with git check-ignore -v.
func TestIgnoredBy(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	git := func(args ...string) (string, error) {
		c := exec.Command("git", append([]string{"-C", dir}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := c.Output()
		return string(out), err
	}
	if _, err := git("init", "-q"); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".gitignore":        "# first\n*.log\n\n!keep.log\n.claude/\r\n/a/b/\n",
		".git/info/exclude": "# x\n*.tmp\n",
		"sub/.gitignore":    "own.txt\n*.log\n",
	} {
		kit.Write(t, filepath.Join(dir, name), text)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, rel := range []string{"x.log", "keep.log", ".claude/settings.json", "a/b/c", "a/c", "y.tmp", "sub/own.txt", "sub/keep.log", "own.txt", "sub/deep/z.log"} {
		want := ""
		if out, err := git("check-ignore", "-v", "--no-index", rel); err == nil && !strings.Contains(out, ":!") {
			f := strings.SplitN(out, ":", 3)
			want = f[0] + ":" + f[1]
		}
		file, line, ignored := r.IgnoredBy(rel, false)
		got := ""
		if ignored {
			at, err := filepath.Rel(r.WorkTree, file)
			if err != nil {
				t.Fatal(err)
			}
			got = filepath.ToSlash(at) + ":" + string(rune('0'+line))
		}
		if got != want {
			t.Errorf("IgnoredBy(%s) = %q, want %q", rel, got, want)
		}
	}
}
