//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// timeAttacks gives moai lines, and other input, that were made to cost time. Each ends in something that must not happen.
func timeAttacks(*rig) (*attack, error) {
	return &attack{try: timeAttack, least: len(fillers) + len(payloadFields)}, nil
}

func timeAttack(t *trial) {
	w := t.world()
	t.repository(w)
	t.labyrinth(w, t.rand.IntN(3))
	i := t.n % (len(fillers) + len(payloadFields))
	if i >= len(fillers) {
		f := payloadFields[i-len(fillers)]
		f.try(t, w, between(t.rand, 1000, 120<<10))
		return
	}
	t.judged(w, fillers[i].name, w.call("Bash", map[string]any{"command": line(t.rand, fillers[i])}))
}

// labyrinth makes links that lead into each other, in one of three ways.
func (t *trial) labyrinth(w *world, way int) {
	g := filepath.Join(w.repo, "g")
	must(os.MkdirAll(g, 0o755))
	for i := range 38 {
		var to string
		switch way {
		case 0: // each goes through the next twice
			to = fmt.Sprintf("../g/n%d/../n%d", i+1, i+1)
		case 1:
			to = fmt.Sprintf("n%d/x", i+1)
		default:
			to = repeat(between(t.rand, 3, 40), "/", func(int) string { return pick(t.rand, "..", "g", fmt.Sprint("n", t.rand.IntN(38)), "../g", ".") })
		}
		must(os.Symlink(to, filepath.Join(g, fmt.Sprint("n", i))))
	}
	if t.rand.IntN(2) == 0 {
		must(os.MkdirAll(filepath.Join(g, "n38", "x"), 0o755))
	}
}

// payloadFields are other parts of the input that somebody can make large.
var payloadFields = []struct {
	name string
	try  func(t *trial, w *world, size int)
}{
	{"description", func(t *trial, w *world, n int) {
		t.judged(w, "field-description", w.call("Bash", map[string]any{"command": destruction(t.rand), "description": filling(t.rand, n)}))
	}},
	{"keys", func(t *trial, w *world, n int) {
		in := map[string]any{"command": destruction(t.rand)}
		for i := range n / 12 {
			in[fmt.Sprint("a", i)] = i
		}
		t.judged(w, "field-keys", w.call("Bash", in))
	}},
	{"deep", func(t *trial, w *world, n int) {
		var v any = "x"
		for range min(n/8, 2000) {
			v = map[string]any{"k": []any{v}}
		}
		p := w.call("Bash", map[string]any{"command": destruction(t.rand), "zz": v})
		p["aa"] = v
		t.judged(w, "field-deep", p)
	}},
	{"strings", func(t *trial, w *world, n int) {
		p := w.call("Bash", map[string]any{"command": destruction(t.rand)})
		for _, k := range lines.Fields {
			if t.rand.IntN(2) == 0 {
				p[k] = filling(t.rand, n/3)
			}
		}
		t.judged(w, "field-strings", p)
	}},
	{"folder", func(t *trial, w *world, n int) {
		p := w.call("Bash", map[string]any{"command": destruction(t.rand)})
		p["cwd"] = w.repo + "/" + route(t.rand, min(n, 4000)) // the client is in it, so the system takes it
		t.judged(w, "field-folder", p)
	}},
	{"escapes", func(t *trial, w *world, n int) {
		p := w.call("Bash", map[string]any{"command": "echo '" + strings.Repeat("\x01\x02\u2028<>&", n/16) + "'; " + destruction(t.rand)})
		t.judged(w, "field-escapes", p)
	}},
	{"write", func(t *trial, w *world, n int) {
		t.quick(w, "write", w.call("Write", map[string]any{"file_path": w.repo + "/" + pick(t.rand, "new.py", ".env", "x.md", route(t.rand, 4000)), "content": filling(t.rand, n)}))
	}},
	{"edit", func(t *trial, w *world, n int) {
		t.quick(w, "edit", w.call("Edit", map[string]any{"file_path": w.repo + "/src/main.go", "old_string": filling(t.rand, n/2), "new_string": filling(t.rand, n/2)}))
	}},
	{"prompt", func(t *trial, w *world, n int) {
		p := w.call("", nil)
		delete(p, "tool_name")
		delete(p, "tool_input")
		p["hook_event_name"], p["prompt"] = "UserPromptSubmit", filling(t.rand, n)
		t.quick(w, "prompt", p)
	}},
	{"result", func(t *trial, w *world, n int) {
		p := w.call("Bash", map[string]any{"command": "ls"})
		p["hook_event_name"], p["tool_response"] = "PostToolUse", map[string]any{"stdout": filling(t.rand, n), "stderr": "", "interrupted": false}
		t.quick(w, "result", p)
	}},
}

// quick asks about something harmless: only the time and the form of the answer count.
func (t *trial) quick(w *world, name string, payload map[string]any) {
	r := t.hook(w, payload)
	if _, err := r.read(payload["hook_event_name"].(string)); err != nil && t.ctx.Err() == nil {
		t.fail("no answer: "+name, "%v; it said: %s", err, short(r.out+r.err))
	}
	t.cost(name, r.cpu, func() time.Duration { return t.hook(w, payload).cpu })
}

// filling is text that looks like something.
func filling(r *rand.Rand, size int) string {
	one := pick(r, "a", " ", "\n", "@SPEC:AUTH-001 ", "ultrathink ", "가나다 ", "https://example.invalid/a?b=c ", "AKIAIOSFODNN7EXAMPLE ", "password = \"hunter2\"\n",
		"-----BEGIN RSA PRIVATE KEY-----\n", "eyJhbGciOiJIUzI1NiJ9.", "@src/main.go ", "implement the plan, test it and commit. ", "((((", "\\", "\"")
	two := pick(r, one, one, "b", "\n", " test ", "x")
	return repeat(size, "", func(i int) string {
		if i%7 == 6 {
			return two
		}
		return one
	})
}
