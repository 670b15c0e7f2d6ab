package main

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// couples are commands of two sessions that change different things, in a repository with the files a, b and c, and the branch old.
// What opaque ones do only their run tells.
var couples = []struct {
	name, setup, one, two string
	opaque                bool
}{
	{"files", "", "echo 1 > x", "echo 2 > y", false},
	{"touched", "", "touch x; rm a", "mkdir -p d && touch d/y", false},
	{"moved", "", "mv a x", "chmod 600 b; cp c y", false},
	{"folders", "mkdir e f", "mkdir x; rmdir e", "mkdir y; chmod 700 f", false},
	{"branches", "", "git branch -f x1 HEAD", "git branch -f x2 HEAD~1", false},
	{"deleted branches", "git branch x1; git branch x2", "git branch -qD x1", "git branch -qD x2", false},
	{"commit", "echo q >> b; git add b", "git commit -qm mine", "touch y", false},
	{"checkout", "", "git checkout -q old", "echo 2 > y", false},
	{"staged", "echo q >> b; echo q >> c", "git add b", "git add c", false},
	{"stash", "echo q >> b", "git stash -q", "echo 2 > y", false},
	{"commit, script", "echo q >> b; git add b; echo 'echo 2 > y' > t.sh", "git commit -qm mine", "sh t.sh", true},
	{"scripts", "echo 'echo 1 > x; rm a' > s.sh; echo 'git checkout -q -b nb; echo 2 > y' > t.sh", "sh s.sh", "sh t.sh", true},
}

// TestUndoBesideOthers has the hooks and the runs of two commands in every order, and takes back what one of the two did: all that the other one did
// stays, and what stays of its own is named. MOAI_OVERLAPS says how many orders of each are played.
func TestUndoBesideOthers(t *testing.T) {
	for _, tool := range [...]string{"git", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is missing")
		}
	}
	var orders [][]string
	var weave func(done, one, two []string)
	weave = func(done, one, two []string) {
		if len(one)+len(two) == 0 {
			orders = append(orders, done)
		}
		if len(one) > 0 {
			weave(append(slices.Clone(done), one[0]), one[1:], two)
		}
		if len(two) > 0 {
			weave(append(slices.Clone(done), two[0]), one, two[1:])
		}
	}
	weave(nil, []string{"PreToolUse one", "run one", "PostToolUse one"}, []string{"PreToolUse two", "run two", "PostToolUse two"})
	n, _ := strconv.Atoi(os.Getenv("MOAI_OVERLAPS"))
	if n == 0 {
		n = 2
	}
	for _, c := range couples {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			alone := map[string]map[string]string{} // what there is when nothing, or one of the two alone, has run
			for _, line := range [...]string{"", c.one, c.two} {
				w := newOverlap(t, c.setup)
				w.sh(line)
				alone[line] = w.state()
			}
			for _, i := range rand.Perm(len(orders))[:min(n, len(orders))] {
				for _, who := range [...]string{"one", "two"} {
					own, other := c.one, c.two
					if who == "two" {
						own, other = other, own
					}
					w := newOverlap(t, c.setup)
					w.hook("UserPromptSubmit", "one", "")
					w.hook("UserPromptSubmit", "two", "")
					for _, step := range orders[i] {
						does, session, _ := strings.Cut(step, " ")
						line := c.one
						if session == "two" {
							line = c.two
						}
						if does == "run" {
							w.sh(line)
						} else {
							w.hook(does, session, line)
						}
					}
					w.hook("Stop", "one", "")
					w.hook("Stop", "two", "")
					left := w.state()
					said := w.moai("", "undo", "--session", who, "--yes")
					now := w.state()
					wrong := func(what, atom string, want string) {
						t.Errorf("%s\nundo of session %s: %s: %s is %q, not %q\n%s", strings.Join(orders[i], ", "), who, what, atom, now[atom], want, said)
					}
					for atom := range keysOf(alone[""], alone[c.one], alone[c.two], now) {
						base, mine, theirs := alone[""][atom], alone[own][atom], alone[other][atom]
						switch {
						case theirs != base:
							if now[atom] != theirs {
								wrong("the other's work is gone", atom, theirs)
							}
						case now[atom] != base && (!c.opaque || now[atom] != mine || !strings.Contains(said, "ran at the same time")):
							wrong("its own work stays", atom, base)
						}
					}
					w.moai("", "undo", "redo", "--session", who, "--yes")
					if again := w.state(); !maps.Equal(again, left) && !maps.Equal(now, left) {
						t.Errorf("%s\nredo of session %s: %v, not %v", strings.Join(orders[i], ", "), who, again, left)
					}
				}
			}
		})
	}
}

