package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// restash puts a commit on top of the stash, as `git stash store` does: the reference moves and its reflog, which is the stash,
// gets a line.
func restash(r *repo.Repo, h repo.Hash) error {
	c, err := r.Commit(h)
	if err != nil {
		return fmt.Errorf("stash entry %s: %w", h, err)
	}
	old, err := r.Resolve("refs/stash")
	if err != nil {
		old = repo.Hash{}
	}
	log := filepath.Join(r.CommonDir, "logs", "refs", "stash")
	if err := os.MkdirAll(filepath.Dir(log), 0o777); err != nil {
		return err
	}
	// An empty log is enough for the reference's move to be written into it.
	if f, err := os.OpenFile(log, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666); err == nil {
		_ = f.Close()
	} else if !errors.Is(err, os.ErrExist) {
		return err
	}
	subject, _, _ := strings.Cut(c.Message, "\n")
	return r.MoveRef("refs/stash", old, h, subject)
}
