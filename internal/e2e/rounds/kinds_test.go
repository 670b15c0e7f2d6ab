//go:build linux

package rounds

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A kind is one sort of repository.
type kind struct {
	name string
	make func(*world)
}

// A chosen kind has lines that it is there for.
type chosen struct {
	kind
	likes string // what they begin with
}

func kinds() (all []chosen) {
	likes := map[string]string{
		"superproject": "git submodule|git -C|git rm -q -rf {m}|rm -rf {m}|cd {m}", "nested repository": "git -C|rm -rf {m}|cd {m}|git clean", "beside a worktree": "git worktree|rm -rf {o}",
		"worktree inside": "git worktree|rm -rf {o}|git clean", "stash": "git stash|git reflog", "stash pop": "git stash|git checkout|git reset", "notes and tags": "git notes|git tag|git update-ref", "remotes": "git branch|git fetch|git remote",
		"many branches": "git branch|git update-ref|git fetch", "replaced": "git replace|git reset", "sparse cone": "git sparse|git checkout|git reset", "sparse patterns": "git sparse|git checkout|git reset",
		"sparse index": "git sparse|git checkout|git reset", "secrets": "git clean|rm|find", "ignoring all": "git clean|rm|find", "secrets in results": "rm|find|git clean|mv", "through a link": "git clean|rm|find", "removed and ignored": "git reset|git checkout|git restore|git switch|git read-tree|git clean|git stash|rm|find", "no logs": "git branch|git reset|git stash|git checkout|git switch|git commit",
		"no logs, detached": "git checkout|git switch|git reset|git rebase|git commit|git pull", "staged deletions": "git reset|git checkout|git restore|git clean|git stash|rm", "ignored folders": "git clean|rm|find",
	}
	for _, list := range [][]kind{historyKinds, placeKinds, treeKinds, nameKinds, formatKinds} {
		for _, k := range list {
			all = append(all, chosen{k, likes[k.name]})
		}
	}
	for _, k := range stoppedKinds {
		all = append(all, chosen{k, "git rebase --|git merge --|git cherry-pick --|git revert --|git am|git bisect|git reset|git checkout|git read-tree|git stash"})
	}
	return all
}

// lines is a text in which edits at different ends merge.
func lines(name string) string {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "%s, line %d\n", name, i)
	}
	return b.String()
}

// first writes the files of an ordinary project.
func (w *world) first() {
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "src/main.go", "src/util.go", "src/lib/x.go", "src/lib/deep/y.go", "d/kept", "docs/guide.md"} {
		w.put(name, lines(name))
	}
	w.put(".gitignore", "*.log\nbuild/\n.env\n", "run.sh", "#!/bin/sh\necho run\n")
	must(os.Chmod(filepath.Join(w.project, "run.sh"), 0o755))
	must(os.Symlink("a.txt", filepath.Join(w.project, "link")))
}

// base is an ordinary project with a history: main, a branch that went another way, an old one, a tag.
func base(w *world) { w.history() }

func (w *world) history(init ...string) {
	must(os.MkdirAll(w.project, 0o755))
	w.in(append([]string{"init", "-q"}, init...)...)
	w.first()
	w.rest()
}

func (w *world) rest() {
	w.in("add", "-A")
	w.in("commit", "-q", "-m", "first")
	w.in("branch", "old")
	w.in("tag", "v1")
	w.in("checkout", "-q", "-b", "feature")
	w.put("a.txt", strings.Replace(lines("a.txt"), "line 3", "line 3 of feature", 1), "src/feature.go", lines("feature"))
	w.in("add", "-A")
	w.in("commit", "-q", "-m", "feature")
	w.in("checkout", "-q", "main")
	w.put("b.txt", strings.Replace(lines("b.txt"), "line 9", "line 9 of main", 1))
	w.in("commit", "-q", "-a", "-m", "second")
	w.put("c.txt", strings.Replace(lines("c.txt"), "line 5", "line 5 of main", 1), "new.txt", lines("new.txt"))
	w.in("add", "-A")
	w.in("commit", "-q", "-m", "third")
}

// and adds to an ordinary project.
func and(more func(*world)) func(*world) {
	return func(w *world) {
		base(w)
		more(w)
	}
}

// another is a second repository beside the project.
func (w *world) another(name string) string {
	dir := filepath.Join(w.work, name)
	must(os.MkdirAll(dir, 0o755))
	w.git(dir, "init", "-q")
	for _, f := range []string{"one.txt", "two.txt", "in/three.txt"} {
		w.write(filepath.Join(dir, f), lines(name+" "+f))
	}
	w.write(filepath.Join(dir, ".gitignore"), "*.log\n")
	w.git(dir, "add", "-A")
	w.git(dir, "commit", "-q", "-m", "first of "+name)
	w.write(filepath.Join(dir, "two.txt"), lines("second"))
	w.git(dir, "commit", "-q", "-a", "-m", "second of "+name)
	return dir
}

