package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// reorder puts the stash entries of a checkpoint, newest first in pins, into their order again: an entry that comes back is put on top.
// Entries that the checkpoint does not know keep their side: those below all of its own stay below, others are newer.
func reorder(r *repo.Repo, pins []Pin) error {
	now, err := r.Resolve("refs/stash")
	if err != nil {
		return err
	}
	return r.RewriteLog("refs/stash", now, func(log []byte) ([]byte, repo.Hash) { return inOrder(log, pins) })
}

// inOrder is the log of the stash in the order of pins, with the entry that is on top: zero where nothing is to be changed.
func inOrder(log []byte, pins []Pin) (out []byte, top repo.Hash) {
	rank := map[repo.Hash]int{}
	for i, pin := range pins {
		if strings.HasPrefix(pin.Ref, "stash@{") {
			rank[pin.Hash] = len(pins) - i // the oldest has the lowest
		}
	}
	type entry struct {
		hash       repo.Hash
		text, rest string // the new value as it is written, and what stands behind the old one
	}
	var below, known, above []entry
	for line := range strings.Lines(string(log)) {
		_, rest, _ := strings.Cut(line, " ")
		text, _, _ := strings.Cut(rest, " ")
		h, ok := repo.ParseHash(text)
		switch e := (entry{h, text, strings.TrimSuffix(rest, "\n")}); {
		case !ok:
			return nil, repo.Hash{} // not a log as Git writes it
		case rank[h] > 0:
			known = append(known, e)
		case len(known) == 0:
			below = append(below, e)
		default:
			above = append(above, e)
		}
	}
	byRank := func(a, b entry) int { return rank[a.hash] - rank[b.hash] }
	if len(known) == 0 || len(above) == 0 && slices.IsSortedFunc(known, byRank) {
		return nil, repo.Hash{}
	}
	slices.SortStableFunc(known, byRank)
	var b bytes.Buffer
	old := strings.Repeat("0", len(known[0].text))
	for _, e := range slices.Concat(below, known, above) {
		fmt.Fprintf(&b, "%s %s\n", old, e.rest)
		old, top = e.text, e.hash
	}
	if bytes.Equal(b.Bytes(), log) {
		return nil, repo.Hash{}
	}
	return b.Bytes(), top
}
