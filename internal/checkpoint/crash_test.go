package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	if job := os.Getenv("MOAI_TEST_JOB"); job != "" {
		if err := helper(job, os.Getenv("MOAI_TEST_DIR")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func helper(job, dir string) error {
	r, err := repo.Open(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if id, ok := strings.CutPrefix(job, "restore "); ok {
		c, err := Find(r, id)
		if err != nil {
			return err
		}
		p, err := MakePlan(ctx, r, c, nil, RestoreOptions{NoLog: true, Index: true, Refs: true})
		if err != nil {
			return err
		}
		res, err := Restore(ctx, r, p)
		if err == nil && len(res.Failed) > 0 {
			err = fmt.Errorf("not restored: %v", res.Failed)
		}
		return err
	}
	if job == "prune" {
		_, err := Prune(r, PruneOptions{Keep: 1, NoLog: true, Now: time.Now().Add(48 * time.Hour)})
		return err
	}
	if work, ok := strings.CutPrefix(job, "churn "); ok {
		var g int
		var length time.Duration
		if _, err := fmt.Sscan(work, &g, (*int64)(&length)); err != nil {
			return err
		}
		return churn(ctx, dir, g, time.Now().Add(length))
	}
	_, err = Create(ctx, r, CreateOptions{Operation: job, Branch: true, PinRefs: []string{"main"}})
	return err
}

// churn creates, restores and prunes as fast as it can, with files of its own.
func churn(ctx context.Context, dir string, g int, end time.Time) error {
	own := fmt.Sprint("u", g)
	if err := os.MkdirAll(filepath.Join(dir, own), 0o777); err != nil {
		return err
	}
	n := 0
	for ; time.Now().Before(end); n++ {
		text := fmt.Sprint(g, n)
		for k := range []int{1, 1, 40}[g%3] { // loose objects, or packs
			if err := os.WriteFile(filepath.Join(dir, own, fmt.Sprint(k)), []byte(fmt.Sprint(text, k)), 0o666); err != nil {
				return err
			}
		}
		r, err := repo.Open(dir)
		if err != nil {
			return err
		}
		c, err := Create(ctx, r, CreateOptions{Operation: own, NoLog: true, NoSync: true, Branch: g%2 == 0})
		if err != nil {
			return fmt.Errorf("create: %w", err)
		}
		if n%5 == 4 {
			if err := os.RemoveAll(filepath.Join(dir, own)); err != nil {
				return err
			}
			p, err := MakePlan(ctx, r, c, []string{own}, RestoreOptions{NoLog: true, NoSync: true})
			if err != nil {
				return err
			}
			res, err := Restore(ctx, r, p)
			if err != nil {
				return err
			}
			if len(res.Failed) > 0 {
				return fmt.Errorf("not restored: %v", res.Failed)
			}
			if b, _ := os.ReadFile(filepath.Join(dir, own, "0")); string(b) != text+"0" {
				return fmt.Errorf("restored %q, want %q", b, text+"0")
			}
		}
		if n%20 == 19 {
			_, err := Prune(r, PruneOptions{Keep: 30})
			if err != nil && !errors.Is(err, repo.ErrLocked) && !errors.Is(err, repo.ErrRefMoved) {
				return fmt.Errorf("prune: %w", err)
			}
		}
	}
	fmt.Print(n)
	return nil
}

func (s *sandbox) job(job string) *exec.Cmd {
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(append(os.Environ(), s.env...), "MOAI_TEST_JOB="+job, "MOAI_TEST_DIR="+s.dir)
	return c
}

// bigRepo has enough files for a kill to hit every stage.
func bigRepo(t *testing.T, files int) *sandbox {
	s := newSandbox(t)
	for i := range files {
		s.write(fmt.Sprintf("d%d/e%d/f%d", i%7, i%13, i), strings.Repeat(fmt.Sprintf("line %d\n", i), 200))
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "x")
	return s
}

// kill starts a job and kills it after a random time; it reports whether the job had ended by itself, and how.
func kill(t *testing.T, c *exec.Cmd, limit time.Duration) (finished bool) {
	t.Helper()
	var talk bytes.Buffer
	c.Stderr = &talk
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Duration(rand.Int63n(int64(limit))))
	c.Process.Kill()
	err := c.Wait()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Errorf("%v: %s", err, talk.String())
	}
	return err == nil
}

func TestKilledCheckpoints(t *testing.T) {
	rounds, _ := oracleRounds(12)
	s := bigRepo(t, 300)
	index, _ := os.ReadFile(filepath.Join(s.dir, ".git/index"))
	// The kill must hit every stage, on a slow or busy machine too: as long as a whole one takes here, and some more.
	s.write("first", "x\n")
	began := time.Now()
	if out, err := s.job("kill").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	limit := max(60*time.Millisecond, time.Since(began)*3/2)
	done := 0
	for i := range rounds {
		// Few changes are written as loose objects, many as a pack.
		for k := range []int{8, 200}[i%2] {
			s.write(fmt.Sprintf("d%d/e%d/f%d", k%7, k%13, k), strings.Repeat(fmt.Sprintf("round %d line %d\n", i, rand.Int()), 400))
		}
		if kill(t, s.job("kill"), limit) {
			done++
		}
		if now, _ := os.ReadFile(filepath.Join(s.dir, ".git/index")); !bytes.Equal(now, index) {
			t.Fatal("the index has changed")
		}
		if i%10 == 9 || i == rounds-1 {
			if out, err := s.try(nil, "fsck", "--strict", "--no-dangling"); err != nil {
				t.Fatalf("round %d: %s", i, out)
			}
			for _, c := range must(List(s.open())) {
				if _, err := s.try(nil, "rev-list", "--objects", "--quiet", c.Ref); err != nil {
					t.Errorf("%s is not complete", c.Name)
				}
			}
		}
	}
	// The next one works, whatever locks and temporary files are left, and prune clears them away.
	s.write("last", "x\n")
	c := s.create(CreateOptions{Operation: "kill"})
	// Who was killed while it deleted older branches has left marked locks, which are given up after half a minute. They get that
	// old here; the test must not depend on how long its rounds take.
	long := time.Now().Add(-time.Minute)
	filepath.WalkDir(filepath.Join(s.dir, ".git"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".lock") {
			must(struct{}{}, os.Chtimes(p, long, long))
		}
		return nil
	})
	if _, err := Prune(s.open(), PruneOptions{Keep: 1, Now: time.Now().Add(48 * time.Hour)}); err != nil {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(s.dir, ".git/objects/*/tmp_*"))
	locks, _ := filepath.Glob(filepath.Join(s.dir, ".git/refs/*/*/*.lock"))
	left = append(left, locks...)
	if len(left) > 0 || c.Reused {
		t.Errorf("left behind: %v", left)
	}
	t.Logf("%d rounds, %d of them killed", rounds, rounds-done)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestKilledRestores(t *testing.T) {
	rounds, _ := oracleRounds(4)
	rounds = min(rounds, 300)
	s := bigRepo(t, 300)
	for k := range 100 {
		s.write(fmt.Sprintf("d%d/e%d/f%d", k%7, k%13, k), "work in progress\n")
	}
	s.write("new/file", "n\n")
	s.git("add", "d1")
	before := s.git("status", "--porcelain", "-uall")
	want := s.create(CreateOptions{Operation: "rm", NoLog: true})
	killed, locked := 0, 0
	for i := range rounds {
		s.git("reset", "-q", "--hard")
		s.remove("new")
		s.remove(fmt.Sprintf("d%d", i%7))
		for n := 0; !kill(t, s.job("restore "+want.Name), time.Duration(30+40*n)*time.Millisecond) && !t.Failed(); n++ {
			killed++
			// A process that was killed with git's lock in its hand leaves it, as git itself does. Half a minute later it is given up.
			long := time.Now().Add(-time.Minute)
			if os.Chtimes(filepath.Join(s.dir, ".git/index.lock"), long, long) == nil {
				locked++
			}
		}
		if locks := s.locks(); len(locks) > 0 {
			t.Fatalf("round %d: left are %v", i, locks)
		}
		if got := s.git("status", "--porcelain", "-uall"); got != before {
			t.Fatalf("round %d: status\n%s\nwant\n%s", i, got, before)
		}
	}
	t.Logf("%d restores, killed %d times, %d of them with the index locked", rounds, killed, locked)
}

// locks are those that hold something up: references that are moai's alone have names that never come again.
func (s *sandbox) locks() (out []string) {
	filepath.WalkDir(filepath.Join(s.dir, ".git"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".lock") && !strings.Contains(p, "/refs/moai/") && !strings.Contains(p, "/refs/heads/checkpoint/") {
			out = append(out, p)
		}
		return nil
	})
	return out
}

