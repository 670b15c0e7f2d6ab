package checkpoint

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// mark adds a step to the timeline of a sandbox.
func (s *sandbox) mark(step Step, always bool) (*Step, bool) {
	s.t.Helper()
	st, fresh, err := Mark(context.Background(), s.open(), CreateOptions{NoSync: true}, step, always)
	if err != nil {
		s.t.Fatalf("Mark: %v", err)
	}
	return st, fresh
}

// TestTimeline takes steps, of which only those that hold something new are added, and reads them back as they were.
func TestTimeline(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "1\n")
	first, fresh := s.mark(Step{Kind: StepPrompt, Session: "one", Turn: 1, Prompt: "make it \"so\"\nnow"}, false)
	if !fresh {
		t.Fatal("the first step was not added, before the first commit")
	}
	s.git("add", ".")
	s.git("commit", "-qm", "1")
	second, fresh := s.mark(Step{Kind: StepAfter, Session: "one", Turn: 1, Command: "git commit", Call: "c1", From: first.Snapshot, Since: first.Snapshot}, false)
	if !fresh {
		t.Fatal("a commit is no change")
	}
	if again, fresh := s.mark(Step{Kind: StepStop, Session: "one", Turn: 1}, false); fresh || again.Link != second.Link {
		t.Error("a step was added though nothing had changed")
	}
	if same, fresh := s.mark(Step{Kind: StepNow, Session: "one"}, true); !fresh || same.Snapshot != second.Snapshot || same.Link == second.Link {
		t.Error("a step that is to be added always does not share the snapshot")
	}
	s.git("branch", "topic")
	if _, fresh := s.mark(Step{Kind: StepStop}, false); !fresh {
		t.Error("a new branch is no change")
	}
	steps, err := Steps(s.open())
	if err != nil || len(steps) != 4 {
		t.Fatalf("Steps = %d, %v", len(steps), err)
	}
	got := steps[2]
	if got.Kind != StepAfter || got.Session != "one" || got.Turn != 1 || got.Command != "git commit" || got.Call != "c1" || got.From != first.Snapshot || got.Since != first.Snapshot {
		t.Errorf("a step is read as %+v", got)
	}
	if steps[3].Prompt != "make it \"so\"\nnow" {
		t.Errorf("the prompt is read as %q", steps[3].Prompt)
	}
	c, err := SnapshotAt(s.open(), steps[3].Snapshot)
	if err != nil || c.Stats.Untracked != 1 || !c.Head.IsZero() {
		t.Errorf("the first snapshot is %+v, %v", c, err)
	}
}

// TestTimelineIsHidden takes many steps: they are one reference, which nothing shows that people look at, and a gc that prunes at once
// takes nothing of them, nor of a branch that was deleted since.
func TestTimelineIsHidden(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "1\n")
	s.git("add", ".")
	s.git("commit", "-qm", "1")
	s.git("branch", "topic")
	s.git("switch", "-q", "topic")
	s.write("b.txt", "topic\n")
	s.git("add", ".")
	s.git("commit", "-qm", "only here")
	lost := s.git("rev-parse", "HEAD")
	s.git("switch", "-q", "main")
	for i := range 30 {
		s.write("a.txt", fmt.Sprint(i))
		s.mark(Step{Kind: StepStop, Session: "s", Turn: i}, false)
	}
	s.git("branch", "-D", "topic")
	s.git("reflog", "expire", "--expire=now", "--all")
	if refs := strings.Fields(s.git("for-each-ref", "--format=%(refname)", "refs/moai")); len(refs) != 1 {
		t.Errorf("references: %q", refs)
	}
	if out := s.git("branch", "--all") + s.git("tag") + s.git("status", "--porcelain"); strings.Contains(out, "moai") {
		t.Errorf("git shows %q", out)
	}
	s.git("gc", "-q", "--prune=now")
	s.git("fsck", "--strict", "--connectivity-only")
	s.git("cat-file", "-e", lost)
	steps, err := Steps(s.open())
	if err != nil || len(steps) != 30 {
		t.Fatalf("Steps after gc = %d, %v", len(steps), err)
	}
	for i := range steps {
		c, err := SnapshotAt(s.open(), steps[i].Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		side, err := lookup(s.open().Tree, c.Tree, "a.txt")
		if err != nil || side.Hash != repo.HashObject(20, repo.KindBlob, []byte(fmt.Sprint(29-i))) {
			t.Errorf("step %d holds another a.txt: %v", i, err)
		}
	}
}

// TestTimelineBeginsAnew damages the newest step: what comes next is saved all the same.
func TestTimelineBeginsAnew(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "1\n")
	s.git("add", ".")
	s.git("commit", "-qm", "1")
	s.mark(Step{Kind: StepStop}, false)
	s.git("update-ref", "refs/moai/turns/main", "HEAD") // somebody's commit, which is no step
	if _, fresh := s.mark(Step{Kind: StepStop}, false); !fresh {
		t.Error("no step was added behind one that cannot be read")
	}
	if steps, err := Steps(s.open()); err != nil || len(steps) != 1 {
		t.Errorf("Steps = %d, %v", len(steps), err)
	}
}

