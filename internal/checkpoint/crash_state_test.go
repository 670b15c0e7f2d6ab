package checkpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stateOf is what Git keeps of an operation under way, by name and content.
func (s *sandbox) stateOf() string {
	var b strings.Builder
	for _, name := range []string{"rebase-merge", "rebase-apply", "sequencer", "CHERRY_PICK_HEAD", "REBASE_HEAD", "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "AUTO_MERGE"} {
		_ = filepath.WalkDir(filepath.Join(s.dir, ".git", name), func(p string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				text, _ := os.ReadFile(p)
				fmt.Fprintf(&b, "%s: %q\n", strings.TrimPrefix(p, s.dir), text)
			}
			return nil
		})
	}
	return b.String()
}

// A restore of an operation under way that is killed wherever it is loses nothing, and the next one finishes it: what the user sees is as
// it was, and the operation goes on to its end.
func TestKilledRestoresOfAnOperation(t *testing.T) {
	rounds, _ := oracleRounds(3)
	rounds = min(rounds, 200)
	for name, c := range map[string]struct {
		begin, end, cont []string
	}{
		"rebase":      {[]string{"rebase", "main"}, []string{"rebase", "--abort"}, []string{"rebase", "--continue"}},
		"cherry-pick": {[]string{"cherry-pick", "main~1", "main"}, []string{"cherry-pick", "--quit"}, []string{"cherry-pick", "--continue"}},
		"merge":       {[]string{"merge", "main"}, []string{"reset", "-q", "--hard"}, []string{"commit", "-q", "--no-edit"}},
	} {
		s := newSandbox(t)
		s.commit("base")
		s.git("checkout", "-q", "-b", "topic")
		for i := range 3 {
			s.write("a", fmt.Sprintln("topic", i))
			s.git("add", "a")
			s.git("commit", "-q", "-m", fmt.Sprint("topic ", i))
		}
		s.git("checkout", "-q", "main")
		s.write("a", "main\n")
		s.git("add", "a")
		s.git("commit", "-q", "-m", "main a")
		s.commit("more")
		s.git("checkout", "-q", "topic")
		if _, err := s.try(nil, c.begin...); err == nil {
			t.Fatalf("%s did not stop", name)
		}
		s.write("a", "half resolved\n")
		s.git("add", "a")
		s.write("a", "resolved further\n")
		want := s.create(CreateOptions{Operation: "abort", NoLog: true, PinRefs: []string{"HEAD", "topic", UnderwayPin}})
		before, state := s.git("status", "--porcelain", "-b"), s.stateOf()
		killed := 0
		for i := range rounds {
			if out, err := s.try(nil, c.end...); err != nil {
				t.Fatalf("%s, round %d: %s", name, i, out)
			}
			s.git("reset", "-q", "--hard")
			s.git("checkout", "-q", "-f", "topic")
			for n := 0; !kill(t, s.job("restore "+want.Name), time.Duration(15+15*n)*time.Millisecond) && !t.Failed(); n++ {
				killed++
				if out, err := s.try(nil, "rev-list", "--objects", "--quiet", want.Ref); err != nil {
					t.Fatalf("%s, round %d: the checkpoint is not whole: %s", name, i, out)
				}
				long := time.Now().Add(-time.Minute)
				for _, p := range s.locks() {
					must(t, os.Chtimes(p, long, long))
				}
			}
			if got := s.git("status", "--porcelain", "-b"); got != before || s.stateOf() != state || len(s.locks()) > 0 {
				t.Fatalf("%s, round %d: status %q, want %q; state\n%s\nwant\n%s\nleft are %v", name, i, got, before, s.stateOf(), state, s.locks())
			}
			s.git("fsck", "--strict")
		}
		// What killed ones have left is swept, and the operation goes on.
		if _, err := Prune(s.open(), PruneOptions{NoLog: true, Now: time.Now().Add(2 * time.Hour)}); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(s.dir, ".git/*moai*state*")); len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
		s.git("add", "a")
		if out, err := s.try([]string{"GIT_EDITOR=true"}, c.cont...); err != nil && !strings.Contains(out, "CONFLICT") {
			t.Errorf("%s does not go on: %s", name, out)
		}
		t.Logf("%s: %d restores, killed %d times", name, rounds, killed)
	}
}

