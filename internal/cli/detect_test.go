package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDetectLongPath: a folder whose path is longer than any system takes is said
// to be that, in one line that does not repeat the path.
func TestDetectLongPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows takes such a path for one that is not there")
	}
	e, _, _ := testEnv(t, strings.NewReader(""), nil)
	long := t.TempDir() + strings.Repeat("/"+strings.Repeat("d", 200), 400)
	_, err := e.detect(long, &detectFlags{fresh: true})
	if err == nil || !strings.Contains(err.Error(), "longer than the system takes") || len(err.Error()) > 200 {
		t.Errorf("detect of a path of %d bytes: %.300v, want one line that says so", len(long), err)
	}
}

// Names of files stand in what is told of tools and versions, and a repository may hold any.
func TestDetectShowsNoEscapes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x\x1b[31m.csproj"), []byte("<Project><TargetFramework>net8.0</TargetFramework></Project>"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, out, _ := testEnv(t, strings.NewReader(""), nil)
	r, err := e.detect(dir, &detectFlags{fresh: true})
	if err != nil {
		t.Fatal(err)
	}
	e.showTools(&r.Tools, "  ", false)
	e.showVersions(r)
	if got := out.String(); !strings.Contains(got, "csproj") || strings.Contains(got, "\x1b[31m") {
		t.Errorf("shown: %q", got)
	}
}
