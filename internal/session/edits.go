package session

import (
	"slices"
	"time"
)

// Edits are what the client's tools did to files in a session: how often, to which, and how they left them. They lie in the record of the
// session, which an edit writes anyway.
type Edits struct {
	Count int       `json:"count,omitempty"`
	Last  []Edit    `json:"last,omitempty"` // the last of each file, and all of the last minute
	Left  []Left    `json:"left,omitempty"` // files as a tool left them
	Burst time.Time `json:"burst,omitzero"` // the last snapshot for many edits
}

// Edit is one, of a file by its path in the project.
type Edit struct {
	Path string    `json:"path"`
	At   time.Time `json:"at"`
}

// Left is a file as a tool of the client left it.
type Left struct {
	Path string `json:"path"` // absolute
	Size int64  `json:"size"`
	Sum  string `json:"sum"`
}

// Bounds of these lists: each edit reads and writes them.
const (
	keepEdits = 60 // far more than the ten in a minute that are asked about
	keepLeft  = 60
	keepShown = 30
)

// burst is the time within which edits are one refactoring, with one snapshot before it.
const burst = time.Minute

// Recent counts the edits within the last minute before now; none while the snapshot for them is younger than that.
func (e *Edits) Recent(now time.Time) int {
	if d := now.Sub(e.Burst); d >= 0 && d < burst {
		return 0
	}
	n := 0
	for _, one := range e.Last {
		if d := now.Sub(one.At); d >= 0 && d < burst {
			n++
		}
	}
	return n
}

// Add notes an edit; the oldest go first. A file that is edited all day is kept once.
func (e *Edits) Add(path string, at time.Time) {
	e.Count++
	e.Last = slices.DeleteFunc(e.Last, func(old Edit) bool { return old.Path == path && at.Sub(old.At) >= burst })
	e.Last = add(e.Last, Edit{path, at}, keepEdits)
}

// Paths lists files once each, the last edited first, at most 30: what a compacted session goes on with is among the last.
func (e *Edits) Paths() (paths []string) {
	for _, one := range slices.Backward(e.Last) {
		if !slices.Contains(paths, one.Path) {
			paths = append(paths, one.Path)
		}
		if len(paths) == keepShown {
			break
		}
	}
	return paths
}

// Leave remembers how a tool left a file.
func (e *Edits) Leave(w Left) {
	e.Left = slices.DeleteFunc(e.Left, func(old Left) bool { return old.Path == w.Path })
	e.Left = add(e.Left, w, keepLeft)
}

// As is how a tool of the session left a file; false for one that none has written.
func (e *Edits) As(path string) (Left, bool) {
	i := slices.IndexFunc(e.Left, func(w Left) bool { return w.Path == path })
	if i < 0 {
		return Left{}, false
	}
	return e.Left[i], true
}
