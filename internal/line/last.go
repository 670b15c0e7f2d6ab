package line

import (
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// Folder is where the last line of each session lies, in the state folder. Of a line that would come too late the last one is
// shown; and that there is one says that somebody looks at it.
const Folder = "line"

// maxLine bounds what is read back, in bytes.
const maxLine = 8 << 10

// fresh is how old the time of the last line may be that is not renewed, and Watching how old it is where nobody looks any more.
const (
	fresh    = time.Minute
	Watching = 10 * time.Minute
)

// Last is the last line of a session, and its time.
type Last struct {
	path string
	Text string
	at   time.Time
}

func lastPath(stateDir, session string) string {
	return filepath.Join(stateDir, Folder, state.SafeName(session)+".txt")
}

// ReadLast is the last line of a session; the one without a text if there was none.
func ReadLast(stateDir, session string) *Last {
	l := &Last{path: lastPath(stateDir, session)}
	data, st, err := disk.ReadFile(l.path, maxLine)
	if err == nil {
		l.Text, l.at = string(data), time.Unix(st.Mtime, int64(st.MtimeNs))
	}
	return l
}

// Keep writes another line in its place. One that is the same gets a new time, once a minute.
func (l *Last) Keep(text string, now time.Time) {
	if text != l.Text {
		_ = state.Replace(l.path, []byte(text)) // a help, and no reason to fail
	} else if now.Sub(l.at) > fresh {
		_ = os.Chtimes(l.path, time.Time{}, now)
	}
}

// Watched reports that the line of a session was asked for lately.
func Watched(stateDir, session string, now time.Time) bool {
	info, err := os.Lstat(lastPath(stateDir, session))
	return session != "" && err == nil && now.Sub(info.ModTime()) < Watching
}
