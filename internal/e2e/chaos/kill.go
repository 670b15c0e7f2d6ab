//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A job is something that moai does and may be killed at.
type job struct {
	name  string
	verb  string                          // for a verb: its words
	line  string                          // for a hook: the command that is judged
	setup func(t *trial, w *world)        // before it
	check func(t *trial, w *world, j job) // what must hold after it, beside what always must
}

var jobs = []job{
	{name: "hook, reset", line: "git reset --hard", check: unchanged},
	{name: "hook, rm", line: "rm -rf d u", check: unchanged},
	{name: "hook, deny", line: "rm -rf ~", check: unchanged},
	{name: "create", verb: "checkpoint create -m mine", check: unchanged},
	{name: "restore", verb: "checkpoint restore mine --yes", setup: lost, check: restored},
	{name: "restore index", verb: "checkpoint restore mine --index --yes", setup: lost, check: restored},
	{name: "restore refs", verb: "checkpoint restore mine --refs --yes", setup: lost, check: restored},
	{name: "prune", verb: "checkpoint prune --keep 1 --yes", setup: several, check: unchanged},
	{name: "config user", verb: "config set --user checkpoint.keep 7", setup: configured, check: oldOrNew},
	{name: "config project", verb: "config set --project guard.mode strict", setup: configured, check: oldOrNew},
	{name: "allow", verb: "risk allow git.push-force --reason chaos", setup: configured, check: oldOrNew},
}

// killPoints kills moai where it stands: at a system call, by strace, or after a time by chance.
func killPoints(r *rig) (*attack, error) {
	tracer, err := exec.LookPath("strace")
	if err == nil {
		if err := exec.CommandContext(r.ctx, tracer, "-o", "/dev/null", "-e", "inject=exit_group:signal=KILL:when=9", "true").Run(); err != nil {
			tracer = "" // there, and not allowed to
		}
	}
	return &attack{try: func(t *trial) { killPoint(t, tracer) }, least: len(jobs)}, nil
}

func killPoint(t *trial, tracer string) {
	w := t.world()
	t.repository(w)
	for i := range 40 {
		w.write(w.repo, fmt.Sprintf("more/%d/f%d", i%5, i), strings.Repeat(fmt.Sprintf("line %d\n", i), 50))
	}
	if t.rand.IntN(2) == 0 {
		t.git(w, "add", "more")
		t.git(w, "commit", "-qm", "more")
		for i := range between(t.rand, 1, 40) {
			w.write(w.repo, fmt.Sprintf("more/%d/f%d", i%5, i), "changed\n")
		}
	}
	j := jobs[t.n%len(jobs)]
	if j.setup != nil {
		j.setup(t, w)
	}
	status, index := t.status(w), t.staged(w)
	r := t.killed(w, j, tracer)
	if t.ctx.Err() != nil {
		return
	}
	if r.exit == -1 {
		t.note("killed")
	}
	t.aged(w) // half a minute later
	j.check(t, w, j)
	if now := t.status(w); j.setup == nil && now != status {
		t.fail("status changed: "+j.name, "it was\n%s\nand is\n%s", status, now)
	}
	if now := t.staged(w); j.setup == nil && now != index {
		t.fail("index changed: "+j.name, "it was\n%s\nand is\n%s", index, now)
	}
	if r.exit != -1 && r.exit != 0 && r.exit != 2 {
		t.fail("failed: "+j.name, "exit code %d; it said: %s", r.exit, short(r.out+r.err))
	}
	if j.line != "" && strings.Contains(r.out, "bring it back") {
		a, err := reply{out: r.out}.read("PreToolUse") // what a killed hook has said, the client may have read
		if err == nil && a.snapshot != "" {
			t.kept(w, j.name, a)
		}
	}
	t.sound(w, j.name)
}

// killed runs a job and kills it somewhere.
func (t *trial) killed(w *world, j job, tracer string) reply {
	args := append([]string{t.moai}, strings.Fields(j.verb)...)
	var stdin []byte
	if j.line != "" {
		args = []string{t.moai, "hook"}
		stdin = must1(json.Marshal(w.call("Bash", map[string]any{"command": j.line})))
	}
	if t.spare {
		return w.start(t.ctx, stdin, args[0], args[1:]...)
	}
	if tracer == "" || t.rand.IntN(4) == 0 {
		return t.killedLater(w, stdin, args)
	}
	call := pick(t.rand, lines.Calls...)
	nth := between(t.rand, 1, 8) // of one thread
	if slices.Contains(lines.Often, call) {
		nth = between(t.rand, 1, 60)
	}
	trace := fmt.Sprintf("-f -qq -e trace=%s -e inject=%[1]s:signal=KILL:when=%d -o", call, nth)
	r := w.start(t.ctx, stdin, tracer, append(append(strings.Fields(trace), filepath.Join(w.dir, "trace"), "--"), args...)...)
	if r.exit == 128+int(syscall.SIGKILL) {
		r.exit = -1
	}
	return r
}

