package repo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/kit"
)

// wide makes a committed repository with n directories of three files.
func wide(t testing.TB, dir string, n int) {
	t.Helper()
	for i := range n {
		for _, f := range []string{"a", "b", "sub/c"} {
			write(t, filepath.Join(dir, fmt.Sprintf("d%03d", i), f), f+"\n")
		}
	}
	git(t, dir, "init", "-q", "--template=", ".")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "x")
}

func TestStatusCounts(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 3)
	write(t, filepath.Join(dir, "d000/a"), "changed\n")
	git(t, dir, "add", "-A")
	write(t, filepath.Join(dir, "d000/a"), "changed again\n")
	must(t, os.Remove(filepath.Join(dir, "d001/b")))
	write(t, filepath.Join(dir, "new/x"), "")
	write(t, filepath.Join(dir, "new/y"), "")
	st, err := open(t, dir).Status(context.Background(), StatusOptions{})
	if err != nil || st.Staged != 1 || st.Unstaged != 2 || st.Untracked != 1 || st.Conflicts != 0 || st.Clean() {
		t.Errorf("Status = %+v, %v, want 1 staged, 2 unstaged, 1 untracked", st, err)
	}
	st, err = open(t, dir).Status(context.Background(), StatusOptions{Untracked: UntrackedAll, Limit: 1})
	if err != nil || st.Untracked != 2 || len(st.Changes) != 3 {
		t.Errorf("Status with a limit = %+v, %v, want 2 untracked of which 1 is listed", st, err)
	}
	st, err = open(t, dir).Status(context.Background(), StatusOptions{Untracked: UntrackedNo, NoStaged: true})
	if err != nil || st.Staged != 0 || st.Untracked != 0 || st.Unstaged != 2 {
		t.Errorf("Status of the work tree alone = %+v, %v, want 2 unstaged", st, err)
	}
}

func TestStatusEndsWithItsContext(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 40)
	write(t, filepath.Join(dir, "d000/a"), "changed\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	st, err := open(t, dir).Status(ctx, StatusOptions{})
	if err != nil || !st.Partial || st.Clean() {
		t.Errorf("Status with a cancelled context = %+v, %v, want a partial answer", st, err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	st, err = open(t, dir).Status(ctx, StatusOptions{})
	if err != nil || st.Partial || st.Unstaged != 1 {
		t.Errorf("Status in time = %+v, %v, want one change", st, err)
	}
}

// A deadline also ends the hashing of one huge file.
func TestStatusStopsWhileHashing(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 1)
	big := filepath.Join(dir, "d000", "a")
	git(t, dir, "update-index", "--cacheinfo", "100644,"+strings.Repeat("1", 40)+",d000/a") // no size: it must be hashed
	must(t, os.Truncate(big, 8<<30))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	st, err := open(t, dir).Status(ctx, StatusOptions{NoStaged: true})
	if took := time.Since(began); err != nil || !st.Partial || len(st.Changes) > 0 || took > 3*time.Second {
		t.Errorf("Status with an 8 GiB file = %+v, %v after %v, want a partial answer soon", st, err, took)
	}
}

// What cannot be read is said, not guessed.
func TestStatusWithoutHeadsObjects(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 2)
	write(t, filepath.Join(dir, "d000/a"), "changed\n")
	must(t, os.RemoveAll(filepath.Join(dir, ".git", "objects")))
	must(t, os.MkdirAll(filepath.Join(dir, ".git", "objects"), 0o755))
	st, err := open(t, dir).Status(context.Background(), StatusOptions{})
	if err != nil || len(st.Notes) != 1 || !strings.Contains(st.Notes[0], "staged changes are not known") || st.Unstaged != 1 {
		t.Errorf("Status without objects = %+v, %v, want the work tree and a note", st, err)
	}
	write(t, filepath.Join(dir, ".git", "objects", "info", "alternates"), "/nowhere/objects\n")
	st, err = open(t, dir).Status(context.Background(), StatusOptions{})
	if err != nil || len(st.Notes) != 1 || !strings.Contains(st.Notes[0], "borrowed from /nowhere/objects") {
		t.Errorf("Status with a missing alternate = %+v, %v, want it named", st, err)
	}
	write(t, filepath.Join(dir, ".git", "index"), "DIRC\x00\x00\x00\x09")
	if st, err := open(t, dir).Status(context.Background(), StatusOptions{}); err == nil {
		t.Errorf("Status with a damaged index = %+v, want an error", st)
	}
}

