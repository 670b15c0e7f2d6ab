package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMergeAsGit merges random changes as git merge-file does: where moai calls a merge clean, git does, and with the same text.
func TestMergeAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to compare with")
	}
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(3, 4))
	edit := func(lines []string) (out []string) {
		for _, l := range lines {
			switch rnd.IntN(14) {
			case 0:
			case 1:
				out = append(out, l, fmt.Sprint("new ", rnd.IntN(5)))
			case 2:
				out = append(out, fmt.Sprint("other ", rnd.IntN(5)))
			default:
				out = append(out, l)
			}
		}
		return out
	}
	text := func(lines []string) []byte {
		var b bytes.Buffer
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
		return b.Bytes()
	}
	clean, both := 0, 0
	for range 300 {
		var base []string
		for i := range 1 + rnd.IntN(25) {
			base = append(base, fmt.Sprint("line ", i))
		}
		o, a, b := text(base), text(edit(base)), text(edit(base))
		for name, content := range map[string][]byte{"o": o, "a": a, "b": b} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		c := exec.Command("git", "merge-file", "-p", "a", "o", "b")
		c.Dir = dir
		want, err := c.Output()
		got, ok := Merge(o, a, b)
		if ok {
			clean++
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("of\n%s\n%s and\n%s moai makes\n%s and git (%v)\n%s", o, a, b, got, err, want)
			}
		}
		if err == nil {
			both++
		}
	}
	if clean < 50 || clean < both*9/10 {
		t.Errorf("%d merges of 300 are clean, and %d by git", clean, both)
	}
}

func TestMergeRefuses(t *testing.T) {
	for _, c := range [][3]string{{"1\n", "2\n", "3\n"}, {"1\n2\n", "x\n2\n", "1\ny\n"}, {"a\x00", "a\x00b", "a\x00"}, {"", "x\n", "y\n"}} {
		if got, ok := Merge([]byte(c[0]), []byte(c[1]), []byte(c[2])); ok {
			t.Errorf("Merge(%q) = %q", c, got)
		}
	}
	if got, ok := Merge([]byte("1\n2\n3"), []byte("1\n2\n3\n4"), []byte("0\n2\n3")); !ok || string(got) != "0\n2\n3\n4" {
		t.Errorf("Merge = %q, %v", got, ok)
	}
}
