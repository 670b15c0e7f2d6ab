package state

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/modu-ai/moai/internal/kit"
)

func TestHomeless(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	if got := homeless(mine); got != mine {
		t.Errorf("homeless of a new folder = %q", got)
	}
	if got := homeless(mine); got != mine {
		t.Errorf("homeless of my own folder = %q", got)
	}
	link := filepath.Join(dir, "link")
	kit.Must(t, os.Symlink(mine, link))
	open := filepath.Join(dir, "open")
	kit.Must(t, os.Mkdir(open, 0o777))
	if err := os.Chmod(open, 0o777); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	for _, bad := range []string{link, open} {
		got := homeless(bad)
		if got == bad {
			t.Errorf("homeless accepted %s", bad)
		}
		if err := Write(filepath.Join(got, "x"), 1); err == nil {
			t.Errorf("%s can be written to", got)
		}
	}
}

func TestSafeName(t *testing.T) {
	for _, in := range []string{"../../etc/passwd", "a/b", "", ".", "..", "x\x00y", "COM1:", strings.Repeat("가", 200)} {
		got := SafeName(in)
		if strings.ContainsAny(got, "/\\:\x00") || strings.HasPrefix(got, ".") || got == "" || len(got) > 120 {
			t.Errorf("SafeName(%q) = %q, not safe", in, got)
		}
	}
	if SafeName("a/b") == SafeName("a_b") {
		t.Error("two names became one")
	}
	if got := SafeName("819245e8-3ac4"); got != "819245e8-3ac4" {
		t.Errorf("SafeName changed a plain name to %q", got)
	}
}

// One project has one journal, whatever way people come to it.
func TestProjectKey(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/app", "b/app"} {
		kit.Must(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755))
	}
	a := ProjectKey(filepath.Join(dir, "a", "app"))
	if b := ProjectKey(filepath.Join(dir, "b", "app")); a == b || !strings.HasPrefix(a, "app-") || !strings.HasPrefix(b, "app-") {
		t.Errorf("ProjectKey of two projects = %q and %q, want two that begin with app-", a, b)
	}
	if got := ProjectKey(filepath.Join(dir, "a", "app") + string(filepath.Separator)); got != a {
		t.Errorf("ProjectKey with a separator at the end = %q, want %q", got, a)
	}
	if got, slash := ProjectKey(filepath.Join(dir, "gone")), ProjectKey(filepath.Join(dir, "gone")+string(filepath.Separator)); got != slash || !strings.HasPrefix(got, "gone-") {
		t.Errorf("ProjectKey of a folder that is gone = %q, with a separator %q, want one that begins with gone-", got, slash)
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if got := ProjectKey(filepath.Join(dir, "link", "app")); got != a {
		t.Errorf("ProjectKey by way of a link = %q, want %q", got, a)
	}
}

func TestReadIgnoresOldAndDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d", "a.json")
	kit.Must(t, Write(path, map[string]int{"n": 1}))
	var v map[string]int
	if !Read(path, time.Hour, &v) || v["n"] != 1 {
		t.Errorf("Read = %v", v)
	}
	old := time.Now().Add(-2 * time.Hour)
	kit.Must(t, os.Chtimes(path, old, old))
	if Read(path, time.Hour, &v) {
		t.Error("Read accepted a file past its time")
	}
	kit.Must(t, os.WriteFile(path, []byte("{"), 0o600))
	if Read(path, 0, &v) {
		t.Error("Read accepted a damaged file")
	}
	kit.Must(t, os.WriteFile(path, []byte(`{"m":2,"n":"text"}`), 0o600))
	if Read(path, 0, &v) || len(v) != 1 || v["n"] != 1 {
		t.Errorf("after a file with a value of another type v is %v, want it left alone", v)
	}
}

