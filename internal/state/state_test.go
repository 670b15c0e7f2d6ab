package state

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestDir(t *testing.T) {
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	if runtime.GOOS == "linux" {
		if got, want := Dir(env(map[string]string{"HOME": "/home/a"})), "/home/a/.local/state/moai"; got != want {
			t.Errorf("Dir = %q, want %q", got, want)
		}
	}
	if got, want := Dir(env(map[string]string{"HOME": "/home/a", "XDG_STATE_HOME": "/s"})), filepath.FromSlash("/s/moai"); got != want && runtime.GOOS != "windows" {
		t.Errorf("Dir with XDG_STATE_HOME = %q, want %q", got, want)
	}
	// A relative XDG path is to be ignored (XDG base directory specification).
	if got := Dir(env(map[string]string{"XDG_STATE_HOME": "rel"})); !filepath.IsAbs(got) {
		t.Errorf("Dir with a relative XDG_STATE_HOME = %q, want an absolute path", got)
	}
	if got := Dir(env(nil)); !filepath.IsAbs(got) {
		t.Errorf("Dir without a home = %q, want an absolute path", got)
	}
}

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
	if err := os.Symlink(mine, link); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o777); err != nil {
		t.Fatal(err)
	}
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
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755); err != nil {
			t.Fatal(err)
		}
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
	if err := Write(path, map[string]int{"n": 1}); err != nil {
		t.Fatal(err)
	}
	var v map[string]int
	if !Read(path, time.Hour, &v) || v["n"] != 1 {
		t.Errorf("Read = %v", v)
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if Read(path, time.Hour, &v) {
		t.Error("Read accepted a file past its time")
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if Read(path, 0, &v) {
		t.Error("Read accepted a damaged file")
	}
	if err := os.WriteFile(path, []byte(`{"m":2,"n":"text"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if Read(path, 0, &v) || len(v) != 1 || v["n"] != 1 {
		t.Errorf("after a file with a value of another type v is %v, want it left alone", v)
	}
}

func TestUpdateUnderParallelWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s", "a.json")
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if err := Update(path, 0, func(n *int) bool { *n++; return true }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var n int
	if Read(path, 0, &n); n != 16 {
		t.Errorf("16 updates counted %d", n)
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old.json", "new.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "old.json"), past, past); err != nil {
		t.Fatal(err)
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
		if err := Write(path, 1); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(filepath.Join(dir, "p", "mixed", "new.json"), 1); err != nil {
		t.Fatal(err)
	}
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
	if err := Write(path, 0); err != nil {
		t.Fatal(err)
	}
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
