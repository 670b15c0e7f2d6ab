package undo

import (
	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/diff"
	"github.com/modu-ai/moai/internal/repo"
)

// between takes back what commands did to files that are the same at both ends of the span: somebody else has changed them before the
// commands, and these have taken that away.
func (l *planner) between(s *Span, taken map[string]bool) error {
	for _, path := range s.Touched {
		pieces := s.pieces(path)
		if _, known := taken[path]; known || pieces == nil || l.o.Force || !l.asked(path) || path == checkpoint.LogName {
			continue
		}
		who, by := s.Whose(path)
		if who != Mine && !(who == Mixed && known(pieces)) {
			continue
		}
		cur, err := l.fileNow(path)
		if err != nil {
			return err
		}
		_, planned := l.files[path]
		if _, there := checkpoint.OnDisk(l.r, path); there && cur.Mode == 0 && !planned || cur.Mode == repo.ModeGitlink {
			continue
		}
		ok, err := l.byPieces(path, cur, pieces, by)
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
		if perm, known := before.Permission(l.r, path, side); known && (side.Mode == repo.ModeFile || side.Mode == repo.ModeExec) {
			l.mode(path, perm)
		}
		taken[path] = false // its permissions are those of then
	}
	return nil
}

// byPieces takes back what each command of the session did to a file, the newest first. What others did in between, or since, is merged; by is the session that did, "" where that is not known.
func (l *planner) byPieces(path string, cur checkpoint.Side, pieces []piece, by string) (ok bool, err error) {
	side, merged := cur, false
	for i, p := range pieces {
		if p[1].IsZero() && !l.o.Guess { // what the agent left there nobody knows
			if i == 0 {
				l.keep(path, partly, byWord)
				return false, nil
			}
			l.keep(path, halfway, byWord)
			break
		}
		if p[1].IsZero() {
			before, err := l.views.snapshot(p[0])
			if err != nil {
				return false, err
			}
			if side, err = l.fileAt(before, path); err != nil {
				return false, err
			}
			continue
		}
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
				l.keep(path, changedBy(by), byForce)
				return false, nil
			}
			merged = true
		}
	}
	l.files[path], l.merged[path] = side, merged
	return true, nil
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

// changedBy says who has changed a file.
func changedBy(session string) string {
	if session == "" {
		return "somebody else has changed it since"
	}
	return "changed by session " + session
}
