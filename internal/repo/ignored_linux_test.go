package repo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Folders of 78,000 ignored files cost nothing: they are not even opened, however they are ignored.
func TestStatusStaysOutOfIgnored(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	write(t, filepath.Join(dir, ".gitignore"), "node_modules/\nout\n")
	write(t, filepath.Join(dir, "src/a"), "")
	git(t, dir, "init", "-q", "--template=", ".")
	write(t, filepath.Join(dir, ".git/info/exclude"), "/cache/*\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "x")
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip("no inotify: ", err)
	}
	defer unix.Close(watch)
	ignored := []string{"node_modules", "src/deep/node_modules", "out", "cache/one"}
	for _, name := range ignored {
		write(t, filepath.Join(dir, name, "pkg/index.js"), "")
		if _, err := unix.InotifyAddWatch(watch, filepath.Join(dir, name), unix.IN_OPEN); err != nil {
			t.Skip("no inotify here: ", err)
		}
	}
	opened := func() bool {
		n, err := unix.Read(watch, make([]byte, 4096))
		if err != nil && !errors.Is(err, unix.EAGAIN) {
			t.Fatal(err)
		}
		return n > 0
	}
	for _, o := range []StatusOptions{{}, {Untracked: UntrackedAll}} {
		got, _, err := ourStatus(dir, o)
		if err != nil || strings.Join(got, ",") != "" {
			t.Errorf("Status = %q, %v; want clean", got, err)
		}
		if opened() {
			t.Errorf("an ignored folder was opened (all untracked: %v)", o.Untracked == UntrackedAll)
		}
	}
	f, err := os.Open(filepath.Join(dir, ignored[0]))
	if err != nil || !opened() {
		t.Errorf("an open is not seen: %v", err)
	}
	f.Close()
}
