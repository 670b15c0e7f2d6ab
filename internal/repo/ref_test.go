package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func open(t testing.TB, dir string) *Repo {
	t.Helper()
	r, err := Open(dir)
	kit.Must(t, err)
	return r
}

// commits makes a repository with n empty commits on main.
func commits(t testing.TB, dir string, n int) {
	t.Helper()
	kit.Must(t, os.MkdirAll(dir, 0o755))
	git(t, dir, "init", "-q", "--template=", ".")
	for i := range n {
		git(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(i))
	}
}

func revParse(t testing.TB, dir, what string) string {
	t.Helper()
	return strings.TrimSpace(git(t, dir, "rev-parse", what))
}

func TestRefs(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	commits(t, dir, 3)
	for i := range 40 {
		git(t, dir, "branch", fmt.Sprintf("b/%02d", i), fmt.Sprintf("HEAD~%d", i%3))
	}
	git(t, dir, "tag", "-a", "-m", "x", "annotated")
	git(t, dir, "tag", "light", "HEAD~1")
	check := func(when string) {
		t.Helper()
		r := open(t, dir)
		for _, prefix := range []string{"", "refs/", "refs/heads/", "refs/heads/b/1", "refs/tags/", "refs/none/", "refs/heads/main"} {
			refs, err := r.Refs(prefix)
			kit.Must(t, err)
			var got []string
			for _, ref := range refs {
				got = append(got, ref.Hash.String()+" "+ref.Name)
			}
			var want []string
			for line := range strings.Lines(git(t, dir, "for-each-ref", "--format=%(objectname) %(refname)")) {
				line = strings.TrimSpace(line)
				if strings.HasPrefix(line[41:], prefix) {
					want = append(want, line)
				}
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s: Refs(%q) = %q, want %q", when, prefix, got, want)
			}
		}
		for _, name := range []string{"HEAD", "main", "refs/heads/main", "b/07", "heads/b/39", "light", "annotated", "tags/light"} {
			h, err := r.Resolve(name)
			if want := revParse(t, dir, name); err != nil || h.String() != want {
				t.Errorf("%s: Resolve(%q) = %s, %v, want %s", when, name, h, err, want)
			}
		}
		for _, name := range []string{"none", "b/99", "b", "refs/heads/b/0", "../config", "refs/heads/../../config", ""} {
			if h, err := r.Resolve(name); !errors.Is(err, ErrNoRef) {
				t.Errorf("%s: Resolve(%q) = %s, %v, want ErrNoRef", when, name, h, err)
			}
		}
	}
	check("loose")
	git(t, dir, "pack-refs", "--all", "--prune")
	check("packed")
	git(t, dir, "branch", "-f", "b/05", "HEAD~2")
	git(t, dir, "branch", "new")
	git(t, dir, "branch", "-D", "b/20")
	check("mixed")
	// A file that does not claim to be sorted is read from end to end.
	path := filepath.Join(dir, ".git", "packed-refs")
	b := kit.Read(t, path)
	_, rest, _ := strings.Cut(b, "\n")
	write(t, path, rest)
	check("without header")
}

func TestHead(t *testing.T) {
	home := sandbox(t)
	dir := filepath.Join(home, "r")
	commits(t, dir, 0)
	if h, err := open(t, dir).Head(); err != nil || !h.Unborn || h.Branch != "main" || !h.Hash.IsZero() {
		t.Errorf("unborn: Head = %+v, %v", h, err)
	}
	commits(t, dir, 3)
	git(t, dir, "checkout", "-q", "-b", "기능/x")
	if h, err := open(t, dir).Head(); err != nil || h.Branch != "기능/x" || h.Hash.String() != revParse(t, dir, "HEAD") || h.Operation != "" {
		t.Errorf("branch: Head = %+v, %v", h, err)
	}
	git(t, dir, "checkout", "-q", "--detach", "HEAD~1")
	if h, err := open(t, dir).Head(); err != nil || !h.Detached || h.Branch != "" || h.Hash.String() != revParse(t, dir, "HEAD") {
		t.Errorf("detached: Head = %+v, %v", h, err)
	}
	git(t, dir, "checkout", "-q", "main")

	// Two branches that change the same line bring every operation to a halt.
	write(t, filepath.Join(dir, "f"), "base\n")
	git(t, dir, "add", "f")
	git(t, dir, "commit", "-qm", "base")
	git(t, dir, "checkout", "-qb", "side")
	write(t, filepath.Join(dir, "f"), "side\n")
	git(t, dir, "commit", "-qam", "side")
	patch := git(t, dir, "format-patch", "-1", "--stdout")
	git(t, dir, "checkout", "-q", "main")
	write(t, filepath.Join(dir, "f"), "main\n")
	git(t, dir, "commit", "-qam", "main")
	write(t, filepath.Join(home, "patch"), patch)
	for _, c := range []struct {
		want    Head
		args    []string
		restore []string
	}{
		{Head{Operation: "merge", Branch: "main"}, []string{"merge", "side"}, []string{"merge", "--abort"}},
		{Head{Operation: "cherry-pick", Branch: "main"}, []string{"cherry-pick", "side"}, []string{"cherry-pick", "--abort"}},
		{Head{Operation: "revert", Branch: "main"}, []string{"revert", "--no-edit", "HEAD~1"}, []string{"revert", "--abort"}},
		{Head{Operation: "rebase", Onto: "main", Step: 1, Steps: 1}, []string{"rebase", "side"}, []string{"rebase", "--abort"}},
		{Head{Operation: "rebase", Onto: "main", Step: 1, Steps: 1}, []string{"rebase", "--apply", "side"}, []string{"rebase", "--abort"}},
		{Head{Operation: "am", Branch: "main", Step: 1, Steps: 1}, []string{"am", filepath.Join(home, "patch")}, []string{"am", "--abort"}},
		{Head{Operation: "bisect", Onto: "main", Branch: "main"}, []string{"bisect", "start"}, []string{"bisect", "reset"}},
	} {
		_, _ = tryGit(dir, c.args...)
		h, err := open(t, dir).Head()
		if err != nil || h.Operation != c.want.Operation || h.Branch != c.want.Branch || h.Onto != c.want.Onto || h.Step != c.want.Step || h.Steps != c.want.Steps {
			t.Errorf("git %v: Head = %+v, %v, want %+v", c.args, h, err, c.want)
		}
		git(t, dir, c.restore...)
	}
}

