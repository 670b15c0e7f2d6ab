package undo

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
)

// packed is a file of which nothing but a new one may tell by now: it is gone, and the new one has its name in another folder, or behind its name
// the ending of what packed it. "" for none.
func (l *planner) packed(s *Span, name string) string {
	at := slices.IndexFunc(l.o.Gone, func(gone string) bool {
		if _, comes := l.files[gone]; comes {
			return false
		}
		rest, same := strings.CutPrefix(path.Base(name), path.Base(gone))
		return same && (rest == "" || rest[0] == '.')
	})
	if s.All || at < 0 {
		return ""
	}
	return l.o.Gone[at]
}

// seenBetween brings back what is gone and was tracked for a while: the first snapshot behind a command that has it, or what that command
// committed or put into the stash, has it as it was.
func (l *planner) seenBetween(s *Span, taken map[string]bool) error {
	if s.All || len(l.o.Gone) == 0 {
		return nil
	}
	for _, gone := range l.o.Gone {
		if _, planned := l.files[gone]; planned || !l.asked(gone) {
			continue
		}
		for _, w := range byTime(s.own) {
			before, after, err := l.views.snapshots(w.since, w.left)
			if err != nil {
				return err
			}
			side, err := l.heldBy(before, after, gone)
			if err != nil {
				return err
			}
			if side.Mode != 0 && side.Mode != repo.ModeGitlink {
				l.files[gone], taken[gone], l.became.Took = side, true, true
				break
			}
		}
	}
	return nil
}

// byTime are windows, the oldest first.
func byTime(list []window) []window {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b window) int { return a.began.Compare(b.began) })
	return list
}

// heldBy is a file in the snapshots around a command, or in what the command moved a branch or the stash to.
func (l *planner) heldBy(before, after *checkpoint.Checkpoint, name string) (side checkpoint.Side, err error) {
	for _, c := range [...]*checkpoint.Checkpoint{before, after} {
		if side, err = l.fileAt(c, name); err != nil || side.Mode != 0 {
			return side, err
		}
	}
	was := byName(before.Pins)
	for _, p := range after.Pins {
		if was[p.Ref] == p.Hash {
			continue
		}
		tree, err := l.commit(p.Hash)
		if err != nil {
			continue // it is not here any more: nothing tells
		}
		if side, err = l.fileAt(tree, name); err != nil || side.Mode != 0 {
			return side, err
		}
	}
	return checkpoint.Side{}, nil
}
