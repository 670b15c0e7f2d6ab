package repo

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzPack opens any two files as a pack and its index, and reads what the index lists. Reading
// as a whole and as a stream must agree; nothing may panic, hang or grow without bound.
func FuzzPack(f *testing.F) {
	for _, args := range [][]string{{"--depth=0"}, {"--depth=10"}} {
		r := gitRepo(f)
		for i := range 12 {
			content := append(testContent(600, 1), fmt.Appendf(nil, "%d\n", i)...)
			must(f, os.WriteFile(filepath.Join(r.WorkTree, fmt.Sprint("f", i)), content, 0o644))
		}
		gitIn(f, r.WorkTree, "add", "-A")
		gitIn(f, r.WorkTree, "commit", "-qm", "x")
		gitIn(f, r.WorkTree, append([]string{"repack", "-adqf"}, args...)...)
		packs, err := filepath.Glob(filepath.Join(r.CommonDir, "objects", "pack", "*.pack"))
		if err != nil || len(packs) != 1 {
			f.Fatalf("git wrote %d packs: %v", len(packs), err)
		}
		data, err := os.ReadFile(packs[0])
		must(f, err)
		idx, err := os.ReadFile(packs[0][:len(packs[0])-len("pack")] + "idx")
		must(f, err)
		f.Add(idx, data)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, idx, data []byte) {
		path := filepath.Join(dir, fmt.Sprintf("pack-%d.pack", os.Getpid())) // fuzzing runs several processes
		must(t, os.WriteFile(path, data, 0o644))
		must(t, os.WriteFile(path[:len(path)-len("pack")]+"idx", idx, 0o644))
		p, err := openPack(path, sha1Size, nil)
		if err != nil {
			return
		}
		for i := range min(int(p.n), 32) {
			h := HashOf(p.names()[i*sha1Size : (i+1)*sha1Size])
			off, ok := p.find(h)
			if !ok {
				continue // the table of first bytes, or the order, is wrong
			}
			k, b, err := p.object(off)
			if err != nil {
				continue
			}
			if k < KindCommit || k > KindTag || len(b) > maxObject {
				t.Fatalf("object(%d) is of kind %d with %d bytes", off, k, len(b))
			}
			e, err := p.entry(off)
			must(t, err)
			if e.kind == ofsDelta || e.kind == refDelta {
				continue
			}
			z, err := p.body(e)
			must(t, err)
			got, err := io.ReadAll(&exactReader{z, e.size})
			if err != nil || string(got) != string(b) {
				t.Fatalf("the stream at %d gives %d bytes, %v, object gives %d", off, len(got), err, len(b))
			}
		}
		if p.data != nil {
			p.data.Close()
		}
	})
}
