package undo

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// Soon is how long after it began a call of whose end nobody told is taken for what wrote a file. What is written later may be a person's.
const Soon = 3 * time.Second

// loses counts a call of an earlier turn of whose end nobody told for that turn, which the timeline may not know.
func (one *Turn) loses(l *Lost, first map[repo.Hash]time.Time) {
	one.Prompt = cmp.Or(one.Prompt, l.Prompt)
	if from, ok := repo.ParseHash(l.From); ok && one.From.IsZero() {
		one.From = from
	}
	if one.Began.IsZero() {
		one.Began = l.Began
	}
	one.unheardOf(&l.Call, l.Until, first)
}

// unheardOf is a call of whose end nobody told: its client was killed, its user stopped it, or it went on in the background.
func (one *Turn) unheardOf(c *Call, until string, first map[repo.Hash]time.Time) {
	since, ok := repo.ParseHash(c.Since)
	if !ok {
		return
	}
	vault, _ := repo.ParseHash(c.Vault)
	cmd := Command{Key: one.Key + "#" + c.ID, Command: c.Command, At: c.At, Since: since, Were: vault, Vault: vault, behind: c.Behind}
	cmd.until, _ = repo.ParseHash(until)
	cmd.window = window{session: one.Session, command: c.Command, words: c.Words, since: since, began: first[since], at: c.At, here: true, unheard: true, called: c.At, key: cmd.Key}
	one.unheard = append(one.unheard, cmd)
}

