package checkpoint

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// gitFiles is everything in the repository's folder but objects and what is moai's own, with its content.
func (s *sandbox) gitFiles() map[string]string {
	m := map[string]string{}
	dir := filepath.Join(s.dir, ".git")
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
		case rel == "objects", rel == "refs/moai", rel == "refs/heads/checkpoint", rel == "logs/refs/moai", rel == "logs/refs/heads/checkpoint":
			return filepath.SkipDir
		case !d.IsDir():
			b, _ := os.ReadFile(p)
			m[rel] = string(b)
		}
		return nil
	})
	return m
}

// Taking a checkpoint leaves HEAD, index, stash, hooks, configuration and all reflogs alone, also where git is told to log the moves
// of every reference.
func TestNothingElseIsTouched(t *testing.T) {
	s := newSandbox(t)
	s.git("config", "core.logAllRefUpdates", "always")
	s.commit("a", "b")
	s.write("a", "stashed\n")
	s.git("stash", "push", "-q")
	s.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch ../hook-ran\n")
	os.Chmod(filepath.Join(s.dir, ".git/hooks/post-checkout"), 0o755)
	s.write("a", "changed\n")
	s.git("add", "a")
	s.write("a", "changed again\n")
	s.write("new", "n\n")
	files := func() map[string]string {
		m := map[string]string{}
		for _, p := range []string{"a", "b", "new"} {
			fi, err := os.Lstat(filepath.Join(s.dir, p))
			if err != nil {
				t.Fatal(err)
			}
			m[p] = fmt.Sprint(s.read(p), fi.Mode(), fi.ModTime())
		}
		return m
	}
	repository, tree := s.gitFiles(), files()
	s.create(CreateOptions{Operation: "rm", NoLog: true, Branch: true, PinRefs: []string{"main", "refs/stash", ReflogPins}})
	if got := s.gitFiles(); !maps.Equal(got, repository) {
		for _, k := range slices.Sorted(maps.Keys(got)) {
			if got[k] != repository[k] {
				t.Errorf(".git/%s has changed", k)
			}
		}
		t.Errorf("%d files in .git, were %d", len(got), len(repository))
	}
	if got := files(); !maps.Equal(got, tree) {
		t.Errorf("working tree %v, was %v", got, tree)
	}
}

// A tree without any file is a tree, and comes back as one.
func TestEmptyTree(t *testing.T) {
	s := newSandbox(t)
	s.commit("a", "d/b")
	s.remove("a")
	s.remove("d")
	c := s.create(CreateOptions{NoLog: true, Branch: true})
	if got := s.git("ls-tree", "-r", c.Name); got != "" || c.Stats.Deleted != 2 {
		t.Errorf("tree holds %q, %+v", got, c.Stats)
	}
	s.git("fsck", "--strict")
	s.git("checkout", "-q", "--", ".")
	s.restore(c, RestoreOptions{NoLog: true})
	if got := s.git("status", "--porcelain"); got != "D a\n D d/b" {
		t.Errorf("status %q", got)
	}
}

