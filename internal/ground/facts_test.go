package ground

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/work"
)

// TestUnsaved: names, patterns and links; what is not there or not Git's concern is
// no loss. The scripts hold the rest.
func TestUnsaved(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, "app", name)
		kit.Write(t, path, text)
	}
	for _, name := range []string{"clean.go", "changed.go", "src/clean.go"} {
		write(name, "one\n")
	}
	write(".gitignore", "*.log\n")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", filepath.Join(dir, "app")}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	write("changed.go", "two\n")
	write("new.txt", "new\n")
	write("empty.txt", "")
	write("run.log", "log\n")
	if err := os.Symlink(filepath.Join(dir, "app"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for _, root := range []string{"app", "link"} {
		g := New(filepath.Join(dir, root), work.New(work.Disk))
		for _, c := range []struct {
			path string
			want bool
		}{
			{"clean.go", false},
			{"changed.go", true},
			{"new.txt", true},
			{"empty.txt", false},
			{"run.log", true},
			{"none", false},
			{"src", false},
			{".git/HEAD", false},
			{"*.go", true},
			{"c*n.go", false},
			{"src/*", false},
			{"*/*.go", true}, // of several folders: not looked into
			{"../elsewhere", false},
		} {
			if got := g.Unsaved(filepath.Join(dir, root) + "/" + c.path); got != c.want {
				t.Errorf("Unsaved(%s/%s) = %v, want %v", root, c.path, got, c.want)
			}
		}
		if !g.Ignored(filepath.Join(dir, root, "run.log")) || g.Ignored(filepath.Join(dir, root, "clean.go")) {
			t.Errorf("in %s: Ignored(run.log), Ignored(clean.go) = %v, %v, want true, false", root,
				g.Ignored(filepath.Join(dir, root, "run.log")), g.Ignored(filepath.Join(dir, root, "clean.go")))
		}
	}
	empty := filepath.Join(dir, "app", "fresh")
	kit.Must(t, os.MkdirAll(filepath.Join(empty, "inner"), 0o755))
	write("untracked/x.go", "x\n")
	kit.Must(t, os.Mkdir(filepath.Join(dir, "app", "untracked", "inner"), 0o755))
	for _, root := range []string{"app", "link"} {
		g := New(filepath.Join(dir, root), work.New(work.Disk))
		for _, c := range []struct {
			dir    string
			except string
			want   bool
		}{
			{".", "", true},
			{".", "changed.go new.txt empty.txt", true}, // untracked/x.go is left
			{".", "changed.go new.txt empty.txt untracked", false},
			{"src", "", false},
			{"fresh", "", false},
			{"untracked", "", true},
			{"untracked/inner", "", false}, // nothing is in it, whatever is beside it
			{"none", "", false},
			{"changed.go", "", false},
			{"../elsewhere", "", false},
		} {
			var except []string
			for name := range strings.FieldsSeq(c.except) {
				except = append(except, filepath.Join(dir, root, name))
			}
			if got := g.Dirty(filepath.Join(dir, root, c.dir), except); got != c.want {
				t.Errorf("Dirty(%s/%s, %q) = %v, want %v", root, c.dir, c.except, got, c.want)
			}
		}
	}
	if g := New(t.TempDir(), work.New(work.Disk)); g.Dirty("/etc", nil) {
		t.Error("Dirty without a repository = true: no snapshot could hold it")
	}
	// Where the walk is too much work the folder counts as dirty, and other questions are still answered.
	for i := range 120 {
		write(fmt.Sprintf("many/%d.go", i), "one\n")
	}
	git("add", "many")
	few := work.New(4_000)
	if g := New(filepath.Join(dir, "app"), few); !g.Dirty(filepath.Join(dir, "app", "many"), nil) || few.Over() {
		t.Errorf("Dirty without enough work = false, or it takes all: %d of it left", few.Left())
	}
	alone := t.TempDir()
	for name, text := range map[string]string{"full": "x", "empty": ""} {
		kit.Write(t, filepath.Join(alone, name), text)
	}
	if g := New(alone, work.New(work.Disk)); !g.Unsaved(filepath.Join(alone, "full")) || g.Unsaved(filepath.Join(alone, "empty")) || g.Unsaved(filepath.Join(alone, "none")) {
		t.Error("without a repository nothing holds a file with something in it, and that alone is lost")
	}
}

// TestNames: a pattern stands for what a shell would make of it, and where nobody could
// look, that is said.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.go", "b.go", ".c.go", "d.txt"} {
		kit.Write(t, filepath.Join(dir, name), "")
	}
	for _, c := range []struct {
		pattern, want string
		ok            bool
	}{
		{"*.go", "a.go b.go", true},
		{"*", "a.go b.go d.txt", true},
		{".*", ".c.go", true},
		{"*.rs", "", true},
		{"none/*", "", true},
		{"*/*.go", "", false},
		{"d.txt/*", "", false},
	} {
		names, ok := New(dir, work.New(work.Disk)).Names(dir + "/" + c.pattern)
		slices.Sort(names)
		if got := strings.Join(names, " "); got != c.want || ok != c.ok {
			t.Errorf("Names(%s) = %q, %v, want %q, %v", c.pattern, got, ok, c.want, c.ok)
		}
	}
}

