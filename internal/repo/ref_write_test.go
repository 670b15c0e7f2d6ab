package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

func refRepo(t *testing.T) (*Repo, Hash) {
	r := gitRepo(t)
	os.WriteFile(filepath.Join(r.WorkTree, "a"), []byte("one\n"), 0o666)
	gitIn(t, r.WorkTree, "add", "-A")
	gitIn(t, r.WorkTree, "commit", "-q", "-m", "x")
	h, _ := ParseHash(gitIn(t, r.WorkTree, "rev-parse", "HEAD"))
	return r, h
}

func TestCreateRef(t *testing.T) {
	r, h := refRepo(t)
	gitIn(t, r.WorkTree, "branch", "packed/one")
	gitIn(t, r.WorkTree, "tag", "-a", "-m", "t", "v1")
	gitIn(t, r.WorkTree, "pack-refs", "--all")
	gitIn(t, r.WorkTree, "branch", "loose/one")
	os.MkdirAll(filepath.Join(r.CommonDir, "refs/heads/empty/dir"), 0o777)
	for _, tt := range []struct {
		name string
		want error
	}{
		{"refs/moai/checkpoints/before-x", nil},
		{"refs/moai/checkpoints/before-x", ErrRefExists},
		{"refs/heads/packed/one", ErrRefExists},
		{"refs/heads/packed", ErrRefConflict},
		{"refs/heads/packed/one/two", ErrRefConflict},
		{"refs/heads/loose", ErrRefConflict},
		{"refs/heads/loose/one/two", ErrRefConflict},
		{"refs/heads/empty", nil},
		{"refs/heads/한글", nil},
	} {
		if err := r.CreateRef(tt.name, h); !errors.Is(err, tt.want) {
			t.Errorf("CreateRef(%q) = %v, want %v", tt.name, err, tt.want)
		}
		if tt.want == nil {
			if got := gitIn(t, r.WorkTree, "rev-parse", tt.name); got != h.String() {
				t.Errorf("git rev-parse %s = %s, want %s", tt.name, got, h)
			}
		}
	}
	for _, bad := range []string{"HEAD", "refs/x/..", "refs/../../etc/x", "refs/a.lock/b", "refs/a b", "refs/a/", "refs//a", "refs/a\x01", "refs/bisect/x", "refs/a~1", "refs/.a"} {
		if err := r.CreateRef(bad, h); err == nil {
			t.Errorf("CreateRef(%q) succeeds", bad)
		}
	}
	var locks []string
	filepath.WalkDir(r.CommonDir, func(p string, _ os.DirEntry, _ error) error {
		if strings.HasSuffix(p, ".lock") {
			locks = append(locks, p)
		}
		return nil
	})
	if len(locks) > 0 {
		t.Errorf("locks left behind: %v", locks)
	}
}

// A reference that is prepared cannot be seen and cannot be taken by others; given up, it leaves nothing.
func TestPrepareRef(t *testing.T) {
	r, h := refRepo(t)
	const name = "refs/moai/checkpoints/before-x"
	p, err := r.PrepareRef(name, h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resolve(name); !errors.Is(err, ErrNoRef) {
		t.Errorf("Resolve of what is only prepared = %v, want %v", err, ErrNoRef)
	}
	if _, err := r.PrepareRef(name, h); !errors.Is(err, ErrLocked) {
		t.Errorf("preparing it twice = %v, want %v", err, ErrLocked)
	}
	p.Sync()
	kit.Must(t, p.Commit())
	if got := gitIn(t, r.WorkTree, "rev-parse", name); got != h.String() {
		t.Errorf("git rev-parse %s = %s, want %s", name, got, h)
	}
	if _, err := r.PrepareRef(name, h); !errors.Is(err, ErrRefExists) {
		t.Errorf("preparing what exists = %v, want %v", err, ErrRefExists)
	}
	if p, err = r.PrepareRef(name+"-02", h); err != nil {
		t.Fatal(err)
	}
	p.Rollback()
	if left, _ := filepath.Glob(filepath.Join(r.CommonDir, name+"*")); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
}

func TestLockIsRespected(t *testing.T) {
	r, h := refRepo(t)
	path := filepath.Join(r.CommonDir, "refs/heads/held.lock")
	os.WriteFile(path, nil, 0o666)
	if err := r.CreateRef("refs/heads/held", h); !errors.Is(err, ErrLocked) {
		t.Errorf("CreateRef under a lock: %v, want ErrLocked", err)
	}
	if !fileExists(path) {
		t.Error("somebody else's lock was removed")
	}
}

// A lock below refs/moai/ is removed when it is old enough. A time in the future is set to now, so that the lock gets old as well.
func TestLockOfOwnReference(t *testing.T) {
	r, h := refRepo(t)
	const name = OwnRefs + "turns/main"
	path := filepath.Join(r.CommonDir, filepath.FromSlash(name)+".lock")
	must(t, os.MkdirAll(filepath.Dir(path), 0o777))
	set := func(age time.Duration) {
		t.Helper()
		at := time.Now().Add(-age)
		must(t, errors.Join(os.WriteFile(path, nil, 0o666), os.Chtimes(path, at, at)))
	}
	for _, age := range []time.Duration{0, LockMoments / 2, -time.Hour} {
		set(age)
		var held *HeldLock
		if err := r.CreateRef(name, h); !errors.Is(err, ErrLocked) || !errors.As(err, &held) || held.Path != path {
			t.Fatalf("CreateRef under a lock %v old: %v, want ErrLocked", age, err)
		}
	}
	if fi, err := os.Lstat(path); err != nil || fi.ModTime().After(time.Now()) {
		t.Errorf("a lock from the future stays one: %v", err)
	}
	set(2 * LockMoments)
	if err := r.CreateRef(name, h); err != nil {
		t.Errorf("CreateRef under an old lock: %v", err)
	}
	if list, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(list) != 1 {
		t.Errorf("left are %v", list)
	}
}

// What is given up is found in one look at the folder, and where that holds too much, by its name.
func TestGiveUpLocks(t *testing.T) {
	r, _ := refRepo(t)
	old := time.Now().Add(-2 * lockStale)
	for _, crowd := range []int{0, 2 * manyNames} {
		for i := range crowd {
			must(t, os.WriteFile(filepath.Join(r.CommonDir, fmt.Sprintf("x%d", i)), nil, 0o666))
		}
		for _, name := range []string{"packed-refs", "config", "HEAD", "index", SparseFile, "MERGE_HEAD", "refs/heads/gone"} {
			path := filepath.Join(r.CommonDir, filepath.FromSlash(name)+".lock")
			must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(lockMark), 0o666)))
			if r.GiveUpLocks("refs/heads/gone"); !fileExists(path) {
				t.Errorf("beside %d files a new %s.lock went", crowd, name)
			}
			must(t, os.Chtimes(path, old, old))
			if r.GiveUpLocks("refs/heads/gone"); fileExists(path) {
				t.Errorf("beside %d files an old %s.lock stays", crowd, name)
			}
		}
	}
}

