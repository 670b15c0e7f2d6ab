package undo

import (
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/checkpoint"
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
			l.keep(k.Path, "it was a file before, and is "+k.Why+" now", byMoving)
		}
	}
}

// file takes back what the span did to a file; ok says that it is the session's to take back.
func (l *planner) file(s *Span, from, to *checkpoint.Checkpoint, ch checkpoint.Change) (ok bool, err error) {
	if !l.asked(ch.Path) || ch.Path == checkpoint.LogName {
		return false, nil
	}
	cur, err := l.fileNow(ch.Path)
	if err == nil && cur.Mode == 0 && (ch.New.Mode != 0 || s.All) {
		l.hides(ch.Path)
	}
	if err != nil || cur == ch.New {
		return err == nil, err
	}
	if s.Whose != nil {
		if who, _ := s.Whose(ch.Path); who == Stranger {
			return false, nil // nothing of it is the session's, and there is nothing to say
		}
	}
	if inside, err := l.inRepository(ch.Path); err != nil || inside {
		return false, err
	}
	if stays, err := l.letBe(s, from, to, ch, cur); err != nil || stays {
		return false, err
	}
	if ch.Old.Mode == 0 && l.o.Left != nil && l.o.Left(ch.Path) { // it was tracked, and what is there is what the turns made of it
		l.files[ch.Path] = ch.New
		return true, nil
	}
	pieces := s.pieces(ch.Path)
	if pieces == nil && s.Left != nil {
		if known, err := l.asLeft(s, &ch); err != nil || !known {
			return false, err
		}
	}
	if cur.Mode == 0 && l.hidden(ch.Path, ch.New) {
		return false, nil
	}
	if pieces != nil && !l.o.Force {
		_, by := s.Whose(ch.Path)
		return l.byPieces(ch.Path, cur, pieces, by)
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

// asLeft has a change end with what the session itself left, where that is known; what somebody may have changed behind it is kept.
func (l *planner) asLeft(s *Span, ch *checkpoint.Change) (known bool, err error) {
	last, told := s.Left(ch.Path)
	if !told {
		return true, nil
	}
	side, sure, err := l.left(&last, ch)
	if err != nil {
		return false, err
	}
	if !sure && !l.o.Guess && !l.o.Force {
		l.keep(ch.Path, "nobody knows who changed it behind the agent", byWord)
		return false, nil
	}
	ch.Old = side
	return true, nil
}

// nowRepository says of a folder that it has become a repository.
const nowRepository = "it is a repository of its own now, and all that is in it stays"

// inRepository keeps what lies in a folder that has become a repository of its own: no snapshot has what is in there now.
func (l *planner) inRepository(path string) (bool, error) {
	for d := range folders(path) {
		side, err := l.trees.At(l.now, d)
		if err != nil {
			return false, err
		}
		if side.Mode == repo.ModeGitlink {
			l.keep(d, nowRepository, byMoving)
			return true, nil
		}
	}
	return false, nil
}

// partly says that a file is of two, and halfway that the newer part of what the agent did to it goes back.
const (
	partly  = "somebody else has changed it between two edits of the agent"
	halfway = "it goes back to what somebody else left between two edits of the agent, and no further"
)

// known reports pieces of which the newest can be taken back.
func known(pieces []piece) bool { return len(pieces) > 0 && !pieces[0][1].IsZero() }

// letBe leaves a file as it is where it must, and names it where somebody would wonder.
func (l *planner) letBe(s *Span, from, to *checkpoint.Checkpoint, ch checkpoint.Change, cur checkpoint.Side) (bool, error) {
	if committed, err := l.committed(s, from, to, ch, cur); err != nil || committed {
		return committed, err
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
	}
	return why != "", nil
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
	if ch.New.Mode == 0 && !s.All { // an undo brings a file where nothing is
		if why := l.unseen.Why(ch.Path); why != "" && (l.o.NotThen == nil || !l.o.NotThen(ch.Path)) {
			return "it may have been there before: " + why, firmly
		}
		if old := l.renamed(s, from, ch.Path); old != "" {
			return "it may be " + old + " by another name, of which no snapshot has a copy, since Git ignores it", firmly
		}
		if old := l.packed(s, ch.Path); old != "" {
			return "it may hold what " + old + " held, of which no snapshot has a copy", firmly
		}
	}
	if s.Whose != nil && !l.o.Force {
		switch who, name := s.Whose(ch.Path); {
		case who == Other:
			return changedBy(name), byForce
		case who == Nobody && !l.o.Guess:
			return "nobody knows who changed it", byWord
		case who == Mixed && !l.o.Guess && !known(s.pieces(ch.Path)):
			return partly, byWord
		case who == Either && !l.o.Guess:
			return atOnce(name), byWord
		case who == Unheard && !l.o.Guess:
			return unheard(name), byWord
		}
	}
	if ch.New.Mode == repo.ModeGitlink || ch.Old.Mode == repo.ModeGitlink {
		if _, err := os.Lstat(filepath.Join(l.r.Path(ch.Path), ".git")); err != nil && (ch.New.Mode == repo.ModeGitlink || !l.there(ch.Path)) {
			return l.repositoryGone(from, ch.Path), firmly
		}
		if ch.New.Mode == 0 {
			return nowRepository, byMoving
		}
		return "a repository of its own", firmly
	}
	return "", firmly
}

// repositoryGone says of a repository inside that is gone what brings it back: of a submodule, Git has the repository itself still, with the checkpoints
// that were taken in it. Where it is not staged any more it is again when all is taken back. Of another one nothing is left.
func (l *planner) repositoryGone(from *checkpoint.Checkpoint, path string) string {
	staged := func(c *checkpoint.Checkpoint) bool {
		side, err := l.trees.StagedAt(c, path)
		return err == nil && side.Mode == repo.ModeGitlink
	}
	if !staged(l.now) && (len(l.o.Paths) > 0 || !staged(from)) {
		return "a repository of its own, which is gone, and no snapshot has it"
	}
	dir := filepath.ToSlash(l.r.Path(path)) // whole: the person may stand in any folder
	back := "git submodule update --init " + argv.Quote(dir)
	saved := ""
	var before []byte
	if side, err := l.trees.At(from, ".gitmodules"); err == nil && side.Mode != 0 {
		before, _ = l.text(side.Hash)
	}
	if at := l.r.Module(path, before); at != "" {
		if sub, err := repo.Open(at); err == nil {
			if c, err := checkpoint.Newest(sub); err == nil {
				back, saved = checkpoint.Inner{Name: c.Name, Staged: c.Staged}.Back(dir, checkpoint.Empty, false), ", with what was saved in it"
			}
		}
	}
	is := "is gone"
	if l.there(path) {
		is, l.emptied = "has been emptied", append(l.emptied, path)
	}
	return "a submodule, which " + is + ": `" + back + "` brings it back" + saved
}

func (l *planner) there(path string) bool {
	_, err := os.Lstat(l.r.Path(path))
	return err == nil
}
