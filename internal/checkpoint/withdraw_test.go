package checkpoint

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWithdraw: a gc with --prune=now took away what the branch of a checkpoint names, before the reference was there. Nothing that
// Git takes for damage may stay behind.
func TestWithdraw(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	s.write("a", "changed\n")
	c := s.create(CreateOptions{NoLog: true, Branch: true})
	if c.Branch == "" || c.public.IsZero() {
		t.Fatal("the checkpoint has no branch")
	}
	for _, h := range []string{c.public.String(), c.Commit.String()} {
		must(t, os.Remove(filepath.Join(s.dir, ".git", "objects", h[:2], h[2:])))
	}
	if err := (&snapshot{r: s.open()}).withdraw(c); err == nil {
		t.Error("nothing is said")
	}
	if left := s.git("for-each-ref", "refs/heads/checkpoint", "refs/moai"); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}
