package checkpoint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Two work trees on one branch are what git refuses: a commit in one would show as changes in the other.
func TestHeadStaysOffABranchOfAnotherWorktree(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.git("checkout", "-q", "-b", "topic")
	s.commit("b")
	s.write("b", "changed\n")
	c := s.create(CreateOptions{Operation: "switch", NoLog: true, PinRefs: []string{"HEAD", "topic"}})
	s.git("checkout", "-q", "-f", "main")
	other := filepath.Join(filepath.Dir(s.dir), "other tree")
	s.git("worktree", "add", "-q", other, "topic")
	if _, err := s.try(nil, "switch", "topic"); err == nil {
		t.Fatal("git itself goes there")
	}
	res := s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("branch", "--show-current"); got != "main" || len(res.Refs) != 0 {
		t.Errorf("on %s, moved %v; want main, nothing", got, res.Refs)
	}
	if len(res.Failed) != 1 || res.Failed[0].Path != "HEAD" || !strings.Contains(res.Failed[0].Why, "git -C '"+other+"' switch --detach") {
		t.Errorf("failed %v, want HEAD with the command that frees the branch", res.Failed)
	}
	if got := s.read("b"); got != "changed\n" {
		t.Errorf("b holds %q: the files come back all the same", got)
	}

	// Nor does the branch move below the other one.
	at := func() string { out, _ := s.try(nil, "-C", other, "rev-parse", "HEAD"); return strings.TrimSpace(out) }
	s.git("-C", other, "commit", "-q", "--allow-empty", "-m", "more")
	was := at()
	res = s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if now := at(); now != was || len(res.Failed) != 2 || res.Failed[0].Path != "refs/heads/topic" {
		t.Errorf("the other work tree went from %s to %s; failed %v", was, now, res.Failed)
	}

	// A rebase there goes back to the branch when it ends.
	s.git("-C", other, "reset", "-q", "--hard", "HEAD~1")
	s.write("b", "in the way\n")
	s.git("add", "b")
	s.git("commit", "-q", "-m", "in the way")
	if _, err := s.try(nil, "-C", other, "rebase", "-q", "main"); err == nil {
		t.Fatal("no conflict")
	}
	res = s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if len(res.Refs) != 0 || len(res.Failed) != 1 || !strings.Contains(res.Failed[0].Why, "checked out in "+other) {
		t.Errorf("during a rebase there: moved %v, failed %v", res.Refs, res.Failed)
	}

	// Gone, but git counts it until somebody prunes.
	s.git("-C", other, "rebase", "--abort")
	must(t, os.RemoveAll(other))
	res = s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if len(res.Refs) != 0 || len(res.Failed) != 1 || !strings.Contains(res.Failed[0].Why, "git worktree prune") {
		t.Errorf("folder gone: moved %v, failed %v", res.Refs, res.Failed)
	}
	s.git("worktree", "prune")
	res = s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("status", "--porcelain", "-b"); got != "## topic\n M b" || len(res.Failed) != 0 {
		t.Errorf("once free: %q, failed %v", got, res.Failed)
	}
}

