package checkpoint

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	full = filepath.Join(disk.Real(filepath.Dir(full)), filepath.Base(full))
	rel, err := filepath.Rel(r.WorkTree, full)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is outside the repository", path)
	}
	return filepath.ToSlash(rel), nil
}

// Has says whether a checkpoint, or its vault, holds a file or directory of this name.
func Has(r *repo.Repo, c *Checkpoint, path string) bool {
	for _, tree := range [...]repo.Hash{c.Tree, c.Index} { // a file that was staged and deleted is known, too
		if s, err := lookup(r.Tree, tree, path); !tree.IsZero() && err == nil && s.Mode != 0 {
			return true
		}
	}
	return path == "." || c.Folders.empty(path) || slices.ContainsFunc(c.Vaulted, func(p string) bool { return within(p, []string{path}) })
}

// Unheld lists the paths asked for of which the checkpoint holds nothing and for which nothing is to be done. What is there now stays, so the
// caller says that it is not what was there then.
func (p *Plan) Unheld(r *repo.Repo) (out []Skip) {
	for _, asked := range p.Paths {
		below := []string{asked}
		in := func(c Change) bool { return within(c.Path, below) }
		if Has(r, p.Checkpoint, asked) || slices.ContainsFunc(p.Write, in) || slices.ContainsFunc(p.Delete, in) ||
			slices.ContainsFunc(p.unvault, func(f vaultFile) bool { return within(f.Path, below) }) ||
			slices.ContainsFunc(p.Folders, func(c FolderChange) bool { return within(c.Path, below) }) {
			continue
		}
		k := Skip{Path: asked}
		for _, was := range p.Checkpoint.Skipped {
			if was.Path == asked || strings.HasSuffix(was.Path, "/") && strings.HasPrefix(asked, was.Path) {
				k.Why = was.Why
			}
		}
		out = append(out, k)
	}
	return out
}
