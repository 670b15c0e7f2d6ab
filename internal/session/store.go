package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// Keep is how long a session that does nothing is known. Clients resume sessions days later.
const Keep = 14 * 24 * time.Hour

// fresh is how old the time of a record may be that is not renewed.
const fresh = time.Minute

// maxRead bounds how many records one question reads: scripts start clients by the thousand.
const maxRead = 500

// Folder is where the records lie. Those of sessions that have ended lie in a folder of their own in it, so that whoever
// asks for the others need not read them.
func Folder(stateDir string) string { return filepath.Join(stateDir, Folders()[0]) }

func ended(stateDir string) string { return filepath.Join(stateDir, Folders()[1]) }

// Folders are their names in the state folder.
func Folders() [2]string { return [2]string{"identity", filepath.Join("identity", "ended")} }

// Path is the record of a session that goes on.
func Path(stateDir, id string) string {
	return state.File(Folder(stateDir), id)
}

// Read is the session of an id, as it is kept; nil for one that is not known. It takes no lock.
func Read(stateDir, id string) *Session {
	if id == "" {
		return nil
	}
	path := Path(stateDir, id)
	if s := read(path); s != nil {
		return s
	}
	return read(filepath.Join(ended(stateDir), filepath.Base(path)))
}

func read(path string) *Session {
	s := &Session{}
	at, ok := state.ReadTimed(path, Keep, s)
	if !ok || s.ID == "" {
		return nil
	}
	// The time of the file is the time of the last hook: one that has nothing to say only touches it.
	if s.Ended.IsZero() && at.After(s.Seen) {
		s.Seen = at.UTC()
	}
	return s
}

// Touch notes that a session was seen, with one look at its file and, once a minute, a new time of it. It reports false
// for a session that is not known, or has ended; news says that the time is a new one.
func Touch(stateDir, id string, now time.Time) (known, news bool) {
	path := Path(stateDir, id)
	st, err := disk.At(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist), false // what cannot be looked at cannot be written either
	}
	if news = time.Duration(now.UnixNano()-st.ModifiedNano()) > fresh; news {
		_ = os.Chtimes(path, time.Time{}, now)
	}
	return true, news
}

// Wait gives the record of a session that waits for a person a time of which Touch makes a new one with the next event: that one finds out
// whether it waits no more.
func Wait(stateDir, id string, now time.Time) {
	_ = os.Chtimes(Path(stateDir, id), time.Time{}, now.Add(-fresh-time.Second))
}

// Change edits the record of a session under its lock and writes it whole, so that hooks of one session that run side by
// side lose nothing. Unknown makes the record of a session that is not known yet; it runs under the lock. Nothing is
// written where change reports false and the session is known. A session that change closes, or opens, goes to where it
// belongs then.
func Change(stateDir, id string, now time.Time, unknown func() *Session, change func(*Session) bool) error {
	if id == "" {
		return nil
	}
	here := Path(stateDir, id)
	there := filepath.Join(ended(stateDir), filepath.Base(here))
	return state.LockedWithin(here+".lock", state.Soon, func() error {
		s, found := read(here), here
		if s == nil {
			s, found = read(there), there
		}
		known := s != nil
		if !known {
			s = unknown()
			s.ID, s.Started = id, now
		}
		if !change(s) && known {
			return nil
		}
		path, other := here, there
		if s.Ended.IsZero() {
			s.Seen = now
		} else {
			path, other = there, here
		}
		if err := state.Swap(path, s); err != nil {
			return fmt.Errorf("keep session: %w", err)
		}
		if known && found == path {
			return nil
		}
		// A process that is ended here leaves both: the one that goes on counts, until it is closed as every other.
		if err := os.Remove(other); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("keep session: %w", err)
		}
		return nil
	})
}

// Open are the sessions that nobody has ended, the last seen first. Those that were seen before since are left out
// unread, so that a question about the last minutes costs little.
func Open(stateDir string, since time.Time) []*Session {
	list := folder(Folder(stateDir), func(_ string, at time.Time) bool { return !at.Before(since) })
	slices.SortStableFunc(list, bySeen)
	return list
}

