package repo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPushesHidden compares with git: where it says that hidden references stay, a plain push leaves them here, and where it says
// that they go, they arrive.
func TestPushesHidden(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	const hidden = "refs/moai/"
	for i, c := range []struct {
		settings, remote string
		want             bool
	}{
		{"", "", false},
		{"remote.origin.mirror true", "", true},
		{"remote.origin.mirror true", "origin", true},
		{"remote.origin.mirror 7", "", true},
		{"remote.origin.mirror on; remote.origin.mirror off", "", false},
		{"remote.origin.mirror off; remote.origin.mirror yes", "", true},
		{"REMOTE.origin.MIRROR YES", "", true},
		{"remote.other.mirror true", "", false},
		{"remote.other.mirror true", "other", true},
		{"remote.other.mirror true", "*", true},
		{"remote.other.mirror true; remote.pushDefault other", "", true},
		{"remote.other.mirror true; branch.main.remote other; push.default current", "", true},
		{"remote.other.mirror true; branch.main.pushRemote other; branch.main.remote origin", "", true},
		{"remote.other.mirror true; branch.main.pushRemote origin; remote.pushDefault other", "", false},
		{"remote.origin.push refs/*:refs/*", "", true},
		{"remote.origin.push +refs/*:refs/*", "", true},
		{"remote.origin.push refs/moai/*:refs/moai/*", "", true},
		{"remote.origin.push refs/moai/checkpoints/x:refs/heads/y", "", true},
		{"remote.origin.push refs/heads/*:refs/heads/*", "", false},
		{"remote.origin.push refs/*:refs/*; remote.origin.push ^refs/moai/*", "", false},
	} {
		dir := t.TempDir()
		work := filepath.Join(dir, "work")
		git := func(args ...string) (string, error) {
			cmd := exec.Command("git", args...)
			cmd.Dir = dir
			if args[0] != "init" {
				cmd.Dir = work
			}
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		must := func(args ...string) string {
			t.Helper()
			out, err := git(args...)
			if err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
			return out
		}
		must("init", "-q", "-b", "main", "work")
		for _, name := range []string{"origin", "other"} {
			must("init", "-q", "--bare", name+".git")
			must("remote", "add", name, "../"+name+".git")
		}
		must("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "start")
		must("update-ref", "refs/moai/checkpoints/x", "HEAD")
		for _, one := range strings.Split(c.settings, ";") {
			if f := strings.Fields(one); len(f) == 2 {
				must("config", "--add", f[0], f[1])
			}
		}
		r, err := Open(work)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.PushesHidden(c.remote, hidden); got != c.want {
			t.Errorf("%d: %q to %q: %t, want %t", i, c.settings, c.remote, got, c.want)
		}
		if c.remote == "*" {
			continue
		}
		push := []string{"push", "-q"}
		if c.remote != "" {
			push = append(push, c.remote)
		}
		said, _ := git(push...)
		arrived := ""
		for _, name := range []string{"origin", "other"} {
			arrived += must("ls-remote", "../"+name+".git")
		}
		head := strings.TrimSpace(must("rev-parse", "HEAD"))
		if got := strings.Contains(arrived, hidden) || strings.Contains(arrived, head+"\trefs/heads/y"); got != c.want {
			t.Errorf("%d: %q to %q: git sent them: %t, want %t\n%s\n%s", i, c.settings, c.remote, got, c.want, said, arrived)
		}
	}
}

// TestManyRemotes: a repository's settings are a stranger's, and asking about them costs one look at each.
func TestManyRemotes(t *testing.T) {
	c := &Config{}
	for i := range 100_000 {
		c.add(fmt.Sprintf("remote.r%d.mirror", i), "false", false)
		c.add("remote.a.push", "refs/*:refs/*", false)
	}
	c.add("remote.a.push", "^refs/moai/*", false)
	r := &Repo{cfg: c}
	r.cfgOnce.Do(func() {})
	if r.PushesHidden("*", "refs/moai/") {
		t.Error("none of these is a mirror")
	}
}
