//go:build linux

package rounds

import (
	"os"
	"path/filepath"
	"strings"
)

// sides are two branches that say different things about a.txt, in several commits.
func (w *world) sides() {
	base(w)
	w.in("checkout", "-q", "-b", "theirs", "old")
	for i, text := range []string{"theirs one", "theirs two", "theirs three"} {
		w.put("a.txt", lines(text), "theirs"+string(rune('0'+i)), lines(text))
		w.in("add", "-A")
		w.in("commit", "-q", "-m", text)
	}
	w.in("checkout", "-q", "main")
	w.put("a.txt", lines("ours"))
	w.in("commit", "-q", "-a", "-m", "ours")
}

// stopped says that Git stopped in the middle, as it had to.
func (w *world) stopped(args ...string) {
	if r := w.try(w.project, args...); r.code == 0 {
		panic(trouble{os.ErrExist})
	}
}

// half is a resolution of which one part is staged and the other not.
func (w *world) half() {
	w.put("a.txt", lines("half resolved"))
	w.in("add", "a.txt")
	w.put("a.txt", lines("resolved further"))
}

var stoppedKinds = []kind{
	{"merge", func(w *world) { w.sides(); w.stopped("merge", "theirs") }},
	{"merge, half resolved", func(w *world) { w.sides(); w.stopped("merge", "theirs"); w.half() }},
	{"merge, not committed", func(w *world) { base(w); w.in("merge", "-q", "--no-commit", "--no-ff", "feature") }},
	{"merge --squash", func(w *world) { base(w); w.in("merge", "-q", "--squash", "feature") }},
	{"octopus of conflicts", func(w *world) {
		w.sides()
		w.in("checkout", "-q", "-b", "more", "old")
		w.in("rm", "-q", "b.txt")
		w.put("both", lines("more's both"), "c.txt", lines("more's c"))
		w.in("add", "-A")
		w.in("commit", "-q", "-m", "more")
		w.in("checkout", "-q", "main")
		w.put("both", lines("main's both"))
		w.in("rm", "-q", "c.txt")
		w.put("b.txt", lines("main's b"))
		w.in("add", "-A")
		w.in("commit", "-q", "-m", "main's")
		w.stopped("merge", "more")
	}},
	{"rebase", func(w *world) { w.sides(); w.stopped("rebase", "theirs") }},
	{"rebase of several", func(w *world) { w.sides(); w.in("checkout", "-q", "theirs"); w.stopped("rebase", "main") }},
	{"rebase, half resolved", func(w *world) {
		w.sides()
		w.in("checkout", "-q", "theirs")
		w.stopped("rebase", "main")
		w.half()
	}},
	{"rebase with autostash", func(w *world) {
		w.sides()
		w.put("b.txt", lines("stashed by rebase"))
		w.stopped("rebase", "--autostash", "theirs")
	}},
	{"rebase --edit", func(w *world) {
		base(w)
		w.env = append(w.env, "GIT_SEQUENCE_EDITOR=sed -i 1s/pick/edit/")
		w.in("rebase", "-q", "-i", "HEAD~2")
		w.env = nil
		w.put("b.txt", lines("edited in between"))
	}},
	{"rebase --apply", func(w *world) { w.sides(); w.in("checkout", "-q", "theirs"); w.stopped("rebase", "--apply", "main") }},
	{"cherry-pick", func(w *world) { w.sides(); w.stopped("cherry-pick", "theirs") }},
	{"cherry-pick of several", func(w *world) { w.sides(); w.stopped("cherry-pick", "old..theirs") }},
	{"cherry-pick -n", func(w *world) { base(w); w.in("cherry-pick", "-n", "feature") }},
	{"revert", func(w *world) {
		w.sides()
		w.in("checkout", "-q", "theirs")
		w.stopped("revert", "--no-edit", "HEAD~1")
	}},
	{"revert of several", func(w *world) {
		w.sides()
		w.in("checkout", "-q", "theirs")
		w.stopped("revert", "--no-edit", "HEAD~1", "HEAD~2")
	}},
	{"am", func(w *world) {
		w.sides()
		w.in("format-patch", "-q", "-o", filepath.Join(w.work, "patches"), "old..theirs")
		list, err := filepath.Glob(filepath.Join(w.work, "patches", "*"))
		must(err)
		w.stopped(append([]string{"am", "-q"}, list...)...)
		w.put("a.txt", lines("half applied"))
	}},
	{"bisect", func(w *world) { base(w); w.in("bisect", "start", "HEAD", "old") }},
	{"bisect with work", func(w *world) {
		base(w)
		w.in("bisect", "start", "HEAD", "old")
		w.put("a.txt", strings.Replace(lines("a.txt"), "line 11", "line 11, looked at", 1))
	}},
	{"stash pop", func(w *world) {
		base(w)
		w.put("a.txt", lines("stashed"))
		w.in("stash", "push", "-q")
		w.put("a.txt", lines("went on"))
		w.in("commit", "-q", "-a", "-m", "went on")
		w.stopped("stash", "pop", "-q")
	}},
}

// formatKinds are stored differently.
var formatKinds = []kind{
	{"index v4", and(func(w *world) { w.in("update-index", "--index-version", "4") })},
	{"split index", and(func(w *world) {
		w.in("update-index", "--split-index")
		w.put("after-the-split", lines("after"))
		w.in("add", "after-the-split")
	})},
	{"untracked cache", and(func(w *world) {
		w.put("u/x", lines("u"))
		w.in("config", "core.untrackedCache", "true")
		w.in("update-index", "--force-untracked-cache")
		w.in("status", "--porcelain")
	})},
	{"fsmonitor", and(func(w *world) {
		w.put(".git/hooks/watch", "#!/bin/sh\nprintf 'token\\0/\\0'\n")
		must(os.Chmod(filepath.Join(w.project, ".git/hooks/watch"), 0o755))
		w.in("config", "core.fsmonitor", ".git/hooks/watch")
		w.in("status", "--porcelain")
	})},
	{"SHA-256", func(w *world) { w.history("--object-format=sha256") }},
	{"shared repository", func(w *world) { w.history("--shared=group") }},
	{"template with hooks", and(func(w *world) {
		for _, h := range []string{"post-checkout", "pre-commit", "reference-transaction", "post-index-change"} {
			w.put(".git/hooks/"+h, "#!/bin/sh\nexit 0\n")
			must(os.Chmod(filepath.Join(w.project, ".git/hooks", h), 0o755))
		}
	})},
	{"includes", and(func(w *world) {
		w.put(".git/more", "[core]\n\tignoreCase = false\n[status]\n\tshowUntrackedFiles = no\n[clean]\n\trequireForce = false\n")
		w.in("config", "include.path", "more")
	})},
	{"logs of all", and(func(w *world) { w.in("config", "core.logAllRefUpdates", "always") })},
	{"reftable", and(func(w *world) {
		// Git 2.39 cannot read it: what a newer one made is in the way as if damaged.
		w.in("config", "core.repositoryFormatVersion", "1")
		w.in("config", "extensions.refStorage", "reftable")
	})},
}
