package cli

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// newFork is a repository whose branches do not go together: what is put onto main stops twice.
func newFork(t *testing.T) *shop {
	for _, name := range []string{"sh", "cp"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip(name + " is needed")
		}
	}
	s := newShop(t)
	s.env = []string{"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z", "GIT_EDITOR=true"} // commits made in two copies have one name
	s.git("config", "rebase.autoStash", "true")
	s.git("config", "gc.auto", "0")
	s.write("a.txt", "base\n")
	s.write("b.txt", "base\n")
	s.write("other.txt", "base\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "base")
	s.git("checkout", "-q", "-b", "기능/로그인")
	for i, change := range []string{"a.txt", "new.txt", "b.txt", "c.txt"} {
		s.write(change, "feature "+change+"\n")
		s.git("add", "-A")
		s.git("commit", "-q", "-m", string(rune('1'+i))+" 변경 "+change)
	}
	s.git("checkout", "-q", "main")
	s.write("a.txt", "main\n")
	s.write("b.txt", "main\n")
	s.git("commit", "-q", "-a", "-m", "main")
	return s
}

// waiting are all files of the work tree's Git folder that say what is under way, whatever their names.
func (s *shop) waiting() map[string]string {
	s.t.Helper()
	dir := strings.TrimSpace(s.git("rev-parse", "--absolute-git-dir"))
	m := map[string]string{"status": s.git("status"), "HEAD file": s.git("rev-parse", "--symbolic-full-name", "HEAD")}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		switch rel {
		case "objects", "logs", "hooks", "info", "refs/heads", "refs/moai", "refs/tags", "refs/remotes", "worktrees":
			return filepath.SkipDir
		case "index", "config", "description", "packed-refs", "COMMIT_EDITMSG", "refs/stash", "gc.log", "gc.pid":
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		m["git "+rel] = string(b)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// all is state and what is under way.
func (s *shop) all() map[string]string {
	m := s.state()
	maps.Copy(m, s.waiting())
	// What a line puts aside in the stash, or git does on its way, stays: nothing is lost by that.
	delete(m, "stash")
	delete(m, "refs/stash")
	return m
}

const (
	resolve   = "echo resolved > a.txt; git add a.txt; echo more >> other.txt; git add other.txt; echo dirty >> new2.txt; echo dirty >> src/a.go; "
	onFeature = "git checkout -q 기능/로그인; "
	// goOn resolves whatever comes and continues until nothing waits.
	goOn = "for i in 1 2 3 4 5; do git checkout -q -- src/a.go; for f in a.txt b.txt; do echo resolved > $f; git add $f; done; git OP --continue; done >/dev/null 2>&1; rm -f new2.txt; git status --porcelain -b"
)

// Every operation that waits to be finished: what is printed before a line ends it brings all of it back, byte for byte, so that it
// goes on to where it would have come.
func TestWaysBackIntoOperations(t *testing.T) {
	fork := newFork(t)
	rebase := onFeature + "git rebase -q main; " + resolve
	apply := onFeature + "git rebase -q --apply main; " + resolve
	merges := onFeature + "git checkout -q -b side main~1; git commit -q --allow-empty -m side; git merge -q --no-edit 기능/로그인; git rebase -q --rebase-merges main; " + resolve
	pick := "git cherry-pick main..기능/로그인; " + resolve
	one := "git cherry-pick 기능/로그인~3; " + resolve
	revert := onFeature + "echo again > a.txt; git commit -q -a -m again; git revert --no-edit HEAD~4 HEAD~2; " + resolve
	am := "git format-patch -q -o ../patches main..기능/로그인; git am -q -3 ../patches/*; " + resolve
	plainAm := "git format-patch -q -o ../patches main..기능/로그인; git am -q ../patches/*; echo resolved > a.txt; git add a.txt; echo dirty >> new2.txt; "
	merge := "git merge -q 기능/로그인; " + resolve
	stash := "echo put aside >> README.md; git merge -q --autostash 기능/로그인; " + resolve
	squash := "git merge -q --squash 기능/로그인; " + resolve
	bisect := onFeature + "git bisect start HEAD main~1 >/dev/null; git bisect bad >/dev/null; echo dirty >> new2.txt; "
	terms := onFeature + "git bisect start --term-new=broken --term-old=fine HEAD main~1 >/dev/null; git bisect fine >/dev/null; echo dirty >> src/a.go; "
	auto := onFeature + "echo put aside >> README.md; git rebase -q main; " + resolve
	edit := onFeature + "GIT_SEQUENCE_EDITOR='sed -i -e 2s/pick/edit/' git rebase -q -i main~1; echo amended >> new.txt; git add new.txt; "
	for _, row := range []struct{ name, prepare, line, finish string }{
		{"rebase", rebase, "git rebase --abort", "rebase"},
		{"rebase", rebase, "git rebase --skip", "rebase"},
		{"rebase", rebase, "git rebase --quit", "rebase"},
		{"rebase", rebase, "git reset -q --hard", "rebase"},
		{"rebase", rebase, "git checkout -q -f main", "rebase"},
		{"rebase", rebase, "rm -rf .git/rebase-merge", "rebase"},
		{"rebase", rebase, "rm -r .git/rebase-merge && git checkout -q -f main", "rebase"},
		{"rebase", rebase, "GIT_SEQUENCE_EDITOR='sed -i -e 1d' git rebase --edit-todo", "rebase"},
		{"rebase", rebase, "git stash push -q -u", "rebase"},
		{"rebase", rebase, "git rebase --abort && git branch -D 기능/로그인 -q; git branch -f 기능/로그인 main; git checkout -q --detach; git branch -q -D 기능/로그인; git reflog expire --expire=now --all; git gc -q --prune=now", "rebase"},
		{"rebase autostash", auto, "git rebase --abort", "rebase"},
		{"rebase autostash", auto, "git rebase --quit", "rebase"},
		{"rebase autostash", auto, "rm -rf .git/rebase-merge; git gc -q --prune=now", "rebase"},
		{"rebase apply", apply, "git rebase --abort", "rebase"},
		{"rebase apply", apply, "git rebase --skip", "rebase"},
		{"rebase apply", apply, "rm -fr .git/rebase-apply", "rebase"},
		{"rebase merges", merges, "git rebase --abort", "rebase"},
		{"rebase edit", edit, "git rebase --abort", "rebase"},
		{"rebase edit", edit, "git rebase --skip", "rebase"},
		{"cherry-pick", pick, "git cherry-pick --abort", "cherry-pick"},
		{"cherry-pick", pick, "git cherry-pick --skip", "cherry-pick"},
		{"cherry-pick", pick, "git cherry-pick --quit", "cherry-pick"},
		{"cherry-pick", pick, "git reset -q --hard", "cherry-pick"},
		{"cherry-pick", pick, "git reset -q", "cherry-pick"},
		{"cherry-pick", pick, "rm -rf .git/sequencer", "cherry-pick"},
		{"cherry-pick", pick, "git update-ref -d CHERRY_PICK_HEAD", "cherry-pick"},
		{"cherry-pick one", one, "git stash push -q", "cherry-pick"},
		{"cherry-pick one", one, "git stash -q", "cherry-pick"},
		{"cherry-pick one", one, "git reset -q --merge", "cherry-pick"},
		{"cherry-pick one", one, "git checkout -q -f 기능/로그인", "cherry-pick"},
		{"cherry-pick one", one, "git commit -q -a -m x && rm -rf src", "cherry-pick"},
		{"revert", revert, "git revert --abort", "revert"},
		{"revert", revert, "git revert --skip", "revert"},
		{"revert", revert, "git revert --quit", "revert"},
		{"am", am, "git am --abort", "am"},
		{"am", am, "git am --skip", "am"},
		{"am", am, "git am --quit", "am"},
		{"am plain", plainAm, "git am --skip", "am"},
		{"merge", merge, "git merge --abort", "merge"},
		{"merge", merge, "git merge --quit", "merge"},
		{"merge", merge, "git reset -q --hard", "merge"},
		{"merge", merge, "git reset -q", "merge"},
		{"merge", merge, "git reset -q HEAD a.txt", "merge"},
		{"merge", merge, "rm .git/MERGE_HEAD .git/MERGE_MSG", "merge"},
		{"merge autostash", stash, "git merge --abort", "merge"},
		{"merge autostash", stash, "git reset -q --hard; git stash clear; git gc -q --prune=now", "merge"},
		{"squash", squash, "git reset -q --hard", "commit -m squashed"},
		{"bisect", bisect, "git bisect reset", "bisect"},
		{"bisect", bisect, "git bisect start", "bisect"},
		{"bisect", bisect, "git bisect run true", "bisect"},
		{"bisect", bisect, "git switch -q --discard-changes main", "bisect"},
		{"bisect", bisect, "git bisect reset && git checkout -q -f main && git clean -qfd", "bisect"},
		{"bisect", bisect, "git update-ref -d refs/bisect/bad", "bisect"},
		{"bisect", bisect, "rm .git/BISECT_LOG .git/BISECT_START", "bisect"},
		{"bisect terms", terms, "git bisect reset HEAD", "bisect terms"},
	} {
		t.Run(row.name+" "+row.line, func(t *testing.T) {
			t.Parallel()
			s := fork.copied(t)
			s.sh(row.prepare + "true")
			want := s.all()
			undisturbed := s.copied(t)
			if status := want["status"]; row.name != "squash" && !strings.Contains(status, "currently") && !strings.Contains(status, "in progress") && !strings.Contains(status, "still merging") && !strings.Contains(status, "conflicts") {
				t.Fatalf("nothing is under way: the test would prove nothing\n%s", status)
			}
			message := s.told(row.line)
			if message == "" {
				t.Fatalf("nothing was saved: %s", s.out)
			}
			s.sh(row.line)
			after := s.all()
			if len(differences(after, want)) == 0 {
				t.Fatal("the line changes nothing: the test would prove nothing")
			}
			code, out := s.follow(back(message))
			if code != 0 {
				t.Errorf("%s: exit %d\n%s", back(message), code, out)
			}
			for _, d := range differences(s.all(), want) {
				t.Error(d)
			}
			if t.Failed() {
				t.Fatal(message)
			}
			s.git("fsck", "--strict", "--no-dangling")

			// The undo of that is as exact, and so is the undo of the undo.
			_, line, _ := strings.Cut(out, "undo: ")
			line, _, _ = strings.Cut(line, "\n")
			code, out = s.follow(line)
			if code != 0 {
				t.Errorf("%s: exit %d\n%s", line, code, out)
			}
			for _, d := range differences(s.all(), after) {
				stays := strings.HasPrefix(d, "refs/heads/") && strings.Contains(d, " is new: ") // a branch that came back
				if !stays && (!strings.HasPrefix(d, "status ") || !strings.Contains(row.line, "reflog expire")) {
					t.Errorf("after the undo: %s", d)
				}
			}
			_, line, _ = strings.Cut(out, "undo: ")
			line, _, _ = strings.Cut(line, "\n")
			if code, out = s.follow(line); code != 0 {
				t.Errorf("%s: exit %d\n%s", line, code, out)
			}
			for _, d := range differences(s.all(), want) {
				t.Errorf("after the undo of the undo: %s", d)
			}
			if t.Failed() {
				t.Fatal(message)
			}

			finish := strings.ReplaceAll(goOn, "OP", row.finish)
			switch row.finish {
			case "bisect":
				finish = "rm -f new2.txt; git bisect good; git bisect good; git bisect good"
			case "bisect terms":
				finish = "git checkout -q -- src/a.go; git bisect fine; git bisect broken; git bisect broken"
			case "commit -m squashed":
				finish = "echo resolved > a.txt; echo resolved > b.txt; git add -A; git commit -q --no-edit"
			}
			s.sh(finish)
			undisturbed.sh(finish)
			end := undisturbed.all()
			if len(differences(end, want)) == 0 {
				t.Fatal("the operation does not go on: the test would prove nothing")
			}
			for _, d := range differences(s.all(), end) {
				t.Errorf("at the end: %s", d)
			}
		})
	}
}

// In a linked work tree the same files are elsewhere, and the main one is left alone.
func TestOperationsInALinkedWorktree(t *testing.T) {
	s := newFork(t)
	linked := filepath.Join(filepath.Dir(s.dir), "곁 나무")
	s.git("worktree", "add", "-q", linked, "기능/로그인")
	s.sh("git merge -q 기능/로그인") // the main work tree has one of its own
	in := &shop{t, s.e, linked, s.out, s.err, "s1", s.env}
	s.e.dir = linked
	in.sh("git rebase -q main; " + resolve + "true")
	want := in.all()
	if !strings.Contains(want["status"], "currently rebasing") {
		t.Fatal(want["status"])
	}
	message := in.told("git rebase --abort")
	in.sh("git rebase --abort; git gc -q --prune=now")
	if code, out := in.follow(back(message)); code != 0 || !strings.Contains(out, "under way again: a rebase of 기능/로그인 onto main, at 1 of 4") {
		t.Errorf("%s: exit %d\n%s", back(message), code, out)
	}
	for _, d := range differences(in.all(), want) {
		t.Error(d)
	}
	// In the main work tree it is somebody else's.
	s.e.dir = s.dir
	if code, out := s.follow(back(message)); code == 0 || !strings.Contains(out, "nothing was changed here") {
		t.Errorf("in the main work tree: exit %d\n%s", code, out)
	}
	if code, out := s.follow(back(message) + " --yes"); code == 0 || !strings.Contains(out, "it belongs to another work tree") {
		t.Errorf("in the main work tree: exit %d\n%s", code, out)
	}
	if _, err := os.Stat(filepath.Join(s.dir, ".git", "MERGE_HEAD")); err != nil {
		t.Errorf("the merge of the main work tree: %v", err)
	}
}

// What is under way when a restore brings another operation back is put aside whole, and show, diff and JSON say what was.
func TestOneOperationAfterAnother(t *testing.T) {
	s := newFork(t)
	s.sh("git merge -q 기능/로그인; " + resolve + "true")
	merging := s.all()
	merge := s.told("git merge --abort")
	s.sh("git merge --abort; git stash push -q -u; git cherry-pick main..기능/로그인; true")
	picking := s.all()
	code, out := s.follow(back(merge))
	if code != 0 || !strings.Contains(out, "under way again: a merge of 기능/로그인 into main; put aside: a cherry-pick of ") {
		t.Errorf("exit %d\n%s", code, out)
	}
	for _, d := range differences(s.all(), merging) {
		t.Error(d)
	}
	_, undo, _ := strings.Cut(out, "undo: ")
	undo, _, _ = strings.Cut(undo, "\n")
	if code, out := s.follow(undo); code != 0 {
		t.Errorf("exit %d\n%s", code, out)
	}
	for _, d := range differences(s.all(), picking) {
		t.Errorf("after the undo: %s", d)
	}
	id := strings.Fields(back(merge))[3]
	if _, out := s.follow("moai checkpoint show " + id); !strings.Contains(out, "under way a merge of 기능/로그인 into main\n") {
		t.Errorf("show: %s", out)
	}
	if _, out := s.follow("moai checkpoint diff " + id); !strings.Contains(out, "moai: under way then: a merge of 기능/로그인 into main\n") {
		t.Errorf("diff: %s", out)
	}
	_, out = s.follow("moai checkpoint show --json " + id)
	var j struct {
		UnderWay struct{ Operation, Branch, With string } `json:"under_way"`
	}
	if err := json.Unmarshal([]byte(out), &j); err != nil || j.UnderWay.Operation != "merge" || j.UnderWay.With != "기능/로그인" {
		t.Errorf("%v: %s", err, out)
	}
}
