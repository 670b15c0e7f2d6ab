package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/modu-ai/moai/internal/checkpoint"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Patch is what a commit changed against its first parent, as a patch that is cut where it becomes too long.
func Patch(ctx context.Context, root, hash string) (string, error) {
	r, err := find(root)
	if err != nil {
		return "", err
	}
	r.Charge(work.New(work.Inflate(maxUnpacked)))
	c, err := commitAt(r, hash)
	if err != nil {
		return "", err
	}
	var from repo.Hash
	if len(c.Parents) > 0 {
		if parent, err := r.Commit(c.Parents[0]); err == nil { // else its history ends here: a shallow clone
			from = parent.Tree
		}
	}
	return between(ctx, r, from, c.Tree)
}

// Diff is what two commits differ in, such as the snapshots of a turn; without the second, what the first and the work tree as it is now do.
// Snapshots of a folder in no repository are in moai's state folder.
func Diff(ctx context.Context, root, stateDir, from, to string) (string, error) {
	r, err := find(root)
	if errors.Is(err, repo.ErrNone) {
		r, err = checkpoint.FindShadow(stateDir, root)
	}
	if err != nil {
		return "", err
	}
	r.Charge(work.New(work.Inflate(maxUnpacked)))
	a, err := commitAt(r, from)
	if err != nil {
		return "", err
	}
	if to == "" {
		return sinceThen(ctx, r, from)
	}
	b, err := commitAt(r, to)
	if err != nil {
		return "", err
	}
	return between(ctx, r, a.Tree, b.Tree)
}

func commitAt(r *repo.Repo, hash string) (*repo.Commit, error) {
	h, ok := repo.ParseHash(hash)
	if !ok {
		return nil, fmt.Errorf("%q is no name of a commit", hash)
	}
	c, err := r.Commit(h)
	if err != nil {
		return nil, fmt.Errorf("read commit: %w", err)
	}
	return c, nil
}

// sinceThen compares a snapshot with the work tree.
func sinceThen(ctx context.Context, r *repo.Repo, from string) (string, error) {
	h, _ := repo.ParseHash(from) // it was read before
	c, err := checkpoint.SnapshotAt(r, h)
	if err != nil {
		return "", err
	}
	changes, read, err := checkpoint.Diff(ctx, r, c, nil)
	if err != nil {
		return "", fmt.Errorf("compare with the work tree: %w", err)
	}
	return patch(ctx, read, changes)
}

// between compares two trees line by line.
func between(ctx context.Context, r *repo.Repo, from, to repo.Hash) (string, error) {
	changes, err := checkpoint.DiffTrees(r, from, to)
	if err != nil {
		return "", fmt.Errorf("compare trees: %w", err)
	}
	return patch(ctx, checkpoint.Stored(r), changes)
}

func patch(ctx context.Context, read checkpoint.Content, changes []checkpoint.Change) (string, error) {
	w := &cutter{ctx: ctx, most: maxPatch}
	if err := checkpoint.Patch(w, read, changes); err != nil && !w.full {
		return "", fmt.Errorf("compare trees: %w", err)
	}
	if w.full {
		w.text = append(w.text, "\n… the rest is not shown\n"...)
	}
	return string(w.text), nil
}

// cutter collects the patches of files. It stops with an error at its most bytes, or when the request has ended.
type cutter struct {
	ctx  context.Context
	text []byte
	most int
	full bool
}

var errFull = errors.New("there is no room for more")

func (c *cutter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	if len(c.text)+len(p) > c.most {
		c.full = true
		if room := p[:max(0, c.most-len(c.text))]; len(c.text) < c.most/2 { // a part of a long file is better than nothing
			c.text = append(c.text, room[:bytes.LastIndexByte(room, '\n')+1]...)
		}
		return 0, errFull
	}
	c.text = append(c.text, p...)
	return len(p), nil
}
