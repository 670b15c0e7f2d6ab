package repo

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The modes that Git keeps in trees and in the index.
const (
	ModeDir     = 0o040000
	ModeFile    = 0o100644
	ModeExec    = 0o100755
	ModeLink    = 0o120000
	ModeGitlink = 0o160000 // a submodule's or nested repository's commit
)

// TreeEntry is one name in a tree.
type TreeEntry struct {
	Mode uint32
	Name string // one path element, as the bytes that Git holds
	Hash Hash
}

// Tree returns the entries of a tree in stored order. The empty tree is known even where it is not stored.
func (r *Repo) Tree(h Hash) ([]TreeEntry, error) {
	if h == HashObject(r.hashSize, KindTree, nil) {
		return nil, nil
	}
	k, b, err := r.Object(h)
	if err != nil {
		return nil, err
	}
	if k != KindTree {
		return nil, fmt.Errorf("object %s is a %s, not a tree", h, k)
	}
	es, err := ParseTree(r.hashSize, b)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", h, err)
	}
	return es, nil
}

// ParseTree decodes the content of a tree object with names of hashSize bytes. Names of entries are given as stored; who writes files from them must check them.
func ParseTree(hashSize int, b []byte) ([]TreeEntry, error) {
	// Mode, name and hash of an entry take 32 bytes or more, nearly always.
	out := make([]TreeEntry, 0, len(b)/32)
	for len(b) > 0 {
		sp := bytes.IndexByte(b, ' ')
		// At most six octal digits: Git writes a directory as 40000, some tools as 040000.
		if sp < 1 || sp > 6 {
			return nil, errors.New("bad tree entry")
		}
		var mode uint32
		for _, c := range b[:sp] {
			if c < '0' || c > '7' {
				return nil, errors.New("bad mode in tree entry")
			}
			mode = mode<<3 | uint32(c-'0')
		}
		b = b[sp+1:]
		end := bytes.IndexByte(b, 0)
		if end < 1 || len(b) < end+1+hashSize {
			return nil, errors.New("tree entry cut short")
		}
		out = append(out, TreeEntry{Mode: mode, Name: string(b[:end]), Hash: HashOf(b[end+1 : end+1+hashSize])})
		b = b[end+1+hashSize:]
	}
	return out, nil
}

// AppendTree encodes entries, which must be in the order of CompareTree.
func AppendTree(hashSize int, dst []byte, entries []TreeEntry) []byte {
	n := 0
	for i := range entries {
		n += len("100644 ") + len(entries[i].Name) + 1 + hashSize
	}
	dst = slices.Grow(dst, n)
	for i := range entries {
		e := &entries[i]
		dst = strconv.AppendUint(dst, uint64(e.Mode), 8)
		dst = append(dst, ' ')
		dst = append(dst, e.Name...)
		dst = append(dst, 0)
		dst = append(dst, e.Hash[:hashSize]...)
	}
	return dst
}

// CompareTree orders entries as Git does: by bytes, where a directory counts as if its name ended in a slash.
func CompareTree(a, b TreeEntry) int {
	n := min(len(a.Name), len(b.Name))
	if c := strings.Compare(a.Name[:n], b.Name[:n]); c != 0 {
		return c
	}
	at := func(e TreeEntry) int {
		switch {
		// Behind the part that both share: the next byte of the longer name, against the end of the shorter one.
		case len(e.Name) > n:
			return int(e.Name[n])
		case e.Mode == ModeDir:
			return '/'
		}
		return 0
	}
	return at(a) - at(b)
}

// A Commit is what a commit object says. Unknown headers (signatures, encoding) are skipped.
type Commit struct {
	Tree    Hash
	Parents []Hash
	Author  string // "Name <mail>"
	// Committer is who made this very object: another one than Author after an amend or a rebase.
	Committer string
	Time      time.Time // of the committer
	Authored  time.Time // which a rebase or a cherry-pick keeps
	Message   string
}

// Commit reads a commit. A tag is followed to the commit it names.
func (r *Repo) Commit(h Hash) (*Commit, error) {
	// Tags of tags are legal and rare; a long chain is an attack.
	for range 8 {
		k, b, err := r.Object(h)
		if err != nil {
			return nil, err
		}
		switch k {
		case KindCommit:
			c, err := ParseCommit(b)
			if err != nil {
				return nil, fmt.Errorf("commit %s: %w", h, err)
			}
			return c, nil
		case KindTag:
			// Only the first line of a tag matters: "object" and the name of what it stands for.
			next, ok := strings.CutPrefix(string(b[:min(len(b), 7+2*r.hashSize)]), "object ")
			t, good := ParseHash(next)
			if !ok || !good {
				return nil, fmt.Errorf("tag %s: bad target", h)
			}
			h = t
		default:
			return nil, fmt.Errorf("object %s is a %s, not a commit", h, k)
		}
	}
	return nil, fmt.Errorf("tag %s: nested too deep", h)
}

// ParseCommit decodes the content of a commit object.
func ParseCommit(b []byte) (*Commit, error) {
	// Continued lines of a signature begin with a blank and so have no key that is asked for.
	head, msg, _ := bytes.Cut(b, []byte("\n\n"))
	c := &Commit{Message: string(msg)}
	seen := false
	for line := range strings.SplitSeq(string(head), "\n") {
		key, val, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			c.Tree, seen = ParseHash(val)
		case "parent":
			p, ok := ParseHash(val)
			if !ok {
				return nil, errors.New("bad parent")
			}
			c.Parents = append(c.Parents, p)
		case "author":
			// The last one ends the address: names may have others in them.
			if i := strings.LastIndexByte(val, '>'); i >= 0 {
				c.Author, c.Authored = val[:i+1], parseStamp(strings.TrimSpace(val[i+1:]))
			}
		case "committer":
			if i := strings.LastIndexByte(val, '>'); i >= 0 {
				c.Committer, c.Time = val[:i+1], parseStamp(strings.TrimSpace(val[i+1:]))
			}
		}
	}
	if !seen {
		return nil, errors.New("no tree in commit")
	}
	return c, nil
}

// parseStamp reads "seconds zone" as commits and reflogs have it; zero when it is not one.
func parseStamp(s string) time.Time {
	sec, zone, _ := strings.Cut(s, " ")
	n, err := strconv.ParseInt(sec, 10, 64)
	if err != nil {
		return time.Time{}
	}
	t := time.Unix(n, 0)
	// A zone that cannot be read leaves the moment as it is, seen from here.
	if z, err := time.Parse("-0700", zone); err == nil {
		t = t.In(z.Location())
	}
	return t
}
