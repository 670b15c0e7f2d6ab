package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"
)

// newCrossroads is a repository in which every kind of reference has something to lose: branches with commits of their own, a tag, notes,
// a remote, two entries in the stash, staged, changed and untracked files.
func newCrossroads(t *testing.T) *shop {
	s := newShop(t)
	s.write("src/lib/b.go", "package lib\n")
	s.write("notes.txt", "one\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "second")
	s.git("branch", "old", "HEAD~1")
	s.git("branch", "same")
	s.git("checkout", "-q", "-b", "feature/a")
	s.write("src/feature.go", "package a // feature\n")
	s.write("src/a.go", "package a // of feature\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "feature")
	s.git("tag", "-a", "v1", "-m", "v1", "old")
	s.git("notes", "add", "-m", "note", "old")
	bare := filepath.Join(filepath.Dir(s.dir), "origin.git")
	s.git("clone", "-q", "--bare", s.dir, bare)
	s.git("remote", "add", "origin", bare)
	s.git("fetch", "-q", "origin")
	s.git("update-ref", "refs/remotes/origin/gone", "HEAD")
	s.git("checkout", "-q", "main")
	s.write("README.md", "more\n")
	s.git("commit", "-q", "-a", "-m", "third")
	s.git("branch", "local", "feature/a")
	s.git("checkout", "-q", "feature/a")
	s.git("commit", "-q", "--allow-empty", "-m", "here alone")
	s.git("checkout", "-q", "main")
	for _, text := range []string{"first", "second"} {
		s.write("notes.txt", text+"\n")
		s.git("stash", "push", "-q", "-m", text)
	}
	s.write("staged.txt", "staged\n")
	s.git("add", "staged.txt")
	s.write("notes.txt", "changed\n")
	s.write("mine.txt", "untracked\n")
	if err := os.Chmod(filepath.Join(s.dir, "mine.txt"), 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

// copied is the same repository in a folder of its own.
func (s *shop) copied(t *testing.T) *shop {
	t.Helper()
	e, out, errs := testEnv(t, nil, nil)
	e.dir = filepath.Join(e.dir, "app")
	if msg, err := exec.Command("cp", "-a", s.dir, e.dir).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, msg)
	}
	c := &shop{t, e, e.dir, out, errs, "s1", s.env}
	c.settings(patient + tellAll)
	return c
}

// state is all that a way back has to bring: where HEAD stands, references, the stash, the index, files with their modes.
func (s *shop) state() map[string]string {
	s.t.Helper()
	head, err := s.tryGit("symbolic-ref", "HEAD")
	if err != nil {
		head = s.git("rev-parse", "HEAD")
	}
	m := map[string]string{"HEAD": head, "stash": s.git("stash", "list", "--format=%H"), "index": s.git("ls-files", "-s"), "remotes": s.git("remote", "-v")}
	for line := range strings.SplitSeq(strings.TrimSpace(s.git("for-each-ref", "--format=%(refname) %(objectname)")), "\n") {
		name, h, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(name, "refs/moai/") && !strings.HasPrefix(name, "refs/heads/checkpoint/") {
			m[name] = h
		}
	}
	err = filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(s.dir, p)
		switch {
		case err != nil:
			return err
		case rel == ".git" || rel == ".moai":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		b, err := os.ReadFile(p)
		info, bad := d.Info()
		if err != nil || bad != nil {
			return fmt.Errorf("%w, %w", err, bad)
		}
		m["file "+filepath.ToSlash(rel)] = info.Mode().String() + " " + string(b)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// told is what the user reads when a line is about to run.
func (s *shop) told(line string) string {
	s.t.Helper()
	s.bash(line)
	raw := s.out.String() // what it took too long for is said on stderr
	var answer struct {
		SystemMessage string `json:"systemMessage"`
	}
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		s.t.Fatalf("the hook answers %q: %v", raw, err)
	}
	return answer.SystemMessage
}

// back is the way back of a message.
func back(message string) string {
	_, rest, _ := strings.Cut(message, "bring it back: ")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// follow types a printed line where it was printed.
func (s *shop) follow(line string) (int, string) {
	s.t.Helper()
	words, err := shell.Fields(line, nil)
	if err != nil || len(words) < 2 || words[0] != "moai" {
		s.t.Fatalf("the way back is %q", line)
	}
	s.out.Reset()
	s.err.Reset()
	code := Run(words[1:], s.e)
	return code, s.out.String() + s.err.String()
}

func differences(got, want map[string]string) (list []string) {
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if got[k] != want[k] {
			list = append(list, fmt.Sprintf("%s is %q, was %q", k, got[k], want[k]))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(got)) {
		if _, was := want[k]; !was {
			list = append(list, fmt.Sprintf("%s is new: %q", k, got[k]))
		}
	}
	return list
}

// What is printed before references move brings all of them back, and HEAD, stash, index and files with them.
func TestWaysBackOfReferences(t *testing.T) {
	for _, name := range []string{"sh", "cp"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip(name + " is needed")
		}
	}
	crossroads := newCrossroads(t)
	for _, row := range []struct{ dir, line, prepare string }{
		{line: "git checkout -q -B feature/a"},
		{line: "git checkout -q -B feature/a old -f"},
		{line: "git checkout -qBfeature/a"},
		{line: "git switch -q -C feature/a"},
		{line: "git switch -q -C local HEAD"},
		{line: "git switch -q -f --force-create=feature/a old"},
		{line: "git checkout -q -B main feature/a -f"},
		{line: "git branch -f feature/a old"},
		{line: "git branch -D feature/a local"},
		{line: "git branch -M old feature/a"},
		{line: "git branch -rD origin/gone"},
		{line: "git branch -rd origin/gone"},
		{line: "git switch -q --discard-changes same", prepare: "git checkout -q --orphan fresh"},
		{line: "git reflog expire --expire=now --all"},
		{line: "git reflog expire --expire=all --all && git gc -q --prune=now"},
		{line: "git reflog delete stash@{0}"},
		{line: "git stash clear"},
		{line: "git stash drop"},
		{line: "git fetch -q origin '+refs/heads/*:refs/heads/*'", prepare: "git stash push -q -u && git checkout -q --detach && git stash apply -q"},
		{line: "git fetch -q -u -f origin main:main"},
		{line: "git fetch -q -u origin +feature/a:main"},
		{line: "git fetch -q --prune origin '+refs/heads/*:refs/heads/*'", prepare: "git checkout -q --detach"},
		{line: "git fetch -q --prune --prune-tags --force origin", prepare: "git tag mine old"},
		{line: "git fetch -q --prune origin && rm -rf src"},
		{line: "git remote prune origin; rm -r src"},
		{line: "git tag -d v1"},
		{line: "git update-ref -d refs/stash"},
		{line: "git update-ref refs/heads/feature/a old"},
		{line: "git notes remove old"},
		{line: "git stash -q -u && git checkout -q old && git stash drop -q"},
		{line: "git stash -q -u && git checkout -q same && git stash drop -q"},
		{line: "git stash -q -u && git checkout -q feature/a && git stash drop -q"},
		{line: "git checkout -q feature/a && rm -rf src"},
		{line: "git checkout -q same && rm -rf src"},
		{line: "rm -rf src && git switch -q feature/a"},
		{line: "git switch -q feature/a && git clean -qfd"},
		{line: "git checkout -q --detach feature/a && rm -rf src"},
		{line: "git checkout -q --orphan fresh && rm -rf src"},
		{line: "git checkout -q - && rm -rf src"},
		{line: "git reset -q --soft HEAD~1 && rm -rf src"},
		{line: "git commit -q -m x && rm -rf src"},
		{line: "git -c user.name=x commit -q -a -m x; git clean -qfd"},
		{line: "bash -c 'git checkout -q feature/a'; rm -rf src"},
		{line: "git reset -q --hard HEAD~1"},
		{line: "git commit -q --amend -m better"},
		{line: "git bisect start -q HEAD old >/dev/null; rm -rf src; git bisect reset -q"},
		{dir: "src/lib", line: "cd .. && git checkout -q -f feature/a && rm -rf lib && mkdir lib"},
		{dir: "src", line: "git switch -q feature/a && rm -rf lib"},
		{line: "git checkout -q feature/a && rm -rf src", prepare: "git stash push -q -u; git checkout -q --detach; git stash apply -q"},
	} {
		t.Run(strings.TrimSpace(row.dir+" "+row.line), func(t *testing.T) {
			s := crossroads.copied(t)
			s.sh(row.prepare)
			want := s.state()
			root := s.dir
			s.e.dir, s.dir = filepath.Join(root, row.dir), filepath.Join(root, row.dir)
			message := s.told(row.line)
			s.sh(row.line)
			s.dir = root
			if len(differences(s.state(), want)) == 0 {
				t.Fatal("the line changes nothing: the test would prove nothing")
			}
			if code, out := s.follow(back(message)); code != 0 {
				t.Errorf("%s: exit %d\n%s", back(message), code, out)
			}
			for _, d := range differences(s.state(), want) {
				t.Error(d)
			}
			if t.Failed() {
				t.Log(message)
			}
		})
	}
}

// sh runs a line; that part of it fails is its own business.
func (s *shop) sh(line string) {
	s.t.Helper()
	if line == "" {
		return
	}
	c := exec.Command("sh", "-c", line)
	c.Dir = s.dir
	c.Env = s.environ()
	if out, err := c.CombinedOutput(); err != nil {
		s.t.Logf("%s: %v\n%s", line, err, out)
	}
}
