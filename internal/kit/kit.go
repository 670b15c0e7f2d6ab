// Package kit is what tests of many packages need: files, Git, and an end to a test whose preparation fails.
//
// Its invariant: tests alone import it, and nothing in it can be what a test is about.
package kit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Must ends the test with an error of its preparation.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Write makes a file, and the folders above it.
func Write(t testing.TB, path, text string) {
	t.Helper()
	Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	Must(t, os.WriteFile(path, []byte(text), 0o644))
}

// Tree makes files below a folder. Their names have slashes; one that ends in a slash is a folder.
func Tree(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			Must(t, os.MkdirAll(path, 0o755))
			continue
		}
		Write(t, path, text)
	}
}

// Read is what a file holds.
func Read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	Must(t, err)
	return string(data)
}

// Dir is a folder that goes with the test, with its links followed: on some systems the one of the testing package has some.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	Must(t, err)
	return dir
}

// Git runs git in a folder and returns what it prints. It reads no configuration of the user or of the system. The test is skipped
// on a machine without Git.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	const own = "-c user.name=a -c user.email=a@example.invalid -c init.defaultBranch=main -c protocol.file.allow=always"
	c := exec.Command("git", append(strings.Fields(own), args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Flood fills a folder with more patterns for Git to ignore, and untracked files, than are compared. None of the patterns is about any of the files.
func Flood(t testing.TB, dir string) {
	t.Helper()
	var list strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&list, "*a%d*b*c*%d*\n", i, i)
	}
	Write(t, filepath.Join(dir, ".gitignore"), list.String())
	for i := range 800 {
		Write(t, filepath.Join(dir, "src", fmt.Sprintf("%d_%s.txt", i, strings.Repeat("abc", 12))), "x\n")
	}
}
