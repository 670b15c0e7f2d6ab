package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

func TestPins(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.git("checkout", "-q", "-b", "topic")
	s.commit("b")
	topic := s.git("rev-parse", "HEAD")
	s.git("tag", "-a", "-m", "t", "v1")
	tag := s.git("rev-parse", "v1")
	s.git("checkout", "-q", "main")
	for i := range 3 {
		s.write("a", fmt.Sprint("stash ", i))
		s.git("stash", "push", "-q", "-m", fmt.Sprint("entry ", i))
	}
	stashes := s.git("stash", "list", "--format=%H %gs")
	c := s.create(CreateOptions{Operation: "branch-D", NoLog: true, PinRefs: []string{"topic", "refs/stash", "refs/tags/v1", "refs/heads/absent"}})
	if len(c.Pins) != 5 {
		t.Fatalf("pins %v", c.Pins)
	}
	s.git("branch", "-q", "-D", "topic")
	s.git("tag", "-d", "v1")
	s.git("stash", "clear")
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "-q", "--prune=now")
	c = mustFind(t, s, c.Name)
	res := s.restore(c, RestoreOptions{Refs: true, NoLog: true})
	if len(res.Refs) != 5 {
		t.Errorf("moved %v, failed %v", res.Refs, res.Failed)
	}
	if got := s.git("rev-parse", "topic"); got != topic {
		t.Errorf("topic = %s, want %s", got, topic)
	}
	if got := s.git("rev-parse", "v1"); got != tag {
		t.Errorf("v1 = %s, want %s", got, tag)
	}
	if got := s.git("stash", "list", "--format=%H %gs"); got != stashes {
		t.Errorf("stash list:\n%s\nwant\n%s", got, stashes)
	}
	s.git("fsck", "--strict")
}

// HEAD's commit is a parent of the checkpoint, which keeps it without a reference of its own.
func TestPinOfHead(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.commit("b")
	tip := s.git("rev-parse", "main")
	c := s.create(CreateOptions{NoLog: true, PinRefs: []string{"HEAD", "main"}})
	s.git("reset", "-q", "--hard", "HEAD~1")
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "-q", "--prune=now")
	if got := s.git("for-each-ref", pinRefs); got != "" {
		t.Errorf("references for what the checkpoint keeps anyway: %s", got)
	}
	if res := s.restore(c, RestoreOptions{Refs: true, NoLog: true}); s.git("rev-parse", "main") != tip {
		t.Errorf("main did not come back: moved %v, failed %v", res.Refs, res.Failed)
	}
}

// A branch is not moved to a commit that is gone: what it holds now would be lost for nothing.
func TestPinnedCommitIsGone(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.git("checkout", "-q", "-b", "topic")
	s.commit("b")
	s.git("checkout", "-q", "main")
	c := s.create(CreateOptions{NoLog: true, PinRefs: []string{"topic"}})
	s.git("update-ref", "-d", pinRefs+c.Short()+"/tips") // somebody tidies up by hand
	s.git("branch", "-q", "-f", "topic", "main")
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "-q", "--prune=now")
	res := s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if len(res.Refs) != 0 || len(res.Failed) != 1 || res.Failed[0].Path != "refs/heads/topic" {
		t.Errorf("moved %v, failed %v", res.Refs, res.Failed)
	}
	if got, want := s.git("rev-parse", "topic"), s.git("rev-parse", "main"); got != want {
		t.Errorf("topic = %s, want %s", got, want)
	}
}