// A prune that is killed wherever it is leaves checkpoints with all that they hold, and the next one takes away what is left of the others.
func TestKilledPrunes(t *testing.T) {
	rounds, _ := oracleRounds(3)
	rounds = min(rounds, 200)
	killed, halves := 0, 0
	for i := range rounds {
		s := newSandbox(t)
		s.commit("a")
		for k := range 12 {
			s.git("checkout", "-q", "-b", fmt.Sprint("topic", k), "main")
			s.git("commit", "-q", "--allow-empty", "-m", fmt.Sprint("topic ", k))
		}
		s.git("checkout", "-q", "main")
		pins := []string{}
		for k := range 12 {
			pins = append(pins, fmt.Sprint("refs/heads/topic", k))
			s.write("work", fmt.Sprintln("work", k))
			s.create(CreateOptions{Operation: "kill", NoLog: true, Branch: true, PinRefs: pins})
		}
		if i%2 == 1 {
			s.git("pack-refs", "--all")
		}
		for n := 0; !kill(t, s.job("prune"), time.Duration(10+10*n)*time.Millisecond) && !t.Failed(); n++ {
			killed++
			refs := s.git("for-each-ref", "--format=%(refname)", Hidden)
			for _, c := range must(List(s.open())) {
				for _, pin := range c.Pins {
					if _, err := s.open().Commit(pin.Hash); err != nil {
						t.Errorf("%s has lost %s: %v", c.Name, pin.Ref, err)
					}
				}
				if !strings.Contains(refs, pinRefs+c.Short()+"/") {
					t.Errorf("%s is listed, and its pins are gone", c.Name)
				}
			}
			if strings.Count(refs, pinRefs) > 0 && strings.Count(refs, hiddenRefs) < 12 {
				halves++
			}
			long := time.Now().Add(-time.Minute)
			filepath.WalkDir(filepath.Join(s.dir, ".git"), func(p string, d os.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(p, ".lock") {
					must(struct{}{}, os.Chtimes(p, long, long))
				}
				return nil
			})
		}
		s.onlyOneLeft("killed")
	}
	t.Logf("%d prunes, killed %d times, %d times in between", rounds, killed, halves)
}

// onlyOneLeft checks that nothing is left but the newest checkpoint.
func (s *sandbox) onlyOneLeft(when string) {
	s.t.Helper()
	refs := strings.Fields(s.git("for-each-ref", "--format=%(refname)", Hidden, branchRefs))
	list := must(List(s.open()))
	if len(list) != 1 {
		s.t.Fatalf("%s: %d checkpoints are left", when, len(list))
	}
	for _, ref := range refs {
		if !strings.Contains(ref, list[0].Short()) {
			s.t.Errorf("%s: %s is left", when, ref)
		}
	}
}

// Wherever in its list of references a prune was killed.
func TestPruneKilledBetweenReferences(t *testing.T) {
	for packed := range 2 {
		for at := range 4 {
			s := newSandbox(t)
			s.commit("a")
			s.git("branch", "topic")
			s.git("checkout", "-q", "topic")
			s.git("commit", "-q", "--allow-empty", "-m", "alone")
			s.git("checkout", "-q", "main")
			s.write("work", "old\n")
			old := s.create(CreateOptions{Operation: "kill", NoLog: true, Branch: true, PinRefs: []string{"refs/heads/topic"}})
			s.write("work", "new\n")
			s.create(CreateOptions{Operation: "kill", NoLog: true, PinRefs: []string{"refs/heads/topic"}})
			if packed == 1 {
				s.git("pack-refs", "--all")
			}
			r := s.open()
			refs, err := ownRefs(r, mustFind(t, s, old.Name))
			if err != nil || len(refs) < 3 {
				t.Fatalf("%v, %v", refs, err)
			}
			for _, ref := range refs[:min(at, len(refs))] {
				s.git("update-ref", "-d", ref.Name)
			}
			later := time.Now().Add(48 * time.Hour)
			young, err := Prune(s.open(), PruneOptions{Keep: 9, NoLog: true})
			if err != nil || young.Temp != 0 {
				t.Errorf("of what was made a moment ago %+v went, %v", young, err)
			}
			if _, err := Prune(s.open(), PruneOptions{Keep: 1, NoLog: true, Now: later}); err != nil {
				t.Error(err)
			}
			s.onlyOneLeft(fmt.Sprintf("packed %d, after %d", packed, at))
		}
	}
}
