package lang

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// manyTracked is an index of more than splitFrom entries, none of them checked
// out, with a conflict in its middle and a folder that both halves know.
func manyTracked(t testing.TB) (dir, index string) {
	t.Helper()
	dir = t.TempDir()
	var list bytes.Buffer
	const blob = "78981922613b2afb6025042ff6bd878ac1994e85"
	for i := range 2 * splitFrom {
		if i == splitFrom {
			for stage := 1; stage <= 3; stage++ {
				fmt.Fprintf(&list, "100644 %s %d\tsrc/b/f%06d.go\n", blob, stage, i)
			}
			continue
		}
		fmt.Fprintf(&list, "100644 %s 0\tsrc/%c/%s\n", blob, 'a'+i/(splitFrom*2/3), []string{
			fmt.Sprintf("f%06d.go", i), fmt.Sprintf("f%06d.h", i), fmt.Sprintf("f%06d.py", i),
		}[i%3])
	}
	for _, name := range []string{"go.mod", "src/go.mod", "src/c/package.json"} {
		fmt.Fprintf(&list, "100644 %s 0\t%s\n", blob, name)
	}
	for _, args := range [][]string{{"init", "-q", "."}, {"update-index", "--index-info"}} {
		c := exec.Command("git", args...)
		c.Dir, c.Stdin = dir, &list
		if args[0] == "init" {
			c.Stdin = nil
		}
		if out, err := c.CombinedOutput(); err != nil {
			t.Skip("needs git to make repositories:", string(out))
		}
	}
	return dir, filepath.Join(dir, ".git", "index")
}

// TestHalves: two that read an index at once see what one sees.
func TestHalves(t *testing.T) {
	dir, index := manyTracked(t)
	want, _, err := whole(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := halves(index, 20)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("in halves: %d entries, %v, want %d", len(got), err, len(want))
	}
	data, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{len(data) / 4, len(data) * 3 / 4} {
		if err := os.WriteFile(index, data[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := halves(index, 20); err == nil {
			t.Errorf("an index cut at %d of %d bytes: no error", at, len(data))
		}
	}
}
