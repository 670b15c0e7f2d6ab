package lang_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/lang"
)

// TestCheckouts: whatever form Git keeps a checkout in, the answer is that of its
// tracked files: three of Go (36 bytes), two of Python (20 bytes).
func TestCheckouts(t *testing.T) {
	needGit(t)
	const usual = "go 3 36, python 2 20"
	for _, c := range []struct {
		name, want string
		note       string // must be said
		format     string
		change     func(t *testing.T, dir string) (ask string)
	}{
		{name: "plain", want: usual},
		{name: "sha256", want: usual, format: "sha256"},
		{name: "version 4", want: usual, change: func(t *testing.T, dir string) string {
			git(t, dir, "update-index", "--index-version=4")
			return dir
		}},
		{name: "split index", want: usual, change: func(t *testing.T, dir string) string {
			git(t, dir, "update-index", "--split-index")
			return dir
		}},
		{name: "split index, changed since", want: "go 4 48, python 1 10", change: func(t *testing.T, dir string) string {
			git(t, dir, "update-index", "--split-index")
			put(t, dir, "a/new.go", "package a//\n")
			git(t, dir, "add", "a/new.go")
			git(t, dir, "rm", "-q", "--cached", "b/y.py")
			return dir
		}},
		{name: "sha256, split index, version 4", want: usual, format: "sha256", change: func(t *testing.T, dir string) string {
			git(t, dir, "update-index", "--index-version=4")
			git(t, dir, "update-index", "--split-index")
			return dir
		}},
		{name: "sparse checkout", want: usual, change: func(t *testing.T, dir string) string {
			git(t, dir, "sparse-checkout", "set", "a")
			return dir
		}},
		// A sparse index stands for b with one entry: what is in it is not known.
		{name: "sparse index", want: "go 3 36", note: "sparse", change: func(t *testing.T, dir string) string {
			git(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "a")
			return dir
		}},
		{name: "intent to add", want: "go 4 47, python 2 20", change: func(t *testing.T, dir string) string {
			put(t, dir, "a/later.go", "package a/\n")
			git(t, dir, "add", "-N", "a/later.go")
			return dir
		}},
		{name: "skip-worktree and assume-unchanged", want: usual, change: func(t *testing.T, dir string) string {
			git(t, dir, "update-index", "--skip-worktree", "a/one.go")
			git(t, dir, "update-index", "--assume-unchanged", "a/two.go")
			return dir
		}},
		{name: "conflict", want: usual, change: func(t *testing.T, dir string) string {
			for _, branch := range []string{"ours", "theirs"} {
				git(t, dir, "checkout", "-q", "-b", branch, "main")
				put(t, dir, "a/one.go", "package a//\n"+strings.Repeat("/", len(branch)))
				git(t, dir, "commit", "-qam", branch)
			}
			c := exec.Command("git", "merge", "-q", "ours")
			c.Dir = dir
			if err := c.Run(); err == nil {
				t.Fatal("the merge has no conflict")
			}
			put(t, dir, "a/one.go", "package a//\n") // stages have no size: the file has
			return dir
		}},
		{name: "linked work tree", want: "go 4 48, python 2 20", change: func(t *testing.T, dir string) string {
			other := filepath.Join(t.TempDir(), "other")
			git(t, dir, "worktree", "add", "-q", other)
			put(t, other, "a/more.go", "package a//\n")
			git(t, other, "add", ".")
			return other
		}},
		{name: "folder of a repository", want: "go 3 36", change: func(_ *testing.T, dir string) string { return filepath.Join(dir, "a") }},
		// What a submodule holds belongs to the submodule.
		{name: "with a submodule", want: usual, change: func(t *testing.T, dir string) string {
			git(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library(t), "lib")
			return dir
		}},
		{name: "a submodule", want: "rust 1 13", change: func(t *testing.T, dir string) string {
			git(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library(t), "lib")
			return filepath.Join(dir, "lib")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range []string{"a/one.go", "a/two.go", "a/three.go"} {
				put(t, dir, f, "package a//\n")
			}
			put(t, dir, "b/x.py", "import os\n")
			put(t, dir, "b/y.py", "import io\n")
			git(t, dir, "init", "-q", "-b", "main", "--object-format="+orSHA1(c.format))
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-qm", "start")
			ask := dir
			if c.change != nil {
				ask = c.change(t, dir)
			}
			r := detect(t, ask, lang.Options{})
			var got []string
			for _, l := range r.Languages {
				if l.Kind == "programming" {
					got = append(got, fmt.Sprintf("%s %d %d", l.ID, l.Files, l.Bytes))
				}
			}
			if text := strings.Join(got, ", "); text != c.want || r.Source != "git index" {
				t.Errorf("%s (%s), want %s (git index)", text, r.Source, c.want)
			}
			if notes := strings.Join(r.Notes, "\n"); c.note == "" && notes != "" || !strings.Contains(notes, c.note) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}

func orSHA1(format string) string {
	if format == "" {
		return "sha1"
	}
	return format
}

// library is a repository of one Rust file.
func library(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "src/lib.rs", "fn main() {}\n")
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "start")
	return dir
}
