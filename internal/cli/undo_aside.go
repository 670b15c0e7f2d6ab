package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/undo"
)

// asideNames are the new names of files that are put aside.
func asideNames(list []undo.Away) (names []string) {
	for i := range list {
		names = append(names, list[i].Names()...)
	}
	return names
}

// putAside gives files that stand in the way another name. Nothing is written over: a name that is taken ends it.
func putAside(r *repo.Repo, list []undo.Away) error {
	if len(list) == 0 {
		return nil
	}
	root, err := os.OpenRoot(r.WorkTree)
	if err != nil {
		return err
	}
	defer root.Close()
	for k := range list {
		one := &list[k]
		names := one.Names()
		for i, p := range one.Files {
			to := filepath.FromSlash(names[i])
			if _, err := root.Lstat(to); err == nil {
				return fmt.Errorf("%s is there already", names[i])
			}
			if err := root.MkdirAll(filepath.FromSlash(path.Dir(names[i])), 0o777); err != nil {
				return err
			}
			if err := root.Rename(filepath.FromSlash(p), to); err != nil {
				return err
			}
		}
		removeEmpty(r, foldersIn(root, one.Folder))
	}
	return nil
}

// foldersIn are the folders below one.
func foldersIn(root *os.Root, dir string) (list []string) {
	_ = fs.WalkDir(root.FS(), dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != dir {
			list = append(list, p)
		}
		return nil
	})
	return list
}

// showAside says what was put aside, or will be.
func (e *env) showAside(list []undo.Away) {
	names := asideNames(list)
	for _, name := range names[:min(len(names), shownUndone)] {
		fmt.Fprintf(e.err, "moai: put aside: %s (no snapshot has it, and it stood in the way)\n", term.Name(name))
	}
	if more := len(names) - shownUndone; more > 0 {
		fmt.Fprintf(e.err, "moai: put aside: %d more\n", more)
	}
}