// What is not kept is named, and counts as lost.
func TestPinsOverTheLimit(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	head, refs, names := s.git("rev-parse", "HEAD"), "", []string(nil)
	for i := range maxPins + 2 {
		refs += fmt.Sprintf("create refs/heads/b%03d %s\n", i, head)
		names = append(names, fmt.Sprintf("b%03d", i))
	}
	feed := exec.Command("git", "-C", s.dir, "update-ref", "--stdin")
	feed.Stdin = strings.NewReader(refs)
	if out, err := feed.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := s.create(CreateOptions{Operation: "branch-D", NoLog: true, PinRefs: names})
	if len(c.Pins) != maxPins || len(c.Lost) != 1 || !strings.HasPrefix(c.Lost[0].Why, "2 branches") {
		t.Errorf("%d pins, lost %+v", len(c.Pins), c.Lost)
	}
	if back := mustFind(t, s, c.Name); len(back.Skipped) != 1 || back.Skipped[0].Why != c.Lost[0].Why {
		t.Errorf("read back as %+v", back.Skipped)
	}
	if c = s.create(CreateOptions{NoLog: true, PinRefs: names[:maxPins]}); len(c.Pins) != maxPins || len(c.Lost) != 0 {
		t.Errorf("at the limit: %d pins, lost %+v", len(c.Pins), c.Lost)
	}
}

// A detached HEAD is the only name of the commits that were made on it.
func TestDetachedHeadComesBack(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.git("checkout", "-q", "--detach")
	s.commit("b")
	s.commit("c")
	was := s.git("rev-parse", "HEAD")
	s.write("a", "changed\n")
	s.git("add", "a")
	status := s.git("status", "--porcelain")
	c := s.create(CreateOptions{Operation: "reset-hard", NoLog: true, PinRefs: []string{"HEAD", "refs/stash"}})
	s.git("reset", "-q", "--hard", "HEAD~2")
	left := s.git("rev-parse", "HEAD")
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "-q", "--prune=now")
	res := s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("rev-parse", "HEAD"); got != was || len(res.Failed) != 0 {
		t.Errorf("HEAD = %s, want %s; failed %v", got, was, res.Failed)
	}
	if _, err := s.try(nil, "symbolic-ref", "-q", "HEAD"); err == nil {
		t.Error("HEAD is on a branch")
	}
	if got := s.git("status", "--porcelain"); got != status {
		t.Errorf("status %q, want %q", got, status)
	}
	// In git's own words: git status and git checkout - go by them.
	if got, want := s.git("reflog", "-1", "--format=%gs"), "checkout: moving from "+left+" to "+was; got != want {
		t.Errorf("reflog ends with %q, want %q", got, want)
	}
	s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("rev-parse", "HEAD"); got != left {
		t.Errorf("after the undo HEAD = %s, want %s", got, left)
	}
	s.git("checkout", "-q", "-f", "main")
	s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if got, now := s.git("rev-parse", "HEAD"), s.git("status", "--porcelain"); got != was || now != status || s.git("branch", "--show-current") != "" {
		t.Errorf("from main: HEAD = %s, status %q; want %s, detached, and %q", got, now, was, status)
	}
	s.git("fsck", "--strict")
}

