package checkpoint

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What Patch writes must turn HEAD into the checkpoint in git's hands.
func TestPatchApplies(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for seed := range 12 {
		rnd := rand.New(rand.NewSource(int64(seed)))
		s := newSandbox(t)
		text := func() string {
			var b strings.Builder
			for range rnd.Intn(40) {
				fmt.Fprintf(&b, "line %d\n", rnd.Intn(12))
			}
			if rnd.Intn(4) == 0 {
				b.WriteString("no end")
			}
			return b.String()
		}
		for i := range 6 {
			s.write(fmt.Sprintf("d %d/파일", i), text())
		}
		s.git("add", "-A")
		s.git("commit", "-q", "-m", "x")
		for i := range 6 {
			n := fmt.Sprintf("d %d/파일", i)
			switch rnd.Intn(4) {
			case 0:
				s.remove(n)
			case 1:
				os.Chmod(filepath.Join(s.dir, n), 0o755)
			default:
				s.write(n, text())
			}
		}
		s.write("new\ttab", text())
		if runtime.GOOS == "linux" { // others refuse such names
			s.write("\x1b[31m \x7f\xff \"한글\"", text())
		}
		c := s.create(CreateOptions{NoLog: true})
		r := s.open()
		changes, err := Show(r, c)
		if err != nil {
			t.Fatal(err)
		}
		var patch bytes.Buffer
		if err := Patch(&patch, Stored(r), changes); err != nil {
			t.Fatal(err)
		}
		s.git("reset", "-q", "--hard")
		s.git("clean", "-qfd")
		file := filepath.Join(t.TempDir(), "p")
		os.WriteFile(file, patch.Bytes(), 0o666)
		s.git("apply", "--index", "--allow-empty", file)
		if got := s.git("write-tree"); got != c.Tree.String() {
			t.Fatalf("seed %d: git apply gives tree %s, want %s\n%s", seed, got, c.Tree, patch.String())
		}
		stats, err := Stat(Stored(r), changes)
		if err != nil || len(stats) != len(changes) {
			t.Errorf("Stat: %v", err)
		}
		added, removed := 0, 0
		for _, st := range stats {
			added, removed = added+st.Added, removed+st.Removed
		}
		for line := range strings.Lines(patch.String()) {
			switch {
			case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			case line[0] == '+':
				added--
			case line[0] == '-':
				removed--
			}
		}
		if added != 0 || removed != 0 {
			t.Errorf("seed %d: Stat counts %d added and %d removed lines more than the patch has", seed, added, removed)
		}
	}
}
