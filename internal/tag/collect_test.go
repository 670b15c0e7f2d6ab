package tag

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
)

func collect(t testing.TB, root, index string) *Result {
	t.Helper()
	r, err := Collect(Options{Root: root, Syntax: syntaxOf, Grammar: NewGrammar(tags(t).Kinds), Index: index})
	kit.Must(t, err)
	return r
}

func found(r *Result) []string {
	var out []string
	for t := range r.All() {
		out = append(out, fmt.Sprintf("%s:%d %s", t.Path, t.Line, &t))
	}
	return out
}

func TestCollect(t *testing.T) {
	root := t.TempDir()
	kit.Tree(t, root, map[string]string{
		".moai/specs/SPEC-A-001/spec.md": "# @SPEC:A-001: Title\n",
		"src/a.go":                       "// @CODE:A-001:API\n\n// @CODE:A-001:DATA\n",
		"src/한글.py":                      "# @CODE:A-001\n",
		".gitignore":                     "out/\n*.log\n!keep.log\n",
		"out/a.go":                       "// @CODE:X-001\n",
		"a.log":                          "// @CODE:X-002\n",
		"keep.log":                       "// @CODE:X-003\n",
		"sub/.gitignore":                 "/local\n",
		"sub/local":                      "// @CODE:X-004\n",
		"sub/deep/local":                 "// @CODE:X-005\n",
		".git/HEAD":                      "// @CODE:X-006\n",
		".git/info/exclude":              "excluded.txt\n",
		"excluded.txt":                   "@CODE:X-007\n",
		"bin.dat":                        "\x00 @CODE:X-008\n",
		"empty":                          "",
	})

	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"loop": ".", "link.go": "src/a.go", "gone": "nowhere"} {
			kit.Must(t, os.Symlink(to, filepath.Join(root, link)))
		}
	}
	want := []string{
		".moai/specs/SPEC-A-001/spec.md:1 @SPEC:A-001",
		"keep.log:1 @CODE:X-003",
		"src/a.go:1 @CODE:A-001:API",
		"src/a.go:3 @CODE:A-001:DATA",
		"src/한글.py:1 @CODE:A-001",
		"sub/deep/local:1 @CODE:X-005",
	}
	if d := cmp.Diff(want, found(collect(t, root, ""))); d != "" {
		t.Errorf("Collect (-want +got):\n%s", d)
	}
}

// age sets a file's time of change into the past as far as the index is concerned: it waits is no option,
// so the tests make the index believe that it was read later.
func settle(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("waits for the clock of the file system")
	}
	time.Sleep(time.Duration(settled) + 50*time.Millisecond)
}

// The index never hides an edit, whatever the edit does to size and times.
func TestIndexIsNeverStale(t *testing.T) {
	root, index := t.TempDir(), filepath.Join(t.TempDir(), "tags.idx")
	kit.Tree(t, root, map[string]string{"a/one.go": "// @CODE:A-001\n", "a/two.go": "// @CODE:A-002\n", "b/three.go": "// @CODE:A-003\n", "b/plain.go": "package b\n"})
	settle(t)
	if r := collect(t, root, index); r.Read != 4 {
		t.Fatalf("first run read %d files, want 4", r.Read)
	}
	if r := collect(t, root, index); r.Read != 0 {
		t.Fatalf("second run read %d files, want 0", r.Read)
	}
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	check := func(what string) {
		t.Helper()
		want := found(collect(t, root, ""))
		if d := cmp.Diff(want, found(collect(t, root, index))); d != "" {
			t.Errorf("%s: the index is stale (-want +got):\n%s", what, d)
		}
		if d := cmp.Diff(want, found(collect(t, root, index))); d != "" {
			t.Errorf("%s, asked again: the index is stale (-want +got):\n%s", what, d)
		}
	}
	st, err := os.Stat(in("a/one.go"))
	kit.Must(t, err)
	for i := 2; i < 6; i++ { // the same size, within one tick, several times
		kit.Tree(t, root, map[string]string{"a/one.go": fmt.Sprintf("// @CODE:A-%03d\n", 100+i)})
		check("same size, same second")
	}
	kit.Tree(t, root, map[string]string{"a/one.go": "// @CODE:A-200\n"})
	kit.Must(t, os.Chtimes(in("a/one.go"), st.ModTime(), st.ModTime()))
	check("mtime set back")
	kit.Must(t, os.Rename(in("a/one.go"), in("a/two.go")))
	check("renamed over another")
	if err := os.Remove(in("b/plain.go")); err != nil { // the next file takes its inode on many file systems
		t.Fatal(err)
	}
	kit.Tree(t, root, map[string]string{"b/plain.go": "// @CODE:Z\n"})
	check("removed and made anew")
	// A new file of the same size and time, with the old one's inode where the system gives it away again.
	st, err = os.Stat(in("b/three.go"))
	kit.Must(t, err)
	kit.Must(t, os.Remove(in("b/three.go")))
	kit.Tree(t, root, map[string]string{"b/three.go": "// @CODE:A-777\n"})
	kit.Must(t, os.Chtimes(in("b/three.go"), st.ModTime(), st.ModTime()))
	check("inode used again, size and time as before")
	kit.Must(t, os.Rename(in("a"), in("c")))
	kit.Must(t, os.Rename(in("b"), in("a")))
	check("directories exchanged")
	kit.Tree(t, root, map[string]string{"a/new.go": "// @TEST:A-001\n"})
	check("new file")
	kit.Must(t, os.Remove(in("a/new.go")))
	check("removed file")
	kit.Tree(t, root, map[string]string{".gitignore": "c/\n"})
	check("new rules")
	kit.Tree(t, root, map[string]string{".gitignore": "a/\n"})
	check("other rules of the same size")
	kit.Tree(t, root, map[string]string{".git/info/exclude": "three.go\n", ".gitignore": "\n"})
	check("rules outside the tree")
	if runtime.GOOS == "linux" {
		kit.Must(t, os.Remove(in("c/two.go")))
		kit.Must(t, os.Symlink("../a/three.go", in("c/two.go")))
		check("a link in place of a file")
	}
}

