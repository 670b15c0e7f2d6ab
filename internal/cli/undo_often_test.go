package cli

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// ran runs a line between the two hooks of its call.
func (s *shop) ran(id, line string) {
	s.t.Helper()
	call := func(event string, more map[string]any) {
		more["hook_event_name"], more["tool_name"], more["tool_use_id"] = event, "Bash", id
		more["tool_input"] = map[string]any{"command": line}
		s.hook(more)
	}
	call("PreToolUse", map[string]any{})
	c := exec.Command("bash", "-c", line)
	c.Dir, c.Env = s.dir, s.environ()
	if out, err := c.CombinedOutput(); err != nil {
		call("PostToolUseFailure", map[string]any{"error": "Exit code 1\n" + string(out)})
		return
	}
	call("PostToolUse", map[string]any{"tool_response": map[string]any{"stdout": "", "stderr": "", "interrupted": false}})
}

// wrote has the tool Write write a file.
func (s *shop) wrote(id, name, text string) {
	s.t.Helper()
	call := map[string]any{"tool_name": "Write", "tool_use_id": id, "tool_input": map[string]any{"file_path": filepath.Join(s.dir, name), "content": text}}
	pre, post := maps.Clone(call), maps.Clone(call)
	pre["hook_event_name"] = "PreToolUse"
	s.hook(pre)
	s.write(name, text)
	post["hook_event_name"], post["tool_response"] = "PostToolUse", map[string]any{"filePath": filepath.Join(s.dir, name), "success": true}
	s.hook(post)
}

// turn is a prompt and what the agent does for it: command lines, and "write NAME TEXT" for its tool.
func (s *shop) turn(n int, does []string) {
	s.t.Helper()
	s.hook(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": fmt.Sprint("do ", n)})
	for i, line := range does {
		id := fmt.Sprintf("toolu_%d_%d", n, i)
		if rest, is := strings.CutPrefix(line, "write "); is {
			name, text, _ := strings.Cut(rest, " ")
			s.wrote(id, name, text+"\n")
		} else {
			s.ran(id, line)
		}
	}
	s.hook(map[string]any{"hook_event_name": "Stop"})
}

// doings are what an agent does, each with what is taken anew at every place of %d.
var doings = []string{
	"write src/a.go package a // %d", "sed -i s/hello/hi%d/ README.md", "echo more%d >> notes.txt", "echo n%d > new%d.txt", "write src/n%d.go package n",
	"rm -f notes.txt", "rm -rf src/lib", "mv notes.txt moved%d.txt", "chmod 755 README.md", "mkdir -p d%d/e && echo x > d%d/e/f",
	"git add -A", "git add src", "git commit -qam c%d", "git add -A && git commit -qm a%d", "git commit -q --allow-empty -m e%d", "git commit -q --amend -m am%d",
	"git branch b%d", "git checkout -q -b t%d", "git checkout -q main", "git switch -q old", "git branch -D old", "git branch -m r%d",
	"git merge -q --no-edit old", "git merge -q --no-edit feature", "git stash", "git stash -u", "git stash pop", "git stash drop", "git reset -q --hard HEAD~1", "git reset -q --soft HEAD~1", "git reset -q",
	"git checkout -q -- .", "git rm -q --cached README.md", "git rm -q -f src/a.go", "git cherry-pick feature", "git rebase -q feature", "git revert --no-edit HEAD", "git merge --abort",
	"git push -q . HEAD:refs/heads/p%d", "git update-ref refs/heads/u%d HEAD", "git checkout -q --detach",
}

// TestUndoMany holds undo N to N times undo, and both to what there was: whatever the turns did, and in whatever order.
func TestUndoMany(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("bash is needed")
	}
	origin := newShop(t)
	origin.write("src/lib/b.go", "package lib\n")
	origin.write("notes.txt", "one\ntwo\n")
	origin.write(".gitignore", "*.log\n")
	origin.git("add", "-A")
	origin.git("commit", "-q", "-m", "second")
	origin.git("branch", "old", "HEAD~1")
	origin.git("checkout", "-q", "-b", "feature")
	origin.write("src/lib/b.go", "package lib // feature\n")
	origin.git("commit", "-q", "-am", "feature")
	origin.git("checkout", "-q", "main")

	fixed := [][][]string{
		{{"write README.md hi"}, {"git commit -qam a"}},
		{{"sed -i s/hello/hi/ README.md"}, {"git commit -qam a"}},
		{{"echo n > new.txt"}, {"git add -A && git commit -qm a"}},
		{{"write README.md one"}, {"write README.md two", "git commit -qam a"}},
		{{"git checkout -q -b t && echo x >> README.md"}, {"git commit -qam a"}, {"git checkout -q main && git merge -q t"}},
		{{"echo x >> mine.txt; echo y >> notes.txt"}, {"git add -A; git commit -qam a"}},
	}
	rounds, first := 10, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("MOAI_ROUNDS")); err == nil {
		rounds = n
	}
	if n, err := strconv.ParseUint(os.Getenv("MOAI_ROUNDS_SEED"), 10, 64); err == nil {
		first = n
	}
	play := func(name string, dirty bool, turns [][]string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin.copied(t).undoMany(dirty, turns)
		})
	}
	for i, turns := range fixed {
		play(fmt.Sprint("fixed ", i), false, turns)
		play(fmt.Sprint("fixed, of a person's too ", i), true, turns)
	}
	for seed := first; seed < first+uint64(rounds); seed++ {
		r := rand.New(rand.NewPCG(seed, 19))
		var turns [][]string
		for range 2 + r.IntN(3) {
			var does []string
			for range 1 + r.IntN(3) {
				does = append(does, strings.ReplaceAll(doings[r.IntN(len(doings))], "%d", strconv.Itoa(r.IntN(1000))))
			}
			turns = append(turns, does)
		}
		play(fmt.Sprint("seed ", seed), r.IntN(2) == 0, turns)
	}
}

