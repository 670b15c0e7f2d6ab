package disk_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/kit"
)

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, err := os.Readlink(at); err != nil {
		t.Skip("symbolic links cannot be told here:", err) // Wine
	}
}

// TestLinksAreNotFollowed: no link below an open folder leads anywhere, with a slash behind it neither.
func TestLinksAreNotFollowed(t *testing.T) {
	out, dir := t.TempDir(), t.TempDir()
	kit.Tree(t, out, map[string]string{"f": "secret"})
	kit.Tree(t, dir, map[string]string{"in/f": "own"})
	link(t, out, filepath.Join(dir, "folder"))
	link(t, "in", filepath.Join(dir, "near"))
	link(t, filepath.Join(out, "f"), filepath.Join(dir, "file"))
	for _, open := range []func(string) (disk.Folder, error){disk.Open, disk.OpenTree} {
		d, err := open(dir)
		kit.Must(t, err)
		defer d.Close()
		for _, name := range []string{"folder", "folder/", "folder//", "near", "near/", "missing", "in/f", "a\x00b"} {
			if _, err := d.Open(name); err == nil || !disk.Gone(err) {
				t.Errorf("Open(%q) = %v, want that there is no such folder", name, err)
			}
			if _, err := d.Peek(name); err == nil {
				t.Errorf("Peek(%q) = nil, want an error", name)
			}
		}
		for _, name := range []string{"file", "folder", "in", "missing"} {
			if _, _, err := d.File(name); err == nil {
				t.Errorf("File(%q) = nil, want an error", name)
			}
		}
		var st disk.Stat
		if err := d.Lstat("folder/", &st); err != nil || !st.IsLink() || st.Kind() != disk.KindLink {
			t.Errorf("Lstat of a link with a slash = %+v, %v, want the link", st, err)
		}
		if err := d.LstatZ("file\x00"[:4], &st); err != nil || !st.IsLink() {
			t.Errorf("LstatZ of a link = %+v, %v, want the link", st, err)
		}
		sub, err := d.Open("in/")
		kit.Must(t, err)
		f, st, err := sub.File("f")
		if err != nil || st.Size != 3 || !st.IsRegular() || st.Modified().IsZero() {
			t.Fatalf("File = %+v, %v", st, err)
		}
		b := make([]byte, 9)
		for range 2 {
			if n, err := f.Fill(b); err != nil || string(b[:n]) != "own" {
				t.Errorf("Fill = %q, %v, want own", b[:n], err)
			}
			if err := f.Rewind(); err != nil {
				t.Error(err)
			}
		}
		f.Close()
		sub.Close()
	}
}

