package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// gitRepo makes a repository with real git, or skips the test.
func gitRepo(t testing.TB, args ...string) *Repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	size := 20
	for _, a := range args {
		if a == "--object-format=sha256" {
			size = 32
		}
	}
	gitIn(t, dir, append([]string{"init", "-q", "-b", "main"}, args...)...)
	return &Repo{WorkTree: dir, GitDir: filepath.Join(dir, ".git"), CommonDir: filepath.Join(dir, ".git"), hashSize: size}
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := gitTry(dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(out)
}

func gitTry(dir string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@t", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@t")
	out, err := c.CombinedOutput()
	return string(out), err
}

func testContent(n, i int) []byte {
	r := rand.New(rand.NewSource(int64(i)))
	b := make([]byte, 0, n)
	for len(b) < n {
		b = fmt.Appendf(b, "line %d of %d\n", r.Intn(40), i)
	}
	return b[:n]
}

// largeContent is half of what may wait in memory; soon made, and soon packed.
func largeContent(i int) []byte {
	line := fmt.Appendf(nil, "a line of %d\n", i)
	return bytes.Repeat(line, windowBytes/2/len(line)+1)[:windowBytes/2]
}

func TestWriterIsReadByGit(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for _, n := range []int{1, looseLimit, looseLimit + 1, 700} {
			t.Run(fmt.Sprintf("%s/%d", format, n), func(t *testing.T) {
				r := gitRepo(t, "--object-format="+format)
				w := r.NewWriter(WriteOptions{NoSync: true})
				var entries []TreeEntry
				for i := range n - 1 {
					h, err := w.Add(KindBlob, testContent(i*7, i))
					if err != nil {
						t.Fatal(err)
					}
					entries = append(entries, TreeEntry{Mode: ModeFile, Name: fmt.Sprintf("f%04d", i), Hash: h})
				}
				tree, err := w.Add(KindTree, AppendTree(r.hashSize, nil, entries))
				if err != nil {
					t.Fatal(err)
				}
				kit.Must(t, w.Flush())
				if w.Objects() != n {
					t.Errorf("Objects() = %d, want %d", w.Objects(), n)
				}
				packs, _ := filepath.Glob(filepath.Join(r.CommonDir, "objects/pack/*.pack"))
				if got, want := len(packs), map[bool]int{true: 1}[n > looseLimit]; got != want {
					t.Errorf("%d packs, want %d", got, want)
				}
				if out := gitIn(t, r.WorkTree, "ls-tree", tree.String()); strings.Count(out, "blob") != n-1 {
					t.Errorf("git ls-tree lists %d files, want %d", strings.Count(out, "blob"), n-1)
				}
				if out := gitIn(t, r.WorkTree, "fsck", "--strict", "--no-dangling"); strings.Contains(out, "error") {
					t.Errorf("git fsck: %s", out)
				}
				for _, e := range entries {
					if _, b, err := r.Object(e.Hash); err != nil || HashObject(r.hashSize, KindBlob, b) != e.Hash {
						t.Fatalf("Object(%s): %v", e.Hash, err)
					}
					if size, err := r.BlobSize(e.Hash); err != nil || size%7 != 0 {
						t.Fatalf("BlobSize(%s) = %d, %v", e.Hash, size, err)
					}
				}
			})
		}
	}
}

// The memory window is passed, so the pack is begun before the number of its objects is known.
func TestWriterSpills(t *testing.T) {
	r := gitRepo(t)
	w := r.NewWriter(WriteOptions{NoSync: true})
	for i := range 5 {
		if _, err := w.Add(KindBlob, largeContent(i)); err != nil {
			t.Fatal(err)
		}
	}
	kit.Must(t, w.Flush())
	if out := gitIn(t, r.WorkTree, "count-objects", "-v"); !strings.Contains(out, "in-pack: 5") || !strings.Contains(out, "count: 0") {
		t.Errorf("git count-objects: %s", out)
	}
	gitIn(t, r.WorkTree, "fsck", "--strict")
}

