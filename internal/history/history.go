// Package history reads what Git knows, for people to look at: commits, what they changed, and who touched a line last.
//
// Blame is go-git's, which moai itself does not link. Commits are read and trees compared by moai's own engine, which knows repositories and names that
// go-git does not, and reads no more of a file than is shown. Nothing is written, and what is read is bounded.
package history

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"

	"github.com/modu-ai/moai/internal/repo"
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

// Log are the newest commits of HEAD since a time, the newest first. A shallow clone ends where its commits do.
func Log(ctx context.Context, root string, since time.Time) ([]Commit, error) {
	list := []Commit{}
	r, err := find(root)
	if err != nil {
		return nil, err
	}
	head, err := r.Head()
	if err != nil {
		return nil, fmt.Errorf("read HEAD: %w", err)
	}
	if head.Hash.IsZero() {
		return list, nil // nothing is committed yet
	}
	type one struct {
		hash repo.Hash
		*repo.Commit
	}
	read := func(h repo.Hash) (one, error) {
		c, err := r.Commit(h)
		if err != nil {
			return one{}, fmt.Errorf("read history: %w", err)
		}
		return one{h, c}, nil
	}
	first, err := read(head.Hash)
	if err != nil {
		return nil, err
	}
	known := map[repo.Hash]bool{head.Hash: true}
	for next := []one{first}; len(next) > 0 && len(list) < maxCommits && ctx.Err() == nil; {
		slices.SortStableFunc(next, func(a, b one) int { return b.Time.Compare(a.Time) })
		c := next[0]
		if next = next[1:]; c.Time.Before(since) {
			break
		}
		list = append(list, Commit{Hash: c.hash.String(), Title: title(c.Message), Author: name(c.Author), At: c.Time.UTC(), Parents: len(c.Parents)})
		for _, h := range c.Parents {
			if known[h] || len(known) > 10*maxCommits || !r.HasObject(h) { // a commit may name any number
				continue
			}
			known[h] = true
			parent, err := read(h)
			if err != nil {
				return nil, err
			}
			next = append(next, parent)
		}
	}
	return list, ctx.Err()
}

func title(message string) string {
	for i, letter := range message {
		if letter == '\n' || i > 400 {
			return message[:i]
		}
	}
	return message
}

// name is that of "Name <mail>".
func name(author string) string {
	before, _, _ := strings.Cut(author, " <")
	return before
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
