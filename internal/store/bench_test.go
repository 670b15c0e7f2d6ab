package store

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// TestLarge takes in a large journal and asks what the page asks. It is measured by hand and by .ci/bench:
// MOAI_STORE_EVENTS=1000000 says how many events, and the bounds hold for a million.
func TestLarge(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("MOAI_STORE_EVENTS"))
	if err != nil {
		t.Skip("MOAI_STORE_EVENTS is not set")
	}
	dir := t.TempDir()
	kit.Must(t, os.MkdirAll(Journals(dir), 0o700))
	f, err := os.Create(filepath.Join(Journals(dir), "a-1.jsonl"))
	kit.Must(t, err)
	r := rand.New(rand.NewPCG(1, 1))
	enc := json.NewEncoder(f)
	for i := range n {
		e := made(r, i)
		e.ID = fmt.Sprintf("01J%023d", i)
		e.Session, e.Turn, e.Severity = fmt.Sprint("session-", i/2000, "-", r.IntN(3)), 1+i%2000/40, "info"
		kit.Must(t, enc.Encode(e))
	}
	kit.Must(t, f.Close())
	s := opened(t, dir)
	begun := time.Now()
	fed := feed(t, s)
	took := time.Since(begun)
	t.Logf("%d events in %v", fed.Events, took.Round(time.Millisecond))
	if took > time.Minute*time.Duration(n)/1_000_000 {
		t.Errorf("took %v, a minute for a million was asked for", took)
	}
	for name, ask := range questions(s) {
		for pick, p := range map[string]*Pick{
			"newest": {Limit: 200}, "project": {Project: "a-1", Limit: 200}, "session": {Session: "session-3-1", Limit: 200}, "since": {Since: start.Add(time.Hour), Limit: 200},
			"types": {Types: []string{"decision", "tool_failed"}, Limit: 200}, "turn": {Session: "session-3-1", Turn: 7, Limit: 200}, "older": {Before: int64(n / 2), Limit: 200},
			"project and session": {Project: "a-1", Session: "session-3-1", Limit: 200}, "project and turn": {Project: "a-1", Session: "session-3-1", Turn: 7, Limit: 200},
			"session and types": {Project: "a-1", Session: "session-3-1", Types: []string{"decision", "test_failed"}, Limit: 200},
		} {
			best := time.Hour
			for range 3 {
				begun := time.Now()
				if _, err := ask(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				best = min(best, time.Since(begun))
			}
			t.Logf("%s by %s: %v", name, pick, best.Round(10*time.Microsecond))
			if best > 50*time.Millisecond {
				t.Errorf("%s by %s took %v, 50 ms were asked for", name, pick, best)
			}
		}
	}
	for _, p := range []*Pick{{}, {Project: "a-1"}, {Since: start.Add(time.Hour)}, {Project: "a-1", Since: start.Add(20 * time.Hour)}, {Session: "session-3-1"}} {
		best := time.Hour
		for range 3 {
			begun := time.Now()
			if _, err := s.Stats(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(begun))
		}
		t.Logf("stats of %+v: %v", *p, best.Round(10*time.Microsecond))
		asked := p.Session != "" || p.Project != "" && !p.Since.IsZero() // by the page; sums of everything are for who asks for them
		if asked && best > 50*time.Millisecond {
			t.Errorf("stats of %+v took %v, 50 ms were asked for", *p, best)
		}
	}
}
