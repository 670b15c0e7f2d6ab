package checkpoint

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/modu-ai/moai/internal/repo"
)

// removed lists the files that HEAD has, the index not any more, and that Git ignores where they are (git rm --cached .env). The tree of
// a snapshot leaves them out, as Git does, but what brings the files of a commit back writes over them without a question.
func (s *snapshot) removed() (list []string) {
	if s.index == s.headTree || s.headTree.IsZero() || s.opts.mark != nil { // a timeline has a search of its own
		return nil
	}
	changes, _, err := diffReadable(s.readTree, s.headTree, s.index)
	if err != nil {
		return nil
	}
	for i := range changes {
		ch := &changes[i]
		if ch.New.Mode != 0 || ch.Old.Mode == repo.ModeGitlink {
			continue
		}
		info, err := os.Lstat(s.r.Path(ch.Path))
		if dir := path.Dir(ch.Path) + "/"; errors.Is(err, fs.ErrNotExist) && dir != "./" && !slices.Contains(list, dir) && isEmpty(s.r.Path(path.Dir(ch.Path))) {
			list = append(list, dir) // it comes with the file, and would go with it
		}
		if err != nil || !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if held, err := lookup(s.readTree, s.tree, ch.Path); err == nil && held.Mode == 0 {
			list = append(list, ch.Path)
		}
	}
	return list
}

// isEmpty reports a folder, and no link to one, in which nothing is.
func isEmpty(dir string) bool {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return false
	}
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err == io.EOF
}