// Same size, same second, straight after git add: the racy case.
func TestStatusSeesRacyEdits(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 1)
	rnd := rand.New(rand.NewPCG(1, 1))
	rounds := envInt("MOAI_ORACLE_ROUNDS", 60)
	for range rounds {
		name := fmt.Sprintf("d000/%c", 'a'+rnd.IntN(2))
		first, second := fmt.Sprintf("%06d\n", rnd.IntN(1e6)), fmt.Sprintf("%06d\n", rnd.IntN(1e6))
		write(t, filepath.Join(dir, name), first)
		git(t, dir, "add", "-A")
		write(t, filepath.Join(dir, name), second)
		got, _, err := ourStatus(dir, StatusOptions{})
		kit.Must(t, err)
		want, err := gitStatus(dir)
		kit.Must(t, err)
		if d := diffLines(got, want); d != "" {
			t.Fatalf("after writing %q over %q:\n%s", second, first, d)
		}
	}
}

func TestDirCache(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no directory cache on this system")
	}
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 20)
	cache := filepath.Join(dir, ".git", "moai", "dircache")
	o := StatusOptions{DirCache: cache}
	status := func() string {
		t.Helper()
		got, _, err := ourStatus(dir, o)
		kit.Must(t, err)
		want, err := gitStatus(dir)
		kit.Must(t, err)
		if d := diffLines(got, want); d != "" {
			t.Errorf("Status with the cache differs:\n%s", d)
		}
		return strings.Join(got, ",")
	}
	time.Sleep(dirCacheAge + 50*time.Millisecond)
	// A directory that changed a moment ago is not recorded.
	temp := filepath.Join(dir, "d000", "temp")
	write(t, temp, "")
	must(t, os.Remove(temp))
	began := time.Now()
	status()
	ix, err := open(t, dir).Index()
	must(t, err)
	if _, ok := openDirCache(cache, ix).find("d000/"); ok && time.Since(began) < dirCacheAge {
		t.Error("the cache recorded a directory that was just written")
	}
	if _, ok := openDirCache(cache, ix).find("d001/"); !ok {
		t.Error("the cache did not record an old directory")
	}
	must(t, os.Remove(cache))
	time.Sleep(dirCacheAge + 50*time.Millisecond)
	status()
	fi, err := os.Stat(cache)
	// The root was changed by nobody either; each directory has one below it.
	if want := len(dirCacheMagic) + sha1Size + 41*dirCacheRecord; err != nil || int(fi.Size()) != want {
		t.Fatalf("the cache is %v, %v, want %d bytes", fi, err, want)
	}
	if fi.Mode().Perm() != 0o600 {
		t.Errorf("the cache has mode %v, want 0600", fi.Mode())
	}
	for _, edit := range []func(){
		func() { write(t, filepath.Join(dir, "d003/new"), "") },
		func() { must(t, os.Remove(filepath.Join(dir, "d004/a"))) },
		func() { write(t, filepath.Join(dir, "d005/sub/c"), "changed\n") },
		func() { write(t, filepath.Join(dir, "d006/sub/deep/er"), "") },
		func() { must(t, os.RemoveAll(filepath.Join(dir, "d007/sub"))) },
		func() { must(t, os.Rename(filepath.Join(dir, "d008/a"), filepath.Join(dir, "d008/z"))) },
		func() { git(t, dir, "add", "-A") }, // another index: the cache is void
	} {
		edit()
		if status() == "" {
			t.Error("the cache hides an edit")
		}
	}
	write(t, cache, "garbage")
	status()
}

// Links out of the work tree are never walked or read through.
func TestStatusStaysInside(t *testing.T) {
	home := sandbox(t)
	dir := filepath.Join(home, "r")
	wide(t, dir, 2)
	outside := filepath.Join(home, "outside")
	write(t, filepath.Join(outside, "a"), "a\n")
	write(t, filepath.Join(outside, "b"), "b\n")
	write(t, filepath.Join(outside, "secret"), "")
	must(t, os.RemoveAll(filepath.Join(dir, "d000")))
	if err := os.Symlink(outside, filepath.Join(dir, "d000")); err != nil {
		t.Skip("no links here: ", err)
	}
	got, _, err := ourStatus(dir, StatusOptions{Untracked: UntrackedAll})
	if want := " D d000/a, D d000/b, D d000/sub/c,?? d000"; err != nil || strings.Join(got, ",") != want {
		t.Errorf("Status = %q, %v, want %q", got, err, want)
	}
}

