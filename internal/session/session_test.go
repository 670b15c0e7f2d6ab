package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/state"
)

var now = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

func fresh0() *Session { return &Session{Host: host()} }

func put(t *testing.T, dir, id string, at time.Time, change func(*Session)) {
	t.Helper()
	err := Change(dir, id, at, fresh0, func(s *Session) bool { change(s); return true })
	kit.Must(t, err)
	for _, path := range []string{Path(dir, id), filepath.Join(ended(dir), filepath.Base(Path(dir, id)))} {
		_ = os.Chtimes(path, at, at)
	}
}

// gone is a process that has ended.
func gone(t *testing.T) Client {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	kit.Must(t, cmd.Run())
	return Client{PID: cmd.Process.Pid, Began: "1@0"}
}

func TestTurns(t *testing.T) {
	machine := []rule.Machine{{Begins: "<task-notification>"}}
	at := func(min int) time.Time { return now.Add(time.Duration(min) * time.Minute) }
	s := fresh0()
	for i, c := range []struct {
		p      Prompt
		begins bool
	}{
		{Prompt{Text: "fix it", ID: "a"}, true},
		{Prompt{Text: "fix it", ID: "a"}, false}, // Qwen, after each tool
		{Prompt{Text: "", ID: "b"}, false},
		{Prompt{Text: " \n", ID: "b"}, false},
		{Prompt{Text: "\n<task-notification>\n<task-id>x", ID: "c"}, false},
		{Prompt{Text: "look around", ID: "d", Agent: "sub"}, false},
		{Prompt{Text: "now test it", ID: "e"}, true},
		{Prompt{Text: "and again"}, true}, // clients without ids
		{Prompt{Text: "and again"}, true},
	} {
		before := s.Turn
		if got := s.Prompted(c.p, machine, c.p.Text, at(i)); got != c.begins {
			t.Errorf("%+v begins a turn: %v, want %v", c.p, got, c.begins)
		}
		if !c.begins && s.Turn != before {
			t.Errorf("%+v changed the turn to %+v", c.p, s.Turn)
		}
	}
	if s.Turn.Number != 4 || !s.Turn.Runs() || s.Turn.Began != at(8) {
		t.Errorf("turn = %+v", s.Turn)
	}
	if !s.End("done", at(9)) || s.End("done", at(10)) || s.Turn.Ended != at(9) || s.Turn.How != "done" {
		t.Errorf("ended: %+v", s.Turn)
	}
	if !s.GoOn() || s.GoOn() || !s.Turn.Runs() || s.Turn.Number != 4 {
		t.Errorf("taken up: %+v", s.Turn)
	}
	s.Close("exit", at(11))
	if s.Turn.How != TurnEnded || s.Turn.Ended != at(11) {
		t.Errorf("closed: %+v", s.Turn)
	}
	if fresh0().GoOn() {
		t.Error("there is no turn to go on with before the first prompt")
	}
}

func TestRecordsMoveWithTheirSession(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a", now, func(s *Session) { s.Model = "m" })
	put(t, dir, "b", now.Add(time.Minute), func(*Session) {})
	ids := func(list []*Session) (s string) {
		for _, one := range list {
			s += one.ID
		}
		return s
	}
	if got := ids(Open(dir, time.Time{})); got != "ba" {
		t.Errorf("open = %s", got)
	}
	if got := ids(Open(dir, now.Add(time.Second))); got != "b" {
		t.Errorf("open since = %s", got)
	}
	put(t, dir, "b", now.Add(2*time.Minute), func(s *Session) { s.Close("exit", now) })
	if got := ids(Open(dir, time.Time{})); got != "a" {
		t.Errorf("open after the end = %s", got)
	}
	if got := ids(All(dir)); len(got) != 2 {
		t.Errorf("all = %s", got)
	}
	if s := Read(dir, "b"); s == nil || s.Why != "exit" || s.Standing(now) != Over {
		t.Errorf("ended session = %+v", s)
	}
	touch := func(id string) bool { known, _ := Touch(dir, id, now); return known }
	if touch("b") || !touch("a") || touch("c") {
		t.Error("only sessions that go on are touched")
	}
	// A late hook does not bring it back, its client does.
	put(t, dir, "b", now, func(s *Session) { s.Model = "late" })
	if got := ids(Open(dir, time.Time{})); got != "a" {
		t.Errorf("open after a late hook = %s", got)
	}
	put(t, dir, "b", now, func(s *Session) { s.Open() })
	if s := Read(dir, "b"); s == nil || s.Model != "late" || !s.Ended.IsZero() {
		t.Errorf("resumed = %+v", s)
	}
	if got := ids(All(dir)); len(got) != 2 {
		t.Errorf("all = %s: a session stands in one place", got)
	}
	// Nothing to say writes nothing.
	path := Path(dir, "a")
	before, err := os.Stat(path)
	kit.Must(t, err)
	kit.Must(t, Change(dir, "a", now, fresh0, func(*Session) bool { return false }))
	if after, _ := os.Stat(path); !os.SameFile(before, after) {
		t.Error("a record without news was written")
	}
	kit.Must(t, os.WriteFile(path, []byte("{torn"), 0o600))
	if Read(dir, "a") != nil {
		t.Error("a damaged record is none")
	}
	put(t, dir, "a", now, func(*Session) {})
	if Read(dir, "a") == nil {
		t.Error("a damaged record is made anew")
	}
}

func TestTouchRenewsTheTimeOnceAMinute(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a", now, func(*Session) {})
	at := func() time.Time { return Read(dir, "a").Seen }
	Touch(dir, "a", now.Add(50*time.Second))
	if !at().Equal(now) {
		t.Errorf("seen = %v, want %v", at(), now)
	}
	Touch(dir, "a", now.Add(2*time.Minute))
	if want := now.Add(2 * time.Minute); !at().Equal(want) {
		t.Errorf("seen = %v, want %v", at(), want)
	}
}