func TestAbortLeavesNothing(t *testing.T) {
	r := gitRepo(t)
	w := r.NewWriter(WriteOptions{NoSync: true})
	for i := range 3 {
		w.Add(KindBlob, largeContent(i))
	}
	w.Abort()
	if err := w.Flush(); err == nil {
		t.Error("Flush after Abort reports success")
	}
	left, _ := filepath.Glob(filepath.Join(r.CommonDir, "objects/pack/*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Everything that git has packed, deltas of both kinds and all sizes, must read the same here.
func TestReadsWhatGitPacked(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for _, ofs := range []string{"true", "false"} {
			r := gitRepo(t, "--object-format="+format)
			dir := r.WorkTree
			gitIn(t, dir, "config", "repack.useDeltaBaseOffset", ofs)
			for i := range 30 {
				os.WriteFile(filepath.Join(dir, "grows"), testContent(3000+40*i, 1), 0o666)
				os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d", i)), testContent(i*i*50, 2), 0o666)
				gitIn(t, dir, "add", "-A")
				gitIn(t, dir, "commit", "-q", "-m", fmt.Sprint("commit ", i))
			}
			gitIn(t, dir, "tag", "-a", "-m", "x", "v1")
			gitIn(t, dir, "gc", "-q", "--aggressive")
			n := 0
			for line := range strings.Lines(gitIn(t, dir, "cat-file", "--batch-all-objects", "--batch-check")) {
				f := strings.Fields(line)
				h, _ := ParseHash(f[0])
				k, b, err := r.Object(h)
				if err != nil || k.String() != f[1] || fmt.Sprint(len(b)) != f[2] || HashObject(r.hashSize, k, b) != h {
					t.Fatalf("Object(%s) = %s of %d bytes, %v; want %s", h, k, len(b), err, line)
				}
				if size, err := r.BlobSize(h); err != nil || fmt.Sprint(size) != f[2] {
					t.Errorf("BlobSize(%s) = %d, %v; want %s", h, size, err, f[2])
				}
				n++
			}
			if n < 90 {
				t.Fatalf("only %d objects compared", n)
			}
			head, _ := ParseHash(gitIn(t, dir, "rev-parse", "v1"))
			c, err := r.Commit(head)
			if err != nil || c.Message != "commit 29\n" || len(c.Parents) != 1 || c.Author != "t <t@t>" {
				t.Errorf("Commit(v1) = %+v, %v", c, err)
			}
		}
	}
}

func TestRescanFindsRepackedObject(t *testing.T) {
	r := gitRepo(t)
	os.WriteFile(filepath.Join(r.WorkTree, "a"), []byte("one\n"), 0o666)
	gitIn(t, r.WorkTree, "add", "-A")
	gitIn(t, r.WorkTree, "commit", "-q", "-m", "x")
	gitIn(t, r.WorkTree, "gc", "-q")
	h := HashObject(20, KindBlob, []byte("one\n"))
	if !r.HasObject(h) {
		t.Fatal("object not found in the first pack")
	}
	os.WriteFile(filepath.Join(r.WorkTree, "b"), []byte("two\n"), 0o666)
	gitIn(t, r.WorkTree, "add", "-A")
	gitIn(t, r.WorkTree, "commit", "-q", "-m", "y")
	gitIn(t, r.WorkTree, "repack", "-q", "-a", "-d")
	for _, text := range []string{"one\n", "two\n"} {
		if _, b, err := r.Object(HashObject(20, KindBlob, []byte(text))); err != nil || string(b) != text {
			t.Errorf("Object of %q after repack: %q, %v", text, b, err)
		}
	}
}

func TestAlternates(t *testing.T) {
	r := gitRepo(t)
	os.WriteFile(filepath.Join(r.WorkTree, "a"), []byte("one\n"), 0o666)
	gitIn(t, r.WorkTree, "add", "-A")
	gitIn(t, r.WorkTree, "commit", "-q", "-m", "x")
	dir := t.TempDir()
	gitIn(t, dir, "clone", "-q", "--shared", r.WorkTree, "c")
	c := &Repo{CommonDir: filepath.Join(dir, "c", ".git"), hashSize: 20}
	if _, b, err := c.Object(HashObject(20, KindBlob, []byte("one\n"))); err != nil || string(b) != "one\n" {
		t.Errorf("Object through alternates: %q, %v", b, err)
	}
}

func TestAddFileStreams(t *testing.T) {
	r := gitRepo(t)
	b := testContent(3<<20, 5)
	w := r.NewWriter(WriteOptions{NoSync: true})
	h, err := w.AddFile(bytes.NewReader(b), int64(len(b)))
	if err != nil || h != HashObject(20, KindBlob, b) {
		t.Fatalf("AddFile = %s, %v", h, err)
	}
	if _, err := w.AddFile(bytes.NewReader(b[:100]), 200); !errors.Is(err, ErrChanged) {
		t.Errorf("AddFile of a shrinking file: %v, want ErrChanged", err)
	}
	for _, packed := range []bool{false, true} {
		if packed {
			gitIn(t, r.WorkTree, "update-ref", "refs/x/y", h.String())
			gitIn(t, r.WorkTree, "repack", "-q", "-a", "-d")
			gitIn(t, r.WorkTree, "prune-packed", "-q")
		}
		rc, n, err := r.OpenBlob(h)
		if err != nil || n != int64(len(b)) {
			t.Fatalf("OpenBlob: %d bytes, %v", n, err)
		}
		var got bytes.Buffer
		if _, err := got.ReadFrom(rc); err != nil || !bytes.Equal(got.Bytes(), b) {
			t.Errorf("OpenBlob gives other bytes (packed %v): %v", packed, err)
		}
		rc.Close()
	}
}

// restless is a file that somebody writes to: every reading of it is another one.
type restless struct {
	bytes.Reader
	content []byte
}

func (r *restless) Seek(off int64, whence int) (int64, error) {
	r.content[0]++
	r.Reset(r.content)
	return r.Reader.Seek(off, whence)
}

func TestAddFileOfAChangingFileIsStored(t *testing.T) {
	r := gitRepo(t)
	w := r.NewWriter(WriteOptions{NoSync: true})
	f := &restless{content: testContent(3<<20, 6)}
	h, err := w.AddFile(f, int64(len(f.content)))
	if !errors.Is(err, ErrChanged) || h.IsZero() {
		t.Fatalf("AddFile = %s, %v, want a name and ErrChanged", h, err)
	}
	if k, b, err := r.Object(h); err != nil || HashObject(20, k, b) != h {
		t.Errorf("the name given leads to no object of that name: %v", err)
	}
}

func TestDamage(t *testing.T) {
	r := gitRepo(t)
	h := HashObject(20, KindBlob, []byte("x"))
	path := loosePath(filepath.Join(r.CommonDir, "objects"), h)
	os.MkdirAll(filepath.Dir(path), 0o777)
	for _, content := range []string{"", "x", string(deflate(nil, []byte("blob 5\x00x"))), string(deflate(nil, []byte("blob -1\x00"))), string(deflate(nil, []byte("frob 1\x00x"))), string(deflate(nil, []byte(strings.Repeat("b", 100))))} {
		os.WriteFile(path, []byte(content), 0o666)
		if _, _, err := r.Object(h); err == nil {
			t.Errorf("damaged object %q is read without error", content)
		}
	}
	if _, _, err := r.Object(HashOf([]byte("absent"))); !errors.Is(err, ErrNoObject) {
		t.Errorf("absent object: %v, want ErrNoObject", err)
	}
}

// What zlib's checksum does not confirm is not content: a restored file would hold it.
func TestDamagedContent(t *testing.T) {
	for _, size := range []int{40, 3 << 20} { // read as a whole, and as a stream
		r := gitRepo(t)
		content := make([]byte, size)
		rand.New(rand.NewSource(1)).Read(content)
		must(t, os.WriteFile(filepath.Join(r.WorkTree, "f"), content, 0o644))
		gitIn(t, r.WorkTree, "add", "f")
		h := HashObject(20, KindBlob, content)
		damage := func(path string, fromEnd int) {
			t.Helper()
			b, err := os.ReadFile(path)
			must(t, err)
			b[len(b)-fromEnd] ^= 1
			must(t, os.Chmod(path, 0o644))
			must(t, os.WriteFile(path, b, 0o644))
		}
		check := func(where string) {
			t.Helper()
			r := &Repo{WorkTree: r.WorkTree, GitDir: r.GitDir, CommonDir: r.CommonDir, hashSize: 20}
			if _, _, err := r.Object(h); err == nil {
				t.Errorf("Object of %d damaged %s bytes: no error", size, where)
			}
			s, _, err := r.OpenBlob(h)
			if err == nil {
				_, err = io.Copy(io.Discard, s)
				s.Close()
			}
			if err == nil {
				t.Errorf("OpenBlob of %d damaged %s bytes: no error", size, where)
			}
		}
		loose := loosePath(filepath.Join(r.CommonDir, "objects"), h)
		damage(loose, 1)
		check("loose")
		damage(loose, 1)
		gitIn(t, r.WorkTree, "commit", "-qm", "x")
		gitIn(t, r.WorkTree, "repack", "-adq")
		idx, err := filepath.Glob(filepath.Join(r.CommonDir, "objects", "pack", "*.pack"))
		if err != nil || len(idx) != 1 {
			t.Fatalf("%d packs, %v", len(idx), err)
		}
		p, err := openPack(idx[0], 20, nil)
		must(t, err)
		off, ok := p.find(h)
		if !ok {
			t.Fatal("git did not pack the blob")
		}
		b, err := os.ReadFile(idx[0])
		must(t, err)
		end := len(b) - 20
		for i := range int(p.n) { // the object ends where the next one begins
			if o, ok := p.offset(uint32(i)); ok && o > off && int(o) < end {
				end = int(o)
			}
		}
		damage(idx[0], len(b)-end+1)
		check("packed")
	}
}

func FuzzApplyDelta(f *testing.F) {
	f.Add([]byte("hello world"), []byte("\x0b\x05\x90\x05"))
	f.Add([]byte("hello"), []byte("\x05\x03\x03abc"))
	f.Fuzz(func(t *testing.T, base, d []byte) {
		out, err := applyDelta(base, d, nil)
		if err != nil {
			return
		}
		_, rest, _ := deltaSize(d)
		if n, _, _ := deltaSize(rest); int64(len(out)) != n {
			t.Errorf("delta promises %d bytes and gives %d", n, len(out))
		}
	})
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x00aaaaaaaaaaaaaaaaaaaa40000 b\x00aaaaaaaaaaaaaaaaaaaa"))
	f.Fuzz(func(t *testing.T, b []byte) {
		es, err := ParseTree(20, b)
		if err != nil {
			return
		}
		again, err := ParseTree(20, AppendTree(20, nil, es))
		if err != nil || len(again) != len(es) {
			t.Errorf("ParseTree(AppendTree) = %v, %v; want %v", again, err, es)
		}
	})
}

func BenchmarkWritePack(b *testing.B) {
	blobs := make([][]byte, 1000)
	for i := range blobs {
		blobs[i] = testContent(3400, i)
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		r := &Repo{CommonDir: b.TempDir(), hashSize: 20}
		os.MkdirAll(filepath.Join(r.CommonDir, "objects", "pack"), 0o777)
		b.StartTimer()
		w := r.NewWriter(WriteOptions{})
		for _, c := range blobs {
			w.Add(KindBlob, c)
		}
		kit.Must(b, w.Flush())
	}
}

// TestApart: while a gc runs, all that is new goes into packs, and so does what is stored already and nothing refers to. A prune that knows
// of no reference to it takes nothing away.
func TestApart(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	commits(t, dir, 1)
	write(t, filepath.Join(dir, "f"), "lost soon\n")
	git(t, dir, "hash-object", "-w", "f")
	host, err := os.Hostname()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, ".git", "gc.pid"), fmt.Appendf(nil, "%d %s\n", os.Getpid(), host), 0o666))
	r := open(t, dir)
	w := r.NewWriter(WriteOptions{})
	if !w.Apart() {
		t.Fatal("a gc is not seen")
	}
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	var want []Hash
	for _, text := range []string{"lost soon\n", "new\n"} {
		h, err := w.Add(KindBlob, []byte(text))
		must(t, err)
		want = append(want, h)
	}
	h, err := w.AddFile(bytes.NewReader(big), int64(len(big)))
	must(t, err)
	want = append(want, h)
	must(t, w.Flush())
	must(t, os.Remove(filepath.Join(dir, ".git", "gc.pid")))
	git(t, dir, "gc", "-q", "--prune=now") // it begins when the packs are there, and no reference is
	if !w.Complete() {
		t.Error("a prune took something")
	}
	for i, h := range want {
		if got := git(t, dir, "cat-file", "blob", h.String()); got != []string{"lost soon\n", "new\n", string(big)}[i] {
			t.Errorf("%s holds %.20q", h, got)
		}
	}
	git(t, dir, "fsck", "--strict", "--full")
	w.Abort()
	if kept, _ := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.keep")); len(kept) > 0 {
		t.Errorf("%s stayed", kept)
	}
	git(t, dir, "gc", "-q", "--prune=now")
	if w.Complete() {
		t.Error("what nothing refers to stays for ever")
	}
}
