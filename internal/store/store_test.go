package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/kit"
)

func opened(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	kit.Must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func feed(t testing.TB, s *Store) Fed {
	t.Helper()
	fed, err := s.Feed(t.Context())
	kit.Must(t, err)
	return fed
}

// kinds are details of events as handlers write them.
var kinds = []struct{ kind, details string }{
	{"user_request", ``},
	{"turn_end", `{"stop_hook_active":false}`},
	{"file_edit", `{"path":"a/%d.go","tool":"Edit"}`},
	{"command_change", `{"command":"sh x.sh","files":300,"paths":["a/%d.go","b.go"],"commit":"c"}`},
	{"command_change", `{"files":"x","paths":[null,1,{"a":1}]}`},
	{"command_change", `{"paths":null}`},
	{"decision", `{"action":"deny","rules":["fs.delete-home"],"tool":"Bash","command":"rm -rf ~ # %d"}`},
	{"decision", `{"action":"ask","rules":["git.push"],"tool":"Bash","command":"git push %d"}`},
	{"escalation", `{"action":"ask","rules":["git.push"],"tool":"Bash"}`},
	{"agent_activated", `{"agent_id":"g%d","agent_type":"scout"}`},
	{"agent_deactivated", `{"agent_id":"g%d","agent_type":"scout","tokens":12}`},
	{"checkpoint_created", `{"branch":"b","operation":"reset","commit":"c","files":3}`},
	{"verified", `{"agent":"heimdall","verifies":"code","found":"passed","files":2}`},
	{"port_end", `{"port_id":"p","status":"complete","verified":true}`},
	{"tool_failed", `{"tool_name":"Bash","tool_use_id":"t"}`},
	{"session_start", `{"source":"startup"}`},
	{"of_a_newer_version", `{"x":[1,2]}`},
}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func made(r *rand.Rand, i int) journal.Event {
	k := kinds[r.IntN(len(kinds))]
	e := journal.Event{Session: fmt.Sprint("s", r.IntN(6)), Turn: r.IntN(5), Type: k.kind, Summary: fmt.Sprint("event ", i), Created: start.Add(time.Duration(i*100+r.IntN(5000)) * time.Millisecond)}
	if k.details != "" {
		text := k.details
		if strings.Contains(text, "%d") {
			text = fmt.Sprintf(text, r.IntN(5))
		}
		e.Details = json.RawMessage(text)
	}
	return e
}

// dump is all that a store holds but the numbers of its rows.
func dump(t *testing.T, s *Store) string {
	t.Helper()
	var b strings.Builder
	for _, q := range []string{
		"select id, session, turn, type, created, summary, details from events order by project, id",
		"select * from sessions order by 1, 2", "select * from turns order by 1, 2, 3", "select * from files order by 1, 2, 3, 4", "select * from agents order by 1, 2, 3",
	} {
		err := s.rows(q, func(_ []string, values []any) error { fmt.Fprintln(&b, values...); return nil })
		kit.Must(t, err)
	}
	return b.String()
}

func (s *Store) rows(query string, each func([]string, []any) error) error {
	return s.Export(context.Background(), "("+query+")", func(columns []string, values []any) error {
		if values == nil { // the columns alone
			return nil
		}
		return each(columns, values)
	})
}

// A journal that somebody has cut short, or taken lines out of, counts as it is now.
func TestChangedJournal(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	log := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
	write := func(words ...string) {
		for _, w := range words {
			kit.Must(t, log.Append(journal.Event{Session: "s", Type: "user_request", Summary: w, Created: start}))
		}
	}
	summaries := func() (list []string) {
		kit.Must(t, s.rows("select summary from events order by seq", func(_ []string, v []any) error { list = append(list, fmt.Sprint(v[0])); return nil }))
		return list
	}
	write("one", "two", strings.Repeat("three", 50), "four")
	feed(t, s)
	data := kit.Read(t, log.Path)
	lines := strings.SplitAfter(data, "\n")
	kit.Must(t, os.WriteFile(log.Path, []byte(lines[0]+lines[1]+lines[3]), 0o600))
	write("five", "six", "seven")
	feed(t, s)
	if got := strings.Join(summaries(), " "); got != "one two four five six seven" {
		t.Errorf("after a line was taken out: %s", got)
	}
	kit.Must(t, os.WriteFile(log.Path, []byte(lines[0]), 0o600))
	feed(t, s)
	if got := strings.Join(summaries(), " "); got != "one" {
		t.Errorf("after it was cut short: %s", got)
	}
}

// Whatever the portions in which a store is fed, while files are closed and dropped, it equals one that is made anew.
func TestRebuiltEqualsFed(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			dir := t.TempDir()
			fed := opened(t, dir)
			logs := []journal.Log{
				{Path: filepath.Join(Journals(dir), "a-1.jsonl"), Keep: journal.Keep{MB: 1}},
				{Path: filepath.Join(Journals(dir), "b-2.jsonl"), Keep: journal.Keep{MB: 1, Days: 100000}},
			}
			dropped := 0
			for i := range 6000 {
				e := made(r, i)
				e.Summary += strings.Repeat(".", r.IntN(900))
				kit.Must(t, logs[r.IntN(2)].Append(e))
				if r.IntN(300) == 0 {
					dropped += feed(t, fed).Dropped
				}
			}
			dropped += feed(t, fed).Dropped
			if dropped == 0 {
				t.Error("no segment was dropped meanwhile: the test tries less than it should")
			}
			if again := feed(t, fed); again != (Fed{}) {
				t.Errorf("fed once more: %+v, want nothing", again)
			}
			want := dump(t, fed)
			kit.Must(t, fed.Close())
			kit.Must(t, os.RemoveAll(filepath.Dir(Path(dir))))
			anew := opened(t, dir)
			feed(t, anew)
			if got := dump(t, anew); got != want {
				t.Errorf("made anew it differs:\n%s", firstDifference(want, got))
			}
		})
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return "fed:  " + x[i] + "\nanew: " + y[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// Two processes that feed one store at once count no event twice.
func TestFedByTwo(t *testing.T) {
	dir := t.TempDir()
	one, two := opened(t, dir), opened(t, dir)
	l := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
	done := make(chan error)
	for _, s := range []*Store{one, two} {
		go func() {
			for range 30 {
				if _, err := s.Feed(context.Background()); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 1000 {
		kit.Must(t, l.Append(made(r, i)))
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	feed(t, one)
	n := 0
	if err := one.db().QueryRow("select sum(events) from sessions").Scan(&n); err != nil || n != 1000 {
		t.Errorf("%d events are counted, %v; want 1000", n, err)
	}
}

// What cannot be used is set aside, and made anew.
func TestSetAside(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string){
		"newer": func(t *testing.T, path string) {
			s := opened(t, filepath.Dir(filepath.Dir(path)))
			if _, err := s.db().Exec("pragma user_version = 99"); err != nil {
				t.Fatal(err)
			}
			kit.Must(t, s.Close())
		},
		"no database": func(t *testing.T, path string) {
			kit.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			kit.Must(t, os.WriteFile(path, []byte(strings.Repeat("nonsense", 1000)), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			spoil(t, Path(dir))
			l := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
			kit.Must(t, l.Append(journal.Event{Type: "decision", Session: "s"}))
			s := opened(t, dir)
			if s.Aside == "" {
				t.Error("nobody says that it was set aside")
			}
			if _, err := os.Stat(s.Aside); err != nil {
				t.Error(err)
			}
			if fed := feed(t, s); fed.Events != 1 {
				t.Errorf("%+v, want one event", fed)
			}
			if info, err := os.Stat(Path(dir)); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
				t.Errorf("others can read it: %v, %v", info.Mode(), err)
			}
		})
	}
}

// Damage that shows later is told apart from other errors.
func TestBroken(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	l := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 2000 {
		kit.Must(t, l.Append(made(r, i)))
	}
	feed(t, s)
	if _, err := s.db().Exec("pragma wal_checkpoint(truncate)"); err != nil {
		t.Fatal(err)
	}
	kit.Must(t, s.Close())
	data, err := os.ReadFile(Path(dir))
	kit.Must(t, err)
	for i := len(data) / 2; i < len(data); i++ { // what tables there are stays readable
		data[i] = 0xee
	}
	kit.Must(t, os.WriteFile(Path(dir), data, 0o600))
	s = opened(t, dir)
	if _, err := s.Events(t.Context(), &Pick{}); !Broken(err) {
		t.Fatalf("Events = %v, want that it is broken", err)
	}
	kit.Must(t, s.SetAside())
	if fed := feed(t, s); fed.Events != 2000 || s.Aside == "" {
		t.Errorf("%+v, aside %q; want all events anew", fed, s.Aside)
	}
}

// A database of an older version goes through the steps that it has not seen, and no others.
func TestMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	steps := fstest.MapFS{"migrations/001.sql": {Data: []byte("create table a (x)")}}
	db, err := open(path, steps)
	kit.Must(t, err)
	if _, err := db.Exec("insert into a values (1)"); err != nil {
		t.Fatal(err)
	}
	_ = db.Close()
	steps["migrations/002.sql"] = &fstest.MapFile{Data: []byte("alter table a add column y default 7")}
	if db, err = open(path, steps); err != nil {
		t.Fatal(err)
	}
	sum := 0
	if err := db.QueryRow("select x + y from a").Scan(&sum); err != nil || sum != 8 {
		t.Errorf("x + y = %d, %v", sum, err)
	}
	_ = db.Close()
	delete(steps, "migrations/002.sql")
	if _, err = open(path, steps); err != errNewer {
		t.Errorf("open with fewer steps: %v", err)
	}
}

// Each question has an answer, and what it picks holds.
func TestQueries(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	l := journal.Log{Path: filepath.Join(Journals(dir), "a-1.jsonl")}
	r := rand.New(rand.NewPCG(3, 1))
	for i := range 1000 {
		kit.Must(t, l.Append(made(r, i)))
	}
	feed(t, s)
	kit.Must(t, s.Records(t.Context()))
	p := &Pick{Project: "a-1", Session: "s1", Limit: 3}
	for name, ask := range questions(s) {
		n, err := ask(t.Context(), p)
		if err != nil || n == 0 && name != "ports" || n > 3 {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
		if n, err := ask(t.Context(), &Pick{Project: "none"}); err != nil || n != 0 {
			t.Errorf("%s of no project: %d rows, %v", name, n, err)
		}
	}
	sum, err := s.Stats(t.Context(), &Pick{})
	if err != nil || sum.Sessions != 6 || sum.Denied == 0 {
		t.Errorf("Stats = %+v, %v", sum, err)
	}
	first, err := s.After(t.Context(), 0, 1)
	if err != nil || len(first) != 1 {
		t.Fatal(first, err)
	}
	if e, err := s.Event(t.Context(), first[0].ID); err != nil || e == nil || e.Seq != first[0].Seq {
		t.Errorf("Event = %+v, %v", e, err)
	}
}

// A session that works in two projects is one session, and its turn one turn, where all projects are asked for.
func TestInTwoProjects(t *testing.T) {
	dir := t.TempDir()
	write := func(project, text string) {
		t.Helper()
		kit.Must(t, os.MkdirAll(Journals(dir), 0o700))
		kit.Must(t, os.WriteFile(filepath.Join(Journals(dir), project+".jsonl"), []byte(text), 0o600))
	}
	line := func(at int, kind, details string) string {
		e := journal.Event{ID: fmt.Sprintf("01J%023d", at), Session: "s1", Turn: 1, Type: kind, Severity: "info", Created: start.Add(time.Duration(at) * time.Second), Details: json.RawMessage(details)}
		text, err := json.Marshal(e)
		kit.Must(t, err)
		return string(text) + "\n"
	}
	write("a-1", line(1, "user_request", `{}`)+line(2, "agent_activated", `{"agent_id":"g","agent_type":"scout"}`)+line(3, "file_edit", `{"path":"a.go"}`))
	write("b-2", line(4, "agent_deactivated", `{"agent_id":"g"}`)+line(5, "file_edit", `{"path":"b.go"}`)+line(6, "checkpoint_restored", `{"branch":"undo","session":"s1","turns":["1"]}`))
	s := opened(t, dir)
	feed(t, s)
	all, err := s.Sessions(t.Context(), &Pick{})
	if err != nil || len(all) != 1 || all[0].Project != "b-2" || all[0].Edits != 2 || all[0].Events != 6 {
		t.Errorf("Sessions of all = %+v, %v", all, err)
	}
	one, err := s.Sessions(t.Context(), &Pick{Project: "a-1"})
	if err != nil || len(one) != 1 || one[0].Edits != 1 {
		t.Errorf("Sessions of one = %+v, %v", one, err)
	}
	for _, p := range []*Pick{{}, {Project: "a-1"}, {Session: "s1"}, {Since: start}} {
		sum, err := s.Stats(t.Context(), p)
		if err != nil || sum.Sessions != 1 || sum.Turns != 1 || sum.Agents != 1 {
			t.Errorf("Stats of %+v = %+v, %v", *p, sum, err)
		}
	}
	turns, err := s.Turns(t.Context(), &Pick{})
	if err != nil || len(turns) != 2 || turns[0].Undone == turns[1].Undone || turns[0].Undone != (turns[0].Project == "b-2") {
		t.Errorf("Turns = %+v, %v: what was undone in one project is not in the other", turns, err)
	}
	write("d-4", line(7, "decision", `{"action":"deny","command":"rm -rf ~"}`)+line(8, "decision", `{"action":"deny"}`)+line(9, "test_failed", `{"command":"go test"}`))
	feed(t, s)
	if turns, err = s.Turns(t.Context(), &Pick{Project: "d-4"}); err != nil || len(turns) != 1 ||
		string(turns[0].Ran) != `[{"command":"rm -rf ~","action":"deny","failed":false},{"command":"go test","action":null,"failed":true}]` {
		t.Errorf("Turns of d-4 = %+v, %v", turns, err)
	}
	write("c-3", line(7, "checkpoint_restored", `{"session":1,"turns":{"x":[]}}`)+line(8, "checkpoint_restored", `{"session":"s1","turns":[1,{}]}`))
	feed(t, s)
	if _, err := s.Turns(t.Context(), &Pick{}); err != nil {
		t.Errorf("Turns beside a stranger's undos: %v", err)
	}
	for name, p := range map[string]*Pick{`project "x"`: {Project: "x"}, `session "x"`: {Session: "x"}, `type of events "x"`: {Types: []string{"file_edit", "x"}}, "": {Project: "a-1", Session: "s1", Types: []string{"new"}}} {
		if what, err := s.Unknown(t.Context(), p, func(kind string) bool { return kind == "new" }); err != nil || what != name {
			t.Errorf("Unknown(%+v) = %q, %v, want %q", *p, what, err, name)
		}
	}
}

func questions(s *Store) map[string]func(context.Context, *Pick) (int, error) {
	return map[string]func(context.Context, *Pick) (int, error){
		"events":        func(ctx context.Context, p *Pick) (int, error) { l, err := s.Events(ctx, p); return len(l), err },
		"sessions":      func(ctx context.Context, p *Pick) (int, error) { l, err := s.Sessions(ctx, p); return len(l), err },
		"turns":         func(ctx context.Context, p *Pick) (int, error) { l, err := s.Turns(ctx, p); return len(l), err },
		"decisions":     func(ctx context.Context, p *Pick) (int, error) { l, err := s.Decisions(ctx, p); return len(l), err },
		"agents":        func(ctx context.Context, p *Pick) (int, error) { l, err := s.Agents(ctx, p); return len(l), err },
		"files":         func(ctx context.Context, p *Pick) (int, error) { l, err := s.Files(ctx, p); return len(l), err },
		"verifications": func(ctx context.Context, p *Pick) (int, error) { l, err := s.Verifications(ctx, p); return len(l), err },
		"ports":         func(ctx context.Context, p *Pick) (int, error) { l, err := s.Ports(ctx, p); return len(l), err },
	}
}

// The number of events is that of all events that fit, whatever they belong to.
func TestEventsCounted(t *testing.T) {
	dir := t.TempDir()
	kit.Must(t, os.MkdirAll(Journals(dir), 0o700))
	r := rand.New(rand.NewPCG(3, 3))
	for _, project := range []string{"a-1", "b-2"} {
		var text strings.Builder
		for i := range 300 {
			e := made(r, i)
			if e.ID = fmt.Sprintf("01J%023d", i); i%7 == 0 {
				e.Session, e.Turn = "", 0
			}
			line, err := json.Marshal(e)
			kit.Must(t, err)
			text.Write(append(line, '\n'))
		}
		kit.Must(t, os.WriteFile(filepath.Join(Journals(dir), project+".jsonl"), []byte(text.String()), 0o600))
	}
	s := opened(t, dir)
	feed(t, s)
	for _, p := range []*Pick{
		{},
		{Project: "a-1"},
		{Session: "s1"},
		{Project: "b-2", Session: "s2"},
		{Since: start.Add(20 * time.Second)},
		{Project: "a-1", Since: start.Add(20 * time.Second)},
		{Session: "s1", Since: start.Add(10 * time.Second)},
	} {
		all, err := s.Events(t.Context(), p)
		kit.Must(t, err)
		sum, err := s.Stats(t.Context(), p)
		if err != nil || sum.Events != len(all) || sum.Events == 0 {
			t.Errorf("%+v: %v, %d events in the sum, %d events", *p, err, sum.Events, len(all))
		}
	}
	for _, p := range []*Pick{{Turn: -1, Session: "s1"}, {Before: -1}} {
		all, err := s.Events(t.Context(), p)
		kit.Must(t, err)
		if p.Before < 0 && len(all) > 0 || p.Turn < 0 && (len(all) == 0 || slices.ContainsFunc(all, func(e Event) bool { return e.Turn != 0 })) {
			t.Errorf("%+v: %d events", *p, len(all))
		}
	}
}