func TestShort(t *testing.T) {
	home := sandbox(t)
	dir := filepath.Join(home, "r")
	commits(t, dir, 30)
	check := func(when string) {
		t.Helper()
		r := open(t, dir)
		for line := range strings.Lines(git(t, dir, "log", "--format=%H %h", "-40")) {
			full, want, _ := strings.Cut(strings.TrimSpace(line), " ")
			h, _ := ParseHash(full)
			if got := r.Short(h); got != want {
				t.Errorf("%s: Short(%s) = %s, want %s", when, full, got, want)
			}
		}
	}
	check("loose")
	git(t, dir, "config", "core.abbrev", "4")
	check("core.abbrev=4")
	git(t, dir, "config", "core.abbrev", "no")
	check("core.abbrev=no")
	git(t, dir, "config", "--unset", "core.abbrev")
	// Enough objects that names have to be longer: 7 digits stand for up to 2^14 of them.
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "blob\nmark :%d\ndata %d\n%d\n", i+1, len(fmt.Sprint(i)), i)
	}
	write(t, filepath.Join(home, "import"), b.String())
	in, err := os.Open(filepath.Join(home, "import"))
	kit.Must(t, err)
	defer in.Close()
	if out, err := gitInput(dir, in, "fast-import", "--quiet"); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	check("packed")
	git(t, dir, "gc", "-q")
	git(t, dir, "multi-pack-index", "write")
	check("multi-pack-index")
	git(t, dir, "clone", "-q", "--shared", dir, dir+"_shared")
	dir += "_shared"
	check("alternates")
}

func TestUpstream(t *testing.T) {
	home := sandbox(t)
	far := filepath.Join(home, "far")
	commits(t, far, 12)
	dir := filepath.Join(home, "near")
	git(t, home, "clone", "-q", far, dir)
	check := func(name string, want Upstream) {
		t.Helper()
		u, err := open(t, dir).Upstream()
		if err != nil || u == nil {
			t.Fatalf("%s: Upstream = %+v, %v", name, u, err)
		}
		u.Hash = Hash{}
		if *u != want {
			t.Errorf("%s: Upstream = %+v, want %+v", name, *u, want)
		}
		if out, err := tryGit(dir, "rev-list", "--left-right", "--count", "HEAD...@{upstream}"); err == nil {
			if got := fmt.Sprintf("%d\t%d\n", u.Ahead, u.Behind); got != out {
				t.Errorf("%s: %q ahead and behind, git says %q", name, got, out)
			}
		}
	}
	base := Upstream{Name: "origin/main", Ref: "refs/remotes/origin/main"}
	check("equal", base)
	for range 3 {
		git(t, dir, "commit", "-q", "--allow-empty", "-m", "near")
	}
	base.Ahead = 3
	check("ahead", base)
	git(t, far, "commit", "-q", "--allow-empty", "-m", "far")
	git(t, far, "checkout", "-q", "-b", "topic", "HEAD~4")
	git(t, far, "commit", "-q", "--allow-empty", "-m", "topic")
	git(t, far, "checkout", "-q", "main")
	git(t, far, "merge", "-q", "--no-ff", "-m", "merge", "topic")
	git(t, dir, "fetch", "-q")
	base.Behind = 3
	check("both", base)
	git(t, dir, "reset", "-q", "--hard", "HEAD~9")
	base.Ahead, base.Behind = 0, 9
	check("behind", base)
	git(t, dir, "update-ref", "-d", "refs/remotes/origin/main")
	check("gone", Upstream{Name: "origin/main", Ref: "refs/remotes/origin/main", Gone: true})
	git(t, dir, "checkout", "-q", "-b", "local")
	git(t, dir, "branch", "-q", "--set-upstream-to=main")
	check("local", Upstream{Name: "main", Ref: "refs/heads/main"})
	git(t, dir, "checkout", "-q", "-b", "none")
	if u, err := open(t, dir).Upstream(); u != nil || err != nil {
		t.Errorf("none: Upstream = %+v, %v, want nil", u, err)
	}
}

// TestExist: few names are looked up and many are compared with a list, with the same outcome.
func TestExist(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	commits(t, dir, 1)
	git(t, dir, "branch", "packed")
	git(t, dir, "pack-refs", "--all")
	git(t, dir, "branch", "deep/loose")
	git(t, dir, "tag", "v1")
	kit.Write(t, filepath.Join(dir, ".git", "refs", "heads", "broken"), "no name\n")
	want := []string{"refs/tags/v1", "refs/heads/packed", "refs/heads/deep/loose", "refs/heads/broken"}
	names := append([]string{"refs/heads/none", "refs/heads/../../HEAD", "refs/heads/deep", "refs/heads/", ""}, want...)
	for _, more := range []int{0, 5 * maxLooks} {
		all := names
		for i := range more {
			all = append(all, fmt.Sprint("refs/heads/none", i))
		}
		got, err := open(t, dir).Exist(all)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("with %d more: %q, %v; want %q", more, got, err, want)
		}
	}
}
