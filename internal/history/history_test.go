package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// made is a repository with one commit of some files.
func made(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	kit.Git(t, dir, "init", "-q", "-b", "main")
	commitAll(t, dir, files)
	return dir
}

func commitAll(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	kit.Tree(t, dir, files)
	kit.Git(t, dir, "add", "-A")
	kit.Git(t, dir, "commit", "-q", "-m", "secret commit")
	return strings.TrimSpace(kit.Git(t, dir, "rev-parse", "HEAD"))
}

// asks asks everything about a folder, each within a time that no honest repository takes.
func asks(t *testing.T, root, hash string) map[string]error {
	t.Helper()
	got := map[string]error{}
	for name, ask := range map[string]func() error{
		"log":   func() error { _, err := Log(t.Context(), root, time.Time{}); return err },
		"patch": func() error { _, err := Patch(t.Context(), root, hash); return err },
		"diff":  func() error { _, err := Diff(t.Context(), root, "", hash, hash); return err },
		"blame": func() error { _, err := Blame(root, "a.txt"); return err },
		"branch": func() error {
			if Branch(root) == "" {
				return errors.New("none")
			}
			return nil
		},
	} {
		done := make(chan error, 1)
		go func() { done <- ask() }()
		select {
		case err := <-done:
			got[name] = err
		case <-time.After(20 * time.Second):
			t.Fatalf("%s did not end", name)
		}
	}
	return got
}

// What a linked work tree, a submodule and a folder inside show is their own; a .git that leads to a repository which does not know of the
// folder shows nothing.
func TestWhoseHistory(t *testing.T) {
	dir := made(t, map[string]string{"a.txt": "1\n", "sub/b.txt": "2\n"})
	hash := strings.TrimSpace(kit.Git(t, dir, "rev-parse", "HEAD"))
	linked := filepath.Join(t.TempDir(), "linked")
	kit.Git(t, dir, "worktree", "add", "-q", linked, "-b", "side")
	super := made(t, map[string]string{"x": "x\n"})
	kit.Git(t, super, "-c", "protocol.file.allow=always", "submodule", "add", "-q", dir, "mod")
	for _, own := range []string{dir, filepath.Join(dir, "sub"), linked, filepath.Join(super, "mod")} {
		for name, err := range asks(t, own, hash) {
			if err != nil {
				t.Errorf("%s of %s: %v", name, own, err)
			}
		}
	}
	write := func(name, text string) string {
		foreign := made(t, map[string]string{"a.txt": "mine\n"})
		p := filepath.Join(foreign, name)
		if name == ".git" {
			kit.Must(t, os.RemoveAll(p))
		}
		kit.Write(t, p, text)
		return foreign
	}
	for _, foreign := range []string{
		write(".git", "gitdir: "+filepath.Join(dir, ".git")+"\n"), write(".git/commondir", filepath.Join(dir, ".git")+"\n"),
		write(".git", "gitdir: "+filepath.Join(dir, ".git", "worktrees", "linked")+"\n"),
	} {
		for name, err := range asks(t, foreign, hash) {
			if err == nil {
				t.Errorf("%s of a foreign folder is told", name)
			}
		}
	}
}

// The log of a shallow clone ends where the clone ends. A folder of objects that is a link is refused: it may lead to another repository.
func TestShallow(t *testing.T) {
	dir := made(t, map[string]string{"a.txt": "1\n"})
	commitAll(t, dir, map[string]string{"a.txt": "2\n"})
	hash := commitAll(t, dir, map[string]string{"a.txt": "3\n"})
	shallow := filepath.Join(t.TempDir(), "shallow")
	kit.Git(t, dir, "clone", "-q", "--depth", "2", "file://"+filepath.ToSlash(dir), shallow)
	if list, err := Log(t.Context(), shallow, time.Time{}); err != nil || len(list) != 2 || list[0].Hash != hash {
		t.Errorf("%v, %v", list, err)
	}
	if text, err := Patch(t.Context(), shallow, hash); err != nil || !strings.Contains(text, "+3") {
		t.Errorf("%v: %s", err, text)
	}
	if lines, err := Blame(shallow, "a.txt"); err != nil || len(lines) != 1 || lines[0].Hash != hash {
		t.Errorf("blame: %v, %v", lines, err)
	}
	linked := made(t, map[string]string{"a.txt": "mine\n"})
	kit.Must(t, errors.Join(os.RemoveAll(filepath.Join(linked, ".git/objects")), os.Symlink(filepath.Join(dir, ".git/objects"), filepath.Join(linked, ".git/objects"))))
	for name, err := range asks(t, linked, hash) {
		if err == nil {
			t.Errorf("%s of foreign objects is told", name)
		}
	}
}

// Repositories with long names of objects have a history and patches; blame says why it has none.
func TestLongNames(t *testing.T) {
	dir := t.TempDir()
	kit.Git(t, dir, "init", "-q", "-b", "main", "--object-format=sha256")
	hash := commitAll(t, dir, map[string]string{"a.txt": "1\n"})
	if list, err := Log(t.Context(), dir, time.Time{}); err != nil || len(list) != 1 || list[0].Hash != hash || list[0].Title+list[0].Author != "secret commita" {
		t.Errorf("%v, %v", list, err)
	}
	if text, err := Patch(t.Context(), dir, hash); err != nil || !strings.Contains(text, "+1") {
		t.Errorf("%v: %s", err, text)
	}
	if _, err := Blame(dir, "a.txt"); !errors.Is(err, errHashes) {
		t.Errorf("blame: %v", err)
	}
}

// Long texts and large files take neither time nor memory: what is not shown is not compared.
func TestLongHistory(t *testing.T) {
	var a, b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&a, "a %d\n", i)
		fmt.Fprintf(&b, "%d b\n", (i*7919)%100_000)
	}
	dir := made(t, map[string]string{"big.txt": a.String(), "a.txt": "1\n"})
	hash := commitAll(t, dir, map[string]string{"big.txt": b.String(), "a.txt": strings.Repeat("\x00", 40<<20), "c.txt": strings.Repeat("line\n", 10)})
	text, err := Patch(t.Context(), dir, hash)
	if err != nil || len(text) > maxPatch+100 || !strings.Contains(text, "Binary files a/a.txt and b/a.txt differ") || !strings.Contains(text, "… the rest is not shown") {
		t.Errorf("%v, %d bytes: %.300s", err, len(text), text)
	}
	if _, err := Blame(dir, "a.txt"); err == nil {
		t.Error("blame of 40 MB")
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Patch(gone, dir, hash); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits: %v", err)
	}
}

// A folder whose name has a control character is shown as any other.
func TestOddNames(t *testing.T) {
	dir := made(t, map[string]string{"a.txt": "1\n"})
	hash := commitAll(t, dir, map[string]string{"od\x01d/b.txt": "two\n", "한글/가.txt": "셋\n"})
	text, err := Patch(t.Context(), dir, hash)
	if err != nil || !strings.Contains(text, "+two") || !strings.Contains(text, "+++ b/한글/가.txt") {
		t.Errorf("%v: %s", err, text)
	}
}
