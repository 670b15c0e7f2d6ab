package monitor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/monitor"
)

var at = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

func after(ms int) time.Time { return at.Add(time.Duration(ms) * time.Millisecond) }

func show(runs []monitor.Run) string {
	var b strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&b, "%s/%s %s %s %v %q\n", r.Agent, r.Call, r.Type, r.State, r.Took(), r.Prompt+r.Why)
	}
	return b.String()
}

func TestRuns(t *testing.T) {
	var l monitor.Log
	call := func(session, id, kind, name, prompt string, ms int) {
		l.Asked(monitor.Run{Session: session, Call: id, Type: kind, Prompt: prompt, Started: after(ms)}, name)
	}
	began := func(session, id, kind string, ms int) {
		l.Began(monitor.Run{Session: session, Agent: id, Type: kind, Started: after(ms)})
	}
	ended := func(session, id, call string, ms, conversation int) {
		l.Answered(monitor.Run{Session: session, Agent: id, Call: call, State: monitor.Done, Ended: after(ms)}, after(conversation), time.Time{})
	}
	// Two at once of one type, in another order than they were called; one session has an agent of another's id.
	call("s", "c1", "scout", "", "first", 0)
	call("s", "c2", "scout", "", "second", 1)
	began("s", "b", "scout", 100)
	began("s", "a", "scout", 110)
	began("other", "a", "scout", 120)
	ended("s", "a", "c1", 5110, 10)
	ended("s", "b", "c2", 2100, 20)
	// Spoken to again: another run, with the old conversation.
	began("s", "a", "scout", 9000)
	ended("s", "a", "c1", 9500, 10)
	// Stopped twice, since a hook had it go on; its conversation is an old one that the journal does not know.
	began("s", "c", "scout", 100_000)
	ended("s", "c", "", 100_500, 10)
	ended("s", "c", "", 101_000, 10)
	// A teammate by its name; one whose call says no type; of two that may be meant neither has a call.
	call("s", "c3", "general", "mate", "third", 200_000)
	began("s", "d", "mate", 200_100)
	call("u", "c4", "", "", "fourth", 300_000)
	began("u", "e", "general", 300_100)
	call("s", "c5", "twin", "", "fifth", 400_000)
	call("s", "c6", "twin", "", "sixth", 400_001)
	began("s", "f", "twin", 400_100)
	// One that only its end is known of, one that could not begin, one that broke off.
	ended("s", "g", "", 500_000, 499_000)
	call("s", "c7", "none", "", "", 600_000)
	l.Refused("s", "c7", "no such agent", after(600_200))
	l.Refused("s", "", "nobody", after(600_200))
	call("s", "c8", "scout", "", "", 700_000)
	began("s", "h", "scout", 700_100)
	l.Answered(monitor.Run{Session: "s", Agent: "h", Call: "c8", State: monitor.Failed, Why: "quota", Ended: after(701_000)}, after(700_000), after(700_900))
	// A hook that ran late, with its last answer; answers that are none of this run's.
	began("s", "i", "late", 800_000)
	l.Answered(monitor.Run{Session: "s", Agent: "i", State: monitor.Done, Ended: after(805_000)}, time.Time{}, after(804_000))
	for n, stopped := range []int{799_000, 806_000, 400_000} {
		began("s", fmt.Sprint("j", n), "late", 800_001+n)
		l.Answered(monitor.Run{Session: "s", Agent: fmt.Sprint("j", n), State: monitor.Done, Ended: after(805_001 + n)}, time.Time{}, after(stopped))
	}
	l.Refused("s", "c8", "Agent terminated early", after(701_100))
	// Begun, and its call failed: one run, and the next one of its type has its own call. What the client says where no conversation does.
	call("v", "c9", "judge", "", "ninth", 900_000)
	began("v", "k", "judge", 900_100)
	l.Refused("v", "c9", "interrupted", after(902_100))
	call("v", "c10", "judge", "", "tenth", 910_000)
	began("v", "m", "judge", 910_100)
	l.Answered(monitor.Run{Session: "v", Agent: "m", State: monitor.Done, Ended: after(915_100)}, time.Time{}, time.Time{})
	l.Returned(monitor.Run{Session: "v", Agent: "m", Call: "c10", Tokens: 7, Model: "opus"}, 4*time.Second)

	want := `a/c1 scout done 5.1s "first"
b/c2 scout done 2.08s "second"
a/ scout running 0s ""
a/ scout done 500ms ""
c/ scout done 1s ""
d/c3 mate running 0s "third"
e/c4 general running 0s "fourth"
/c6 twin called 0s "sixth"
f/ twin running 0s ""
g/  done 1s ""
/c7 none failed 200ms "no such agent"
h/c8 scout failed 900ms "quota"
i/ late done 4s ""
j0/ late done 5s ""
j1/ late done 5s ""
j2/ late done 5s ""
k/c9 judge failed 2s "ninthinterrupted"
m/c10 judge done 4s "tenth"
`
	runs := l.Runs()
	if got := show(runs); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	by, all := monitor.Stats(runs)
	if by[0].Type != "scout" || by[0].Count != 6 || by[0].Running != 1 || by[0].Failed != 1 || by[0].P50 != time.Second || by[0].P95 != 5100*time.Millisecond {
		t.Errorf("%+v", by[0])
	}
	if all.Count != 17 || all.Running != 4 || all.Failed != 3 { // a call alone is no run
		t.Errorf("%+v", all)
	}
}

