package cli

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// newWaysFork is a clean repository with a branch that changes the same file, one that does not, a remote that is ahead, a stash entry, a
// patch and a mail. Nothing is staged.
func newWaysFork(t *testing.T) *shop {
	s := newShop(t)
	s.git("config", "pull.rebase", "false")
	s.write("list.txt", "one\n")
	s.write("other.txt", "one\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "list")
	s.git("checkout", "-q", "-b", "topic")
	s.write("list.txt", "topic\n")
	s.write("added.txt", "added\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "topic")
	s.git("checkout", "-q", "-b", "easy", "main")
	s.write("easy.txt", "easy\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "easy")
	s.git("checkout", "-q", "main")
	s.write("list.txt", "main\n")
	s.git("commit", "-q", "-a", "-m", "main")
	outside := filepath.Dir(s.dir)
	s.git("clone", "-q", "--bare", s.dir, filepath.Join(outside, "origin.git"))
	s.git("remote", "add", "origin", filepath.Join(outside, "origin.git"))
	s.git("config", "branch.main.remote", "origin")
	s.git("config", "branch.main.merge", "refs/heads/topic")
	s.write("other.txt", "stashed\n")
	s.write("new.txt", "new\n")
	s.git("add", "-A")
	s.git("stash", "push", "-q")
	s.write("mine.txt", "untracked\n")
	return s
}

// What is printed brings the index back as well where nothing was staged and the call stages, or leaves conflicts in it.
func TestWaysBackOfTheIndex(t *testing.T) {
	for _, name := range []string{"sh", "cp"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip(name + " is needed")
		}
	}
	fork := newWaysFork(t)
	const changed, conflicting = "echo mine > list.txt", "echo more > other.txt; git commit -qam more"
	const gone = changed + "; echo staged > gone.txt; git add gone.txt; rm gone.txt"
	for _, row := range []struct{ line, prepare string }{
		{line: "git stash pop -q"},
		{line: "git stash pop -q --index"},
		{line: "git stash pop -q", prepare: conflicting},
		{line: "git stash branch fresh"},
		{line: "git stash apply -q && rm mine.txt"},
		{line: "git stash apply -q && rm mine.txt", prepare: conflicting},
		{line: "git cherry-pick -n easy"},
		{line: "git cherry-pick -n topic"},
		{line: "git cherry-pick easy"},
		{line: "git cherry-pick topic"},
		{line: "git revert -n HEAD"},
		{line: "git revert --no-edit HEAD~1"},
		{line: "git revert --no-edit HEAD"},
		{line: "git merge -q --squash easy"},
		{line: "git merge -q --squash topic"},
		{line: "git merge -q --no-commit easy"},
		{line: "git merge -q --no-edit easy"},
		{line: "git merge -q topic"},
		{line: "git pull -q --rebase origin topic"},
		{line: "git rebase -q topic"},
		{line: "git rebase -q easy"},
		{line: "git format-patch -q -1 --stdout easy > ../mail; git am -q < ../mail"},
		{line: "git format-patch -q -1 --stdout topic > ../mail; git am -q -3 < ../mail"},
		{line: "git diff main~1 easy -- easy.txt > ../patch; git apply --index ../patch; rm mine.txt"},
		{line: "git diff main~1 topic > ../patch; git apply -3 ../patch; rm mine.txt"},
		{line: "git diff main~1 easy -- easy.txt > ../patch; git apply --cached ../patch; rm mine.txt"},
		{line: "git add mine.txt && rm mine.txt"},
		{line: "git mv other.txt else.txt && rm mine.txt"},
		{line: "git rm -q other.txt && rm mine.txt"},
		{line: "git rm -q --cached other.txt && rm mine.txt"},
		{line: "git update-index --force-remove other.txt; rm mine.txt"},
		{line: "git read-tree topic; rm mine.txt"},
		{line: "git read-tree -m -u easy"},
		{line: "git reset -q HEAD~1 && rm mine.txt"},
		{line: "git reset -q --soft HEAD~1 && rm mine.txt"},
		{line: "git reset -q HEAD~1 -- list.txt; rm mine.txt"},
		{line: "git reset -q --hard HEAD~1", prepare: changed},
		{line: "git reset -q --keep HEAD~1"},
		{line: "git checkout -q easy && rm mine.txt"},
		{line: "git checkout -q topic -- list.txt && rm mine.txt"},
		{line: "git checkout -q -m topic", prepare: changed},
		{line: "git checkout -q --merge topic", prepare: changed},
		{line: "git switch -q -m topic", prepare: changed},
		{line: "git checkout -q --conflict=diff3 topic", prepare: changed},
		{line: "git switch -q --conflict=diff3 topic", prepare: changed},
		{line: "git commit -q -a -m wip && rm mine.txt", prepare: changed},
		{line: "git commit -q -a --amend -m wip", prepare: changed},
		{line: "git restore -q -s topic -SW list.txt", prepare: changed},
		{line: "git add -A", prepare: gone},
		{line: "git add gone.txt", prepare: gone},
		{line: "git commit -q -a -m x", prepare: gone},
		{line: "git update-index --remove gone.txt", prepare: gone},
	} {
		t.Run(row.line+" "+row.prepare, func(t *testing.T) {
			t.Parallel()
			s := fork.copied(t)
			s.sh(row.prepare)
			s.sh("git update-index -q --refresh")
			want := s.state()
			message := s.told(row.line)
			s.sh(row.line)
			if len(differences(s.state(), want)) == 0 {
				t.Fatal("the line changes nothing: the test would prove nothing")
			}
			if back(message) == "" {
				t.Fatalf("no way back: %q", message)
			}
			if code, out := s.follow(back(message)); code != 0 {
				t.Errorf("%s: exit %d\n%s", back(message), code, out)
			}
			for _, d := range differences(s.state(), want) {
				if !strings.Contains(d, " is new: ") { // files and references that the checkpoint does not know stay
					t.Error(d)
				}
			}
			if t.Failed() {
				t.Log(message)
			}
		})
	}
}
