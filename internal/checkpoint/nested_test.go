package checkpoint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// withSubmodule gives a repository with a submodule "sub", and the sandbox of the latter.
func withSubmodule(t *testing.T) (outer, inner *sandbox) {
	src := newSandbox(t)
	src.commit("a", "d/b")
	s := newSandbox(t)
	s.commit("x")
	s.git("submodule", "--quiet", "add", src.dir, "sub")
	s.git("commit", "-q", "-m", "sub")
	return s, &sandbox{t: t, dir: filepath.Join(s.dir, "sub"), env: s.env}
}

// Changes in a submodule get a checkpoint of their own, which the outer one names; clean ones get none.
func TestDirtySubmoduleIsSaved(t *testing.T) {
	s, in := withSubmodule(t)
	s.write("x", "changed\n")
	if c := s.create(CreateOptions{NoLog: true}); len(c.Inside) != 0 || !slices.Equal(c.Repositories, []string{"sub"}) {
		t.Errorf("clean submodule: inside %v, repositories %v", c.Inside, c.Repositories)
	}
	in.write("a", "precious\n")
	in.write("new file", "n\n")
	before := s.git("status", "--porcelain")
	o := CreateOptions{Operation: "submodule", Branch: true, Command: "git submodule update --force"}
	c := s.create(o)
	if got := s.git("status", "--porcelain"); !strings.HasPrefix(got, before) || strings.Contains(in.git("status", "--porcelain"), ".moai") {
		t.Errorf("status %q, was %q", got, before)
	}
	if len(c.Inside) != 1 || c.Inside[0].Path != "sub" {
		t.Fatalf("inside %v", c.Inside)
	}
	if again := s.create(o); !again.Reused {
		t.Errorf("nothing has changed, yet there is a second checkpoint %v (%v)", again.Name, again.Inside)
	}
	if back := mustFind(t, s, c.Name); !slices.Equal(back.Inside, c.Inside) {
		t.Errorf("read back as %v, want %v", back.Inside, c.Inside)
	}
	s.git("submodule", "--quiet", "update", "--force")
	in.git("clean", "-qfd")
	p, err := MakePlan(context.Background(), s.open(), c, []string{"sub/a"}, RestoreOptions{NoLog: true})
	if err != nil || !slices.Equal(p.Inside(), c.Inside) {
		t.Errorf("the plan for sub/a leads to %v, %v", p.Inside(), err)
	}
	in.restore(mustFind(t, in, c.Inside[0].Name), RestoreOptions{NoLog: true})
	if in.read("a") != "precious\n" || in.read("new file") != "n\n" {
		t.Errorf("a %q, new file %q", in.read("a"), in.read("new file"))
	}
	in.write("a", "changed again\n")
	if third := s.create(o); third.Reused || third.Inside[0].Name == c.Inside[0].Name {
		t.Error("the submodule has changed, and the old checkpoint was given")
	}
}

// A submodule whose folder is deleted comes back with its history, and the checkpoint with it.
func TestDeletedSubmodule(t *testing.T) {
	s, in := withSubmodule(t)
	in.write("a", "precious\n")
	c := s.create(CreateOptions{Operation: "rm", NoLog: true})
	s.remove("sub")
	s.git("submodule", "--quiet", "update", "--init", "sub")
	in.restore(mustFind(t, in, c.Inside[0].Name), RestoreOptions{NoLog: true})
	if in.read("a") != "precious\n" {
		t.Errorf("a = %q", in.read("a"))
	}
}

