package repo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// lsFiles is `git ls-files --stage` in our words.
func lsFiles(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	for line := range strings.SplitSeq(strings.TrimSuffix(git(t, dir, "ls-files", "--stage", "-z"), "\x00"), "\x00") {
		out = append(out, line)
	}
	return out
}

func TestIndexEntries(t *testing.T) {
	home := sandbox(t)
	for _, version := range []string{"2", "3", "4"} {
		t.Run("v"+version, func(t *testing.T) {
			dir := filepath.Join(home, "v"+version)
			write(t, filepath.Join(dir, "a"), "1\n")
			write(t, filepath.Join(dir, "dir/"+strings.Repeat("long", 60)), "2\n")
			write(t, filepath.Join(dir, "dir/한글 파일"), "3\n")
			write(t, filepath.Join(dir, "ita"), "4\n")
			git(t, dir, "init", "-q", "--template=", ".")
			git(t, dir, "add", "a", "dir")
			git(t, dir, "add", "-N", "ita")
			git(t, dir, "update-index", "--index-version", version)
			git(t, dir, "update-index", "--assume-unchanged", "a")
			r, err := Open(dir)
			kit.Must(t, err)
			ix, err := r.Index()
			kit.Must(t, err)
			var got []string
			for e := range ix.Entries() {
				got = append(got, fmt.Sprintf("%06o %s %d\t%s", e.Mode, e.Hash, e.Stage, e.Path))
			}
			if want := lsFiles(t, dir); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("Entries = %q, want %q", got, want)
			}
			if e := ix.At(0); e.Flags != AssumeValid || e.Size != 2 || e.Mtime.IsZero() {
				t.Errorf("At(0) = %+v, want assume-valid, size 2 and a time", e)
			}
			if i, ok := ix.Find("ita"); !ok || ix.At(i).Flags&IntentToAdd == 0 {
				t.Errorf("Find(ita) = %d, %v, want an entry with intent to add", i, ok)
			}
			if i, ok := ix.Find("none"); ok {
				t.Errorf("Find(none) = %d, want nothing", i)
			}
		})
	}
}

func TestCacheTree(t *testing.T) {
	home := sandbox(t)
	dir := filepath.Join(home, "r")
	for _, f := range []string{"a", "d/b", "d/e/c", "f/g"} {
		write(t, filepath.Join(dir, f), f)
	}
	git(t, dir, "init", "-q", "--template=", ".")
	git(t, dir, "add", "-A")
	tree := strings.TrimSpace(git(t, dir, "write-tree"))
	r, err := Open(dir)
	kit.Must(t, err)
	ix, err := r.Index()
	kit.Must(t, err)
	if h, ok := ix.RootTree(); !ok || h.String() != tree {
		t.Errorf("RootTree = %s, %v, want %s", h, ok, tree)
	}
	sub := strings.TrimSpace(git(t, dir, "rev-parse", tree+":d/e"))
	if c := ix.Tree().Sub("d").Sub("e"); c == nil || c.Hash.String() != sub || c.Count != 1 {
		t.Errorf("Tree().Sub(d).Sub(e) = %+v, want %s", c, sub)
	}
	if c := ix.Tree().Sub("none"); c != nil {
		t.Errorf("Sub(none) = %+v, want nil", c)
	}
	write(t, filepath.Join(dir, "d/e/c"), "changed")
	git(t, dir, "update-index", "d/e/c")
	if ix, err = r.Index(); err != nil {
		t.Fatal(err)
	}
	if h, ok := ix.RootTree(); ok {
		t.Errorf("RootTree after an add = %s, want none", h)
	}
	if c := ix.Tree().Sub("f"); c == nil || c.Count != 1 {
		t.Errorf("Sub(f) = %+v, want it still valid", c)
	}
}

// build makes an index file of version 2 with the given names.
func build(names ...string) []byte {
	b := []byte("DIRC\x00\x00\x00\x02")
	b = binary.BigEndian.AppendUint32(b, uint32(len(names)))
	for _, n := range names {
		e := make([]byte, 60, 80)
		binary.BigEndian.PutUint32(e[24:], 0o100644)
		e = binary.BigEndian.AppendUint16(e, uint16(min(len(n), flagName)))
		e = append(e, n...)
		e = append(e, make([]byte, 8-len(e)%8)...)
		b = append(b, e...)
	}
	return append(b, make([]byte, 20)...)
}

