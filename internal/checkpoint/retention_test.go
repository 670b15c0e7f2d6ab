package checkpoint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// A day's work is not lost for a dozen checkouts in five seconds, whatever the number to keep.
func TestNothingOfTheLastDayGoes(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	now := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	s.write("a", "a morning's work")
	work := s.create(CreateOptions{Operation: "reset-hard", NoLog: true, Now: now.Add(-23 * time.Hour), Keep: Retention{Count: 10, Age: 30 * day, Bytes: 1}})
	for i := range 30 {
		s.write("a", fmt.Sprint(i))
		s.create(CreateOptions{Operation: "checkout", NoLog: true, Now: now.Add(time.Duration(i) * time.Second), Keep: Retention{Count: 1, Age: time.Minute, Bytes: 1}})
	}
	if list, err := List(s.open()); err != nil || len(list) != 31 || list[30].Name != work.Name {
		t.Errorf("%d checkpoints are left of 31 of one day; %v", len(list), err)
	}
}

// A new checkpoint thins out what is old, and says in the history when and why each went.
func TestThinningSaysWhatWent(t *testing.T) {
	s := newSandbox(t)
	s.commit("a")
	now := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	keep := Retention{Count: 1, Age: 30 * day}
	var made []*Checkpoint
	for i, at := range []time.Time{now.Add(-40 * day), now.Add(-50 * time.Hour), now.Add(-50*time.Hour + time.Minute), now} {
		s.write("a", fmt.Sprint(i))
		made = append(made, s.create(CreateOptions{Operation: "rm", Now: at, Keep: keep}))
	}
	var left []string
	list, err := List(s.open())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		left = append(left, c.Name)
	}
	if want := []string{made[3].Name, made[1].Name}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
	for i, why := range map[int]string{0: whyAge, 2: whyThinned} {
		rec, ok := Pruned(s.open(), made[i].Short())
		if !ok || rec.Branch != made[i].Name || rec.Why != why || rec.Pruned.IsZero() {
			t.Errorf("of %s the history says %+v, want %q", made[i].Name, rec, why)
		}
	}
	if rec, ok := Pruned(s.open(), made[1].Short()); ok {
		t.Errorf("the history says that %s went: %+v", made[1].Name, rec)
	}
}

// What goes by the policy, by hand, and by name, of lists made up.
func TestDoomed(t *testing.T) {
	now := time.Date(2026, 5, 20, 12, 30, 0, 0, time.UTC)
	made := func(name string, ago time.Duration, more func(*Checkpoint)) Checkpoint {
		c := Checkpoint{Name: name, Time: now.Add(-ago), Operation: "rm", Tree: repo.Hash{}, Stats: Stats{Changed: 1, Bytes: 50}}
		c.Message = name // each holds something of its own
		if more != nil {
			more(&c)
		}
		return c
	}
	session := func(id string) func(*Checkpoint) { return func(c *Checkpoint) { c.Session = id } }
	list := []Checkpoint{
		made("now", 0, nil),
		made("hour", time.Hour, nil),
		made("day-b", 25*time.Hour, session("s")),                // 11:30, not the oldest of its hour
		made("day-a", 25*time.Hour+20*time.Minute, session("s")), // 11:10
		made("first", 26*time.Hour+25*time.Minute, session("s")), // 10:05, the first of the session
		made("restore", 26*time.Hour+29*time.Minute, func(c *Checkpoint) { c.Operation, c.Command = "restore", restoreWords+"x" }),
		made("week-c", 8*day, nil),
		made("week-b", 8*day+time.Hour, nil),
		made("week-a", 8*day+2*time.Hour, nil),
		made("old", 40*day, nil),
	}
	for _, c := range []struct {
		what string
		o    PruneOptions
		want string
	}{
		{"nothing asked", PruneOptions{}, ""},
		{"policy", PruneOptions{Limits: Retention{Count: 1, Age: 30 * day}}, "day-b week-c week-b old"},
		{"without end", PruneOptions{Limits: Retention{Count: 1}}, "day-b week-c week-b"},
		{"the least number, in which a restore's does not count", PruneOptions{Limits: Retention{Count: 6, Age: 30 * day}}, "week-b old"},
		{"size takes none of the last day", PruneOptions{Limits: Retention{Bytes: 1}}, "day-b day-a first restore week-c week-b week-a old"},
		{"size", PruneOptions{Limits: Retention{Bytes: 150}}, "day-b first restore week-c week-b week-a old"},
		{"by number", PruneOptions{Keep: 3}, "day-a first restore week-c week-b week-a old"},
		{"by age", PruneOptions{Older: 9 * day}, "old"},
		{"by number and age", PruneOptions{Keep: 1, Older: 8*day + time.Minute}, "week-b week-a old"},
		{"by name", PruneOptions{Only: "now"}, "now"},
	} {
		c.o.Now = now
		var got []string
		for _, k := range c.o.doomed(list) {
			if got = append(got, k.Name); k.Why == "" {
				t.Errorf("%s: %s goes without a reason", c.what, k.Name)
			}
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %q would go, want %q", c.what, g, c.want)
		}
	}
}