func TestStats(t *testing.T) {
	var runs []monitor.Run
	for i := 1; i <= 100; i++ {
		r := monitor.Run{Agent: "x", Type: "t", State: monitor.Done, Started: at, Ended: at.Add(time.Duration(i) * time.Second), Tokens: 2, Model: fmt.Sprint("m", i%2)}
		if i == 100 {
			r.State = monitor.Empty
		}
		runs = append(runs, r)
	}
	by, _ := monitor.Stats(runs)
	g := by[0]
	if g.Mean != 50500*time.Millisecond || g.P50 != 50*time.Second || g.P95 != 95*time.Second || g.Tokens != 200 || g.Empty != 1 || fmt.Sprint(g.Models) != "[m0 m1]" {
		t.Errorf("%+v", g)
	}
	if by, all := monitor.Stats(nil); len(by) != 0 || all.Count != 0 {
		t.Errorf("%v %v", by, all)
	}
}

func TestTranscripts(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, parts ...string) string {
		path := filepath.Join(dir, name)
		kit.Must(t, os.WriteFile(path, []byte(strings.Join(parts, "")), 0o600))
		return path
	}
	first := `{"type":"user","timestamp":"2026-11-23T09:00:00.250Z","message":{"content":[{"type":"text","text":"look "},{"type":"image"},{"type":"text","text":"around"}]}}` + "\n"
	answer := func(in int, text string) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"model":"opus","content":[{"type":"text","text":%q}],"usage":{"input_tokens":%d,"cache_creation_input_tokens":1,"cache_read_input_tokens":2,"output_tokens":4}}}`+"\n", text, in)
	}
	filler := strings.Repeat(`{"type":"attachment","text":"`+strings.Repeat("x", 1000)+"\"}\n", 2000)
	path := put("a.jsonl", first, answer(10, "one"), filler, answer(100, "two"), `{"type":"assistant","message":{"content":7,"usage":{"input_tokens":0}}}`+"\n", `{"usage" torn`)
	put("a.meta.json", `{"toolUseId":"c1","finished":true}`)
	c := monitor.ReadTranscript(path)
	if !c.Began.Equal(after(250)) || c.Prompt != "look around" || c.Model != "opus" || c.Tokens != 107 || c.Answer != "two" || c.Call != "c1" {
		t.Errorf("%+v", c)
	}
	for name, parts := range map[string][]string{
		"empty": nil, "blank": {"\n\n"}, "foreign": {"hello\nworld"}, "odd": {`{"type":"user","timestamp":7}`},
		"long": {`{"type":"user","message":{"content":"` + strings.Repeat("x", 1<<20) + `"}}`},
	} {
		if c := monitor.ReadTranscript(put(name, parts...)); c != (monitor.Conversation{}) {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if c := monitor.ReadTranscript(filepath.Join(dir, "none")); c != (monitor.Conversation{}) {
		t.Errorf("%+v", c)
	}
	if got, want := monitor.TranscriptOf(filepath.Join("p", "s.jsonl"), "a1"), filepath.Join("p", "s", "subagents", "agent-a1.jsonl"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, bad := range [][2]string{{"", "a"}, {"s.jsonl", ""}, {"s.jsonl", "../a"}, {"s.jsonl", `a\b`}, {"s.txt", "a"}} {
		if got := monitor.TranscriptOf(bad[0], bad[1]); got != "" {
			t.Errorf("%q: %s", bad, got)
		}
	}
}

// A conversation of any length costs its ends.
func TestLongTranscript(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.jsonl")
	f, err := os.Create(path)
	kit.Must(t, err)
	if err := f.Truncate(50 << 20); err != nil { // a hole: what is in between is never read
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("\n"+`{"message":{"model":"m","content":"end","usage":{"output_tokens":3}}}`), 50<<20); err != nil {
		t.Fatal(err)
	}
	kit.Must(t, f.Close())
	var c monitor.Conversation
	if got := testing.AllocsPerRun(1, func() { c = monitor.ReadTranscript(path) }); got > 200 {
		t.Errorf("%v allocations", got)
	}
	if c.Tokens != 3 || c.Answer != "end" {
		t.Errorf("%+v", c)
	}
}

// A year of sub-agents is put together in less than a second or two: what each entry costs must not grow with the journal.
func TestManyRuns(t *testing.T) {
	const sessions, each = 1000, 20
	var l monitor.Log
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range sessions * each {
		s, call, agent := "s"+strconv.Itoa(n%sessions), "t"+strconv.Itoa(n), "a"+strconv.Itoa(n)
		at = at.Add(time.Second)
		l.Asked(monitor.Run{Session: s, Call: call, Type: "scout", Started: at}, "")
		l.Began(monitor.Run{Session: s, Agent: agent, Type: "scout", Started: at})
		l.Answered(monitor.Run{Session: s, Agent: agent, Call: call, Type: "scout", State: monitor.Done, Ended: at.Add(time.Minute)}, time.Time{}, time.Time{})
		l.Refused(s, "other", "no", at)
	}
	list := l.Runs()
	if len(list) != sessions*each || list[0].Call != "t0" || list[0].Took() != time.Minute || !slices.IsSortedFunc(list, func(a, b monitor.Run) int { return a.Started.Compare(b.Started) }) {
		t.Errorf("%d runs, the first %+v", len(list), list[0])
	}
}