// HEAD goes back to the branch that it was on, with files and index, and what only the other branch holds goes.
func TestHeadGoesBackToItsBranch(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.git("checkout", "-q", "-b", "topic")
	s.commit("other")
	s.git("checkout", "-q", "main")
	s.write("a", "changed\n")
	s.write("new", "new\n")
	s.git("add", "new")
	status := s.git("status", "--porcelain", "-b")
	c := s.create(CreateOptions{Operation: "switch", NoLog: true, PinRefs: []string{"HEAD"}})
	s.git("switch", "-q", "-f", "topic")
	res := s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("status", "--porcelain", "-b"); got != status || len(res.Failed)+len(res.Kept) != 0 {
		t.Errorf("status %q, want %q; failed %v, kept %v", got, status, res.Failed, res.Kept)
	}
	s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("status", "--porcelain", "-b"); got != "## topic" || s.read("other") != "other\n" {
		t.Errorf("after the undo: status %q, want topic, as it was", got)
	}
	// A part of the files moves no HEAD.
	res = s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true}, "a")
	if got := s.git("branch", "--show-current"); got != "topic" || len(res.Refs) != 0 {
		t.Errorf("with a path: on %s, moved %v", got, res.Refs)
	}
	// A rebase that has begun since ends, and the undo has it again.
	s.git("checkout", "-q", "-f", "main")
	s.write("other", "conflict\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "conflict")
	c = s.create(CreateOptions{Operation: "rebase", NoLog: true, PinRefs: []string{"HEAD", "main"}})
	if _, err := s.try(nil, "rebase", "-q", "topic"); err == nil {
		t.Fatal("no conflict")
	}
	rebasing := s.git("status")
	res = s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("status", "--porcelain", "-b"); got != "## main" || len(res.Failed) != 0 {
		t.Errorf("after the rebase: %q, failed %v; want main, clean", got, res.Failed)
	}
	s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{Refs: true, Index: true, NoLog: true})
	if got := s.git("status"); got != rebasing {
		t.Errorf("after the undo: %q, want %q", got, rebasing)
	}
	s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("status", "--porcelain", "-b"); got != "## main" {
		t.Errorf("after the rebase: %q, want main, clean", got)
	}
	s.git("fsck", "--strict")
}

// What only reflogs hold survives their end.
func TestReflogPins(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.commit("b")
	s.commit("c")
	lost := s.git("rev-parse", "HEAD")
	s.git("reset", "-q", "--hard", "HEAD~1")
	s.write("b", "amended\n")
	s.git("commit", "-q", "-a", "--amend", "-m", "amended")
	c := s.create(CreateOptions{Operation: "reflog", NoLog: true, PinRefs: []string{ReflogPins}})
	var held []string
	for _, p := range c.Pins {
		held = append(held, p.Hash.String())
	}
	if !slices.Contains(held, lost) || len(held) != 3 {
		t.Errorf("pins %v; want HEAD, the commit that was amended, and %s", c.Pins, lost)
	}
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "-q", "--prune=now")
	if _, err := s.try(nil, "cat-file", "-e", lost+"^{tree}"); err != nil {
		t.Error("the lost commit is gone")
	}
	c = mustFind(t, s, c.Name)
	if res := s.restore(c, RestoreOptions{Refs: true, NoLog: true}); len(res.Refs)+len(res.Failed) != 0 {
		t.Errorf("moved %v, failed %v", res.Refs, res.Failed)
	}
}

func TestVault(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", ".env\ncache/\nhuge/\n")
	s.commit("a")
	s.write(".env", "KEY=1\n")
	os.Chmod(filepath.Join(s.dir, ".env"), 0o600)
	s.write("cache/x/y", "c\n")
	for i := range VaultFiles + 2 {
		s.write(fmt.Sprintf("huge/%d", i), "h\n")
	}
	dir := filepath.Join(t.TempDir(), "vault")
	o := CreateOptions{Operation: "clean", NoLog: true, VaultDir: dir, Ignored: []string{".env", "cache", "huge", "missing", "../outside"}}
	c := s.create(o)
	if !slices.Equal(c.Vaulted, []string{".env", "cache/x/y"}) || len(c.Skipped) != 2 {
		t.Errorf("vaulted %v, skipped %v", c.Vaulted, c.Skipped)
	}
	if got := s.git("rev-list", "--objects", "--all"); strings.Contains(got, ".env") {
		t.Error(".env is in the repository")
	}
	filepath.Walk(dir, func(p string, fi os.FileInfo, err error) error {
		if err == nil && fi.Mode().Perm()&0o077 != 0 && p != dir {
			t.Errorf("%s has mode %v", p, fi.Mode())
		}
		return nil
	})
	if again := s.create(o); !again.Reused {
		t.Error("equal vault, yet a second checkpoint")
	}
	s.git("clean", "-qfdx")
	s.write(".env", "KEY=other\n")
	c = mustFind(t, s, c.Name)
	res := s.restore(c, RestoreOptions{VaultDir: dir, NoLog: true})
	if len(res.Vault) != 2 || s.read(".env") != "KEY=1\n" || s.read("cache/x/y") != "c\n" {
		t.Errorf("restore: %+v, .env %q", res, s.read(".env"))
	}
	if fi, _ := os.Stat(filepath.Join(s.dir, ".env")); fi.Mode().Perm() != 0o600 {
		t.Errorf(".env has mode %v", fi.Mode())
	}
	// The restore can be undone: what it replaced is in the vault of the safety checkpoint.
	s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{VaultDir: dir, NoLog: true}, ".env")
	if s.read(".env") != "KEY=other\n" {
		t.Errorf("undo gives %q", s.read(".env"))
	}
}

