package undo

import (
	"os"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/diff"
	"github.com/modu-ai/moai/internal/repo"
)

// unsaved names the files that came in a span and that its snapshots have left out: they stay.
func (l *planner) unsaved(from, to *checkpoint.Checkpoint) {
	for _, k := range to.Skipped {
		if _, known := from.Left(k.Path); known || !l.asked(k.Path) {
			continue
		}
		side, err := l.trees.At(from, k.Path)
		fi, gone := os.Lstat(l.r.Path(k.Path))
		switch {
		case err != nil || gone != nil:
		case side.Mode == 0 && fi.Mode().IsRegular():
			l.keep(k.Path, "it was not there before, and no snapshot has it: "+k.Why, firmly)
		case fi.Mode()&(os.ModeNamedPipe|os.ModeSocket|os.ModeDevice|os.ModeIrregular) == 0:
		case side.Mode == 0:
			l.keep(k.Path, "it was not there before, and is "+k.Why, firmly)
		default:
			l.keep(k.Path, "it was a file before, and is "+k.Why+" now: take that away, and undo once more", firmly)
		}
	}
}

// file takes back what the span did to a file; ok says that it is the session's to take back.
func (l *planner) file(s *Span, from, to *checkpoint.Checkpoint, ch checkpoint.Change) (ok bool, err error) {
	if !l.asked(ch.Path) || ch.Path == checkpoint.LogName {
		return false, nil
	}
	cur, err := l.fileNow(ch.Path)
	if err != nil || cur == ch.New {
		return err == nil, err
	}
	if s.Whose != nil {
		if who, _ := s.Whose(ch.Path); who == Stranger {
			return false, nil // nothing of it is the session's, and there is nothing to say
		}
	}
	if committed, err := l.committed(s, from, to, ch, cur); err != nil || committed {
		return false, err
	}
	why, how := l.stays(s, from, to, &ch)
	if why == "" && ch.New.Mode == 0 {
		moved, err := l.movedHere(s, from, &ch)
		if err != nil {
			return false, err
		}
		if moved {
			why, how = "it is older than the turn: it was moved here, and is nowhere else any more", byForce
		}
	}
	if why != "" {
		l.keep(ch.Path, why, how)
		return false, nil
	}
	pieces := s.pieces(ch.Path)
	if pieces == nil && s.Left != nil {
		if last, known := s.Left(ch.Path); known {
			side, sure, err := l.left(&last, &ch)
			if err != nil {
				return false, err
			}
			if !sure && !l.o.Guess && !l.o.Force {
				l.keep(ch.Path, "nobody knows who changed it behind the agent", byWord)
				return false, nil
			}
			ch.Old = side
		}
	}
	if cur.Mode == 0 && l.files[ch.Path].Mode == 0 && !l.o.Force { // or Git ignores it since, and no snapshot sees it
		if there, is := checkpoint.OnDisk(l.r, ch.Path); is {
			if there != ch.New {
				l.keep(ch.Path, "Git ignores it now, and it is another than before", byForce)
			}
			return false, nil
		}
	}
	if pieces != nil && !l.o.Force {
		return l.byPieces(ch.Path, cur, pieces)
	}
	if cur == ch.Old || l.o.Force {
		l.files[ch.Path] = ch.New
		return true, nil
	}
	side, clean, err := l.merge(ch, cur)
	if err != nil {
		return false, err
	}
	if !clean {
		l.keep(ch.Path, "somebody else has changed it since", byForce)
		return false, nil
	}
	l.files[ch.Path], l.merged[ch.Path] = side, true
	return true, nil
}

// partly says that a file is of two.
const partly = "somebody else has changed it between two edits of the agent"

// between takes back what commands did to files that are the same at both ends of the span: somebody else has changed them before the
// commands, and these have taken that away.
func (l *planner) between(s *Span, taken map[string]bool) error {
	for _, path := range s.Touched {
		pieces := s.pieces(path)
		if _, known := taken[path]; known || pieces == nil || l.o.Force || !l.asked(path) || path == checkpoint.LogName {
			continue
		}
		if who, _ := s.Whose(path); who != Mine {
			continue
		}
		cur, err := l.fileNow(path)
		if err != nil {
			return err
		}
		if _, there := checkpoint.OnDisk(l.r, path); there && cur.Mode == 0 || cur.Mode == repo.ModeGitlink {
			continue
		}
		ok, err := l.byPieces(path, cur, pieces)
		if err != nil {
			return err
		}
		side := l.files[path]
		if !ok || side == cur {
			continue
		}
		before, err := l.views.snapshot(pieces[len(pieces)-1][0])
		if err != nil {
			return err
		}
		if perm, known := before.Permission(path, side); known && (side.Mode == repo.ModeFile || side.Mode == repo.ModeExec) {
			l.mode(path, perm)
		}
		taken[path] = false // its permissions are those of then
	}
	return nil
}

