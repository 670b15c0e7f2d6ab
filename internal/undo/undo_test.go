package undo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/repo"
)

// sandbox is a repository with a turn in it that wrote, changed and deleted files by a command.
type sandbox struct {
	t   *testing.T
	dir string
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home := t.TempDir()
	for _, name := range [...]string{"HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, home)
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	s := &sandbox{t, filepath.Join(home, "w")}
	kit.Must(t, os.Mkdir(s.dir, 0o777))
	s.git("init", "-q", "-b", "main")
	for i := range 8 {
		s.write(fmt.Sprintf("f%d", i), fmt.Sprintf("was %d\n", i))
	}
	s.git("add", ".")
	s.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "1")
	return s
}

func (s *sandbox) git(args ...string) {
	s.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = s.dir
	if out, err := c.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (s *sandbox) write(name, text string) {
	s.t.Helper()
	kit.Write(s.t, filepath.Join(s.dir, name), text)
}

func (s *sandbox) open() *repo.Repo {
	s.t.Helper()
	r, err := repo.Open(s.dir)
	kit.Must(s.t, err)
	return r
}

func (s *sandbox) mark(step checkpoint.Step, always bool) *checkpoint.Step {
	s.t.Helper()
	st, _, err := checkpoint.Mark(context.Background(), s.open(), checkpoint.CreateOptions{NoSync: true}, step, always)
	kit.Must(s.t, err)
	return st
}

// look is the tree as text.
func (s *sandbox) look() string {
	entries, err := os.ReadDir(s.dir)
	kit.Must(s.t, err)
	var b strings.Builder
	for _, e := range entries {
		if e.Name() != ".git" {
			text, _ := os.ReadFile(filepath.Join(s.dir, e.Name()))
			fmt.Fprintf(&b, "%s: %s", e.Name(), text)
		}
	}
	return b.String()
}

// turn plays one that changes half of the files, deletes two and makes two.
func (s *sandbox) turn() (before string) {
	before = s.look()
	from := s.mark(checkpoint.Step{Kind: checkpoint.StepPrompt, Session: "s", Turn: 1, Prompt: "do it"}, true)
	for i := range 4 {
		s.write(fmt.Sprintf("f%d", i), "changed\n")
	}
	s.git("rm", "-q", "--cached", "f4")
	os.Remove(filepath.Join(s.dir, "f4"))
	os.Remove(filepath.Join(s.dir, "f5"))
	s.write("new1", "new\n")
	s.write("new2", "new\n")
	s.mark(checkpoint.Step{Kind: checkpoint.StepAfter, Session: "s", Turn: 1, Call: "c", Command: "sh x.sh", From: from.Snapshot, Since: from.Snapshot}, true)
	s.mark(checkpoint.Step{Kind: checkpoint.StepStop, Session: "s", Turn: 1, From: from.Snapshot}, true)
	return before
}

// plan is what undoing the newest turn comes to.
func (s *sandbox) plan() (*Plan, *checkpoint.Checkpoint, *checkpoint.Step) {
	s.t.Helper()
	r := s.open()
	line, err := Read(r, s.t.TempDir())
	if err != nil || len(line.Turns) != 1 {
		s.t.Fatalf("Read = %+v, %v", line, err)
	}
	at := s.mark(checkpoint.Step{Kind: checkpoint.StepNow}, false)
	now, err := checkpoint.SnapshotAt(r, at.Snapshot)
	kit.Must(s.t, err)
	spans, err := line.Spans(r, line.Turns, nil)
	kit.Must(s.t, err)
	p, err := Make(r, now, spans, Options{})
	kit.Must(s.t, err)
	return p, now, at
}

// TestCutOff stops an undo behind each of its files, as a kill would: it is told, and what is left of it can be done to the end. Nothing
// that was there before is lost on the way.
func TestCutOff(t *testing.T) {
	for done := range 9 {
		t.Run(fmt.Sprint(done), func(t *testing.T) {
			s := newSandbox(t)
			before := s.turn()
			p, now, at := s.plan()
			if len(p.Paths) != 8 || len(p.Kept) != 0 {
				t.Fatalf("the plan is %+v, kept %+v", p.Paths, p.Kept)
			}
			step, _, err := p.Blend.Write(s.open(), now, checkpoint.Step{Kind: checkpoint.StepUndo, Session: "s", Undoes: []string{"s:1"}, Since: at.Snapshot}, time.Now())
			kit.Must(t, err)
			for _, ch := range p.Blend.Files[:done] {
				path := filepath.Join(s.dir, ch.Path)
				if ch.New.Mode == 0 {
					os.Remove(path)
					continue
				}
				_, text, err := s.open().Object(ch.New.Hash)
				kit.Must(t, err)
				s.write(ch.Path, string(text))
			}
			line, err := Read(s.open(), t.TempDir())
			if err != nil || line.Cut == nil || line.Cut.Left != step.Snapshot || line.Cut.Before != at.Snapshot {
				t.Fatalf("an undo that was cut off is not told: %+v, %v", line, err)
			}
			if u := line.Again(""); u == nil || u.Left != step.Snapshot {
				t.Fatalf("there is no way back from an undo that was cut off: %+v", u)
			}
			// Somebody goes on with another file meanwhile: that is not the undo's.
			s.write("f7", "mine\n")
			p2, now2, at2 := s.plan()
			if len(p2.Kept) > 0 {
				t.Fatalf("what is left of it is not the session's: %+v", p2.Kept)
			}
			_, blend, err := p2.Blend.Write(s.open(), now2, checkpoint.Step{Kind: checkpoint.StepUndo, Session: "s", Undoes: []string{"s:1"}, Since: at2.Snapshot}, time.Now())
			kit.Must(t, err)
			res, err := checkpoint.Reach(context.Background(), s.open(), now2, blend, checkpoint.RestoreOptions{NoSync: true, NoLog: true})
			if err != nil || len(res.Failed) > 0 {
				t.Fatalf("Reach: %+v, %v", res, err)
			}
			s.mark(checkpoint.Step{Kind: checkpoint.StepUndone}, true)
			before = strings.Replace(before, "f7: was 7", "f7: mine", 1)
			if got := s.look(); got != before {
				t.Errorf("the tree is\n%s\nwant\n%s", got, before)
			}
			if line, err = Read(s.open(), t.TempDir()); err != nil || line.Cut != nil || !line.Turns[0].Undone {
				t.Errorf("it is not told as done: %+v, %v", line, err)
			}
			// The way back is whole, too, and what somebody did in between stays.
			last := line.Again("")
			if last == nil {
				t.Fatal("there is no redo")
			}
			again := s.mark(checkpoint.Step{Kind: checkpoint.StepNow}, false)
			back, err := checkpoint.SnapshotAt(s.open(), again.Snapshot)
			kit.Must(t, err)
			redo, err := Make(s.open(), back, last.Spans(), Options{})
			if err != nil || len(redo.Paths) != 8 || len(redo.Kept) != 0 {
				t.Errorf("redo is %+v, kept %+v, %v", redo.Paths, redo.Kept, err)
			}
			old, err := checkpoint.SnapshotAt(s.open(), at.Snapshot)
			kit.Must(t, err)
			for _, ch := range p.Blend.Files {
				side, err := old.At(s.open(), ch.Path)
				if err != nil || side != ch.Old {
					t.Errorf("%s of before the undo is lost: %v", ch.Path, err)
				}
			}
		})
	}
}

// TestPartly has an undo of which some failed: its turn is not undone, the next one does the rest, and redo brings all of it again.
func TestPartly(t *testing.T) {
	s := newSandbox(t)
	s.turn()
	for _, failed := range []string{"1 path failed", ""} {
		p, now, at := s.plan()
		if failed != "" {
			p.Blend.Files = p.Blend.Files[:5]
		}
		_, blend, err := p.Blend.Write(s.open(), now, checkpoint.Step{Kind: checkpoint.StepUndo, Session: "s", Undoes: []string{"s:1"}, Since: at.Snapshot}, time.Now())
		kit.Must(t, err)
		if _, err := checkpoint.Reach(context.Background(), s.open(), now, blend, checkpoint.RestoreOptions{NoSync: true, NoLog: true}); err != nil {
			t.Fatal(err)
		}
		s.mark(checkpoint.Step{Kind: checkpoint.StepUndone, Why: failed}, true)
		line, err := Read(s.open(), t.TempDir())
		if err != nil || line.Cut != nil || line.Turns[0].Undone != (failed == "") {
			t.Fatalf("%q: %+v, %v", failed, line, err)
		}
		if u := line.Again(""); u == nil || failed == "" && len(u.Spans()) != 2 {
			t.Fatalf("%q: redo is %+v", failed, u)
		}
	}
}

// TestOpen keeps what is known of a turn that goes on, and what is to be told, once.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	var from repo.Hash
	from[0] = 7
	err := ChangeOpen(dir, "s", func(o *Open) bool {
		o.Starts(3, "do it", from, from, time.Now())
		for i := range keepCalls + 5 {
			o.Begin(Call{ID: fmt.Sprint(i), Command: "make", At: time.Now()}, from, from)
		}
		return true
	})
	kit.Must(t, err)
	o := ReadOpen(dir, "s")
	if o.Turn != 3 || o.Session != "s" || len(o.Calls) != keepCalls {
		t.Errorf("ReadOpen = %+v", o)
	}
	if _, _, _, known := o.Done("0"); known {
		t.Error("the oldest of too many commands is still known")
	}
	if _, _, _, known := o.Done(fmt.Sprint(keepCalls)); !known || len(o.Calls) != keepCalls-1 {
		t.Error("a command that has begun is not known")
	}
	o.Begin(Call{ID: "late", Command: "rm a", Blind: true}, from, from)
	if _, _, _, known := o.Done("late"); known || o.Calls[len(o.Calls)-1].ID != "late" {
		t.Error("a command around which there is no snapshot is not left as one of whose end nobody told")
	}
	for _, one := range [][2]string{{"a", "took a"}, {"b", "took b"}, {"a", "brought a"}, {"a", "took a"}} {
		kit.Must(t, Note(dir, "s", one[0], one[1]))
	}
	if got := Notes(dir, "s"); strings.Join(got, ", ") != "took b, took a" || len(Notes(dir, "s")) != 0 {
		t.Errorf("Notes = %q", got)
	}
}
