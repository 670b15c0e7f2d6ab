package repo

import (
	"container/heap"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A LinkedTree is one of several work trees, as the repository knows it.
type LinkedTree struct {
	Name string // that of its folder below .git/worktrees, "" for the main one
	Dir  string // its own folder, as it was told to the repository; it may be gone
	Head Head

	At   *Repo // its HEAD and its logs, and nothing more
	bare bool
}

// Linked lists the linked work trees of the repository, those whose folders are gone too. What is half a work tree is passed over, as
// git does.
func (r *Repo) Linked() (list []LinkedTree) {
	entries, _ := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	for _, d := range entries[:min(len(entries), maxWorktrees)] {
		other := &Repo{GitDir: filepath.Join(r.CommonDir, "worktrees", d.Name()), CommonDir: r.CommonDir, hashSize: r.hashSize}
		if h, err := other.Head(); err == nil {
			list = append(list, LinkedTree{Name: d.Name(), Dir: other.place(), Head: h, At: other})
		}
	}
	return list
}

// Leads reports whether a commit is one of tips, or lies in the history of one of them. At most limit commits are read; sure is false
// where that was not enough, or where the history cannot be read.
func (r *Repo) Leads(tips []Hash, to Hash, limit int) (found, sure bool) {
	target, err := r.Commit(to)
	if err != nil {
		return false, false
	}
	seen := map[Hash]bool{}
	var queue dateQueue
	push := func(h Hash) {
		if seen[h] {
			return
		}
		seen[h] = true
		// A tag of something else, or what was not fetched, leads nowhere.
		if c, err := r.Commit(h); err == nil {
			heap.Push(&queue, &dated{hash: h, time: c.Time, parents: c.Parents})
		}
	}
	for _, h := range tips {
		if h == to {
			return true, true
		}
	}
	for _, h := range tips[:min(len(tips), limit)] {
		push(h)
	}
	shallow := r.shallow()
	for late := 0; len(queue) > 0 && len(seen) <= limit; {
		c := heap.Pop(&queue).(*dated)
		if c.hash == to {
			return true, true
		}
		// Clocks are wrong now and then: some more are visited.
		if c.time.Before(target.Time.Add(-time.Second)) {
			if late++; late > dateSlop {
				return false, true
			}
		}
		if shallow[c.hash] {
			continue
		}
		for _, p := range c.parents {
			push(p)
		}
	}
	return false, len(queue) == 0 && len(tips) <= limit
}

// Gone reports that the folder of a linked work tree is not there, so that `git worktree prune` forgets it. A locked one stays.
func (t *LinkedTree) Gone(r *Repo) bool {
	if _, err := os.Lstat(filepath.Join(r.CommonDir, "worktrees", t.Name, "locked")); err == nil {
		return false
	}
	_, err := os.Lstat(filepath.Join(t.Dir, ".git"))
	return err != nil
}

// Named reports whether a word of a command line may mean the work tree: its path, or the end of it. One that says nothing may mean any.
func (t *LinkedTree) Named(word string) bool {
	word = strings.TrimRight(filepath.ToSlash(word), "/")
	if base := word[strings.LastIndexByte(word, '/')+1:]; base == "" || base == "." || base == ".." {
		return true // what it is cannot be told from it
	}
	return strings.HasSuffix("/"+filepath.ToSlash(t.Dir), "/"+word[strings.LastIndexByte(word, '/')+1:])
}

// Reached reports a word by which git speaks of the HEAD of a work tree from within another one.
func (t *LinkedTree) Reached(word string) bool {
	if t.Name == "" {
		return word == "main-worktree/HEAD"
	}
	return word == "worktrees/"+t.Name+"/HEAD"
}