// TestEach lists all names of a folder with more than a buffer of them, each once, and stops when it is told to.
func TestEach(t *testing.T) {
	dir := t.TempDir()
	want := []string{"d", "link"}
	for i := range 700 {
		name := fmt.Sprintf("%03d-%s", i, strings.Repeat("가", 20))
		want = append(want, name)
		kit.Tree(t, dir, map[string]string{name: ""})
	}
	kit.Must(t, os.Mkdir(filepath.Join(dir, "d"), 0o755))
	link(t, "d", filepath.Join(dir, "link"))
	slices.Sort(want)
	d, err := disk.OpenTree(dir)
	kit.Must(t, err)
	defer d.Close()
	kinds := map[string]disk.Kind{}
	var names []string
	var buf []byte
	if err := d.Each(&buf, func(name string, kind disk.Kind) bool {
		names = append(names, name)
		if kind == disk.KindUnknown {
			var st disk.Stat
			if err := d.Lstat(name, &st); err != nil {
				t.Error(err)
			}
			kind = st.Kind()
		}
		kinds[strings.Clone(name)] = kind
		return true
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names) // they lie in the buffer, which is whole
	if !slices.Equal(names, want) {
		t.Errorf("Each gave %d names, want %d", len(names), len(want))
	}
	if kinds["d"] != disk.KindDir || kinds["link"] != disk.KindLink || kinds[want[0]] != disk.KindFile {
		t.Errorf("kinds: %v, %v, %v", kinds["d"], kinds["link"], kinds[want[0]])
	}
	again, err := disk.Open(dir)
	kit.Must(t, err)
	defer again.Close()
	n := 0
	if err := again.Each(&buf, func(string, disk.Kind) bool { n++; return n < 5 }); err != nil || n != 5 {
		t.Errorf("Each went on to %d names, %v; want 5", n, err)
	}
}

// TestCreate: what stands there already stays, a link and what it leads to as well.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path, dangling := filepath.Join(dir, "new"), filepath.Join(dir, "link")
	want := bytes.Repeat([]byte("0123456789\n"), 100_000)
	kit.Must(t, disk.Create(path, want))
	if err := disk.Create(path, []byte("other")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a file: %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v, want the first ones", len(got), err)
	}
	if info, err := os.Lstat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if err := disk.Create(filepath.Join(dir, "no", "such"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Create where no folder is: %v", err)
	}
	link(t, filepath.Join(dir, "away"), dangling)
	if err := disk.Create(dangling, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create through a link: %v", err)
	}
}

// TestReadBounds: what is read is no more than the caller says, whatever the file says of itself.
func TestReadBounds(t *testing.T) {
	dir := t.TempDir()
	kit.Tree(t, dir, map[string]string{"small": "text", "empty": ""})
	hole := filepath.Join(dir, "hole")
	kit.Tree(t, dir, map[string]string{"hole": ""})
	if err := os.Truncate(hole, 1<<30); err != nil {
		t.Skip("no holes here:", err)
	}
	small := filepath.Join(dir, "small")
	if b, st, err := disk.ReadFile(small, 4); err != nil || string(b) != "text" || st.Size != 4 {
		t.Errorf("ReadFile = %q, %+v, %v", b, st, err)
	}
	for path, limit := range map[string]int64{small: 3, hole: 1 << 20, dir: 1 << 20} {
		if _, _, err := disk.ReadFile(path, limit); err == nil {
			t.Errorf("ReadFile(%s, %d) = nil, want an error", path, limit)
		}
	}
	if b, _, err := disk.ReadHead(hole, 10); err != nil || !bytes.Equal(b, make([]byte, 10)) {
		t.Errorf("ReadHead = %q, %v", b, err)
	}
	if _, _, _, err := disk.Map(dir, true); err == nil {
		t.Error("Map of a folder = nil, want an error")
	}
	b, st, done, err := disk.Map(small, true)
	if err != nil || string(b) != "text" || st.Size != 4 {
		t.Fatalf("Map = %q, %+v, %v", b, st, err)
	}
	done()
	f, _, err := disk.OpenFile(small)
	kit.Must(t, err)
	defer f.Close()
	if n, err := f.ReadAt(make([]byte, 3), 2); n != 2 || err == nil {
		t.Errorf("ReadAt beyond the end = %d, %v, want 2 and an error", n, err)
	}
}

// TestRoot: links that stay inside are followed, those that lead out are not.
func TestRoot(t *testing.T) {
	out, dir := t.TempDir(), t.TempDir()
	kit.Tree(t, out, map[string]string{"f": "secret"})
	kit.Tree(t, dir, map[string]string{"in/f": "own text"})
	link(t, filepath.Join("in", "f"), filepath.Join(dir, "near"))
	link(t, filepath.Join(out, "f"), filepath.Join(dir, "file"))
	link(t, out, filepath.Join(dir, "folder"))
	r := disk.NewRoot(dir)
	defer r.Close()
	for _, name := range []string{"in/f", "near"} {
		if b, st, err := r.File(name, 3); err != nil || string(b) != "own" || st.Size != 8 {
			t.Errorf("File(%q) = %q, %+v, %v", name, b, st, err)
		}
	}
	buf := make([]byte, 3)
	if n := r.Head("in/f", buf); string(buf[:n]) != "own" {
		t.Errorf("Head = %q", buf[:n])
	}
	for _, name := range []string{"file", "folder/f", "../" + filepath.Base(out) + "/f", filepath.Join(out, "f"), "in", "missing"} {
		if b, _, err := r.File(name, 99); err == nil {
			t.Errorf("File(%q) = %q, want an error", name, b)
		}
		if n := r.Head(name, buf); n != 0 {
			t.Errorf("Head(%q) = %q, want nothing", name, buf[:n])
		}
	}
	if n, ok := r.Size("in/f"); !ok || n != 8 {
		t.Errorf("Size = %d, %v", n, ok)
	}
	if _, ok := r.Size("file"); ok {
		t.Error("Size of a link is one")
	}
}

// TestReal: links count as far as a path is there.
func TestReal(t *testing.T) {
	top := kit.Dir(t)
	kit.Must(t, os.MkdirAll(filepath.Join(top, "d", "e"), 0o755))
	for name, to := range map[string]string{"link": "d", "nowhere": "gone"} {
		if err := os.Symlink(to, filepath.Join(top, name)); err != nil {
			t.Skip(err)
		}
	}
	long := strings.Repeat("a/", 1000) + "b"
	for path, want := range map[string]string{
		"d/e": "d/e", "d/./e/": "d/e", "link/e": "d/e", "link": "d", "link/e/new/x": "d/e/new/x", "gone/x": "gone/x", "nowhere/x": "nowhere/x", "nowhere": "nowhere", "link/" + long: "d/" + long,
	} {
		if got := disk.Real(filepath.Join(top, path)); got != filepath.Join(top, want) {
			t.Errorf("%.40s: %.80s, want %.80s", path, got, want)
		}
	}
	if got := disk.Real("x/y"); got != filepath.Join("x", "y") {
		t.Errorf("x/y: %s", got)
	}
}

// TestReadItself reads what has the name, and not what a link leads to.
func TestReadItself(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	kit.Must(t, os.WriteFile(file, []byte("text"), 0o600))
	if b, err := disk.ReadItself(file, 4); err != nil || string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
	kit.Must(t, os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600))
	if b, err := disk.ReadItself(filepath.Join(dir, "empty"), 4); err != nil || len(b) > 0 {
		t.Errorf("%q, %v", b, err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{link, dir, filepath.Join(dir, "none")} {
		if b, err := disk.ReadItself(path, 4); err == nil {
			t.Errorf("%s: %q", path, b)
		}
	}
	if _, err := disk.ReadItself(file, 3); !errors.Is(err, disk.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
}
