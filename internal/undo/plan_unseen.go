package undo

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// unseenBack brings back what may have been there unseen when a span began, where commands have shown it to Git since, and taken it away: as it was
// seen first. What cannot come back is noted, so that what has it alone stays.
func (l *planner) unseenBack(s *Span, from *checkpoint.Checkpoint, taken map[string]bool) error {
	l.alone = nil
	if s.All {
		return nil
	}
	list, err := l.shown(s)
	if err != nil {
		return err
	}
	for _, ch := range list {
		name, err := l.unseenName(s, from, ch.Path)
		if err != nil {
			return err
		}
		if name == "" {
			continue
		}
		is, err := l.fileNow(name)
		switch there, hides := checkpoint.OnDisk(l.r, name); {
		case err != nil:
			return err
		case is == ch.New || hides && there == ch.New:
		case is.Mode == 0 && !hides && l.hasRoom(name):
			l.files[name], taken[name], l.became.Took = ch.New, true, true
			l.returns[ch.New.Hash] = true
		default:
			ch.Path = name
			l.alone = append(l.alone, ch)
		}
	}
	return nil
}

// shown are the files that came into sight in a span, each as it was then: in a snapshot, or in what commands committed or put into the stash.
func (l *planner) shown(s *Span) (list []checkpoint.Change, err error) {
	known := map[string]bool{}
	add := func(name string, side checkpoint.Side) {
		if !known[name] && side.Mode != repo.ModeGitlink {
			known[name], list = true, append(list, checkpoint.Change{Path: name, New: side})
		}
	}
	at := s.From
	step := func(to repo.Hash) error {
		ch, err := l.views.change(at, to)
		if err != nil {
			return err
		}
		at = to
		head, err := l.commit(ch.after.Head)
		if err != nil {
			head = &checkpoint.Checkpoint{} // it is not here any more: nothing tells
		}
		for _, name := range ch.Paths {
			if ch.was[name].Mode != 0 || ch.left[name].Mode == 0 {
				continue
			}
			if side, err := l.trees.At(head, name); err == nil && side.Mode != 0 {
				continue // a commit has it: who made that is asked of the commits
			}
			add(name, ch.left[name])
		}
		return nil
	}
	for _, w := range byTime(s.own) {
		before, after, err := l.views.snapshots(w.since, w.left)
		if err != nil {
			return nil, err
		}
		if err := step(w.since); err != nil {
			return nil, err
		}
		if err := l.newIn(before, after, add); err != nil {
			return nil, err
		}
		if err := step(w.left); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// newIn are the files that commits added which came between two snapshots, those of stash entries among them, and no branch of before has. What was
// merged is none of these.
func (l *planner) newIn(before, after *checkpoint.Checkpoint, add func(name string, side checkpoint.Side)) error {
	stay := []repo.Hash{before.Head}
	for _, p := range before.Pins {
		stay = append(stay, p.Hash)
	}
	tips := []repo.Hash{after.Head}
	for _, p := range after.Pins {
		tips = append(tips, p.Hash)
	}
	tips = slices.DeleteFunc(tips, func(h repo.Hash) bool { return h.IsZero() || slices.Contains(stay, h) })
	if len(tips) == 0 {
		return nil
	}
	stay = append(stay, l.remotes()...)
	old := slices.Clone(stay[:min(len(stay), maxLeft)])
	for _, tip := range tips {
		made, _, err := l.r.Unreached(tip, stay, maxWalked)
		if err != nil {
			continue // it is not here any more: nothing tells
		}
		stay = append(stay, tip)
		for _, h := range slices.Backward(made[:min(len(made), maxLeft)]) {
			k, err := l.r.Commit(h)
			if err != nil || len(k.Parents) > 1 {
				continue
			}
			base := &checkpoint.Checkpoint{}
			if len(k.Parents) > 0 {
				if base, err = l.commit(k.Parents[0]); err != nil {
					continue
				}
			}
			files, _, err := checkpoint.Differences(l.r, base, &checkpoint.Checkpoint{Tree: k.Tree})
			if err != nil {
				return err
			}
			for _, ch := range files {
				if ch.Old.Mode == 0 && !l.had(old, ch) {
					add(ch.Path, ch.New)
				}
			}
		}
	}
	return nil
}

// had reports a file that one of some commits has as it is.
func (l *planner) had(commits []repo.Hash, ch checkpoint.Change) bool {
	return slices.ContainsFunc(commits, func(h repo.Hash) bool {
		tree, err := l.commit(h)
		if err != nil {
			return false
		}
		side, err := l.trees.At(tree, ch.Path)
		return err == nil && side == ch.New
	})
}

// remotes are the commits at which branches of remotes were seen last.
func (l *planner) remotes() []repo.Hash {
	if l.remote == nil {
		refs, _ := l.r.Refs("refs/remotes/")
		l.remote = make([]repo.Hash, len(refs))
		for i := range refs {
			l.remote[i] = refs[i].Hash
		}
	}
	return l.remote
}

// unseenName is the name that a file may have had when a span began, and under which no snapshot could see it: its own, or the one from which a
// command moved it away. "" where it was not there.
func (l *planner) unseenName(s *Span, from *checkpoint.Checkpoint, name string) (string, error) {
	out := func(k checkpoint.Skip) bool { return k.Path == name }
	if l.unseen.Why(name) == "" && !slices.ContainsFunc(from.Skipped, out) {
		name = l.former(s, name)
	}
	if name == "" || !l.asked(name) || strings.HasPrefix(name, path.Dir(checkpoint.LogName)+"/") || l.o.Made != nil && l.o.Made(name) || l.o.Copied != nil && l.o.Copied(name) {
		return "", nil
	}
	if side, err := l.fileAt(from, name); err != nil || side.Mode != 0 {
		return "", err
	}
	if l.files[name].Mode != 0 {
		return "", nil
	}
	return name, nil
}

// former is the name that a file had before a command gave it another one, or one to a folder above, as the words of the command tell. "" where Git
// did not ignore that name, or something is there now.
func (l *planner) former(s *Span, name string) string {
	for i := range s.Moved {
		for one := range strings.FieldsFuncSeq(s.Moved[i].Command, func(c rune) bool { return strings.ContainsRune(";&|", c) }) {
			if old := l.formerBy(words(one), name); old != "" {
				return old
			}
		}
	}
	return ""
}

// formerBy is the same by the words of one command.
func (l *planner) formerBy(list []string, name string) string {
	for _, to := range list {
		rest, under := strings.CutPrefix(name+"/", path.Clean(to)+"/")
		if !under {
			continue
		}
		for _, in := range [...]bool{false, true} {
			for _, was := range list {
				old := formerly(was, strings.TrimSuffix(rest, "/"), in)
				if _, err := os.Lstat(l.r.Path(old)); old != name && err != nil && filepath.IsLocal(old) && l.unseen.Why(old) != "" {
					return old
				}
			}
		}
	}
	return ""
}

// formerly is the name that a file may have had which is at rest below what one name became: that name, or what was in the same folder by the same
// name; else, with in, what was in the folder of that name. "" for none.
func formerly(was, rest string, in bool) string {
	was = path.Clean(was)
	if in {
		return path.Join(was, rest)
	}
	first, _, _ := strings.Cut(rest, "/")
	if same, _ := path.Match(path.Base(was), first); same {
		return path.Join(path.Dir(was), rest)
	}
	if rest == "" {
		return was
	}
	return ""
}

// hasRoom reports a name at which a file can be: nothing above it is one.
func (l *planner) hasRoom(name string) bool {
	if fi, err := os.Lstat(l.r.Path(name)); err == nil && fi.IsDir() {
		return false
	}
	for up := range folders(name) {
		if fi, err := os.Lstat(l.r.Path(up)); err == nil && !fi.IsDir() {
			return false
		}
	}
	return true
}