var historyKinds = []kind{
	{"plain", base},
	{"unborn", func(w *world) {
		must(os.MkdirAll(w.project, 0o755))
		w.in("init", "-q")
		w.first()
		w.in("add", "a.txt", "src", ".gitignore")
	}},
	{"detached", and(func(w *world) {
		w.in("checkout", "-q", "--detach", "HEAD~1")
		w.put("b.txt", lines("of nobody"))
		w.in("commit", "-q", "-a", "-m", "on no branch")
	})},
	{"no logs", and(func(w *world) {
		w.put("a.txt", lines("stashed"))
		w.in("stash", "push", "-q")
		w.in("config", "core.logAllRefUpdates", "false")
		must(os.RemoveAll(filepath.Join(w.project, ".git/logs/HEAD")))
		must(os.RemoveAll(filepath.Join(w.project, ".git/logs/refs/heads")))
	})},
	{"no logs, detached", and(func(w *world) {
		w.in("config", "core.logAllRefUpdates", "false")
		must(os.RemoveAll(filepath.Join(w.project, ".git/logs")))
		w.in("checkout", "-q", "--detach")
		w.put("b.txt", lines("of nobody"))
		w.in("commit", "-q", "-a", "-m", "on no branch")
	})},
	{"orphan", and(func(w *world) { w.in("checkout", "-q", "--orphan", "fresh") })},
	{"stash", and(func(w *world) {
		for _, text := range []string{"one", "two", "three"} {
			w.put("a.txt", lines("stashed "+text), "put-aside-"+text, lines(text))
			w.in("add", "a.txt")
			w.in("stash", "push", "-q", "-u", "-m", text)
		}
	})},
	{"notes and tags", and(func(w *world) {
		w.in("notes", "add", "-m", "a note", "HEAD")
		w.in("notes", "add", "-m", "another", "old")
		w.in("notes", "--ref", "review", "add", "-m", "reviewed", "HEAD")
		w.in("tag", "-a", "v2", "-m", "annotated")
		w.in("tag", "-a", "gone", "-m", "of a commit on no branch", w.lone())
	})},
	{"remotes", and(func(w *world) { w.origin() })},
	{"packed", and(func(w *world) {
		w.in("notes", "add", "-m", "a note", "HEAD")
		w.in("pack-refs", "--all")
		w.in("gc", "-q")
	})},
	{"many branches", and(func(w *world) {
		var b strings.Builder
		head, lone := w.in("rev-parse", "HEAD~1"), w.lone()
		for i := range 300 {
			fmt.Fprintf(&b, "create refs/heads/team/%03d %s\n", i, strings.TrimSpace(head))
		}
		fmt.Fprintf(&b, "create refs/heads/lone %s\ncreate refs/heads/가지 %s\n", lone, lone)
		if r := w.start(w.project, []byte(b.String()), "git", "update-ref", "--stdin"); r.code != 0 {
			panic(trouble{fmt.Errorf("update-ref: %s", r.err)})
		}
		w.in("pack-refs", "--all")
	})},
	{"replaced", and(func(w *world) { w.in("replace", "HEAD~1", w.lone()) })},
	{"commit graph", and(func(w *world) {
		w.in("gc", "-q")
		w.in("commit-graph", "write", "--reachable")
		w.in("multi-pack-index", "write")
	})},
	{"shallow", func(w *world) {
		w.upstream()
		w.git(w.work, "clone", "-q", "--depth", "1", "--no-single-branch", "file://"+filepath.Join(w.work, "origin.git"), "p")
		w.in("branch", "old", "HEAD")
		w.in("branch", "feature", "origin/feature")
	}},
	{"partial", func(w *world) {
		w.upstream()
		w.git(filepath.Join(w.work, "origin.git"), "config", "uploadpack.allowFilter", "true")
		w.git(w.work, "clone", "-q", "--filter=blob:none", "file://"+filepath.Join(w.work, "origin.git"), "p")
		w.in("branch", "old", "HEAD~1")
		w.in("branch", "feature", "origin/feature")
	}},
	{"alternates", func(w *world) {
		w.upstream()
		w.git(w.work, "clone", "-q", "--shared", "origin.git", "p")
		w.in("branch", "old", "HEAD~1")
		w.in("branch", "feature", "origin/feature")
	}},
}

// lone is a commit that no branch has.
func (w *world) lone() string {
	return strings.TrimSpace(w.in("commit-tree", "-p", "HEAD", "-m", "lone", "HEAD~1^{tree}"))
}

// upstream is a bare repository with the history of the project, which is made again from it.
func (w *world) upstream() {
	base(w)
	w.git(w.work, "clone", "-q", "--bare", "p", "origin.git")
	remove(w.project)
}

