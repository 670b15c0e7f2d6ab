// Package history reads what Git knows, for people to look at: commits, what they changed, and who touched a line last.
//
// Commits and blame are read by go-git, which moai itself does not link. Trees are compared by moai's own engine, which reads names that go-git
// does not, and no more of a file than is shown. Nothing is written, and what is read is bounded.
package history

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Bounds of one answer.
const (
	maxCommits = 500
	maxPatch   = 1 << 20  // bytes of text
	maxBlame   = 1 << 20  // bytes of the file
	maxObject  = 16 << 20 // bytes of one that go-git unpacks

	maxUnpacked = 256 << 20 // bytes of all that one patch unpacks
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

// Branch is the branch that is checked out, a short hash where HEAD is detached, or "".
func Branch(root string) string {
	r, err := find(root)
	if err != nil {
		return ""
	}
	head, err := r.Head()
	switch {
	case err != nil:
		return ""
	case head.Detached:
		return head.Hash.String()[:8]
	}
	return head.Branch
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
	first, err := r.CommitObject(head.Hash())
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	known := map[plumbing.Hash]bool{first.Hash: true}
	for next := []*object.Commit{first}; len(next) > 0 && len(list) < maxCommits && ctx.Err() == nil; {
		slices.SortStableFunc(next, func(a, b *object.Commit) int { return b.Committer.When.Compare(a.Committer.When) })
		c := next[0]
		if next = next[1:]; c.Committer.When.Before(since) {
			break
		}
		list = append(list, commit(c))
		for _, h := range c.ParentHashes {
			if known[h] || len(known) > 10*maxCommits { // a commit may name any number
				continue
			}
			known[h] = true
			parent, err := r.CommitObject(h)
			if errors.Is(err, plumbing.ErrObjectNotFound) { // a shallow clone ends here
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read history: %w", err)
			}
			next = append(next, parent)
		}
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
