package port_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/session"
)

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"login": "login", "Main_go 1": "main-go-1", "로그인 화면을 고쳐 줘": "로그인-화면을-고쳐-줘", "--": "", "😀": "", strings.Repeat("ab ", 40): "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-a",
	} {
		if got := port.Slug(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAbout(t *testing.T) {
	p := &port.Port{Files: []string{"src/**", "docs/", "*.md"}}
	for rel, want := range map[string]bool{"src/a/b.go": true, "docs/x/y.txt": true, "README.md": true, "sub/README.md": false, "main.go": false} {
		if p.About(rel) != want {
			t.Errorf("%s: %v", rel, !want)
		}
	}
	if !(&port.Port{}).About("any") {
		t.Error("one without patterns is about all")
	}
}

func TestWork(t *testing.T) {
	now := time.Now()
	r := room(t, false)
	create(t, r, port.Port{ID: "a"})
	create(t, r, port.Port{ID: "b", Parent: "a"})
	known(t, r, "s1", 0, func(*session.Session) {})
	known(t, r, "s2", 0, func(*session.Session) {})
	start := func(id, by string, turn int, at time.Time) {
		t.Helper()
		if _, _, err := r.Start(port.Claim{Port: id, Session: by, Turn: turn}, at); err != nil {
			t.Fatal(err)
		}
	}
	start("a", "s1", 2, now.Add(-time.Hour))
	if err := r.Leave("a", "s2", 9, now); err != nil || r.Runs("a", "s1") == nil {
		t.Errorf("left by another: %v", err)
	}
	kit.Must(t, r.Leave("a", "s1", 4, now.Add(-30*time.Minute)))
	start("a", "s2", 0, now.Add(-10*time.Minute))
	start("b", "s1", 1, now)
	if others := r.Others("s2", now); len(others) != 1 || others[0].Port != "b" {
		t.Errorf("others: %+v", others)
	}
	for _, done := range []bool{false, true} {
		kit.Must(t, r.Track("a", port.Task{Session: "s2", ID: "1", Subject: "x", Done: done}))
	}
	w := r.Work("a")
	spent, turns := w.Time(now, func(string) int { return 2 })
	if spent != 40*time.Minute || turns != 5 {
		t.Errorf("%v in %d turns, want 40 min in 3 and 2", spent, turns)
	}
	if len(w.Tasks) != 1 || !w.Tasks[0].Done || len(w.Stints) != 2 {
		t.Errorf("%+v", w)
	}
	board, _ := r.Board(now)
	if list := board.Children("a"); len(list) != 1 || list[0].ID != "b" {
		t.Errorf("children: %+v", list)
	}
	// A port that is over is run by nobody, whoever ended it.
	if _, _, err := r.Over("a", port.Dropped, "why", nil, 3, now); err != nil {
		t.Fatal(err)
	}
	if r.Runs("a", "s2") != nil {
		t.Error("it is over, and somebody runs it")
	}
	var waiting *port.Waiting
	if _, _, err := r.Start(port.Claim{Port: "a", Session: "s2"}, now); !errors.As(err, &waiting) || waiting.Error() != "port a is dropped" {
		t.Error(err)
	}
	if _, _, err := r.Start(port.Claim{Port: "z", Session: "s2"}, now); !errors.Is(err, port.ErrNone) {
		t.Error(err)
	}
}

// All work trees of a repository have one room; so has a project below the top, and another project has its own.
func TestRooms(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	base := kit.Dir(t)
	main, linked, state := filepath.Join(base, "main"), filepath.Join(base, "linked"), filepath.Join(base, "state")
	for _, dir := range []string{filepath.Join(main, "sub", ".moai"), filepath.Join(base, "plain")} {
		kit.Must(t, os.MkdirAll(dir, 0o755))
	}
	for _, words := range []string{"init -q .", "-c user.name=x -c user.email=x@x commit -q --allow-empty -m one", "worktree add -q ../linked"} {
		kit.Git(t, main, strings.Fields(words)...)
	}
	kit.Must(t, os.MkdirAll(filepath.Join(linked, "sub"), 0o755))
	if port.Anywhere(state) {
		t.Error("ports before any")
	}
	in := func(dir string) string { return port.In(state, dir, false).Ports }
	if in(main) != in(linked) || in(filepath.Join(main, "sub")) != in(filepath.Join(linked, "sub")) {
		t.Error("a work tree has a room of its own")
	}
	if in(main) == in(filepath.Join(main, "sub")) || in(main) == in(filepath.Join(base, "plain")) {
		t.Error("two projects have one room")
	}
	plain := port.In(state, filepath.Join(base, "plain"), false)
	create(t, plain, port.Port{ID: "a"})
	if !port.Anywhere(state) || !plain.Used() {
		t.Error("not found again")
	}
	if r := port.In(state, main, false); r.Used() {
		t.Error("used by another")
	}
	// People rename files: the id in one counts.
	p, _ := plain.Read("a")
	kit.Must(t, os.Rename(p.Path, filepath.Join(plain.Ports, "other.md")))
	if p, err := plain.Read("a"); err != nil || filepath.Base(p.Path) != "other.md" {
		t.Errorf("%+v %v", p, err)
	}
}
