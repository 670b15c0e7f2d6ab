package checkpoint

import (
	"github.com/modu-ai/moai/internal/repo"
)

// maxLooked bounds the files that Lacks looks at.
const maxLooked = 200

// Lacks lists those of some files, relative to the work tree, whose content a checkpoint
// only names: it was not stored anew, since it is as Git has it, and Git's own object is
// gone or damaged. Folders are not looked into.
func (c *Checkpoint) Lacks(r *repo.Repo, files []string) (list []Skip) {
	for _, path := range files[:min(len(files), maxLooked)] {
		s, err := lookup(r.Tree, c.Tree, path)
		if err == nil && (s.Mode == 0 || s.Mode == repo.ModeDir || s.Mode == repo.ModeGitlink) {
			continue
		}
		if err == nil {
			_, err = r.BlobSize(s.Hash)
		}
		if err != nil {
			list = append(list, Skip{Path: path, Why: "Git's own object of it is gone or damaged: git fsck", Tracked: true})
		}
	}
	return list
}

// Holds says that a checkpoint has a file, relative to the work tree, to the byte as it is
// on disk, and that its object is there.
func (c *Checkpoint) Holds(r *repo.Repo, path string) bool {
	fi, err := lstat(r, path)
	if err != nil || fi.IsDir() {
		return false
	}
	s, err := lookup(r.Tree, c.Tree, path)
	if err != nil || s.Mode == 0 {
		return false
	}
	now, err := onDisk(r, path, fi)
	if err != nil || now != s {
		return false
	}
	_, err = r.BlobSize(s.Hash)
	return err == nil
}
