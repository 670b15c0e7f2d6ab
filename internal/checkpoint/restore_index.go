package checkpoint

import (
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// staged is one entry of an index that is to be written.
type staged struct {
	path  string
	stage int
	Side
	flags repo.EntryFlags
}

// writeIndex replaces the index by what the checkpoint keeps of it, under git's own lock. Stat data are left zero, which makes git
// compare the files once and fill them in. unmarked says of which entries the mark that keeps them from being checked out goes.
func writeIndex(r *repo.Repo, c *Checkpoint, unmarked func(path string) bool) error {
	l, err := r.LockIndex()
	if err != nil {
		return err
	}
	// The lock comes first: the flags of entries that stay are read from the index that it protects.
	list, err := indexEntries(r, c, unmarked)
	if err != nil {
		l.Rollback()
		return err
	}
	// Write keeps its error for Commit.
	_, _ = l.Write(encodeIndex(list, r.HashSize()))
	return l.Commit()
}

func indexEntries(r *repo.Repo, c *Checkpoint, unmarked func(path string) bool) ([]staged, error) {
	var list []staged
	var bad error
	// A stranger may have made the commit, and git trusts the paths in an index: its next checkout would write to them.
	add := func(p string, stage int, s Side) {
		var known bool
		if s.Mode, known = indexMode(s.Mode); !known || !safePath(p) {
			bad = fmt.Errorf("its index holds %q, which is not safe to write", p)
		}
		list = append(list, staged{path: p, stage: stage, Side: s})
	}
	err := files(r, c.Index, func(p string, s Side) { add(p, 0, s) })
	if err == nil && !c.Unmerged.IsZero() {
		err = files(r, c.Unmerged, func(p string, s Side) {
			num, rest, _ := strings.Cut(p, "/")
			if n, err := strconv.Atoi(num); err == nil && n >= 1 && n <= 3 && rest != "" {
				add(rest, n, s)
			}
		})
	}
	if err = cmp.Or(err, bad); err != nil {
		return nil, err
	}
	list = parted(list)
	modes := map[string]uint32{}
	for _, s := range c.IntentModes {
		num, p, _ := strings.Cut(s, " ")
		if n, err := strconv.ParseUint(num, 8, 32); err == nil && (n == repo.ModeExec || n == repo.ModeLink) {
			modes[p] = uint32(n)
		}
	}
	for _, p := range c.Intent {
		if !safePath(p) {
			return nil, fmt.Errorf("its index holds %q, which is not safe to write", p)
		}
		empty := repo.HashObject(r.HashSize(), repo.KindBlob, nil)
		list = append(list, staged{path: p, Side: Side{cmp.Or(modes[p], repo.ModeFile), empty}, flags: repo.IntentToAdd})
	}
	// What the user has marked stays marked: a sparse checkout would otherwise show every absent file as deleted.
	ix, err := r.Index()
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].flags |= c.Marks.flags(list[i].path)
		keep := repo.SkipWorktree | repo.AssumeValid
		if unmarked(list[i].path) {
			keep = repo.AssumeValid // its file is there again
		}
		// By path alone: content that was staged then does not change what a flag is about.
		if at, ok := ix.Find(list[i].path); ok {
			list[i].flags |= ix.At(at).Flags & keep
		} else if ix.Sparse && folded(ix, list[i].path) {
			list[i].flags |= repo.SkipWorktree & keep
		}
	}
	// Byte order of paths, then stages: Git searches the file by it.
	slices.SortFunc(list, func(a, b staged) int {
		if c := strings.Compare(a.path, b.path); c != 0 {
			return c
		}
		return a.stage - b.stage
	})
	return list, nil
}

// parted leaves out what is staged of paths that wait to be merged: Git reads no index that has both.
func parted(list []staged) []staged {
	waits := map[string]bool{}
	for _, e := range list {
		if e.stage > 0 {
			waits[e.path] = true
		}
	}
	return slices.DeleteFunc(list, func(e staged) bool { return e.stage == 0 && waits[e.path] })
}