// byPieces takes back what each command of the session did to a file, the newest first. What others did in between, or since, is merged.
func (l *planner) byPieces(path string, cur checkpoint.Side, pieces []piece) (ok bool, err error) {
	side, merged := cur, false
	for _, p := range pieces {
		since, left, err := l.views.snapshots(p[0], p[1])
		if err != nil {
			return false, err
		}
		ch := checkpoint.Change{Path: path}
		if ch.New, err = l.fileAt(since, path); err != nil {
			return false, err
		}
		if ch.Old, err = l.fileAt(left, path); err != nil {
			return false, err
		}
		switch side {
		case ch.New:
		case ch.Old:
			side = ch.New
		default:
			clean := false
			if side, clean, err = l.merge(ch, side); err != nil {
				return false, err
			}
			if !clean {
				l.keep(path, "somebody else has changed it since", byForce)
				return false, nil
			}
			merged = true
		}
	}
	l.files[path], l.merged[path] = side, merged
	return true, nil
}

// stays says why a file is not taken back, whatever it is now; "" where it may be. How says what takes it along.
func (l *planner) stays(s *Span, from, to *checkpoint.Checkpoint, ch *checkpoint.Change) (why string, how hold) {
	if why, left := from.Left(ch.Path); left {
		return "it was not in the snapshot: " + why, firmly
	}
	if _, is := checkpoint.OnDisk(l.r, ch.Path); is && ch.Old.Mode == 0 {
		if why, left := to.Left(ch.Path); left {
			return "what is there was not saved: " + why, firmly
		}
	}
	if ch.New.Mode == 0 {
		if why := l.unseen.Why(ch.Path); why != "" {
			return "it may have been there before: " + why, firmly
		}
		if old := l.renamed(s, from, ch.Path); old != "" && !l.o.Force {
			return "it may be " + old + " by another name, of which no snapshot has a copy, since Git ignores it", byForce
		}
	}
	if s.Whose != nil && !l.o.Force {
		switch who, name := s.Whose(ch.Path); {
		case who == Other:
			return "changed by session " + name, byForce
		case who == Nobody && !l.o.Guess:
			return "nobody knows who changed it", byWord
		case who == Mixed && !l.o.Guess:
			return partly, byWord
		case who == Either && !l.o.Guess:
			return atOnce(name), byWord
		}
	}
	if ch.New.Mode == repo.ModeGitlink || ch.Old.Mode == repo.ModeGitlink {
		if _, err := os.Lstat(l.r.Path(ch.Path)); err != nil {
			return "a repository of its own, which is gone: moai checkpoint list has what was saved before", firmly
		}
		return "a repository of its own", firmly
	}
	return "", firmly
}

// left is a file as the session left it; sure is false where somebody has changed it behind a tool, and no snapshot has what the tool left.
func (l *planner) left(last *Last, ch *checkpoint.Change) (side checkpoint.Side, sure bool, err error) {
	if !last.Snapshot.IsZero() {
		at, err := checkpoint.SnapshotAt(l.r, last.Snapshot)
		if err != nil {
			return side, false, err
		}
		side, err = at.At(l.r, ch.Path)
		return side, true, err
	}
	is := func(side checkpoint.Side) bool {
		if side.Mode != repo.ModeFile && side.Mode != repo.ModeExec {
			return false
		}
		text, err := l.text(side.Hash)
		return err == nil && sumOf(text) == last.Sum
	}
	if is(ch.Old) {
		return ch.Old, true, nil
	}
	for _, h := range last.Seen {
		at, err := checkpoint.SnapshotAt(l.r, h)
		if err != nil {
			return side, false, err
		}
		if side, err = at.At(l.r, ch.Path); err != nil {
			return side, false, err
		}
		if is(side) {
			return side, true, nil
		}
	}
	return ch.Old, false, nil
}

// merge takes back the lines that the span changed and leaves those that others have changed since.
func (l *planner) merge(ch checkpoint.Change, cur checkpoint.Side) (side checkpoint.Side, clean bool, err error) {
	var texts [3][]byte
	for i, s := range [...]checkpoint.Side{ch.Old, cur, ch.New} {
		if s.Mode != repo.ModeFile && s.Mode != repo.ModeExec {
			return side, false, nil
		}
		if texts[i], err = l.text(s.Hash); err != nil {
			return side, false, err
		}
	}
	merged, clean := diff.Merge(texts[0], texts[1], texts[2])
	if !clean {
		return side, false, nil
	}
	side = checkpoint.Side{Mode: cur.Mode, Hash: repo.HashObject(l.r.HashSize(), repo.KindBlob, merged)}
	if cur.Mode == ch.Old.Mode {
		side.Mode = ch.New.Mode
	}
	l.texts[side.Hash] = merged
	return side, true, nil
}
