// Package history reads what Git knows, for people to look at: commits, what they changed, and who touched a line last.
//
// It reads by go-git, which moai itself does not link (package repo). It writes nothing, and what it reads is bounded.
package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Bounds of one answer.
const (
	maxCommits = 500
	maxPatch   = 1 << 20
	maxBlame   = 1 << 20
)

// Commit is one commit.
type Commit struct {
	Hash    string    `json:"hash"`
	Title   string    `json:"title"`
	Author  string    `json:"author"`
	At      time.Time `json:"at"`
	Parents int       `json:"parents"`
}

// Line is a line of a file, and the commit that touched it last.
type Line struct {
	Number int       `json:"line"`
	Hash   string    `json:"hash"`
	Author string    `json:"author"`
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
}

func open(root string) (*git.Repository, error) {
	r, err := git.PlainOpenWithOptions(root, &git.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	return r, nil
}

// Branch is what is checked out in a work tree: a branch, a short commit, or "" where that cannot be told.
func Branch(root string) string {
	r, err := open(root)
	if err != nil {
		return ""
	}
	head, err := r.Reference(plumbing.HEAD, false)
	switch {
	case err != nil:
		return ""
	case head.Type() == plumbing.SymbolicReference:
		return head.Target().Short()
	}
	return head.Hash().String()[:8]
}

// Log are the newest commits of HEAD since a time, the newest first.
func Log(ctx context.Context, root string, since time.Time) ([]Commit, error) {
	list := []Commit{}
	r, err := open(root)
	if err != nil {
		return nil, err
	}
	head, err := r.Head()
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return list, nil // nothing is committed yet
	}
	if err != nil {
		return nil, fmt.Errorf("read HEAD: %w", err)
	}
	all, err := r.Log(&git.LogOptions{From: head.Hash(), Order: git.LogOrderCommitterTime})
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	defer all.Close()
	err = all.ForEach(func(c *object.Commit) error {
		if ctx.Err() != nil || len(list) == maxCommits || c.Committer.When.Before(since) {
			return storer.ErrStop
		}
		list = append(list, commit(c))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return list, ctx.Err()
}

func commit(c *object.Commit) Commit {
	title := c.Message
	for i, letter := range title {
		if letter == '\n' || i > 400 {
			title = title[:i]
			break
		}
	}
	return Commit{Hash: c.Hash.String(), Title: title, Author: c.Author.Name, At: c.Committer.When.UTC(), Parents: c.NumParents()}
}

// Patch is what a commit changed against its first parent. What is longer than is read ends with a line that says so.
func Patch(ctx context.Context, root, hash string) (string, error) {
	r, err := open(root)
	if err != nil {
		return "", err
	}
	c, err := r.CommitObject(plumbing.NewHash(hash))
	if err != nil {
		return "", fmt.Errorf("read commit: %w", err)
	}
	from := &object.Tree{}
	if parent, err := c.Parent(0); err == nil {
		if from, err = parent.Tree(); err != nil {
			return "", fmt.Errorf("read tree: %w", err)
		}
	}
	to, err := c.Tree()
	if err != nil {
		return "", fmt.Errorf("read tree: %w", err)
	}
	return between(ctx, from, to)
}

// Diff is what two commits differ in, such as the snapshots with which a turn began and ended.
func Diff(ctx context.Context, root, from, to string) (string, error) {
	r, err := open(root)
	if err != nil {
		return "", err
	}
	var trees [2]*object.Tree
	for i, hash := range []string{from, to} {
		c, err := r.CommitObject(plumbing.NewHash(hash))
		if err != nil {
			return "", fmt.Errorf("read commit: %w", err)
		}
		if trees[i], err = c.Tree(); err != nil {
			return "", fmt.Errorf("read tree: %w", err)
		}
	}
	return between(ctx, trees[0], trees[1])
}

// between is what two trees differ in, as a patch.
func between(ctx context.Context, from, to *object.Tree) (string, error) {
	changes, err := object.DiffTreeWithOptions(ctx, from, to, object.DefaultDiffTreeOptions)
	if errors.Is(err, object.ErrDirectoryNotFound) { // go-git reads no folder whose name has a control character, or one that Git keeps for itself
		return "", errors.New("the name of a folder in it has a control character, so its lines are not shown here: moai undo --dry-run names the files")
	}
	if err != nil {
		return "", fmt.Errorf("compare trees: %w", err)
	}
	w := &bounded{most: maxPatch}
	for _, change := range changes {
		p, err := change.PatchContext(ctx)
		if err != nil {
			return "", fmt.Errorf("compare %s: %w", change, err)
		}
		if err := p.Encode(w); err != nil {
			break
		}
	}
	if w.full {
		w.text = append(w.text, "\n… the rest is not shown\n"...)
	}
	return string(w.text), nil
}

// bounded takes no more than so many bytes.
type bounded struct {
	text []byte
	most int
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(b.text)+len(p) > b.most {
		b.full = true
		return 0, io.ErrShortWrite
	}
	b.text = append(b.text, p...)
	return len(p), nil
}

// errLarge says that a file is longer than is looked at.
var errLarge = errors.New("the file is too large for that")

// Blame tells for each line of a file at HEAD which commit touched it last.
func Blame(root, path string) ([]Line, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return nil, fmt.Errorf("%s leads out of the project", path)
	}
	r, err := open(root)
	if err != nil {
		return nil, err
	}
	head, err := r.Head()
	if err != nil {
		return nil, fmt.Errorf("read HEAD: %w", err)
	}
	c, err := r.CommitObject(head.Hash())
	if err != nil {
		return nil, fmt.Errorf("read commit: %w", err)
	}
	f, err := c.File(filepath.ToSlash(path))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if f.Size > maxBlame {
		return nil, errLarge
	}
	found, err := git.Blame(c, filepath.ToSlash(path))
	if err != nil {
		return nil, fmt.Errorf("blame %s: %w", path, err)
	}
	lines := make([]Line, len(found.Lines))
	for i, l := range found.Lines {
		lines[i] = Line{i + 1, l.Hash.String(), l.AuthorName, l.Date.UTC(), l.Text}
	}
	return lines, nil
}