// A lock that somebody has made since another one was seen is theirs.
func TestRemoveLockSparesANewOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	must(t, os.WriteFile(path, nil, 0o666))
	seen, err := os.Lstat(path)
	must(t, err)
	must(t, errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, []byte("new"), 0o666)))
	RemoveLock(path, seen)
	if b, err := os.ReadFile(path); err != nil || string(b) != "new" {
		t.Errorf("the new lock is %q, %v", b, err)
	}
}

// What a killed moai left is given up after a while, what Git left never: it may be at work for hours.
func TestLockOfAKilledProcess(t *testing.T) {
	r, h := refRepo(t)
	long := time.Now().Add(-2 * lockStale)
	for _, tt := range []struct {
		content string
		when    time.Time
		want    error
	}{
		{lockMark, long, nil},
		{lockMark, time.Now(), ErrLocked},
		{"", long, ErrLocked},
		{h.String() + "\n", long, ErrLocked},
		{lockMark + "x", long, ErrLocked},
	} {
		for _, name := range []string{"packed-refs", "refs/heads/gone"} {
			gitIn(t, r.WorkTree, "branch", "-f", "gone")
			gitIn(t, r.WorkTree, "pack-refs", "--all")
			path := filepath.Join(r.CommonDir, filepath.FromSlash(name)+".lock")
			kit.Must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(tt.content), 0o666), os.Chtimes(path, tt.when, tt.when)))
			if _, err := r.DeleteRefs([]RefValue{{"refs/heads/gone", h}}, PackedWait); !errors.Is(err, tt.want) {
				t.Errorf("DeleteRefs where %s.lock is %q of %v = %v, want %v", name, tt.content, tt.when, err, tt.want)
			}
			if fileExists(path) != (tt.want != nil) {
				t.Errorf("%s.lock with %q of %v: is it there? %v", name, tt.content, tt.when, fileExists(path))
			}
			os.Remove(path)
			if left, _ := filepath.Glob(filepath.Join(r.CommonDir, "packed-refs.*")); len(left) > 0 {
				t.Errorf("left are %v", left)
			}
		}
	}
}

