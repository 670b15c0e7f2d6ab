//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sound holds what must be true of a repository and of moai's own files after anything: git finds no fault and is not held up,
// no file of state is torn, and the next hook does its work.
func (t *trial) sound(w *world, name string) {
	if r := t.tryGit(w, "fsck", "--strict", "--no-dangling"); r.exit != 0 && t.ctx.Err() == nil {
		t.fail("fsck: "+name, "%s", short(r.out+r.err))
	}
	t.whole(w, name)
	if r := t.verb(w, "checkpoint", "list", "--json"); (r.exit != 0 || !json.Valid([]byte(r.out))) && t.ctx.Err() == nil {
		t.fail("list: "+name, "exit code %d; it said: %s", r.exit, short(r.out+r.err))
	}
	if a, err := t.bash(w, "rm -rf ~").read("PreToolUse"); (err != nil || a.decision != "deny") && t.ctx.Err() == nil {
		t.fail("next hook: "+name, "rm -rf ~ is not refused: %v, %s", err, short(a.text))
	}
	for file, text := range lines.Mine {
		w.write(w.repo, file, text)
	}
	w.write(w.repo, "u", "untracked, and new "+name+"\n")
	r := t.bash(w, "git clean -fd; git reset --hard")
	a, err := r.read("PreToolUse")
	switch {
	case t.ctx.Err() != nil:
		return
	case err != nil || !a.safe():
		t.fail("next hook: "+name, "neither asked nor saved: %v; it said: %s", err, short(r.out+r.err))
	case a.snapshot == "":
		t.fail("next hook: "+name, "no snapshot any more: %s", short(a.text))
	default:
		must(os.WriteFile(filepath.Join(w.repo, "u"), []byte(lines.Mine["u"]), 0o644))
	}
	// A turn ends: that is when moai gives up locks that a killed one has left.
	stop := w.event("Stop")
	stop["stop_hook_active"] = false
	if r := t.hook(w, stop); r.exit != 0 && t.ctx.Err() == nil {
		t.fail("next hook: "+name, "Stop: exit code %d: %s", r.exit, short(r.out+r.err))
	}
	for _, line := range lines.After {
		if r := t.tryGit(w, strings.Fields(line)...); r.exit != 0 && t.ctx.Err() == nil {
			t.fail("git is held up: "+name, "git %s: %s", line, short(r.out+r.err))
			return
		}
	}
}

// whole reads every file that moai keeps: JSON is JSON, and each line of a journal is one.
func (t *trial) whole(w *world, name string) {
	for _, dir := range []string{w.state, w.config, filepath.Join(w.repo, ".moai")} {
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".tmp-") {
				return nil
			}
			data, err := os.ReadFile(p)
			if err != nil {
				return nil // gone meanwhile
			}
			switch {
			case strings.HasSuffix(p, ".json") && !json.Valid(data):
				t.fail("torn state: "+name, "%s: %s", p, short(string(data)))
			case strings.HasSuffix(p, ".jsonl"), strings.HasSuffix(p, "checkpoints.log"):
				cut := t.kind != "full" // else there may have been room for the beginning of one line, and readers pass it over
				for line := range bytes.Lines(data) {
					// An empty line is no loss: who finds an unfinished one starts on a new line.
					switch line = bytes.TrimSpace(line); {
					case len(line) == 0 || json.Valid(line):
					case !cut:
						cut = true
						t.note("cut lines")
					default:
						t.fail("torn line: "+name, "%s: %s", p, short(string(line)))
					}
				}
			}
			return nil
		})
	}
}

// kept loses the work, as the command would, and brings it back by the command that was promised. One that names files is for a command
// that took those alone.
func (t *trial) kept(w *world, name string, a answer) {
	mine := maps.Clone(lines.Mine)
	if named := a.names(); len(named) > 0 {
		maps.DeleteFunc(mine, func(file, _ string) bool { return !slices.Contains(named, file) })
	}
	for file := range mine {
		must(os.RemoveAll(filepath.Join(w.repo, file)))
	}
	r := t.verb(w, append(a.way, "--yes")...)
	for file, text := range mine {
		got, err := os.ReadFile(filepath.Join(w.repo, file))
		if err == nil && string(got) == text || t.ctx.Err() != nil {
			continue
		}
		// What git stored, and a stranger broke, cannot be read by anybody; that must be said.
		if t.kind == "clone" && strings.Contains(r.err, "not restored: "+file+" (read blob") && r.exit != 0 {
			t.note("could not be read any more")
		} else {
			t.fail("broken promise: "+name, "after moai %s, %s is %s (%v); it said: %s", strings.Join(a.way, " "), file, short(string(got)), err, short(r.out+r.err))
			break
		}
	}
	for file, text := range mine {
		w.write(w.repo, file, text)
	}
}

// names are the files that the promised command names.
func (a *answer) names() []string {
	const behind = 3 // checkpoint restore ID
	if len(a.way) < behind {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.way[behind:]), func(word string) bool { return strings.HasPrefix(word, "-") })
}
