package ground

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/work"
)

// TestSource: what is read is a text of the project that is not too long, whatever a stranger has put there.
func TestSource(t *testing.T) {
	out, dir := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		t.Helper()
		kit.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	write(filepath.Join(out, "secret"), "rm -rf x")
	for name, text := range map[string]string{
		"plain": "rm x\n", "full": strings.Repeat("a", maxSource), "long": strings.Repeat("a", maxSource+1), "huge": strings.Repeat("ls\n", 4<<20),
		"nul": "rm\x00x", "utf16": "\xff\xfer\x00m\x00", "latin": "echo \xe4\n", "program": "\x7fELF\x01\x02\xff\xfe", "empty": "",
	} {
		write(at(name), text)
	}
	for name, to := range map[string]string{"out": filepath.Join(out, "secret"), "passwd": "/etc/passwd", "up": "../../../../../../../etc/passwd", "near": "plain", "self": "self"} {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	pipe(t, at("fifo"))
	for name, want := range map[string]bool{
		"plain": true, "full": true, "latin": true, "empty": true, "near": true, "nul": true, "utf16": true, "long": false, "huge": false, "program": false,
		"out": false, "passwd": false, "up": false, "self": false, "fifo": false, ".": false, "missing": false, "../x": false,
	} {
		if text, ok := New(dir, work.New(work.Disk)).Source(at(name)); ok != want {
			t.Errorf("%s: %d bytes, %v, want %v", name, len(text), ok, want)
		}
	}
	spent := work.New(10)
	if _, ok := New(dir, spent).Source(at("plain")); ok {
		t.Error("a file was read without work to do so")
	}
	if _, ok := New(dir, work.New(work.Disk)).Source("/dev/zero"); ok {
		t.Error("a device was read")
	}
}
