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
	e, _, errs := testEnv(t, strings.NewReader(""), nil)
	long := t.TempDir() + strings.Repeat("/"+strings.Repeat("d", 200), 400)
	for _, verb := range []string{"detect", "tags"} {
		code := Run([]string{verb, long}, e)
		if code != exitNo || !strings.Contains(errs.String(), "longer than the system takes") || errs.Len() > 200 {
			t.Errorf("%s of a path of %d bytes: exit %d, %.300s, want one line that says so", verb, len(long), code, errs)
		}
		errs.Reset()
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
	r, err := e.detect(dir, &detectFlags{fresh: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.showTools(&r.Tools, "  ", false)
	e.showVersions(r)
	if got := out.String(); !strings.Contains(got, "csproj") || strings.Contains(got, "\x1b[31m") {
		t.Errorf("shown: %q", got)
	}
}
