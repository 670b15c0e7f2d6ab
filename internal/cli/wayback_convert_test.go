package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// newConverted is a repository whose files Git stores otherwise than they are on disk, with a branch that adds more of them.
func newConverted(t *testing.T, prepare string) *shop {
	s := newShop(t)
	// What stands for a filter program: it stores a text upside down, or what git-lfs stores.
	tools := filepath.Join(filepath.Dir(s.dir), "bin")
	s.write("../bin/git-lfs", `#!/bin/sh
store=$(dirname "$0")/store; mkdir -p "$store"
case "$1" in
clean)
	cat > "$store/new"; sum=$(sha256sum < "$store/new" | cut -d' ' -f1); size=$(wc -c < "$store/new"); mv "$store/new" "$store/$sum"
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' "$sum" "$size";;
smudge)
	cat "$store/$(sed -n 's/^oid sha256://p')";;
esac
`)
	if err := os.Chmod(filepath.Join(tools, "git-lfs"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("config", "filter.lfs.clean", "'"+tools+"/git-lfs' clean")
	s.git("config", "filter.lfs.smudge", "'"+tools+"/git-lfs' smudge")
	s.git("config", "filter.up.clean", "tr a-z A-Z")
	s.git("config", "filter.up.smudge", "tr A-Z a-z")
	s.sh(prepare)
	text := "line one\r\nline two $Id$\r\n"
	if strings.Contains(prepare, "UTF-16") {
		text = "\xff\xfel\x00i\x00n\x00e\x00\n\x00"
	}
	s.write("dir/e.txt", text)
	s.write("dir/f.txt", text+text)
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "texts")
	s.git("checkout", "-q", "-b", "topic")
	s.write("new/g.txt", text)
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "topic")
	s.git("checkout", "-q", "main")
	// As a checkout writes them.
	s.sh("rm -r dir && git checkout -q dir")
	return s
}

// A file that Git stores otherwise than it is on disk is known by what Git stores: one that came with a reset, a checkout or a merge goes
// again.
func TestWaysBackOfConvertedFiles(t *testing.T) {
	for _, name := range []string{"sh", "cp", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip(name + " is needed")
		}
	}
	all := os.Getenv("MOAI_DESTROYERS") == "all" // the nightly run; else each setting meets every other line, and each line every other setting
	for i, prepare := range []string{
		"git config core.autocrlf true",
		"git config core.autocrlf input",
		"echo '*.txt eol=crlf' > .gitattributes",
		"echo '*.txt text=auto' > .gitattributes; git config core.eol crlf",
		"echo '*.txt text' > .gitattributes; git config core.eol crlf",
		"echo '*.txt ident' > .gitattributes",
		"echo '*.txt ident eol=crlf' > .gitattributes",
		"echo '*.txt working-tree-encoding=UTF-16' > .gitattributes",
		"echo '*.txt filter=lfs -text' > .gitattributes",
		"echo '*.txt filter=up' > .gitattributes",
	} {
		t.Run(prepare, func(t *testing.T) {
			made := newConverted(t, prepare)
			for j, line := range []string{
				"git reset -q --hard",
				"git checkout -q .",
				"git restore .",
				"git checkout -q -f topic",
				"git merge -q topic && git reset -q --hard",
				"git stash -q && git stash drop -q",
				"git checkout -q topic -- . && rm README.md",
			} {
				if !all && (i+j)%2 != 0 {
					continue
				}
				t.Run(line, func(t *testing.T) {
					t.Parallel()
					s := made.copied(t)
					s.sh("mv dir/e.txt dir/f.txt")
					want := s.state()
					message := s.told(line)
					s.sh(line)
					if len(differences(s.state(), want)) == 0 {
						t.Fatal("the line changes nothing: the test would prove nothing")
					}
					// A filter may store another text than the commit has. Then Git calls a file changed if it wrote the file in the same
					// moment as the index, and a changed file is not deleted.
					changed := s.git("--no-optional-locks", "status", "--porcelain", "--", "new")
					code, out := s.follow(back(message))
					if code != 0 {
						t.Errorf("%s: exit %d\n%s", back(message), code, out)
					}
					for _, d := range differences(s.state(), want) {
						if !strings.HasPrefix(line, "git checkout -q topic --") && !strings.Contains(changed, " M new/") || !strings.Contains(d, " is new: ") || !strings.HasPrefix(d, "file new/") {
							t.Error(d)
						}
					}
					if t.Failed() {
						t.Log(message, out)
					}
				})
			}
		})
	}
}
