//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// together is how many hooks run at once.
const together = 64

// crowds starts many hooks at once while git commits, collects garbage and packs, and while files change.
func crowds(*rig) (*attack, error) { return &attack{try: crowd, least: 1}, nil }

func crowd(t *trial) {
	w := t.world()
	t.repository(w)
	for i := range 60 {
		w.write(w.repo, fmt.Sprintf("more/%d/f%d", i%7, i), fmt.Sprintln("line", i))
	}
	t.git(w, "add", "more")
	t.git(w, "commit", "-qm", "more")
	t.ok(w, "config", "set", "--user", "checkpoint.keep", "1000") // ten are kept by default, and here are more
	// Two processors are slow for so many. What is asked here is whether anything is lost, not how long it takes.
	t.ok(w, "config", "set", "--user", "hook.timeout", "6s")
	t.ok(w, "config", "set", "--user", "checkpoint.timeout", "4s")
	content := func(i int) string { return strings.Repeat(fmt.Sprintf("of %d in %d\n", i, t.n), 20+i) }
	for i := range together {
		w.write(w.repo, fmt.Sprintf("own/u%d", i), content(i))
	}
	ctx, stop := context.WithCancel(t.ctx)
	var others sync.WaitGroup
	t.busy(ctx, w, &others)
	replies := make([]reply, together)
	var hooks sync.WaitGroup
	for i := range together {
		hooks.Go(func() {
			own := *w
			if t.n%2 == 0 { // else all of them are of one session
				own.session = fmt.Sprintf("%s-%d", w.session, i)
			}
			defer func() { _ = recover() }() // an empty reply says enough
			replies[i] = t.bash(&own, fmt.Sprintf("rm own/u%d # call-%d-of-%d", i, i, t.n))
		})
	}
	hooks.Wait()
	stop()
	others.Wait()
	if t.ctx.Err() != nil {
		return
	}
	lines := t.journal(w)
	saved := 0
	for i, r := range replies {
		a, err := r.read("PreToolUse")
		if n := lines(i); n > 1 || n == 0 && a.snapshot != "" { // who was cut off by the time may have written none
			t.fail("journal", "%d lines about hook %d", n, i)
		}
		switch {
		case err != nil:
			t.fail("no answer", "hook %d: %v after %v; it said: %s", i, err, r.wall, short(r.out+r.err))
		case !a.safe():
			t.fail("silent", "hook %d neither asks nor saves; it said: %s", i, short(r.out+r.err))
		case a.snapshot == "":
			t.note("asked") // there was no time
		default:
			saved++
			file := filepath.Join(w.repo, fmt.Sprintf("own/u%d", i))
			must(os.Remove(file))
			back := t.verb(w, "checkpoint", "restore", a.snapshot, fmt.Sprintf("own/u%d", i), "--yes")
			if got, err := os.ReadFile(file); (err != nil || string(got) != content(i)) && t.ctx.Err() == nil {
				t.fail("broken promise", "hook %d: %s does not bring own/u%d back: %s (%v); it said: %s", i, a.snapshot, i, short(string(got)), err, short(back.out+back.err))
				w.write(w.repo, fmt.Sprintf("own/u%d", i), content(i))
			}
		}
	}
	t.notes["saved"] += saved
	// A gc that prunes beside another one's commit-graph leaves the names of commits in it that no reference has any more;
	// the graph is a cache of git's own, and the next gc writes it anew. What is looked at here is the objects.
	if r := t.tryGit(w, "-c", "core.commitGraph=false", "fsck", "--strict", "--no-dangling"); r.exit != 0 && t.ctx.Err() == nil {
		t.fail("fsck", "%s", short(r.out+r.err))
	}
	t.whole(w, "crowd")
}

// journal counts the lines about the verdict of one hook.
func (t *trial) journal(w *world) func(hook int) int {
	var all []byte
	for _, f := range must1(filepath.Glob(filepath.Join(w.state, "moai", "journal", "*.jsonl"))) {
		all = append(all, must1(os.ReadFile(f))...)
	}
	return func(hook int) (n int) {
		for line := range bytes.Lines(all) {
			if bytes.Contains(line, []byte(`"decision"`)) && bytes.Contains(line, fmt.Appendf(nil, "call-%d-of-%d\"", hook, t.n)) {
				n++
			}
		}
		return n
	}
}

// busy is everything else that goes on in a repository.
func (t *trial) busy(ctx context.Context, w *world, wg *sync.WaitGroup) {
	loop := func(f func(i int)) {
		wg.Go(func() {
			defer func() { _ = recover() }()
			for i := 0; ctx.Err() == nil; i++ {
				f(i)
			}
		})
	}
	git := func(args ...string) { w.start(ctx, nil, "git", args...) } // somebody else may hold the lock
	loop(func(i int) {                                                // one after another: git itself loses a commit that is made while it prunes
		w.write(w.repo, "src/main.go", fmt.Sprintln("edit", i))
		git("commit", "-qm", "edit", "src/main.go")
		git("pack-refs", "--all")
		git("gc", "-q", "--prune=now")
	})
	loop(func(i int) {
		w.write(w.repo, fmt.Sprintf("more/%d/f%d", i%7, i%60), fmt.Sprintln("edited", i))
		w.write(w.repo, fmt.Sprintf("fresh/%d", i%20), fmt.Sprintln("made", i))
		_ = os.Remove(filepath.Join(w.repo, fmt.Sprintf("fresh/%d", (i+7)%20)))
		time.Sleep(time.Millisecond)
	})
}
