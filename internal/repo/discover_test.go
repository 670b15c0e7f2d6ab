package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func TestOpenDeclines(t *testing.T) {
	home := sandbox(t)
	for _, c := range []struct {
		name   string
		setup  func(dir string)
		reason string // part of the message; "" means that it opens
	}{
		{"reftable", func(dir string) {
			git(t, dir, "config", "core.repositoryformatversion", "1")
			git(t, dir, "config", "extensions.refStorage", "reftable")
		}, "stored as reftable"},
		{"unknown extension", func(dir string) {
			git(t, dir, "config", "core.repositoryformatversion", "1")
			git(t, dir, "config", "extensions.somethingNew", "true")
		}, "it has extensions.somethingnew set"},
		{"unknown extension in version 0", func(dir string) { git(t, dir, "config", "extensions.somethingNew", "true") }, ""},
		{"object format in version 0", func(dir string) { git(t, dir, "config", "extensions.objectFormat", "sha256") }, "repositoryFormatVersion is 0"},
		{"version 2", func(dir string) { git(t, dir, "config", "core.repositoryformatversion", "2") }, "its format version is 2"},
		{"noop", func(dir string) {
			git(t, dir, "config", "core.repositoryformatversion", "1")
			git(t, dir, "config", "extensions.noop", "true")
		}, ""},
		{"git file to nowhere", func(dir string) {
			must(t, os.RemoveAll(filepath.Join(dir, ".git")))
			write(t, filepath.Join(dir, ".git"), "gitdir: ../none\n")
		}, "points at"},
		{"git file with something else", func(dir string) {
			must(t, os.RemoveAll(filepath.Join(dir, ".git")))
			write(t, filepath.Join(dir, ".git"), "hello\n")
		}, "gitdir: "},
		{"HEAD is something else", func(dir string) { write(t, filepath.Join(dir, ".git/HEAD"), "hello\n") }, "its HEAD cannot be read"},
		{"HEAD is empty", func(dir string) { write(t, filepath.Join(dir, ".git/HEAD"), "") }, "its HEAD cannot be read"},
		{"no HEAD", func(dir string) { must(t, os.Remove(filepath.Join(dir, ".git/HEAD"))) }, "it has no HEAD"},
		{"no objects", func(dir string) { must(t, os.RemoveAll(filepath.Join(dir, ".git/objects"))) }, "it lacks its folders"},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			dir := filepath.Join(home, c.name)
			write(t, filepath.Join(dir, "f"), "")
			git(t, dir, "init", "-q", "--template=", ".")
			c.setup(dir)
			_, gitErr := tryGit(dir, "status")
			_, err := Open(dir)
			var declined *Declined
			switch {
			case c.reason == "" && err != nil:
				t.Errorf("Open: %v, want it open", err)
			case c.reason != "" && (!errors.As(err, &declined) || !strings.Contains(err.Error(), c.reason)):
				t.Errorf("Open: %v, want a reason with %q", err, c.reason)
			case strings.ContainsRune(c.reason, '\n'):
				t.Errorf("Open: %q is more than a line", err)
			}
			// Git 2.39 knows no reftable; in every other case it must agree.
			if (gitErr != nil) != (c.reason != "") {
				t.Errorf("git says %v, we say %v", gitErr, err)
			}
		})
	}
}

// Git passes a damaged .git folder over, and takes the repository around it. A folder of that
// name with nothing of a repository in it was never one.
func TestOpenPassesDamageOver(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	write(t, filepath.Join(dir, "in/.git/HEAD"), "hello\n")
	git(t, dir, "init", "-q", "--template=", ".")
	if r, err := Open(filepath.Join(dir, "in")); err != nil || r.WorkTree != dir {
		t.Errorf("Open of a folder with a damaged .git in a repository: %v, want the one around it", err)
	}
	must(t, os.RemoveAll(filepath.Join(dir, ".git")))
	if _, err := Open(filepath.Join(dir, "in")); !strings.Contains(fmt.Sprint(err), "its HEAD cannot be read") {
		t.Errorf("Open without the one around it: %v, want what is wrong with .git", err)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "in")))
	must(t, os.MkdirAll(filepath.Join(dir, "in/.git/hooks"), 0o755))
	if _, err := Open(filepath.Join(dir, "in")); err != ErrNone {
		t.Errorf("Open of a folder with an empty .git: %v, want %v", err, ErrNone)
	}
}

