//go:build unix

package checkpoint

import (
	"os"
	"path/filepath"
	"testing"
)

// Where core.symlinks is off, a link that somebody has made comes back as one, and a plain file that Git takes for a link as a file.
func TestLinksWhereGitMakesNone(t *testing.T) {
	s := newSandbox(t)
	must(t, os.Symlink("a", filepath.Join(s.dir, "tracked")))
	s.commit("a")
	s.git("config", "core.symlinks", "false")
	s.remove("tracked")
	s.write("tracked", "b")
	must(t, os.Symlink("a", filepath.Join(s.dir, "mine")))
	c := s.create(CreateOptions{NoLog: true})
	s.remove("mine")
	s.git("reset", "-q", "--hard")
	s.restore(c, RestoreOptions{NoLog: true})
	if to, err := os.Readlink(filepath.Join(s.dir, "mine")); to != "a" {
		t.Errorf("mine leads to %q: %v", to, err)
	}
	if fi, err := os.Lstat(filepath.Join(s.dir, "tracked")); err != nil || !fi.Mode().IsRegular() || s.read("tracked") != "b" {
		t.Errorf("tracked is %v: %v", fi, err)
	}
}

// Ignored links come back as links, wherever they lead: to nothing, to a folder, out of the project.
func TestVaultOfLinks(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "*.link\n")
	s.commit("d/x")
	links := map[string]string{"none.link": "nowhere", "folder.link": "d", "out.link": filepath.Dir(s.dir)}
	var names []string
	for name, to := range links {
		must(t, os.Symlink(to, filepath.Join(s.dir, name)))
		names = append(names, name)
	}
	vault := t.TempDir()
	c := s.create(CreateOptions{NoLog: true, Ignored: names, VaultDir: vault})
	for name := range links {
		s.remove(name)
	}
	s.restore(c, RestoreOptions{NoLog: true, VaultDir: vault})
	for name, want := range links {
		if to, err := os.Readlink(filepath.Join(s.dir, name)); to != want {
			t.Errorf("%s leads to %q, want %q: %v", name, to, want, err)
		}
	}
}

// One line brings a branch back that git worktree add -B has moved and checked out elsewhere; nothing of the new work tree changes. Once
// somebody has committed there, the branch stays theirs.
func TestBranchTakenByANewWorkTree(t *testing.T) {
	for _, committed := range []bool{false, true} {
		s := newSandbox(t)
		s.commit("a")
		s.git("branch", "feature")
		s.commit("b")
		was := s.git("rev-parse", "feature")
		c := s.create(CreateOptions{NoLog: true, PinRefs: []string{"refs/heads/feature"}})
		other := filepath.Join(filepath.Dir(s.dir), "new tree")
		s.git("worktree", "add", "-q", "-B", "feature", other, "main")
		must(t, os.WriteFile(filepath.Join(other, "a"), []byte("mine\n"), 0o666))
		if committed {
			s.git("-C", other, "commit", "-q", "-am", "mine")
		}
		at := s.git("-C", other, "rev-parse", "HEAD")
		status := s.git("-C", other, "status", "--porcelain")
		res := s.restore(c, RestoreOptions{Refs: true, NoLog: true})
		back := s.git("rev-parse", "feature") == was
		if back == committed || (len(res.Failed) > 0) != committed {
			t.Errorf("committed %v: the branch is back: %v; failed %v", committed, back, res.Failed)
		}
		if now := s.git("-C", other, "rev-parse", "HEAD"); now != at || s.git("-C", other, "status", "--porcelain") != status {
			t.Errorf("committed %v: the other work tree went from %s to %s", committed, at, now)
		}
	}
}

// The .git of a work tree in an ignored folder is not for the vault: one name that no restore writes must not cost all others.
func TestVaultOfAWorkTreeInside(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "trees/\n")
	s.commit("a")
	s.git("worktree", "add", "-q", "-b", "inside", "trees/inside")
	s.write("trees/inside/mine", "mine\n")
	vault := t.TempDir()
	c := s.create(CreateOptions{NoLog: true, Ignored: []string{"trees"}, VaultDir: vault})
	must(t, os.RemoveAll(filepath.Join(s.dir, "trees")))
	res := s.restore(c, RestoreOptions{NoLog: true, VaultDir: vault})
	if s.read("trees/inside/mine") != "mine\n" || len(res.Failed) > 0 {
		t.Errorf("failed %v, from the vault %v", res.Failed, res.Vault)
	}
	s.git("worktree", "repair")
	if got := s.git("-C", "trees/inside", "status", "--porcelain"); got != "?? mine" {
		t.Errorf("status %q", got)
	}
}
