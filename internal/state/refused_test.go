package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// Where the place of state is taken by a file, every way to write says so, and nothing is left beside it.
func TestPlaceTakenByAFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	kit.Must(t, os.WriteFile(file, nil, 0o600))
	inside := filepath.Join(file, "folder", "x.json")
	nowhere := filepath.Join(dir, "nowhere")
	if err := os.Symlink(filepath.Join(dir, "gone", "far"), nowhere); err != nil {
		t.Skip("no links here:", err)
	}
	for name, err := range map[string]error{
		"Write":                           Write(inside, 1),
		"Replace":                         Replace(filepath.Join(file, "x"), nil),
		"Replace below a link to nowhere": Replace(filepath.Join(nowhere, "x"), nil),
		"Locked":                          Locked(inside, func() error { return nil }),
		"Update":                          Update(inside, 0, func(*int) bool { return true }),
	} {
		if err == nil {
			t.Errorf("%s below a file = nil, want an error", name)
		}
	}
	if err := Write(filepath.Join(dir, "x.json"), func() {}); err == nil || !strings.Contains(err.Error(), "encode state") {
		t.Errorf("Write of what JSON cannot hold = %v", err)
	}
	folder := filepath.Join(dir, "folder")
	kit.Must(t, os.MkdirAll(filepath.Join(folder, "in"), 0o700))
	if err := Replace(folder, []byte("x")); err == nil {
		t.Error("Replace of a folder = nil, want an error")
	}
	if err := Locked(folder, func() error { return nil }); err == nil {
		t.Error("Locked at a folder = nil, want an error")
	}
	left, err := filepath.Glob(filepath.Join(dir, ".tmp-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Whose turn does not come in time is told that it is busy, and holds nothing up afterwards.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	held, err := take(path, time.Now().Add(time.Second))
	kit.Must(t, err)
	if _, err := take(path, time.Now().Add(20*time.Millisecond)); !errors.Is(err, ErrBusy) {
		t.Errorf("take = %v, want ErrBusy", err)
	}
	kit.Must(t, held.Unlock())
	again, err := take(path, time.Now().Add(5*time.Second))
	if err != nil {
		t.Fatalf("take after all = %v", err)
	}
	// A file that is swept away under the lock is another one for those that come later.
	if err := os.Remove(path); err != nil {
		t.Skip("an open file cannot be removed here:", err)
	}
	if current(again, path) {
		t.Error("a lock whose file is gone counts as the current one")
	}
	if other, err := take(path, time.Now().Add(time.Second)); err != nil || !current(other, path) {
		t.Errorf("take of the new file = %v", err)
	}
}

// What depends on where one stands, and what lies deeper than anybody looks, is nobody's choice.
func TestDoubt(t *testing.T) {
	dir := t.TempDir()
	a := Asked{Account: dir, Projects: []string{filepath.Join(dir, strings.Repeat("p"+string(filepath.Separator), 200))}}
	for path, want := range map[string]string{
		"relative/path": "depends on the working directory",
		dir:             "", // a project that lies too deep is no reason
		filepath.Join(dir, strings.Repeat("d"+string(filepath.Separator), 200)): "lies too deep to be looked at",
	} {
		if got := a.Doubt(path); got != want {
			t.Errorf("Doubt(%.40q) = %q, want %q", path, got, want)
		}
	}
}
