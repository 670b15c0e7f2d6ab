package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// stats runs a verb of moaid's, beside this test, and gives what is said.
func stats(t *testing.T) (code int, said string) {
	t.Helper()
	var out, errs bytes.Buffer
	home := t.TempDir()
	code = Run([]string{"stats"}, &env{in: strings.NewReader(""), out: &out, err: &errs, dir: t.TempDir(), getenv: func(name string) string {
		if name == "HOME" || name == "USERPROFILE" {
			return home
		}
		return ""
	}})
	return code, errs.String()
}

// Where moaid is missing, that is one line, and what makes it.
func TestWithoutSecond(t *testing.T) {
	code, said := stats(t)
	if code != exitNo || !strings.Contains(said, "needs the program moaid beside this one") || !strings.Contains(said, "moai: hint: make install (or: go install ./cmd/...)") {
		t.Errorf("moai stats = %d, %q", code, said)
	}
}

// One that may not be started is named, with what lets it.
func TestSecondMayNotStart(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such permission")
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	kit.Must(t, err)
	program := filepath.Join(filepath.Dir(self), secondProgram)
	if err := os.WriteFile(program, nil, 0o600); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(program) })
	code, said := stats(t)
	if code != exitNo || !strings.Contains(said, "needs the program "+program+", which cannot be started") || !strings.Contains(said, "moai: hint: chmod +x "+program) {
		t.Errorf("moai stats = %d, %q", code, said)
	}
	kit.Must(t, os.Remove(program))
	kit.Must(t, os.Mkdir(program, 0o700))
	if code, said := stats(t); code != exitNo || !strings.Contains(said, "moai: hint: make install") {
		t.Errorf("moai stats = %d, %q", code, said)
	}
}
