package handle

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/undo"
)

// maxWrote is how large a file may be to be read for this.
const maxWrote = 1 << 20

// left is a file as it is now, and what it holds; ok is false for what is no plain file, or too large.
func left(path string) (w session.Left, text []byte, ok bool) {
	text, err := disk.ReadItself(path, maxWrote)
	if err != nil {
		return w, nil, false
	}
	sum := sha256.Sum256(text)
	return session.Left{Path: path, Size: int64(len(text)), Sum: undo.SumText(sum[:])}, text, true
}

// stillWrote reports that a file is, to the byte, as a tool of a session left it: to
// write it again takes nobody else's work.
func stillWrote(edits *session.Edits, path string) bool {
	path = filepath.Clean(path)
	was, known := edits.As(path)
	if !known {
		return false
	}
	// The size first: a file that somebody changed is not read at all, mostly.
	if info, err := os.Lstat(path); err != nil || info.Size() != was.Size {
		return false
	}
	now, _, ok := left(path)
	return ok && now == was
}

// kept reports that a call does nothing but write files whose content the session's last
// snapshot holds. Ten files with somebody's work in them are ten edits and one snapshot.
func (h *Handlers) kept(id string, v *risk.Verdict) bool {
	for i := range v.Hits {
		if hit := &v.Hits[i]; hit.Action != risk.Allow && !slices.Contains(hit.Rule.When.Is, "users-work") {
			return false
		}
	}
	m := h.recallSession(id)
	if len(m.Checkpoints) == 0 || len(v.Targets) == 0 {
		return false
	}
	for _, path := range v.Targets {
		r, err := repo.Open(filepath.Dir(path))
		if err != nil {
			return false
		}
		cp, err := checkpoint.Find(r, m.Checkpoints[len(m.Checkpoints)-1])
		if err != nil {
			return false
		}
		rel, err := checkpoint.Relative(r, "", path)
		if err != nil || !cp.Holds(r, rel) {
			return false
		}
	}
	return true
}