// Between a plan and its restore a person is asked, and somebody else may write meanwhile.
func TestVaultOverwritesOnlyWhatIsSaved(t *testing.T) {
	for _, there := range []string{"", "KEY=2\n"} {
		s := newSandbox(t)
		s.write(".gitignore", ".env\n")
		s.commit("a")
		s.write(".env", "KEY=1\n")
		dir := filepath.Join(t.TempDir(), "vault")
		c := s.create(CreateOptions{NoLog: true, VaultDir: dir, Ignored: []string{".env"}})
		s.remove(".env")
		if there != "" {
			s.write(".env", there)
		}
		r := s.open()
		p, err := MakePlan(context.Background(), r, c, nil, RestoreOptions{VaultDir: dir, NoLog: true, NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		safety := must(Create(context.Background(), r, *p.safety()))
		s.write(".env", "KEY=3\n")
		root := must(os.OpenRoot(s.dir))
		w := &restorer{r: r, root: root, res: &RestoreResult{Safety: safety}}
		if err := w.vault(p); !errors.Is(err, errMoved) {
			t.Errorf("with %q there: %v, want %v", there, err, errMoved)
		}
		if got := s.read(".env"); got != "KEY=3\n" {
			t.Errorf("with %q there: .env = %q, which no vault has", there, got)
		}
		root.Close()
	}
}

// A copy of a secret that belongs to no checkpoint would lie there for ever.
func TestVaultOfAFailedCheckpoint(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", ".env\n")
	s.commit("a")
	s.write(".env", "KEY=1\n")
	s.git("update-ref", strings.TrimSuffix(hiddenRefs, "/"), "HEAD") // a reference where a folder is needed
	dir := filepath.Join(t.TempDir(), "vault")
	if _, err := Create(context.Background(), s.open(), CreateOptions{NoLog: true, NoSync: true, VaultDir: dir, Ignored: []string{".env"}}); err == nil {
		t.Fatal("a checkpoint without a reference")
	}
	if left, err := os.ReadDir(vaultHome(s.open(), dir)); err != nil || len(left) != 0 {
		t.Errorf("left in the vault: %v, %v", left, err)
	}
}

func TestPrune(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.git("branch", "topic")
	s.commit("b")
	now := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	for i := range 6 {
		s.write("a", fmt.Sprint(i))
		s.create(CreateOptions{Operation: "rm", NoLog: true, Branch: true, branches: 6, Session: fmt.Sprint("s", i/3), Now: now.Add(time.Duration(i-6) * 24 * time.Hour), PinRefs: []string{"topic"}})
	}
	own := s.git("rev-parse", "main")
	s.git("branch", "checkpoint/mine", own)
	s.git("pack-refs", "--all")
	second := mustFind(t, s, "@5")
	s.git("update-ref", "refs/heads/"+second.Name, own) // somebody has worked on the branch
	dry, err := Prune(s.open(), PruneOptions{Keep: 2, DryRun: true, Now: now})
	if err != nil || len(dry.Removed) != 4 {
		t.Fatalf("dry run: %+v, %v", dry, err)
	}
	if list, _ := List(s.open()); len(list) != 6 {
		t.Fatal("a dry run has deleted something")
	}
	res, err := Prune(s.open(), PruneOptions{Keep: 2, Now: now})
	if err != nil || len(res.Removed) != 4 || res.Refs != 11 {
		t.Errorf("Prune = %d removed, %d refs, %v", len(res.Removed), res.Refs, err)
	}
	if got := s.git("for-each-ref", "--format=%(refname)", "refs/heads"); strings.Count(got, "checkpoint/before") != 3 || !strings.Contains(got, "checkpoint/mine") {
		t.Errorf("branches left:\n%s", got)
	}
	res, err = Prune(s.open(), PruneOptions{Older: time.Hour, Now: now})
	if list, _ := List(s.open()); err != nil || len(res.Removed) != 1 || len(list) != 1 {
		t.Errorf("by age: %d removed, %d left, %v", len(res.Removed), len(list), err)
	}
	s.git("fsck", "--strict")
}

// A checkpoint that goes takes its vault with it, also when something else of it cannot be deleted.
func TestPruneTakesTheVaultAlong(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", ".env\n")
	s.commit("a")
	dir := filepath.Join(t.TempDir(), "vault")
	var made []*Checkpoint
	for i := range 3 {
		s.write(".env", fmt.Sprint("KEY=", i))
		made = append(made, s.create(CreateOptions{NoLog: true, Branch: true, VaultDir: dir, Ignored: []string{".env"}}))
	}
	s.write(".git/"+branchRefs+made[0].Short()+".lock", "")
	s.write(".git/"+hiddenRefs+made[1].Short()+".lock", "")
	if _, err := Prune(s.open(), PruneOptions{Keep: 1, VaultDir: dir}); !errors.Is(err, repo.ErrLocked) {
		t.Errorf("Prune: %v, want %v", err, repo.ErrLocked)
	}
	for i, want := range []bool{false, true, true} {
		_, err := os.Lstat(vaultOf(s.open(), dir, made[i]))
		if _, e := s.open().Resolve(made[i].Ref); (err == nil) != want || (e == nil) != want {
			t.Errorf("checkpoint %d: vault %v, reference %v, want them there: %v", i, err, e, want)
		}
	}
}

// A branch of a checkpoint on which somebody works is theirs.
func TestPruneSparesBranchesInUse(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	var made []*Checkpoint
	for i := range 5 {
		s.write("a", fmt.Sprint(i))
		made = append(made, s.create(CreateOptions{NoLog: true, Branch: true, branches: 5}))
	}
	s.git("checkout", "-q", "--", ".")
	tree := func(i int) string {
		dir := filepath.Join(filepath.Dir(s.dir), fmt.Sprint("tree", i))
		s.git("worktree", "add", "-q", dir, made[i].Name)
		return dir
	}
	tree(0)
	amended := tree(1)
	s.git("-C", amended, "commit", "-q", "--amend", "-m", "mine")
	s.git("-C", amended, "checkout", "-q", "--detach")
	rebased := tree(2)
	s.try(nil, "-C", rebased, "rebase", "-q", "--exec", "false", "HEAD~1") // stops after the first commit
	if res, err := Prune(s.open(), PruneOptions{Keep: 1}); err != nil || len(res.Removed) != 4 {
		t.Fatalf("Prune = %+v, %v", res, err)
	}
	for i, c := range made {
		_, err := s.open().Resolve(branchRefs + c.Short())
		if want := i != 3; (err == nil) != want {
			t.Errorf("branch of checkpoint %d is there: %v, want %v", i, err == nil, want)
		}
	}
}

func TestPrivateFileStaysPrivate(t *testing.T) {
	s := newSandbox(t)
	s.commit("run")
	s.write("key", "k\n")
	os.Chmod(filepath.Join(s.dir, "key"), 0o600)
	os.Chmod(filepath.Join(s.dir, "run"), 0o700)
	c := s.create(CreateOptions{NoLog: true})
	s.remove("key")
	s.remove("run")
	s.restore(mustFind(t, s, c.Name), RestoreOptions{NoLog: true})
	for name, want := range map[string]os.FileMode{"key": 0o600, "run": 0o700} {
		if fi, err := os.Stat(filepath.Join(s.dir, name)); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, fi.Mode().Perm(), want)
		}
	}
}

