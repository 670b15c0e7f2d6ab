//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A rig is what all kinds share.
type rig struct {
	ctx       context.Context
	moai      string
	dir       string // scratch; all that is made lies in it
	seed      uint64
	cpu       time.Duration
	empty     string // a program that does nothing; "" where none could be built
	emptyOnce sync.Once
	payloads  map[string][]map[string]any // by event
	mounts    []string
	spare     bool // kill nothing
	keep      bool // leave the scratch folder
}

// clean leaves nothing behind. Permissions are given back first: some cases take them away.
func (r *rig) clean() {
	for _, m := range slices.Backward(r.mounts) {
		_ = syscall.Unmount(m, syscall.MNT_DETACH)
	}
	r.mounts = nil
	remove(r.dir)
}

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

// A trial is one case: its chance, its folder, and what it found.
type trial struct {
	*rig
	kind      string
	n         int
	rand      *rand.Rand
	dir       string
	beginning time.Duration // what Go itself may take to start, in an environment that was made to slow it
	worst     time.Duration // the longest that judging took, in processor time
	notes     map[string]int
	failures  []failure
}

// A failure is a promise that did not hold.
type failure struct {
	kind   string
	n      int
	what   string // the same words for the same thing, so that they can be counted
	detail string
}

func (r *rig) trial(kind string, n int) *trial {
	h := fnv.New64a()
	fmt.Fprint(h, kind, n)
	t := &trial{rig: r, kind: kind, n: n, rand: rand.New(rand.NewPCG(r.seed, h.Sum64())), notes: map[string]int{}}
	t.dir = filepath.Join(r.dir, fmt.Sprintf("%s%d", kind, n))
	must(os.MkdirAll(t.dir, 0o755))
	return t
}

// done removes the case's folder, unless somebody wants to look at it.
func (t *trial) done() {
	if !t.keep {
		remove(t.dir)
	}
}

func (t *trial) fail(what, format string, args ...any) {
	t.failures = append(t.failures, failure{t.kind, t.n, what, fmt.Sprintf(format, args...)})
}

// note counts something that is worth a word in the table and is no failure.
func (t *trial) note(what string) { t.notes[what]++ }

// recovered turns a panic of a case, as must throws them, into an error that is seen: a case that could not be made shows nothing.
func (t *trial) recovered() {
	if p := recover(); p != nil && t.ctx.Err() == nil {
		detail := fmt.Sprint(p)
		if _, ok := p.(trouble); !ok {
			detail += "\n" + string(debug.Stack())
		}
		t.fail("the case could not be made", "%s", detail)
	}
}

// trouble is what must throws.
type trouble struct{ error }

func must(err error) {
	if err != nil {
		panic(trouble{err})
	}
}

func must1[T any](v T, err error) T {
	must(err)
	return v
}

func add(a, b map[string]int) map[string]int {
	if a == nil {
		a = map[string]int{}
	}
	for k, n := range b {
		a[k] += n
	}
	return a
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// between is a number from a to b, small ones as likely as large ones.
func between(r *rand.Rand, a, b int) int {
	for range r.IntN(3) {
		b = max(a, b/4)
	}
	return a + r.IntN(b-a+1)
}

func readPayloads(dir string) (map[string][]map[string]any, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no payloads in %s: start chaos at the root of the repository", dir)
	}
	by := map[string][]map[string]any{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var p map[string]any
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		if event, _ := p["hook_event_name"].(string); event != "" && !strings.Contains(filepath.Base(f), "statusline") {
			by[event] = append(by[event], p)
		}
	}
	return by, nil
}
