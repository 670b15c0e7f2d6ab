package checkpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/repo"
)

// restash puts a commit on top of the stash, as `git stash store` does: the reference moves and its reflog, which is the stash,
// gets a line. The reference is created or moved first; a crash in between leaves an entry that `git stash list` does not show
// and the next restore brings back.
func restash(r *repo.Repo, h repo.Hash) error {
	c, err := r.Commit(h)
	if err != nil {
		return fmt.Errorf("stash entry %s: %w", h, err)
	}
	old, err := r.Resolve("refs/stash")
	if err != nil {
		old = repo.Hash{}
	}
	if err := r.UpdateRef("refs/stash", old, h); err != nil {
		return err
	}
	log := filepath.Join(r.CommonDir, "logs", "refs", "stash")
	if err := os.MkdirAll(filepath.Dir(log), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	from := strings.Repeat("0", 2*r.HashSize())
	if !old.IsZero() {
		from = old.String()
	}
	subject, _, _ := strings.Cut(c.Message, "\n")
	now := time.Now()
	_, err = fmt.Fprintf(f, "%s %s %s %d %s\t%s\n", from, h, author, now.Unix(), now.Format("-0700"), subject)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
