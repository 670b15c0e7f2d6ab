package repo

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/kit"
)

// Files whose times alone differ from the index are read once. One that is written again is read again, whatever its times say.
func TestTouchedFilesAreRemembered(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("file times are trusted on Linux alone")
	}
	r, cache := gitRepo(t), t.TempDir()+"/cache"
	name := func(i int) string { return fmt.Sprintf("f%03d", i) }
	for i := range 2 * fewFileHashes {
		write(t, r.Path(name(i)), fmt.Sprintf("content %d\n", i))
	}
	gitIn(t, r.WorkTree, "add", "-A")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for i := range 2 * fewFileHashes {
		kit.Must(t, os.Chtimes(r.Path(name(i)), old, old))
	}
	time.Sleep(2 * dirCacheAge)
	changed := func(o StatusOptions) string {
		t.Helper()
		o.DirCache = cache
		fresh, err := Open(r.WorkTree)
		kit.Must(t, err)
		st, err := fresh.Status(t.Context(), o)
		kit.Must(t, err)
		var list []string
		for _, c := range st.Changes {
			list = append(list, c.Path)
		}
		return strings.Join(list, " ")
	}
	staged := StatusOptions{NoStaged: true}
	if got := changed(staged); got != "" {
		t.Fatal("changed:", got)
	}
	files := openFileHashes(cache)
	if len(files.hit) != 2*fewFileHashes {
		t.Fatalf("%d files are remembered, want %d", len(files.hit), 2*fewFileHashes)
	}
	// The same length and the same times: the change time tells.
	write(t, r.Path(name(7)), strings.ToUpper("content 7\n"))
	kit.Must(t, os.Chtimes(r.Path(name(7)), old, old))
	// Another file in its place.
	write(t, r.Path("new"), "CONTENT 9\n")
	kit.Must(t, os.Chtimes(r.Path("new"), old, old))
	kit.Must(t, os.Rename(r.Path("new"), r.Path(name(9))))
	if got := changed(staged); got != "f007 f009" {
		t.Errorf("changed: %q", got)
	}
	// Another blob in the index makes the file another than that.
	write(t, r.Path("x"), "CONTENT 1\n")
	blob := gitIn(t, r.WorkTree, "hash-object", "-w", "x")
	os.Remove(r.Path("x"))
	gitIn(t, r.WorkTree, "update-index", "--cacheinfo", "100644,"+strings.TrimSpace(blob)+","+name(20))
	if got := changed(staged); got != "f007 f009 f020" {
		t.Errorf("changed: %q", got)
	}
	// What is remembered is believed: no file is read that has a record.
	f, err := openRoot(r.WorkTree)
	kit.Must(t, err)
	var st20 disk.Stat
	kit.Must(t, f.Lstat(name(20), &st20))
	f.Close()
	h, _ := ParseHash(strings.TrimSpace(blob))
	files = openFileHashes(cache)
	rec := files.record(name(20), &st20, h)
	sound, err := os.ReadFile(cache + ".files")
	kit.Must(t, err)
	recs := append(slices.Collect(slices.Chunk(files.old, fileHashRecord)), rec[:])
	slices.SortFunc(recs, bytes.Compare)
	kit.Must(t, os.WriteFile(cache+".files", append([]byte(fileHashesMagic), bytes.Join(recs, nil)...), 0o600))
	if got := changed(staged); got != "f007 f009" {
		t.Errorf("changed: %q", got)
	}
	kit.Must(t, os.WriteFile(cache+".files", sound, 0o600))
	// A damaged memory is as good as none.
	b, err := os.ReadFile(cache + ".files")
	kit.Must(t, err)
	for _, bad := range [][]byte{nil, b[:len(b)-1], append([]byte("elsewhat"), b[8:]...)} {
		kit.Must(t, os.WriteFile(cache+".files", bad, 0o600))
		if f := openFileHashes(cache); len(f.hit) != 0 {
			t.Errorf("%d records of a damaged file", len(f.hit))
		}
		if got := changed(staged); got != "f007 f009 f020" {
			t.Errorf("changed: %q", got)
		}
	}
	// A conversion that came meanwhile is heard.
	write(t, r.Path(".git/info/attributes"), "f03* filter=x\n")
	gitIn(t, r.WorkTree, "config", "filter.x.clean", "tr a-z A-Z")
	fresh, err := Open(r.WorkTree)
	kit.Must(t, err)
	st, err := fresh.Status(t.Context(), StatusOptions{DirCache: cache, NoStaged: true})
	if err != nil || len(st.Approximate) < 10 && len(st.Changes) < 10 {
		t.Errorf("a filter came: %+v, %v", st, err)
	}
}