func (w *world) origin() {
	w.git(w.work, "clone", "-q", "--bare", "p", "origin.git")
	w.in("remote", "add", "origin", filepath.Join(w.work, "origin.git"))
	w.in("fetch", "-q", "origin")
	w.in("branch", "-q", "--set-upstream-to=origin/main", "main")
	w.in("update-ref", "refs/remotes/origin/gone", w.lone())
	w.in("config", "branch.feature.description", "what it is for")
}

var placeKinds = []kind{
	{"linked worktree", func(w *world) {
		base(w)
		main := filepath.Join(w.work, "main")
		must(os.Rename(w.project, main))
		w.git(main, "worktree", "add", "-q", "-b", "linked", w.project)
		w.write(filepath.Join(main, "a.txt"), lines("unsaved in the main work tree"))
	}},
	{"beside a worktree", and(func(w *world) {
		other := filepath.Join(w.work, "other")
		w.in("worktree", "add", "-q", "-b", "other", other)
		w.write(filepath.Join(other, "a.txt"), lines("unsaved in the other work tree"))
		w.write(filepath.Join(other, "mine.txt"), lines("mine"))
		w.in("worktree", "add", "-q", "--detach", filepath.Join(w.work, "third"), "old")
	})},
	{"worktree inside", and(func(w *world) {
		w.in("worktree", "add", "-q", "-b", "inside", "trees/inside")
		w.put(".git/info/exclude", "trees/\n", "trees/inside/a.txt", lines("unsaved inside"), "trees/inside/mine.txt", lines("mine inside"))
	})},
	{"superproject", and(func(w *world) {
		w.another("lib")
		w.in("submodule", "--quiet", "add", filepath.Join(w.work, "lib"), "sub")
		w.in("submodule", "--quiet", "add", filepath.Join(w.work, "lib"), "deps/second")
		w.in("commit", "-q", "-m", "submodules")
		w.put("sub/one.txt", lines("changed in the submodule"), "sub/mine.txt", lines("mine in the submodule"))
	})},
	{"in a submodule", func(w *world) {
		super := w.another("super")
		w.another("lib")
		w.git(super, "submodule", "--quiet", "add", filepath.Join(w.work, "lib"), "p")
		w.git(super, "commit", "-q", "-m", "submodule")
		w.project = filepath.Join(super, "p")
		w.in("checkout", "-q", "-B", "main")
		w.in("branch", "old", "HEAD~1")
		w.in("checkout", "-q", "-b", "feature", "old")
		w.put("one.txt", lines("of feature"))
		w.in("commit", "-q", "-a", "-m", "feature")
		w.in("checkout", "-q", "main")
		w.write(filepath.Join(super, "one.txt"), lines("unsaved around"))
	}},
	{"nested repository", and(func(w *world) {
		at := w.another("inner")
		must(os.MkdirAll(filepath.Join(w.project, "vendor"), 0o755))
		must(os.Rename(at, filepath.Join(w.project, "vendor/inner")))
		w.put("vendor/inner/one.txt", lines("changed inside"), "vendor/inner/mine.txt", lines("mine inside"), "vendor/readme", lines("beside it"))
	})},
	{"bare and worktree", func(w *world) {
		w.upstream()
		w.git(filepath.Join(w.work, "origin.git"), "worktree", "add", "-q", w.project, "main")
	}},
	{"separate git dir", func(w *world) { w.history("--separate-git-dir", filepath.Join(w.work, "store.git")) }},
	{"core.worktree", func(w *world) {
		base(w)
		hub := filepath.Join(w.work, "hub")
		must(os.MkdirAll(hub, 0o755))
		must(os.Rename(filepath.Join(w.project, ".git"), filepath.Join(hub, ".git")))
		w.git(hub, "config", "core.worktree", w.project)
		w.write(filepath.Join(w.project, ".git"), "gitdir: "+filepath.Join(hub, ".git")+"\n")
	}},
	{"through a link", and(func(w *world) {
		to := filepath.Join(w.work, "real")
		must(os.Rename(w.project, to))
		must(os.Symlink("real", w.project))
	})},
	{"project in a subfolder", func(w *world) {
		whole := w.project
		base(w)
		w.project = filepath.Join(whole, "src")
		w.roots = append(w.roots, whole)
	}},
	{"worktree config", and(func(w *world) {
		w.in("config", "extensions.worktreeConfig", "true")
		w.in("worktree", "add", "-q", "-b", "other", filepath.Join(w.work, "other"))
		w.in("config", "--worktree", "core.commentChar", ";")
		w.in("config", "--worktree", "user.name", "of this tree")
	})},
	{"no repository", func(w *world) {
		must(os.MkdirAll(w.project, 0o755))
		w.first()
	}},
	{"a folder beside", and(func(w *world) { w.write(filepath.Join(w.work, "beside", "notes.txt"), lines("beside the project")) })},
}
