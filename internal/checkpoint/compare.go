package checkpoint

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// Diff compares a checkpoint with the working tree as it is now: Old is the checkpoint's side. Nothing is written. The Content reads
// both sides.
func Diff(ctx context.Context, r *repo.Repo, c *Checkpoint, paths []string) ([]Change, Content, error) {
	o := CreateOptions{Limits: DefaultLimits()}
	// Named and not stored: looking must not leave objects behind.
	s, err := take(ctx, r, r.NewWriter(repo.WriteOptions{DryRun: true}), &o)
	if err != nil {
		return nil, nil, fmt.Errorf("diff: %w", err)
	}
	all, err := diffTrees(s.readTree, c.Tree, s.tree)
	if err != nil {
		return nil, nil, fmt.Errorf("diff: %w", err)
	}
	var out []Change
	for _, ch := range all {
		// What either side has left out would look deleted, or new.
		if within(ch.Path, paths) && !skipped(c.Skipped, ch.Path) && !skipped(s.skipped, ch.Path) {
			out = append(out, ch)
		}
	}
	return out, func(path string, side Side) ([]byte, bool, error) {
		if side.Mode == 0 || side.Mode == repo.ModeGitlink || r.HasObject(side.Hash) {
			return sideText(r, side)
		}
		return diskText(r.Path(path), side)
	}, nil
}

// diskText reads a side that is on disk only.
func diskText(path string, s Side) ([]byte, bool, error) {
	if s.Mode == repo.ModeLink {
		t, err := os.Readlink(path)
		return []byte(filepath.ToSlash(t)), true, err
	}
	f, _, err := disk.OpenRegular(os.OpenFile, path, disk.NoFollow)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPatch+1))
	if err != nil || len(b) > maxPatch {
		return nil, false, err
	}
	return b, isText(b), nil
}

// Relative makes a path that a user gave, seen from dir, relative to the work tree and slashed. It may name what is not there.
func Relative(r *repo.Repo, dir, path string) (string, error) {
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(dir, path)
	}
	// The work tree's path has no links in it; the user's may.
	if real, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(real, filepath.Base(full))
	}
	rel, err := filepath.Rel(r.WorkTree, full)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is outside the repository", path)
	}
	return filepath.ToSlash(rel), nil
}

// Has says whether a checkpoint, or its vault, holds a file or directory of this name.
func Has(r *repo.Repo, c *Checkpoint, path string) bool {
	s, err := lookup(r.Tree, c.Tree, path)
	return err == nil && s.Mode != 0 || slices.Contains(c.Vaulted, path)
}
