package lang

import (
	"context"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// Index modes, as git writes them.
const (
	modeType    = 0o170000
	modeRegular = 0o100000
	modeGitlink = 0o160000
)

// source visits the entries of an index.
type source func(visit func(*tracked) bool) (in input, sparse bool, err error)

// decoded visits the entries of an index that was read as a whole.
func decoded(r *repo.Repo, in input) source {
	return func(visit func(*tracked) bool) (input, bool, error) {
		ix, err := r.Index()
		if err != nil {
			return in, false, err
		}
		for i := range ix.Len() {
			e := ix.At(i)
			skip := e.Flags&repo.SkipWorktree != 0
			if !visit(&tracked{path: e.Path, mode: e.Mode, size: e.Size, skip: skip, unsized: e.Size == 0 && !skip, unmerged: true}) {
				break
			}
		}
		return in, ix.Sparse, nil
	}
}

// feed brings the entries of an index to one scan.
type feed struct {
	ctx     context.Context
	scan    *scan
	prefix  string // of the folder in the repository
	last    []byte // path of the last entry of a conflict
	n       int
	outside bool // an entry's path leads out of the tree
}

// entry is called for every tracked file, a million times in a large tree.
func (f *feed) entry(e *tracked) bool {
	if f.n++; f.n&4095 == 0 && f.ctx.Err() != nil {
		f.scan.report.Partial = true
		return false
	}
	if e.mode&modeType != modeRegular {
		if e.mode&modeType == modeGitlink {
			f.submodule(e.path)
		}
		return true
	}
	path := e.path
	if f.prefix != "" {
		below := false
		if path, below = strings.CutPrefix(path, f.prefix); !below {
			return true
		}
	}
	if e.unmerged {
		if path == string(f.last) {
			return true // another stage of the same file
		}
		f.last = append(f.last[:0], path...)
	}
	size := int64(e.size)
	if e.unsized {
		size, _ = f.scan.read.Size(path)
	}
	f.outside = !f.scan.file(path, size, e.mode&0o100 != 0)
	return !f.outside
}

// submodule notes a submodule at the root as known: it is no untracked folder, and
// what lies in it belongs to another repository. Deeper ones are never looked at.
func (f *feed) submodule(path string) {
	if name, below := strings.CutPrefix(path, f.prefix); below && !strings.Contains(name, "/") {
		f.scan.rootNames[strings.Clone(name)] = true
	}
}
