package repo

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/work"
)

// entriesOf are the entries of a path, all stages.
func entriesOf(ix *Index, path string) (list []Entry) {
	for e := range ix.Entries() {
		if e.Path == path {
			list = append(list, e)
		}
	}
	return list
}

// listed feeds lines of git ls-files --stage to an index. Git wants no object for them.
func listed(t *testing.T, dir string, random *rand.Rand, files int, stages bool) {
	t.Helper()
	hash := strings.Repeat("5", len(strings.TrimSpace(git(t, dir, "hash-object", "-t", "blob", os.DevNull))))
	parts := []string{"a", "b", "lib", "한글", ".github", "x.y", "..z", strings.Repeat("long", 40), "a-b", "a.b", "Z", "ㅎ ㅎ"}
	var b strings.Builder
	// No path comes twice, in two lists neither: of one that a split index has both merged and with stages, git itself says that it is broken.
	numbers := random.Perm(4 * files)
	for i := range files {
		path := ""
		for range random.IntN(5) {
			path += parts[random.IntN(len(parts))] + "/"
		}
		path += fmt.Sprintf("%s%d", parts[random.IntN(len(parts))], 1000*files+numbers[i])
		mode := []string{"100644", "100755", "120000", "160000"}[min(3, random.IntN(40)/12)]
		if stages && i%7 == 0 {
			for stage := 1 + random.IntN(2); stage <= 3; stage++ {
				fmt.Fprintf(&b, "%s %s %d\t%s\n", mode, hash, stage, path)
			}
			continue
		}
		fmt.Fprintf(&b, "%s %s\t%s\n", mode, hash, path)
	}
	name := filepath.Join(t.TempDir(), "list")
	write(t, name, b.String())
	f, err := os.Open(name)
	must(t, err)
	defer f.Close()
	if out, err := gitInput(dir, f, "update-index", "--index-info"); err != nil {
		t.Fatal(err, out)
	}
}

// TestLookSaysWhatTheIndexSays: for indexes that git wrote, a look gives what the whole gives, for every path and for absent ones.
func TestLookSaysWhatTheIndexSays(t *testing.T) {
	home, random := sandbox(t), rand.New(rand.NewPCG(1, 2))
	some := func(t *testing.T, dir string, do ...string) {
		names := strings.Split(strings.TrimSuffix(git(t, dir, "ls-files", "-z"), "\x00"), "\x00")
		for i := 0; i < len(names); i += 9 {
			git(t, dir, append(append([]string{}, do...), names[i])...)
		}
	}
	for name, c := range map[string]struct {
		files int
		whole bool // a look cannot tell
		init  []string
		then  func(t *testing.T, dir string)
	}{
		"empty":   {},
		"v2":      {files: 2500},
		"stages":  {files: 400},
		"sha256":  {files: 1500, init: []string{"--object-format=sha256"}},
		"v3 skip": {files: 60, then: func(t *testing.T, dir string) { some(t, dir, "update-index", "--skip-worktree") }},
		"v3 intent": {files: 60, then: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "later", "f"), "x")
			git(t, dir, "add", "-N", "later/f")
		}},
		"v4":        {files: 2500, then: func(t *testing.T, dir string) { git(t, dir, "update-index", "--index-version", "4") }},
		"v4 sha256": {files: 900, init: []string{"--object-format=sha256"}, then: func(t *testing.T, dir string) { git(t, dir, "update-index", "--index-version", "4") }},
		"split": {files: 90, whole: true, then: func(t *testing.T, dir string) {
			git(t, dir, "update-index", "--split-index")
			some(t, dir, "update-index", "--force-remove")
			listed(t, dir, random, 20, true)
		}},
		"sparse": {then: func(t *testing.T, dir string) {
			for _, f := range []string{"a", "in/b", "out/c", "out/d/e", "z"} {
				write(t, filepath.Join(dir, f), f)
			}
			git(t, dir, "add", "-A")
			git(t, dir, "commit", "-qm", "x")
			git(t, dir, "sparse-checkout", "init", "--cone", "--sparse-index")
			git(t, dir, "sparse-checkout", "set", "in")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(home, strings.ReplaceAll(name, " ", "-"))
			git(t, home, append(append([]string{"init", "-q", "--template="}, c.init...), dir)...)
			if c.files > 0 {
				listed(t, dir, random, c.files, name == "stages" || c.files > 1000)
			}
			if c.then != nil {
				c.then(t, dir)
			}
			r, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			all, err := r.Index()
			if err != nil {
				t.Fatal(err)
			}
			if name == "sparse" != all.Sparse || strings.HasPrefix(name, "v4") && all.Version != 4 || strings.HasPrefix(name, "v3") && all.Version != 3 {
				t.Fatalf("git made version %d, sparse %v", all.Version, all.Sparse)
			}
			paths := map[string]bool{"": true, "none": true, "\xff": true}
			for i := range all.Len() {
				if p := all.Path(i); i < 50 || i%13 == 0 {
					paths[p], paths[p+"0"], paths[p[:len(p)-1]], paths[filepath.Dir(p)] = true, true, true, true
				}
			}
			for p := range paths {
				_, err := r.lookAtIndex(nil, []string{p})
				if err != nil != (c.whole || all.Len() == 0) || err != nil && !errors.Is(err, errWhole) {
					t.Fatalf("look at %q: %v", p, err)
				}
				got, err := r.IndexAbout(nil, p)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := entriesOf(got, p), entriesOf(all, p); !reflect.DeepEqual(got, want) {
					t.Errorf("IndexAbout(%q) = %+v, want %+v", p, got, want)
				}
				if got.Sparse != all.Sparse || got.Version != all.Version || !got.mtime.Equal(all.mtime) || got.hashSize != all.hashSize {
					t.Errorf("IndexAbout(%q) is of another file than the whole", p)
				}
			}
		})
	}
}

