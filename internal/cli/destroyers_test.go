package cli

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// newDestroyed is a repository in which something is in every state that a line can destroy: changed, untracked, staged and changed
// again, staged and gone, ignored; and what the lines need to do it with.
func newDestroyed(t *testing.T) *shop {
	s := newShop(t)
	s.write(".gitignore", "*.o\napp\nbuild/\n.env\nsecret.d/\n")
	for _, name := range []string{"f1.txt", "f2.txt", "f3.txt", "docs/x.md"} {
		s.write(name, "one\ntwo\nthree\n")
	}
	s.write("main.c", "int main(void) { return 0; }\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "one")
	s.write("f1.txt", "one\ntwo\nthree and more\n")
	s.write("docs/x.md", "first line\nsecond line\nthird line\n")
	s.write("list.txt", "f1.txt\nmine.txt\n")
	s.write("list.json", "{\"a\": 1}\n")
	s.write("other/mine.txt", "another file of that name\n")
	s.write("other/f1.txt", "another f1\n")
	s.write("other/src/a.go", "package other\n")
	s.write("mine.diff", "--- mine.txt\n+++ mine.txt\n@@ -1 +1 @@\n-only here\n+patched\n")
	s.sh("tar cf x.tar other/mine.txt -C other mine.txt f1.txt; cd other && { zip -q ../x.zip mine.txt f1.txt || : > ../x.zip; }; cd .. && cp other/mine.txt mine.txt && gzip -k mine.txt && mv mine.txt mine2.txt && { xz -k mine2.txt || : > mine2.txt.xz; }; rm mine2.txt")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "two")
	s.git("checkout", "-q", "-b", "feature")
	s.write("f2.txt", "of the feature\n")
	s.write("src/a.go", "package a // of the feature\n")
	s.git("commit", "-q", "-a", "-m", "feature")
	s.git("checkout", "-q", "main")

	s.write("f3.txt", "only staged\n")
	s.write("gone.txt", "only staged, and not on disk\n")
	s.write("added.txt", "added\n")
	s.git("add", "f3.txt", "gone.txt", "added.txt")
	s.write("f3.txt", "changed again since\n")
	s.write("added.txt", "added and changed\n")
	if err := os.Remove(filepath.Join(s.dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	s.write("f1.txt", "one\ntwo\nthree and more\nnot committed\n")
	s.write("f1.diff", strings.ReplaceAll(s.git("diff", "f1.txt"), "\r", ""))
	s.git("add", "f1.diff")
	s.write("src/a.go", "package a // not committed\n")
	s.write("mine.txt", "only here\n")
	s.write("mine2.txt", "only here, too\n")
	s.write("xaa", "a file that split would name so\n")
	s.write("mi00", "one that csplit would\n")
	s.write("miaa", "one that split would\n")
	s.write("new/dir/u.txt", "untracked\n")
	s.write("han gul/글.txt", "untracked\n")
	s.write("한글.txt", "untracked\n")
	s.write("app", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00")
	s.write("build/x.o", "ignored\n")
	s.write(".env", "KEY=only-here\n")
	s.write("secret.d/key", "only here\n")
	return s
}

// lines reads a file of testdata/destroyers, without its comments.
func destroyers(t *testing.T, name string) (list []string) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "destroyers", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if line := in.Text(); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

var destroyer = regexp.MustCompile(`^(run|say|stop)(?:\[([a-z0-9]+)\])? (.+)$`)

// None of the lines passes without a word, and what is printed before those that run brings everything back.
func TestDestroyers(t *testing.T) {
	for _, name := range []string{"bash", "cp", "tar", "gzip"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip(name + " is needed")
		}
	}
	list := destroyers(t, "lines.txt")
	if len(list) < 214 {
		t.Errorf("%d lines, want 214 and more", len(list))
	}
	origin := newDestroyed(t)
	want := origin.state()
	all := os.Getenv("MOAI_DESTROYERS") == "all" // the nightly run; else every third is run, and all are judged
	for i, line := range list {
		part := destroyer.FindStringSubmatch(line)
		if part == nil {
			t.Fatalf("what is %q?", line)
		}
		t.Run(part[3], func(t *testing.T) {
			s := origin
			runs := part[1] == "run" && (all || i%3 == 0)
			if s.t = t; runs {
				s = origin.copied(t)
			}
			s.bash(part[3])
			answer := s.out.String()
			if strings.TrimSpace(answer) == "{}" {
				t.Fatal("passes without a word")
			}
			if part[1] == "stop" {
				if !strings.Contains(answer, "permissionDecision") || back(answer) != "" {
					t.Errorf("nothing can bring it back: %s", answer)
				}
				return
			}
			if part[1] == "say" || strings.Contains(answer, "permissionDecision") {
				if part[1] == "run" {
					t.Errorf("is asked about, and no snapshot helps: %s", answer)
				}
				return
			}
			if _, err := exec.LookPath(part[2]); !runs || part[2] != "" && err != nil {
				return
			}
			var said struct {
				SystemMessage string `json:"systemMessage"`
			}
			if err := json.Unmarshal([]byte(answer), &said); err != nil {
				t.Fatalf("the hook answers %q: %v", answer, err)
			}
			message := said.SystemMessage
			s.inBash(part[3])
			if !destroyed(s.state(), want) {
				t.Fatal("destroys nothing: the line proves nothing")
			}
			if code, out := s.follow(back(message)); code != 0 {
				t.Errorf("%s: exit %d\n%s", back(message), code, out)
			}
			after := s.state()
			for _, d := range differences(after, want) {
				if !strings.Contains(d, " is new: ") {
					t.Error(d)
				}
			}
			if t.Failed() {
				t.Log(message)
			}
		})
	}
}

// destroyed reports that something which was there is gone or not as it was.
func destroyed(now, before map[string]string) bool {
	for name, content := range before {
		if now[name] != content {
			return true
		}
	}
	return false
}

// A guard that speaks where nothing is lost is switched off.
func TestHarmless(t *testing.T) {
	origin := newDestroyed(t)
	for _, line := range destroyers(t, "harmless.txt") {
		t.Run(line, func(t *testing.T) {
			s := origin
			s.t = t
			s.bash(line)
			if answer := strings.TrimSpace(s.out.String()); answer != "{}" {
				t.Error(answer)
			}
		})
	}
}

// inBash runs a line as the client's Bash does.
func (s *shop) inBash(line string) {
	s.t.Helper()
	c := exec.Command("bash", "-c", line)
	c.Dir = s.dir
	c.Env = s.environ()
	if out, err := c.CombinedOutput(); err != nil {
		s.t.Logf("%s: %v\n%s", line, err, out)
	}
}
