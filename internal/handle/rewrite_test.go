package handle

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// Whatever somebody does to a file after it was read, it is not written, and theirs stays.
func TestReplaceOnlyWhatWasRead(t *testing.T) {
	write := func(path, text string) {
		t.Helper()
		kit.Must(t, os.WriteFile(path, []byte(text), 0o640))
	}
	for name, row := range map[string]struct {
		meanwhile func(path string)
		want      string
		changed   bool
	}{
		"nothing":   {func(string) {}, "formatted", false},
		"shorter":   {func(p string) { write(p, "x") }, "x", true},
		"longer":    {func(p string) { write(p, "what was read and more") }, "what was read and more", true},
		"emptied":   {func(p string) { write(p, "") }, "", true},
		"same size": {func(p string) { write(p, "WHAT WAS READ") }, "WHAT WAS READ", true},
		"renamed over": {func(p string) {
			write(p+"~", "theirs")
			_ = os.Rename(p+"~", p)
		}, "theirs", true},
		"saved again":     {func(p string) { write(p+"~", "what was read"); _ = os.Rename(p+"~", p) }, "what was read", true},
		"other mode":      {func(p string) { _ = os.Chmod(p, 0o600) }, "what was read", true},
		"link in between": {func(p string) { write(p+"~", "linked"); _ = os.Remove(p); _ = os.Symlink(p+"~", p) }, "linked", true},
		"gone":            {func(p string) { _ = os.Remove(p) }, "", true},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.js")
		write(path, "what was read")
		was, err := readOriginal(path)
		if err != nil {
			t.Fatal(err)
		}
		row.meanwhile(path)
		if err := was.replace([]byte("formatted")); errors.Is(err, errChanged) != row.changed {
			t.Errorf("%s: %v", name, err)
		}
		got, _ := os.ReadFile(path)
		if string(got) != row.want {
			t.Errorf("%s: %q is left, want %q", name, got, row.want)
		}
		if info, err := os.Stat(path); !row.changed && (err != nil || info.Mode().Perm() != was.info.Mode().Perm()) {
			t.Errorf("%s: mode %v", name, info.Mode())
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".moai-*")); len(left) > 0 {
			t.Errorf("%s: %q is left", name, left)
		}
	}
}

// What is gone comes back, and takes the place of nothing.
func TestRestore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.js")
	kit.Must(t, os.WriteFile(path, []byte("was"), 0o600))
	was, err := readOriginal(path)
	if err != nil {
		t.Fatal(err)
	}
	if was.restore() == nil {
		t.Error("restored over a file")
	}
	kit.Must(t, os.Remove(path))
	if err := was.restore(); err != nil || !bytesAt(path, "was") {
		t.Errorf("not restored: %v", err)
	}
}

func bytesAt(path, want string) bool {
	got, err := os.ReadFile(path)
	return err == nil && string(got) == want
}