// Status may not change anything, not even the index's stat data.
func TestStatusWritesNothing(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 3)
	must(t, os.Chtimes(filepath.Join(dir, "d000/a"), time.Now(), time.Unix(1e9, 0)))
	snapshot := func() string {
		var b strings.Builder
		_ = filepath.Walk(dir, func(path string, fi os.FileInfo, err error) error {
			must(t, err)
			fmt.Fprintln(&b, path, fi.ModTime().UnixNano(), fi.Size(), fi.Mode())
			return nil
		})
		return b.String()
	}
	before := snapshot()
	if _, _, err := ourStatus(dir, StatusOptions{}); err != nil {
		t.Fatal(err)
	}
	if after := snapshot(); after != before {
		t.Error("Status changed the repository")
	}
}

// A submodule whose configuration points back at the repository must not trap the walk.
func TestStatusEndsInRecursiveSubmodules(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 1)
	sub := filepath.Join(dir, "sub")
	wide(t, sub, 1)
	git(t, dir, "-c", "advice.addEmbeddedRepo=false", "add", "sub")
	git(t, dir, "commit", "-qm", "sub")
	// The submodule's index holds itself, and its work tree is the repository above it.
	head := revParse(t, sub, "HEAD")
	git(t, sub, "update-index", "--add", "--cacheinfo", "160000,"+head+",sub")
	git(t, sub, "config", "core.worktree", dir)
	done := make(chan string, 1)
	go func() {
		got, _, err := ourStatus(dir, StatusOptions{})
		done <- fmt.Sprint(got, err)
	}()
	select {
	case got := <-done:
		if want := "[ M sub] <nil>"; got != want {
			t.Errorf("Status = %s, want %s", got, want)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("Status does not end")
	}
}

// A slow disk makes the walk go on with many workers; nothing gets lost or counted twice.
func TestStatusGrowsOnSlowDisks(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 150)
	for i := range 150 {
		must(t, os.Remove(filepath.Join(dir, fmt.Sprintf("d%03d/sub/c", i))))
		write(t, filepath.Join(dir, fmt.Sprintf("d%03d/new/x", i)), "")
	}
	r := open(t, dir)
	ix, err := r.Index()
	must(t, err)
	for range 20 {
		s, err := r.newScan(context.Background(), ix, StatusOptions{})
		must(t, err)
		// As if a worker had met slow directories, at any moment of the walk.
		s.workers.Go(func() {
			for range slowEnough {
				s.timed(time.Hour, 0)
			}
		})
		s.run(func() {})
		s.root.Close()
		if len(s.changed) != 150 || len(s.untracked) != 150 || s.found.Load() != 150 {
			t.Fatalf("the walk found %d changes and %d untracked, want 150 of each", len(s.changed), len(s.untracked))
		}
	}
}

// What the cache believes of a directory's times: only what no later change can repeat.
func TestDirCacheAges(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	at := func(ago time.Duration) (int64, uint32) { u := now.Add(-ago); return u.Unix(), uint32(u.Nanosecond()) }
	for _, tt := range []struct {
		mtime, ctime time.Duration // ago
		want         bool
	}{
		{time.Hour + 1, time.Hour + 1, true},
		{50 * time.Millisecond, 50 * time.Millisecond, false},
		{150 * time.Millisecond, 150 * time.Millisecond, true},
		{time.Hour + 1, 50 * time.Millisecond, false}, // touch -d after a change
		{-time.Hour + 1, time.Hour + 1, false},        // from the future
		{2 * time.Second, 2 * time.Second, false},     // no fractions: the clock ticks in seconds
		{4 * time.Second, 4 * time.Second, true},
	} {
		var st disk.Stat
		st.Mtime, st.MtimeNs = at(tt.mtime)
		st.Ctime, st.CtimeNs = at(tt.ctime)
		if got := settled(&st, now); got != tt.want {
			t.Errorf("settled(%v, %v ago) = %v, want %v", tt.mtime, tt.ctime, got, tt.want)
		}
	}
}

func TestDirCacheIn(t *testing.T) {
	a, b := &Repo{WorkTree: "/src/a"}, &Repo{WorkTree: "/srv/a"}
	if p := a.DirCacheIn(""); p != "" {
		t.Errorf("DirCacheIn without a state directory = %q", p)
	}
	if p, q := a.DirCacheIn("/state"), b.DirCacheIn("/state"); p == q || filepath.Dir(p) != filepath.Dir(q) {
		t.Errorf("DirCacheIn of two work trees = %q, %q, want two files in one folder", p, q)
	}
	if p := (&Repo{GitDir: "/src/a.git"}).DirCacheIn("/state"); p != "" {
		t.Errorf("DirCacheIn of a bare repository = %q", p)
	}
}
