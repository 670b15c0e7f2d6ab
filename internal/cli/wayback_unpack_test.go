package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What is unpacked or copied over files that Git ignores takes them along without a word.
func TestWaysBackOfIgnoredFilesUnderAnArchive(t *testing.T) {
	for _, line := range []string{
		"tar -xf new.tar", "tar -xzf new.tgz", "tar xf new.tar .env", "tar xf - < new.tar", "cat new.tgz | tar xz", "tar xf top.tar --strip-components=1",
		"cp -r new/. .", "cp -rT new .", "cp -a new/.env new/data .", "cp -r new/data .", "mv new/data/imp.csv data", "cp new/data/imp.csv data/", "cp -r new/* new/.env .",
	} {
		t.Run(line, func(t *testing.T) {
			s := unpackShop(t)
			want := s.state()
			message := s.told(line)
			s.sh(line)
			code, out := s.follow(back(message))
			if code != 0 {
				t.Errorf("%s: exit %d\n%s", back(message), code, out)
			}
			for _, d := range differences(s.state(), want) {
				if strings.Contains(d, " .env ") || strings.Contains(d, " data/imp.csv ") { // files that are new stay
					t.Error(d)
				}
			}
		})
	}
}

// Where the names in the archive cannot be read, credentials are kept.
func TestWaysBackOfCredentialsUnderAStream(t *testing.T) {
	for _, line := range []string{"cat new.tar > a.tar; tar xf a.tar", "cat new.tgz > a.tgz; tar xzf a.tgz", "curl -sf file://$PWD/new.tgz | tar xz || tar xzf new.tgz"} {
		t.Run(line, func(t *testing.T) {
			s := unpackShop(t)
			message := s.told(line)
			s.sh("tar xf new.tar")
			if code, out := s.follow(back(message)); code != 0 {
				t.Errorf("%s: exit %d\n%s", back(message), code, out)
			}
			if got, err := os.ReadFile(filepath.Join(s.dir, ".env")); err != nil || string(got) != "KEY=mine\n" {
				t.Errorf(".env is %q, %v", got, err)
			}
		})
	}
}

// Where nothing ignored is in the way, archives are unpacked in silence.
func TestNoWordOnAnOrdinaryArchive(t *testing.T) {
	s := unpackShop(t)
	for _, line := range []string{"tar -xf src.tar", "tar xf new.tar -C /tmp/x", "tar tf new.tar", "mkdir fresh && tar xf new.tar -C fresh", "tar xf new.tar new.txt", "cp -r new fresh", "cp -r new/new.txt .", "tar xf src.tar -C data"} {
		if got := s.told(line); got != "" {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// unpackShop has two ignored files, and archives and a folder with others of their names.
func unpackShop(t *testing.T) *shop {
	t.Helper()
	if _, err := exec.LookPath("tar"); err != nil {
		t.Skip("needs tar")
	}
	s := newShop(t)
	s.write(".gitignore", "data/\n.env\n/new/\n*.tar\n*.tgz\n")
	s.git("add", ".gitignore")
	s.git("commit", "-q", "-m", "ignore")
	s.write("new/data/imp.csv", "theirs\n")
	s.write("new/.env", "KEY=theirs\n")
	s.write("new/new.txt", "theirs\n")
	s.sh("tar -C new -cf new.tar .env data new.txt && tar -C new -czf new.tgz .env data new.txt && tar -C new -cf src.tar new.txt && tar -cf top.tar new")
	s.write("data/imp.csv", "mine\n")
	s.write(".env", "KEY=mine\n")
	s.sh("git stash -q -u 2>/dev/null; git reset -q --hard")
	return s
}
