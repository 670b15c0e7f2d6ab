package handle

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestRecentEdits(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	var m memory
	m.edited("old.go", now.Add(-2*time.Minute))
	m.edited("a.go", now.Add(-59*time.Second))
	m.edited("b.go", now)
	m.edited("future.go", now.Add(time.Hour)) // a clock that was set back
	if got := m.recentEdits(now); got != 2 {
		t.Errorf("recentEdits = %d, want 2", got)
	}
}

// One snapshot is for all the edits of its minute; the next minute's edits are a burst of their own.
func TestEditsOfABurst(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	var m memory
	for i := range 20 {
		m.edited("a.go", now.Add(time.Duration(5*i)*time.Second))
	}
	m.Burst = now.Add(45 * time.Second)
	if got := m.recentEdits(now.Add(100 * time.Second)); got != 0 {
		t.Errorf("within the burst: recentEdits = %d, want 0", got)
	}
	if got := m.recentEdits(now.Add(106 * time.Second)); got < 9 {
		t.Errorf("after it: recentEdits = %d, want all of the minute", got)
	}
	m.Burst = now.Add(time.Hour) // a clock that was set back must not switch the rule off
	if got := m.recentEdits(now.Add(100 * time.Second)); got < 9 {
		t.Errorf("with a burst to come: recentEdits = %d, want all of the minute", got)
	}
}

// A file that is edited all day is one entry, and each edit of the last minute is one.
func TestEditsOfOneFile(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	var m memory
	for i := range 50 {
		m.edited("b.go", now.Add(time.Duration(i)*time.Second))
		m.edited("a.go", now.Add(time.Duration(i)*time.Minute))
	}
	last := now.Add(49 * time.Minute)
	m.edited("a.go", last)
	m.edited("b.go", last)
	if got := m.editedPaths(); len(got) != 2 || len(m.Edits) != 3 || m.recentEdits(last) != 3 || m.progress(last).Edits != 102 {
		t.Errorf("%v, %d entries, %d of them new, of %d edits", got, len(m.Edits), m.recentEdits(last), m.progress(last).Edits)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	var m memory
	for i := range 1000 {
		m.edited("a", time.Now())
		m.asked(strings.Repeat("가나 ", 500))
		m.track(task{ID: strconv.Itoa(i), Subject: "x"})
		m.checkpointed(strconv.Itoa(i))
	}
	if len(m.Edits) != keepEdits || len(m.Prompts) != keepPrompts || len(m.Tasks) != keepTasks || len(m.Checkpoints) != keepSaved {
		t.Errorf("kept %d edits, %d prompts, %d tasks, %d checkpoints", len(m.Edits), len(m.Prompts), len(m.Tasks), len(m.Checkpoints))
	}
	if last := m.Checkpoints[keepSaved-1]; last != "999" || m.Tasks[keepTasks-1].ID != "999" {
		t.Errorf("the newest are not kept: checkpoint %s, task %s", last, m.Tasks[keepTasks-1].ID)
	}
	if n := len([]rune(m.Prompts[0])); n > promptRunes+1 {
		t.Errorf("a prompt of %d runes is kept", n)
	}
}

// A long session has finished more tasks than are kept; the open ones are what is recalled.
func TestOpenTasksAreKept(t *testing.T) {
	var m memory
	m.track(task{ID: "first", Subject: "open since the start", Status: "pending"})
	for i := range 2 * keepTasks {
		m.track(task{ID: strconv.Itoa(i), Subject: "done", Status: "completed"})
	}
	m.track(task{ID: "last", Subject: "just opened", Status: "pending"})
	if got := strings.Join(m.openTasks(), "; "); got != "open since the start (pending); just opened (pending)" {
		t.Errorf("open tasks = %q, want both", got)
	}
}

func TestRecall(t *testing.T) {
	m := memory{
		Compact: &snapshot{Branch: "feature/login", Asked: "focus on tests"},
		Docs:    map[string]string{"b.md": "1", "a.md": "1"},
	}
	m.asked("fix  the\nlogin")
	m.track(task{"1", "write tests", "in_progress"})
	m.track(task{"2", "done thing", "pending"})
	m.track(task{ID: "2", Status: "completed"})
	m.edited("src/a.go", time.Now())
	m.edited("src/b.go", time.Now())
	m.edited("src/a.go", time.Now())
	m.Checkpoints = []string{"checkpoint/before-rm-x"}
	want := `State of this session before the conversation was compacted, kept by moai:
- git branch: feature/login
- compaction was asked for with: focus on tests
- last prompts of the user: "fix the login"
- open tasks: write tests (in progress)
- files edited: src/a.go, src/b.go
- documents handed over (read them again if needed): a.md, b.md
- checkpoints taken: checkpoint/before-rm-x`
	if got := m.recall(); got != want {
		t.Errorf("recall =\n%s\nwant\n%s", got, want)
	}
}
