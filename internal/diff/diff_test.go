package diff

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func FuzzCompare(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nx\nc"))
	f.Add([]byte(""), []byte("x"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		la, lb := split(a), split(b)
		var left, right []byte
		for _, e := range compare(la, lb) {
			switch e.op {
			case ' ':
				left = append(left, bytes.Join(la[e.from:e.to], nil)...)
				right = append(right, bytes.Join(la[e.from:e.to], nil)...)
			case '-':
				left = append(left, bytes.Join(la[e.from:e.to], nil)...)
			case '+':
				right = append(right, bytes.Join(lb[e.from:e.to], nil)...)
			}
		}
		if !bytes.Equal(left, a) || !bytes.Equal(right, b) {
			t.Errorf("edits of %q and %q give %q and %q", a, b, left, right)
		}
	})
}

func TestUnified(t *testing.T) {
	got := string(Unified("a", "b", []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), []byte("1\n2\n3\n4\nfive\n6\n7\n8\n9")))
	want := "--- a\n+++ b\n@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n-9\n+9\n\\ No newline at end of file\n"
	if got != want {
		t.Errorf("Unified =\n%s\nwant\n%s", got, want)
	}
	if got := string(Unified("a", "b", nil, []byte("1\n"))); got != "--- a\n+++ b\n@@ -0,0 +1 @@\n+1\n" {
		t.Errorf("Unified of a new file = %q", got)
	}
	if got := string(Unified("a", "b", []byte("x"), []byte("x"))); got != "" {
		t.Errorf("Unified of equal files = %q", got)
	}
}

// TestUnifiedApplies lets git carry out random differences.
func TestUnifiedApplies(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to apply the differences")
	}
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(1, 2))
	file := func() []byte {
		var b bytes.Buffer
		for range 1 + rnd.IntN(30) {
			b.WriteString(strings.Repeat("x", rnd.IntN(4)))
			b.WriteByte('\n')
		}
		if rnd.IntN(3) == 0 {
			b.WriteString("end")
		}
		return b.Bytes()
	}
	for range 30 {
		before, after := file(), file()
		diff := string(Unified("a/f", "b/f", before, after))
		if diff == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "f"), before, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("git", "apply", "--unidiff-zero", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v: %s\n%s", err, out, diff)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(got) != string(after) {
			t.Fatalf("applied gives %q, %v, want %q\n%s", got, err, after, diff)
		}
	}
}
