package checkpoint

import "time"

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// Retention says what stays of the checkpoints of a work tree. Age and content decide, and never the number alone: a dozen small
// snapshots in five seconds must not cost the one that holds the morning's work.
//
// Everything of the last day stays. Of what is older, the first checkpoint of each session stays for a week, one of each hour for
// a week, and one of each day until Age. The zero Retention keeps everything.
type Retention struct {
	Count int           // so many of the newest always stay; those that hold nothing of their own are not counted
	Age   time.Duration // what is older goes; 0 sets no end
	Bytes int64         // content that differed from HEAD's index: beyond it the oldest go, but none that is younger than a day; 0 is no limit
}

// Removed is a checkpoint that goes or went, and why.
type Removed struct {
	Checkpoint
	Why string
}

// The reasons, in the words that people read.
const (
	whyThinned = "older than a day, and another one of its hour stays"
	whySparse  = "older than a week, and another one of its day stays"
	whyAge     = "older than checkpoint.keep_days"
	whyBytes   = "older than a day, and beyond checkpoint.keep_mb"
)

// doomed lists what goes, of a list with the newest first. Every work tree counts for itself: a busy one must not cost another
// its last checkpoint.
func (p Retention) doomed(list []Checkpoint, now time.Time) (out []Removed) {
	if p == (Retention{}) {
		return nil
	}
	type tree struct {
		seen    bool
		counted int
		bytes   int64
	}
	trees := map[string]*tree{}
	idle := idle(list)
	stays := spread(list, idle, now)
	for i := range list {
		c := &list[i]
		t := trees[c.Worktree]
		if t == nil {
			t = &tree{}
			trees[c.Worktree] = t
		}
		counts := !idle[i] && !c.putAside()
		least := !t.seen || counts && t.counted < p.Count
		t.seen = true
		if counts {
			t.counted++
		}
		old := age(c, now)
		why := ""
		switch {
		case least || old < day:
		case p.Age > 0 && old > p.Age:
			why = whyAge
		case stays[i]:
		case old < week:
			why = whyThinned
		default:
			why = whySparse
		}
		if why == "" {
			// By what each adds to the repository, not by what it shows: unchanged files are shared.
			t.bytes += c.Stats.Bytes
			if p.Bytes > 0 && t.bytes > p.Bytes && !least && old >= day {
				t.bytes -= c.Stats.Bytes
				why = whyBytes
			}
		}
		if why != "" {
			out = append(out, Removed{*c, why})
		}
	}
	return out
}

// spread tells those of a list, with the newest first, that stand for their session, their hour or their day. It is the oldest of
// each, which holds the state before all that followed; the next hour's oldest holds what became of it. So one that stands for its
// day stood for its hour before, and none goes too early.
func spread(list []Checkpoint, idle []bool, now time.Time) []bool {
	type slot struct {
		worktree, session string
		from              int64 // of the hour or day, in seconds since 1970
	}
	taken := map[slot]bool{}
	stays := make([]bool, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		c := &list[i]
		if idle[i] {
			continue // the next one holds the same
		}
		take := func(s slot) {
			if !taken[s] {
				taken[s], stays[i] = true, true
			}
		}
		period := time.Hour
		if age(c, now) >= week {
			period = day
		} else if c.Session != "" {
			take(slot{worktree: c.Worktree, session: c.Session})
		}
		take(slot{worktree: c.Worktree, from: c.Time.Truncate(period).Unix()})
	}
	return stays
}

// idle tells those of a list, with the newest first, that hold nothing of their own: the command that they were taken before never
// ran, or changed nothing, so that the next one in time is the same but for the moment.
func idle(list []Checkpoint) []bool {
	idle := make([]bool, len(list))
	next := map[string]*Checkpoint{}
	for i := range list {
		c := &list[i]
		n := next[c.Worktree]
		idle[i] = n != nil && len(c.Pins) == 0 && len(c.Vaulted) == 0 && len(c.Inside) == 0 && c.Message == "" && n.like(c)
		next[c.Worktree] = c
	}
	return idle
}

// age is never negative: the clock may have gone back since.
func age(c *Checkpoint, now time.Time) time.Duration { return max(now.Sub(c.Time), 0) }