// Rules that were read within a tick of their writing may be older than their stamp says: they are read again.
func TestIndexDoubtsFreshRules(t *testing.T) {
	root, index := t.TempDir(), filepath.Join(t.TempDir(), "tags.idx")
	kit.Tree(t, root, map[string]string{"d/.gitignore": "a.go\n", "d/a.go": "// @CODE:A-001\n"})
	collect(t, root, index)
	settle(t)
	o := Options{Root: root, Syntax: syntaxOf, Grammar: NewGrammar(tags(t).Kinds)}
	was := loadIndex(index, indexKey(&o, &above{}))["d/"]
	if was == nil || !was.ignores {
		t.Fatalf("the index knows %+v of d/, want its rules", was)
	}
	if now, _, _ := mustTree(t, root).stat("d/.gitignore"); now == was.rules {
		t.Error("rules that were read while they were fresh count as known")
	}
}

func mustTree(t *testing.T, root string) *tree {
	t.Helper()
	tr, err := openTree(root)
	kit.Must(t, err)
	t.Cleanup(tr.Close)
	return tr
}

// After the clock has moved on, edits of settled files are seen by their time of change alone.
func TestIndexSettledEdits(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		t.Skip("needs the time of change")
	}
	root, index := t.TempDir(), filepath.Join(t.TempDir(), "tags.idx")
	kit.Tree(t, root, map[string]string{"one.go": "// @CODE:A-001\n"})
	settle(t)
	collect(t, root, index)
	name := filepath.Join(root, "one.go")
	st, _ := os.Stat(name)
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	kit.Must(t, err)
	if _, err := f.WriteAt([]byte("9"), int64(strings.Index("// @CODE:A-001\n", "001"))); err != nil {
		t.Fatal(err)
	}
	f.Close()
	kit.Must(t, os.Chtimes(name, st.ModTime(), st.ModTime()))
	if got := found(collect(t, root, index)); len(got) != 1 || got[0] != "one.go:1 @CODE:A-901" {
		t.Errorf("after an edit in place with the old mtime = %v, want A-901", got)
	}
}

func TestIndexDamaged(t *testing.T) {
	root, index := t.TempDir(), filepath.Join(t.TempDir(), "tags.idx")
	kit.Tree(t, root, map[string]string{"a.go": "// @CODE:A-001 | SPEC: x.md\n// @CODE:A-002: text\n", "d/b.go": "// @TEST:A-001\n", "d/.gitignore": "x\n"})
	want := collect(t, root, "")
	collect(t, root, index)
	good, err := os.ReadFile(index)
	kit.Must(t, err)
	for cut := 0; cut < len(good); cut += 7 {
		for _, bad := range [][]byte{good[:cut], append(append(bytes.Clone(good[:cut]), good[cut]^0x55), good[cut+1:]...)} {
			kit.Must(t, os.WriteFile(index, bad, 0o600))
			if d := cmp.Diff(found(want), found(collect(t, root, index))); d != "" {
				t.Fatalf("damaged at %d (-want +got):\n%s", cut, d)
			}
		}
	}
}

// A TAG is found at every place of a large file, and its line number is right.
func TestCollectLarge(t *testing.T) {
	root := t.TempDir()
	var b bytes.Buffer
	var want []string
	line := 1
	for b.Len() < 3*chunk+1000 {
		if line%97 == 0 {
			fmt.Fprintf(&b, "// @CODE:BIG-%03d\n", line%1000)
			want = append(want, fmt.Sprintf("big.go:%d @CODE:BIG-%03d", line, line%1000))
		} else {
			b.WriteString(strings.Repeat("x", line%61) + "\n")
		}
		line++
	}
	kit.Tree(t, root, map[string]string{"big.go": b.String(), "long.js": strings.Repeat("x", 3*chunk) + " // @CODE:LONG-001\n// @CODE:LONG-002\n"})
	want = append(want, "long.js:1 @CODE:LONG-001", "long.js:2 @CODE:LONG-002")
	r := collect(t, root, "")
	if d := cmp.Diff(want, found(r)); d != "" {
		t.Errorf("Collect (-want +got):\n%s", d)
	}
	for tag := range r.All() {
		if !tag.Definition {
			t.Errorf("%s:%d is a mention, want a definition", tag.Path, tag.Line)
		}
	}
}

func TestCollectUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("needs a user that can be refused")
	}
	root := t.TempDir()
	kit.Tree(t, root, map[string]string{"a/x.go": "// @CODE:A-001\n", "b/x.go": "// @CODE:A-002\n"})
	kit.Must(t, os.Chmod(filepath.Join(root, "a"), 0))
	defer os.Chmod(filepath.Join(root, "a"), 0o755)
	r := collect(t, root, "")
	if len(found(r)) != 1 || len(r.Warnings) != 1 {
		t.Errorf("tags %v, warnings %v; want one of each", found(r), r.Warnings)
	}
	if _, err := Collect(Options{Root: filepath.Join(root, "none"), Grammar: &Grammar{}}); err == nil {
		t.Error("Collect(no directory) = nil, want an error")
	}
}
