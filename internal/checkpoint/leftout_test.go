package checkpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A checkpoint is reused only where what it leaves out is the same, too: one that was
// taken before big.bin was there neither holds nor names it.
func TestReuseKnowsWhatIsLeftOut(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	limits := DefaultLimits()
	limits.UntrackedFile = 100
	first := s.create(CreateOptions{Limits: limits, NoLog: true})
	s.write("big.bin", strings.Repeat("x", 101))
	second := s.create(CreateOptions{Limits: limits, NoLog: true})
	if second.Reused || len(second.Skipped) != 1 || second.Skipped[0].Path != "big.bin" {
		t.Errorf("reused %t, skipped %v; want a new checkpoint that names big.bin", second.Reused, second.Skipped)
	}
	if third := s.create(CreateOptions{Limits: limits, NoLog: true}); !third.Reused || third.Name != second.Name || len(third.Skipped) != 1 {
		t.Errorf("%s reused %t skipped %v, want %s again", third.Name, third.Reused, third.Skipped, second.Name)
	}
	s.write("other.bin", strings.Repeat("y", 101))
	if fourth := s.create(CreateOptions{Limits: limits, NoLog: true}); fourth.Reused || first.Name == fourth.Name {
		t.Errorf("reused %s, which does not name other.bin", fourth.Name)
	}
}

// What is left out and in danger is told apart from what is merely left out.
func TestLostNamesWhatIsInDanger(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	limits := Limits{UntrackedFile: 100, TrackedFile: 100}
	for _, name := range []string{"data/big.bin", "elsewhere.bin", "a"} {
		s.write(name, strings.Repeat("x", 101))
	}
	for want, danger := range map[string]func(Skip) bool{
		"":              func(Skip) bool { return false },
		"data/big.bin":  func(k Skip) bool { return strings.HasPrefix(k.Path, "data/") },
		"a":             func(k Skip) bool { return k.Tracked },
		"elsewhere.bin": func(k Skip) bool { return !k.Tracked && !strings.Contains(k.Path, "/") },
	} {
		for range 2 { // new, and reused
			c := s.create(CreateOptions{Limits: limits, NoLog: true, InDanger: danger})
			var lost []string
			for _, k := range c.Lost {
				lost = append(lost, k.Path)
			}
			if got := strings.Join(lost, " "); got != want {
				t.Errorf("lost %q, want %q (reused: %t)", got, want, c.Reused)
			}
		}
	}
}

// Two checkpoints of one tree in one second are two, each with its own vault.
func TestVaultsOfOneSecond(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", ".env\n")
	s.git("add", ".")
	s.commit("a")
	vault := t.TempDir()
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	var made []*Checkpoint
	for _, secret := range []string{"S1", "S2 is longer"} {
		s.write(".env", secret)
		made = append(made, s.create(CreateOptions{Operation: "rm", Command: "rm .env", NoLog: true, Ignored: []string{".env"}, VaultDir: vault, Now: now}))
	}
	if made[0].Commit == made[1].Commit {
		t.Errorf("both are %s", made[0].Commit)
	}
	for i, want := range []string{"S1", "S2 is longer"} {
		os.Remove(filepath.Join(s.dir, ".env"))
		s.restore(made[i], RestoreOptions{NoLog: true, VaultDir: vault})
		if got := s.read(".env"); got != want {
			t.Errorf("restored %q, want %q", got, want)
		}
	}
	left, err := filepath.Glob(filepath.Join(vault, "*", vaultTemp+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("copies that nobody owns stay behind: %v %v", left, err)
	}
}

func TestFold(t *testing.T) {
	var list []Skip
	for i := range maxNamed {
		list = append(list, Skip{Path: fmt.Sprintf("ab/%d", i), Why: "too big"})
	}
	if got := fold(list); len(got) != maxNamed {
		t.Errorf("%d paths, want all", len(got))
	}
	list = append(list, Skip{Path: "a", Why: "a FIFO"}, Skip{Path: "b/x", Why: "a socket"})
	want := []Skip{{Path: "ab/", Why: "1000 files: too big"}, {Path: "a", Why: "a FIFO"}, {Path: "b/", Why: "a socket"}}
	if d := cmp.Diff(want, fold(list), cmpopts.IgnoreUnexported(Skip{})); d != "" {
		t.Error(d)
	}
	list = nil
	for i := range maxNamed + 1 {
		list = append(list, Skip{Path: fmt.Sprintf("f%d", i), Why: "a FIFO"})
	}
	if got := fold(list); len(got) != maxNamed+1 || got[maxNamed].Path != "/" {
		t.Errorf("%d entries, the last %+v", len(got), got[len(got)-1])
	}
}

// What a restore cannot save first since it is too large is moved aside, under a name that the result tells.
func TestLargeFileIsMovedAside(t *testing.T) {
	limits := Limits{UntrackedFile: 100, TrackedFile: 100}
	for _, name := range []string{"d/new", "tracked"} {
		s := newSandbox(t)
		s.commit("tracked", "d/x")
		s.write(name, "mine\n")
		c := mustFind(t, s, s.create(CreateOptions{Limits: limits, NoLog: true}).Name)
		large := strings.Repeat("x", 101)
		s.write(name, large)
		res := s.restore(c, RestoreOptions{Limits: limits, NoLog: true})
		if s.read(name) != "mine\n" || len(res.Failed) > 0 || len(res.Aside) != 1 || !strings.HasPrefix(res.Aside[0], name+".before-restore-") || s.read(res.Aside[0]) != large {
			t.Errorf("%s: %q, aside %q, failed %v", name, s.read(name), res.Aside, res.Failed)
		}
		if p, err := MakePlan(t.Context(), s.open(), c, nil, RestoreOptions{Limits: limits, NoLog: true}); err != nil || !p.Empty() {
			t.Errorf("%s: the second time there is still something to do: %+v, %v", name, p, err)
		}
	}
}
