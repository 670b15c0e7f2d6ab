package cli

import "testing"

// A commit that has a file where Git ignores one writes over it without a word.
func TestWaysBackOfIgnoredFilesUnderACommit(t *testing.T) {
	for _, line := range []string{
		"git checkout -q other", "git switch -q other", "git merge -q other", "git reset -q --hard other",
		"git checkout -q other -- data/imp.csv", "git cherry-pick other", "git rebase -q other", "git restore -s other data", "git switch -q -",
	} {
		t.Run(line, func(t *testing.T) {
			s := newShop(t)
			s.write(".gitignore", "data/\n.env\n")
			s.git("add", ".gitignore")
			s.git("commit", "-q", "-m", "ignore")
			s.git("checkout", "-q", "-b", "other")
			s.write("data/imp.csv", "theirs\n")
			s.write(".env", "KEY=theirs\n")
			s.git("add", "-f", "data/imp.csv", ".env")
			s.git("commit", "-q", "-m", "data")
			s.git("checkout", "-q", "main")
			s.write("data/imp.csv", "mine\n")
			s.write(".env", "KEY=mine\n")
			want := s.state()
			message := s.told(line)
			s.sh(line)
			code, out := s.follow(back(message))
			if code != 0 {
				t.Errorf("%s: exit %d\n%s", back(message), code, out)
			}
			for _, d := range differences(s.state(), want) {
				t.Error(d)
			}
		})
	}
}

// Where nothing is in the way, a branch is changed in silence.
func TestNoWordOnAnOrdinarySwitch(t *testing.T) {
	s := newShop(t)
	s.write(".gitignore", "data/\n")
	s.git("add", ".gitignore")
	s.git("commit", "-q", "-m", "ignore")
	s.git("checkout", "-q", "-b", "other")
	s.write("new/file.txt", "theirs\n")
	s.git("add", "new")
	s.git("commit", "-q", "-m", "new")
	s.git("checkout", "-q", "main")
	s.write("data/imp.csv", "mine\n")
	for _, line := range []string{"git checkout other", "git switch other", "git switch -", "git checkout -b third other"} {
		if got := s.told(line); got != "" {
			t.Errorf("%s: %s", line, got)
		}
	}
}
