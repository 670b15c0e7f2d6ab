package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// Variables that make the test program a writer, and say of how many events and where.
const (
	asWriter = "JOURNAL_WRITER"
	inFolder = "JOURNAL_FOLDER"
)

func TestMain(m *testing.M) {
	if n, err := strconv.Atoi(os.Getenv(asWriter)); err == nil {
		os.Exit(writer(n))
	}
	os.Exit(m.Run())
}

// writer appends n events and notes behind each how many are in, for when it is killed.
func writer(n int) int {
	dir := os.Getenv(inFolder)
	pid := strconv.Itoa(os.Getpid())
	ack, err := os.Create(filepath.Join(dir, "ack-"+pid))
	if err != nil {
		return 1
	}
	l := Log{Path: filepath.Join(dir, "j.jsonl"), Keep: Keep{MB: 4096}}
	var count [8]byte
	for i := range n {
		e := Event{Session: pid, Type: "decision", Turn: i + 1}
		if i%50 == 0 { // over several pages of memory, between which a process can die
			e.Summary = strings.Repeat("한", rand.IntN(15000))
		}
		if err := l.Append(e); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		binary.LittleEndian.PutUint64(count[:], uint64(i+1))
		if _, err := ack.WriteAt(count[:], 0); err != nil {
			return 1
		}
	}
	return 0
}

// Sixteen processes write, and half of them are killed at random: every event that is in for its writer is there, once,
// in the writer's order, and no line is blank. MOAI_JOURNAL_EVENTS=10000 for the long form.
func TestKilledWriters(t *testing.T) {
	const writers = 16
	n := 250
	if s := os.Getenv("MOAI_JOURNAL_EVENTS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	kit.Must(t, err)
	dir := t.TempDir()
	var all []*exec.Cmd
	for range writers {
		c := exec.Command(self)
		c.Env = append(os.Environ(), asWriter+"="+strconv.Itoa(n), inFolder+"="+dir)
		c.Stderr = os.Stderr
		kit.Must(t, c.Start())
		all = append(all, c)
	}
	acked := func(c *exec.Cmd) int {
		data, err := os.ReadFile(filepath.Join(dir, "ack-"+strconv.Itoa(c.Process.Pid)))
		if err != nil || len(data) < 8 {
			return 0
		}
		return int(binary.LittleEndian.Uint64(data))
	}
	var kills sync.WaitGroup
	for _, c := range all[:writers/2] {
		kills.Go(func() {
			// Not by time: how fast they are differs between machines.
			for at := rand.IntN(n); acked(c) < at; {
				time.Sleep(time.Millisecond)
			}
			_ = c.Process.Kill()
		})
	}
	kills.Wait()
	killed := 0
	for i, c := range all {
		if err := c.Wait(); err != nil {
			if killed++; i >= writers/2 {
				t.Errorf("a writer failed: %v", err)
			}
		}
	}
	last := map[string]int{}
	k, err := (&Query{}).Run(filepath.Join(dir, "j.jsonl"), func(e *Event) error {
		if e.Turn != last[e.Session]+1 {
			t.Errorf("writer %s: event %d behind %d", e.Session, e.Turn, last[e.Session])
		}
		last[e.Session] = e.Turn
		return nil
	})
	kit.Must(t, err)
	for _, c := range all {
		if got, want := last[strconv.Itoa(c.Process.Pid)], acked(c); got < want || got > want+1 {
			t.Errorf("writer %d: %d events are there, and %d were in", c.Process.Pid, got, want)
		}
	}
	if k.Skipped > killed {
		t.Errorf("%d lines cannot be read, and %d writers died", k.Skipped, killed)
	}
	files, err := filepath.Glob(filepath.Join(dir, "j*.jsonl"))
	kit.Must(t, err)
	for _, f := range files {
		data := kit.Read(t, f)
		if s := data; strings.Contains(s, "\n\n") || strings.HasPrefix(s, "\n") {
			t.Errorf("%s has blank lines", f)
		}
	}
	t.Logf("%d writers, %d killed, %d files, %d torn lines", writers, killed, len(files), k.Skipped)
}

// Another process's event behind half of a dead one's is not lost with it.
func TestEventBehindATornOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	whole := `{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","session_id":"s","event_type":"decision","summary":"{\"id\":\"x","details":{"id":"y"},"severity":"info","created_at":"2026-03-01T12:00:00Z"}`
	for cut := range len(whole) {
		kit.Must(t, os.WriteFile(path, []byte(whole[:cut]+whole+"\n"), 0o600))
		list, k := summaries(t, path, Query{Types: []string{"decision"}})
		if len(list) != 1 || list[0] != `{"id":"x` || k.Skipped != 0 {
			t.Fatalf("behind %d bytes: %q, %+v", cut, list, k)
		}
	}
}

// On a full disk an event is lost and said; what was there stays, and the next one is whole.
func TestPartOfALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	l := Log{Path: path}
	for i := range 3 {
		kit.Must(t, l.Append(Event{Type: "x", Summary: fmt.Sprint(i)}))
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		kit.Must(t, err)
		_, err = f.WriteString(`{"id":"01`)
		kit.Must(t, errors.Join(err, f.Close()))
	}
	got, k := summaries(t, path, Query{})
	if strings.Join(got, " ") != "0 1 2" || k.Skipped != 3 {
		t.Errorf("%q, %+v", got, k)
	}
	if got, _ := summaries(t, path, Query{Last: 2}); strings.Join(got, " ") != "1 2" {
		t.Errorf("backward: %q", got)
	}
}

// Lines of a newer version are handed on as they are, with what this one does not know; ids of older ones stay.
func TestOtherVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	newer := `{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","session_id":"s","event_type":"planned_thing","summary":"new","severity":"critical","created_at":"2026-03-01T12:00:00Z","weather":{"is":"fine"}}`
	older := `{"id":"0193536b2c5f8-00c0ffee","session_id":"s","event_type":"decision","summary":"old","severity":"info","created_at":"2026-03-01T12:00:00Z"}`
	kit.Must(t, os.WriteFile(path, []byte(newer+"\n"+older+"\n"), 0o600))
	var ids, raws []string
	k, err := (&Query{}).Run(path, func(e *Event) error {
		ids, raws = append(ids, e.ID), append(raws, string(e.Raw()))
		return nil
	})
	if err != nil || k.Skipped != 0 || strings.Join(ids, " ") != "01ARZ3NDEKTSV4RRFFQ69G5FAV 0193536b2c5f8-00c0ffee" || raws[0] != newer {
		t.Errorf("%v, %q, %+v, %v", ids, raws, k, err)
	}
}
