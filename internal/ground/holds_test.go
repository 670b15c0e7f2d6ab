package ground

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/work"
)

// cpioOf is an archive as "cpio -o -H newc", or -H odc, makes it.
func cpioOf(members []string, odc bool) []byte {
	var b bytes.Buffer
	pad := func() {
		for !odc && b.Len()%4 != 0 {
			b.WriteByte(0)
		}
	}
	add := func(name, data string, mode int) {
		if odc {
			fmt.Fprintf(&b, "070707%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o%s\x00%s", 0, 0, mode, 0, 0, 1, 0, 0, len(name)+1, len(data), name, data)
			return
		}
		fmt.Fprintf(&b, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\x00", 0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0, name)
		pad()
		b.WriteString(data)
		pad()
	}
	add("src", "", 0o040755)
	for _, name := range members {
		add("./"+name, "abc", 0o100644)
	}
	add("TRAILER!!!", "", 0)
	return b.Bytes()
}

func TestHolds(t *testing.T) {
	dir := t.TempDir()
	members := []string{".env", "src/a.go", "한글/노트.txt"}
	var plain, packed, zipped bytes.Buffer
	w, z := tar.NewWriter(&plain), zip.NewWriter(&zipped)
	for _, name := range members {
		kit.Must(t, w.WriteHeader(&tar.Header{Name: "./" + name, Size: 3, Mode: 0o644}))
		fmt.Fprint(w, "abc")
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, "abc")
	}
	if _, err := z.Create("empty/"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	z.Close()
	g := gzip.NewWriter(&packed)
	g.Write(plain.Bytes())
	g.Close()
	var bomb bytes.Buffer // much where little is on the disk
	g = gzip.NewWriter(&bomb)
	w = tar.NewWriter(g)
	w.WriteHeader(&tar.Header{Name: "big", Size: 64 << 20, Mode: 0o644})
	for range 64 {
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	g.Close()
	var many bytes.Buffer
	w = tar.NewWriter(&many)
	for i := range maxMembers + 1 {
		w.WriteHeader(&tar.Header{Name: fmt.Sprint(i), Mode: 0o644})
	}
	w.Close()
	newc, odc := cpioOf(members, false), cpioOf(members, true)
	short := zipped.Bytes()[:zipped.Len()-30]
	lying := bytes.Clone(zipped.Bytes())
	copy(lying[len(lying)-6:], "\xff\xff\xff\x7f") // the list is beyond the end
	files := map[string]struct {
		data  []byte
		known bool
	}{
		"a.tar": {plain.Bytes(), true}, "a.tgz": {packed.Bytes(), true}, "a.zip": {zipped.Bytes(), true}, "bomb.tgz": {bomb.Bytes(), false}, "many.tar": {many.Bytes(), false},
		"a.cpio": {newc, true}, "old.cpio": {odc, true}, "cut.cpio": {newc[:len(newc)-40], false}, "lying.cpio": {bytes.Replace(newc, []byte("00000003"), []byte("7FFFFFFF"), 1), false},
		"short.zip": {short, false}, "lying.zip": {lying, false}, "cut.tgz": {packed.Bytes()[:packed.Len()/2], false}, "text": {[]byte("no archive"), false}, "none": {nil, false},
	}
	for name, one := range files {
		p := filepath.Join(dir, name)
		kit.Write(t, p, string(one.data))
		names, known := New(dir, work.New(work.Line)).Holds(p)
		if known != one.known || known && !slices.Equal(names, members) {
			t.Errorf("Holds(%s) = %q, %t", name, names, known)
		}
	}
	for _, name := range members {
		p := filepath.Join(dir, "tree", name)
		os.MkdirAll(filepath.Dir(p), 0o755)
		os.WriteFile(p, nil, 0o644)
	}
	os.Symlink("..", filepath.Join(dir, "tree", "up"))
	if names, known := New(dir, work.New(work.Line)).Holds(filepath.Join(dir, "tree")); !known || len(names) != len(members)+1 && !slices.Contains(names, "한글/노트.txt") {
		t.Errorf("Holds(tree) = %q, %t", names, known)
	}
	if _, known := New(dir, work.New(0)).Holds(filepath.Join(dir, "a.tar")); known {
		t.Error("an archive is read though there is no work left")
	}
}