// stopped is a repository in which a command has stopped at a conflict; theirs also brings a file.
func stopped(t *testing.T, begin ...string) *sandbox {
	s := newSandbox(t)
	s.commit("a")
	s.git("checkout", "-q", "-b", "topic")
	s.write("a", "theirs\n")
	s.write("brought", "theirs\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "theirs")
	s.git("checkout", "-q", "main")
	s.write("a", "ours\n")
	s.git("commit", "-q", "-a", "-m", "ours")
	if begin == nil {
		return s
	}
	if out, err := s.try(nil, begin...); err == nil {
		t.Fatalf("%v: no conflict: %s", begin, out)
	}
	return s
}

// stateFiles are what git leaves in its folder of a command that has stopped.
func (s *sandbox) stateFiles() (out []string) {
	for _, name := range []string{"MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE", "MERGE_RR"} {
		if b, err := os.ReadFile(filepath.Join(s.dir, ".git", name)); err == nil && name != "AUTO_MERGE" && name != "MERGE_RR" {
			out = append(out, name+" "+string(b))
		}
	}
	return out
}

// A merge that a restore has brought back is gone again after the undo, and back after the undo of that: status and index are each
// time what they were.
func TestUndoOfAMergeThatCameBack(t *testing.T) {
	for _, begin := range [][]string{{"merge", "-q", "--no-ff", "topic"}, {"cherry-pick", "topic"}, {"revert", "HEAD~1"}} {
		t.Run(begin[0], func(t *testing.T) {
			s := stopped(t, begin...)
			s.write("a", "half resolved\n")
			status, staged, files := s.git("status"), s.git("ls-files", "-s"), s.stateFiles()
			c := s.create(CreateOptions{Operation: begin[0], NoLog: true})
			s.git(begin[0], "--abort")
			before := s.git("status")
			res := s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, Index: true, NoLog: true})
			if got := s.git("status"); got != status {
				t.Fatalf("status\n%s\nwant\n%s", got, status)
			}
			if got := s.stateFiles(); !slices.Equal(got, files) {
				t.Errorf("git holds %q, want %q", got, files)
			}
			undo := s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{Refs: true, NoLog: true})
			if got := s.git("status"); got != before || len(s.stateFiles()) != 0 {
				t.Errorf("after the undo: status\n%s\nwant\n%s\ngit still holds %q", got, before, s.stateFiles())
			}
			s.restore(mustFind(t, s, undo.Safety.Name), RestoreOptions{Refs: true, Index: true, NoLog: true})
			if got := s.git("status"); got != status || s.git("ls-files", "-s") != staged || !slices.Equal(s.stateFiles(), files) {
				t.Errorf("after its undo: status\n%s\nwant\n%s\ngit holds %q, want %q", got, status, s.stateFiles(), files)
			}
			s.git("fsck", "--strict")
		})
	}
}

// A merge that begins after a checkpoint is given up by what goes back to before it, as `git merge --abort` does.
func TestMergeThatCameLaterIsGivenUp(t *testing.T) {
	s := stopped(t)
	s.write("new", "not known to git\n")
	before := s.git("status")
	c := s.create(CreateOptions{Operation: "merge", NoLog: true, PinRefs: []string{"HEAD", "main"}})
	if _, err := s.try(nil, "merge", "-q", "topic"); err == nil {
		t.Fatal("no conflict")
	}
	merging := s.git("status")
	// The files alone leave the merge alone, and so does a part of them.
	s.restore(mustFind(t, s, c.Name), RestoreOptions{NoLog: true})
	s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true}, "a")
	if got := s.git("status"); !strings.Contains(got, "Unmerged paths") {
		t.Errorf("without --refs: %s", got)
	}
	s.git("merge", "--abort")
	if _, err := s.try(nil, "merge", "-q", "topic"); err == nil {
		t.Fatal("no conflict")
	}
	res := s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
	if got := s.git("status"); got != before || len(s.stateFiles()) != 0 {
		t.Errorf("status\n%s\nwant\n%s\ngit still holds %q", got, before, s.stateFiles())
	}
	s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{Refs: true, Index: true, NoLog: true})
	if got := s.git("status"); got != merging {
		t.Errorf("after the undo: status\n%s\nwant\n%s", got, merging)
	}
}

