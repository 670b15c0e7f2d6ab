package cli

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// everything is the state with folders and their modes.
func (s *shop) everything() map[string]string {
	s.t.Helper()
	m := s.state()
	err := filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			if d.Name() == ".git" || d.Name() == ".moai" {
				return filepath.SkipDir
			}
			rel, _ := filepath.Rel(s.dir, p)
			info, _ := d.Info()
			m["folder "+filepath.ToSlash(rel)] = fmt.Sprint(info.Mode())
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// undone is the line that a restore prints to take itself back.
func undone(out string) string {
	_, rest, _ := strings.Cut(out, "undo: ")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// The line that a restore prints takes it back: all is as it was before the restore, and the next one takes that back again.
func TestUndoOfRestores(t *testing.T) {
	for _, name := range []string{"sh", "cp"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip(name + " is needed")
		}
	}
	crossroads := newCrossroads(t)
	crossroads.write(".gitignore", "*.secret\n.env\n")
	crossroads.write(".env", "A=1\n")
	if err := os.MkdirAll(filepath.Join(crossroads.dir, "empty", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ line, prepare, flags string }{
		{line: "git stash pop -q --index", prepare: "git stash push -q -u"},
		{line: "git stash pop -q", prepare: "git reset -q --hard"},
		{line: "git stash branch fresh", prepare: "git stash push -q -u"},
		{line: "git stash drop -q"},
		{line: "git stash clear"},
		{line: "git branch -D local feature/a"},
		{line: "git tag -d v1"},
		{line: "git notes remove old"},
		{line: "git update-ref refs/heads/feature/a old"},
		{line: "git branch -f feature/a old"},
		{line: "git branch -M old feature/a"},
		{line: "git checkout -q -f feature/a"},
		{line: "git checkout -q feature/a && git branch -D main", prepare: "git stash push -q -u"},
		{line: "git reset -q --hard HEAD~1"},
		{line: "git reset -q --hard HEAD~1", flags: " --delete-new"},
		{line: "git commit -q --amend -m better"},
		{line: "git merge -q feature/a", prepare: "git stash push -q -u"},
		{line: "git clean -fdxq"},
		{line: "rm -rf src mine.txt .env empty"},
		{line: "rm -rf .env"},
		{line: "rm -rf empty"},
		{line: "chmod -R go-rwx src && rm mine.txt"},
		{line: "git rm -q --cached notes.txt; rm mine.txt"},
		{line: "git bisect start -q HEAD old >/dev/null; rm -rf src; git bisect reset -q"},
	} {
		t.Run(row.line+row.flags, func(t *testing.T) {
			t.Parallel()
			s := crossroads.copied(t)
			s.sh(row.prepare)
			message := s.told(row.line)
			s.sh(row.line)
			s.write("later.txt", "later\n")
			before := s.everything()
			line := back(message)
			if line == "" {
				t.Fatalf("no way back: %q", message)
			}
			if row.flags != "" {
				line += row.flags + " --yes"
			}
			code, out := s.follow(line)
			if code != 0 {
				t.Fatalf("%s: exit %d\n%s", line, code, out)
			}
			restored := s.everything()
			if len(differences(restored, before)) == 0 {
				t.Fatal("the restore changes nothing: the test would prove nothing")
			}
			if code, again := s.follow(undone(out)); code != 0 {
				t.Errorf("%s: exit %d\n%s", undone(out), code, again)
			} else {
				out = again
			}
			for _, d := range differences(s.everything(), before) {
				t.Error(d)
			}
			// What is taken back can be had again.
			if code, again := s.follow(undone(out)); code != 0 {
				t.Errorf("%s: exit %d\n%s", undone(out), code, again)
			}
			for _, d := range differences(s.everything(), restored) {
				t.Error("taken back twice: " + d)
			}
			if t.Failed() {
				t.Log(message + "\n" + out)
			}
		})
	}
}

// The line for a repository inside another one begins with a cd of its own, since the shell that it is typed into mostly stands outside.
func TestUndoInside(t *testing.T) {
	s := newShop(t)
	s.sh("git init -q -b main 'lib one' && cd 'lib one' && git config user.name t && git config user.email t@example.invalid && echo a > a && git add a && git commit -q -m a && echo b > a && echo mine > mine")
	outside := s.e.dir
	s.e.dir = filepath.Join(outside, "lib one")
	message := s.told("git reset -q --hard")
	s.sh("cd 'lib one' && git reset -q --hard")
	before := s.everything()
	code, out := s.follow(back(message))
	if code != 0 || len(differences(s.everything(), before)) == 0 {
		t.Fatalf("%s: exit %d, %s", back(message), code, out)
	}
	real, err := filepath.EvalSymlinks(s.e.dir)
	if err != nil {
		t.Fatal(err)
	}
	line, found := strings.CutPrefix(undone(out), "(cd '"+filepath.ToSlash(real)+"' && ")
	if line, ended := strings.CutSuffix(line, ")"); !found || !ended {
		t.Fatalf("the line goes nowhere: %s", undone(out))
	} else if code, out := s.follow(line); code != 0 {
		t.Fatalf("%s: exit %d, %s", line, code, out)
	}
	for _, d := range differences(s.everything(), before) {
		if !strings.HasPrefix(d, "file lib one/.git/") && !strings.HasPrefix(d, "file lib one/.moai/") {
			t.Error(d)
		}
	}
}
