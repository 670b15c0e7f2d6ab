package repo_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
)

// tree is a work tree that is saved, destroyed and restored.
type tree struct {
	*testing.T
	dir string // where git is asked
	top string // where the files are: core.worktree
}

func (w *tree) try(env []string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir, c.Env = w.dir, append(os.Environ(), env...)
	out, err := c.Output()
	return string(out), err
}

func (w *tree) git(args ...string) string {
	w.Helper()
	out, err := w.try(nil, args...)
	if err != nil {
		w.Fatalf("git %v: %v", args, err)
	}
	return out
}

func (w *tree) status() string {
	return w.git("--no-optional-locks", "status", "--porcelain", "-z", "-uall")
}

// files are those that git would take, as "mode content".
func (w *tree) files() map[string]string {
	out := map[string]string{}
	for _, name := range strings.Split(w.git("ls-files", "-co", "--exclude-standard", "-z"), "\x00") {
		full := filepath.Join(w.top, name)
		fi, err := os.Lstat(full)
		switch {
		case name == "" || err != nil || fi.IsDir():
		case fi.Mode()&os.ModeSymlink != 0:
			target, _ := os.Readlink(full)
			out[name] = "link " + target
		case fi.Mode().IsRegular():
			b, err := os.ReadFile(full)
			kit.Must(w, err)
			out[name] = fmt.Sprintf("%v %q", fi.Mode(), b)
		}
	}
	return out
}

// gitTree is what git's own snapshot gives, by an index that keeps the time of the real one; "" where git converts or was told not
// to look, and so does not take what is on disk.
func (w *tree) gitTree() string {
	flags := w.git("ls-files", "-v")
	crlf, _ := w.try(nil, "config", "core.autocrlf")
	if crlf != "" {
		return ""
	}
	for line := range strings.Lines(flags) {
		if line[0] != 'H' && line[0] != 'M' || strings.Contains(line, ".gitattributes") {
			return ""
		}
	}
	at := strings.TrimSpace(w.git("rev-parse", "--path-format=absolute", "--git-path", "index"))
	tmp := at + ".copy"
	defer os.Remove(tmp)
	if b, err := os.ReadFile(at); err == nil {
		fi, _ := os.Stat(at)
		if os.WriteFile(tmp, b, 0o666) != nil || os.Chtimes(tmp, fi.ModTime(), fi.ModTime()) != nil {
			w.Fatal("no copy of the index")
		}
	}
	env := []string{"GIT_INDEX_FILE=" + tmp}
	_, _ = w.try(env, "add", "-A", "--ignore-errors")
	// With core.ignoreCase Git hides a file whose name differs from a tracked one in its letters alone. A checkpoint holds it.
	if _, err := os.Lstat(filepath.Join(w.top, "A.TXT")); err == nil {
		_, _ = w.try(env, "-c", "core.ignoreCase=false", "add", "A.TXT")
	}
	out, err := w.try(env, "write-tree")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// TestMatrixOfCheckpoints saves each situation of the matrix, destroys it, and brings it back.
func TestMatrixOfCheckpoints(t *testing.T) {
	compared := 0
	repo.Situations(t, func(t *testing.T, name, dir string) {
		w := &tree{T: t, dir: dir}
		w.top = strings.TrimSuffix(w.git("rev-parse", "--show-toplevel"), "\n")
		status, files, want := w.status(), w.files(), w.gitTree()
		r, err := repo.Open(dir)
		kit.Must(t, err)
		c, err := checkpoint.Create(context.Background(), r, checkpoint.CreateOptions{Operation: "rm", Branch: true, NoLog: true, NoSync: true})
		kit.Must(t, err)
		if now := w.status(); now != status {
			t.Errorf("a checkpoint changed the status from %q to %q", status, now)
		}
		if want != "" {
			if compared++; c.Tree.String() != want {
				t.Errorf("tree %s, git has %s\n%s", c.Tree, want, w.git("diff", "--raw", want, c.Tree.String()))
			}
		}
		for name := range files {
			kit.Must(t, os.Remove(filepath.Join(w.top, name)))
		}
		index := name != "index.lock held"
		if index {
			_, _ = w.try(nil, "reset", "-q")
		}
		if c, err = checkpoint.Find(r, c.Name); err != nil {
			t.Fatal(err)
		}
		o := checkpoint.RestoreOptions{Index: index, NoLog: true, NoSync: true}
		p, err := checkpoint.MakePlan(context.Background(), r, c, nil, o)
		kit.Must(t, err)
		res, err := checkpoint.Restore(context.Background(), r, p)
		kit.Must(t, err)
		for _, k := range res.Failed {
			t.Logf("not restored: %s (%s)", k.Path, k.Why)
		}
		if now := w.files(); !maps.Equal(now, files) {
			for _, name := range slices.Sorted(maps.Keys(files)) {
				if now[name] != files[name] {
					t.Errorf("%s is %s, was %s", name, now[name], files[name])
				}
			}
		}
		if now := w.status(); now != status {
			t.Errorf("status is %q, was %q", now, status)
		}
		// Git itself makes trees in which its fsck finds fault: a folder of the name .gitattributes.
		if out, err := w.try(nil, "fsck", "--strict", "--no-dangling"); err != nil && !strings.HasPrefix(name, "attributes file replaced") {
			t.Errorf("fsck: %v %s", err, out)
		}
	})
	if compared < 60 {
		t.Errorf("only %d trees compared with git's", compared)
	}
}
