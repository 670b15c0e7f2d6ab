package loop

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// Keep is how long a loop that is over can be looked at.
const Keep = 14 * 24 * time.Hour

// Folder is where loops lie, in the state folder of moai; what is older than Keep may be removed.
const Folder = "loop"

func path(stateDir, session string) string {
	return state.File(filepath.Join(stateDir, Folder), session)
}

// Read is the loop of a session, the last one if it is over; nil for none.
func Read(stateDir, session string) *Loop {
	if session == "" {
		return nil
	}
	return read(path(stateDir, session))
}

func read(path string) *Loop {
	l := &Loop{}
	if !state.Read(path, Keep, l) || l.Session == "" {
		return nil
	}
	return l
}

// Change edits the loop of a session under its lock. Nothing is written where change reports false.
func Change(stateDir, session string, change func(*Loop) bool) error {
	return state.Update(path(stateDir, session), Keep, change)
}

// All are the loops that are known of a project ("" for all projects): those that run first, each kind by its beginning, the
// newest first.
func All(stateDir, project string) (list []*Loop) {
	dir := filepath.Join(stateDir, Folder)
	for _, e := range state.Files(dir) {
		if l := read(filepath.Join(dir, e.Name())); l != nil && (project == "" || l.Project == project) {
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b *Loop) int {
		if a.Runs() != b.Runs() {
			if a.Runs() {
				return -1
			}
			return 1
		}
		return b.Began.Compare(a.Began)
	})
	return list
}