// sameAsDecoded compares a look with the decoder: it answers exactly where that does, but for a split index, and the same.
func sameAsDecoded(t *testing.T, data []byte, window, hashSize int, paths ...string) {
	t.Helper()
	all, err := decodeIndex(data, hashSize)
	got, lookErr := lookIndex(bytes.NewReader(data), int64(len(data)), window, hashSize, paths)
	if want := err == nil && all.link == nil; (lookErr == nil) != want {
		t.Fatalf("look: %v; the decoder: %v, split %v", lookErr, err, err == nil && all.link != nil)
	}
	if lookErr != nil {
		return
	}
	for _, p := range paths {
		if got, want := entriesOf(got, p), entriesOf(all, p); !reflect.DeepEqual(got, want) {
			t.Fatalf("look at %q = %+v, want %+v", p, got, want)
		}
	}
	if got.Sparse != all.Sparse || got.Version != all.Version {
		t.Fatalf("look: version %d, sparse %v; want %d, %v", got.Version, got.Sparse, all.Version, all.Sparse)
	}
}

// seedIndexes are files that git wrote, and a larger one.
func seedIndexes(f interface{ Fatal(...any) }) [][]byte {
	var names []string
	for i := range 600 {
		names = append(names, fmt.Sprintf("d%02d/e/file-%04d", i/40, i))
	}
	list := [][]byte{build(), build(".gitignore", "a", "b/c", "b/d"), build(names...), build("a", strings.Repeat("n", 4095), strings.Repeat("o", maxName))}
	for _, name := range []string{"v2", "v4", "tree", "split", "sparse"} {
		b, err := os.ReadFile(filepath.Join("testdata", "index", name))
		if err != nil {
			f.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

// smallWindow makes files of some kilobytes go through several parts.
const smallWindow = longestEntry + 100

// TestLookRefusesWhatTheDecoderRefuses damages files at random: a look never passes what the decoder refuses.
func TestLookRefusesWhatTheDecoderRefuses(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	refused := 0
	for _, seed := range seedIndexes(t) {
		ix, err := decodeIndex(seed, sha1Size)
		if err != nil {
			t.Fatal(err)
		}
		paths := []string{"a", "b/c", ".gitignore", "none", "d03/e/file-0121"}
		if ix.Len() > 0 {
			paths = append(paths, strings.Clone(ix.Path(ix.Len()/2)))
		}
		for range 1500 {
			data := bytes.Clone(seed)
			for range 1 + random.IntN(2) {
				switch at := random.IntN(len(data)); random.IntN(5) {
				case 0:
					data = data[:max(at, 1)]
				case 1:
					data = append(data[:at:at], data[min(len(data), at+1+random.IntN(80)):]...)
				case 2:
					data[at] ^= 1 << random.IntN(8)
				case 3:
					copy(data[at:], [][]byte{[]byte("/../"), []byte("/.git/"), {0, 0}, {0xff, 0xff}}[random.IntN(4)])
				default:
					data[min(len(data)-1, random.IntN(200))] = byte(random.IntN(256))
				}
				if len(data) == 0 {
					data = []byte{0}
				}
			}
			if _, err := decodeIndex(data, sha1Size); err != nil {
				refused++
			}
			sameAsDecoded(t, data, smallWindow, sha1Size, paths...)
			sameAsDecoded(t, data, lookWindow, sha1Size, paths...)
		}
	}
	if refused < 1000 {
		t.Errorf("only %d files were refused, so little was tried", refused)
	}
}

func FuzzLook(f *testing.F) {
	for _, seed := range seedIndexes(f) {
		f.Add(seed, false, "b/c")
	}
	f.Fuzz(func(t *testing.T, data []byte, long bool, path string) {
		size := sha1Size
		if long {
			size = sha256Size
		}
		sameAsDecoded(t, data, smallWindow, size, path)
	})
}

// TestLookIsCharged: an index that there is not enough work for is not gone through, and the account knows of those that are.
func TestLookIsCharged(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 3)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	little := work.New(10)
	if ix, err := r.IndexAbout(little, "d000/a"); !errors.Is(err, errCostly) || ix != nil {
		t.Errorf("IndexAbout with no work left = %v, %v", ix, err)
	}
	enough := work.New(100_000)
	fi, err := os.Stat(filepath.Join(dir, ".git", "index"))
	must(t, err)
	if _, err := r.IndexAbout(enough, "d000/a"); err != nil || enough.Used() != work.Search(fi.Size()) {
		t.Errorf("IndexAbout: %v, %d units", err, enough.Used())
	}
}

// TestLookupDecodesOnce: the third path costs the whole, and the others after it nothing.
func TestLookupDecodesOnce(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	wide(t, dir, 3)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	l := r.Lookup(nil)
	for i, p := range []string{"d000/a", "d000/a", "d001/a", "none", "d002/a", "d000/a"} {
		ix, err := l.About(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := ix.Find(p); ok != (p != "none") {
			t.Errorf("%d: Find(%q) = %v", i, p, ok)
		}
		if whole := i >= 3; whole != (l.whole != nil) {
			t.Errorf("after %d questions the whole index is there: %v", i+1, l.whole != nil)
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, ".git", "index"), []byte("DIRC\x00\x00\x00\x09"), 0o600))
	l = r.Lookup(nil)
	for range 2 {
		var damaged *Damaged
		if ix, err := l.About("d000/a"); ix != nil || !errors.As(err, &damaged) {
			t.Errorf("About with a damaged index = %v, %v", ix, err)
		}
	}
}

// TestCommon holds the loop over words to one over bytes.
func TestCommon(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		a, b := make([]byte, random.IntN(40)), make([]byte, random.IntN(40))
		for _, s := range [][]byte{a, b} {
			for i := range s {
				s[i] = "aaaaaaaaaaaaaaab"[random.IntN(16)]
			}
		}
		want := 0
		for want < min(len(a), len(b)) && a[want] == b[want] {
			want++
		}
		if got := common(string(a), string(b)); got != want {
			t.Fatalf("common(%q, %q) = %d, want %d", a, b, got, want)
		}
	}
}

// BenchmarkIndexAbout asks about a file of the repository that MOAI_BENCH_REPO names.
func BenchmarkIndexAbout(b *testing.B) {
	r := benchRepo(b)
	ix, err := r.Index()
	if err != nil || ix.Len() == 0 {
		b.Skip("no index: ", err)
	}
	path := ix.At(ix.Len() / 2).Path
	b.ReportAllocs()
	for b.Loop() {
		if ix, err := r.IndexAbout(nil, path); err != nil || ix.Len() != 1 {
			b.Fatal(ix, err)
		}
	}
}
