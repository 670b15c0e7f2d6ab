package repo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/work"
)

// A small file must not cost a thousand times its size in memory.
func TestCacheTreeOfLies(t *testing.T) {
	const records = 4000
	ext := fmt.Appendf(nil, "\x00-1 %d\n", records)
	for range records {
		ext = fmt.Appendf(ext, "a\x00-1 %d\n", records) // each claims to hold all that follow
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tree := (&Index{hashSize: sha1Size, tree: &lazyTree{ext: ext}}).Tree()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; tree != nil || got > 1<<20 {
		t.Errorf("%d bytes were taken for %d, tree %v", got, len(ext), tree != nil)
	}
}

// Git refuses a file that includes itself. Here it must end, and not after ten levels of ever more files.
func TestConfigIncludesItself(t *testing.T) {
	home := sandbox(t)
	file := filepath.Join(home, "c")
	write(t, file, strings.Repeat("[include]\npath = c\n", 3)+"[a]\nb = 1\n")
	c := &Config{}
	c.load(file, &loadState{})
	if n := len(c.Strings("a.b")); n == 0 || n > maxIncludes {
		t.Errorf("the file was read %d times", n)
	}
}

// The same objects by many ways are one store. A thousand ways, five levels deep, would be looked through for ever.
func TestAlternatesOfEachOther(t *testing.T) {
	home := sandbox(t)
	dir := filepath.Join(home, "r")
	commits(t, dir, 5)
	git(t, dir, "repack", "-q", "-a", "-d")
	git(t, home, "clone", "-q", "--shared", dir, "b")
	b := filepath.Join(home, "b")
	own, theirs := filepath.Join(b, ".git", "objects"), filepath.Join(dir, ".git", "objects")
	write(t, filepath.Join(own, "info", "alternates"), strings.Repeat(theirs+"\n../objects\n", 5)+`"`+theirs+`/../objects"`+"\n")
	write(t, filepath.Join(theirs, "info", "alternates"), strings.Repeat(own+"\n", 5))
	r := open(t, b)
	head := git(t, b, "rev-parse", "HEAD")
	h, _ := ParseHash(strings.TrimSpace(head))
	if got, want := r.Short(h), strings.TrimSpace(git(t, b, "rev-parse", "--short", "HEAD")); want != got {
		t.Errorf("Short = %s, want %s", got, want)
	}
	if n := len(r.odb().dirs); n != 2 {
		t.Errorf("%d stores, want 2: %q", n, r.odb().dirs)
	}
	if dir := r.missingAlternate(); dir != "" {
		t.Errorf("%s is missing, it is said", dir)
	}
}

func TestIndexOutOfOrder(t *testing.T) {
	for _, names := range [][]string{{"b", "a"}, {"a", "a"}, {"a/1", "a/2", "a/3", "b", "a/5"}, {"a/b", "a.b"}} {
		if _, err := decodeIndex(build(names...), sha1Size); !errors.Is(err, errIndex) {
			t.Errorf("decodeIndex(%q): %v, want %v", names, err, errIndex)
		}
	}
	for _, names := range [][]string{{"a", "a.b", "a/b", "b"}, {"가", "나"}} {
		if _, err := decodeIndex(build(names...), sha1Size); err != nil {
			t.Errorf("decodeIndex(%q): %v", names, err)
		}
	}
	unmerged := func(stages ...byte) []byte {
		b := build(strings.Split(strings.Repeat("a ", len(stages)), " ")[:len(stages)]...)
		for i, s := range stages {
			b[12+i*64+60] |= s << 4
		}
		return b
	}
	if _, err := decodeIndex(unmerged(1, 2, 3), sha1Size); err != nil {
		t.Errorf("three stages: %v", err)
	}
	for _, stages := range [][]byte{{0, 2}, {2, 1}, {3, 3}} {
		if _, err := decodeIndex(unmerged(stages...), sha1Size); !errors.Is(err, errIndex) {
			t.Errorf("stages %v: %v, want %v", stages, err, errIndex)
		}
	}
}

// bomb makes a tree of ten names, each of which is a tree of ten names, and so on: a few kilobytes that stand for 10^depth files.
func bomb(t *testing.T, r *Repo, leaf []TreeEntry, depth int) Hash {
	t.Helper()
	w := r.NewWriter(WriteOptions{NoSync: true})
	h, _ := w.Add(KindTree, AppendTree(sha1Size, nil, leaf))
	for range depth {
		var list []TreeEntry
		for i := range 10 {
			list = append(list, TreeEntry{ModeDir, fmt.Sprint(i), h})
		}
		h, _ = w.Add(KindTree, AppendTree(sha1Size, nil, list))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestStagedOfATreeBomb(t *testing.T) {
	blob := HashObject(sha1Size, KindBlob, nil)
	for name, leaf := range map[string][]TreeEntry{"files": {{ModeFile, "f", blob}}, "folders": nil} {
		t.Run(name, func(t *testing.T) {
			r := gitRepo(t)
			tree := bomb(t, r, leaf, 12)
			const most = 10_000
			s := staging{r: r, ix: &Index{hashSize: sha1Size}, stop: new(atomic.Bool), pays: func(int) bool { return true }, left: most}
			if err := s.compare("", tree, nil, 0, 0); !errors.Is(err, errTooMany) || len(s.out) > most {
				t.Errorf("compare lists %d files, %v, want %v", len(s.out), err, errTooMany)
			}
			ix := &Index{hashSize: sha1Size, entries: []entry{{name: "d/", raw: new([rawSize]byte), extra: extraSkip}}}
			binary.BigEndian.PutUint32(ix.entries[0].raw[24:], ModeDir)
			copy(ix.entries[0].raw[statSize:], tree[:])
			must(t, os.Mkdir(filepath.Join(r.WorkTree, "d"), 0o777))
			e := expansion{r: r, left: most}
			if _, err := e.index(ix); err == nil || len(e.out) > most {
				t.Errorf("a sparse folder became %d entries, %v", len(e.out), err)
			}
		})
	}
}

// Names that differ by a reference's own suffix are no references to git.
func TestBrokenLockIsNoReference(t *testing.T) {
	r, h := refRepo(t)
	path := filepath.Join(r.CommonDir, "refs", "heads", "x")
	must(t, os.WriteFile(path+".lock", []byte(lockMark), 0o666))
	old := time.Now().Add(-2 * lockStale)
	must(t, os.Chtimes(path+".lock", old, old))
	name := asideOf(path + ".lock")
	must(t, os.WriteFile(name, []byte(lockMark), 0o666)) // as a process killed while it breaks a lock leaves it
	if out := gitIn(t, r.WorkTree, "for-each-ref"); strings.Contains(out, "warning") || strings.Contains(out, "heads/x") {
		t.Errorf("git sees it as a reference: %s", out)
	}
	if err := r.CreateRef("refs/heads/x", h); err != nil {
		t.Errorf("CreateRef: %v", err)
	}
}

// Git deletes a reference's log with it, other programs may not: a file stands where a folder of logs would be.
func TestLogInTheWay(t *testing.T) {
	r, h := refRepo(t)
	write(t, filepath.Join(r.CommonDir, "logs", "refs", "heads", "checkpoint"), "")
	if err := r.CreateRef("refs/heads/checkpoint/x", h); err != nil {
		t.Errorf("CreateRef: %v", err)
	}
}

func TestPackedRefsOutOfOrder(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	commits(t, dir, 2)
	for _, b := range []string{"a", "b", "c", "d"} {
		git(t, dir, "branch", b, "HEAD~1")
	}
	git(t, dir, "pack-refs", "--all")
	path := filepath.Join(dir, ".git", "packed-refs")
	data, err := os.ReadFile(path)
	must(t, err)
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))[1:]
	var back []byte
	for i := len(lines) - 1; i >= 0; i-- {
		back = append(append(back, lines[i]...), '\n')
	}
	must(t, os.WriteFile(path, back, 0o666))
	git(t, dir, "branch", "-q", "-f", "b", "HEAD")
	refs, err := open(t, dir).Refs("refs/heads/")
	must(t, err)
	var got []string
	for _, ref := range refs {
		got = append(got, ref.Hash.String()+" "+ref.Name)
	}
	if want := strings.TrimSpace(git(t, dir, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads")); strings.Join(got, "\n") != want {
		t.Errorf("Refs = %q, want %q", got, want)
	}
}

// A machine that lost its power leaves empty files where objects were; what is stored after that must not rely on them.
func TestEmptyLooseObject(t *testing.T) {
	r := gitRepo(t)
	small, big := []byte("small\n"), testContent(3<<20, 7)
	for _, b := range [][]byte{small, big} {
		path := loosePath(filepath.Join(r.CommonDir, "objects"), HashObject(sha1Size, KindBlob, b))
		write(t, path, "")
		must(t, os.Chmod(path, 0o444))
	}
	w := r.NewWriter(WriteOptions{NoSync: true})
	if _, err := w.Add(KindBlob, small); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddFile(bytes.NewReader(big), int64(len(big))); err != nil {
		t.Fatal(err)
	}
	must(t, w.Flush())
	for _, b := range [][]byte{small, big} {
		if _, got, err := r.Object(HashObject(sha1Size, KindBlob, b)); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%d bytes read back of %d: %v", len(got), len(b), err)
		}
	}
}

// The loose copy of an object that is packed, too, is damaged.
func TestDamagedLooseObjectIsReadFromItsPack(t *testing.T) {
	r := gitRepo(t)
	content := testContent(2<<20, 8)
	must(t, os.WriteFile(filepath.Join(r.WorkTree, "f"), content, 0o666))
	gitIn(t, r.WorkTree, "add", "f")
	gitIn(t, r.WorkTree, "commit", "-q", "-m", "x")
	gitIn(t, r.WorkTree, "gc", "-q")
	h := HashObject(sha1Size, KindBlob, content)
	write(t, loosePath(filepath.Join(r.CommonDir, "objects"), h), "damaged")
	rc, n, err := r.OpenBlob(h)
	if err != nil || n != int64(len(content)) {
		t.Fatalf("OpenBlob = %d bytes, %v", n, err)
	}
	defer rc.Close()
	if got, err := io.ReadAll(rc); err != nil || !bytes.Equal(got, content) {
		t.Errorf("other bytes: %v", err)
	}
}

// Few bytes that stand for many are not unpacked on somebody's account: not as one file, not as a delta, and not by a status.
func TestChargedObjects(t *testing.T) {
	r := gitRepo(t)
	big := make([]byte, 4<<20)
	must(t, os.WriteFile(filepath.Join(r.WorkTree, "f"), big, 0o666))
	gitIn(t, r.WorkTree, "add", "f")
	must(t, os.WriteFile(filepath.Join(r.WorkTree, "f"), append(big, testContent(100, 3)...), 0o666))
	gitIn(t, r.WorkTree, "add", "f")
	h := HashObject(sha1Size, KindBlob, big)
	for _, way := range []string{"loose", "packed"} {
		if way == "packed" {
			tree := strings.TrimSpace(gitIn(t, r.WorkTree, "write-tree"))
			gitIn(t, r.WorkTree, "update-ref", "refs/heads/x", strings.TrimSpace(gitIn(t, r.WorkTree, "commit-tree", "-m", "x", tree)))
			gitIn(t, r.WorkTree, "tag", "big", h.String())
			gitIn(t, r.WorkTree, "gc", "-q")
		}
		r := open(t, r.WorkTree)
		account := work.New(100 * 4 * work.Look)
		r.Charge(account)
		for range 50 {
			if _, _, err := r.Object(h); !errors.Is(err, errCostly) || account.Over() {
				t.Fatalf("%s: Object: %v; %d units are left", way, err, account.Left())
			}
		}
		if _, _, err := r.OpenBlob(h); !errors.Is(err, errCostly) {
			t.Errorf("%s: OpenBlob: %v", way, err)
		}
		if _, err := r.BlobSize(h); err != nil {
			t.Errorf("%s: BlobSize: %v", way, err)
		}
		r.Charge(nil)
		if _, b, err := open(t, r.WorkTree).Object(h); err != nil || len(b) != len(big) {
			t.Errorf("%s: nobody counts, and %d bytes come: %v", way, len(b), err)
		}
	}
	if _, err := applyDelta(make([]byte, 1<<20), deltaOf(1<<20, 200<<20), work.New(work.Disk)); !errors.Is(err, errCostly) {
		t.Errorf("a delta of a few bytes that makes 200 MiB: %v", err)
	}
}

// deltaOf copies a base again and again.
func deltaOf(from, to int) []byte {
	d := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(from)), uint64(to))
	for range to / from {
		d = append(d, 0x80|0x40, byte(from>>16)) // from the beginning; the third byte of the size
	}
	return d
}

// Who has no use for more changes than so many does not wait for them, whatever they are.
func TestStatusEndsAtTheMostChanges(t *testing.T) {
	const files, most = 3000, 100
	for _, way := range []string{"deleted", "staged", "untracked", "none"} {
		t.Run(way, func(t *testing.T) {
			r := gitRepo(t)
			for i := range files {
				must(t, os.WriteFile(filepath.Join(r.WorkTree, fmt.Sprint("f", i)), nil, 0o666))
			}
			if way != "untracked" {
				gitIn(t, r.WorkTree, "add", "-A")
			}
			if way == "deleted" || way == "none" {
				gitIn(t, r.WorkTree, "commit", "-q", "-m", "x")
			}
			if way == "deleted" {
				for i := range files {
					must(t, os.Remove(filepath.Join(r.WorkTree, fmt.Sprint("f", i))))
				}
			}
			st, err := open(t, r.WorkTree).Status(t.Context(), StatusOptions{Untracked: UntrackedAll, Most: most})
			must(t, err)
			if whole := way == "none"; st.Partial == whole || len(st.Changes) > 2*most {
				t.Errorf("partial %t, %d changes", st.Partial, len(st.Changes))
			}
		})
	}
}
