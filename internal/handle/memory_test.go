package handle

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/session"
)

func TestMemoryIsBounded(t *testing.T) {
	var m memory
	for i := range 1000 {
		m.asked(strings.Repeat("가나 ", 500))
		m.track(task{ID: strconv.Itoa(i), Subject: "x"})
		m.checkpointed(strconv.Itoa(i))
	}
	if len(m.Prompts) != keepPrompts || len(m.Tasks) != keepTasks || len(m.Checkpoints) != keepSaved {
		t.Errorf("kept %d prompts, %d tasks, %d checkpoints", len(m.Prompts), len(m.Tasks), len(m.Checkpoints))
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
	var edits session.Edits
	edits.Add("src/a.go", time.Now())
	edits.Add("src/b.go", time.Now())
	edits.Add("src/a.go", time.Now())
	m.Checkpoints = []string{"checkpoint/before-rm-x"}
	want := `State of this session before the conversation was compacted, kept by moai:
- git branch: feature/login
- compaction was asked for with: focus on tests
- last prompts of the user: "fix the login"
- open tasks: write tests (in progress)
- files edited: src/a.go, src/b.go
- documents handed over (read them again if needed): a.md, b.md
- checkpoints taken: checkpoint/before-rm-x`
	if got := m.recall(&edits); got != want {
		t.Errorf("recall =\n%s\nwant\n%s", got, want)
	}
}
