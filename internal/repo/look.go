package repo

import (
	"context"
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
}

// Of reports a look at the work tree of a repository, however that was opened.
func (l *Look) Of(r *Repo) bool { return l != nil && l.workTree == r.WorkTree && l.gitDir == r.GitDir }

// MaxListed bounds the untracked paths that a look holds; more are counted.
const MaxListed = 100_000

// Look takes one. Of the options those count that say how it is done: Workers, DirCache, Index and NoStaged.
func (r *Repo) Look(ctx context.Context, o StatusOptions) (*Look, error) {
	l := &Look{Index: o.Index, workTree: r.WorkTree, gitDir: r.GitDir}
	if l.Index == nil {
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
