package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// Beside a session are the other sessions that go on in its work tree: none elsewhere, and none whose process is gone or that has ended.
func TestBeside(t *testing.T) {
	dir, now := t.TempDir(), time.Now().UTC()
	place := func(cwd, tree string) Place { return Place{Dir: cwd, WorkTree: tree} }
	const tree = `/w/"tree" <&> 한글`
	keep := func(id string, at Place, change func(*Session)) {
		t.Helper()
		err := Change(dir, id, now, func() *Session { return &Session{Now: at, Host: "elsewhere"} }, func(s *Session) bool {
			if change != nil {
				change(s)
			}
			return true
		})
		kit.Must(t, err)
	}
	keep("self", place(tree, tree), nil)
	keep("one", place(tree+"/sub", tree), nil)
	keep("outside of Git", place(tree, ""), nil)
	keep("elsewhere", place("/w/other", "/w/other"), nil)
	keep("gone elsewhere", place("/w/other", "/w/other"), func(s *Session) { s.Start = place(tree, tree) })
	keep("ended", place(tree, tree), func(s *Session) { s.Close("done", now) })
	keep("old", place(tree, tree), nil)
	old := now.Add(-2 * Silence)
	record := Path(dir, "old")
	kit.Must(t, os.WriteFile(record, []byte(`{"id":"old","host":"elsewhere","now":{"cwd":"x","worktree":"/w/\"tree\" \u003c\u0026\u003e 한글"},"last_seen":"2020-01-01T00:00:00Z"}`), 0o600))
	kit.Must(t, os.Chtimes(record, old, old))
	for name, text := range map[string]string{"torn": `{"id":"torn","now":{"worktree":"/w`, "empty": "", ".hidden": "{}"} {
		kit.Must(t, os.WriteFile(filepath.Join(Folder(dir), name+".json"), []byte(text), 0o600))
	}
	s := &Session{ID: "self", Now: place(tree, tree)}
	if got := Beside(dir, s, now); got != 2 {
		t.Errorf("%d other sessions, want the two", got)
	}
	if err := os.Chtimes(record, now, now); err != nil { // a hook of it ran
		t.Fatal(err)
	}
	if got := Beside(dir, s, now); got != 3 {
		t.Errorf("%d other sessions, want three once a hook of the old one ran", got)
	}
	if got := Beside(filepath.Join(dir, "nothing"), s, now); got != 0 {
		t.Errorf("%d other sessions in a folder that is not there", got)
	}
}