// A restore that moves references, killed wherever it is, is finished by the next one.
func TestKilledRestoresOfReferences(t *testing.T) {
	rounds, _ := oracleRounds(4)
	rounds = min(rounds, 300)
	s := newSandbox(t)
	s.commit("a")
	s.git("checkout", "-q", "-b", "topic")
	s.commit("b")
	s.commit("c")
	s.write("b", "work in progress\n")
	s.git("add", "b")
	s.git("stash", "push", "-q", "-m", "mine")
	s.write("c", "work in progress\n")
	s.git("add", "c")
	want := s.create(CreateOptions{Operation: "switch", NoLog: true, PinRefs: []string{"HEAD", "topic", "main", "refs/stash"}})
	before, stash := s.git("status", "--porcelain", "-b"), s.git("stash", "list", "--format=%H")
	killed, locked := 0, 0
	for i := range rounds {
		s.git("stash", "clear")
		s.git("checkout", "-q", "-f", "main")
		s.git("branch", "-f", "topic", "main")
		for n := 0; !kill(t, s.job("restore "+want.Name), time.Duration(20+20*n)*time.Millisecond) && !t.Failed(); n++ {
			killed++
			long := time.Now().Add(-time.Minute)
			for _, p := range s.locks() {
				locked++
				must(t, os.Chtimes(p, long, long))
			}
		}
		if got, stashed := s.git("status", "--porcelain", "-b"), s.git("stash", "list", "--format=%H"); got != before || stashed != stash || len(s.locks()) > 0 {
			t.Fatalf("round %d: status %q, want %q; stash %s, want %s; left are %v", i, got, before, stashed, stash, s.locks())
		}
		s.git("fsck", "--strict")
	}
	t.Logf("%d restores, killed %d times, %d locks left", rounds, killed, locked)
}

