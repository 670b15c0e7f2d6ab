package repo

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Look is a work tree as one status shows it, with all that a snapshot has to know: who has taken one for something else can hand it
// on, so that a large tree is walked once.
type Look struct {
	*Status
	Index *Index
	At    time.Time // when it was done

	workTree, gitDir string
	file             os.FileInfo // the index's, before it was read; nil where there was none
}

// Of reports whether l is a look at the work tree of r and still holds: nobody has written the index since. If somebody has,
// the staged files of the look are older than HEAD, which the caller reads now, and the two do not fit together.
func (l *Look) Of(r *Repo) bool {
	if l == nil || l.workTree != r.WorkTree || l.gitDir != r.GitDir {
		return false
	}
	now := r.indexFile()
	if l.file == nil || now == nil {
		return l.file == nil && now == nil
	}
	return os.SameFile(l.file, now) && l.file.ModTime().Equal(now.ModTime()) && l.file.Size() == now.Size()
}

func (r *Repo) indexFile() os.FileInfo {
	fi, err := os.Stat(filepath.Join(r.GitDir, "index"))
	if err != nil {
		return nil
	}
	return fi
}

// MaxListed bounds the untracked paths that a look holds; more are counted.
const MaxListed = 100_000

// Look takes one. Of the options those count that say how it is done: Workers, DirCache, Index and NoStaged.
func (r *Repo) Look(ctx context.Context, o StatusOptions) (*Look, error) {
	l := &Look{Index: o.Index, workTree: r.WorkTree, gitDir: r.GitDir}
	if l.Index == nil {
		l.file = r.indexFile()
		var err error
		if l.Index, err = r.Index(); err != nil {
			return nil, err
		}
	}
	var err error
	l.Status, err = r.Status(ctx, StatusOptions{
		Untracked: UntrackedAll, NoRenames: true, NoStaged: o.NoStaged, NoSubmodules: true, Limit: MaxListed, Index: l.Index,
		DirCache: o.DirCache, Wary: true, Permissions: runtime.GOOS != "windows", Folders: true, Workers: o.Workers,
	})
	l.At = time.Now()
	return l, err
}
