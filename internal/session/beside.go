package session

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
)

// maxRecord bounds a record in bytes; its lists are bounded, too.
const maxRecord = 1 << 20

// Beside is how many other sessions go on in the work tree in which s is. A status line asks that every few seconds, so of each
// record no more is read than tells it.
func Beside(stateDir string, s *Session, now time.Time) (n int) {
	here := s.Now.Tree()
	quoted, err := json.Marshal(here) // as it stands in a record
	if err != nil {
		return 0
	}
	for i, e := range state.Files(Folder(stateDir)) {
		if i == maxRead {
			break
		}
		data, st, err := disk.ReadFile(filepath.Join(Folder(stateDir), e.Name()), maxRecord)
		if err != nil || !bytes.Contains(data, quoted) {
			continue
		}
		var one struct {
			ID     string    `json:"id"`
			Client Client    `json:"client"`
			Host   string    `json:"host"`
			Now    Place     `json:"now"`
			Seen   time.Time `json:"last_seen"`
			Ended  time.Time `json:"ended_at"`
		}
		if json.Unmarshal(data, &one) != nil || one.ID == "" || one.ID == s.ID || one.Now.Tree() != here {
			continue
		}
		o := Session{ID: one.ID, Client: one.Client, Host: one.Host, Seen: one.Seen, Ended: one.Ended}
		if at := time.Unix(st.Mtime, int64(st.MtimeNs)); at.After(o.Seen) { // as for every reader
			o.Seen = at
		}
		if o.Standing(now) == Running {
			n++
		}
	}
	return n
}