// What killed processes leave goes when somebody prunes, and not while a command waits for its checkpoint.
func TestLeftOvers(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", ".env\n")
	s.commit("a")
	s.write(".env", "KEY=1\n")
	vault := filepath.Join(t.TempDir(), "vault")
	home := vaultHome(s.open(), vault)
	hourAgo := time.Now().Add(-2 * time.Hour)
	left := []string{
		filepath.Join(home, vaultTemp+"1"), filepath.Join(s.dir, ".git/objects/pack/tmp_pack_12_a0"), filepath.Join(s.dir, ".git/refs/moai/checkpoints/before-x.lock"),
		filepath.Join(s.dir, ".git/objects/pack/tmp_idx_Old001"),
	}
	fetch := filepath.Join(s.dir, ".git/objects/pack/tmp_pack_Young1") // git's, which may be at work for hours
	for i, p := range append(slices.Clone(left), fetch) {
		os.MkdirAll(filepath.Dir(p), 0o700)
		if i == 0 {
			os.Mkdir(p, 0o700)
			os.WriteFile(filepath.Join(p, "0"), []byte("KEY=1\n"), 0o600)
		} else {
			os.WriteFile(p, nil, 0o600)
		}
		os.Chtimes(p, hourAgo, hourAgo)
	}
	dayAgo := hourAgo.Add(-24 * time.Hour)
	os.Chtimes(left[3], dayAgo, dayAgo)
	young := filepath.Join(home, vaultTemp+"2")
	os.Mkdir(young, 0o700)
	for i := range 3 {
		s.write("a", fmt.Sprint(i))
		at := time.Now().Add(time.Duration(i-3) * 30 * day)
		s.create(CreateOptions{NoLog: true, Now: at, Keep: Retention{Count: 1, Age: day}, VaultDir: vault, Ignored: []string{".env"}})
	}
	if _, err := os.Lstat(left[1]); err != nil {
		t.Errorf("a checkpoint has looked for left-overs: %v", err)
	}
	res, err := Prune(s.open(), PruneOptions{Keep: 1, VaultDir: vault})
	if err != nil || res.Temp != len(left) {
		t.Errorf("Prune removed %d left-overs, want %d; %v", res.Temp, len(left), err)
	}
	for _, p := range left {
		if _, err := os.Lstat(p); err == nil {
			t.Errorf("%s is still there", p)
		}
	}
	for _, p := range []string{young, fetch} {
		if _, err := os.Lstat(p); err != nil {
			t.Errorf("what is being made was removed: %v", err)
		}
	}
}

