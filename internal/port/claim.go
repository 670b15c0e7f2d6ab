package port

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
)

// Lease is how long a session may be silent and hold its port all the same. One that is in the middle of a turn, as far as can be
// told, is at work however long a command of it takes.
const Lease = 15 * time.Minute

// Claim says that a session runs a port. A file of it is made by one process alone.
type Claim struct {
	Port     string    `json:"port"`
	Session  string    `json:"session"`
	At       time.Time `json:"at"`
	WorkTree string    `json:"worktree,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	Head     string    `json:"head,omitempty"` // the commit on which it began
	Turn     int       `json:"turn,omitempty"` // of the session, in which it began
}

func (r *Room) claim(id string) string {
	return state.File(filepath.Join(r.Kept, "claim"), id)
}

// claimed reads who claimed a port last. A file that a dying process left empty, or that is damaged, is a claim of nobody.
func (r *Room) claimed(id string) (*Claim, bool) {
	data, _, err := disk.ReadFile(r.claim(id), maxFile)
	if err != nil {
		return nil, false
	}
	c := &Claim{}
	if json.Unmarshal(data, c) != nil || c.Session == "" {
		info, err := os.Stat(r.claim(id))
		return &Claim{Port: id}, err == nil && time.Since(info.ModTime()) < time.Minute // it may be written just now
	}
	return c, true
}

// Holds reports whether the session of a claim is still at work.
func (r *Room) Holds(c *Claim, now time.Time) bool {
	s := session.Read(r.StateDir, c.Session)
	if s == nil {
		return now.Sub(c.At) < Lease
	}
	switch s.Standing(now) {
	case session.Running:
		return now.Sub(s.Seen) < Lease || s.Turn.Runs() && s.Known()
	case session.Gone, session.Over:
	}
	return false
}

// holder is who claimed a port last, and whether that holds.
func (r *Room) holder(id string, now time.Time) (c *Claim, holds bool) {
	c, there := r.claimed(id)
	if c == nil || c.Session == "" {
		return nil, there
	}
	return c, r.Holds(c, now)
}

// Board is how all ports stand, and what could not be read.
func (r *Room) Board(now time.Time) (Board, []error) {
	list, broken := r.List()
	return standings(list, func(id string) (*Claim, bool) {
		c, holds := r.holder(id, now)
		if c == nil && holds {
			c = &Claim{Port: id}
		}
		return c, holds
	}), broken
}

// Runs is the claim by which a session runs a port, nil for none. A claim that has lapsed counts as long as nobody else has taken
// the port: whoever asks is at work.
func (r *Room) Runs(id, sessionID string) *Claim {
	if id == "" || sessionID == "" {
		return nil
	}
	if c, _ := r.claimed(id); c != nil && c.Session == sessionID {
		return c
	}
	return nil
}

// Held says that another session runs a port.
type Held struct{ By Claim }

func (h *Held) Error() string {
	return fmt.Sprintf("port %s is run by session %s", h.By.Port, session.Short(h.By.Session))
}

// Waiting says that a port cannot begin.
type Waiting struct {
	*Standing
}

func (w *Waiting) Error() string {
	switch {
	case w.Over():
		return fmt.Sprintf("port %s is %s", w.ID, w.Status)
	case w.Circle != nil:
		return (&Circle{w.Circle}).Error()
	case w.Status == Blocked:
		return fmt.Sprintf("port %s is blocked: %s", w.ID, w.Why)
	}
	return fmt.Sprintf("port %s waits for %s", w.ID, list(w.Waits))
}

// Start has a session run a port, and returns who had it before, where somebody has lost it. A port that the session runs already
// is started again without a word.
func (r *Room) Start(c Claim, now time.Time) (p *Port, lost *Claim, err error) {
	if p, err = r.Read(c.Port); err != nil {
		return nil, nil, err
	}
	if r.Runs(c.Port, c.Session) != nil {
		return p, nil, nil
	}
	board, _ := r.Board(now)
	switch s := board.Of(c.Port); {
	case s == nil:
		return nil, nil, fmt.Errorf("%w %s", ErrNone, c.Port)
	case s.Status == Running:
		return nil, nil, &Held{r.whose(c.Port)}
	case !s.Ready:
		return nil, nil, &Waiting{s}
	}
	lost, err = r.take(c, now)
	return p, lost, err
}

func (r *Room) whose(id string) Claim {
	if c, _ := r.claimed(id); c != nil {
		return *c
	}
	return Claim{Port: id}
}

// take makes the claim. Who makes the file has the port, whatever becomes of locks; one that has lapsed is taken away first, under
// the lock, so that nobody takes away a new one.
func (r *Room) take(c Claim, now time.Time) (lost *Claim, err error) {
	c.At = now
	data, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	path := r.claim(c.Port)
	err = r.locked(func() error {
		old, holds := r.holder(c.Port, now)
		if holds {
			return &Held{r.whose(c.Port)}
		}
		if old != nil {
			if err := r.finish(*old, r.seen(old), 0); err != nil {
				return err
			}
			lost = old
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("take port: %w", err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("take port: %w", err)
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return &Held{r.whose(c.Port)}
		}
		if err != nil {
			return fmt.Errorf("take port: %w", err)
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	})
	return lost, err
}

// seen is when the session of a claim was last seen.
func (r *Room) seen(c *Claim) time.Time {
	if s := session.Read(r.StateDir, c.Session); s != nil && s.Seen.After(c.At) {
		return s.Seen
	}
	return c.At
}

// Leave ends the claim of a session without ending the port. Turn is the session's, the last one at it.
func (r *Room) Leave(id, sessionID string, turn int, now time.Time) error {
	return r.locked(func() error {
		c, _ := r.claimed(id)
		if c == nil || c.Session != sessionID {
			return nil
		}
		if err := r.finish(*c, now, turn); err != nil {
			return err
		}
		if err := os.Remove(r.claim(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("leave port: %w", err)
		}
		return nil
	})
}

// Adopt gives the port that lapsed with a session to the one that goes on with it: in the same work tree, on the same branch. From is
// the session from which that one comes, "" where nobody knows. It returns the claim, nil where there is nothing to go on with.
func (r *Room) Adopt(c Claim, from string, now time.Time) (*Claim, error) {
	entries, err := os.ReadDir(filepath.Join(r.Kept, "claim"))
	if err != nil {
		return nil, nil // nobody has claimed anything
	}
	var last *Claim
	for _, e := range entries {
		old := &Claim{}
		if !state.Read(filepath.Join(r.Kept, "claim", e.Name()), 0, old) || old.Session == "" || old.WorkTree != c.WorkTree || old.Branch != c.Branch || old.Session != from && r.Holds(old, now) {
			continue
		}
		if p, err := r.Read(old.Port); err != nil || p.Over() {
			continue
		}
		if last == nil || last.Session != from && (old.Session == from || old.At.After(last.At)) {
			last = old
		}
	}
	if last == nil || last.Session == c.Session {
		return last, nil
	}
	c.Port, c.Head = last.Port, last.Head
	if err := r.Leave(last.Port, last.Session, 0, r.seen(last)); err != nil {
		return nil, err
	}
	if _, err := r.take(c, now); err != nil {
		return nil, err
	}
	return &c, nil
}

// Others are the claims of other sessions that hold.
func (r *Room) Others(sessionID string, now time.Time) (list []Claim) {
	entries, err := os.ReadDir(filepath.Join(r.Kept, "claim"))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		c := Claim{}
		if state.Read(filepath.Join(r.Kept, "claim", e.Name()), 0, &c) && c.Session != "" && c.Session != sessionID && r.Holds(&c, now) {
			list = append(list, c)
		}
	}
	return list
}
