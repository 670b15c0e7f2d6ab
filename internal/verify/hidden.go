package verify

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// A session can have Git pass over what it writes: by a line in info/exclude, which no commit shows, and by telling it not to look at a file
// (skip-worktree, assume-unchanged). Both are in a picture all the same.

// maxUnseen bounds the files that Git was told not to look at which are asked for; a folder that is not there counts as one.
const maxUnseen = 16384

// unhide adds to a picture what Git hides: files that it was told not to look at and that are not as the index has them, and, where a list was
// written since the session began, what has been written since then and is left out by such lists alone.
func (p *Picture) unhide(ctx context.Context, r *repo.Repo, ix *repo.Index, since time.Time) {
	if p.Partial {
		return
	}
	add := func(path string, info os.FileInfo) {
		if _, known := p.Files[path]; !known && !info.IsDir() && len(p.Files) < maxChanges {
			p.Files[path] = stamp(r.Path(path), len(p.Files) < maxSums)
		}
	}
	asked, gone := 0, "/"
	for _, i := range ix.Trusted() {
		e := ix.At(i)
		if e.Mode == repo.ModeGitlink || e.Mode == repo.ModeDir || strings.HasPrefix(e.Path, gone) {
			continue
		}
		if asked++; asked > maxUnseen {
			break
		}
		info, err := os.Lstat(r.Path(e.Path))
		if err == nil && (uint32(info.Size()) != e.Size || !info.ModTime().Equal(e.Mtime) || touched(r, e, since)) {
			add(e.Path, info)
		}
		if err != nil {
			gone = missingFolder(r, e.Path)
		}
	}
	if since.IsZero() || !r.ListsSince(since) {
		return
	}
	st, err := r.Status(ctx, repo.StatusOptions{Untracked: repo.UntrackedAll, NoStaged: true, NoRenames: true, NoSubmodules: true, NoLists: true, Most: maxChanges, Index: ix})
	if err != nil {
		return
	}
	for i := range st.Changes {
		path := st.Changes[i].Path
		if info, err := os.Lstat(r.Path(path)); err == nil && info.ModTime().After(since) {
			add(path, info)
		}
	}
}

// missingFolder is the outermost folder ("a/b/") of a path that is not there, "/" where all are.
func missingFolder(r *repo.Repo, path string) string {
	for i := range path {
		if path[i] == '/' && !exists(r.Path(path[:i])) {
			return path[:i+1]
		}
	}
	return "/"
}

// touched reports a file that holds something else than the index has, though it was given that time.
func touched(r *repo.Repo, e repo.Entry, since time.Time) bool {
	now, err := disk.At(r.Path(e.Path))
	return err == nil && !since.IsZero() && now.ChangedNano() >= since.UnixNano() && !(&content{blob: e.Hash}).in(r, r.Path(e.Path))
}