// Silent are the sessions that nobody has ended and that were not seen since then. The others are not read.
func Silent(stateDir string, since time.Time) []*Session {
	return folder(Folder(stateDir), func(_ string, at time.Time) bool { return at.Before(since) })
}

// Recent are Open and those that have ended within a day, the last seen first: from one of them a new one comes.
func Recent(stateDir string, now time.Time) []*Session {
	return all(stateDir, func(_ string, at time.Time) bool { return now.Sub(at) < Silence })
}

// All are Open and those that have ended, as long as they are kept.
func All(stateDir string) []*Session {
	return all(stateDir, always)
}

func always(string, time.Time) bool { return true }

func all(stateDir string, over func(name string, at time.Time) bool) []*Session {
	list := folder(Folder(stateDir), always)
	seen := map[string]bool{}
	for _, s := range list {
		seen[s.ID] = true
	}
	for _, s := range folder(ended(stateDir), over) {
		if !seen[s.ID] {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, bySeen)
	return list
}

func bySeen(a, b *Session) int { return b.Seen.Compare(a.Seen) }

// folder reads the records of a folder whose time is wanted, the latest maxRead of them.
func folder(dir string, wanted func(name string, at time.Time) bool) (list []*Session) {
	type record struct {
		path string
		at   time.Time
	}
	var found []record
	for _, e := range state.Files(dir) {
		if info, err := e.Info(); err == nil && wanted(e.Name(), info.ModTime()) {
			found = append(found, record{filepath.Join(dir, e.Name()), info.ModTime()})
		}
	}
	if len(found) > maxRead {
		slices.SortFunc(found, func(a, b record) int { return b.at.Compare(a.at) })
		found = found[:maxRead]
	}
	for _, r := range found {
		if s := read(r.path); s != nil {
			list = append(list, s)
		}
	}
	return list
}

// Lately are the other sessions that go on and whose tools changed some file since then, the last seen first. Only what was written
// since is read, and of the session itself nothing.
func Lately(stateDir, id string, since, now time.Time) []*Session {
	list := folder(Folder(stateDir), others(stateDir, id, since))
	slices.SortStableFunc(list, bySeen)
	return slices.DeleteFunc(list, func(s *Session) bool {
		fresh := slices.ContainsFunc(s.Wrote, func(w Write) bool { return !w.At.Before(since) })
		return !fresh || s.Standing(now) != Running
	})
}

// Alone reports that no other session was seen since then. Nothing is read for that.
func Alone(stateDir, id string, since time.Time) bool {
	alone, other := true, others(stateDir, id, since)
	folder(Folder(stateDir), func(name string, at time.Time) bool {
		alone = alone && !other(name, at)
		return false
	})
	return alone
}

// others wants the records of the other sessions that were seen since then.
func others(stateDir, id string, since time.Time) func(name string, at time.Time) bool {
	own := filepath.Base(Path(stateDir, id))
	return func(name string, at time.Time) bool { return name != own && !at.Before(since) }
}

// Wrote are those of them that changed a file since then, the last one first. Path has its links followed; see Real.
func Wrote(list []*Session, path string, since time.Time) (by []*Session, last Write) {
	for _, s := range list {
		w, ok := s.wrote(path)
		if !ok || w.At.Before(since) {
			continue
		}
		if by = append(by, s); w.At.After(last.At) {
			last = w
			by[0], by[len(by)-1] = s, by[0]
		}
	}
	return by, last
}

// Tree is the work tree of a place, or the folder itself outside Git.
func (p *Place) Tree() string {
	if p.WorkTree != "" {
		return p.WorkTree
	}
	return p.Dir
}

// In reports a place in a work tree, or in a folder outside Git.
func (p *Place) In(tree string) bool {
	if p.WorkTree != "" {
		return p.WorkTree == tree
	}
	rel, err := filepath.Rel(tree, p.Dir)
	return err == nil && filepath.IsLocal(rel)
}

// Silenced gives the record of a session the time at which it was seen: others may write it, and that is no sign of life.
func Silenced(stateDir, id string, seen time.Time) {
	if s := Read(stateDir, id); s != nil && s.Asks != nil {
		Wait(stateDir, id, time.Now())
		return
	}
	_ = os.Chtimes(Path(stateDir, id), time.Time{}, seen)
}