// A series of commits, or a merge that has put changes aside, is given up as well, and goes on after the undo.
func TestSeriesIsGivenUp(t *testing.T) {
	s := stopped(t)
	s.git("checkout", "-q", "topic")
	s.commit("second")
	s.git("checkout", "-q", "main")
	before := s.git("status")
	c := s.create(CreateOptions{Operation: "cherry-pick", NoLog: true, PinRefs: []string{"HEAD", "main"}})
	if _, err := s.try(nil, "cherry-pick", "topic~1", "topic"); err == nil {
		t.Fatal("no conflict")
	}
	check := func(resume func()) {
		t.Helper()
		middle := s.git("status")
		res := s.restore(mustFind(t, s, c.Name), RestoreOptions{Refs: true, NoLog: true})
		if got := s.git("status"); got != before || len(res.Failed) != 0 {
			t.Errorf("status %s, failed %v, git holds %q", got, res.Failed, s.stateFiles())
		}
		s.restore(mustFind(t, s, res.Safety.Name), RestoreOptions{Refs: true, Index: true, NoLog: true})
		if got := s.git("status"); got != middle {
			t.Errorf("after the undo: %s\nwant %s", got, middle)
		}
		resume()
	}
	check(func() {
		s.write("a", "resolved\n")
		s.git("add", "a")
		s.git("-c", "core.editor=true", "cherry-pick", "--continue")
		if got := s.git("log", "--format=%s"); got != "x\ntheirs\nours\nx" {
			t.Errorf("the series brought %q", got)
		}
	})
	s.git("reset", "-q", "--hard", "HEAD~2")
	s.write("brought.txt", "x\n")
	s.git("add", "-A")
	before = s.git("status")
	c = s.create(CreateOptions{Operation: "merge", NoLog: true, PinRefs: []string{"HEAD", "main"}})
	if _, err := s.try(nil, "merge", "-q", "--autostash", "topic"); err == nil {
		t.Fatal("no conflict")
	}
	check(func() {
		s.git("merge", "--abort")
		if got := s.git("status"); got != before {
			t.Errorf("the merge's own abort brings %s\nwant %s", got, before)
		}
	})
}

// A branch that a line moves or deletes beneath another work tree, past what Git refuses, comes back. One on which that work tree
// has gone on since stays.
func TestBranchMovedBeneathAnotherWorkTree(t *testing.T) {
	for name, c := range map[string]struct {
		move []string
		then []string // in the other work tree
		back bool
	}{
		"update-ref":      {move: []string{"update-ref", "refs/heads/other", "HEAD~1"}, back: true},
		"update-ref -d":   {move: []string{"update-ref", "-d", "refs/heads/other"}, back: true},
		"committed since": {move: []string{"update-ref", "refs/heads/other", "HEAD~1"}, then: []string{"commit", "-q", "--allow-empty", "-m", "since"}},
		"reset since":     {move: []string{"update-ref", "refs/heads/other", "HEAD~1"}, then: []string{"reset", "-q", "--hard"}},
		"rebased since":   {move: []string{"update-ref", "refs/heads/other", "HEAD~1"}, then: []string{"bisect", "start", "HEAD", "HEAD~1"}},
	} {
		s := newSandbox(t)
		s.commit("a")
		s.commit("b")
		s.commit("c")
		other := filepath.Join(filepath.Dir(s.dir), "other")
		s.git("worktree", "add", "-q", "-b", "other", other)
		must(t, os.WriteFile(filepath.Join(other, "a"), []byte("mine\n"), 0o666))
		was, status := s.git("rev-parse", "other"), s.git("-C", other, "status", "--porcelain")
		cp := s.create(CreateOptions{NoLog: true, PinRefs: []string{"refs/heads/other"}})
		s.git(c.move...)
		if len(c.then) > 0 {
			s.git(append([]string{"-C", other}, c.then...)...)
		}
		moved, _ := s.try(nil, "rev-parse", "-q", "--verify", "other")
		res := s.restore(cp, RestoreOptions{Refs: true, NoLog: true})
		now, _ := s.try(nil, "rev-parse", "-q", "--verify", "other")
		switch {
		case c.back && (strings.TrimSpace(now) != was || len(res.Failed) > 0 || s.git("-C", other, "status", "--porcelain") != status):
			t.Errorf("%s: the branch is on %s, was on %s; failed %v", name, now, was, res.Failed)
		case !c.back && (now != moved || len(res.Failed) != 1):
			t.Errorf("%s: the branch went from %s to %s; failed %v", name, moved, now, res.Failed)
		}
	}
}
