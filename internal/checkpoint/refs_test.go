package checkpoint

import (
	"os"
	"path/filepath"
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
