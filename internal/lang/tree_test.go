package lang_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
)

// TestRevision: a commit is answered for as its checkout is, packed or loose, whatever lies in the work tree by now.
func TestRevision(t *testing.T) {
	needGit(t)
	dir := sample(t)
	put(t, dir, "go.mod", "module x\n\ngo 1.22\n")
	put(t, dir, "cmd/x/main.go", "package main\n")
	put(t, dir, "web/package.json", `{"name":"w","scripts":{"test":"vitest"},"dependencies":{"react":"19"}}`)
	put(t, dir, "web/src/a.ts", "export const a = 1\n")
	put(t, dir, "web/.gitattributes", "*.zz linguist-language=Ruby\n")
	put(t, dir, "web/src/b.zz", strings.Repeat("x = 1\n", 30))
	put(t, dir, "settings/version", "3.12\n")
	if err := os.Symlink("settings/version", filepath.Join(dir, ".python-version")); err != nil {
		t.Skip("needs links")
	}
	kit.Must(t, os.Symlink("../../../etc/hostname", filepath.Join(dir, "setup.py")))
	put(t, dir, "tool.py", "print(1)\n")
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "one")
	git(t, dir, "tag", "-am", "first", "v1")
	put(t, dir, "go.mod", "module x\n\ngo 1.24\n")
	put(t, dir, "src/c.h", "class c {};\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "two")
	git(t, dir, "rm", "-qr", "src", "web")
	git(t, dir, "commit", "-qm", "three")
	for _, packed := range []bool{false, true} {
		if packed {
			git(t, dir, "gc", "-q")
		}
		for _, rev := range []string{"v1", "HEAD~2", "HEAD^^", "main~1", "HEAD", "@"} {
			out := filepath.Join(t.TempDir(), filepath.Base(dir))
			git(t, filepath.Dir(out), "clone", "-q", dir, out)
			git(t, out, "checkout", "-q", rev)
			for _, below := range []string{"", "web"} {
				if _, err := os.Stat(filepath.Join(out, below)); err != nil {
					continue
				}
				want := detect(t, filepath.Join(out, below), lang.Options{Projects: true})
				at := filepath.Join(dir, below)
				kit.Must(t, os.MkdirAll(at, 0o755))
				got := detect(t, at, lang.Options{Projects: true, Rev: rev})
				if !strings.HasPrefix(got.Source, "revision ") {
					t.Errorf("%s: source %q", rev, got.Source)
				}
				if len(want.Languages) < 2 {
					t.Fatalf("%s %q: the checkout says too little: %+v", rev, below, want)
				}
				got.Dir, got.Source, want.Dir, want.Source = "", "", "", ""
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("packed %v, %s %q, checkout against revision:\n%s", packed, rev, below, d)
				}
			}
		}
	}
	for _, rev := range []string{"v2", "HEAD~9", "HEAD^2", "zzzz", "", "HEAD:src", "HEAD~x", "v1^{tree}"} {
		if rev == "" {
			continue
		}
		if r, err := lang.Detect(t.Context(), &languages.Table, dir, lang.Options{Rev: rev}); err == nil {
			t.Errorf("%q names no commit, and the answer is %s", rev, r.Title())
		}
	}
}

// TestRevisionBomb: a small commit that stands for a huge tree ends within bounds.
func TestRevisionBomb(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	// Ten folders of ten folders, fourteen deep, of one file each: 10^14 paths of fifteen objects.
	put(t, dir, "bomb.sh", `h=$(echo x | git hash-object -w --stdin)
line="100644 blob $h	f.c"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
  t=$(printf '%s\n' "$line" | git mktree); line=""
  for j in 0 1 2 3 4 5 6 7 8 9; do line="$line${line:+
}040000 tree $t	d$j"; done
done
t=$(printf '%s\n' "$line" | git mktree)
c=$(git -c user.name=a -c user.email=a@example.org commit-tree -m bomb "$t")
git update-ref refs/heads/bomb "$c"
`)
	run(t, dir, "sh", "bomb.sh")
	if r, err := lang.Detect(t.Context(), &languages.Table, dir, lang.Options{Rev: "bomb"}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a bomb: %v, %v, want an error that says so", r, err)
	}
}

func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(args[0]); err != nil {
		t.Skip("needs " + args[0])
	}
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}
