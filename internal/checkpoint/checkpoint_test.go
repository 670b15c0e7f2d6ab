package checkpoint

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
)

// sandbox is a repository made by real git, with a home of its own.
type sandbox struct {
	t   testing.TB
	dir string
	env []string
}

func newSandbox(t testing.TB) *sandbox {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home := t.TempDir()
	dir := filepath.Join(home, "w")
	kit.Must(t, os.Mkdir(dir, 0o777))
	s := &sandbox{t: t, dir: dir}
	for _, kv := range []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1"} {
		k, v, _ := strings.Cut(kv, "=")
		if tt, ok := t.(*testing.T); ok {
			tt.Setenv(k, v)
		}
		s.env = append(s.env, kv)
	}
	os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n name=t\n email=t@t\n[init]\n defaultBranch=main\n[core]\n fsync=none\n[gc]\n auto=0\n[protocol \"file\"]\n allow=always\n"), 0o666)
	s.git("init", "-q")
	return s
}

func (s *sandbox) try(env []string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = s.dir
	c.Env = append(append(os.Environ(), s.env...), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func (s *sandbox) git(args ...string) string {
	s.t.Helper()
	out, err := s.try(nil, args...)
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(out)
}

func (s *sandbox) write(name, content string) {
	s.t.Helper()
	p := filepath.Join(s.dir, name)
	kit.Write(s.t, p, content)
}

func (s *sandbox) read(name string) string {
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return "error: " + err.Error()
	}
	return string(b)
}

func (s *sandbox) remove(name string) {
	kit.Must(s.t, os.RemoveAll(filepath.Join(s.dir, name)))
}

func (s *sandbox) open() *repo.Repo {
	s.t.Helper()
	r, err := repo.Open(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func (s *sandbox) create(o CreateOptions) *Checkpoint {
	s.t.Helper()
	o.NoSync = true
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	c, err := Create(context.Background(), s.open(), o)
	if err != nil {
		s.t.Fatalf("Create: %v", err)
	}
	return c
}

func (s *sandbox) restore(c *Checkpoint, o RestoreOptions, paths ...string) *RestoreResult {
	s.t.Helper()
	o.NoSync = true
	r := s.open()
	p, err := MakePlan(context.Background(), r, c, paths, o)
	if err != nil {
		s.t.Fatalf("MakePlan: %v", err)
	}
	res, err := Restore(context.Background(), r, p)
	if err != nil {
		s.t.Fatalf("Restore: %v", err)
	}
	return res
}

func TestCreateListRestore(t *testing.T) {
	s := newSandbox(t)
	s.write("kept.txt", "same\n")
	s.write("dir/changed.txt", "old\n")
	s.write("gone.txt", "x\n")
	s.write("run.sh", "#!/bin/sh\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	s.write("dir/changed.txt", "new\n")
	s.remove("gone.txt")
	s.write("새 파일.txt", "안녕\n")
	os.Chmod(filepath.Join(s.dir, "run.sh"), 0o755)
	os.Symlink("kept.txt", filepath.Join(s.dir, "link"))
	s.write("staged.txt", "staged\n")
	s.git("add", "staged.txt")
	s.write("staged.txt", "after staging\n")

	before := s.git("status", "--porcelain", "-uall")
	c := s.create(CreateOptions{Operation: "reset-hard", Command: "git reset --hard", Session: "s1", Branch: true, NoLog: true, Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if c.Name != "checkpoint/before-reset-hard-20260102T030405.000Z" {
		t.Errorf("name %q", c.Name)
	}
	if got := s.git("status", "--porcelain", "-uall"); got != before {
		t.Errorf("status changed:\n%s\nwas\n%s", got, before)
	}
	if got := s.git("rev-parse", c.Name+"^{tree}"); got != c.Tree.String() {
		t.Errorf("branch tree %s, want %s", got, c.Tree)
	}
	if got := s.git("show", c.Ref+"^2:staged.txt"); got != "staged" {
		t.Errorf("index commit holds %q", got)
	}
	list, err := List(s.open())
	if err != nil || len(list) != 1 || list[0].Name != c.Name || list[0].Command != "git reset --hard" || list[0].Stats != c.Stats || list[0].Index != c.Index {
		t.Errorf("List = %+v, %v; want %+v", list, err, c)
	}
	if again := s.create(CreateOptions{Operation: "rm", NoLog: true}); !again.Reused || again.Name != c.Name {
		t.Errorf("second Create of the same tree made %s", again.Name)
	}

	s.git("reset", "-q", "--hard")
	s.git("clean", "-qfd")
	s.remove("dir")
	s.write("unknown.txt", "stays\n")
	res := s.restore(c, RestoreOptions{Index: true, NoLog: true})
	if len(res.Failed) > 0 {
		t.Errorf("failed: %v", res.Failed)
	}
	s.remove("unknown.txt")
	if got := s.git("status", "--porcelain", "-uall"); got != before {
		t.Errorf("status after restore:\n%s\nwant\n%s", got, before)
	}
	if got := s.read("staged.txt"); got != "after staging\n" {
		t.Errorf("staged.txt = %q", got)
	}
	s.git("fsck", "--strict")
}