// A partial clone lacks blobs that nobody has asked for; moai fetches none and needs none.
func TestPartialClone(t *testing.T) {
	src := newSandbox(t)
	src.commit("a", "d/b", "big")
	src.write("big", "second\n")
	src.git("commit", "-qam", "second")
	src.git("config", "uploadpack.allowFilter", "true")
	s := newSandbox(t)
	s.remove(".git")
	s.git("clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+src.dir, ".")
	s.git("sparse-checkout", "set", "d")
	s.git("checkout", "-q", "main")
	s.git("config", "remote.origin.url", "file:///nowhere") // whoever fetches now fails
	s.write("d/b", "changed\n")
	s.write("d/new", "n\n")
	before := s.git("status", "--porcelain")
	c := s.create(CreateOptions{NoLog: true, Branch: true, Sensitive: func(p string, _ []byte) bool { return p == "d/new" }})
	s.write("d/b", "lost\n")
	s.remove("d/new")
	s.restore(c, RestoreOptions{NoLog: true})
	if got := s.git("status", "--porcelain"); got != before || s.read("d/b") != "changed\n" {
		t.Errorf("status %q, was %q; d/b %q", got, before, s.read("d/b"))
	}
	if changes, err := Show(s.open(), c); err != nil || len(changes) != 2 {
		t.Errorf("Show = %v, %v", changes, err)
	}
}

// Git's own maintenance may do with the repository what it likes.
func TestMaintenanceKeepsCheckpoints(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	var names []string
	for i := range 30 { // loose ones and packs
		for k := range []int{2, 40}[i%2] {
			s.write(fmt.Sprint("u", k), fmt.Sprint(i, k))
		}
		names = append(names, s.create(CreateOptions{Operation: "rm", NoLog: true}).Name)
	}
	s.git("reflog", "expire", "--expire=now", "--all")
	for _, args := range [][]string{
		{"maintenance", "run", "--task=loose-objects", "--task=incremental-repack", "--task=pack-refs"},
		{"gc", "-q", "--prune=now"},
		{"prune", "--expire=now"},
		{"repack", "-Adq"},
	} {
		s.git(args...)
		for i, name := range names {
			c := mustFind(t, s, name)
			if _, err := s.try(nil, "rev-list", "--objects", "--quiet", c.Ref); err != nil {
				t.Fatalf("after git %s: %s is not complete", strings.Join(args, " "), name)
			}
			if side, err := lookup(s.open().Tree, c.Tree, "u1"); err != nil || side.Mode == 0 {
				t.Errorf("after git %s: no u1 in checkpoint %d: %v", strings.Join(args, " "), i, err)
			}
		}
	}
}

// A file that has gone since it was listed is a deleted file, or never was there.
func TestVanishedFiles(t *testing.T) {
	s := newSandbox(t)
	s.commit("tracked")
	r := s.open()
	o := CreateOptions{Limits: DefaultLimits()}
	sn := &snapshot{r: r, w: r.NewWriter(repo.WriteOptions{DryRun: true}), opts: &o, fileMode: true, links: true}
	sn.ix = must(r.Index())
	s.remove("tracked")
	sn.read(context.Background(), []item{{path: "tracked", pos: 0}, {path: "new", pos: -1}})
	if len(sn.skipped) != 0 || sn.stats != (Stats{Deleted: 1}) {
		t.Errorf("gone before it was looked at: skipped %v, %v", sn.skipped, sn.stats)
	}
	// Between the look and the reading.
	s.write("tracked", "x")
	fi, err := os.Lstat(r.Path("tracked"))
	if err != nil {
		t.Fatal(err)
	}
	s.remove("tracked")
	for _, pos := range []int{0, -1} {
		it := item{path: "tracked", pos: pos, fi: fi}
		if sn.content(&it); it.skip != "" || it.fi != nil || it.leave != (pos < 0) {
			t.Errorf("gone before it was read, position %d: %+v", pos, it)
		}
	}
}

// A restore clears away what a killed one has left, and nothing of one that is at work.
func TestTemporaryFilesOfOthers(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("a", "saved\n")
	c := s.create(CreateOptions{NoLog: true})
	s.git("checkout", "-q", "--", "a")
	dead := exec.Command("git", "version")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	alive, left := fmt.Sprint(tempPrefix, os.Getppid(), "-1"), fmt.Sprint(tempPrefix, dead.Process.Pid, "-1")
	s.write(alive, "half\n")
	s.write(left, "half\n")
	s.restore(c, RestoreOptions{NoLog: true})
	if s.read(alive) != "half\n" {
		t.Error("the file of a restore that is at work is gone")
	}
	if _, err := os.Lstat(filepath.Join(s.dir, left)); err == nil {
		t.Error("the file of a restore that was killed is still there")
	}
}

// A file of the user's that is named almost like a restore's temporary ones is saved and kept.
func TestOwnFileNamedLikeATemporaryOne(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	own := []string{tempPrefix + "notes", tempPrefix + "12", "d/" + tempPrefix + "0-1", tempPrefix + "1-?"}
	for _, name := range own {
		s.write(name, "mine\n")
	}
	c := s.create(CreateOptions{NoLog: true})
	if c.Stats.Untracked != len(own) {
		t.Errorf("%d files saved, want %d", c.Stats.Untracked, len(own))
	}
	s.write("a", "lost\n")
	s.restore(c, RestoreOptions{NoLog: true})
	for _, name := range own {
		if got := s.read(name); got != "mine\n" {
			t.Errorf("%s = %q after a restore", name, got)
		}
	}
}

// A restore looks at the tree through the directory cache, as checkpoints do, and a plan without a state directory leaves none.
func TestRestoreRemembersDirectories(t *testing.T) {
	s := newSandbox(t)
	s.commit("a", "d/b", "d/e/c")
	c := s.create(CreateOptions{NoLog: true})
	s.write("a", "lost\n")
	time.Sleep(150 * time.Millisecond) // younger directories are not remembered
	state := filepath.Join(filepath.Dir(s.dir), "state")
	o := RestoreOptions{NoLog: true, remember: 1}
	if _, err := MakePlan(context.Background(), s.open(), c, nil, o); err != nil {
		t.Fatal(err)
	}
	cache := s.open().DirCacheIn(state)
	if _, err := os.Lstat(state); err == nil {
		t.Errorf("a plan without a state directory has made one")
	}
	o.StateDir = state
	s.restore(c, o)
	if _, err := os.Lstat(cache); err != nil {
		t.Errorf("the restore remembers nothing: %v", err)
	}
	if s.read("a") == "lost\n" {
		t.Error("a was not restored")
	}
}