func TestParallelHooksLoseNothing(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			for { // a loaded machine may need longer than a hook waits; that is told, and not lost
				err := Change(dir, "a", now, fresh0, func(s *Session) bool {
					s.Changed(Write{Path: filepath.Join(dir, fmt.Sprint("file", i)), At: now})
					return true
				})
				if errors.Is(err, state.ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
				}
				return
			}
		})
	}
	wg.Wait()
	if n := len(Read(dir, "a").Wrote); n != 30 {
		t.Errorf("%d of 30 files are known", n)
	}
}

func TestStale(t *testing.T) {
	dir := t.TempDir()
	self, ok := (&seat.Finder{Getenv: os.Getenv}).Self()
	if !ok {
		t.Skip("this system tells nothing of processes")
	}
	dead, old := gone(t), now.Add(-25*time.Hour)
	put(t, dir, "alive-and-silent", old, func(s *Session) { s.Client = Client{PID: self.ID, Began: self.Began} })
	put(t, dir, "gone-and-silent", old, func(s *Session) { s.Client = dead })
	put(t, dir, "gone-since-an-hour", now.Add(-time.Hour), func(s *Session) { s.Client = dead })
	put(t, dir, "unknown-and-silent", old, func(*Session) {})
	put(t, dir, "unknown-an-hour", now.Add(-time.Hour), func(*Session) {})
	put(t, dir, "elsewhere", now.Add(-time.Hour), func(s *Session) { s.Client, s.Host = dead, "another" })
	for id, want := range map[string]Standing{
		"alive-and-silent": Running, "gone-and-silent": Gone, "gone-since-an-hour": Gone, "unknown-and-silent": Gone,
		"unknown-an-hour": Running, "elsewhere": Running,
	} {
		if got := Read(dir, id).Standing(now); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	closed := map[string]bool{}
	for _, s := range CloseStale(dir, now, time.Now().Add(time.Minute)) {
		closed[s.ID] = true
	}
	if len(closed) != 2 || !closed["gone-and-silent"] || !closed["unknown-and-silent"] {
		t.Errorf("closed %v", closed)
	}
	if s := Read(dir, "gone-and-silent"); s.Why != WhyClosed || s.Ended.IsZero() {
		t.Errorf("closed as %+v", s)
	}
	// The id of a process that is used again is another process.
	put(t, dir, "again", now, func(s *Session) { s.Client = Client{PID: self.ID, Began: "1@0"} })
	if got := Read(dir, "again").Standing(now); got != Gone {
		t.Errorf("a session whose process has another beginning is %s", got)
	}
}

func TestFingerprint(t *testing.T) {
	c := Client{PID: 7, Began: "100@x"}
	base := Fingerprint("/p", "/dev/pts/1", c)
	if len(base) != 16 || base != Fingerprint("/p", "/dev/pts/1", c) {
		t.Errorf("fingerprint %q", base)
	}
	for _, other := range []string{
		Fingerprint("/q", "/dev/pts/1", c), Fingerprint("/p", "/dev/pts/2", c),
		Fingerprint("/p", "/dev/pts/1", Client{PID: 8, Began: "100@x"}), Fingerprint("/p", "/dev/pts/1", Client{PID: 7, Began: "101@x"}),
	} {
		if other == base {
			t.Error("two terminals, one fingerprint")
		}
	}
}

// TestHide: every text of a record that clients or folders bring is hidden; who the session is stays.
func TestHide(t *testing.T) {
	p := Place{Dir: "x", WorkTree: "x", Repository: "x"}
	s := &Session{
		ID: "id", Fingerprint: "f", TTY: "x", Project: "x", Start: p, Now: p, Model: "x", Mode: "x", Why: "x", Port: "x",
		Turn: Turn{PromptID: "x"}, Agents: []Agent{{ID: "x", Type: "x", Dir: "x"}}, Wrote: []Write{{Path: "x", Agent: "x"}}, Told: []string{"x"},
	}
	hide := func(text string) string {
		if text != "x" {
			t.Errorf("%q is hidden, too", text)
		}
		return "*"
	}
	s.Hide(hide, hide)
	data, err := json.Marshal(s)
	kit.Must(t, err)
	if strings.Contains(string(data), `"x"`) || s.ID != "id" || s.Fingerprint != "f" {
		t.Errorf("left: %s", data)
	}
}

// A question counts while its turn runs, or where no turn is known; behind the end of a turn any session waits for a prompt.
func TestDoing(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	runs := Turn{Number: 1, Began: now.Add(-time.Hour)}
	over := Turn{Number: 1, Began: now.Add(-time.Hour), Ended: now.Add(-time.Minute)}
	for name, c := range map[string]struct {
		Session
		asked, last time.Time
		want        Doing
	}{
		"at work":            {Session{Turn: runs}, time.Time{}, now, Working},
		"asked":              {Session{Turn: runs}, now, now, Waiting},
		"asked before turns": {Session{}, now, now, Waiting},
		"over":               {Session{Turn: over}, now, now, Idle},
		"no turn yet":        {Session{}, time.Time{}, now, Idle},
		"not a word":         {Session{Turn: runs}, time.Time{}, now.Add(-31 * time.Minute), Quiet},
		"ended":              {Session{Turn: runs, Ended: now}, now, now, Doing(Over)},
	} {
		c.Seen = now
		if !c.asked.IsZero() {
			c.Asks = &Question{At: c.asked}
		}
		if got := c.Doing(now, c.last); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
