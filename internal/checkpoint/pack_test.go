package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPack puts the files of snapshots into one pack and no others; Git finds nothing missing, and nothing is done twice.
func TestPack(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "1\n")
	s.git("add", ".")
	s.git("commit", "-qm", "1")
	own := len(s.open().Loose(0))
	for i := range 12 {
		s.write("d/a.txt", fmt.Sprint("state ", i))
		s.mark(Step{Kind: StepStop, Session: "s", Turn: i + 1}, false)
	}
	if n, err := Pack(context.Background(), s.open(), true); n != 0 || err != nil {
		t.Errorf("so few are worth no pack: %d, %v", n, err)
	}
	n, err := Pack(context.Background(), s.open(), false)
	if left := len(s.open().Loose(0)); err != nil || n < 50 || left > own {
		t.Fatalf("Pack = %d, %v; %d files were there before the snapshots and %d are now", n, err, own, left)
	}
	if n, err := Pack(context.Background(), s.open(), false); n != 0 || err != nil {
		t.Errorf("a second time: %d, %v", n, err)
	}
	// Each of these is a pack of its own. One with something of the user's stays.
	s.write("mine.txt", "mine\n")
	s.git("add", ".")
	s.git("commit", "-qm", "2")
	s.git("repack", "-q", "-d")
	packs := func() int {
		list, _ := filepath.Glob(filepath.Join(s.dir, ".git", "objects", "pack", "*.pack"))
		return len(list)
	}
	for i := range fewPacks {
		for j := range 25 {
			s.write(fmt.Sprintf("d/%d.txt", j), fmt.Sprint("state ", i, " of ", j))
		}
		s.mark(Step{Kind: StepStop, Session: "s", Turn: i + 13}, false)
	}
	before := packs()
	if n, err := Pack(context.Background(), s.open(), true); err != nil || n < 500 || before < fewPacks || packs() > 3 {
		t.Errorf("Pack = %d, %v; %d packs became %d", n, err, before, packs())
	}
	s.git("fsck", "--strict")
	steps, err := Steps(s.open())
	if err != nil || len(steps) != 12+fewPacks {
		t.Fatalf("Steps = %d, %v", len(steps), err)
	}
	for i := range steps {
		if _, err := SnapshotAt(s.open(), steps[i].Snapshot); err != nil {
			t.Errorf("step %d is not whole: %v", i, err)
		}
	}
}

// TestShadow takes snapshots of a folder in no repository: what did not change is not read again, limits are kept, nothing is written into it, and
// what is gone gives its room back.
func TestShadow(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	dir, state := filepath.Join(home, "w"), filepath.Join(home, "state")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 30 {
		write(fmt.Sprintf("d/%d.txt", i), strings.Repeat("x", i))
	}
	write("node_modules/x", "1")
	if _, err := FindShadow(state, dir); err == nil {
		t.Fatal("there is one before it was made")
	}
	if _, err := MakeShadow(state, home, nil, []string{home}); !errors.Is(err, ErrTooLarge) {
		t.Fatalf("of the user's own folder: %v", err)
	}
	old := time.Now().Add(-3 * time.Hour)
	for i := range 10 {
		r, err := MakeShadow(state, dir, []string{"node_modules/"}, []string{home})
		if err != nil {
			t.Fatal(err)
		}
		write("d/1.txt", fmt.Sprint("state ", i))
		st, fresh, err := Mark(context.Background(), r, CreateOptions{NoSync: true, Now: old.Add(time.Duration(i) * time.Minute)}, Step{Kind: StepStop, Session: "s", Turn: i + 1}, false)
		if err != nil || !fresh {
			t.Fatalf("Mark: fresh is %v, %v", fresh, err)
		}
		c, err := SnapshotAt(r, st.Snapshot)
		if err != nil || c.Stats.Files() > 1 && i > 0 {
			t.Fatalf("%d files were read: %v", c.Stats.Files(), err)
		}
		if side, err := c.At(r, "node_modules/x"); err != nil || side.Mode != 0 {
			t.Errorf("what is left out is in the snapshot: %v, %v", side, err)
		}
	}
	r, err := FindShadow(state, filepath.Join(dir, "d"))
	if err != nil || r.WorkTree != dir || !r.Shadow {
		t.Fatalf("from a folder inside: %+v, %v", r, err)
	}
	if _, _, err := Mark(context.Background(), r, CreateOptions{Limits: Limits{Files: 20}}, Step{Kind: StepStop}, false); !errors.Is(err, ErrTooLarge) {
		t.Errorf("30 files of 20: %v", err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 2 {
		t.Errorf("something was written into the folder: %v, %v", names, err)
	}
	before := len(r.Loose(0))
	if gone, err := ThinOut(r, PruneOptions{Older: time.Second}); err != nil || gone != 9 {
		t.Fatalf("ThinOut = %d, %v", gone, err)
	}
	freed, err := Tidy(context.Background(), r, time.Now().Add(2*time.Hour))
	if err != nil || freed == 0 || len(r.Loose(0)) > 0 || before < 40 {
		t.Fatalf("Tidy = %d, %v; of %d files %d are left", freed, err, before, len(r.Loose(0)))
	}
	if r, err = FindShadow(state, dir); err != nil {
		t.Fatal(err)
	}
	steps, err := Steps(r)
	if err != nil || len(steps) != 1 {
		t.Fatalf("Steps = %d, %v", len(steps), err)
	}
	c, err := SnapshotAt(r, steps[0].Snapshot)
	if err != nil || !c.Covers(r, "d", func(string) bool { return false }) || !c.Holds(r, "d/29.txt") {
		t.Errorf("what stays is not whole: %v", err)
	}
	write("d/new.txt", "new")
	if _, fresh, err := Mark(context.Background(), r, CreateOptions{NoSync: true}, Step{Kind: StepStop}, false); err != nil || !fresh {
		t.Errorf("it does not go on: %v, %v", fresh, err)
	}
}
