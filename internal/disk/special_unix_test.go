//go:build unix

package disk_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// TestNothingIsWaitedFor: a FIFO that nobody writes to and a device without end are refused at once, however they are asked for.
func TestNothingIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip("no pipes here:", err)
	}
	link(t, "/dev/zero", filepath.Join(dir, "zero"))
	d, err := disk.OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	root := disk.NewRoot(dir)
	defer root.Close()
	ways := map[string]func(name string) error{
		"Folder.File": func(name string) error { _, _, err := d.File(name); return err },
		"Folder.Open": func(name string) error { _, err := d.Open(name); return err },
		"Open":        func(name string) error { _, err := disk.Open(filepath.Join(dir, name)); return err },
		"OpenFile":    func(name string) error { _, _, err := disk.OpenFile(filepath.Join(dir, name)); return err },
		"OpenPlain":   func(name string) error { _, _, err := disk.OpenPlain(filepath.Join(dir, name)); return err },
		"ReadFile":    func(name string) error { _, _, err := disk.ReadFile(filepath.Join(dir, name), 1<<20); return err },
		"ReadItself":  func(name string) error { _, err := disk.ReadItself(filepath.Join(dir, name), 1<<20); return err },
		"ReadHead":    func(name string) error { _, _, err := disk.ReadHead(filepath.Join(dir, name), 1<<20); return err },
		"Map":         func(name string) error { _, _, _, err := disk.Map(filepath.Join(dir, name), true); return err },
		"Root.File":   func(name string) error { _, _, err := root.File(name, 1<<20); return err },
		"Root.Head": func(name string) error {
			if root.Head(name, make([]byte, 10)) > 0 {
				return nil
			}
			return disk.ErrNotRegular
		},
	}
	for way, f := range ways {
		for _, name := range []string{"pipe", "zero"} {
			done := make(chan error, 1)
			go func() { done <- f(name) }()
			select {
			case err := <-done:
				if err == nil {
					t.Errorf("%s(%s) = nil, want an error", way, name)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%s(%s) waits", way, name)
			}
		}
	}
}
