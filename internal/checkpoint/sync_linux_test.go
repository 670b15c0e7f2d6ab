package checkpoint

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// No file of git's gets its name before its content is on the disk: an object, a pack, its index, a reference. The kernel is asked,
// since nothing else shows it short of pulling the plug.
func TestEverythingIsSynced(t *testing.T) {
	if err := exec.Command("strace", "-f", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skip("strace cannot be used: ", err)
	}
	for _, files := range []int{3, 60} { // loose objects, a pack
		s := bigRepo(t, 60)
		for k := range files {
			s.write("new/"+strings.Repeat("x", k+1), strings.Repeat("y", k))
		}
		trace := filepath.Join(t.TempDir(), "trace")
		job := s.job("sync")
		c := exec.Command("strace", append([]string{"-f", "-y", "-qq", "-e", "trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat", "-o", trace}, job.Args...)...)
		c.Env = job.Env
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		b, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		file := map[string]int{} // by name; links have several
		synced := map[int]bool{}
		of := func(path string) int {
			if file[path] == 0 {
				file[path] = len(file) + 1
			}
			return file[path]
		}
		named := 0
		sync := regexp.MustCompile(`f(?:data)?sync\(\d+<([^>]*)>`)
		name := regexp.MustCompile(`(?:rename|link)\w*\(.*?"([^"]*)", .*?"([^"]*)"`)
		for line := range strings.Lines(string(b)) {
			if m := sync.FindStringSubmatch(line); m != nil {
				synced[of(m[1])] = true
			} else if m := name.FindStringSubmatch(line); m != nil && strings.Contains(m[2], "/.git/") {
				file[m[2]] = of(m[1])
				if strings.HasSuffix(m[2], ".lock") {
					continue
				}
				if named++; !synced[of(m[1])] {
					t.Errorf("%d files: %s got its name before it was on the disk", files, m[2])
				}
			}
		}
		if named < 3 {
			t.Errorf("%d files: only %d names seen in\n%s", files, named, b)
		}
	}
}