func (s *shop) undoMany(dirty bool, turns [][]string) {
	if dirty { // what a person had begun
		s.write("notes.txt", "one\ntwo\nmine\n")
		s.write("mine.txt", "mine\n")
		s.git("stash", "push", "-q")
		s.write("notes.txt", "one\nmine too\ntwo\n")
		s.write("staged.txt", "staged\n")
		s.git("add", "staged.txt")
	}
	// Dates of commits are not what is asked for.
	s.env = append(s.env, "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	s.hook(map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	before := s.state()
	for i, does := range turns {
		s.turn(i+1, does)
	}
	if len(differences(s.state(), before)) == 0 {
		s.t.Skip("the turns come to nothing")
	}
	// Both ways begin with the same bytes.
	top, kept := filepath.Dir(s.dir), s.t.TempDir()
	kit.Must(s.t, exec.Command("cp", "-a", top+"/.", kept).Run())

	var said strings.Builder
	n, whole := 0, true // the turns that are told of, and whether each is taken back by itself
	for range turns {
		code, out := s.follow("moai undo 1 --yes")
		fmt.Fprintf(&said, "moai undo 1: %d\n%s", code, out)
		if strings.Contains(out, "there is nothing to take back") || strings.Contains(out, "can be taken back here") {
			break
		}
		n++
		if strings.Contains(out, "nothing changes") { // of a turn whose commands come to nothing: the hint names moai undo 2
			n, whole = len(turns), false
			break
		}
	}
	often := s.state()
	kit.Must(s.t, exec.Command("sh", "-c", "find \"$1\" -mindepth 1 -delete && cp -a \"$2/.\" \"$1\"", "sh", top, kept).Run())
	for ; n > 0; n-- {
		code, out := s.follow(fmt.Sprintf("moai undo %d --yes", n))
		fmt.Fprintf(&said, "moai undo %d: %d\n%s", n, code, out)
		if !strings.Contains(out, "and no more") {
			break
		}
	}
	many := s.state()
	if whole {
		for _, d := range differences(many, often) {
			s.t.Error("undo N is not N times undo: " + d)
		}
		for _, d := range differences(often, before) {
			s.t.Error("N times undo: " + d)
		}
	}
	for _, d := range differences(many, before) {
		s.t.Error("undo N: " + d)
	}
	if s.t.Failed() {
		s.t.Logf("%q\n%s", turns, said.String())
	}
}
