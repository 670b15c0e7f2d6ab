//go:build linux

package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A trap is one way in which a clone is hostile.
type trap struct {
	name string
	set  func(*clone)
}

// A clone is a repository from a stranger, with the work of its user in it.
type clone struct {
	*trial
	*world
	none    bool // it is no repository for git either: what is unsaved there nobody can tell
	foreign bool // its settings move the home folder, so that ~ is another one
}

// dot is a path in .git.
func (c *clone) dot(name string) string { return filepath.Join(c.repo, ".git", name) }

// put writes a file in the clone.
func (c *clone) put(name, text string) { c.write(c.repo, name, text) }

// replace puts text, or a link, pipe, socket, folder or device in the place of a file.
func (c *clone) replace(path string) string {
	must(os.MkdirAll(filepath.Dir(path), 0o755))
	must(os.RemoveAll(path))
	return path
}

// strange puts something that is no plain file where one is expected.
func (c *clone) strange(path string) {
	c.replace(path)
	switch what := pick(c.rand, "a pipe", "a socket", "a folder", "a link to itself", "/dev/zero", "/dev/stdin", "/proc/self/pagemap", "/proc/kmsg", "/", "/dev/tty", "a link out", "/proc/self/mem"); what {
	case "a pipe":
		must(mkfifo(path))
	case "a socket":
		must(mksocket(path))
	case "a folder":
		must(os.MkdirAll(path, 0o755))
	case "a link to itself":
		must(os.Symlink(filepath.Base(path), path))
	case "a link out":
		must(os.Symlink(filepath.Join(c.outside, "precious"), path))
	default:
		must(os.Symlink(what, path))
	}
}

// hostileClones opens sessions in repositories of strangers.
func hostileClones(*rig) (*attack, error) {
	return &attack{try: hostileClone, least: len(traps)}, nil
}

func hostileClone(t *trial) {
	c := &clone{trial: t, world: t.world()}
	t.repository(c.world)
	trap := traps[t.n%len(traps)]
	trap.set(c)
	name := trap.name
	if t.n >= len(traps) && t.rand.IntN(3) == 0 { // two at once
		second := traps[t.rand.IntN(len(traps))]
		name += " and " + second.name
		func() {
			defer func() { _ = recover() }() // the first may have taken away what the second needs
			second.set(c)
		}()
	}
	c.check(name)
}

// saved reports an empty answer in a repository that has a snapshot. These trials change nothing, so each snapshot holds the files as they are.
func (c *clone) saved(r reply) bool {
	return strings.TrimSpace(r.out) == "{}" && strings.Contains(c.verb(c.world, "checkpoint", "list").out, "before-")
}

// check holds every promise against the clone.
func (c *clone) check(name string) {
	before := c.look()
	home := "rm -rf ~"
	if c.foreign {
		home = "rm -rf /" // ~ is a folder of the clone now
	}
	for _, line := range []string{home, pick(c.rand, "sudo rm -rf /", "rm -rf / --no-preserve-root", "rm -rf /*"), "cd src; " + home, "cat a; " + home} {
		a := c.judged(c.world, name, c.call("Bash", map[string]any{"command": line}))
		if a.decision == "ask" {
			c.fail("only asked: "+name, "%s is answered with a question, not with a refusal: %s", line, short(a.text))
		}
	}
	kept := map[string]bool{}
	for _, i := range c.rand.Perm(len(lines.Destructive))[:12] {
		line := lines.Destructive[i]
		r := c.bash(c.world, line)
		a, err := r.read("PreToolUse")
		switch {
		case c.ctx.Err() != nil:
			return
		case err != nil:
			c.fail("no answer: "+name, "%s: %v after %v; it said: %s", line, err, r.wall, short(r.out+r.err))
		case !a.safe() && !c.none && !c.saved(r):
			c.fail("silent: "+name, "%s over unsaved work is neither asked about nor saved; it said: %s", line, short(r.out+r.err))
		case a.snapshot != "" && !kept[a.snapshot] && len(kept) < 2:
			kept[a.snapshot] = true
			c.kept(c.world, name+", "+line, a)
		}
	}
	for _, event := range slices.Sorted(maps.Keys(c.payloads)) {
		payload := maps.Clone(pick(c.rand, c.payloads[event]...))
		payload["cwd"], payload["session_id"], payload["transcript_path"] = c.repo, c.session, filepath.Join(c.outside, "transcript.jsonl")
		r := c.hook(c.world, payload)
		if _, err := r.read(event); err != nil && c.ctx.Err() == nil {
			c.fail("no answer: "+name, "%s: %v after %v; it said: %s", event, err, r.wall, short(r.out+r.err))
		}
	}
	if after := c.look(); after != before && c.ctx.Err() == nil {
		c.fail("changed: "+name, "what lies outside of the clone, or in it, is not what it was")
	}
}

// look is what no hook may change: the home, the folder outside, and the files of the clone. What moai keeps for itself is left out.
func (c *clone) look() string {
	moved := []string{".git", ".moai"}
	for _, kv := range c.env { // a folder of state that lies in the clone is moai's own all the same
		if _, v, ok := strings.Cut(kv, "="); ok && strings.HasPrefix(v, c.repo+"/") {
			if rel, err := filepath.Rel(c.repo, v); err == nil {
				moved = append(moved, rel)
			}
		}
	}
	return digest(c.home, ".local", ".config", ".cache") + digest(c.outside) + digest(c.repo, moved...)
}