// indexMode is the mode that an index has for one of a tree: old trees hold permissions such as 0664, of which one bit counts.
func indexMode(m uint32) (uint32, bool) {
	switch m & 0o170000 {
	case repo.ModeFile & 0o170000:
		if m&0o100 != 0 {
			return repo.ModeExec, true
		}
		return repo.ModeFile, true
	case repo.ModeLink:
		return repo.ModeLink, true
	case repo.ModeGitlink:
		return repo.ModeGitlink, true
	}
	return m, false
}

// folded says whether a sparse index holds the file as part of a whole folder. What is written names each file; git folds them again
// with its next write.
func folded(ix *repo.Index, path string) bool {
	for _, dir := range parents(path) {
		if at, ok := ix.Find(dir + "/"); ok && ix.At(at).Mode == repo.ModeDir {
			return true
		}
	}
	return false
}

// files walks all files of a tree.
func files(r *repo.Repo, tree repo.Hash, f func(path string, s Side)) error {
	left := maxFiles
	return filesWithin(r, tree, "", 0, &left, f)
}

// filesWithin is files with a bound that all folders share.
func filesWithin(r *repo.Repo, tree repo.Hash, prefix string, depth int, left *int, f func(path string, s Side)) error {
	if depth > maxDepth {
		return errors.New("tree nested too deep")
	}
	es, err := r.Tree(tree)
	if err != nil {
		return err
	}
	if *left -= len(es) + treeWeight; *left < 0 {
		return errTooMany
	}
	for _, e := range es {
		if e.Mode == repo.ModeDir {
			if err := filesWithin(r, e.Hash, prefix+e.Name+"/", depth+1, left, f); err != nil {
				return err
			}
			continue
		}
		f(prefix+e.Name, Side{e.Mode, e.Hash})
	}
	return nil
}

// encodeIndex writes the format of gitformat-index(5): version 2, or 3 where an entry needs the extended flags.
func encodeIndex(list []staged, hashSize int) []byte {
	version := uint32(2)
	// Version 2 is read by everything that ever read an index, so it is what is written wherever it can say all.
	for _, e := range list {
		if e.flags&(repo.SkipWorktree|repo.IntentToAdd) != 0 {
			version = 3
		}
	}
	b := []byte("DIRC")
	b = binary.BigEndian.AppendUint32(b, version)
	b = binary.BigEndian.AppendUint32(b, uint32(len(list)))
	for _, e := range list {
		start := len(b)
		// Zeros match no file, so the next git command looks at the content of each and fills in what it finds.
		b = append(b, make([]byte, 24)...) // ctime, mtime, dev, ino
		b = binary.BigEndian.AppendUint32(b, e.Mode)
		b = append(b, make([]byte, 12)...) // uid, gid, size
		b = append(b, e.Hash[:hashSize]...)
		// Twelve bits for the length; longer names are found by their zero byte.
		flags := uint16(e.stage)<<12 | uint16(min(len(e.path), 0xfff))
		if e.flags&repo.AssumeValid != 0 {
			flags |= 1 << 15
		}
		var more uint16
		if e.flags&repo.SkipWorktree != 0 {
			more |= 1 << 14
		}
		if e.flags&repo.IntentToAdd != 0 {
			more |= 1 << 13
		}
		if more != 0 {
			b = binary.BigEndian.AppendUint16(b, flags|1<<14)
			b = binary.BigEndian.AppendUint16(b, more)
		} else {
			b = binary.BigEndian.AppendUint16(b, flags)
		}
		b = append(b, e.path...)
		// One to eight zero bytes bring the entry to a multiple of eight.
		b = append(b, make([]byte, 8-(len(b)-start)%8)...)
	}
	var sum hash.Hash = sha1.New()
	// The trailer is in the repository's own hash, as all names in the file are.
	if hashSize == sha256.Size {
		sum = sha256.New()
	}
	sum.Write(b)
	return sum.Sum(b)
}