// late are the commands of a turn that went on in the background behind its end, and that name what they change.
func (one *Turn) late() (list []Command) {
	if one.To.IsZero() {
		return nil
	}
	for _, c := range one.unheard {
		if c.behind && len(c.words.Files) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// gaps are the pieces of a turn in which calls of whose end nobody told may have run, and no other command of the session did.
func (one *Turn) gaps() (list []window) {
	if one.To.IsZero() {
		return nil
	}
	type point struct {
		h  repo.Hash
		at time.Time
	}
	points := []point{{one.To, one.Ended}}
	for i := range one.Commands {
		if c := &one.Commands[i]; !c.unheard {
			points = append(points, point{c.Since, c.began}, point{c.Left, c.ended})
		}
	}
	for i := range one.unheard {
		points = append(points, point{one.unheard[i].Since, one.unheard[i].began})
	}
	slices.SortStableFunc(points, func(a, b point) int { return a.at.Compare(b.at) })
	covered := func(a, b point) bool {
		return slices.ContainsFunc(one.Commands, func(c Command) bool { return !c.unheard && !c.began.After(a.at) && !c.ended.Before(b.at) })
	}
	for i := range one.unheard {
		w := one.unheard[i].window
		for j := 1; j < len(points); j++ {
			a, b := points[j-1], points[j]
			if a.at.Before(w.began) || a.h == b.h || covered(a, b) {
				continue
			}
			gap := w
			gap.since, gap.left, gap.began, gap.ended, gap.at = a.h, b.h, a.at, b.at, b.at
			list = append(list, gap)
		}
	}
	return list
}

// own are the windows of a turn's commands.
func (one *Turn) own() (list []window) {
	for i := range one.Commands {
		if c := &one.Commands[i]; !c.unheard {
			list = append(list, c.window)
		}
	}
	return append(list, one.gaps()...)
}

// hear puts the calls of whose end nobody told among the commands of a turn, as far as they have changed something.
func (v *views) hear(one *Turn, now repo.Hash) error {
	one.Commands = slices.DeleteFunc(slices.Clone(one.Commands), func(c Command) bool { return c.unheard })
	gaps := one.gaps()
	one.unheard = slices.Clone(one.unheard)
	for k, c := range one.unheard {
		did := false
		for i := range gaps {
			if gaps[i].key != c.Key {
				continue
			}
			ch, _, err := v.own(&gaps[i], nil)
			if err != nil {
				return err
			}
			did = did || len(ch.Paths)+len(ch.aside) > 0 || !gaps[i].words.Still && v.movesUnheard(&gaps[i], ch)
		}
		c.Left = one.To
		if late := v.lateWindow(one, &c, now); c.behind && !late.left.IsZero() {
			ch, _, err := v.own(&late, nil)
			if err != nil {
				return err
			}
			if len(ch.Paths)+len(ch.aside) > 0 {
				did, c.Left = true, late.left
			} else if !c.until.IsZero() { // it ran with the next turn, and did nothing until then
				one.unheard[k].behind = false
			}
		}
		if did && !c.Left.IsZero() {
			one.Commands = append(one.Commands, c)
		}
	}
	slices.SortStableFunc(one.Commands, func(a, b Command) int { return b.At.Compare(a.At) })
	return nil
}

// Hear settles what calls did of whose end nobody told until now, where there is a snapshot of now.
func (t *Timeline) Hear(r *repo.Repo, turns []Turn, now repo.Hash) error {
	t.Now = now
	v := look(r)
	for i := range turns {
		if err := v.hear(&turns[i], now); err != nil {
			return err
		}
	}
	return nil
}

// lateWindow is where a command in the background ran behind the end of its turn.
func (v *views) lateWindow(one *Turn, c *Command, now repo.Hash) window {
	w := c.window
	w.since, w.left = one.To, c.until
	if w.left.IsZero() {
		w.left = now
	}
	w.began, w.ended = one.Ended, time.Now()
	w.at = w.ended
	return w
}

// lateSpan is what commands in the background did behind the end of their turn.
func (v *views) lateSpan(one *Turn, late []Command, beside []window, now repo.Hash) (*Span, error) {
	to := late[0].until // they all end with the next turn, or have not ended
	var own []window
	for i := range late {
		own = append(own, v.lateWindow(one, &late[i], now))
	}
	ran, err := v.changedBy(own, beside, nil)
	if err != nil {
		return nil, err
	}
	whose := func(path string) (Whose, string) {
		if did, is := ran[path]; is && did.maybe == "" {
			return Mine, ""
		} else if is {
			return Either, did.maybe
		}
		if by := doubt(own, path, true); by != "" {
			return Unheard, by
		}
		return Stranger, ""
	}
	pieces := func(path string) []piece { return ran[path].pieces }
	return &Span{Turn: one.Number, From: one.To, To: to, Whose: whose, Pieces: pieces, late: true, beside: beside}, nil
}

// doubt is the command of whose end nobody told and that may have changed a path; "" for none. Named leaves out those that do not name it.
func doubt(list []window, path string, named bool) string {
	for i := range list {
		if w := &list[i]; w.unheard && (w.names(path) || !named && !w.words.Only) {
			return w.command
		}
	}
	return ""
}

// names reports a command whose words name a path.
func (w *window) names(path string) bool {
	return slices.ContainsFunc(w.words.Files, func(p string) bool { return p == "." || p == path || strings.HasPrefix(path, p+"/") })
}

// near reports a time at which a call of whose end nobody told had just begun.
func (w *window) near(at time.Time) bool {
	return !at.Before(w.called.Add(-time.Second)) && !at.After(w.called.Add(Soon))
}

// did reports that a call of whose end nobody told is taken for what changed a file which it names. That is so where no work of anybody is lost by
// taking it back: the file is gone, is what Git or another file had before, or was written just after the call began.
func (v *views) did(w *window, c *Change, path string) (bool, error) {
	if !w.names(path) {
		return false, nil
	}
	left := c.left[path]
	if left.Mode == 0 {
		return true, nil
	}
	if staged, err := c.before.StagedAt(v.r, path); err != nil || staged == left {
		return err == nil, err
	}
	if committed, err := v.committed(c.before, path); err != nil || committed == left {
		return err == nil, err
	}
	for p, was := range c.was { // it got another name
		if was.Hash == left.Hash && c.left[p].Mode == 0 {
			return true, nil
		}
	}
	fi, err := os.Lstat(v.r.Path(path))
	if err != nil || !w.near(fi.ModTime()) {
		return false, nil
	}
	now, is := checkpoint.OnDisk(v.r, path)
	return is && now == left, nil
}

// committed is what the commit holds on which a snapshot was taken.
func (v *views) committed(c *checkpoint.Checkpoint, path string) (checkpoint.Side, error) {
	if c.Head.IsZero() {
		return checkpoint.Side{}, nil
	}
	on, err := v.r.Commit(c.Head)
	if err != nil {
		return checkpoint.Side{}, err
	}
	return (&checkpoint.Checkpoint{Tree: on.Tree}).At(v.r, path)
}

// onlyDid leaves of a change what the call is taken for.
func (v *views) onlyDid(w *window, c *Change) error {
	var failed error
	c.Paths = slices.DeleteFunc(slices.Clone(c.Paths), func(p string) bool {
		is, err := v.did(w, c, p)
		failed = cmp.Or(failed, err)
		return !is
	})
	c.aside = slices.DeleteFunc(slices.Clone(c.aside), func(p string) bool { return !w.names(p) })
	return failed
}

// movesUnheard reports that a call has moved a reference.
func (v *views) movesUnheard(w *window, c *Change) bool {
	others := v.notMoved(w, c.before, c.after)
	return movesOwn(c.before, c.after, &rivals{did: others})
}

// unheard is why something stays that such a command may have changed, or somebody else.
func unheard(command string) string {
	return "nobody knows who changed it: the end of `" + command + "` was not told"
}

// behind are the commands of other sessions that ran behind the end of a turn.
func (t *Timeline) behind(r *repo.Repo, one *Turn) []window {
	return t.beside(r, &Turn{Key: one.Key, Session: one.Session, Began: one.Ended})
}

// notMoved are the references between two snapshots that a call of whose end nobody told is not taken for having moved: those that are still there, and
// were not written just after it began.
func (v *views) notMoved(w *window, before, after *checkpoint.Checkpoint) map[string]string {
	others := map[string]string{}
	written := func(dir, name string) bool {
		fi, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		return err == nil && w.near(fi.ModTime())
	}
	had, has := byName(before.Pins), byName(after.Pins)
	for name, ref := range moved(before, after) {
		if entry(ref) {
			if h, ok := repo.ParseHash(name); ok && slices.ContainsFunc(after.Pins, func(p checkpoint.Pin) bool { return entry(p.Ref) && p.Hash == h }) {
				if k, err := v.r.Commit(h); err != nil || !w.near(k.Time) {
					others[name] = nobody
				}
			}
			continue
		}
		if !has[ref].IsZero() && (had[ref] != has[ref]) && !written(v.r.CommonDir, ref) {
			others[name] = nobody
		}
	}
	if headMoved(before, after) && !written(v.r.GitDir, "HEAD") {
		others["HEAD"] = nobody
	}
	return others
}

// nobody stands where a session is named, and none is known.
const nobody = "nobody"

// notStaged are the files that such a call is not taken for having staged, or taken out of what is.
func (v *views) notStaged(before, after *checkpoint.Checkpoint, with *beside) (*beside, error) {
	with.conflicts, with.underway = true, true
	_, index, err := checkpoint.Differences(v.r, before, after)
	if err != nil {
		return nil, err
	}
	for _, ch := range index {
		committed, err := v.committed(before, ch.Path)
		if err != nil {
			return nil, err
		}
		if ch.New.Mode != 0 && ch.New != committed {
			with.staged[ch.Path] = nobody
		}
	}
	return with, nil
}