// Processes that take, restore and prune checkpoints, a committer, gc and pack-refs at once: no failure, nothing lost.
func TestConcurrently(t *testing.T) {
	s := bigRepo(t, 120)
	s.git("config", "gc.auto", "0")
	length, processes := time.Second, 3
	if n, _ := oracleRounds(0); n > 100 {
		length, processes = 40*time.Second, 16
	}
	end := time.Now().Add(length)
	var wg sync.WaitGroup
	var made atomic.Int64
	for g := range processes {
		wg.Go(func() {
			c := s.job(fmt.Sprint("churn ", g, " ", int64(length)))
			var talk bytes.Buffer
			c.Stderr = &talk
			out, err := c.Output()
			n, _ := strconv.Atoi(string(out))
			if made.Add(int64(n)); err != nil {
				t.Errorf("process %d: %v: %s", g, err, talk.String())
			}
		})
	}
	loop := func(f func(i int)) {
		wg.Go(func() {
			for i := 0; time.Now().Before(end); i++ {
				f(i)
			}
		})
	}
	loop(func(i int) {
		os.WriteFile(filepath.Join(s.dir, "d0/e0/f0"), []byte(fmt.Sprint(i)), 0o666)
		s.try(nil, "commit", "-qam", "c", "--no-verify")
	})
	loop(func(int) {
		s.try(nil, "gc", "-q")
		s.try(nil, "pack-refs", "--all")
		time.Sleep(100 * time.Millisecond)
	})
	wg.Wait()
	if out, err := s.try(nil, "fsck", "--strict", "--no-dangling"); err != nil {
		t.Errorf("fsck: %s", out)
	}
	refs := s.git("for-each-ref", "--format=%(refname)", "refs/moai/checkpoints")
	for _, c := range must(List(s.open())) {
		if _, err := s.try(nil, "rev-list", "--objects", "--quiet", c.Ref); err != nil {
			t.Errorf("%s is not complete", c.Name)
		}
	}
	t.Logf("%d checkpoints of %d processes in %v, %d references", made.Load(), processes, length, strings.Count(refs, "\n")+1)
}

// A gc that begins while a checkpoint is written, and looks for what is in use before the reference is there, takes away what was
// written. The checkpoint is taken again, into a pack, which such a gc leaves alone.
func TestCheckpointBesidePrune(t *testing.T) {
	for range 20 { // until the gc began at the right moment
		if besidePrune(t) > 0 {
			return
		}
	}
	t.Fatal("nothing was pruned")
}