func TestIndexRefusesHostileFiles(t *testing.T) {
	good := build("a", "b/c")
	if ix, err := decodeIndex(good, sha1Size); err != nil || ix.Len() != 2 {
		t.Fatalf("decodeIndex of a good file: %v", err)
	}
	ext := func(name string, size uint32, body string) []byte {
		b := bytes.Clone(good[:len(good)-20])
		b = append(b, name...)
		b = binary.BigEndian.AppendUint32(b, size)
		b = append(b, body...)
		return append(b, make([]byte, 20)...)
	}
	count := bytes.Clone(good)
	binary.BigEndian.PutUint32(count[8:], 1<<31)
	for name, data := range map[string][]byte{
		"empty":              nil,
		"no header":          []byte("DIRX" + strings.Repeat("\x00", 60)),
		"version 5":          append([]byte("DIRC\x00\x00\x00\x05"), make([]byte, 60)...),
		"too many entries":   count,
		"truncated":          good[:len(good)-40],
		"path up":            build("../x"),
		"path up inside":     build("a/../../x"),
		"path into .git":     build(".git/config"),
		"path into .GIT":     build("d/.GIT/config"),
		"absolute path":      build("/etc/passwd"),
		"nameless entry":     build(""),
		"required extension": ext("lnk2", 0, ""),
		"extension too long": ext("TREE", 1<<30, "x"),
	} {
		if ix, err := decodeIndex(data, sha1Size); err == nil {
			t.Errorf("decodeIndex(%s) = %d entries, want an error", name, ix.Len())
		}
	}
	for _, name := range []string{".gitignore", "a/.github/x", "..a", "a/...", "a..b/.c"} {
		if _, err := decodeIndex(build(name), sha1Size); err != nil {
			t.Errorf("decodeIndex with path %q: %v", name, err)
		}
	}
}

func TestSafePath(t *testing.T) {
	for p, want := range map[string]bool{
		"a": true, "a/b": true, ".a": true, "a/.b": true, "..": false, "../a": false, "a/..": false, ".": false, "./a": false,
		"a/./b": false, ".git": false, "a/.Git/b": false, "/a": false, ".gitmodules": true, "a/..b": true,
	} {
		if got := safePath(p); got != want {
			t.Errorf("safePath(%q) = %v, want %v", p, got, want)
		}
	}
}

// FuzzIndex feeds damaged files to the decoder and to everything that reads what it made.
func FuzzIndex(f *testing.F) {
	f.Add(build(".gitignore", "a", "b/c", "b/d"), false)
	for _, name := range []string{"v2", "v4", "tree", "split", "sparse"} {
		if b, err := os.ReadFile(filepath.Join("testdata", "index", name)); err == nil {
			f.Add(b, false)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, long bool) {
		size := sha1Size
		if long {
			size = sha256Size
		}
		ix, err := decodeIndex(data, size)
		if err != nil {
			return
		}
		total := 0
		for e := range ix.Entries() {
			total += len(e.Path)
			if !safePath(e.Path) {
				t.Errorf("unsafe path %q", e.Path)
			}
		}
		if total > 16*len(data)+1<<20 {
			t.Errorf("%d bytes of names from %d bytes of file", total, len(data))
		}
		ix.RootTree()
		ix.Tree().Sub("a").Sub("b")
		ix.Find("b/c")
		if len(ix.link) > size {
			if _, rest, err := decodeEWAH(ix.link[size:], 1000); err == nil {
				_, _, _ = decodeEWAH(rest, 1000)
			}
		}
		// The walk's own cutting into directories must end and cover every entry.
		w := worker{scan: &scan{ix: ix}}
		w.split(&task{hi: len(ix.entries)})
		n := 0
		for _, d := range w.dirs {
			if d.lo >= 0 {
				n += d.hi - d.lo
			}
		}
		if n > len(ix.entries) {
			t.Errorf("directories hold %d entries of %d", n, len(ix.entries))
		}
	})
}
