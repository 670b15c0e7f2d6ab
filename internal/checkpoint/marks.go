package checkpoint

import (
	"fmt"
	"os"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// Marks are what the user has told the index of entries: a path, or a folder ("a/b/") that stands for all entries below it.
type Marks struct {
	Skip   []string // not to be checked out (skip-worktree, sparse checkout), though it is there
	Absent []string // not checked out, and not there
	Assume []string // never looked at (assume-unchanged)
	Sparse repo.Sparse
}

// readMarks lists them, within the bounds of a message.
func (s *snapshot) readMarks() {
	var skip, absent, assume []int
	gone := s.gone()
	for _, i := range s.ix.Trusted() {
		flags := s.ix.At(i).Flags
		switch {
		case flags&repo.SkipWorktree == 0:
		case gone(s.ix.Path(i)), s.unfilled(i, gone):
			absent = append(absent, i)
		default:
			skip = append(skip, i)
		}
		if flags&repo.AssumeValid != 0 {
			assume = append(assume, i)
		}
		if flags&repo.IntentToAdd != 0 && len(s.intent) < maxNamed {
			s.announced(s.ix.Path(i), s.ix.At(i).Mode) // no status lists what git was told not to look at
		}
	}
	s.findLinks()
	s.marks = Marks{Skip: s.gather(skip, "not to be checked out"), Absent: s.gather(absent, "not checked out"), Assume: s.gather(assume, "assumed unchanged")}
	sparse, err := s.r.Sparse()
	if s.marks.Sparse = sparse; err != nil && sparse.On {
		s.skipped = append(s.skipped, Skip{Path: repo.SparseFile, Why: "what a sparse checkout leaves out: " + why(err), safe: true})
	}
}

// findLinks notes the links of the index that are some on disk, though core.symlinks is off: Git takes both a link and a plain file for one.
func (s *snapshot) findLinks() {
	for i := 0; !s.links && i < s.ix.Len() && len(s.realLinks) < maxNamed; i++ {
		if s.ix.At(i).Mode != repo.ModeLink {
			continue
		}
		p := s.ix.Path(i)
		if fi, err := os.Lstat(s.r.Path(p)); err == nil && fi.Mode()&os.ModeSymlink != 0 {
			s.realLinks = append(s.realLinks, p)
		}
	}
}

// gone gives a function that says whether nothing is at a path. Asked in the order of the index, it looks once at a folder that is
// not there.
func (s *snapshot) gone() func(string) bool {
	last := ""
	missing := func(p string) bool {
		_, err := os.Lstat(s.r.Path(p))
		return disk.Absent(err)
	}
	return func(p string) bool {
		p = strings.TrimSuffix(p, "/")
		if last != "" && strings.HasPrefix(p, last) {
			return true
		}
		if !missing(p) {
			return false
		}
		if dir := path.Dir(p); dir != "." && missing(dir) {
			last = dir + "/"
		}
		return true
	}
}

// unfilled reports the entry of a folder in a sparse index whose folder is there, but holds none of its tracked files: untracked files
// alone keep it there.
func (s *snapshot) unfilled(i int, gone func(string) bool) bool {
	en := s.ix.At(i)
	if en.Mode != repo.ModeDir {
		return false
	}
	left, filled := manyFiles, false
	err := filesWithin(s.r, en.Hash, en.Path, 0, &left, func(path string, _ Side) { filled = filled || !gone(path) })
	return err == nil && !filled
}

// gather names positions of the index, a whole folder by one name.
func (s *snapshot) gather(list []int, what string) (out []string) {
	for k := 0; k < len(list); {
		i := list[k]
		name, n := s.ix.Path(i), 1
		for _, d := range parents(strings.TrimSuffix(name, "/")) {
			lo, hi := s.span(d + "/")
			// Positions ascend, so that the last tells whether all between are there.
			if lo == i && k+hi-lo <= len(list) && list[k+hi-lo-1] == hi-1 {
				name, n = d+"/", hi-lo
				break
			}
		}
		k += n
		if len(out) == maxNamed {
			s.skipped = append(s.skipped, Skip{Path: path.Clean(name), Why: fmt.Sprintf("that it is %s, as others: over the limit of %d", what, maxNamed), safe: true})
			break
		}
		out = append(out, name)
	}
	return out
}

// span gives the entries of the index whose paths begin with prefix, which ends in a slash.
func (s *snapshot) span(prefix string) (lo, hi int) {
	n := s.ix.Len()
	lo = sort.Search(n, func(i int) bool { return s.ix.Path(i) >= prefix })
	return lo, lo + sort.Search(n-lo, func(i int) bool { return !strings.HasPrefix(s.ix.Path(lo+i), prefix) })
}

func (m *Marks) none() bool { return len(m.Skip)+len(m.Absent)+len(m.Assume) == 0 }

func (m *Marks) equal(n *Marks) bool {
	return slices.Equal(m.Skip, n.Skip) && slices.Equal(m.Absent, n.Absent) && slices.Equal(m.Assume, n.Assume) && m.Sparse == n.Sparse
}

// cover says whether the index is told all that n says: what it is told beside that stays.
func (m *Marks) cover(n *Marks) bool {
	lacks := func(flag repo.EntryFlags, want []string) bool {
		return slices.ContainsFunc(want, func(p string) bool { return m.flags(p)&flag == 0 })
	}
	return !lacks(repo.SkipWorktree, n.Skip) && !lacks(repo.SkipWorktree, n.Absent) && !lacks(repo.AssumeValid, n.Assume)
}

// flags gives what the user had told of a path.
func (m *Marks) flags(p string) (f repo.EntryFlags) {
	if marked(m.Skip, p) || marked(m.Absent, p) {
		f |= repo.SkipWorktree
	}
	if marked(m.Assume, p) {
		f |= repo.AssumeValid
	}
	return f
}

// Assumed and Skipped say whether Git was told to take a path for unchanged, or not to look at it though it is there.
func (m *Marks) Assumed(p string) bool { return marked(m.Assume, p) }

// Skipped is told at [Marks.Assumed].
func (m *Marks) Skipped(p string) bool { return marked(m.Skip, p) }

// marked says whether a sorted list names a path or a folder above it.
func marked(list []string, p string) bool {
	if len(list) == 0 {
		return false
	}
	has := func(name string) bool { _, ok := slices.BinarySearch(list, name); return ok }
	return has(p) || slices.ContainsFunc(parents(strings.TrimSuffix(p, "/")), func(d string) bool { return has(d + "/") })
}
