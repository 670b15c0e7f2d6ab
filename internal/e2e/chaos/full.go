//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// fullDisks lets moai work where there is no room left.
func fullDisks(r *rig) (*attack, error) {
	if os.Geteuid() != 0 {
		return nil, fmt.Errorf("%w: only root can mount a small disk", errSkip)
	}
	dir := filepath.Join(r.dir, "probe")
	if err := r.disk(dir, 1<<20); err != nil {
		return nil, fmt.Errorf("%w: %v", errSkip, err)
	}
	r.unmount(dir)
	return &attack{try: fullDisk, least: 2 * len(lines.Disks)}, nil
}

func fullDisk(t *trial) {
	where := lines.Disks[t.n%len(lines.Disks)]
	disk := filepath.Join(t.dir, "disk")
	must(t.disk(disk, 4<<20))
	defer t.unmount(disk)
	w := t.world()
	if where == "all" {
		inner := *t
		inner.dir = disk
		w = inner.world()
	} else {
		p := map[string]*string{"state": &w.state, "repo": &w.repo, "config": &w.config}[where]
		*p = filepath.Join(disk, where)
		must(os.MkdirAll(*p, 0o700))
	}
	t.repository(w)
	for i := range between(t.rand, 1, 100) {
		w.write(w.repo, fmt.Sprintf("own/u%d", i), strings.Repeat(fmt.Sprintln("line", i, t.rand.Uint64()), 20))
	}
	used := t.rand.IntN(2) == 0 // moai was here before the disk was full
	if used {
		configured(t, w)
		t.bash(w, "git reset --hard")
		w.write(w.repo, "u2", "newer\n")
	}
	status := t.status(w)
	left := pick(t.rand, 0, 0, 1, 2, 4, 8, 16, 40) * 4096
	t.fill(disk, left)
	name := fmt.Sprintf("%s full", where)
	t.judgedFull(w, name)
	var promise answer
	for _, line := range []string{"git reset --hard", "rm -rf d u a", "git clean -fd"} {
		r := t.bash(w, line)
		a, err := r.read("PreToolUse")
		switch {
		case t.ctx.Err() != nil:
			return
		case err != nil:
			t.fail("no answer: "+name, "%s, %d bytes left: %v; it said: %s", line, left, err, short(r.out+r.err))
		case !a.safe():
			t.fail("silent: "+name, "%s, %d bytes left: neither asked nor saved; it said: %s", line, left, short(r.out+r.err))
		case a.snapshot != "":
			promise = a
			t.note("saved")
		default:
			t.note("asked")
		}
	}
	for _, line := range lines.FullVerbs {
		if r := t.verb(w, strings.Fields(line)...); r.exit != 0 && (r.exit != 3 || !strings.Contains(r.err, "error:") || strings.Contains(r.err, "panic")) && t.ctx.Err() == nil {
			t.fail("bad words: "+name, "moai %s: exit code %d; it said: %s", line, r.exit, short(r.out+r.err))
		}
	}
	p := w.call("Bash", map[string]any{"command": "ls"})
	p["source"], p["prompt"], p["reason"] = "startup", "go on", "other"
	p["tool_response"] = map[string]any{"stdout": ""}
	for _, event := range lines.FullEvents {
		p["hook_event_name"] = event
		r := t.hook(w, p)
		if _, err := r.read(event); err != nil && t.ctx.Err() == nil {
			t.fail("no answer: "+name, "%s: %v; it said: %s", event, err, short(r.out+r.err))
		}
	}
	must(os.Remove(filepath.Join(disk, "filling"))) // somebody has made room
	t.aged(w)
	if now := t.status(w); now != status && !strings.Contains(now, ".moai/") {
		t.fail("status changed: "+name, "it was\n%s\nand is\n%s", status, now)
	}
	if used {
		oldOrNew(t, w, job{name: name, verb: "risk allow git.push-force --reason again"})
		_ = t.verb(w, "config", "set", "--project", "guard.mode", "standard")
	}
	if promise.snapshot != "" {
		t.kept(w, name, promise)
	}
	unchanged(t, w, job{name: name})
	t.sound(w, name)
}

// judgedFull asks about what must be refused wherever there is no room.
func (t *trial) judgedFull(w *world, name string) {
	a := t.judged(w, name, w.call("Bash", map[string]any{"command": destruction(t.rand)}))
	if a.decision == "" {
		return // said already
	}
	if a := t.judged(w, name, w.call("Bash", map[string]any{"command": "rm -rf ~"})); a.decision != "deny" && t.ctx.Err() == nil {
		t.fail("only asked: "+name, "%s", short(a.text))
	}
}

// fill leaves so many bytes of a disk, or a few less.
func (t *trial) fill(disk string, left int) {
	f := must1(os.Create(filepath.Join(disk, "filling")))
	block := make([]byte, 4096)
	for {
		if _, err := f.Write(block); err != nil {
			if !errors.Is(err, syscall.ENOSPC) {
				must(err)
			}
			break
		}
	}
	size := must1(f.Seek(0, 1))
	must(f.Truncate(max(0, size-int64(left))))
	must(f.Close())
}