// Who slept so long that the lock was given up must not give back what is another's by now.
func TestRollbackOfALostLock(t *testing.T) {
	r, _ := refRepo(t)
	l, err := lockMarked(r.CommonDir, filepath.Join(r.CommonDir, "packed-refs"), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	kit.Must(t, errors.Join(os.Rename(l.path, l.path+".old"), os.WriteFile(l.path, nil, 0o666)))
	if l.Rollback(); !fileExists(l.path) {
		t.Error("another's lock was removed")
	}

	head := filepath.Join(r.GitDir, "HEAD")
	was, _ := os.ReadFile(head)
	if l, err = lockFilled(r.GitDir, head, 0); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(l, "ref: refs/heads/elsewhere")
	kit.Must(t, errors.Join(os.Rename(l.path, l.path+".old"), os.WriteFile(l.path, nil, 0o666)))
	if err := l.Commit(); !errors.Is(err, ErrLocked) {
		t.Errorf("Commit without the lock = %v, want %v", err, ErrLocked)
	}
	if now, _ := os.ReadFile(head); string(now) != string(was) || !fileExists(l.path) {
		t.Errorf("HEAD is %q, was %q; is the other's lock there? %v", now, was, fileExists(l.path))
	}
	if left, _ := filepath.Glob(filepath.Join(r.GitDir, LockTemp+"*")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

func TestDeleteRefs(t *testing.T) {
	r, h := refRepo(t)
	for _, n := range []string{"a", "b/c", "keep"} {
		gitIn(t, r.WorkTree, "branch", n)
	}
	gitIn(t, r.WorkTree, "tag", "-a", "-m", "t", "v1")
	gitIn(t, r.WorkTree, "pack-refs", "--all")
	gitIn(t, r.WorkTree, "update-ref", "refs/moai/checkpoints/before-x", h.String())
	tag, _ := ParseHash(gitIn(t, r.WorkTree, "rev-parse", "v1"))
	gone, err := r.DeleteRefs([]RefValue{
		{"refs/heads/a", h}, {"refs/heads/b/c", h}, {"refs/tags/v1", tag}, {"refs/moai/checkpoints/before-x", h}, {"refs/heads/keep", tag},
	}, PackedWait)
	if !errors.Is(err, ErrRefMoved) || len(gone) != 4 {
		t.Errorf("DeleteRefs = %v, %v; want four deleted and ErrRefMoved for keep", gone, err)
	}
	if got := gitIn(t, r.WorkTree, "for-each-ref", "--format=%(refname)"); got != "refs/heads/keep\nrefs/heads/main" {
		t.Errorf("left: %q", got)
	}
	if err := r.CreateRef("refs/heads/b", h); err != nil {
		t.Errorf("CreateRef after the directory's last reference was deleted: %v", err)
	}
	gitIn(t, r.WorkTree, "fsck", "--strict")
}

func TestUpdateRef(t *testing.T) {
	r, h := refRepo(t)
	gitIn(t, r.WorkTree, "commit", "-q", "--allow-empty", "-m", "y")
	next, _ := ParseHash(gitIn(t, r.WorkTree, "rev-parse", "HEAD"))
	gitIn(t, r.WorkTree, "branch", "b", h.String())
	gitIn(t, r.WorkTree, "pack-refs", "--all")
	if err := r.UpdateRef("refs/heads/b", next, h); !errors.Is(err, ErrRefMoved) {
		t.Errorf("UpdateRef from a wrong value: %v, want ErrRefMoved", err)
	}
	if err := r.UpdateRef("refs/heads/b", h, next); err != nil {
		t.Error(err)
	}
	if got := gitIn(t, r.WorkTree, "log", "-g", "-1", "--format=%H %gs", "b"); got != next.String()+" moai" {
		t.Errorf("the reflog of b ends in %q, want %s", got, next)
	}
	if got := gitIn(t, r.WorkTree, "rev-parse", "b"); got != next.String() {
		t.Errorf("b = %s, want %s", got, next)
	}
}

// Creators of the same name, deleters that remove the directory, and git itself: one winner each, nothing lost.
func TestRefsConcurrently(t *testing.T) {
	r, h := refRepo(t)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 40 {
				// A name is used once: `git pack-refs` takes a reference that was deleted and made again with the
				// same value for the one it has packed, and removes it. Real checkpoints carry their time.
				name := fmt.Sprintf("refs/moai/pins/x/%d-%d", g, i)
				if err := r.CreateRef(name, h); err != nil {
					t.Errorf("CreateRef: %v", err)
				}
				for {
					gone, err := r.DeleteRefs([]RefValue{{name, h}}, PackedWait)
					if err == nil && len(gone) == 1 {
						break
					}
					if !errors.Is(err, ErrLocked) {
						t.Errorf("DeleteRefs = %v, %v", gone, err)
						break
					}
				}
			}
		})
	}
	wg.Go(func() {
		for range 10 {
			gitTry(r.WorkTree, "pack-refs", "--all")
		}
	})
	wg.Wait()
	if got := gitIn(t, r.WorkTree, "for-each-ref", "--format=%(refname)"); got != "refs/heads/main" {
		t.Errorf("left: %q", got)
	}
}

// Nothing is written through a link in the place of a folder of references.
func TestReferencesThroughLinks(t *testing.T) {
	r, h := refRepo(t)
	out := t.TempDir()
	for link, name := range map[string]string{"refs/moai": "refs/moai/checkpoints/x", "refs/heads/checkpoint": "refs/heads/checkpoint/x"} {
		if err := os.Symlink(out, filepath.Join(r.CommonDir, link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		if err := r.CreateRef(name, h); !errors.Is(err, ErrRefConflict) {
			t.Errorf("CreateRef(%q) through a link = %v, want %v", name, err, ErrRefConflict)
		}
		if p, err := r.PrepareRef(name, h); !errors.Is(err, ErrRefConflict) {
			t.Errorf("PrepareRef(%q) through a link = %v, %v, want %v", name, p, err, ErrRefConflict)
		}
	}
	if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
}
