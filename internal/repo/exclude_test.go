package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// excluded asks git itself.
func excluded(t *testing.T, dir, rel string) bool {
	t.Helper()
	cmd := exec.Command("git", "check-ignore", "-q", "--no-index", rel)
	cmd.Dir = dir
	return cmd.Run() == nil
}

func TestExclude(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is the judge")
	}
	base := t.TempDir()
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	main, inner := filepath.Join(base, "main"), filepath.Join(base, "inner")
	git(base, "init", "-q", "main")
	git(base, "init", "-q", "inner")
	git(inner, "commit", "-q", "--allow-empty", "-m", "x")
	git(main, "submodule", "--quiet", "add", inner, "sub")
	git(main, "commit", "-q", "-m", "x")
	git(main, "worktree", "add", "-q", filepath.Join(base, "linked"))
	for _, dir := range []string{main, filepath.Join(main, "sub"), filepath.Join(base, "linked")} {
		r, err := Open(dir)
		kit.Must(t, err)
		for _, rel := range []string{".claude/settings.local.json", "a [1]*/b? \\c/한글.json"} {
			before, err := os.ReadFile(r.ExcludeFile())
			kit.Must(t, err)
			if excluded(t, dir, rel) {
				t.Fatalf("%s: %s is excluded before", dir, rel)
			}
			if added, err := r.Exclude(rel); err != nil || !added || !excluded(t, dir, rel) {
				t.Errorf("%s: %s is not excluded: %v, %v", dir, rel, added, err)
			}
			if added, err := r.Exclude(rel); err != nil || added {
				t.Errorf("%s: %s is excluded twice: %v", dir, rel, err)
			}
			if excluded(t, dir, "x/"+rel) {
				t.Errorf("%s: a file of the same name elsewhere is excluded, too", dir)
			}
			if removed, err := r.Include(rel); err != nil || !removed {
				t.Errorf("%s: %s stays: %v", dir, rel, err)
			}
			if after, err := os.ReadFile(r.ExcludeFile()); err != nil || string(after) != string(before) {
				t.Errorf("%s: not as before: %q, %v, want %q", dir, after, err, before)
			}
		}
	}
	// A line of somebody else's stays, and so does a file without a last line end.
	r, err := Open(main)
	kit.Must(t, err)
	write := func(text string) {
		t.Helper()
		kit.Must(t, os.WriteFile(r.ExcludeFile(), []byte(text), 0o600))
	}
	write("/x")
	kit.Must(t, os.Chmod(r.ExcludeFile(), 0o600))
	if _, err := r.Exclude("x"); err != nil {
		t.Fatal(err)
	}
	if removed, _ := r.Include("x"); removed {
		t.Error("took out what others wrote")
	}
	if _, err := r.Exclude("y"); err != nil || !excluded(t, main, "x") || !excluded(t, main, "y") {
		t.Error("a file without a last line end was not continued well")
	}
	if info, err := os.Stat(r.ExcludeFile()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// What leads elsewhere is not written through.
	victim := filepath.Join(base, "victim")
	kit.Write(t, victim, "mine\n")
	kit.Must(t, os.Remove(r.ExcludeFile()))
	if err := os.Symlink(victim, r.ExcludeFile()); err == nil {
		if added, err := r.Exclude("z"); err == nil || added {
			t.Error("a link was written through")
		}
		if text, _ := os.ReadFile(victim); string(text) != "mine\n" {
			t.Errorf("the file behind a link is %q", text)
		}
		_ = os.Remove(r.ExcludeFile())
	}
	kit.Must(t, os.RemoveAll(filepath.Dir(r.ExcludeFile())))
	if added, err := r.Exclude("z"); err != nil || !added || !excluded(t, main, "z") {
		t.Errorf("a missing folder is not made: %v", err)
	}

	// The work trees of one repository know one another.
	linked, err := Open(filepath.Join(base, "linked"))
	kit.Must(t, err)
	if got := linked.Others(10); !slices.Equal(got, []string{main}) || linked.Main() != main {
		t.Errorf("others of the linked one: %v, main %q", got, linked.Main())
	}
	if got := r.Others(10); !slices.Equal(got, []string{filepath.Join(base, "linked")}) {
		t.Errorf("others of the main one: %v", got)
	}
	if got := r.Others(0); len(got) != 0 {
		t.Errorf("no bound: %v", got)
	}
	kit.Must(t, os.RemoveAll(filepath.Join(base, "linked")))
	if got := r.Others(10); len(got) != 0 {
		t.Errorf("a work tree that is gone: %v", got)
	}
}
