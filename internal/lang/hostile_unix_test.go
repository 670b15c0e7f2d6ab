//go:build unix

package lang_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/lang"
)

// TestHostile: a tree that is made to hang, to blow up or to lead out gives an
// answer in time, from the walk and from an index that lies about its files.
func TestHostile(t *testing.T) {
	needGit(t)
	outside := t.TempDir()
	secret := put(t, outside, "go.mod", "module secret\n\ngo 9.9\n")
	dir := t.TempDir()
	put(t, dir, "real.rb", "puts 1\n")
	put(t, dir, "a.h", "int a;\n")
	put(t, dir, "sub/b.h", "int b;\n")
	put(t, dir, "tool", "#!/bin/sh\n")
	put(t, dir, "odd\xff\xfe.py", "a = 1\n")
	put(t, dir, "huge.js", "let a = 1;\n")
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")

	// After the index was written, everything turns into something else.
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink(secret, filepath.Join(dir, "go.mod")))
	must(os.Remove(filepath.Join(dir, "a.h")))
	if err := syscall.Mkfifo(filepath.Join(dir, "a.h"), 0o644); err != nil {
		t.Skip("no FIFOs here:", err)
	}
	must(syscall.Mkfifo(filepath.Join(dir, "package.json"), 0o644))
	must(syscall.Mkfifo(filepath.Join(dir, ".gitattributes"), 0o644))
	must(os.RemoveAll(filepath.Join(dir, "sub")))
	must(os.Symlink(outside, filepath.Join(dir, "sub")))
	must(os.Truncate(filepath.Join(dir, "huge.js"), 10<<30))
	must(os.Mkdir(filepath.Join(dir, "pyproject.toml"), 0o755))

	for _, source := range []string{"git index", "folder walk"} {
		if source == "folder walk" {
			must(os.RemoveAll(filepath.Join(dir, ".git")))
		}
		done := make(chan *lang.Report, 1)
		go func() { done <- detect(t, dir, lang.Options{Projects: true}) }()
		select {
		case r := <-done:
			if r.Source != source {
				t.Errorf("source = %q, want %q", r.Source, source)
			}
			if l := r.Language("go"); l != nil && l.Version != "" {
				t.Errorf("%s: version %q was read through a link that leads out", source, l.Version)
			}
			if r.Language("ruby") == nil || r.Language("python") == nil {
				t.Errorf("%s: %q, want ruby and python among them", source, ids(r))
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: no answer in 10 s", source)
		}
	}
}

// TestLongListing: a root with very many names is cut, not read for ever.
func TestLongListing(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many files")
	}
	dir := t.TempDir()
	for i := range 3000 {
		put(t, dir, strings.Repeat("x", i%200)+string(rune('a'+i%26))+"/f.go", "package f\n")
	}
	start := time.Now()
	r := detect(t, dir, lang.Options{})
	if r.Title() != "Go" || time.Since(start) > 5*time.Second {
		t.Errorf("%s in %v", r.Title(), time.Since(start))
	}
}

// TestUnreadable: a folder that may not be listed is said, by the walk and beside
// the tracked files, and the rest counts.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := t.TempDir()
	put(t, dir, "main.go", "package main\n")
	put(t, dir, "closed/x/y.py", "import os\n")
	closed := filepath.Join(dir, "closed", "x")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	for _, tracked := range []bool{false, true} {
		if tracked {
			needGit(t)
			git(t, dir, "init", "-q")
			git(t, dir, "add", "main.go")
		}
		r := detect(t, dir, lang.Options{})
		if ids(r) != "go" || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "1 folder cannot be read") {
			t.Errorf("tracked %t: %s, notes %q", tracked, ids(r), r.Notes)
		}
	}
}