// What is too much for the vault is left out by name, the last (and so the biggest) first, and stays named.
func TestVaultNamesWhatItLeavesOut(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "/ignored/\n")
	s.commit("a")
	var ignored []string
	for i := range VaultFiles + 3 {
		p := fmt.Sprintf("ignored/%04d", i)
		s.write(p, p)
		ignored = append(ignored, p)
	}
	made := s.create(CreateOptions{NoLog: true, Ignored: ignored, VaultDir: t.TempDir()})
	why := errVaultFiles().Error()
	want := []Skip{{Path: "ignored/1002", Why: why}, {Path: "ignored/1001", Why: why}, {Path: "ignored/1000", Why: why}}
	for _, c := range []*Checkpoint{made, mustFind(t, s, made.Name)} {
		if len(c.Vaulted) != VaultFiles || !slices.Equal(c.Skipped, want) {
			t.Errorf("%d in the vault, left out %v; want %d and %v", len(c.Vaulted), c.Skipped, VaultFiles, want)
		}
	}
}

// Of a folder that the vault has no room for, no copies stay behind.
func TestVaultForgetsHalfAFolder(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "/ignored/\n.env\n")
	s.write(".env", "KEY=1")
	s.commit("a")
	for i := range VaultFiles + 1 {
		s.write(fmt.Sprintf("ignored/%04d", i), "x")
	}
	dir := t.TempDir()
	c := s.create(CreateOptions{NoLog: true, Ignored: []string{".env", "ignored"}, VaultDir: dir})
	if want := []Skip{{Path: "ignored/", Why: errVaultFiles().Error()}}; !slices.Equal(c.Skipped, want) || !slices.Equal(c.Vaulted, []string{".env"}) {
		t.Errorf("in the vault %v, left out %v; want .env and %v", c.Vaulted, c.Skipped, want)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*")); len(left) != 2 {
		t.Errorf("the vault holds %d files, want .env and its list: %v", len(left), left[:min(len(left), 5)])
	}
}

