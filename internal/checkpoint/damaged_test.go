package checkpoint

import (
	"os"
	"path/filepath"
	"testing"
)

// A repository can lose folders that nobody changed: what Git cannot read any more stays gone, and is named; all else comes back.
func TestRestoreOfADamagedRepository(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "one\n")
	s.write("d/kept.txt", "one\n")
	s.write("src/x.txt", "one\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	s.write("a.txt", "two\n")
	s.write("d/new.txt", "new\n")
	c := s.create(CreateOptions{Operation: "rm", NoLog: true})
	for _, lost := range []string{s.git("rev-parse", "HEAD:src"), s.git("rev-parse", "HEAD:d")} {
		if err := os.Remove(filepath.Join(s.dir, ".git", "objects", lost[:2], lost[2:])); err != nil {
			t.Fatal(err)
		}
	}
	s.remove("a.txt")
	s.remove("src")
	s.remove("d/new.txt")
	res := s.restore(c, RestoreOptions{NoLog: true})
	if s.read("a.txt") != "two\n" || s.read("d/new.txt") != "new\n" || s.read("d/kept.txt") != "one\n" {
		t.Errorf("a.txt %q, d/new.txt %q, d/kept.txt %q", s.read("a.txt"), s.read("d/new.txt"), s.read("d/kept.txt"))
	}
	if len(res.Failed) != 1 || res.Failed[0].Path != "src/" || res.Failed[0].Why == "" {
		t.Errorf("not restored: %+v, want src/ alone", res.Failed)
	}
	if res := s.restore(c, RestoreOptions{NoLog: true}, "a.txt"); len(res.Failed) > 0 {
		t.Errorf("asked for a.txt alone: %+v", res.Failed)
	}
}
