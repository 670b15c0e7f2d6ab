//go:build linux

package rounds

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A world is one user with a home, and the repositories of one kind below work. All worlds have the same path, so that copies of a
// repository with absolute paths in it are as good as the first.
type world struct {
	dir     string   // of this world alone
	work    string   // what lines may change, and what is compared
	project string   // what the client calls the project
	roots   []string // folders in which a session may be, besides those below project
	env     []string
}

func newWorld(scratch string) *world {
	dir := filepath.Join(scratch, "w")
	w := &world{dir: dir, work: filepath.Join(dir, "work")}
	w.project = filepath.Join(w.work, "p")
	return w
}

// reset makes the home anew and empties the rest.
func (w *world) reset() {
	remove(w.dir)
	for _, d := range []string{"home", "state", "config", "work", "tmp"} {
		must(os.MkdirAll(filepath.Join(w.dir, d), 0o755))
	}
	w.write(filepath.Join(w.dir, "config", "moai", "config.toml"), "[checkpoint]\ntell = \"all\"\n") // each way back is followed
	w.write(filepath.Join(w.dir, "home", ".gitconfig"), "[user]\n\tname = rounds\n\temail = rounds@example.invalid\n[gc]\n\tauto = 0\n[init]\n\tdefaultBranch = main\n"+
		"[safe]\n\tdirectory = *\n[protocol \"file\"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n[core]\n\tfsync = none\n")
}

func (w *world) environ() []string {
	env := []string{
		"PATH=" + filepath.Join(filepath.Dir(w.dir), "bin") + ":" + os.Getenv("PATH"), "HOME=" + filepath.Join(w.dir, "home"), "LANG=C.UTF-8",
		"XDG_STATE_HOME=" + filepath.Join(w.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(w.dir, "config"), "TMPDIR=" + filepath.Join(w.dir, "tmp"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true", "GIT_TERMINAL_PROMPT=0", "CLAUDE_PROJECT_DIR=" + w.project, "NO_COLOR=1",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
	if m := os.Getenv("MOAI_ROUNDS_MOUNTS"); m != "" {
		env = append(env, "MOAI_ROUNDS_MOUNTS="+m)
	}
	return append(env, w.env...)
}

// A result is what a process said.
type result struct {
	code     int
	out, err string
}

// start runs a program to its end, and ends what takes too long.
func (w *world) start(dir string, stdin []byte, name string, args ...string) result {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(filepath.Dir(w.dir), "bin", name), args...)
	if name != "moai" && name != "cage" {
		path, err := exec.LookPath(name)
		must(err)
		c.Path, c.Args[0] = path, name
	} else {
		c.Args[0] = name
	}
	c.Dir, c.Env, c.Stdin = dir, w.environ(), bytes.NewReader(stdin)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	var out, talk bytes.Buffer
	c.Stdout, c.Stderr = &out, &talk
	err := c.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) && !errors.Is(err, exec.ErrWaitDelay) {
		must(err)
	}
	if ctx.Err() != nil {
		talk.WriteString("\n(ended after 30 seconds)")
	}
	return result{c.ProcessState.ExitCode(), out.String(), talk.String()}
}

// bash runs a line from a folder.
func (w *world) bash(dir, line string) result {
	r := w.start(w.dir, nil, "cage", dir, line)
	if r.code == 125 && strings.Contains(r.err, "cage: ") {
		panic(trouble{errors.New(r.err)})
	}
	return r
}

// git runs git, which must do it.
func (w *world) git(dir string, args ...string) string {
	r := w.start(dir, nil, "git", args...)
	if r.code != 0 {
		panic(trouble{fmt.Errorf("git %s: %s%s", strings.Join(args, " "), r.out, r.err)})
	}
	return r.out
}

// try runs git, which may fail: a conflict is a failure.
func (w *world) try(dir string, args ...string) result { return w.start(dir, nil, "git", args...) }

// in runs git in the project.
func (w *world) in(args ...string) string { return w.git(w.project, args...) }

func (w *world) write(p, text string) {
	must(os.MkdirAll(filepath.Dir(p), 0o755))
	must(os.WriteFile(p, []byte(text), 0o644))
}

// put writes files of the project: name, text, name, text.
func (w *world) put(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		w.write(filepath.Join(w.project, pairs[i]), pairs[i+1])
	}
}

// hook asks moai about a line, as the client does.
func (w *world) hook(dir, line string) result {
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "rounds", "transcript_path": filepath.Join(w.dir, "transcript.jsonl"), "cwd": dir,
		"permission_mode": "default", "tool_name": "Bash", "tool_input": map[string]any{"command": line}, "tool_use_id": "toolu_rounds",
	})
	must(err)
	return w.start(dir, payload, "moai", "hook", "pre-tool")
}

// program puts moai and the cage into the folder of programs.
func program(scratch string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	moai := self
	if other := os.Getenv("MOAI_ROUNDS_BIN"); other != "" {
		if moai, err = filepath.Abs(other); err != nil {
			return err
		}
	}
	bin := filepath.Join(scratch, "bin")
	return errors.Join(os.MkdirAll(bin, 0o755), os.Symlink(moai, filepath.Join(bin, "moai")), os.Symlink(self, filepath.Join(bin, "cage")))
}

// trouble is what must throws: a round that could not be played shows nothing.
type trouble struct{ error }

func must(err error) {
	if err != nil {
		panic(trouble{err})
	}
}

// remove takes a tree away, whatever its folders permit.
func remove(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}

// copied copies a tree with everything in it: links, hard links, modes, times.
func copied(from, to string) error {
	out, err := exec.Command("cp", "-a", from, to).CombinedOutput()
	if err != nil {
		return fmt.Errorf("cp: %w: %s", err, out)
	}
	return nil
}

// sorted is for messages.
func sorted(list []string) string {
	list = slices.Clone(list)
	slices.Sort(list)
	return strings.Join(list, "\n")
}