// A folder that is too much is counted, and none of it copied to be thrown away: the snapshot would have no time left. Here every copy fails.
func TestVaultCountsFirst(t *testing.T) {
	for number, size := range map[int]int64{VaultFiles + 1: 1, 8: 9 << 20} {
		s := newSandbox(t)
		for i := range number {
			s.write(fmt.Sprintf("ignored/%04d", i), "")
			if err := os.Truncate(filepath.Join(s.dir, fmt.Sprintf("ignored/%04d", i)), size); err != nil {
				t.Fatal(err)
			}
		}
		root, err := os.OpenRoot(s.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		v := &vault{looked: map[string]bool{}, tmp: filepath.Join(t.TempDir(), "nowhere")}
		v.fill(root, []string{"ignored"})
		if len(v.skipped) > 0 || len(v.over) != 1 || v.over[0].Path != "ignored/" {
			t.Errorf("%d files: %d copies failed, over the limit %v", number, len(v.skipped), v.over)
		}
	}
}

// On another branch of the same commit, an equal checkpoint is another one: HEAD comes back to what it names.
func TestReuseKnowsTheBranch(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	first := s.create(CreateOptions{NoLog: true, PinRefs: []string{"HEAD"}})
	s.git("checkout", "-q", "-b", "topic")
	if c := s.create(CreateOptions{NoLog: true, PinRefs: []string{"HEAD"}}); c.Reused || c.On != "topic" {
		t.Errorf("on topic: reused %t, on %q after %q", c.Reused, c.On, first.On)
	}
}

// Where there is no place for state, there is no vault: what Git holds comes back all the same.
func TestRestoreWithoutPlaceForState(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("u", "untracked\n")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(file, "vault")
	c := s.create(CreateOptions{Operation: "rm", VaultDir: none})
	s.remove("u")
	p, err := MakePlan(context.Background(), s.open(), c, nil, RestoreOptions{VaultDir: none})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(context.Background(), s.open(), p); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(s.dir, "u")); string(b) != "untracked\n" {
		t.Errorf("u is %q, %v", b, err)
	}
}

// TestVaultOfNothing: names in a folder that is not there, and below a file, stand for nothing; none is said to be left out.
func TestVaultOfNothing(t *testing.T) {
	s := newSandbox(t)
	s.commit("a", ".gitignore")
	s.write("a", "changed\n")
	c := s.create(CreateOptions{
		NoLog: true, VaultDir: t.TempDir(), Ignored: []string{"a/x", "a/b/y", "none", "none/x", "none/y"},
		InDanger: func(Skip) bool { return true },
	})
	if len(c.Skipped) > 0 || len(c.Lost) > 0 || len(c.Vaulted) > 0 {
		t.Errorf("left out %v, lost %v, in the vault %v; want nothing", c.Skipped, c.Lost, c.Vaulted)
	}
}
