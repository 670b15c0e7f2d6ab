package handle

import (
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/undo"
)

// Bounds of what is remembered of files that the session's tools wrote.
const (
	keepWrote = 60
	maxWrote  = 1 << 20 // larger files are not read for this
)

// leftAs is a file as a tool of the client left it.
type leftAs struct {
	Path string `json:"path"` // absolute
	Size int64  `json:"size"`
	Sum  string `json:"sum"`
}

// left is a file as it is now; ok is false for what is no plain file, or too large.
func left(path string) (w leftAs, ok bool) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return w, false
	}
	f, info, err := disk.OpenRegular(os.OpenFile, path, disk.NoFollow)
	if err != nil {
		return w, false
	}
	defer f.Close()
	if info.Size() > maxWrote {
		return w, false
	}
	sum := sha256.New()
	if n, err := io.CopyBuffer(sum, io.LimitReader(f, maxWrote+1), make([]byte, min(info.Size()+1, 32<<10))); err != nil || n != info.Size() {
		return w, false
	}
	return leftAs{path, info.Size(), undo.SumText(sum.Sum(nil))}, true
}

// wrote remembers how a tool left a file.
func (m *memory) wrote(w leftAs) {
	m.Wrote = slices.DeleteFunc(m.Wrote, func(old leftAs) bool { return old.Path == w.Path })
	m.Wrote = append(m.Wrote, w)
	if over := len(m.Wrote) - keepWrote; over > 0 {
		m.Wrote = slices.Delete(m.Wrote, 0, over)
	}
}

// stillKnown reports a file that a tool of this session wrote.
func (m *memory) stillKnown(path string) bool {
	return slices.ContainsFunc(m.Wrote, func(w leftAs) bool { return w.Path == path })
}

// stillWrote reports that a file is, to the byte, as a tool of this session left it: to
// write it again takes nobody else's work.
func (m *memory) stillWrote(path string) bool {
	path = filepath.Clean(path)
	i := slices.IndexFunc(m.Wrote, func(w leftAs) bool { return w.Path == path })
	if i < 0 {
		return false
	}
	// The size first: a file that somebody changed is not read at all, mostly.
	if info, err := os.Lstat(path); err != nil || info.Size() != m.Wrote[i].Size {
		return false
	}
	now, ok := left(path)
	return ok && now == m.Wrote[i]
}

// kept reports that a call does nothing but write files whose content the session's last
// snapshot holds. Ten files with somebody's work in them are ten edits and one snapshot.
func (h *Handlers) kept(session string, v *risk.Verdict) bool {
	for i := range v.Hits {
		if hit := &v.Hits[i]; hit.Action != risk.Allow && !slices.Contains(hit.Rule.When.Is, "users-work") {
			return false
		}
	}
	m := h.recallSession(session)
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
