package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// Kept is what a status found, for those who may not wait for one of their own.
type Kept struct {
	At        time.Time     `json:"at"`
	Took      time.Duration `json:"took"`
	Changes   int           `json:"changes"`
	Conflicts int           `json:"conflicts,omitempty"`
	Partial   bool          `json:"partial,omitempty"`
	// Stands tells where HEAD and index were: any command of Git's that changes something moves one of them.
	Stands string `json:"stands"`
}

// KeptStatuses is the name of the folder in moai's state directory that holds what was found last of each work tree.
const KeptStatuses = "status"

// keptFor is how long what was found is looked at. Nothing but a new status tells what people write in their editors.
const keptFor = 24 * time.Hour

func (r *Repo) keptIn(stateDir string) string {
	return filepath.Join(stateDir, KeptStatuses, state.ProjectKey(r.WorkTree)+".json")
}

// stands is a text that changes with HEAD and index. It is asked for before a status: what changes during one makes it old.
func (r *Repo) stands(h Head) string {
	text := h.Hash.String() + " " + h.Branch
	if info, err := os.Lstat(filepath.Join(r.GitDir, "index")); err == nil {
		text += fmt.Sprintf(" %d %d", info.ModTime().UnixNano(), info.Size())
	}
	return text
}

// Keep takes a status with look and remembers in a state directory what it found.
func (r *Repo) Keep(stateDir string, look func() (*Status, error)) (*Status, error) {
	h, herr := r.Head()
	k := Kept{At: time.Now(), Stands: r.stands(h)}
	st, err := look()
	if err != nil || herr != nil || stateDir == "" || r.Bare() {
		return st, err
	}
	k.Took, k.Changes, k.Conflicts, k.Partial = time.Since(k.At), len(st.Changes), st.Conflicts, st.Partial || len(st.Notes) > 0
	_ = state.Write(r.keptIn(stateDir), k) // a help, and no reason to fail
	return st, nil
}

// Kept is what was found last, and whether HEAD, which the caller has read, and index are still what they were. It is the zero value
// where nothing was.
func (r *Repo) Kept(stateDir string, h Head) (k Kept, same bool) {
	if r.Bare() || !state.Read(r.keptIn(stateDir), keptFor, &k) {
		return Kept{}, false
	}
	return k, k.Stands == r.stands(h)
}
