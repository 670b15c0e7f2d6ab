// Package thirdparty has no code of its own: its test holds that the copies here
// are what the modules in go.mod hold.
package thirdparty

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "mvdan.cc/sh/v3/syntax" // keeps the version in go.mod, where tools look for it
)

// TestCopies fails after `go get mvdan.cc/sh/v3@…` until third_party/update has run,
// and when somebody has changed a copy by hand.
func TestCopies(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "mvdan.cc/sh/v3").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	module := strings.TrimSpace(string(out))
	if module == "" {
		t.Skip("the module is not downloaded")
	}
	files, err := filepath.Glob("sh/syntax/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no copies found: %v", err)
	}
	for _, file := range files {
		copied, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		original, err := os.ReadFile(filepath.Join(module, "syntax", filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		// `go generate ./...` is how rules are built; it must not stop here for tools that only the module has.
		original = bytes.ReplaceAll(original, []byte("\n//go:generate"), []byte("\n// go:generate"))
		if !bytes.Equal(copied, original) {
			t.Errorf("%s is not what %s holds; run third_party/update", file, module)
		}
	}
}