// killedLater kills after a time by chance, within what the job takes.
func (t *trial) killedLater(w *world, stdin []byte, args []string) reply {
	ctx, cancel := context.WithTimeout(t.ctx, time.Duration(t.rand.Int64N(int64(25*time.Millisecond))))
	defer cancel()
	c, leave := w.command(ctx, stdin, args[0], args[1:]...)
	defer leave()
	var out, talk bytes.Buffer
	c.Stdout, c.Stderr = &out, &talk
	_ = c.Run()
	r := reply{exit: -1, out: out.String(), err: talk.String()}
	if c.ProcessState != nil {
		r.exit = c.ProcessState.ExitCode()
	}
	return r
}

// aged makes what was left behind half a minute old: locks that carry moai's mark hold nothing up any more then.
func (t *trial) aged(w *world) {
	long := time.Now().Add(-time.Minute)
	for _, dir := range []string{filepath.Join(w.repo, ".git"), filepath.Join(w.repo, ".moai"), w.state, w.config} {
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(p, ".lock") {
				_ = os.Chtimes(p, long, long)
			}
			return nil
		})
	}
}

func (t *trial) status(w *world) string {
	return t.git(w, "--no-optional-locks", "status", "--porcelain", "-uall")
}

func (t *trial) staged(w *world) string { return t.git(w, "ls-files", "-s") }

func unchanged(t *trial, w *world, j job) {
	for file, text := range lines.Mine {
		if got, err := os.ReadFile(filepath.Join(w.repo, file)); err != nil || string(got) != text {
			t.fail("work lost: "+j.name, "%s is %s (%v)", file, short(string(got)), err)
		}
	}
}

// lost takes a checkpoint and loses the work, as a command would.
func lost(t *trial, w *world) {
	t.ok(w, "checkpoint", "create", "-m", "mine", "--operation", "mine")
	for _, file := range lines.Lost {
		if t.rand.IntN(3) > 0 {
			must(os.RemoveAll(filepath.Join(w.repo, file)))
		} else {
			w.write(w.repo, file, "overwritten\n")
		}
	}
}

// restored runs the same again: a restore that was cut off anywhere is finished by the next.
func restored(t *trial, w *world, j job) {
	r := t.verb(w, strings.Fields(j.verb)...)
	if r.exit != 0 && t.ctx.Err() == nil {
		t.fail("restore again: "+j.name, "exit code %d; it said: %s", r.exit, short(r.out+r.err))
	}
	unchanged(t, w, j)
}

func several(t *trial, w *world) {
	for i := range 3 + t.rand.IntN(4) {
		w.write(w.repo, "u2", fmt.Sprint(i))
		t.ok(w, "checkpoint", "create", "-m", fmt.Sprint(i))
	}
}

func configured(t *trial, w *world) {
	t.ok(w, "config", "set", "--user", "checkpoint.keep", "5")
	t.ok(w, "config", "set", "--project", "guard.no_checkpoint", "deny")
	t.ok(w, "risk", "allow", "cloud.aws-change", "--reason", "before")
}

// oldOrNew reads all settings: each file is what it was or what it should become.
func oldOrNew(t *trial, w *world, j job) {
	list := t.verb(w, "config", "list")
	keep := regexp.MustCompile(`checkpoint\.keep +([57]) +user`).FindString(list.out)
	project := regexp.MustCompile(`guard\.no_checkpoint +deny +project`).FindString(list.out)
	if (list.exit != 0 || keep == "" || project == "") && t.ctx.Err() == nil {
		t.fail("settings lost: "+j.name, "exit code %d; it said: %s", list.exit, short(list.out+list.err))
	}
	allowed := t.verb(w, "risk", "allow", "list")
	if (allowed.exit != 0 || !strings.Contains(allowed.out, "cloud.aws-change")) && t.ctx.Err() == nil {
		t.fail("exceptions lost: "+j.name, "exit code %d; it said: %s", allowed.exit, short(allowed.out+allowed.err))
	}
	if again := t.verb(w, strings.Fields(j.verb)...); again.exit != 0 && t.ctx.Err() == nil {
		t.fail("not again: "+j.name, "exit code %d; it said: %s", again.exit, short(again.out+again.err))
	}
}

// ok runs a verb that must work.
func (t *trial) ok(w *world, args ...string) {
	if r := t.verb(w, args...); r.exit != 0 && t.ctx.Err() == nil {
		panic(trouble{fmt.Errorf("moai %s: exit code %d: %s", strings.Join(args, " "), r.exit, r.out+r.err)})
	}
}
