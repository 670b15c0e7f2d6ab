//go:build linux

package rounds

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// An answer is what a person has before the line runs.
type answer struct {
	decision string // deny, ask or nothing
	text     string // all that is shown
	ways     []string
}

// read takes the hook's reply as the client does.
func read(r result) (a answer, err error) {
	var said struct {
		SystemMessage      string
		HookSpecificOutput *struct{ PermissionDecision, PermissionDecisionReason string }
	}
	if r.code != 0 && r.code != 2 {
		return a, fmt.Errorf("the hook ends with %d: %s%s", r.code, r.out, r.err)
	}
	if text := strings.TrimSpace(r.out); text != "" {
		if err := json.Unmarshal([]byte(text), &said); err != nil {
			return a, fmt.Errorf("the hook answers %q: %w", text, err)
		}
	}
	if s := said.HookSpecificOutput; s != nil {
		a.decision, a.text = s.PermissionDecision, s.PermissionDecisionReason
	}
	if r.code == 2 {
		a.decision = "deny"
	}
	a.text = said.SystemMessage + "\n" + a.text
	for line := range strings.Lines(a.text) {
		line = strings.TrimSpace(line)
		if way, ok := strings.CutPrefix(line, "bring it back: "); ok {
			a.ways = append(a.ways, way)
		} else if strings.HasPrefix(line, "bring back ") {
			if _, way, ok := strings.Cut(line, ", a repository of its own: "); ok {
				a.ways = append(a.ways, way)
			}
		}
	}
	return a, nil
}

// gone lists what a line destroyed for good if nobody kept it: contents of files and links that are in no other file and nowhere in Git,
// staged content likewise, commits that nothing leads to, and operations under way that were given up.
func (w *world) gone(before, after *sight) (list []string) {
	var held map[string]bool
	inGit := func(names ...string) bool {
		if held == nil {
			held = w.held(after)
		}
		return slices.ContainsFunc(names, func(n string) bool { return held[n] })
	}
	there := map[string]bool{}
	for _, b := range after.content {
		there[string(b)] = true
		if packed, err := gzip.NewReader(bytes.NewReader(b)); err == nil { // what gzip has packed is there
			if inner, err := io.ReadAll(io.LimitReader(packed, 1<<20)); err == nil {
				there[string(inner)] = true
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(before.content)) {
		b := before.content[key]
		if len(b) == 0 || there[string(b)] || bytes.HasPrefix(after.content[key], b) || inGit(names(b)...) {
			continue
		}
		list = append(list, key)
	}
	known := map[string]bool{}
	for b := range there {
		for _, n := range names([]byte(b)) {
			known[n] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(before.items)) {
		kind, _, _ := strings.Cut(key, " ")
		what, now := before.items[key], after.items[key]
		if what == now {
			continue
		}
		words := strings.Fields(what)
		switch kind {
		case "index":
			if words[0] != "160000" && !empty[words[1]] && !known[words[1]] && !inGit(words[1]) {
				list = append(list, key)
			}
		case "ref":
			if len(words) > 0 && !inGit(words[0]) {
				list = append(list, key)
			}
		case "stash":
			if !inGit(words[0]) {
				list = append(list, key)
			}
		case "HEAD":
			if !strings.HasPrefix(what, "ref: ") && !inGit(what) {
				list = append(list, key)
			}
		case "under":
			// A log that goes on (git bisect good) still holds all that it held: git bisect replay begins anew from any line of it.
			if now == "" || !strings.HasSuffix(key, " BISECT_LOG") || !strings.HasPrefix(now, what) {
				list = append(list, key)
			}
		}
	}
	return list
}

// empty are the names of the blob without content.
var empty = map[string]bool{
	"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391": true, "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813": true,
}

// missing compares what came back with what was there. What is new does not count: a way back deletes nothing.
func missing(before, after *sight) (list []string) {
	for _, key := range slices.Sorted(maps.Keys(before.items)) {
		if now, ok := after.items[key]; !ok || now != before.items[key] {
			list = append(list, key)
		}
	}
	return list
}

// described says how a thing was and is.
func described(key string, before, after *sight) string {
	now, ok := after.items[key]
	if !ok {
		return fmt.Sprintf("%s is gone, was %s", key, short(before.items[key]))
	}
	return fmt.Sprintf("%s is %s, was %s", key, short(now), short(before.items[key]))
}

func short(s string) string {
	if len(s) > 160 {
		s = s[:160] + "…"
	}
	return fmt.Sprintf("%q", s)
}