// Git since 2.48 writes this extension with worktrees whose .git files name their repository by a relative path. Git 2.39 does not
// open them, so it cannot judge.
func TestOpenRelativeWorktrees(t *testing.T) {
	dir := filepath.Join(sandbox(t), "main")
	write(t, filepath.Join(dir, "f"), "")
	git(t, dir, "init", "-q", "--template=", ".")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "x")
	git(t, dir, "worktree", "add", "-q", "../linked", "-b", "side")
	git(t, dir, "config", "core.repositoryformatversion", "1")
	git(t, dir, "config", "extensions.relativeWorktrees", "true")
	linked := filepath.Join(dir, "..", "linked")
	write(t, filepath.Join(linked, ".git"), "gitdir: ../main/.git/worktrees/linked\n")
	r, err := Open(linked)
	if err != nil {
		t.Fatal(err)
	}
	if h, err := r.Head(); err != nil || h.Branch != "side" {
		t.Errorf("Head = %+v, %v, want side", h, err)
	}
	if st, err := r.Status(t.Context(), StatusOptions{}); err != nil || len(st.Changes) != 0 {
		t.Errorf("Status = %+v, %v, want a clean tree", st, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestOpenDeep: a folder far below its repository is still in it; one that is deeper than anybody works is said to be that.
func TestOpenDeep(t *testing.T) {
	top := filepath.Join(sandbox(t), "r")
	commits(t, top, 1)
	dir := filepath.Join(top, strings.Repeat("a/", 260))
	kit.Must(t, os.MkdirAll(dir, 0o755))
	if _, err := Open(dir); err == nil {
		t.Error("opened from too deep")
	} else if d, ok := AsDeclined(err); !ok || d.Dir != dir {
		t.Errorf("%v, want that it was declined", err)
	}
	dir = filepath.Join(top, strings.Repeat("a/", 200))
	if r, err := Open(dir); err != nil || r.WorkTree != top {
		t.Errorf("not opened from 200 levels below: %v", err)
	}
}

func TestOpenOwner(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() != 0 {
		t.Skip("needs root, to give a repository away")
	}
	home := sandbox(t)
	dir := filepath.Join(home, "r")
	commits(t, dir, 1)
	must(t, os.Lchown(dir, 65534, 65534))
	_, err := Open(dir)
	var declined *Declined
	if !errors.As(err, &declined) || !strings.Contains(err.Error(), "safe.directory") {
		t.Errorf("Open of another user's repository: %v, want it declined", err)
	}
	if _, err := tryGit(dir, "status"); err == nil {
		t.Error("git opens it, so the test proves nothing")
	}
	// The repository cannot vouch for itself.
	write(t, filepath.Join(dir, ".git", "config"), "[safe]\n\tdirectory = *\n")
	if _, err := Open(dir); err == nil {
		t.Error("Open trusted safe.directory of the repository itself")
	}
	for _, v := range []string{dir, "*", home + "/*", "~/r"} {
		git(t, home, "config", "--global", "safe.directory", v)
		if _, err := Open(dir); err != nil {
			t.Errorf("Open with safe.directory = %s: %v", v, err)
		}
	}
	git(t, home, "config", "--global", "--add", "safe.directory", "")
	if _, err := Open(dir); err == nil {
		t.Error("Open, although an empty value took the trust back")
	}
	git(t, home, "config", "--global", "--unset-all", "safe.directory")
	t.Setenv("SUDO_UID", "65534")
	if _, err := Open(dir); err != nil {
		t.Errorf("Open by root on behalf of the owner: %v", err)
	}
}

func TestOpenPlaces(t *testing.T) {
	home := sandbox(t)
	dir := filepath.Join(home, "r")
	commits(t, dir, 1)
	write(t, filepath.Join(dir, "a/b/c"), "")
	same := func(from, want string) {
		t.Helper()
		r, err := Open(from)
		if err != nil || r.WorkTree != want {
			t.Errorf("Open(%s) = %+v, %v, want work tree %s", from, r, err, want)
		}
	}
	same(dir, dir)
	same(filepath.Join(dir, "a/b"), dir)
	if r, err := Open(filepath.Join(dir, ".git", "objects")); err != nil || !r.Bare() {
		t.Errorf("Open inside .git = %+v, %v, want no work tree", r, err)
	}
	if _, err := Open(home); err != ErrNone {
		t.Errorf("Open outside = %v, want ErrNone", err)
	}
	if runtime.GOOS != "windows" {
		must(t, os.Symlink(filepath.Join(dir, "a"), filepath.Join(home, "link")))
		same(filepath.Join(home, "link"), dir)
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", dir)
	if _, err := Open(filepath.Join(dir, "a/b")); err != ErrNone {
		t.Errorf("Open below a ceiling = %v, want ErrNone", err)
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", "")

	bare := filepath.Join(home, "bare.git")
	git(t, home, "clone", "-q", "--bare", dir, bare)
	r, err := Open(bare)
	if err != nil || !r.Bare() || r.GitDir != bare {
		t.Fatalf("Open of a bare repository = %+v, %v", r, err)
	}
	var declined *Declined
	if _, err := r.Status(context.Background(), StatusOptions{}); !errors.As(err, &declined) {
		t.Errorf("Status of a bare repository = %v, want it declined", err)
	}
	if h, err := r.Head(); err != nil || h.Branch != "main" {
		t.Errorf("Head of a bare repository = %+v, %v", h, err)
	}

	git(t, home, "config", "--global", "safe.bareRepository", "explicit")
	if r, err := Open(bare); !errors.As(err, &declined) {
		t.Errorf("Open with safe.bareRepository = %+v, %v, want it declined", r, err)
	}
	if _, err := tryGit(bare, "log", "-1"); err == nil {
		t.Error("git opens it, so the test proves nothing")
	}
	git(t, home, "config", "--global", "--unset", "safe.bareRepository")

	linked := filepath.Join(home, "linked")
	git(t, dir, "worktree", "add", "-q", "-b", "x", linked)
	if r, err := Open(linked); err != nil || r.WorkTree != linked || r.CommonDir != filepath.Join(dir, ".git") || r.GitDir == r.CommonDir {
		t.Errorf("Open of a linked work tree = %+v, %v", r, err)
	}
	// Files that make a bare repository inside of another one are that one's, unless it ignores them.
	within := filepath.Join(dir, "a", "fx")
	git(t, home, "clone", "-q", "--bare", dir, within)
	kit.Write(t, filepath.Join(within, "config"), "[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\tworktree = ..\n")
	same(within, dir)
	same(filepath.Join(within, "refs"), dir)
	kit.Write(t, filepath.Join(dir, ".git", "info", "exclude"), "fx/\n")
	if r, err := Open(within); err != nil || r.GitDir != within {
		t.Errorf("Open of an ignored repository inside = %+v, %v", r, err)
	}
	kit.Write(t, filepath.Join(dir, ".git", "info", "exclude"), "")
	// Files beside a .git that calls itself bare are somebody's: nobody can tell what Git holds of them.
	odd := filepath.Join(home, "odd")
	git(t, home, "init", "-q", odd)
	git(t, odd, "config", "core.bare", "true")
	if r, err := Open(odd); err != nil || !r.Bare() {
		t.Errorf("Open of a bare .git in an empty folder = %+v, %v", r, err)
	}
	kit.Write(t, filepath.Join(odd, "a"), "")
	if r, err := Open(odd); !errors.As(err, &declined) {
		t.Errorf("Open of a bare .git beside files = %+v, %v, want it declined", r, err)
	}

	// A .git whose work tree is another folder does not hold the files beside it. Another name for this folder is fine.
	for _, away := range []string{"../../bare.git", "../..", "../../not-there"} {
		kit.Write(t, filepath.Join(odd, ".git", "config"), "[core]\n\trepositoryFormatVersion = 0\n\tworktree = "+away+"\n")
		for _, from := range []string{odd, filepath.Join(odd, ".git"), filepath.Join(odd, ".git", "objects")} {
			if r, err := Open(from); !errors.As(err, &declined) {
				t.Errorf("Open(%s) with the work tree %s = %+v, %v, want it declined", from, away, r, err)
			}
		}
	}
	kit.Write(t, filepath.Join(odd, ".git", "config"), "[core]\n\trepositoryFormatVersion = 0\n\tworktree = ../../odd\n")
	same(odd, odd)

	// A work tree of a bare repository: core.bare is not for it.
	side := filepath.Join(home, "side")
	git(t, bare, "worktree", "add", "-q", side, "main")
	if r, err := Open(side); err != nil || r.WorkTree != side {
		t.Errorf("Open of a bare repository's work tree = %+v, %v", r, err)
	}
}

func TestHashString(t *testing.T) {
	for _, s := range []string{strings.Repeat("0a", 20), strings.Repeat("f1", 32)} {
		h, ok := ParseHash(s)
		if !ok || h.String() != s || h.Size() != len(s)/2 || HashOf(h.Bytes()) != h {
			t.Errorf("ParseHash(%s) = %s, %v", s, h, ok)
		}
	}
	for _, s := range []string{"", "abc", strings.Repeat("g", 40), strings.Repeat("a", 41)} {
		if h, ok := ParseHash(s); ok {
			t.Errorf("ParseHash(%q) = %s, want none", s, h)
		}
	}
}