// TestTimelineOfSeveral has two processes add steps at once: both are in it, one behind the other.
func TestTimelineOfSeveral(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "1\n")
	done := make(chan error)
	for i := range 4 {
		go func() {
			var err error
			for j := range 5 {
				if _, _, e := Mark(context.Background(), s.open(), CreateOptions{NoSync: true}, Step{Kind: StepStop, Session: fmt.Sprint(i), Turn: j + 1}, true); e != nil {
					err = e
				}
			}
			done <- err
		}()
	}
	failed := 0
	for range 4 {
		if err := <-done; err != nil {
			failed++
			t.Log(err)
		}
	}
	if steps, err := Steps(s.open()); err != nil || failed == 0 && len(steps) != 20 {
		t.Errorf("Steps = %d, %v", len(steps), err)
	}
}

// TestTimelineSaysWhatIsMissing marks a hole.
func TestTimelineSaysWhatIsMissing(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "1\n")
	st, _ := s.mark(Step{Kind: StepPrompt, Session: "s", Turn: 1}, false)
	if err := MarkMissing(s.open(), Step{Session: "s", Turn: 2, Why: "no time left"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	steps, err := Steps(s.open())
	if err != nil || len(steps) != 2 || steps[0].Kind != StepMissing || steps[0].Why != "no time left" || !steps[0].Snapshot.IsZero() {
		t.Fatalf("Steps = %+v, %v", steps, err)
	}
	if again, fresh := s.mark(Step{Kind: StepPrompt, Session: "s", Turn: 3}, false); !fresh || again.Snapshot.IsZero() || again.Snapshot == st.Snapshot {
		t.Errorf("behind a hole: %+v, %v", again, fresh)
	}
}

// TestTimelineThinsOut has old steps go, but for the first of a session, an hour and a day; those that stay can be read, and a gc takes
// nothing of them.
func TestTimelineThinsOut(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "1\n")
	s.git("add", ".")
	s.git("commit", "-qm", "1")
	now := time.Now()
	for i := range 20 { // two hours of the day before yesterday, and an hour of today
		at := now.Add(-48 * time.Hour).Truncate(24 * time.Hour).Add(time.Duration(i) * 6 * time.Minute)
		if i >= 15 {
			at = now.Add(time.Duration(i-20) * time.Minute)
		}
		s.write("a.txt", fmt.Sprint("state ", i))
		if _, _, err := Mark(context.Background(), s.open(), CreateOptions{NoSync: true, Now: at}, Step{Kind: StepStop, Session: "s", Turn: i + 1}, false); err != nil {
			t.Fatal(err)
		}
	}
	keep := Retention{Count: 1, Age: 30 * 24 * time.Hour}
	gone, err := ThinOut(s.open(), PruneOptions{Limits: keep, Now: now})
	if err != nil || gone != 13 {
		t.Fatalf("ThinOut = %d, %v; want 13 of 20: two hours leave one each", gone, err)
	}
	if gone, err := ThinOut(s.open(), PruneOptions{Limits: keep, Now: now}); err != nil || gone != 0 {
		t.Errorf("a second time %d went, %v", gone, err)
	}
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "-q", "--prune=now")
	s.git("fsck", "--strict")
	steps, err := Steps(s.open())
	if err != nil || len(steps) != 7 || steps[0].Turn != 20 || steps[6].Turn != 1 {
		t.Fatalf("Steps = %d, %v", len(steps), err)
	}
	for i := range steps {
		if _, err := SnapshotAt(s.open(), steps[i].Snapshot); err != nil {
			t.Error(err)
		}
	}
}

// TestTimelineOfManyAtOnce has many calls end at the same moment, each with a file of its own: all have a step.
func TestTimelineOfManyAtOnce(t *testing.T) {
	s := newSandbox(t)
	const many = 40
	dir, errs, begin := t.TempDir(), make(chan error, many), make(chan bool)
	for i := range many {
		r := s.open()
		go func() {
			<-begin
			err := os.WriteFile(r.Path(fmt.Sprintf("f%d.txt", i)), []byte("x\n"), 0o600)
			if err == nil {
				_, _, err = Mark(context.Background(), r, CreateOptions{NoSync: true, StateDir: dir}, Step{Kind: StepAfter, Session: "one", Turn: 1, Call: fmt.Sprint(i)}, true)
			}
			errs <- err
		}()
	}
	close(begin)
	for range many {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	steps, err := Steps(s.open())
	if err != nil || len(steps) != many {
		t.Errorf("Steps = %d, %v", len(steps), err)
	}
}