func keysOf(list ...map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, m := range list {
		for k := range m {
			out[k] = true
		}
	}
	return out
}

// overlap is a repository in which two sessions work.
type overlap struct {
	t    *testing.T
	self string
	home string
	dir  string
}

func newOverlap(t *testing.T, setup string) *overlap {
	t.Helper()
	self, err := os.Executable()
	kit.Must(t, err)
	home := kit.Dir(t)
	w := &overlap{t, self, home, filepath.Join(home, "app")}
	kit.Must(t, os.Mkdir(w.dir, 0o755))
	w.sh("git init -q -b main; for i in a b c; do echo $i > $i; done; git add .; git commit -qm c1; git branch old; echo a2 >> a; git commit -qam c2; " + setup)
	return w
}

func (w *overlap) env() []string {
	const when = "2026-01-01T00:00:00Z"
	return []string{
		asMoai + "=1", "HOME=" + w.home, "USERPROFILE=" + w.home, "XDG_STATE_HOME=" + filepath.Join(w.home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(w.home, "config"),
		"PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot"), "CLAUDE_PROJECT_DIR=", "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@t", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@t", "GIT_AUTHOR_DATE=" + when, "GIT_COMMITTER_DATE=" + when,
	}
}

func (w *overlap) run(stdin, name string, words ...string) string {
	w.t.Helper()
	c := exec.Command(name, words...)
	c.Dir, c.Env, c.Stdin = w.dir, w.env(), strings.NewReader(stdin)
	out, _ := c.CombinedOutput()
	return string(out)
}

func (w *overlap) sh(line string) {
	if out := w.run("", "sh", "-ec", line); out != "" {
		w.t.Fatalf("%s: %s", line, out)
	}
}

func (w *overlap) moai(stdin string, words ...string) string { return w.run(stdin, w.self, words...) }

func (w *overlap) hook(event, session, line string) {
	w.t.Helper()
	e := map[string]any{"hook_event_name": event, "session_id": session, "cwd": w.dir}
	switch event {
	case "UserPromptSubmit":
		e["prompt"] = "work of " + session
	case "PreToolUse", "PostToolUse":
		e["tool_name"], e["tool_use_id"], e["tool_input"] = "Bash", "call-"+session, map[string]string{"command": line}
		if event == "PostToolUse" {
			e["tool_response"] = map[string]string{"stdout": ""}
		}
	}
	text, _ := json.Marshal(e)
	if out := w.moai(string(text), "hook"); strings.Contains(out, `"deny"`) {
		w.t.Fatalf("%s %s: %s", event, line, out)
	}
}

// state is what there is: files, what is staged, references, where HEAD stands, and the stash.
func (w *overlap) state() map[string]string {
	s := map[string]string{"HEAD": w.run("", "git", "symbolic-ref", "-q", "HEAD"), "stash": w.run("", "git", "stash", "list", "--format=%h")}
	for line := range strings.Lines(w.run("", "git", "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")) {
		if name, h, _ := strings.Cut(line, " "); !strings.HasPrefix(name, "refs/heads/checkpoint/") {
			s[name] = h
		}
	}
	for line := range strings.Lines(w.run("", "git", "ls-files", "-s")) {
		about, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		s["index of "+path] = about
	}
	err := filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != w.dir {
			info, err := d.Info()
			if err != nil {
				return err
			}
			if !strings.HasPrefix(d.Name(), ".") {
				s["folder "+d.Name()] = info.Mode().String()
			}
		}
		if err != nil || d.IsDir() {
			if d != nil && (d.Name() == ".git" || d.Name() == ".moai") {
				return filepath.SkipDir
			}
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(w.dir, path)
		s[rel] = info.Mode().String() + " " + string(text)
		return err
	})
	kit.Must(w.t, err)
	return s
}
