package lang

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
)

// entry is a tracked file that outlives the stream.
type entry struct {
	Path       string
	Mode, Size uint32
	Skip       bool
}

func streamed(path string, hashSize int) ([]entry, error) {
	var out []entry
	_, _, err := streamIndex(path, hashSize, func(e *tracked) bool {
		out = append(out, entry{strings.Clone(e.path), e.mode, e.size, e.skip})
		return true
	})
	return out, err
}

func whole(t testing.TB, dir string) ([]entry, int, error) {
	r, err := repo.Open(dir)
	kit.Must(t, err)
	ix, err := r.Index()
	if err != nil {
		return nil, r.HashSize(), err
	}
	var out []entry
	for i := range ix.Len() {
		e := ix.At(i)
		out = append(out, entry{e.Path, e.Mode, e.Size, e.Flags&repo.SkipWorktree != 0})
	}
	return out, r.HashSize(), nil
}

// repository makes one with enough entries that the window moves, long names and
// all three kinds of flags among them.
func repository(t testing.TB, format, version string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git to make repositories")
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q", "--object-format="+format)
	for i := range 1500 {
		name := filepath.Join(dir, fmt.Sprintf("d%02d", i%37), strings.Repeat("n", i%90), fmt.Sprintf("f%d.go", i))
		kit.Write(t, name, strings.Repeat("x", i%50))
	}
	run("add", ".")
	run("update-index", "--index-version", version)
	run("update-index", "--skip-worktree", "d01/n/f1.go")
	return dir
}

func TestStreamIndex(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for _, version := range []string{"2", "4"} {
			t.Run(format+" "+version, func(t *testing.T) {
				dir := repository(t, format, version)
				want, hashSize, err := whole(t, dir)
				kit.Must(t, err)
				got, err := streamed(filepath.Join(dir, ".git", "index"), hashSize)
				if err != nil || len(got) != 1500 {
					t.Fatalf("streamIndex = %d entries, %v, want 1500", len(got), err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("streamIndex (-repo.Index +stream):\n%s", diff)
				}
			})
		}
	}
}

// FuzzStreamIndex: bytes of any kind end the stream, and where package repo reads
// the same bytes without complaint, both see the same entries.
func FuzzStreamIndex(f *testing.F) {
	for _, version := range []string{"2", "4"} {
		dir := f.TempDir()
		c := exec.Command("sh", "-c", "git init -q . && mkdir a && echo > a/b.go && echo > a/bc.go && ln -s b a/l && git add . && git update-index --index-version "+version)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			f.Skip("needs git to make repositories:", string(out))
		}
		data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
		kit.Must(f, err)
		f.Add(data)
	}
	dir := f.TempDir()
	c := exec.Command("git", "init", "-q", ".")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		f.Skip("needs git to make repositories:", string(out))
	}
	index := filepath.Join(dir, ".git", "index")
	f.Fuzz(func(t *testing.T, data []byte) {
		kit.Write(t, index, string(data))
		got, err := streamed(index, 20)
		if err != nil {
			return
		}
		for _, e := range got {
			if e.Path == "" {
				t.Error("an entry without a path")
			}
		}
		if want, _, err := whole(t, dir); err == nil {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("streamIndex (-repo.Index +stream):\n%s", diff)
			}
		}
	})
}

// TestShrinkingIndex: pages of an index that is cut short while it is read are
// gone; that is a damaged index, not the end of the process.
func TestShrinkingIndex(t *testing.T) {
	dir := repository(t, "sha1", "2")
	index := filepath.Join(dir, ".git", "index")
	_, _, err := streamIndex(index, 20, func(*tracked) bool {
		if err := os.Truncate(index, 0); err != nil {
			t.Skip("the file is held:", err)
		}
		return true
	})
	if runtime.GOOS == "linux" && !errors.Is(err, errDamaged) {
		t.Errorf("streamIndex of a file that vanishes: %v, want %v", err, errDamaged)
	}
}

// BenchmarkStream is what reading each entry of an index costs before anybody looks
// at it, in the repository that MOAI_BENCH_TREE names or in this one.
func BenchmarkStream(b *testing.B) {
	dir := os.Getenv("MOAI_BENCH_TREE")
	if dir == "" {
		dir = "../.."
	}
	index := filepath.Join(dir, ".git", "index")
	n := 0
	for b.Loop() {
		n = 0
		if _, _, err := streamIndex(index, 20, func(*tracked) bool { n++; return true }); err != nil {
			b.Skip("needs a plain checkout:", err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entry")
}
