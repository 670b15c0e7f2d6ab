package port_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/session"
)

var now = time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC)

func room(t *testing.T, shared bool) port.Room {
	t.Helper()
	return port.In(t.TempDir(), t.TempDir(), shared)
}

func create(t *testing.T, r port.Room, p port.Port) *port.Port {
	t.Helper()
	kit.Must(t, r.Create(&p, now))
	return &p
}

func TestIDs(t *testing.T) {
	long := strings.Repeat("긴 이름 ", 75)
	for _, id := range []string{"a", "auth/login", `say "hi"`, "it's", "로그인", "-x", "a.b", "CON", strings.TrimSpace(long), "😀 1", "a: b # c", "true", "1"} {
		for _, shared := range []bool{false, true} {
			r := room(t, shared)
			id, err := port.CheckID(id)
			kit.Must(t, err)
			create(t, r, port.Port{ID: id, Title: "t"})
			got, err := r.Read(id)
			if err != nil || got.ID != id || got.Title != "t" {
				t.Errorf("%q: %+v, %v", id, got, err)
			}
			if err := r.Create(&port.Port{ID: id}, now); !errors.Is(err, port.ErrThere) {
				t.Errorf("%q again: %v", id, err)
			}
		}
	}
	if a, _ := port.CheckID("로그인"); a != must(port.CheckID("로그인")) {
		t.Error("one id in two forms is two")
	}
	for _, id := range []string{"", " ", "--", "a\nb", "a\x1bb", strings.Repeat("x", 401), "\xff1"} {
		if _, err := port.CheckID(id); err == nil {
			t.Errorf("%q is an id", id)
		}
	}
	seen := map[string]bool{}
	r := room(t, false)
	for range 50 {
		seen[create(t, r, port.Port{Title: "x"}).ID] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d ids of 50 ports", len(seen))
	}
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

// What people write in a port's file stays, but for what is changed.
func TestFileKeepsWhatItDoesNotKnow(t *testing.T) {
	r := room(t, true)
	create(t, r, port.Port{ID: "a", Title: "A"})
	p, _ := r.Read("a")
	const mine = "---\n# mine\ncreated: 2026-11-23T18:00:00Z\nid: a\n# of the title\nowner: 구스\nlabels:\n  - x # why\n  - y\nstatus: pending\ntitle: 'A'\n---\n\n# A\n\ntext --- more\n"
	kit.Must(t, os.WriteFile(p.Path, []byte(mine), 0o600))
	if _, err := r.Change("a", func(p *port.Port) error { p.Status, p.Why = port.Blocked, "key: missing"; return nil }); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(p.Path)
	want := strings.Replace(mine, "status: pending\ntitle: 'A'\n", "status: blocked\ntitle: 'A'\nwhy: \"key: missing\"\n", 1)
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// All that a port can say comes back.
	full := &port.Port{
		ID: "b", Title: `"q": # 제목`, Needs: []string{"a"}, Parent: "a", Found: "a", Files: []string{"src/**", "*.go"}, Text: "why\n\n- one",
	}
	create(t, r, *full)
	if _, err := r.Change("b", func(p *port.Port) error {
		p.Proof = &port.Proof{Verified: true, Missing: []string{"x"}, Seconds: 1, Turns: 2, Changed: 3, Commits: 4, Saved: 5}
		p.Status, p.Ended = port.Complete, now
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	b, err := r.Read("b")
	if err != nil || b.Title != full.Title || !slices.Equal(b.Needs, full.Needs) || b.Text != full.Text || !slices.Equal(b.Proof.Missing, []string{"x"}) || b.Proof.Saved != 5 || !b.Ended.Equal(now) {
		t.Errorf("%+v %v", b, err)
	}
	raw, _ := os.ReadFile(b.Path)
	keys := []string{}
	for line := range strings.SplitSeq(strings.SplitN(string(raw), "---", 3)[1], "\n") {
		if key, _, ok := strings.Cut(line, ":"); ok && line[0] != ' ' {
			keys = append(keys, key)
		}
	}
	if !slices.IsSorted(keys) {
		t.Errorf("keys are not sorted: %q", keys)
	}
}

func TestBrokenFiles(t *testing.T) {
	for text, want := range map[string]string{
		"hello":                           ":1: a port begins with ---",
		"---\nid: a\n":                    "the --- that ends the front matter is missing",
		"---\nid: a\nstatus: done\n---\n": ":3: status is \"done\", want",
		"---\nid: a\n<<<<<<< HEAD\ntitle: x\n---\n":     ":3: ",
		"---\nid: a\ntitle: [\n---\n":                   ":3: ",
		"---\nid: a\ncreated: yesterday\n---\n":         ":3: created is",
		"---\nid: a\nverified: maybe\nturns: 1\n---\n":  ":3: verified is",
		"---\nid: a\nstatus: complete\nturns: x\n---\n": ":4: turns is",
		"---\nid: \"\"\n---\n":                          ":1: an id needs",
	} {
		r := room(t, true)
		create(t, r, port.Port{ID: "a"})
		create(t, r, port.Port{ID: "b"})
		p, _ := r.Read("a")
		kit.Must(t, os.WriteFile(p.Path, []byte(text), 0o600))
		list, broken := r.List()
		if len(list) != 1 || len(broken) != 1 || !strings.Contains(broken[0].Error(), want) {
			t.Errorf("%q: %d ports, %v, want %s", text, len(list), broken, want)
		}
		if _, err := r.Change("a", func(*port.Port) error { return nil }); err == nil {
			t.Errorf("%q was changed", text)
		}
		if err := r.Create(&port.Port{ID: "a"}, now); !errors.Is(err, port.ErrThere) {
			t.Errorf("%q was replaced: %v", text, err)
		}
		if now, _ := os.ReadFile(p.Path); string(now) != text {
			t.Errorf("%q became %q", text, now)
		}
	}
}

func TestReady(t *testing.T) {
	r := room(t, false)
	create(t, r, port.Port{ID: "a"})
	create(t, r, port.Port{ID: "b", Needs: []string{"a"}})
	create(t, r, port.Port{ID: "c", Parent: "b"})
	create(t, r, port.Port{ID: "d", Found: "a"})
	create(t, r, port.Port{ID: "e", Parent: "a"})
	ready := func() string {
		board, _ := r.Board(now)
		var ids []string
		for _, s := range board.Ready() {
			ids = append(ids, s.ID)
		}
		slices.Sort(ids)
		return strings.Join(ids, " ")
	}
	if got := ready(); got != "a d e" {
		t.Errorf("ready: %s", got)
	}
	if _, err := r.Change("a", func(p *port.Port) error { p.Status = port.Blocked; return nil }); err != nil {
		t.Fatal(err)
	}
	if got := ready(); got != "d" {
		t.Errorf("with a blocked: %s", got)
	}
	_, free, err := r.Over("a", port.Complete, "", nil, 0, now)
	if err != nil || strings.Join(free, " ") != "b c e" {
		t.Errorf("freed %q, %v", free, err)
	}
	var circle *port.Circle
	if _, err := r.Change("b", func(p *port.Port) error { p.Needs = []string{"c"}; return nil }); !errors.As(err, &circle) || circle.Error() != "ports would wait for each other: b → c → b" {
		t.Errorf("circle: %v", err)
	}
	if _, err := r.Change("d", func(p *port.Port) error { p.Needs = []string{"d"}; return nil }); !errors.As(err, &circle) {
		t.Errorf("circle of one: %v", err)
	}
	var unknown *port.Unknown
	if err := r.Create(&port.Port{ID: "f", Needs: []string{"z"}}, now); !errors.As(err, &unknown) || unknown.ID != "z" {
		t.Errorf("unknown: %v", err)
	}
	// A merge can have made a circle: it is told, and nothing of it is ready.
	b, _ := r.Read("b")
	text, _ := os.ReadFile(b.Path)
	kit.Must(t, os.WriteFile(b.Path, []byte(strings.Replace(string(text), "needs:\n  - \"a\"", "needs:\n  - c", 1)), 0o600))
	if got := ready(); got != "d e" {
		t.Errorf("with a circle: %s", got)
	}
	board, _ := r.Board(now)
	if got := board.Of("c").Circle; strings.Join(got, " ") != "c b c" {
		t.Errorf("circle: %q", got)
	}
}

// known makes the record of a session that was seen a while ago.
func known(t *testing.T, r port.Room, id string, ago time.Duration, change func(*session.Session)) {
	t.Helper()
	seen := time.Now().Add(-ago)
	err := session.Change(r.StateDir, id, seen, func() *session.Session { return &session.Session{} }, func(s *session.Session) bool { change(s); return true })
	kit.Must(t, err)
	_ = os.Chtimes(session.Path(r.StateDir, id), seen, seen)
}

func TestClaims(t *testing.T) {
	now := time.Now()
	r := room(t, false)
	create(t, r, port.Port{ID: "a"})
	none := func(*session.Session) {}
	known(t, r, "s1", 0, none)
	known(t, r, "s2", 0, none)
	if _, _, err := r.Start(port.Claim{Port: "a", Session: "s1"}, now); err != nil {
		t.Fatal(err)
	}
	if _, lost, err := r.Start(port.Claim{Port: "a", Session: "s1"}, now); err != nil || lost != nil {
		t.Errorf("again: %v %v", lost, err)
	}
	var held *port.Held
	if _, _, err := r.Start(port.Claim{Port: "a", Session: "s2"}, now); !errors.As(err, &held) || held.By.Session != "s1" {
		t.Errorf("of another: %v", err)
	}
	// Silent for as long as the lease, it holds no more; who takes it is told.
	known(t, r, "s1", port.Lease-time.Minute, none)
	if _, _, err := r.Start(port.Claim{Port: "a", Session: "s2"}, now); !errors.As(err, &held) {
		t.Errorf("within the lease: %v", err)
	}
	known(t, r, "s1", port.Lease+time.Second, none)
	board, _ := r.Board(now)
	if s := board.Of("a"); s.Status != port.Pending || !s.Ready || s.Last == nil || s.Last.Session != "s1" {
		t.Errorf("after the lease: %+v", s)
	}
	if r.Runs("a", "s1") == nil {
		t.Error("nobody took it, and its session has lost it")
	}
	if _, lost, err := r.Start(port.Claim{Port: "a", Session: "s2"}, now); err != nil || lost == nil || lost.Session != "s1" {
		t.Errorf("taken over: %v %v", lost, err)
	}
	if r.Runs("a", "s1") != nil || r.Runs("a", "s2") == nil {
		t.Error("it is run by who has lost it")
	}
	// One that has ended holds nothing, and whoever goes on where it was goes on with its port.
	known(t, r, "s2", 0, func(s *session.Session) { s.Close("clear", now) })
	if c, err := r.Adopt(port.Claim{Session: "s3", WorkTree: "/elsewhere"}, "", now); c != nil || err != nil {
		t.Errorf("adopted from elsewhere: %v %v", c, err)
	}
	known(t, r, "s3", 0, none)
	if c, err := r.Adopt(port.Claim{Session: "s3"}, "s2", now); err != nil || c == nil || c.Port != "a" || r.Runs("a", "s3") == nil {
		t.Errorf("not adopted: %v %v", c, err)
	}
	if n := len(r.Work("a").Stints); n != 3 {
		t.Errorf("%d stints", n)
	}
	kit.Must(t, r.Leave("a", "s3", 0, now))
	// A claim that a process left empty when it died is nobody's.
	empty := filepath.Join(r.Kept, "claim", "a.json")
	kit.Must(t, os.WriteFile(empty, nil, 0o600))
	if _, _, err := r.Start(port.Claim{Port: "a", Session: "s3"}, now); !errors.As(err, &held) {
		t.Errorf("it may be written just now: %v", err)
	}
	_ = os.Chtimes(empty, now, now.Add(-2*time.Minute))
	if _, _, err := r.Start(port.Claim{Port: "a", Session: "s3"}, now); err != nil {
		t.Error(err)
	}
}

// A session in the middle of a turn is at work however long a command of it takes, and one that is killed holds nothing.
func TestKilledSession(t *testing.T) {
	now := time.Now()
	r := room(t, false)
	create(t, r, port.Port{ID: "a"})
	client := exec.Command("sleep", "600")
	if err := client.Start(); err != nil {
		t.Skip(err)
	}
	host, _ := os.Hostname()
	known(t, r, "s1", time.Hour, func(s *session.Session) {
		s.Client.PID, s.Host = client.Process.Pid, host
		s.Prompted(session.Prompt{Text: "x"}, nil, "x", now)
	})
	known(t, r, "s2", 0, func(*session.Session) {})
	if _, _, err := r.Start(port.Claim{Port: "a", Session: "s1"}, now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	var held *port.Held
	if _, _, err := r.Start(port.Claim{Port: "a", Session: "s2"}, now); !errors.As(err, &held) {
		t.Errorf("in the middle of a turn: %v", err)
	}
	_ = client.Process.Kill()
	_ = client.Wait()
	if _, lost, err := r.Start(port.Claim{Port: "a", Session: "s2"}, now); err != nil || lost == nil || lost.Session != "s1" {
		t.Errorf("killed: %v %v", lost, err)
	}
}

// A clone can hold any number of files, of any size.
func TestManyFiles(t *testing.T) {
	r := room(t, true)
	create(t, r, port.Port{ID: "a", Text: strings.Repeat("long ", 12_000)})
	p, _ := r.Read("a")
	text, _ := os.ReadFile(p.Path)
	for i := range 200 {
		kit.Must(t, os.WriteFile(filepath.Join(r.Ports, fmt.Sprintf("%d.md", i)), text, 0o600))
	}
	list, broken := r.List()
	if len(list) > 100 || len(broken) != 1 || !strings.Contains(broken[0].Error(), "the rest is not read") {
		t.Errorf("%d ports, %v", len(list), broken)
	}
}

// A clone must not choose where moai writes.
func TestLinkOut(t *testing.T) {
	r := room(t, true)
	out := t.TempDir()
	kit.Must(t, os.MkdirAll(filepath.Dir(r.Ports), 0o755))
	if err := os.Symlink(out, r.Ports); err != nil {
		t.Skip(err)
	}
	if err := r.Create(&port.Port{ID: "a"}, now); !errors.Is(err, port.ErrLeads) {
		t.Error(err)
	}
	if list, broken := r.List(); len(list) > 0 || len(broken) != 1 {
		t.Errorf("read there: %v %v", list, broken)
	}
	if left, _ := os.ReadDir(out); len(left) > 0 {
		t.Error("written there")
	}
}
