package verify

import (
	"cmp"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// Marks reports a command line that holds the mark by which a file at a path would pass for a generated one: the session itself wrote it.
func (t *Tables) Marks(line, path string) bool { return t.Languages().Written(path, []byte(line)) }

// Marked reports a file, absolute, that has the mark of generated files now, and had none in the commit from before the session.
func (p *Picture) Marked(r *repo.Repo, t *Tables, s *State, before *Picture, path string) bool {
	in, local := Shown([]string{p.Tree}, path)
	head, _, _ := disk.ReadHead(path, headBytes)
	if !local || !t.Languages().Written(in, head) {
		return false
	}
	h, had := folders{}.blob(r, cmp.Or(s.Head, before.Head), in)
	if !had {
		return false
	}
	if size, err := r.BlobSize(h); err != nil || size > maxRead {
		return false
	}
	_, old, err := r.Object(h)
	return err == nil && !t.Languages().Written(in, old[:min(len(old), headBytes)])
}
