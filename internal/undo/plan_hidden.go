package undo

import (
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
)

// hidden reports a file that is there, and that no snapshot sees, since Git ignores it by now. Where it is not as it is to be it is named. One that a span
// behind this one takes away is still there, and comes back with this one.
func (l *planner) hidden(path string, as checkpoint.Side) bool {
	if _, planned := l.files[path]; planned {
		return false
	}
	there, is := checkpoint.OnDisk(l.r, path)
	if is && there != as {
		l.keep(path, "Git ignores it now, and no snapshot has what is there", byMoving)
	}
	return is
}

// hides notes a file that is there, and that the snapshot of now does not have.
func (l *planner) hides(path string) {
	if _, planned := l.files[path]; planned || slices.Contains(l.p.Hidden, path) {
		return
	}
	if _, is := checkpoint.OnDisk(l.r, path); is {
		l.p.Hidden = append(l.p.Hidden, path)
	}
}