func besidePrune(t *testing.T) (pruned int) {
	s := newSandbox(t)
	s.commit("a")
	for k := range 3 {
		s.write(fmt.Sprint("u", k), fmt.Sprintf("untracked %d\n", k))
	}
	running := filepath.Join(s.dir, ".git/gc.pid")
	note := fmt.Appendf(nil, "%d %s\n", os.Getpid(), must(os.Hostname()))
	loose := func() []string { return must(filepath.Glob(filepath.Join(s.dir, ".git/objects/??/*"))) }
	refs := func() int { return len(must(filepath.Glob(filepath.Join(s.dir, ".git/refs/moai/checkpoints/*Z")))) }
	before := len(loose())
	done := make(chan struct{})
	go func() { // what prune does with a list that it made before
		defer close(done)
		for len(loose()) == before {
			time.Sleep(100 * time.Microsecond)
		}
		must(struct{}{}, os.WriteFile(running, note, 0o666))
		defer os.Remove(running)
		if refs() > 0 {
			return // too late: it sees the reference
		}
		used := s.git("rev-list", "--objects", "HEAD")
		for range 2000 {
			if refs() == 0 {
				time.Sleep(time.Millisecond)
				continue
			}
			for _, p := range loose() {
				if id := filepath.Base(filepath.Dir(p)) + filepath.Base(p); !strings.Contains(used, id) && os.Remove(p) == nil {
					pruned++
				}
			}
			return
		}
	}()
	c := s.create(CreateOptions{Operation: "rm", Branch: true})
	<-done
	if s.open().Collecting() {
		t.Error("a gc that has ended is taken for one that runs")
	}
	if out, err := s.try(nil, "fsck", "--strict", "--no-dangling"); err != nil {
		t.Errorf("fsck: %s", out)
	}
	if out, err := s.try(nil, "rev-list", "--objects", "--quiet", c.Ref); err != nil || s.git("show", c.Ref+":u1") != "untracked 1" {
		t.Errorf("%s is not whole: %s", c.Ref, out)
	}
	if list := must(List(s.open())); len(list) != 1 {
		t.Errorf("%d checkpoints, want the whole one", len(list))
	}
	return pruned
}

// A gc that was killed leaves its note behind: nobody waits for it.
func TestKilledGC(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	dead := exec.Command(os.Args[0], "-test.run=^$")
	must(struct{}{}, dead.Run())
	for text, want := range map[string]bool{
		fmt.Sprintf("%d %s\n", os.Getpid(), must(os.Hostname())):      true,
		fmt.Sprintf("%d %s\n", dead.Process.Pid, must(os.Hostname())): false,
		fmt.Sprintf("%d elsewhere.invalid\n", os.Getpid()):            false,
		"": false, "x\n": false, "-1 -1\n": false, "0 x\n": false,
	} {
		must(struct{}{}, os.WriteFile(filepath.Join(s.dir, ".git/gc.pid"), []byte(text), 0o666))
		if got := s.open().Collecting(); got != want {
			t.Errorf("Collecting with %q = %v, want %v", text, got, want)
		}
	}
}

// A process that was killed while it deleted references holds them up for half a minute. What else it has left is swept meanwhile.
func TestPruneSweepsBesideLocks(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	for i := range 2 {
		s.write("b", fmt.Sprintln("work", i))
		s.create(CreateOptions{Operation: "rm"})
	}
	left := filepath.Join(s.dir, ".git/objects/pack/tmp_pack_1_2")
	held := filepath.Join(s.dir, ".git/packed-refs.lock")
	must(struct{}{}, os.MkdirAll(filepath.Dir(left), 0o777))
	must(struct{}{}, os.WriteFile(left, nil, 0o444))
	must(struct{}{}, os.WriteFile(held, []byte("# moai\n"), 0o666))
	o := PruneOptions{Keep: 1, Now: time.Now().Add(48 * time.Hour)}
	res, err := Prune(s.open(), o)
	if !errors.Is(err, repo.ErrLocked) || res == nil || res.Temp != 1 || len(res.Removed) != 0 {
		t.Errorf("%+v, %v: want the lock named, and one file swept", res, err)
	}
	if _, err := os.Lstat(left); err == nil {
		t.Error("left behind: ", left)
	}
	long := time.Now().Add(-time.Minute)
	must(struct{}{}, os.Chtimes(held, long, long))
	if res, err := Prune(s.open(), o); err != nil || len(res.Removed) != 1 {
		t.Errorf("once the lock is given up: %+v, %v", res, err)
	}
}