// TestMounted compares a folder with what is known to be mounted elsewhere.
func TestMounted(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no /proc to compare with")
	}
	g := New("/", work.New(work.Disk))
	if !g.Mounted("/proc") || g.Mounted("/") || g.Mounted("/none") {
		t.Errorf("Mounted(/proc), Mounted(/), Mounted(/none) = %v, %v, %v, want true, false, false", g.Mounted("/proc"), g.Mounted("/"), g.Mounted("/none"))
	}
}

// TestLooksAreEnough: what people and agents do on one line takes a small part of what may
// be asked of the disk.
func TestLooksAreEnough(t *testing.T) {
	dir := repositoryOf(t, 400)
	g := New(dir, work.New(work.Disk))
	for i := range 400 {
		p := filepath.Join(dir, fmt.Sprintf("d%d", i%20), fmt.Sprintf("f%d.go", i))
		g.links.Follow(p)
		if !g.Exists(p) || !g.Regular(p) || g.Unsaved(p) || g.Ignored(p) {
			t.Fatalf("%s is not what was committed", p)
		}
	}
	if used, all := g.looks.Used(), work.New(work.Disk); g.looks.Over() || !all.Take(used+used/2) {
		t.Errorf("400 files in 20 folders take %d units: too near to the bound", used)
	}
}

// What a folder holds is looked at there alone, however large the repository around it is.
func TestFolderIsLookedAtAlone(t *testing.T) {
	dir := repositoryOf(t, 400)
	whole := New(dir, work.New(work.Disk))
	if whole.Dirty(dir, nil) {
		t.Fatal("a fresh repository is dirty")
	}
	one := New(dir, work.New(whole.looks.Used()/4))
	if one.Dirty(filepath.Join(dir, "d1"), nil) || one.looks.Over() {
		t.Errorf("of the %d units for all 20 folders, one took %d", whole.looks.Used(), one.looks.Used())
	}
	kit.Write(t, filepath.Join(dir, "d2", "new.go"), "x")
	kit.Write(t, filepath.Join(dir, "d3", "f3.go"), "changed")
	g := New(dir, work.New(work.Disk))
	for _, c := range []struct {
		in             string
		dirty, changed bool
	}{{"d1", false, false}, {"d2", true, false}, {"d3", true, true}, {".", true, false}} {
		at := filepath.Join(dir, c.in)
		if dirty, changed := g.Dirty(at, nil), g.Changed(at); dirty != c.dirty || changed != c.changed {
			t.Errorf("%s: dirty %v, changed %v; want %v and %v", c.in, dirty, changed, c.dirty, c.changed)
		}
	}
}

// repositoryOf is a repository with so many committed files, in twenty folders.
func repositoryOf(t *testing.T, files int) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed to make a repository")
	}
	dir := kit.Dir(t)
	for i := range files {
		kit.Write(t, filepath.Join(dir, fmt.Sprintf("d%d", i%20), fmt.Sprintf("f%d.go", i)), "package a\n")
	}
	kit.Write(t, filepath.Join(dir, ".gitignore"), "node_modules/\n*.log\n/dist\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "-m", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// Where not all untracked files can be told from ignored ones, any folder may hold some.
func TestTooManyPatternsForAFolder(t *testing.T) {
	dir := kit.Dir(t)
	kit.Git(t, dir, "init", "-q")
	kit.Flood(t, dir)
	kit.Tree(t, filepath.Join(dir, "src"), map[string]string{"zz/tracked.txt": "x\n", "tracked.txt": "x\n"})
	kit.Git(t, dir, "add", "src/tracked.txt", "src/zz", ".gitignore")
	kit.Git(t, dir, "commit", "-qm", "x")
	kit.Write(t, filepath.Join(dir, "src", "zz", "own.txt"), "x\n")
	if !New(dir, nil).Dirty(filepath.Join(dir, "src", "**", "zz"), nil) {
		t.Error("the folder is said to hold nothing of its own")
	}
}