// Each change takes as long as it does on a machine with too much to do: all of them together last longer than
// one that only tries now and then would wait.
func TestUpdateUnderParallelWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s", "a.json")
	const writers = 64
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			err := Update(path, 0, func(n *int) bool {
				*n++
				time.Sleep(6 * time.Millisecond)
				return true
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var n int
	if Read(path, 0, &n); n != writers {
		t.Errorf("%d updates counted %d", writers, n)
	}
}

// What is there and cannot be read now is still what others have kept: it must not be written anew.
func TestUpdateKeepsWhatItCannotRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right of their own there")
	}
	path := filepath.Join(t.TempDir(), "a.json")
	if err := os.Symlink(path, path); err != nil { // a loop: neither absent nor readable, for root as well
		t.Fatal(err)
	}
	err := Update(path, 0, func(n *int) bool { *n = 1; return true })
	if err == nil {
		t.Error("an update of what cannot be read reports no error")
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("what cannot be read was replaced")
	}
}

// A process that is stopped while it holds a lock holds the others up for a bounded time only, and one whose lock file
// was swept away does not believe itself alone.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	held, free := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- Locked(path, func() error { close(held); <-free; return nil })
	}()
	<-held
	if _, err := take(path, time.Now().Add(time.Millisecond)); !errors.Is(err, ErrBusy) {
		t.Errorf("a lock that somebody holds: %v, want ErrBusy", err)
	}
	close(free)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return // an open file cannot be removed there
	}
	l := flock.New(path)
	kit.Must(t, l.Lock())
	defer l.Unlock()
	kit.Must(t, os.Remove(path))
	if current(l, path) {
		t.Error("a lock file that is gone counts as held")
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old.json", "new.json"} {
		kit.Must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	past := time.Now().Add(-48 * time.Hour)
	kit.Must(t, os.Chtimes(filepath.Join(dir, "old.json"), past, past))
	if n := Sweep(dir, 24*time.Hour, time.Now().Add(-time.Second)); n != 0 {
		t.Errorf("Sweep after its deadline removed %d", n)
	}
	if n := Sweep(dir, 24*time.Hour, time.Now().Add(time.Second)); n != 1 {
		t.Errorf("Sweep removed %d, want 1", n)
	}
	if _, err := os.Stat(filepath.Join(dir, "new.json")); err != nil {
		t.Error("Sweep removed a fresh file")
	}
}

// Phases lie in folders of their own, which must not stay when what is in them goes.
func TestSweepFolders(t *testing.T) {
	dir := t.TempDir()
	past := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{"p/old/x.json", "p/old/.tmp-1", "p/mixed/x.json", "q/y.json"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		kit.Must(t, Write(path, 1))
		kit.Must(t, os.Chtimes(path, past, past))
	}
	kit.Must(t, Write(filepath.Join(dir, "p", "mixed", "new.json"), 1))
	if n := Sweep(dir, 24*time.Hour, time.Now().Add(time.Second)); n != 4 {
		t.Errorf("Sweep removed %d, want 4", n)
	}
	for name, want := range map[string]bool{"p/old": false, "q": false, "p/mixed/new.json": true} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error("Sweep removed the folder that it was given")
	}
}

// A reader that has the old file open must not keep a writer from replacing it: on
// Windows it does, for as long as it reads.
func TestReplaceBesideReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	kit.Must(t, Write(path, 0))
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				var n int
				if f, err := os.Open(path); err == nil {
					time.Sleep(time.Millisecond)
					f.Close()
				}
				Read(path, 0, &n)
				time.Sleep(3 * time.Millisecond)
			}
		})
	}
	for i := range 100 {
		if err := Write(path, i); err != nil {
			t.Errorf("write %d beside readers: %v", i, err)
			break
		}
	}
	close(stop)
	readers.Wait()
}

// Swap leaves the new content under the name and nothing beside it, and a reader meets one of the two, whole.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "in", "x.json")
	long := strings.Repeat("x", 5000)
	kit.Must(t, Swap(path, long))
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 200 {
				var got string
				if !Read(path, 0, &got) || got != long && got != "short" {
					t.Errorf("read %d bytes", len(got))
					return
				}
			}
		})
	}
	for i := range 200 {
		kit.Must(t, Swap(path, [...]string{"short", long}[i%2]))
	}
	readers.Wait()
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
	if err := Swap(path, func() {}); err == nil {
		t.Error("what JSON cannot hold was written")
	}
}