func TestNestedRepositories(t *testing.T) {
	s := newSandbox(t)
	s.commit("x")
	nested := func(name string) *sandbox {
		n := &sandbox{t: t, dir: filepath.Join(s.dir, name), env: s.env}
		os.MkdirAll(n.dir, 0o777)
		n.git("init", "-q")
		n.write("f", "f\n")
		return n
	}
	nested("fresh") // without a commit, and yet with work in it
	for i := range 4 {
		n := nested(fmt.Sprint("n", i))
		n.git("add", "f")
		n.git("commit", "-q", "-m", "f")
		if i > 0 {
			n.write("f", fmt.Sprint(i))
		}
	}
	deep := nested("n3/deep")
	limits := DefaultLimits()
	limits.Nested = 3
	c := s.create(CreateOptions{NoLog: true, Limits: limits})
	var got []string
	for _, in := range c.Inside {
		got = append(got, in.Path)
	}
	if !slices.Equal(got, []string{"fresh", "n1", "n2"}) {
		t.Errorf("inside %q", got)
	}
	if i := slices.IndexFunc(c.Skipped, func(k Skip) bool { return k.Path == "n3/" }); i < 0 || !strings.Contains(c.Skipped[i].Why, "limit of 3 repositories") {
		t.Errorf("skipped %v", c.Skipped)
	}
	// All of them, and those inside them.
	c = s.create(CreateOptions{NoLog: true, Operation: "clean"})
	if len(c.Inside) != 4 {
		t.Errorf("inside %v", c.Inside)
	}
	if list := must(List(deep.open())); len(list) != 1 {
		t.Errorf("in the repository of the repository: %v", list)
	}
	// One without a moment to lose keeps to itself, and says so.
	late, stop := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer stop()
	sn := &snapshot{r: s.open(), opts: &CreateOptions{}, repos: []string{"n1"}}
	sn.inside(late)
	if len(sn.skipped) != 1 || !strings.Contains(sn.skipped[0].Why, "no time left") {
		t.Errorf("skipped %v", sn.skipped)
	}
}

// What a repository inside leaves out is said, also where nothing else in it has changed.
func TestNestedLeavesOut(t *testing.T) {
	s := newSandbox(t)
	s.commit("x")
	n := &sandbox{t: t, dir: filepath.Join(s.dir, "inner"), env: s.env}
	os.MkdirAll(n.dir, 0o777)
	n.git("init", "-q")
	n.write("f", "f\n")
	n.git("add", "f")
	n.git("commit", "-q", "-m", "f")
	n.write("large", strings.Repeat("x", 200))
	limits := DefaultLimits()
	limits.UntrackedFile = 100
	c := s.create(CreateOptions{NoLog: true, Limits: limits})
	if !slices.ContainsFunc(c.Skipped, func(k Skip) bool { return k.Path == "inner/large" }) {
		t.Errorf("inside %v, skipped %v; want inner/large said", c.Inside, c.Skipped)
	}
}

// A .git file that leads elsewhere must not make us write there.
func TestNestedGitFileElsewhere(t *testing.T) {
	other := newSandbox(t)
	other.commit("secret")
	s := newSandbox(t)
	s.commit("x")
	s.write("evil/.git", "gitdir: "+filepath.Join(other.dir, ".git")+"\n")
	s.write("evil/f", "f\n")
	c := s.create(CreateOptions{NoLog: true, Branch: true})
	if len(c.Inside) != 0 {
		t.Errorf("inside %v", c.Inside)
	}
	if got := other.git("for-each-ref", "refs/moai", "refs/heads/checkpoint"); got != "" {
		t.Errorf("written elsewhere: %s", got)
	}
	if !slices.ContainsFunc(c.Skipped, func(k Skip) bool { return k.Path == "evil/" }) {
		t.Errorf("skipped %v", c.Skipped)
	}
}

// Linked work trees share the references; each has a newest checkpoint of its own.
func TestWorktreesCountForThemselves(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	l := &sandbox{t: t, dir: filepath.Join(filepath.Dir(s.dir), "linked"), env: s.env}
	s.git("worktree", "add", "-q", l.dir)
	l.write("a", "linked\n")
	if _, err := Find(l.open(), ""); err == nil {
		t.Error("found a checkpoint where there is none")
	}
	mine := l.create(CreateOptions{NoLog: true})
	s.write("a", "main\n")
	theirs := s.create(CreateOptions{NoLog: true, Now: time.Now().Add(60 * day), Keep: Retention{Count: 1, Age: day}})
	if got := mustFind(t, l, "@1"); got.Name != mine.Name || got.Worktree != "linked" {
		t.Errorf("@1 in the linked work tree is %s of %q, want %s", got.Name, got.Worktree, mine.Name)
	}
	if got := mustFind(t, s, ""); got.Name != theirs.Name {
		t.Errorf("@1 in the main work tree is %s, want %s", got.Name, theirs.Name)
	}
	if _, err := Find(s.open(), "@2"); err == nil {
		t.Error("@2 in the main work tree is another one's")
	}
	if again := l.create(CreateOptions{NoLog: true}); !again.Reused {
		t.Error("another work tree's checkpoint came in between, and the equal one was not used again")
	}
	if got := mustFind(t, s, mine.Name); got.Commit != mine.Commit {
		t.Error("a name of another work tree is not found")
	}
}
