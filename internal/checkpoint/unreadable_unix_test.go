//go:build unix

package checkpoint

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// Files that may not be read are skipped and named. Root may read everything, so a process of nobody's takes the checkpoint then.
func TestUnreadable(t *testing.T) {
	s := newSandbox(t)
	s.commit("a", "b", "dir/c")
	s.write("a", "secret\n")
	s.write("b", "open\n")
	s.write("closed/x", "x\n")
	os.Chmod(filepath.Join(s.dir, "a"), 0)
	os.Chmod(filepath.Join(s.dir, "closed"), 0)
	t.Cleanup(func() { os.Chmod(filepath.Join(s.dir, "closed"), 0o700) })
	var c *Checkpoint
	if os.Getuid() != 0 {
		c = s.create(CreateOptions{NoLog: true})
	} else {
		const nobody = 65534
		job := s.job("rm")
		// The test binary and the folders above are root's alone.
		bin := filepath.Join(filepath.Dir(s.dir), "job.test")
		if b, err := os.ReadFile(os.Args[0]); err != nil || os.WriteFile(bin, b, 0o755) != nil {
			t.Skip("no copy of the test: ", err)
		}
		for d := filepath.Dir(s.dir); d != filepath.Dir(d) && len(d) > len(os.TempDir()); d = filepath.Dir(d) {
			os.Chmod(d, 0o755)
		}
		filepath.WalkDir(s.dir, func(p string, _ fs.DirEntry, err error) error { return os.Lchown(p, nobody, nobody) })
		job.Path, job.Args[0] = bin, bin
		job.Dir = s.dir
		job.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		if out, err := job.CombinedOutput(); err != nil {
			if _, ok := err.(*exec.ExitError); !ok {
				t.Skip("cannot become somebody else: ", err)
			}
			t.Fatalf("%v: %s", err, out)
		}
		filepath.WalkDir(s.dir, func(p string, _ fs.DirEntry, err error) error { return os.Lchown(p, 0, 0) })
		c = mustFind(t, s, "@1")
	}
	for _, want := range []Skip{{Path: "a", Why: "not readable"}, {Path: "closed/", Why: "not readable"}} {
		if !slices.Contains(c.Skipped, want) {
			t.Errorf("skipped %v, want %v among them", c.Skipped, want)
		}
	}
	if c.Stats.Changed != 1 {
		t.Errorf("%v; b is changed and readable", c.Stats)
	}
}