// Whoever prunes often ends with what one who prunes once has, but for what would be too old in between: the ones that stay
// do not depend on how often somebody looks.
func TestThinningIsStable(t *testing.T) {
	start := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		keep := Retention{Count: 1 + rnd.IntN(3), Age: time.Duration(20+rnd.IntN(20)) * day}
		var all, often []Checkpoint
		at := start
		for i := range 300 {
			at = at.Add(time.Duration(rnd.IntN(6*3600)) * time.Second)
			c := Checkpoint{Name: fmt.Sprint(i), Time: at, Message: fmt.Sprint(i), Session: fmt.Sprint(i / 7)}
			all = slices.Insert(all, 0, c)
			often = slices.Insert(often, 0, c)
			often = without(often, keep.doomed(often, at))
		}
		once := without(all, keep.doomed(all, at))
		if namesOf(often) != namesOf(once) {
			t.Fatalf("seed %d: often leaves\n%s\nonce\n%s", seed, namesOf(often), namesOf(once))
		}
	}
}

func without(list []Checkpoint, gone []Removed) []Checkpoint {
	return slices.DeleteFunc(slices.Clone(list), func(c Checkpoint) bool {
		return slices.ContainsFunc(gone, func(g Removed) bool { return g.Name == c.Name })
	})
}

func namesOf(list []Checkpoint) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return strings.Join(out, " ")
}

// A checkpoint that is equal to the next one but for the moment holds nothing of its own: what it was taken before never ran.
func TestNeverRunIsNotCounted(t *testing.T) {
	now := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	tree := func(n byte) (h repo.Hash) {
		h, _ = repo.ParseHash(strings.Repeat(fmt.Sprintf("%02x", n), 20))
		return h
	}
	list := []Checkpoint{
		{Name: "new", Time: now, Tree: tree(1)},
		{Name: "same", Time: now.Add(-50 * time.Hour), Tree: tree(1)},
		{Name: "pinned", Time: now.Add(-50*time.Hour - time.Minute), Tree: tree(1), Pins: []Pin{{Ref: "refs/heads/x"}}},
		{Name: "other", Time: now.Add(-50*time.Hour - 2*time.Minute), Tree: tree(2)},
		{Name: "empty folder", Time: now.Add(-52 * time.Hour), Tree: tree(2), Folders: Folders{Empty: []string{"e"}}},
	}
	var got []string
	for _, k := range (Retention{Count: 2, Age: 30 * day}).doomed(list, now) {
		got = append(got, k.Name)
	}
	if g := strings.Join(got, " "); g != "same" {
		t.Errorf("%q would go, want the one that is equal to the next", g)
	}
}
